"""Shelves: rows of small things beside the board, such as dice and cards.

>>> shelf = Shelf("rolled", (Row("white", (("", Thing("5")), ("", Thing("3")))),))
>>> shelf.lines()
['rolled white  [5] [3]']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from woodstock.drawing.coordinates import number_of, read_coordinate
from woodstock.drawing.letters import centre, clean, pad, width_of
from woodstock.drawing.relations import Relation
from woodstock.drawing.shapes import FAINT, label
from woodstock.drawing.terms import kif

_COLUMNS = 96  # characters before a row is wrapped
_LENGTH = 640.0  # and pixels before things overlap
_GAP = 8.0
MOST = 60  # things in a row: a broken count must not eat the memory


@dataclass(frozen=True)
class Thing:
    """Something on a shelf; dice and cards say how they look."""

    name: str

    width = 36.0
    height = 36.0

    @property
    def text(self) -> str:
        """The thing in a few characters."""
        return f"[{clean(self.name)}]"

    def svg(self, x: float, y: float) -> str:
        """The thing with its upper left corner at x and y."""
        return label(x + self.width / 2, y + self.height / 2, clean(self.name), 14)


@dataclass(frozen=True)
class Row:
    """Things side by side. The row may have a label, or each thing one of its own."""

    label: str
    things: tuple[tuple[str, Thing], ...]


@dataclass(frozen=True)
class Shelf:
    """Rows of things under one title; ``note`` explains marks."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""

    def lines(self) -> list[str]:
        """The shelf as text, wrapped where it is long."""
        heads, widest = headings(self.title, (row.label for row in self.rows))
        margin = widest + 2
        out = []
        for head, row in zip(heads, self.rows):
            for things in _wrapped(row.things, _COLUMNS - margin):
                widths = [max(width_of(t.text), width_of(clean(name))) for name, t in things]
                shown = " ".join(centre(t.text, w) for (_, t), w in zip(things, widths))
                out.append((pad(head, margin) + shown).rstrip())
                names = " ".join(centre(clean(n), w) for (n, _), w in zip(things, widths))
                if names.strip():
                    out.append((" " * margin + names).rstrip())
                head = ""
        return [*out, *([clean(self.note)] if self.note else [])]

    def svg(self, x: float, y: float) -> tuple[str, float, float]:
        """The shelf as SVG, its right and its lower end."""
        heads, widest = headings(self.title, (row.label for row in self.rows))
        start = x + 16 + 8.4 * widest
        right, parts = start, []
        for head, row in zip(heads, self.rows):
            y += 10
            tall = max((thing.height for _, thing in row.things), default=0.0)
            parts.append(label(x, y + tall / 2 + 5, head, 14, anchor="start"))
            step = max((thing.width for _, thing in row.things), default=0.0) + _GAP
            step = min(step, _LENGTH / max(1, len(row.things) - 1))
            named = any(name for name, _ in row.things)
            for k, (name, thing) in enumerate(row.things):
                left = start + k * step
                parts.append(thing.svg(left, y))
                if name:
                    parts.append(label(left + thing.width / 2, y + tall + 15, clean(name), 12))
                right = max(right, left + thing.width + _GAP)
            y += tall + (18 if named else 0)
        if self.note:
            y += 18
            parts.append(label(start, y, clean(self.note), 12, anchor="start", fill=FAINT))
        return "".join(parts), right, y


def make_shelf(title: str, things: Iterable[tuple[str, Thing]], note: str = "") -> Shelf:
    """Labelled things in rows: one row a label, or all in one row where each has its own.

    >>> [row.label for row in make_shelf("hand", [("a", Thing("1")), ("a", Thing("2"))]).rows]
    ['a']
    >>> [row.label for row in make_shelf("die", [("a", Thing("1")), ("b", Thing("2"))]).rows]
    ['']
    """
    by_label: dict[str, list[Thing]] = {}
    for name, thing in things:
        by_label.setdefault(name, []).append(thing)
    names = sorted(by_label, key=in_order)
    if len(names) > 1 and all(len(group) == 1 for group in by_label.values()):
        return Shelf(title, (Row("", tuple((n, by_label[n][0]) for n in names[:MOST])),), note)
    rows = (Row(name, tuple(("", t) for t in by_label[name][:MOST])) for name in names)
    return Shelf(title, tuple(rows), note)


def headings(title: str, labels: Iterable[str]) -> tuple[list[str], int]:
    """What stands in front of rows with these labels, and the width of the widest.

    >>> headings("hand", ["alice", ""])
    (['hand alice', 'hand'], 10)
    """
    heads = [clean(f"{title} {name}".strip()) for name in labels]
    return heads, max(map(width_of, heads), default=0)


def hinted(
    relations: Iterable[Relation], letters: Mapping[str, str]
) -> Iterator[tuple[Relation, str]]:
    """The relations a hint names, with its letters, one for each argument.

    >>> die = Relation("die", 2)
    >>> [args for _, args in hinted([die, Relation("heap", 2)], {"die": "kd"})]
    ['kd']
    """
    for relation in relations:
        args = letters.get(relation.functor.lower(), "")
        if args and len(args) == relation.arity:
            yield relation, args


@dataclass(frozen=True)
class Reading:
    """What the letters of a hint say about one fluent."""

    letters: tuple[tuple[str, object], ...]

    def all(self, letter: str) -> list[object]:
        """The arguments with one letter."""
        return [item for key, item in self.letters if key == letter]

    @property
    def label(self) -> str:
        """The arguments that label the row."""
        return " ".join(kif(item) for item in self.all("k"))

    @property
    def count(self) -> int:
        """How many there are."""
        counts = self.all("n")
        return number_of(counts[0]) if counts else 1


def readings(relation: Relation, args: str, *, domain: bool = False) -> list[Reading]:
    """The fluents of a relation as a hint reads them.

    >>> readings(Relation("die", 2, [("white", "5")]), "kd")[0].label
    'white'
    """
    rows = relation.rows if domain else relation.state
    return [Reading(tuple(zip(args, row))) for row in dict.fromkeys(rows)]


def in_order(name: str) -> tuple[str, int, str]:
    """Sorts numbers by size within their family and the rest by spelling.

    >>> sorted(["p10", "p9", "alice"], key=in_order)
    ['alice', 'p9', 'p10']
    """
    family, number = read_coordinate(name) or (name.lower(), 0)
    return family, number, name


def _wrapped(things: tuple[tuple[str, Thing], ...], room: int) -> list[list[tuple[str, Thing]]]:
    lines: list[list[tuple[str, Thing]]] = [[]]
    used = 0
    for name, thing in things:
        width = max(width_of(thing.text), width_of(name)) + 1
        if lines[-1] and used + width > room:
            lines.append([])
            used = 0
        lines[-1].append((name, thing))
        used += width
    return lines
