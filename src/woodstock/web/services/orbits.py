"""Which moves and which cells of a position are equal by symmetry, in words and in colours.

>>> from woodstock import Game
>>> found = orbits_of(Game.from_library("tic-tac-toe").initial_state())
>>> found["order"], found["complete"], found["counts"]
(8, True, {'x': {'moves': 9, 'orbits': 3}})
>>> found["moves"]["x"]["(mark 1 1)"] == found["moves"]["x"]["(mark 3 3)"]
True
>>> found["cells"]["0,0,0"] == found["cells"]["0,2,2"] != found["cells"]["0,1,1"]
True
>>> found["generators"][0]["words"]
['left and right change places']
"""

from __future__ import annotations

import itertools
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from woodstock.drawing import draw_svg
from woodstock.drawing.board import Board
from woodstock.drawing.marks import Place, changed_cells, marked
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.symmetry import rule_symmetries
from woodstock.symmetry.symmetries import Point, Symmetries, Symmetry
from woodstock.web.services.spots import fluent_places

__all__ = ["orbits_of"]

SECONDS = 6.0
"""How long each of the two groups is looked for."""
MOST_DRAWN = 400
"""Moves whose effect on the board is looked at."""
DRAWING_SECONDS = 3.0
MOST_ORBITS = 60
"""Orbits with a colour of their own."""
MOST_GENERATORS = 12
MOST_CYCLES = 12

Orbits: TypeAlias = Mapping[str, Sequence[Sequence[Term]]]


def orbits_of(state: State, *, seconds: float = SECONDS) -> dict[str, Any]:
    """The symmetries of the rules, those that keep this position, and the orbits of these.

    `moves` has for each role the number of the orbit of each move, `cells` for each place
    ``panel,column,row`` that of the cell; equal numbers of different lists mean nothing. Raises
    `SymmetryError` where the rules are not ground.
    """
    game = state.game
    whole, here = (rule_symmetries(game, keep=keep, seconds=seconds) for keep in (None, state))
    legal = {} if state.is_terminal else {r: state.legal_moves(r) for r in game.players}
    groups: Orbits = {r: here.orbits(r, moves) for r, moves in legal.items() if len(moves) > 1}
    board = _board(state)
    places = fluent_places(board, game.possible_fluents or ())
    cells = _cells(here, places)
    # Without a symmetry every colour would be there once, and say nothing.
    pictures = (
        [*_move_pictures(state, board, groups), *_cell_picture(board, cells)]
        if here.order > 1
        else []
    )
    return {
        "order": str(whole.order) if whole.order > 2**53 else whole.order,
        "order_here": str(here.order) if here.order > 2**53 else here.order,
        "complete": whole.complete and here.complete,
        "idle": sorted(map(str, whole.idle))[:20],
        "generators": [_words(g, places, board) for g in whole.generators[:MOST_GENERATORS]],
        "more_generators": max(0, len(whole.generators) - MOST_GENERATORS),
        "counts": {
            r: {"moves": sum(map(len, orbits)), "orbits": len(orbits)}
            for r, orbits in groups.items()
        },
        "moves": {
            r: {str(move): number for number, orbit in enumerate(orbits) for move in orbit}
            for r, orbits in groups.items()
        },
        "names": {r: list(itertools.islice(_names(), len(o))) for r, o in groups.items()},
        "cells": {",".join(map(str, place)): number for place, number in cells.items()},
        "pictures": pictures,
    }


# Cells


def _cells(here: Symmetries, places: Mapping[Term, Sequence[Place]]) -> dict[Place, int]:
    """The orbit of each place: places are equal where what may be there is."""
    orbit = list(here.group.orbits)
    may: dict[Place, set[int]] = {}
    for fluent, found in places.items():
        number = here.points.number.get(Point("fluent", None, fluent))
        for place in found:
            if number is not None:
                may.setdefault(place, set()).add(orbit[number])
    numbers: dict[frozenset[int], int] = {}
    return {place: numbers.setdefault(frozenset(may[place]), len(numbers)) for place in sorted(may)}


# Pictures


def _move_pictures(state: State, board: Board, groups: Orbits) -> Iterator[dict[str, Any]]:
    """For each role with a choice the board with the orbits of its moves where they lead to."""
    until = time.monotonic() + DRAWING_SECONDS
    for role, orbits in groups.items():
        if sum(map(len, orbits)) > MOST_DRAWN or len(orbits) > MOST_ORBITS or not board.panels:
            continue
        others = {one: state.legal_moves(one)[0] for one in state.roles if one != role}
        marks: dict[Place, str] = {}
        for name, orbit in zip(_names(), orbits):
            for move in orbit:
                if time.monotonic() > until:
                    break
                after = state.apply({**others, role: move})
                for place in changed_cells(board, _board(after)):
                    letters = marks.get(place, "")
                    if name not in letters and len(letters) < 3:
                        marks[place] = letters + name
        if marks:
            yield {"about": f"moves of {role}", "role": role, **_picture(board, marks)}


def _cell_picture(board: Board, cells: Mapping[Place, int]) -> Iterator[dict[str, Any]]:
    if cells and max(cells.values()) < MOST_ORBITS:
        names = list(itertools.islice(_names(), max(cells.values()) + 1))
        marks = {place: names[number] for place, number in cells.items()}
        yield {"about": "cells", "role": None, **_picture(board, marks)}


def _picture(board: Board, marks: Mapping[Place, str]) -> dict[str, Any]:
    drawn = marked(board, marks)
    colors = {name: drawn.looks[f" {name}"].fill for name in sorted(set(marks.values()))}
    return {
        "svg": draw_svg(drawn),
        "colors": colors,
        "marks": {",".join(map(str, place)): name for place, name in marks.items()},
    }


def _board(state: State) -> Board:
    game = state.game
    return Board.find(state.fluents, game.possible_fluents, game.drawing)


def _names() -> Iterator[str]:
    """Letters, then pairs of letters, and so on."""
    for size in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_lowercase, repeat=size))


# Generators


def _words(
    generator: Symmetry, places: Mapping[Term, Sequence[Place]], board: Board
) -> dict[str, Any]:
    cycles = [[str(point) for point in cycle] for cycle in generator.cycles()]
    shown = cycles[:MOST_CYCLES]
    swap = all(len(cycle) == 2 for cycle in cycles)
    arrow = " ↔ " if swap else " → "
    return {
        "words": _turns(generator, places, board),
        "cycles": [arrow.join(cycle if swap else [*cycle, cycle[0]]) for cycle in shown],
        "more": len(cycles) - len(shown),
        "moved": len(generator.moved),
    }


def _turns(generator: Symmetry, places: Mapping[Term, Sequence[Place]], board: Board) -> list[str]:
    """What a symmetry does to the panels as squares, where it does one of the usual things."""
    images: dict[Place, Place] = {}
    for fluent, (place, *more) in places.items():
        image = generator.point(Point("fluent", None, fluent)).term
        there = places.get(image, ())
        if more or len(there) != 1 or images.setdefault(place, there[0]) != there[0]:
            return []
    found = []
    for number, panel in enumerate(board.panels):
        here = {(c, r): to for (p, c, r), to in images.items() if p == number}
        if not here or any(p != number for p, _, _ in here.values()):
            continue
        if all((number, *spot) == to for spot, to in here.items()):
            continue
        right, low = len(panel.columns) - 1, len(panel.rows) - 1
        usual = _usual(right, low)
        for words, turn in usual.items():
            if all((number, *turn(*spot)) == to for spot, to in here.items()):
                found.append(words)
                break
    return found


def _usual(right: int, low: int) -> dict[str, Callable[[int, int], tuple[int, int]]]:
    """Turns and mirrors of a grid with this last column and row."""
    return {
        "left and right change places": lambda c, r: (right - c, r),
        "top and bottom change places": lambda c, r: (c, low - r),
        "turned by half a turn": lambda c, r: (right - c, low - r),
        "mirrored on a diagonal": lambda c, r: (r, c),
        "mirrored on the other diagonal": lambda c, r: (low - r, right - c),
        "turned by a quarter": lambda c, r: (low - r, c),
        "turned by three quarters": lambda c, r: (r, right - c),
    }
