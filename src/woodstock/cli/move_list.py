"""Lists of moves for people: in a sensible order, with numbers, in columns."""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.gdl.terms import Term
from woodstock.match import are_numbered

__all__ = ["columns_of", "in_columns", "in_order", "move_texts"]


def move_texts(legal: Sequence[Term], part: str = "") -> list[str]:
    """The moves that have a part in them, with their numbers where numbers mean their places.

    >>> move_texts(["pass", "(mark a 2)"], "a"), move_texts(["(drop 1)", "(drop 2)"])
    (['  1 pass', '  2 (mark a 2)'], ['(drop 1)', '(drop 2)'])
    """
    numbered = are_numbered(legal)
    return [
        f"{number:>3} {move}" if numbered else str(move)
        for number, move in enumerate(legal, start=1)
        if part.lower() in str(move).lower()
    ]


def in_order(move: Term) -> list[tuple[bool, int, str]]:
    """By words, and numbers as numbers.

    >>> sorted(["(drop 10)", "(drop 2)", "noop"], key=in_order)
    ['(drop 2)', '(drop 10)', 'noop']
    """
    words = str(move).replace("(", " ").replace(")", " ").split()
    return [
        (False, int(word), "") if word.lstrip("-").isdecimal() else (True, 0, word)
        for word in words
    ]


def columns_of(texts: Sequence[str], width: int) -> int:
    """How many columns of these texts fit.

    >>> columns_of(["1 a", "2 bb"], width=16)
    2
    """
    return max(1, (width + 2) // (max(map(len, texts), default=0) + 3))


def in_columns(texts: Sequence[str], width: int) -> str:
    """Texts in as many columns as fit, read downwards.

    >>> print(in_columns(["1 a", "2 bb", "3 c", "4 d", "5 e"], width=16))
    1 a    4 d
    2 bb   5 e
    3 c
    """
    cell = max(map(len, texts), default=0) + 3
    rows = -(-len(texts) // columns_of(texts, width))
    lines = ("".join(f"{text:<{cell}}" for text in texts[row::rows]) for row in range(rows))
    return "\n".join(line.rstrip() for line in lines)
