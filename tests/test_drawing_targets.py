"""Where moves point to, on boards of all kinds."""

from __future__ import annotations

import random

import pytest

from woodstock import Game, State
from woodstock.drawing import Board, draw_svg
from woodstock.drawing.marks import changed_cells
from woodstock.drawing.targets import MoveEffect, Target, find_targets, fluent_spots, place_text

POINTED = [
    "tic-tac-toe",
    "breakthrough",
    "checkers",
    "hex",
    "chinese-checkers",
    "connect-four",
    "reversi",
    "oware",
    "chess",
    "sudoku",
    "eight-puzzle",
    "copolymer-pie",
    "connect-four-simultaneous",
    "joint-connect-four-7x7",
]
SPOKEN = ["matching-pennies", "war", "mastermind", "nim", "yahtzee"]
"""Moves of these name no cells."""


def board_of(game: Game, fluents: object) -> Board:
    return Board.find(fluents, game.possible_fluents, game.drawing)  # type: ignore[arg-type]


def effects_of(state: State, role: str) -> list[MoveEffect]:
    """What each move of a role changes, if the others do the first thing they may."""
    joint = [state.legal_moves(one)[0] for one in state.roles]
    found = []
    for move in state.legal_moves(role):
        joint[state.roles.index(role)] = move
        found.append(MoveEffect.of(state.fluents, state.apply_unchecked(joint).fluents))
    return found


def targets_of(name: str, *line: tuple[str, ...], role: str = "") -> dict[str, Target]:
    """Where the moves of a role, or of whoever is to move first, point to after a line."""
    game = Game.from_library(name)
    state = game.initial_state()
    for joint in line:
        state = state.apply(joint)
    role = role or next(one for one in state.turn if one in game.players)
    legal = state.legal_moves(role)
    found = find_targets(board_of(game, state.fluents), legal, effects_of(state, role))
    return {str(move): target for move, target in zip(legal, found)}


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
            target = find_targets(board, legal, effects_of(state, role))[legal.index(move)]
            if len(legal) < 2 or isinstance(move, str):
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
            legal = state.legal_moves(role)
            for target in find_targets(board, legal, effects_of(state, role)):
                assert not target.places
                assert not target.area
        state = state.apply(state.random_joint_move(rng))


def test_a_point_is_told_from_a_die() -> None:
    game, rng = Game.from_library("backgammon"), random.Random(3)
    state, tried = game.initial_state(), 0
    for _ in range(30):
        board = board_of(game, state.fluents)
        for role in set(state.turn) & {*game.players}:
            legal = state.legal_moves(role)
            for move, target in zip(legal, find_targets(board, legal, effects_of(state, role))):
                tried += 1
                assert isinstance(move, tuple)
                assert board.panels[0].place(*target.places[0][1:3]) == move[1]
                # Who enters from the bar gets to the point that the die shows.
                assert len(target.places) == 1 or move[1] == "bar"
        state = state.apply(state.random_joint_move(rng))
    assert tried > 20


def test_rows_may_be_named_before_columns() -> None:
    found = targets_of("hex")
    assert {len(target.places) for target in found.values()} == {1}
    assert len({target.places for target in found.values()}) == len(found)
    cell = ("cell", "1", "3", "b")
    game = Game.from_library("sudoku")
    board = board_of(game, game.initial_state().fluents)
    assert fluent_spots(board, [cell]) == {cell: [(0, 2, 0)]}


def test_columns_are_areas_and_begin_where_the_piece_falls() -> None:
    found = targets_of("connect-four", ("(drop 3)", "noop"))
    assert found["(drop 3)"].places == ()
    assert found["(drop 3)"].area[0] == (0, 2, 4)
    assert {*found["(drop 3)"].area} == {(0, 2, row) for row in range(6)}


def test_a_panel_is_named_by_its_layer() -> None:
    # Each drops into its own board, and they change boards after every move.
    found = targets_of("connect-four-simultaneous", role="black")
    assert found["(drop 2 5)"].area[0] == (1, 4, 5)
    found = targets_of("connect-four-simultaneous", role="red")
    assert found["(drop 1 5)"].area[0] == (0, 4, 5)


def test_lines_between_dots_are_places() -> None:
    found = targets_of("dots-and-boxes-suicide")
    places = [place for target in found.values() for place in target.places]
    assert len({*places}) == len(found) > 50
    assert {place[3:] for place in places} == {("h",), ("v",)}
    game = Game.from_library("dots-and-boxes-suicide")
    drawn = draw_svg(board_of(game, game.initial_state().fluents), places=True)
    assert all(f'data-place="{place_text(place)}"' in drawn for place in places)


def test_directions_point_to_where_they_lead() -> None:
    found = targets_of("pacman-hidden")
    assert all(len(target.places) == 1 for target in found.values())


def test_ways_of_naming_cells_without_trying_moves() -> None:
    squares = [("at", f"{x}{y}", "b") for x in "abcd" for y in "1234"]
    board = Board.find(squares)
    (target,) = find_targets(board, [("move", "a1", "b3")])
    assert target.places == ((0, 0, 3), (0, 1, 1))
    (target,) = find_targets(board, [("move", "a", "1", "b", "3")])
    assert target.places == ((0, 0, 3), (0, 1, 1))
    assert find_targets(Board.find(["over"]), [("move", "a", "1")]) == [Target()]


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
