"""Where moves point to, on boards of all kinds."""

from __future__ import annotations

import random

import pytest

from woodstock import Game
from woodstock.drawing import Board, draw_svg
from woodstock.drawing.marks import changed_cells
from woodstock.drawing.targets import find_targets, place_text

POINTED = [
    "tic-tac-toe",
    "breakthrough",
    "checkers",
    "hex",
    "chinese-checkers",
    "connect-four",
    "reversi",
    "oware",
]
SPOKEN = ["matching-pennies", "wumpus", "vectorracer", "war", "mastermind"]
"""Moves of these name no cells."""


def board_of(game: Game, fluents: object) -> Board:
    return Board.find(fluents, game.possible_fluents, game.drawing)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", POINTED)
def test_moves_point_to_what_they_change(name: str) -> None:
    """The last cell that a move names, or one of the line it names, is not as it was."""
    game, rng = Game.from_library(name), random.Random(name)
    state, tried = game.initial_state(), 0
    for _ in range(20):
        if state.is_terminal:
            break
        board = board_of(game, state.fluents)
        joint = state.random_joint_move(rng)
        after = state.apply(joint)
        changed = {
            (number, *spot)
            for number, (old, new) in enumerate(
                zip(board.panels, board_of(game, after.fluents).panels)
            )
            for spot in new.cells
            if old.cells.get(spot) != new.cells.get(spot)
        }
        for role, move in zip(state.roles, joint):
            legal = state.legal_moves(role)
            target = find_targets(board, legal)[legal.index(move)]
            if len(legal) < 2 or move == "noop":
                continue
            tried += 1
            assert target.places or target.area, move
            named = {target.places[-1]} if target.places else set(target.area)
            assert named & changed, (move, named, changed)
        state = after
    assert tried > 4


@pytest.mark.parametrize("name", SPOKEN)
def test_words_are_no_places(name: str) -> None:
    game, rng = Game.from_library(name), random.Random(name)
    state = game.initial_state()
    for _ in range(6):
        if state.is_terminal:
            break
        board = board_of(game, state.fluents)
        for role in game.players:
            for target in find_targets(board, state.legal_moves(role)):
                assert not target.places
                assert not target.area
        state = state.apply(state.random_joint_move(rng))


def test_cells_of_a_drawing_say_their_places() -> None:
    game = Game.from_library("breakthrough")
    state = game.initial_state()
    board = board_of(game, state.fluents)
    drawn = draw_svg(board, places=True)
    assert drawn.count("data-place=") == 64
    for target in find_targets(board, state.legal_moves("white")):
        assert all(f'data-place="{place_text(place)}"' in drawn for place in target.places)
    assert "data-place" not in draw_svg(board)
    assert changed_cells(board, board) == set()
