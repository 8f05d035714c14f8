"""The games of lines and of placing: connect four in all sizes and forms, quarto, and others."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from families.connect_four import connect_four

from games_support import joint, load, texts
from independent.boards import (
    Copolymer,
    DotsAndBoxes,
    JointConnectFour,
    OneAtATime,
    Quarto,
    ReflectConnect,
    SimultaneousConnectFour,
    Stones,
    Table,
)
from independent.chains import SwapHex
from independent.lines import ConnectFour, Square
from independent.model import Model, hold_against, model_counts
from woodstock import State, games

# The models written in plain Python, with the depth to which counts are compared.
MODELS: dict[str, tuple[Model, int]] = {
    "connect-four-7x7": (OneAtATime(ConnectFour(7, 7)), 5),
    "connect-four-20x20": (OneAtATime(ConnectFour(20, 20)), 2),
    "connect-four-simultaneous": (SimultaneousConnectFour(), 2),
    "joint-connect-four-7x7": (OneAtATime(JointConnectFour()), 3),
    "reflect-connect-6": (OneAtATime(ReflectConnect()), 2),
    "quarto": (OneAtATime(Quarto()), 3),
    "copolymer-pie": (OneAtATime(Copolymer()), 3),
    "dots-and-boxes-suicide": (OneAtATime(DotsAndBoxes()), 2),
    "hexawesome": (OneAtATime(SwapHex(11)), 2),
}


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_the_model(name: str) -> None:
    model, depth = MODELS[name]
    assert tuple(model_counts(model, depth)) == games.perft_counts(name)[: depth + 1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", MODELS)
def test_matches_of_the_model(name: str, seed: int) -> None:
    model, _ = MODELS[name]
    hold_against(model, name, seed)


def test_a_seventh_row_shows_when_a_column_has_six_discs() -> None:
    six, seven = games.perft_counts("connect-four"), games.perft_counts("connect-four-7x7")
    assert six[:7] == seven[:7]
    assert seven[7] - six[7] == 7  # seven discs in one column


def test_the_family_makes_boards_of_any_size() -> None:
    for name, size in (("connect-four", (7, 6)), ("connect-four-20x20", (20, 20))):
        assert games.rules_text(name) == connect_four(*size)
        assert max(map(len, games.rules_text(name).splitlines())) <= 100


def test_connect_four_wins_at_the_last_cells_of_20x20() -> None:
    game = load("connect-four-20x20")
    below = [f"(cell {x} {y} {'red' if (x + y // 2) % 2 else 'black'})"
             for x in range(17, 21) for y in range(1, 20)]  # fmt: skip
    row = [f"(cell {x} 20 red)" for x in (17, 18, 19)]
    state = game.state(["(control red)", *below, *row])
    assert not state.is_terminal
    assert "(drop 20)" in texts(state.legal_moves("red"))
    assert "(drop 19)" not in texts(state.legal_moves("red"))
    state = joint(state, {"red": "(drop 20)"})
    assert state.is_terminal
    assert state.goals() == {"red": 100, "black": 0}


def test_two_fours_at_once_are_a_draw() -> None:
    stacks = [f"(cell {b} 3 {y} {p})" for b, p in ((1, "red"), (2, "black")) for y in (1, 2, 3)]
    state = load("connect-four-simultaneous").state(["(at red 1)", "(at black 2)", *stacks])
    assert not state.is_terminal
    both = state.apply(["(drop 1 3)", "(drop 2 3)"])
    assert both.is_terminal
    assert both.goals() == {"red": 50, "black": 50}
    one = state.apply(["(drop 1 3)", "(drop 2 4)"])
    assert one.is_terminal
    assert one.goals() == {"red": 100, "black": 0}
    none = state.apply(["(drop 1 4)", "(drop 2 4)"])
    assert texts(none.legal_moves("red")) == [f"(drop 2 {x})" for x in range(1, 9)]


@pytest.mark.parametrize(("board", "winner"), [("normal", "red"), ("suicide", "black")])
def test_joint_connect_four_reverses_one_board(board: str, winner: str) -> None:
    stack = [f"(cell {board} 2 {y} red)" for y in (1, 2, 3)]
    state = load("joint-connect-four-7x7").state(["(control red)", *stack])
    assert not state.is_terminal
    state = joint(state, {"red": f"(drop {board} 2)"})
    assert state.is_terminal
    assert state.goals() == {"red": 50, "black": 50} | {winner: 100, _other(winner): 0}


def _other(role: str) -> str:
    return "black" if role == "red" else "red"


@pytest.mark.parametrize("board", ["normal", "suicide"])
def test_joint_connect_four_is_drawn_when_a_board_is_full(board: str) -> None:
    # Two rows of two columns each, shifted: nowhere more than three in a line.
    colours = {(x, y): ("red", "black")[(x + y // 2) % 2] for x in range(1, 8) for y in range(1, 8)}
    last = colours.pop((7, 7))
    cells = [f"(cell {board} {x} {y} {colour})" for (x, y), colour in colours.items()]
    state = load("joint-connect-four-7x7").state([f"(control {last})", *cells])
    assert not state.is_terminal
    state = joint(state, {last: f"(drop {board} 7)"})
    assert state.is_terminal
    assert state.goals() == {"red": 50, "black": 50}


def _reflected(red: Iterable[Square], blue: Iterable[Square] = ()) -> State:
    """A position of reflect connect 6 with these stones and their images; red is to move."""
    fluents = ["(control red)"]
    for role, stones in (("red", red), ("blue", blue)):
        for x, y in stones:
            fluents += [f"(cell {x} {y} {role})", f"(cell {12 - x} {12 - y} {role})"]
    return load("reflect-connect-6").state(fluents)


@pytest.mark.parametrize(
    ("stones", "last"),
    [
        ([(3, 6), (5, 6)], (4, 6)),  # along the middle row to the mirror, and beyond
        ([(6, 3), (6, 4)], (6, 5)),
        ([(3, 3), (4, 4)], (5, 5)),
        ([(1, 6), (2, 6), (3, 6), (4, 6)], (5, 6)),
        ([(1, 2), (2, 2), (3, 2), (4, 2), (6, 2)], (5, 2)),  # within one board
        ([(1, 6), (2, 5), (3, 4), (4, 3), (5, 2)], (6, 1)),
        # Beside the mirror, from one board into the other: the image of a bent line.
        ([(3, 4), (4, 5), (5, 6), (6, 5), (4, 3)], (5, 4)),
    ],
)
def test_reflected_lines_win(stones: list[Square], last: Square) -> None:
    state = _reflected(stones)
    assert not state.is_terminal
    for x, y in (last, (12 - last[0], 12 - last[1])):
        after = joint(state, {"red": f"(put {x} {y})"})
        assert after.is_terminal
        assert after.goals() == {"red": 100, "blue": 0}


def test_five_and_a_bend_elsewhere_do_not_win() -> None:
    for stones in (
        [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)],
        [(2, 1), (3, 1), (4, 1), (5, 1), (6, 1)],
        [(4, 6), (5, 6), (6, 5), (6, 4), (5, 5), (4, 4)],
    ):
        assert not _reflected(stones).is_terminal


def test_full_mirrored_boards_are_judged_by_the_longest_line() -> None:
    model, rng, seen = ReflectConnect(), random.Random(5), set()
    half = [(x, y) for x, y in model.places() if x <= 0 and y <= 0]
    assert len(half) == 35
    for _ in range(60):
        rng.shuffle(half)
        red, blue = ({*part, *((-x, -y) for x, y in part)} for part in (half[:18], half[18:]))
        if model.longest(frozenset(red)) == model.longest(frozenset(blue)) == model.length:
            continue  # nobody can play this
        position = Stones((frozenset(red), frozenset(blue)), 1)
        state = load("reflect-connect-6").state(sorted(model.fluents(position)))
        assert state.is_terminal
        assert tuple(state.goals().values()) == model.scores(position)
        seen.add(model.scores(position))
    assert seen == {(100, 0), (0, 100), (70, 30), (30, 70), (50, 50)}


@pytest.mark.parametrize(
    ("piece", "wins"), [("slrf", True), ("sdqf", False), ("tlqh", False), ("tdqh", False)]
)
def test_quarto_needs_a_trait_in_common(piece: str, wins: bool) -> None:
    row = ["(cell 1 2 tdrh)", "(cell 2 2 slrh)", "(cell 4 2 sdrf)"]  # round, and nothing else
    state = load("quarto").state(["(placing black)", f"(chosen {piece})", *row])
    assert not state.is_terminal
    state = joint(state, {"black": "(place 3 2)"})
    assert state.is_terminal == wins
    if wins:
        assert state.goals() == {"white": 0, "black": 100}


def test_quarto_can_be_drawn() -> None:
    model, rng = Quarto(), random.Random(3)
    squares = [(x, y) for x in range(1, 5) for y in range(1, 5)]
    for _ in range(2000):
        pieces = rng.sample(model.pieces, k=16)
        table = Table(frozenset(zip(squares, pieces, strict=True)), "", 1)
        if not model.quarto(table):
            break
    else:
        pytest.fail("no drawn position found")
    state = load("quarto").state(sorted(model.fluents(table)))
    assert state.is_terminal
    assert state.goals() == {"white": 50, "black": 50}


def test_copolymer_gives_another_turn_next_to_two_enemies() -> None:
    game = load("copolymer-pie")
    common = ["(plays first red)", "(plays second blue)", "(control red)", "(stones red 0)"]
    for enemies, again in (
        ([(4, 3), (4, 5)], True),  # on both sides
        ([(3, 4), (3, 5)], True),  # side by side above
        ([(5, 3), (5, 4), (3, 4)], True),
        ([(4, 3)], False),
        ([(3, 3), (5, 5)], False),  # no neighbours: the columns lean the other way
        ([], False),
    ):
        stones = [f"(cell {row} {column} blue)" for row, column in enemies]
        state = game.state([*common, *stones, f"(stones blue {len(enemies)})"])
        state = joint(state, {"first": "(place 4 4)"})
        assert ("(control red)" in texts(state.fluents)) == again
        assert "(stones red 1)" in texts(state.fluents)


@pytest.mark.parametrize(("answer", "blue"), [("swap", "first"), ("keep", "second")])
def test_copolymer_may_swap_once(answer: str, blue: str) -> None:
    state = load("copolymer-pie").initial_state()
    state = joint(state, {"first": "(place 1 4)"})
    assert texts(state.legal_moves("second")) == ["keep", "swap"]
    assert texts(state.legal_moves("first")) == ["noop"]
    state = joint(state, {"second": answer})
    assert f"(plays {blue} blue)" in texts(state.fluents)
    assert len(state.legal_moves(blue)) == 36
    state = joint(state, {blue: "(place 7 1)"})
    red = "second" if blue == "first" else "first"
    assert len(state.legal_moves(red)) == 35
    assert all(str(move).startswith("(place") for move in state.legal_moves(red))


def test_dots_and_boxes_counts_two_boxes_at_once() -> None:
    game, box = load("dots-and-boxes-suicide"), DotsAndBoxes.sides
    both = (box((2, 2)) | box((3, 2))) - {(3, 2, 3, 3)}
    lines = [f"(line {a} {b} {c} {d})" for a, b, c, d in sorted(both)]
    state = game.state(["(control o)", "(boxes x 11)", "(boxes o 11)", *lines])
    state = joint(state, {"o": "(draw 3 2 3 3)"})
    found = texts(state.fluents)
    assert {"(boxes o 13)", "(boxes x 11)", "(control o)"} <= set(found)
    assert {"(owner 2 2 o)", "(owner 3 2 o)"} <= set(found)


@pytest.mark.parametrize(("x", "winner"), [(12, "x"), (13, "o"), (0, "x"), (25, "o")])
def test_dots_and_boxes_is_won_with_fewer_boxes(x: int, winner: str) -> None:
    lines = ["(line {} {} {} {})".format(*edge) for edge in DotsAndBoxes().edges()]
    counts = [f"(boxes x {x})", f"(boxes o {25 - x})"]
    state = load("dots-and-boxes-suicide").state(["(control x)", *counts, *lines])
    assert state.is_terminal
    assert state.goals() == {"x": 0, "o": 0} | {winner: 100}


def test_hexawesome_swaps_only_the_first_stone() -> None:
    state = load("hexawesome").initial_state()
    assert "swap" not in texts(state.legal_moves("red"))
    first = joint(state, {"red": "(place c 9)"})
    assert "swap" in texts(first.legal_moves("blue"))
    swapped = joint(first, {"blue": "swap"})
    assert texts(swapped.fluents) == ["(cell i 3 blue)", "(control red)"]
    assert len(swapped.legal_moves("red")) == 120
    kept = joint(first, {"blue": "(place a 1)"})
    for state in (swapped, kept):
        after = joint(state, {"red": "(place k 11)"})
        assert "swap" not in texts(after.legal_moves("blue"))


def test_hexawesome_has_the_edges_of_hex() -> None:
    game = load("hexawesome")
    column = [f"(cell {row} 4 red)" for row in "abcdefghij"]
    state = game.state(["(control red)", *column])
    assert not state.is_terminal
    assert joint(state, {"red": "(place k 4)"}).goals() == {"red": 100, "blue": 0}
    row = [f"(cell d {number} blue)" for number in range(1, 11)]
    state = game.state(["(control blue)", *row])
    assert not state.is_terminal
    assert joint(state, {"blue": "(place d 11)"}).goals() == {"red": 0, "blue": 100}
