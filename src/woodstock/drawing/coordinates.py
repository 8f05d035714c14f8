"""Coordinates: which constants of a rulesheet count along the side of a board.

Rulesheets number rows and columns in many ways: ``1 2 3``, ``a b c``, ``c1 c2 c3``, ``x1 x2``,
or both at once in one constant, ``a1 b7``. An `Axis` is such a family of constants in order.

>>> Axis.of(["1", "2", "4"]).labels
('1', '2', '3', '4')
>>> Axis.of(["b", "o", "x"]) is None          # letters, but far apart: marks, not places
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock.drawing.hints import MAX_SIDE

_NUMBERED = re.compile(r"([a-z]{0,3}|row|col|column|file|rank)[_-]?(\d{1,3})", re.IGNORECASE)
_SQUARE = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)

# Fewer names like p0 n1 are more likely signed numbers or the like.
_FEWEST_SQUARES = 5


@dataclass(frozen=True)
class Axis:
    """One side of a board: its family of constants and their labels in counting order.

    >>> Axis.of(["c1", "c3"]).position("c2")
    1
    """

    family: str
    labels: tuple[str, ...]
    _positions: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        positions = {label.lower(): index for index, label in enumerate(self.labels)}
        object.__setattr__(self, "_positions", positions)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def numeric(self) -> bool:
        """Plain numbers, without a letter in front."""
        return self.family == "#"

    def position(self, label: object) -> int | None:
        """Where a constant stands on this axis; None when it is not of it."""
        return self._positions.get(label.lower()) if isinstance(label, str) else None

    @classmethod
    def of(cls, values: Iterable[object]) -> Axis | None:
        """The axis these values lie on, gaps filled, or None when they do not count anything."""
        spelled: dict[int, str] = {}
        family = ""
        for value in values:
            read = read_coordinate(value)
            if read is None or (family and read[0] != family):
                return None
            family = read[0]
            spelled.setdefault(read[1], str(value))
        if not spelled:
            return None
        low, high = min(spelled), max(spelled)
        span = high - low + 1
        if span > MAX_SIDE or not _dense(family, len(spelled), span):
            return None
        # A board that shows 2..8 of its rows nearly always has a first row, too.
        if family != "a" and low == 2 and span > 2:
            low = 1
        labels = (spelled.get(i) or spell(family, i) for i in range(low, high + 1))
        return cls(family, tuple(labels))

    @classmethod
    def named(cls, labels: Iterable[str]) -> Axis:
        """An axis of any constants in the given order (a hint said so)."""
        return cls("named", tuple(dict.fromkeys(labels)))


def _dense(family: str, seen: int, span: int) -> bool:
    if family == "a":  # single letters are more often marks (b, o, x) than places
        return seen >= 2 and seen * 2 >= span
    return seen * 4 >= span


def read_coordinate(value: object) -> tuple[str, int] | None:
    """Family and number of a constant, None when it has none.

    >>> read_coordinate("c"), read_coordinate("12"), read_coordinate("x3")
    (('a', 2), ('#', 12), ('x#', 3))
    """
    if not isinstance(value, str):
        return None
    if len(value) == 1 and value.isascii() and value.isalpha():
        return "a", ord(value.lower()) - ord("a")
    match = _NUMBERED.fullmatch(value)
    if match is None or not match[2].isascii():
        return None
    return match[1].lower() + "#", int(match[2])


def number_of(value: object, default: int = 1) -> int:
    """The number a constant counts to, or the default where it counts nothing.

    >>> number_of("12"), number_of("n3"), number_of("many")
    (12, 3, 1)
    """
    read = read_coordinate(value)
    return read[1] if read and read[0] != "a" else default


def spell(family: str, index: int) -> str:
    """The usual spelling of a place nobody has named yet."""
    return chr(ord("a") + index) if family == "a" else f"{family[:-1]}{index}"


def split_square(value: object) -> tuple[str, str] | None:
    """Letter and number of a square named by one constant, as in chess notation.

    >>> split_square("e4"), split_square("e")
    (('e', '4'), None)
    """
    match = _SQUARE.fullmatch(value) if isinstance(value, str) else None
    return (match[1], match[2]) if match and match[2].isascii() else None


def are_squares(values: Iterable[object]) -> bool:
    """Whether all values name squares of a board with several letters and numbers.

    One letter only (``p1 p2 p3``) is a numbered family, not a set of squares.
    """
    parts = [split_square(value) for value in values]
    pairs = [part for part in parts if part is not None]
    if not pairs or len(pairs) < len(parts):
        return False
    letters = {letter.lower() for letter, _ in pairs}
    numbers = {number for _, number in pairs}
    if len(letters) < 2 or len(numbers) < 2 or len(set(pairs)) < _FEWEST_SQUARES:
        return False
    return Axis.of(letters) is not None and Axis.of(numbers) is not None
