"""That the rules of the library are the games' rules.

Most games are held against move generators that know no GDL; rare endings and the papers' small
games are checked by hand.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from functools import cache

import pytest

from games_support import joint, load, texts
from independent.chains import Hex
from independent.draughts import Draughts
from independent.lines import ConnectFour, Pentago, TicTacToe
from independent.pieces import Breakthrough, Reversi
from independent.protocol import Generator, counts, random_match
from independent.puzzles import EightPuzzle, Nim
from woodstock import State, games

# The generators written in plain Python, with the depth to which counts are compared.
INDEPENDENT: dict[str, tuple[Generator, int]] = {
    "tic-tac-toe": (TicTacToe(), 9),
    "connect-four": (ConnectFour(7), 5),
    "connect-four-8x6": (ConnectFour(8), 4),
    "breakthrough": (Breakthrough(), 2),
    "reversi": (Reversi(), 5),
    "hex": (Hex(), 2),
    "english-draughts": (Draughts(), 6),
    "pentago": (Pentago(), 3),
    "nim": (Nim(), 12),
    "eight-puzzle": (EightPuzzle(), 12),
}


@pytest.mark.parametrize("name", INDEPENDENT)
def test_counts_of_an_independent_generator(name: str) -> None:
    generator, depth = INDEPENDENT[name]
    golden = games.perft_counts(name)[: depth + 1]
    assert len(golden) > min(depth, 2)
    assert tuple(counts(generator, len(golden) - 1)) == golden


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", INDEPENDENT)
def test_matches_of_an_independent_generator(name: str, seed: int) -> None:
    generator, _ = INDEPENDENT[name]
    game = load(name)
    assert game.roles == generator.roles
    state = game.initial_state()
    for position, move in random_match(generator, seed):
        assert {str(fluent) for fluent in state.fluents} == generator.fluents(position)
        scores = generator.scores(position)
        assert state.is_terminal == (scores is not None)
        if move is None:
            assert tuple(state.goal(role) for role in game.roles) == scores
            break
        mover = game.roles[generator.mover(position)]
        for role in game.roles:
            expected = sorted(generator.moves(position)) if role == mover else ["noop"]
            assert texts(state.legal_moves(role)) == expected
        state = joint(state, {mover: move})


def test_english_draughts_with_whole_captures_has_the_published_counts() -> None:
    """Everybody else counts a capture of several men as one move."""

    def successors(state: State) -> list[State]:
        found = []
        for moves in state.joint_moves():
            after = state.apply(moves)
            jumped = any(str(move).startswith("(jump") for move in moves)
            again = jumped and not after.is_terminal and whose(after) == whose(state)
            found += successors(after) if again else [after]
        return found

    def whose(state: State) -> str:
        return next(r for r in state.roles if texts(state.legal_moves(r)) != ["noop"])

    layer, found = [load("english-draughts").initial_state()], [1]
    for _ in range(5):
        layer = [after for state in layer for after in successors(state)]
        found.append(len(layer))
    assert found == [1, 7, 49, 302, 1469, 7361]


# The cells whose tiles slide into the hole, one after the other.
SOLUTION = (
    "2 3,2 2,1 2,1 1,2 1,3 1,3 2,2 2,1 2,1 1,2 1,3 1,3 2,2 2,1 2,1 3,2 3,3 3,3 2,2 2,1 2,1 3,2 3,"
    "2 2,1 2,1 1,2 1,2 2,3 2,3 3"
)


def test_eight_puzzle_pays_for_the_shortest_solution() -> None:
    start = load("eight-puzzle").initial_state()
    state = start
    for move in SOLUTION.split(","):
        assert not state.is_terminal
        state = state.apply([f"(move {move})"])
    assert state.is_terminal
    assert state.goal("player") == 100
    state = start.apply(["(move 3 2)"]).apply(["(move 3 3)"])
    for move in SOLUTION.split(","):
        state = state.apply([f"(move {move})"])
    assert state.is_terminal
    assert state.goal("player") == 99


def test_reversi_counts_every_disc() -> None:
    """The board is filled with a given number of black discs: the winner has more than 32."""
    game = load("reversi")
    squares = list(itertools.product(range(1, 9), repeat=2))
    rng = random.Random(7)
    for black, empty in ((0, 0), (64, 0), (32, 0), (33, 0), (31, 0), (3, 61), (1, 62), (0, 63)):
        rng.shuffle(squares)
        colours = ["black"] * black + [""] * empty + ["white"] * (64 - black - empty)
        fluents = [f"(cell {x} {y} {c})" for (x, y), c in zip(squares, colours, strict=True) if c]
        state = game.state(["(control black)", *fluents])
        white = 64 - black - empty
        expected = 100 if black > white else 50 if black == white else 0
        assert state.goal("black") == expected
        assert state.goal("white") == 100 - expected


def test_pentago_draws_when_a_turn_makes_two_lines() -> None:
    game = load("pentago")
    # A clockwise turn makes the left column of a quadrant its top row, the right one its bottom.
    red = [f"(cell {x} 3 red)" for x in (4, 5)] + [f"(cell 1 {y} red)" for y in (1, 2, 3)]
    black = [f"(cell {x} 1 black)" for x in (4, 5)] + [f"(cell 3 {y} black)" for y in (1, 2, 3)]
    state = game.state(["(turning red)", *red, *black])
    assert not state.is_terminal
    state = joint(state, {"red": "(rotate 3 clockwise)"})
    assert state.is_terminal
    assert state.goals() == {"red": 50, "black": 50}


def test_english_draughts_is_drawn_after_twenty_quiet_plies() -> None:
    game = load("english-draughts")
    state = game.state(["(cell g 1 wk)", "(cell b 8 bk)", "(last black)", "(quiet 0)"])
    for path in ("g 1 h 2", "b 8 a 7", "h 2 g 1", "a 7 b 8") * 5:
        assert not state.is_terminal
        role = "white" if path[0] in "gh" else "black"
        state = joint(state, {role: f"(move {path})"})
    assert state.is_terminal
    assert state.goals() == {"white": 50, "black": 50}


def test_english_draughts_ends_the_turn_of_a_new_king() -> None:
    """The crowned man could jump on, but it is the other side's turn."""
    state = load("english-draughts").state(
        [
            "(cell f 6 wm)",
            "(cell e 7 bm)",
            "(cell c 7 bm)",
            "(cell a 3 bm)",
            "(last black)",
            "(quiet 3)",
        ]
    )
    state = joint(state, {"white": "(jump f 6 d 8)"})
    assert "(cell d 8 wk)" in texts(state.fluents)
    assert texts(state.legal_moves("white")) == ["noop"]


def test_matching_pennies() -> None:
    start = load("matching-pennies").initial_state()
    for moves in start.joint_moves():
        state = start.apply(moves)
        assert state.is_terminal
        same = moves[0] == moves[1]
        assert state.goals() == {"j1": 100 if same else 0, "j2": 0 if same else 100}


def test_cooperative_matching_pennies() -> None:
    start = load("cooperative-matching-pennies").initial_state()
    for first in start.joint_moves():
        placed = start.apply(first)
        assert str(first[2]) == "noop"
        outcomes = [placed.apply(flip) for flip in placed.joint_moves()]
        assert len(outcomes) == 2
        wins = [state.goal("alice") or 0 for state in outcomes]
        assert wins == [state.goal("bob") for state in outcomes]
        # Equal coins win with one of the two flips (an expected utility of 1/2), others never.
        assert sorted(wins) == ([0, 100] if first[0] == first[1] else [0, 0])


def test_hidden_matching_pennies() -> None:
    game = load("hidden-matching-pennies")
    start = game.initial_state()
    seen: dict[str, list[int]] = {}
    for lay in start.joint_moves():
        laid = start.apply(lay)
        first, second = str(lay[1])[len("(choose ") : -1].split()
        assert texts(laid.percepts("alice")) == [f"(coins {first})"]
        for side in ("heads", "tails"):
            end = joint(laid, {"alice": f"(play {side})"})
            value = end.goal("alice")
            assert value == 50 * [first, second].count(side)
            if side == first:
                seen.setdefault(first, []).append(value)
    # Playing what one sees is worth 75 on average.
    assert {side: sorted(values) for side, values in seen.items()} == {
        "heads": [50, 100],
        "tails": [50, 100],
    }


def test_randomised_tic_tac_toe() -> None:
    start = load("randomised-tic-tac-toe").initial_state()
    chosen = joint(start, {"x": "(chooseRow 1)"})
    assert "(row 1 x)" in texts(chosen.fluents)
    assert texts(chosen.legal_moves("random")) == ["(mark 1 1 x)", "(mark 1 2 x)"]
    marked = joint(chosen, {"random": "(mark 1 1 x)"})
    chosen = joint(marked, {"o": "(chooseCol 1)"})
    assert texts(chosen.legal_moves("random")) == ["(mark 2 1 o)"]
    state = joint(chosen, {"random": "(mark 2 1 o)"})
    # Column 1 is full now: nobody may name it.
    assert texts(state.legal_moves("x")) == ["(chooseCol 2)", "(chooseRow 1)", "(chooseRow 2)"]
    assert (
        joint(joint(state, {"x": "(chooseRow 1)"}), {"random": "(mark 1 2 x)"}).goals()["x"] == 100
    )

    @cache
    def value(state: State) -> Fraction:
        """What x can expect when everybody plays well."""
        if state.is_terminal:
            return Fraction(state.goal("x") or 0)
        values = [value(state.apply(moves)) for moves in state.joint_moves()]
        if len(state.legal_moves("x")) > 1:
            return max(values)
        return sum(values, Fraction()) / len(values) if _chance(state) else min(values)

    assert value(start) == 100
    diagonal = joint(joint(state, {"x": "(chooseRow 2)"}), {"random": "(mark 2 2 x)"})
    assert not diagonal.is_terminal
    assert value(diagonal) == 50

    layer, goals = {start}, set()
    while layer:
        goals |= {state.goal("o") for state in layer if state.is_terminal}
        alive = [state for state in layer if not state.is_terminal]
        layer = {state.apply(moves) for state in alive for moves in state.joint_moves()}
    assert goals == {0, 50}


def _chance(state: State) -> bool:
    return texts(state.legal_moves("random")) != ["noop"]
