"""Stages: the circuit and the table solvers tell a search the same, to the bit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from unittest import mock

import pytest
from hypothesis import HealthCheck, assume, given, settings

import strategies
from effort import effort
from games_support import load
from ground_support import ground_here, rules_of
from woodstock import Game
from woodstock._core import StageSolver, zobrist_hash
from woodstock.circuit.engine import CircuitEngine
from woodstock.errors import GdlError
from woodstock.scsp.encode import EncodingError
from woodstock.search.stages import make_stages

LIMIT = 400


def engine_of(game: Game) -> CircuitEngine:
    return game.circuit()


def game_of(text: str) -> Game:
    grounding = ground_here(rules_of(text))
    with mock.patch("woodstock.ground.grounder.ground_rules", return_value=grounding):
        return Game.from_text(text, engine="circuit")


@cache
def table_solvers(game: Game) -> dict[str, StageSolver]:
    simulator = engine_of(game).simulator()
    return {
        "ct": make_stages(game, "mac", simulator),
        "str2": make_stages(game, "mac", simulator, propagation="str2"),
        "fc": make_stages(game, "fc", simulator),
    }


def compiled(game: Game) -> StageSolver:
    return make_stages(game, "compiled", engine_of(game).simulator())


def positions(game: Game, seed: int, most: int) -> Iterator[bytes]:
    """The states of random matches, up to the ends of as many as it takes."""
    engine = engine_of(game)
    stages = compiled(game)
    dice = random.Random(seed)
    here = engine.initial()
    for _ in range(most):
        yield here
        _, legal, _, _ = stages.look(here)
        if all(legal):
            here = engine.simulator().next(here, [dice.choice(moves) for moves in legal])[0]
        else:
            here = engine.initial()


def assert_agree(game: Game, seed: int, most: int) -> int:
    """How many of the states that were looked at were ends."""
    stages = compiled(game)
    others = table_solvers(game)
    ends = 0
    for here in positions(game, seed, most):
        seen, solutions = stages.look(here), stages.solve(here, LIMIT)
        ends += seen[0]
        for name, other in others.items():
            assert other.look(here) == seen, name
            assert other.solve(here, LIMIT) == solutions, name
    return ends


# Turns and simultaneous moves, one to many players, chance, hidden information, goals that are
# missing or several before the end.
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("breakthrough", 12),
        ("buttons-and-lights-3", 30),
        ("chinese-checkers", 30),
        ("connect-four", 40),
        ("connect-four-simultaneous", 12),
        ("cooperative-matching-pennies", 20),
        ("eight-puzzle", 40),
        ("guess-dice", 20),
        ("hidden-matching-pennies", 20),
        ("hunter", 20),
        ("knight-through", 12),
        ("matching-pennies", 10),
        ("monty-hall", 30),
        ("nim", 30),
        ("orchard", 40),
        ("randomised-tic-tac-toe", 20),
        ("sheep-and-wolf", 20),
        ("tic-tac-toe", 40),
        ("vacuum-cleaner-random", 20),
        ("wumpus", 20),
    ],
)
def test_all_solvers_give_the_same_stages(name: str, most: int) -> None:
    assert_agree(load(name), 1, most)


@pytest.mark.parametrize("name", ["tic-tac-toe", "monty-hall", "matching-pennies", "nim"])
def test_ends_have_no_moves_and_no_stage(name: str) -> None:
    game = load(name)
    assert assert_agree(game, 2, 60) > 2
    for here in positions(game, 2, 60):
        terminal, legal, goals, _ = compiled(game).look(here)
        if terminal:
            assert not any(legal)
            assert compiled(game).solve(here) == []
            state = game.state(list(engine_of(game).fluents(here)))
            assert goals == list(state.goals().values())


def test_solutions_are_the_joint_moves_in_their_order() -> None:
    game = load("connect-four-simultaneous")
    engine = engine_of(game)
    for here in positions(game, 3, 6):
        state = game.state(list(engine.fluents(here)))
        successors = {tuple(map(str, moves)): after.position for moves, after in state.successors()}
        for stages in (compiled(game), table_solvers(game)["ct"]):
            solutions = stages.solve(here)
            assert solutions is not None
            found = {
                tuple(str(engine.numbering.move(m)) for m in moves): s for moves, s, _ in solutions
            }
            assert found == successors
            assert len(found) == len(solutions)
            assert [moves for moves, _, _ in solutions] == sorted(m for m, _, _ in solutions)
            for _, after, seen in solutions:
                assert seen == stages.look(after)
                assert seen[3] == zobrist_hash(after)


def test_the_limit_is_kept() -> None:
    game = load("connect-four-simultaneous")
    start = engine_of(game).initial()
    solvers = {"compiled": compiled(game), **table_solvers(game)}
    for name, stages in solvers.items():
        solutions = stages.solve(start)
        assert solutions is not None, name
        count = len(solutions)
        assert count > 1
        assert stages.solve(start, count) == solutions, name
        for limit in (0, 1, count - 1):
            assert stages.solve(start, limit) is None, name


def test_search_never_fails_along_the_order_of_the_network() -> None:
    game = load("tic-tac-toe")
    for name, stages in table_solvers(game).items():
        before = stages.nodes
        solutions = stages.solve(engine_of(game).initial())
        assert solutions is not None
        # One decision a move of x; the rest is propagation.
        assert stages.nodes - before == len(solutions) == 9, name


STUCK = (
    "(role a) (role b) (init p) (init q)"
    "(<= (legal a go) (true p)) (<= (legal b go) (true q)) (<= (legal b stop) (true q))"
    "(<= (next p) (does b stop)) (<= (next q) (does b go)) (<= (next r) (does a go))"
    "(<= (next q) (does b stop)) (<= terminal (true s))"
    "(<= (goal a 10) (true r)) (<= (goal a 30) (true q)) (goal b 50)"
)


def test_a_role_that_cannot_move_and_goals_of_which_several_hold() -> None:
    game = game_of(STUCK)
    start = engine_of(game).initial()
    assert_agree(game, 4, 20)
    solutions = table_solvers(game)["ct"].solve(start)
    assert solutions is not None
    assert [[len(moves) for moves in seen[1]] for _, _, seen in solutions] == [[0, 2], [1, 2]]
    assert [seen[2] for _, _, seen in solutions] == [[30, 50], [30, 50]]


@settings(
    max_examples=effort(25, 60),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(strategies.games())
def test_any_game_has_the_same_stages(text: str) -> None:
    try:
        game = game_of(text)
        assert_agree(game, 5, 6)
    except (EncodingError, GdlError):
        assume(False)


def test_states_that_are_none() -> None:
    game = load("tic-tac-toe")
    start = engine_of(game).initial()
    both = bytes(byte | 0x7F for byte in start)
    for name, stages in table_solvers(game).items():
        for wrong in (b"", start + start, both, bytes(len(start)), b"\xff" * len(start)):
            with pytest.raises(ValueError, match="state"):
                stages.look(wrong)
            with pytest.raises(ValueError, match="state"):
                stages.solve(wrong)
        assert stages.look(start) == compiled(game).look(start), name


def test_what_does_not_fit_is_refused() -> None:
    game = load("tic-tac-toe")
    simulator = engine_of(game).simulator()
    with pytest.raises(ValueError, match="no solver 'mc'"):
        make_stages(game, "mc", simulator)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no propagation 'fc'"):
        make_stages(game, "mac", simulator, propagation="fc")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="do not fit"):
        make_stages(load("nim"), "mac", simulator)


def test_games_too_large_for_a_network_say_so() -> None:
    game = load("tic-tac-toe")
    with (
        mock.patch("woodstock.scsp.encode.ground_rules.MAX_RULES", 1),
        pytest.raises(EncodingError, match="too many"),
    ):
        make_stages(game, "mac", engine_of(game).simulator())
