"""Places with names of their own, drawn where the ``layout`` hint spells them.

Points of a backgammon board, pits, tracks and stars have no columns and rows. The hint is a sketch:
rows of names, with dots where there is no place. Between hexagons a dot is half a place wide. A
name that stands on several spots side by side is one large place.

>>> hints = Hints.read({"layout": ["4 5 .", "3 2 1"], "args": "pcn"})
>>> discs = Relation("on", 3, [("4", "white", "2"), ("1", "black", "1")])
>>> panel = find_places([discs], hints).panel
>>> panel.cells[0, 0].contents, panel.cells[0, 0].counts, panel.place(0, 0)
(('white',), (2,), '4')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.coordinates import number_of
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import BLANKS
from woodstock.drawing.relations import Relation, Row
from woodstock.drawing.terms import kif, words_of

Spot = tuple[int, int]


@dataclass
class Places:
    """A board of named places, and what was used for it.

    ``args`` has the letters of each relation that was used. ``contents`` are all contents of state
    and domain, ``counted`` those that only say how many there are.
    """

    panel: Panel
    used: list[Relation] = field(default_factory=list)
    args: list[str] = field(default_factory=list)
    contents: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)


def find_places(relations: Iterable[Relation], hints: Hints) -> Places | None:
    """The board a layout spells, with what stands on it; None without a layout."""
    if not hints.layout:
        return None
    spots = _spots(hints)
    where: dict[str, Spot] = {}
    for spot, name in spots.items():
        where.setdefault(name.lower(), spot)
    pieces: dict[Spot, list[tuple[str, int]]] = {}
    floors: dict[Spot, str] = {}
    found = Places(_panel(spots, {}, {}, hints))
    words: dict[str, tuple[str, ...]] = {}
    for relation in relations:
        args = _args(relation, where, hints)
        if args is None:
            continue
        found.used.append(relation)
        found.args.append(args)
        for row in relation.rows:
            words.setdefault(_name(relation, row, args), _words(relation, row, args))
            found.contents.add(_content(relation, row, args))
            if "c" not in args and "n" in args:
                found.counted.add(relation.functor)
        for row in relation.state:
            at = where.get(_name(relation, row, args))
            content = _content(relation, row, args)
            if at is None or _is_blank(content, hints):
                continue
            if relation.functor.lower() in hints.floor:
                floors[at] = content
            else:
                pieces.setdefault(at, []).append((content, _count(row, args)))
    found.contents = {content for content in found.contents if not _is_blank(content, hints)}
    panel = _panel(spots, pieces, floors, hints)
    named = {at: words.get(name.lower(), (name,)) for at, name in spots.items()}
    order = tuple(range(max(map(len, named.values()))))
    found.panel = replace(panel, words=named, order=order)
    return found


def _panel(
    spots: dict[Spot, str],
    pieces: dict[Spot, list[tuple[str, int]]],
    floors: dict[Spot, str],
    hints: Hints,
) -> Panel:
    cells = {at: Cell.of(pieces.get(at, ()), floors.get(at, "")) for at in spots}
    columns = max(column for column, _ in spots) + 1
    empty = ("",) * columns, ("",) * len(hints.layout)
    return Panel("", *empty, cells, hints.shape, hints.blocks, names=spots)


def _spots(hints: Hints) -> dict[Spot, str]:
    """Where each name stands: hexagons are two half places wide, dots between them one."""
    spots: dict[Spot, str] = {}
    wide = 2 if hints.shape == "hex" else 1
    for j, words in enumerate(hints.layout):
        i = 0
        for word in words:
            if word != ".":
                spots[i, j] = word
            i += 1 if word == "." else wide
    return spots


def _args(relation: Relation, where: dict[str, Spot], hints: Hints) -> str | None:
    """The letters for a relation: as hinted, or guessed from the names it speaks of."""
    functor = relation.functor.lower()
    wanted = {name.lower() for name in hints.cell}
    if wanted and functor not in wanted:
        return None
    args = hints.args_of.get(functor)
    if args is not None and len(args) == relation.arity and ("p" in args or functor in where):
        return args
    if "p" in hints.args and len(hints.args) == relation.arity:
        return hints.args
    for i in range(relation.arity):
        names = {kif(value).lower() for value in relation.column(i)}
        if names and names <= where.keys() and (wanted or len(names) > 1):
            return "".join("p" if i == k else "c" for k in range(relation.arity))
    return None


def _words(relation: Relation, row: Row, args: str) -> tuple[str, ...]:
    named = [kif(item) for item, letter in zip(row, args, strict=True) if letter == "p"]
    return tuple(named) or (relation.functor,)


def _name(relation: Relation, row: Row, args: str) -> str:
    return "-".join(_words(relation, row, args)).lower()


def _content(relation: Relation, row: Row, args: str) -> str:
    kept = tuple(item for item, letter in zip(row, args, strict=True) if letter == "c")
    return words_of(kept) or relation.functor


def _count(row: Row, args: str) -> int:
    at = args.find("n")
    return 1 if at < 0 else number_of(row[at])


def _is_blank(content: str, hints: Hints) -> bool:
    blanks = BLANKS - {"b", "e", "f"} if hints.blank is None else hints.blank
    return content.lower() in blanks
