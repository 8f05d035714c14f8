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

from woodstock.drawing.edges import find_lines, find_walls, line_span
from woodstock.drawing.facts import Fact, find_facts
from woodstock.drawing.grids import Group, find_grids, group_grids, shadow_of_boxes, shadow_of_walls
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import Look, assign_looks, side_of
from woodstock.drawing.panels import (
    Cell,
    Panel,
    add_edges,
    blanks_of,
    build_panels,
    empty_panel,
    line_panel,
)
from woodstock.drawing.relations import Relation, relations_of
from woodstock.drawing.terms import HasFluents, kif

__all__ = ["Board", "Cell", "Fact", "Panel"]


@dataclass(frozen=True)
class Board:
    """Everything a picture of one state shows.

    ``looks`` has the look of each content, in the order of the legend.
    """

    panels: tuple[Panel, ...]
    facts: tuple[Fact, ...]
    looks: Mapping[str, Look] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)

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
        known = Hints.read(hints)
        relations = relations_of(fluents, domain or ())
        relations = [r for r in relations if r.functor.lower() not in known.hide]
        grids, rest = find_grids([r for r in relations if not _is_edge(r)], known)
        shadows = [shadow_of_walls(relation) for relation in relations if find_walls(relation)]
        shadows += [shadow_of_boxes(relation) for relation in relations]
        groups, no_boards = group_grids(grids + [grid for grid in shadows if grid], known)
        rest += [grid.source or grid.relation for grid in no_boards]
        panels = [panel for group in groups for panel in build_panels(group, known)]
        if not panels:
            panels = _panels_without_cells(relations, known)
        panels, unused = _with_edges(panels, [r for r in relations if _is_edge(r)])
        rest = sorted(rest + unused, key=lambda r: (r.functor, r.arity))
        looks = _looks(groups, relations, known)
        return cls(tuple(panels), tuple(find_facts(rest, known.labels)), looks, known)

    def legend(self) -> list[tuple[str, Look]]:
        """The contents in sight whose look does not explain itself, with their looks.

        >>> [(name, look.symbol) for name, look in Board.find(
        ...     [("at", "1", "1", "robot"), ("at", "2", "2", "exit"), ("at", "1", "2", "exit")]
        ... ).legend()]
        [('exit', 'e'), ('robot', 'r')]
        """
        seen = {name for panel in self.panels for name in panel.contents()}
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
    """The board of a state or of plain fluents.

    A state may carry ``drawing_hints`` and ``drawing_domain``; arguments take precedence.

    >>> board_of(["over"], None, None).facts[0].name
    'over'
    """
    if isinstance(state, HasFluents):
        if hints is None:
            hints = getattr(state, "drawing_hints", None)
        if domain is None:
            domain = getattr(state, "drawing_domain", None)
        return Board.find(state.fluents, domain, hints)
    if isinstance(state, (str, tuple)) or not isinstance(state, Iterable):
        return Board.find([state], domain, hints)
    return Board.find(state, domain, hints)


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


def _looks(groups: list[Group], relations: list[Relation], hints: Hints) -> dict[str, Look]:
    contents: set[str] = set()
    for group in groups:
        # What is blank on one board may be a piece on another.
        here = set().union(*(grid.contents() for grid in group.grids))
        contents |= here - blanks_of(group, hints)
    # Who is to move tells which sides there are before all of them have pieces on the board.
    sides = set()
    for relation in relations:
        if relation.arity == 1 and len(relation.rows) <= 8:
            sides |= {side_of(kif(row[0])) for row in relation.rows}
    return assign_looks(
        contents,
        sides=[side for side in sides if side],
        symbols=hints.symbols,
        colors=hints.colors,
    )
