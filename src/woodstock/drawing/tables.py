"""Tables: values by rows and columns, such as a score sheet.

>>> hints = Hints.read({"tables": {"score": "rcv"}})
>>> sheet = [Relation("score", 3, [("ones", "alice", "3"), ("twos", "bob", "8")])]
>>> for line in find_tables(sheet, hints)[0].lines():
...     print(line)
score │ alice │ bob
──────┼───────┼─────
ones  │     3 │
twos  │       │   8
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from woodstock.drawing.hints import Hints
from woodstock.drawing.letters import centre, clean, pad, width_of
from woodstock.drawing.relations import Relation
from woodstock.drawing.shapes import INK, PAPER, label, num
from woodstock.drawing.shelves import Reading, in_order, readings
from woodstock.drawing.terms import kif

__all__ = ["ScoreTable", "find_tables"]

_LINE = 24.0
_MOST = 100  # rows and columns
_PLACES = {"unit": 0, "one": 0, "ten": 1, "hundred": 2, "thousand": 3}  # of a digit in a number
_NUMBERS = ["zero", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights"]


@dataclass(frozen=True)
class ScoreTable:
    """A table: its values by row and column, both in order."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Mapping[tuple[str, str], str]

    def lines(self) -> list[str]:
        """The table as text."""
        first = max(map(width_of, (self.title, *self.rows)))
        widths = [max(map(width_of, self._column(name))) for name in self.columns]
        heads = [centre(name, width) for name, width in zip(self.columns, widths)]
        out = [" │ ".join([pad(self.title, first), *heads]).rstrip()]
        out.append("─┼─".join("─" * width for width in (first, *widths)) + "─")
        for row in self.rows:
            cells = [self.values.get((row, column), "") for column in self.columns]
            shown = [" " * (w - width_of(cell)) + cell for cell, w in zip(cells, widths)]
            out.append(" │ ".join([pad(row, first), *shown]).rstrip())
        return out

    def svg(self, x: float, y: float) -> tuple[str, float, float]:
        """The table as a sheet of paper, its right and its lower end."""
        y += 10
        first = 20 + 7.8 * max(map(width_of, (self.title, *self.rows)))
        widths = [20 + 7.8 * max(map(width_of, self._column(name))) for name in self.columns]
        wide, tall = first + sum(widths), _LINE * (len(self.rows) + 1)
        parts = [_box(x, y, wide, tall, PAPER), _box(x, y, wide, _LINE, "#e9dcc3")]
        lines = "".join(
            f"M{num(x)} {num(y + _LINE * k)}h{num(wide)}" for k in range(1, len(self.rows))
        )
        left = x + first
        for name, width in zip(self.columns, widths):
            lines += f"M{num(left)} {num(y)}v{num(tall)}"
            parts.append(label(left + width / 2, y + 17, name, 13))
            for k, row in enumerate(self.rows):
                value = self.values.get((row, name), "")
                at = y + _LINE * (k + 1) + 17
                parts.append(label(left + width - 10, at, value, 14, anchor="end"))
            left += width
        parts.append(label(x + 10, y + 17, self.title, 13, anchor="start"))
        for k, row in enumerate(self.rows):
            parts.append(label(x + 10, y + _LINE * (k + 1) + 17, row, 13, anchor="start"))
        parts.append(f'<path d="{lines}" stroke="{INK}" stroke-opacity="0.25" fill="none"/>')
        return "".join(parts), x + wide, y + tall

    def _column(self, name: str) -> list[str]:
        return [name, *(self.values.get((row, name), "") for row in self.rows)]


def _box(x: float, y: float, width: float, height: float, fill: str) -> str:
    size = f'width="{num(width)}" height="{num(height)}" rx="3"'
    style = f'fill="{fill}" stroke="{INK}" stroke-opacity="0.5"'
    return f'<rect x="{num(x)}" y="{num(y)}" {size} {style}/>'


def find_tables(relations: Iterable[Relation], hints: Hints) -> list[ScoreTable]:
    """A table for each functor the hints call so; the domain gives its empty rows.

    One without rows of its own is a further row of the table before it, if it has its columns.

    Numbers may be written digit by digit:

    >>> hints = Hints.read({"tables": {"total": "cuv"}})
    >>> digits = [("bob", "tens", "4"), ("bob", "units", "2")]
    >>> find_tables([Relation("total", 3, digits)], hints)[0].values
    {('total', 'bob'): '42'}
    """
    tables: list[ScoreTable] = []
    for relation in relations:
        hint = hints.tables.get(relation.functor.lower())
        if hint is None or len(hint.args) != relation.arity or not relation.rows:
            continue
        title = clean(hints.label(relation.functor))
        alone = "value" if "v" in hint.args else title
        known = readings(relation, hint.args, domain=True)
        values: dict[tuple[str, str], str] = {}
        digits: dict[tuple[str, str], int] = {}
        for reading in readings(relation, hint.args):
            at = _words(reading, "r", title), _words(reading, "c", alone)
            value = _words(reading, "v", "✓")
            place = _PLACES.get(_words(reading, "u", "").lower().removesuffix("s"))
            if place is not None and value.isdecimal():
                digits[at] = digits.get(at, 0) + int(value) * 10**place
                value = str(digits[at])
            elif at in values:
                value = f"{values[at]}/{value}"
            values[at] = value
        rows = _ordered((_words(r, "r", title) for r in known), hint.rows)
        columns = _ordered((_words(r, "c", alone) for r in known), hint.columns)
        table = ScoreTable(title if "r" in hint.args else "", rows[:_MOST], columns[:_MOST], values)
        last = tables[-1] if tables else None
        if last and not table.title and set(columns) <= set(last.columns):
            tables[-1] = replace(last, rows=last.rows + rows, values={**last.values, **values})
        else:
            tables.append(table)
    return tables


def _words(reading: Reading, letter: str, default: str) -> str:
    found = [clean(kif(item)) for item in reading.all(letter)]
    return " ".join(found) if found else default


def _ordered(names: Iterable[str], given: tuple[str, ...]) -> tuple[str, ...]:
    """The hinted order first, then numbers by size and words by spelling."""
    rank = {name.lower(): k for k, name in enumerate(given)}

    def key(name: str) -> tuple[int, int, tuple[str, int, str]]:
        lower = name.lower()
        counted = _NUMBERS.index(lower) if lower in _NUMBERS else len(_NUMBERS)
        return rank.get(lower, len(rank)), counted, in_order(name)

    return tuple(sorted(set(names), key=key))
