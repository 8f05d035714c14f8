"""One picture of several states: what they share, and question marks for what they do not.

>>> from woodstock.drawing.text import draw_text
>>> empty = [("cell", x, y, "b") for x in "12" for y in "12"]
>>> states = [[*empty[:i], (*empty[i][:3], "x"), *empty[i + 1 :]] for i in (0, 1)]
>>> print(draw_text(unsure_board(states)))
    1   2
  ┌───┬───┐
1 │ ? │ ? │
  ├───┼───┤
2 │   │   │
  └───┴───┘
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.doubts import UNKNOWN, find_doubts
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import Look
from woodstock.drawing.targets import fluent_spots

__all__ = ["unsure_board"]

_LOOK = Look(UNKNOWN, "letter", "#8a8f98")
_MOST_DRAWN = 24  # boards that are compared; what others differ in is looked up fluent by fluent


def unsure_board(
    states: Iterable[Iterable[object]],
    domain: Iterable[object] | None = None,
    hints: Mapping[str, object] | None = None,
) -> Board:
    """The board of somebody who knows that one of these states is the true one.

    A cell shows what all states have there, and a question mark if some have anything else; a fact
    has question marks for its doubts. ``domain`` and ``hints`` are those of `Board.find`.
    """
    held = [frozenset(fluents) for fluents in states]
    known = frozenset.intersection(*held)
    possible = frozenset().union(*held)
    # Boards are of one size only if all know of all that may be there.
    whole = possible.union(domain or ())
    telling, untold = _telling(held, possible - known)
    boards = [Board.find(state, whole, hints) for state in telling]
    shown = {fact.name for board in boards for fact in board.facts}
    doubts = [
        (doubt.functor, *pattern)
        for doubt in find_doubts(held)
        if not doubt.open and _is_beside(doubt.functor, shown, boards[0].hints)
        for pattern in doubt.patterns
    ]
    rest = Board.find([*known, *doubts], whole, hints)
    unsure = {fact.name: fact for fact in rest.facts}
    facts = [
        fact if all(fact in board.facts for board in boards) else unsure.get(fact.name)
        for fact in boards[0].facts
    ]
    shared = [_shared(alike) for alike in zip(*(board.panels for board in boards))]
    panels = _with_marks(shared, boards[0], untold)
    return replace(
        rest,
        facts=tuple(fact for fact in facts if fact is not None),
        panels=tuple(panel for panel in panels if panel is not None),
        looks={**boards[0].looks, UNKNOWN: _LOOK},
    )


def _telling(
    states: Sequence[frozenset[object]], unsure: frozenset[object]
) -> tuple[list[frozenset[object]], frozenset[object]]:
    """States enough that all that is unsure holds in one of them and does not in another.

    Where that takes too many, some of them, and what they do not tell.
    """
    seen: set[object] = set()
    missed: set[object] = set()
    found: list[frozenset[object]] = []
    for state in states:
        there, absent = unsure & state, unsure - state
        if not found or not (there <= seen and absent <= missed):
            seen |= there
            missed |= absent
            found.append(state)
            if len(found) == _MOST_DRAWN:
                break
    return found, unsure - (seen & missed)


def _with_marks(
    panels: Sequence[Panel | None], board: Board, fluents: Collection[object]
) -> list[Panel | None]:
    """Panels with question marks where these fluents would be drawn too."""
    marked = list(panels)
    for spots in fluent_spots(board, fluents).values():
        for spot in spots:
            number, at = spot[0], (spot[1], spot[2])
            panel = marked[number] if number < len(marked) else None
            if panel is not None and at in panel.cells:
                # Nothing on it is sure: what stands there in all that was drawn may not elsewhere.
                cell = replace(Cell.of([(UNKNOWN, 1)]), ground=panel.cells[at].ground)
                marked[number] = replace(panel, cells={**panel.cells, at: cell})
    return marked


def _is_beside(functor: str, facts: Collection[str], hints: Hints) -> bool:
    """Whether a functor is drawn beside the panels, not on them."""
    lower = functor.lower()
    props = (hints.dice, hints.cards, hints.bars, hints.tables)
    return hints.label(functor) in facts or any(lower in prop for prop in props)


def _shared(panels: Sequence[Panel]) -> Panel | None:
    """What panels have in common; None if they are no pictures of the same board."""
    first = panels[0]
    if any(
        (p.title, p.columns, p.rows) != (first.title, first.columns, first.rows) for p in panels
    ):
        return None
    cells = {
        place: _common([panel.cells.get(place, Cell()) for panel in panels])
        for place in {place: None for panel in panels for place in panel.cells}
    }
    edges = frozenset.intersection(*(panel.edges for panel in panels))
    return replace(first, cells=cells, edges=edges)


def _common(cells: Sequence[Cell]) -> Cell:
    first = cells[0]
    if all(cell == first for cell in cells):
        return first
    shared = [piece for piece in first.pieces() if all(piece in cell.pieces() for cell in cells)]
    same_floor = all(cell.floor == first.floor for cell in cells)
    cell = Cell.of([*shared, (UNKNOWN, 1)], first.floor if same_floor else "")
    return replace(cell, ground=first.ground)
