"""Letters: how wide a text is, and text that is safe to show.

>>> pad("ab", 4) + "|", centre("ab", 4) + "|"
('ab  |', ' ab |')
"""

from __future__ import annotations

import unicodedata


def width_of(text: str) -> int:
    """Columns a terminal needs for a text, wide and combining characters counted rightly.

    >>> width_of("ab"), width_of("王"), width_of("e\u0301")
    (2, 2, 1)
    """
    width = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


def clean(text: str) -> str:
    """A text without characters that move the cursor or that XML forbids.

    >>> clean("a" + chr(10) + "b")
    'a�b'
    """
    return "".join(c if c.isprintable() else "�" for c in text)


def pad(text: str, width: int) -> str:
    """A text with blanks behind it up to a width."""
    return text + " " * (width - width_of(text))


def centre(text: str, width: int) -> str:
    """A text in the middle of a width."""
    left = (width - width_of(text)) // 2
    return " " * left + text + " " * (width - width_of(text) - left)
