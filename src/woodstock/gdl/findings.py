"""Collects what is to be said about a sheet, and guesses which word was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from woodstock.gdl.diagnostics import Diagnostic, Severity
from woodstock.gdl.sheet import Clause, Sheet

__all__ = ["Findings", "is_slip_of", "nearest"]


class Findings:
    """The findings about one sheet, each once."""

    def __init__(self, sheet: Sheet, found: list[Diagnostic]) -> None:
        self.sheet = sheet
        self.found = found
        self._seen: set[Diagnostic] = set(found)

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        remedy: str,
        clause: Clause | None = None,
        offset: int | None = None,
        play: str = "",
    ) -> None:
        """One finding more, at a clause or at an offset of the text; `play` shows it."""
        if offset is None:
            offset = clause.place() if clause else 0
        rule = clause.to_kif() if clause else ""
        one = self.sheet.source.diagnostic(severity, code, offset, message, remedy, rule, play)
        if one not in self._seen:
            self._seen.add(one)
            self.found.append(one)


def nearest(word: str, words: Iterable[str]) -> str:
    """The question after the word most like this one, empty where none is.

    >>> nearest("cel", ["cell", "control"])
    'did you mean cell?'
    >>> nearest("mark", ["cell", "control"])
    ''
    """
    if word.isdecimal():
        return ""
    found = difflib.get_close_matches(word, sorted(set(words) - {word}), n=1)
    return f"did you mean {found[0]}?" if found else ""


def is_slip_of(word: str, other: str) -> bool:
    """Whether two words differ as a slip of the finger makes them: by one letter, or two swapped.

    Names that differ in a digit, in the last letter of a short name or in length alone by an
    ending are different things (``row1`` and ``row2``, ``up`` and ``us``).

    >>> is_slip_of("contorl", "control"), is_slip_of("oplyer", "oplayer")
    (True, True)
    >>> is_slip_of("row1", "row2"), is_slip_of("xplayer", "oplayer"), is_slip_of("step", "steps")
    (False, False, False)
    """
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) < 4 or len(longer) - len(shorter) > 1 or word == other:
        return False
    front = 0
    while front < len(shorter) and shorter[front] == longer[front]:
        front += 1
    back = 0
    while back < len(shorter) - front and shorter[-1 - back] == longer[-1 - back]:
        back += 1
    left, right = shorter[front : len(shorter) - back], longer[front : len(longer) - back]
    if not all(sign.isalpha() for sign in left + right) or front == 0:
        return False
    if len(left) == len(right) == 2:
        return left == right[::-1]
    return back > 0 and len(left) <= 1 and len(right) <= 1
