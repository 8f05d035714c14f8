"""How the moves of a game read: their words in short, kind by kind, for somebody new to it.

>>> moves = [f"(mark {x} {y})" for x in "123" for y in "123"] + ["noop"]
>>> for shape in move_shapes(moves):
...     print(shape.pattern, shape.count, shape.example)
mark 1-3 1-3 9 (mark 2 2)
noop 1 noop
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.gdl.terms import Term

__all__ = ["MoveShape", "move_shapes"]

_NAMED = 3
"""Words that are named before the rest is an ellipsis."""


@dataclass(frozen=True)
class MoveShape:
    """Moves of one kind: first word and number of words are the same.

    `pattern` has for each word what it may be, `example` is one of the `count` moves.
    """

    pattern: str
    count: int
    example: Term


def move_shapes(moves: Iterable[Term]) -> list[MoveShape]:
    """The kinds of some moves, in the order in which they are met first."""
    kinds: dict[tuple[str, int], dict[tuple[str, ...], Term]] = {}
    for move in moves:
        words = tuple(str(move).replace("(", " ").replace(")", " ").split())
        if words:
            kinds.setdefault((words[0], len(words)), {})[words] = move
    found = []
    for alike in kinds.values():
        columns = zip(*alike)
        pattern = " ".join(_values(dict.fromkeys(column)) for column in columns)
        # One from the middle is mostly less odd than the first.
        found.append(MoveShape(pattern, len(alike), [*alike.values()][len(alike) // 2]))
    return found


def _values(words: Iterable[str]) -> str:
    """What a word may be.

    >>> _values(["1", "3", "2", "10"]), _values("hgf"), _values(["north", "east"])
    ('1-10', 'f-h', 'north|east')
    """
    found = list(words)
    if all(word.lstrip("-").isdecimal() for word in found):
        found.sort(key=int)
    if len(found) > 2 and all(word.lstrip("-").isdecimal() for word in found):
        return f"{min(found, key=int)}-{max(found, key=int)}"
    if len(found) > 2 and all(len(word) == 1 and word.isalpha() for word in found):
        return f"{min(found)}-{max(found)}"
    more = len(found) - _NAMED
    return "|".join(found[:_NAMED] + (["..."] if more > 0 else []))
