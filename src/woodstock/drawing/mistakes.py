"""Mistakes in hints for drawing: what nobody would understand, told to the author.

Pictures are drawn all the same: `Hints.read` leaves out what makes no sense. This is for people who
write hints for a game of their own and wonder why nothing changes.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import NamedTuple

from woodstock.drawing.hints import SHAPES, Hints

__all__ = ["HintMistake", "hint_mistakes"]

_MEANT = {
    "cell": 'write a functor, or a list of them: cell = "cell"',
    "args": 'write a letter for each argument, x and y or p among them: args = "xyc"',
    "layout": 'write rows of names: layout = ["3 . 4", "2 1 0"]',
    "floor": 'write a functor, or a list of them: floor = "painted"',
    "background": 'write rows, one sign a cell: background = ["####", "#.*#"]',
    "dice": 'write letters for functors, of d, n, k and -: dice = { rolled = "kd" }',
    "cards": 'write letters for functors, of c, r, s, k, n and -: cards = { hand = "kc" }',
    "bars": 'write letters for functors, of k, c, n and -: bars = { fruit = "kn" }',
    "tables": 'write letters for functors, of r, c, u, v and -: tables = { score = "rcv" }',
    "columns": "write a number up to 64, or a list of labels: columns = 8",
    "rows": "write a number up to 64, or a list of labels: rows = 8",
    "flip": "write true or false",
    "shape": f"write {' or '.join(repr(shape) for shape in SHAPES)}",
    "blocks": "write a number, or two: blocks = [3, 2]",
    "checkered": "write true or false",
    "panels_per_row": "write a number: panels_per_row = 2",
    "blank": 'write a content, or a list of them: blank = ["b"]',
    "hide": 'write a functor, or a list of them: hide = ["step"]',
    "symbols": 'write texts for contents: symbols = { wm = "o" }',
    "colors": 'write colours for contents: colors = { red = "#d9483b" }',
    "labels": 'write words for functors: labels = { control = "to move" }',
}
"""All hints there are, with what an author may have meant."""


class HintMistake(NamedTuple):
    """A hint that has no effect, and what to do about it."""

    key: str
    message: str


def hint_mistakes(table: Mapping[str, object]) -> list[HintMistake]:
    """What is wrong in a table of hints, in its order.

    >>> for mistake in hint_mistakes({"shape": "hex", "colums": 8, "flip": "up"}):
    ...     print(mistake.message)
    there is no hint 'colums'; did you mean 'columns'?
    'flip' cannot be 'up'; write true or false
    >>> hint_mistakes({"bars": {"fruit": "kx"}})[0].key
    'bars'
    """
    found = []
    for key, value in table.items():
        if key not in _MEANT:
            near = difflib.get_close_matches(key.lower(), _MEANT, n=1)
            known = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_MEANT)}"
            found.append(HintMistake(key, f"there is no hint {key!r}; {known}"))
            continue
        read = Hints.read({key: value})
        inner = getattr(read, "args_of" if key == "args" else key)
        if isinstance(value, Mapping) and isinstance(inner, Mapping):
            for name, item in value.items():
                if str(name).lower() not in inner:
                    what = f"{key!r} cannot have {_short(item)} for {str(name)!r}"
                    found.append(HintMistake(key, f"{what}; {_MEANT[key]}"))
        elif read == Hints() and value not in ("square", []):
            found.append(HintMistake(key, f"{key!r} cannot be {_short(value)}; {_MEANT[key]}"))
    return found


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
