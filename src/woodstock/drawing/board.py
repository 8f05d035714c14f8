"""Board: the picture of a state before it is text or SVG.

`Board.find` reads any set of fluents of any game and decides what is drawn: panels (grids of
cells, mostly one) and facts (short lines below them). It never raises on ground terms.

>>> board = Board.find([("cell", "1", "1", "x"), ("cell", "2", "2", "o"), ("cell", "1", "2", "b"),
...                     ("cell", "2", "1", "b"), ("control", "xplayer")])
>>> panel = board.panels[0]
>>> panel.columns, panel.rows, panel.cells[0, 0].contents
(('1', '2'), ('1', '2'), ('x',))
>>> board.facts[0].name, board.facts[0].values
('control', ('xplayer',))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from woodstock.drawing.bars import find_bars
from woodstock.drawing.cards import find_cards
from woodstock.drawing.cells import Panel
from woodstock.drawing.colors import SIDES
from woodstock.drawing.dice import find_dice
from woodstock.drawing.edges import find_lines, find_walls, line_span
from woodstock.drawing.facts import Fact, find_facts
from woodstock.drawing.grids import Group, find_grids, group_grids, shadow_of_boxes, shadow_of_walls
from woodstock.drawing.grounds import add_ground, sized
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import Look, assign_looks, side_of
from woodstock.drawing.panels import (
    add_edges,
    blanks_of,
    build_panels,
    empty_panel,
    line_panel,
    with_crossings,
)
from woodstock.drawing.places import Places, find_places
from woodstock.drawing.readings import PlaceReading, read_group, read_lines, read_places
from woodstock.drawing.relations import Relation, relations_of
from woodstock.drawing.tables import find_tables
from woodstock.drawing.terms import HasFluents, kif

__all__ = ["Board", "Prop", "board_of"]

_CONTAINERS = {"pit", "box", "chest", "tree"}  # icons that are no seeds themselves


class Prop(Protocol):
    """Something beside the board: dice, cards, a table, bars."""

    def lines(self) -> list[str]:
        """As text."""

    def svg(self, x: float, y: float) -> tuple[str, float, float]:
        """As SVG from a corner, with its right and its lower end."""


@dataclass(frozen=True)
class Board:
    """Everything a picture of one state shows.

    ``looks`` has the look of each content, in the order of the legend; ``props`` are dice, cards,
    bars and tables; ``readings`` tell of fluents where they are drawn.
    """

    panels: tuple[Panel, ...]
    facts: tuple[Fact, ...]
    looks: Mapping[str, Look] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)
    props: tuple[Prop, ...] = ()
    readings: tuple[PlaceReading, ...] = ()

    @classmethod
    def find(
        cls,
        fluents: Iterable[object],
        domain: Iterable[object] | None = None,
        hints: Mapping[str, object] | None = None,
    ) -> Board:
        """Find the boards in a set of fluents.

        ``domain`` holds all fluents that may ever hold (the base facts of the game); with it a
        board has its full size even while it is empty. Costs one sorting of both sets.
        """
        known = sized(Hints.read(hints))
        relations = relations_of(fluents, domain or ())
        relations = [r for r in relations if r.functor.lower() not in known.hide]
        props, relations = _props(relations, known)
        places = find_places(relations, known)
        loose = [r for r in relations if not places or r not in places.used]
        grids, rest = find_grids([r for r in loose if not _is_edge(r)], known)
        shadows = [shadow_of_walls(relation) for relation in loose if find_walls(relation)]
        shadows += [shadow_of_boxes(relation) for relation in loose]
        groups, no_boards = group_grids(grids + [grid for grid in shadows if grid], known)
        rest += [grid.source or grid.relation for grid in no_boards]
        panels = [places.panel] if places else []
        readings = read_places(places) if places else []
        for group in groups:
            built = build_panels(group, known)
            readings += read_group(group, range(len(panels), len(panels) + len(built)))
            panels += built
        if not panels:
            panels = _panels_without_cells(loose, known)
        panels = [add_ground(panel, known) for panel in panels]
        panels, unused = _with_edges(panels, [r for r in loose if _is_edge(r)])
        for relation in loose:
            readings += _with_crossings(panels, relation)
        rest = sorted(rest + unused, key=lambda r: (r.functor, r.arity))
        looks = _looks(groups, places, relations, known)
        facts = find_facts(rest, known)
        return cls(tuple(panels), tuple(facts), looks, known, tuple(props), tuple(readings))

    @property
    def is_quartered(self) -> bool:
        """Whether its panels are four small quarters, which make a square."""
        return len(self.panels) == 4 and len(self.panels[0].columns) <= 3

    def legend(self) -> list[tuple[str, Look]]:
        """The contents in sight whose look does not explain itself, with their looks.

        >>> [(name, look.symbol) for name, look in Board.find(
        ...     [("at", "1", "1", "robot"), ("at", "2", "2", "exit"), ("at", "1", "2", "exit")]
        ... ).legend()]
        [('exit', '∩'), ('robot', 'r')]
        """
        seen = {name for panel in self.panels for name in panel.contents()}
        seen |= {cell.floor for panel in self.panels for cell in panel.cells.values() if cell.floor}
        entries: dict[str, list[str]] = {}
        for name in sorted(seen):
            symbol = self.looks[name].symbol
            if symbol != name.replace(" ", ""):
                entries.setdefault(symbol, []).append(name)
        return [(" ".join(names), self.looks[names[0]]) for names in entries.values()]


def board_of(
    state: object,
    hints: Mapping[str, object] | None,
    domain: Iterable[object] | None,
) -> Board:
    """The board of a state or of plain fluents; a board is its own.

    >>> board_of(["over"], None, None).facts[0].name
    'over'
    """
    if isinstance(state, Board):
        return state
    if isinstance(state, HasFluents):
        return Board.find(state.fluents, domain, hints)
    if isinstance(state, (str, tuple)) or not isinstance(state, Iterable):
        return Board.find([state], domain, hints)
    return Board.find(state, domain, hints)


def _props(relations: list[Relation], hints: Hints) -> tuple[list[Prop], list[Relation]]:
    """Dice, cards, bars and tables as the hints name them, and the relations that are none."""

    def named(names: Iterable[str]) -> list[Relation]:
        rank = {name: k for k, name in enumerate(names)}
        return sorted(relations, key=lambda r: rank.get(r.functor.lower(), len(rank)))

    props: list[Prop] = [*find_dice(named(hints.dice), hints)]
    props += find_cards(named(hints.cards), hints)
    props += find_bars(named(hints.bars), hints)
    props += find_tables(named(hints.tables), hints)
    args: dict[str, str] = {**hints.dice, **hints.cards, **hints.bars}
    args |= {name: table.args for name, table in hints.tables.items()}
    return props, [r for r in relations if len(args.get(r.functor.lower(), "-" * 99)) != r.arity]


def _is_edge(relation: Relation) -> bool:
    return bool(find_walls(relation) or find_lines(relation))


def _panels_without_cells(relations: list[Relation], hints: Hints) -> list[Panel]:
    for relation in relations:
        span = line_span(relation)
        if span:
            return [line_panel(*span, hints)]
    panel = empty_panel(hints)
    return [panel] if panel else []


def _with_edges(
    panels: list[Panel], relations: list[Relation]
) -> tuple[list[Panel], list[Relation]]:
    """Draw walls and lines on the first panel they fit; give back those that fit none."""
    unused = []
    for relation in relations:
        walls, lines = find_walls(relation) or [], find_lines(relation) or []
        for index, panel in enumerate(panels):
            drawn = add_edges(panel, walls, lines)
            if drawn is not None:
                panels[index] = drawn
                break
        else:
            unused.append(relation)
    return panels, unused


def _with_crossings(panels: list[Panel], relation: Relation) -> list[PlaceReading]:
    """Let the first panel know of the lines between its dots that may be drawn."""
    if not panels or line_span(relation) is None:
        return []
    panels[0] = with_crossings(panels[0], relation.rows)
    return [read_lines(relation, 0)]


def _looks(
    groups: list[Group], places: Places | None, relations: list[Relation], hints: Hints
) -> dict[str, Look]:
    contents: set[str] = set(places.contents) if places else set()
    counted: set[str] = set(places.counted) if places else set()
    for group in groups:
        # What is blank on one board may be a piece on another.
        here = set().union(*(grid.contents() for grid in group.grids))
        contents |= here - blanks_of(group, hints)
        counted |= {g.relation.functor for g in group.grids if g.marker and g.layout.count}
    # Who is to move tells which sides there are before all of them have pieces on the board.
    sides = set()
    for relation in relations:
        if relation.arity == 1 and len(relation.rows) <= 8:
            sides |= {side_of(kif(row[0])) for row in relation.rows}
    looks = assign_looks(
        contents,
        sides=[side for side in sides if side],
        symbols=hints.symbols,
        colors=hints.colors,
    )
    for name in counted & looks.keys():
        thing = looks[name].form == "icon" and name.lower() not in _CONTAINERS
        if not thing and looks[name].side is None and name.lower() not in hints.symbols:
            fill = hints.colors.get(name.lower(), SIDES["brown"])
            looks[name] = Look("", "tokens", fill)  # so many of something that has no look
    return looks
