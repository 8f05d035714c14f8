"""Laws of the circuit: every lane is the scalar evaluator, whatever its neighbours are.

That the circuit is the lifted interpreter on random games and on the library is tested along with
the ground engine, in ``test_ground_properties.py``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from circuit_support import ISAS, Pair, as_tuple, assert_plausible, exact_play, large_rulesheet
from core_support import rulesheets
from effort import effort
from ground_support import rules_of
from woodstock import games
from woodstock._core import Circuit, Simulator, zobrist_hash

random_programs = settings(
    max_examples=effort(60, 150),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
seeds = st.integers(0, 2**32)


def assert_lanes_are_scalar(pair: Pair, states: Sequence[bytes], rng: random.Random) -> None:
    """Analyse and step a batch, and compare each lane with the evaluator, on every ISA."""
    together = b"".join(states)
    steps = [
        (s, [rng.choice(moves) for moves in pair.options(s)]) for s in states if moving(pair, s)
    ]
    before = b"".join(state for state, _ in steps)
    moves = [move for _, joint in steps for move in joint]
    expected = [pair.scalar(state) for state in states]
    reached = [pair.scalar_next(*step) for step in steps]
    for isa in ISAS:
        simulator = Simulator(pair.circuit, isa)
        assert simulator.analyse(together) == expected, isa
        after, seen = simulator.next(before, moves)
        assert list(zip(pieces(pair, after), seen)) == reached, isa
        # Percepts are worked out apart, and nothing may hang on whether they are.
        assert simulator.next(before, moves, percepts=False) == (after, []), isa


def moving(pair: Pair, state: bytes) -> bool:
    return all(pair.options(state))


def pieces(pair: Pair, states: bytes) -> list[bytes]:
    size = pair.circuit.state_size
    return [states[i : i + size] for i in range(0, len(states), size)]


def assert_expansion_is_complete(pair: Pair, state: bytes) -> None:
    moves, after, seen = pair.simulator.expand(state)
    over = pair.scalar(state)[0]
    expected = [] if over else list(pair.joint_moves(state))
    assert sorted(map(tuple, moves)) == sorted(expected)
    for joint, reached, percepts in zip(moves, pieces(pair, after), seen, strict=True):
        assert (reached, percepts) == pair.scalar_next(state, joint)


def assert_right(pair: Pair, seed: int) -> None:
    """All laws at once, on states that play reaches and on others."""
    rng = random.Random(seed)
    states = pair.random_states(rng, 60)
    assert_lanes_are_scalar(pair, states, rng)
    # Alone, a state may send parts of the circuit to sleep that others keep awake.
    assert_lanes_are_scalar(pair, states[:1], rng)
    assert_expansion_is_complete(pair, states[0])
    exact = exact_play(pair, pair.initial, max_plies=4, limit=2000)
    if exact is not None:
        assert_plausible(pair.play(pair.initial, 2000, seed=seed, max_plies=4), exact, sigmas=6)


@random_programs
@given(strategies.games(), seeds, st.booleans())
def test_circuits_of_random_games(text: str, seed: int, split: bool) -> None:
    assert_right(Pair.of_rules(rules_of(text), split=split), seed)


@random_programs
@given(rulesheets(), seeds)
def test_circuits_of_random_rules(text: str, seed: int) -> None:
    assert_right(Pair.of_asp(text), seed)


@pytest.mark.parametrize("first", range(0, 300, 20))
def test_circuits_of_large_random_rules(first: int) -> None:
    for seed in range(first, first + 20):
        assert_right(Pair.of_asp(large_rulesheet(random.Random(seed))), seed)


def test_large_random_rules_have_all_that_is_special() -> None:
    found = [
        Pair.of_asp(large_rulesheet(random.Random(seed))).circuit.statistics() for seed in range(60)
    ]
    assert any(one.guards for one in found)
    assert any(one.recursions for one in found)
    assert any(one.gates > 200 for one in found)


@pytest.mark.parametrize("name", games.names())
def test_lanes_of_library_games(name: str) -> None:
    pair = Pair.of_library(name)
    rng = random.Random(name)
    lanes = pair.circuit.lanes
    states = pair.random_states(rng, effort(40, 100))
    assert_lanes_are_scalar(pair, states, rng)
    # More than one batch, the last of them with a single lane in use.
    many = [rng.choice(states) for _ in range(lanes + 1)]
    expected = {state: pair.scalar(state) for state in states}
    assert pair.simulator.analyse(b"".join(many)) == [expected[state] for state in many]
    # One side moves in the first vectors, another in those behind.
    first, second = next(
        (a, b)
        for a in states
        for b in states
        if moving(pair, b) and pair.scalar(a) != pair.scalar(b)
    )
    assert_lanes_are_scalar(pair, [first] * 520 + [second] * 20, rng)
    assert_expansion_is_complete(pair, pair.initial)


@pytest.mark.parametrize("name", ["checkers", "hex", "hidden-matching-pennies", "reversi"])
def test_instructions_and_threads_change_nothing(name: str) -> None:
    pair = Pair.of_library(name)
    states = pair.random_states(random.Random(name), 7)
    budgets = [0, 1, 700, 2500, 3, 64, 1000]
    together = b"".join(states)

    def results(isa: str, threads: int, seed: int) -> list[tuple[object, ...]]:
        simulator = Simulator(pair.circuit, isa, threads)
        assert (simulator.isa, simulator.threads) == (isa, threads)
        return [as_tuple(tally) for tally in simulator.playouts(together, budgets, seed, 200)]

    first = results(ISAS[0], 1, 5)
    for isa in ISAS:
        for threads in (1, 2, 3):
            assert results(isa, threads, 5) == first, (isa, threads)
    assert [one[0] for one in first] == budgets
    assert results(ISAS[0], 2, 6) != first
    assert as_tuple(pair.simulator.playouts(pair.initial, [3000], 5)[0]) == as_tuple(
        Simulator(pair.circuit, ISAS[-1], 3).playouts(pair.initial, [3000], 5)[0]
    )


def test_a_simulator_can_be_used_again_for_something_else() -> None:
    """Nothing of an earlier call is left in the lanes."""
    pair = Pair.of_kif(games.rules_text("checkers"))
    rng = random.Random(1)
    states = pair.random_states(rng, 40)
    fresh = [as_tuple(Simulator(pair.circuit).playouts(s, [100], 1, 50)[0]) for s in states[:5]]
    used = Simulator(pair.circuit)
    for state, expected in zip(states, fresh):
        used.analyse(b"".join(states))
        assert as_tuple(used.playouts(state, [100], 1, 50)[0]) == expected
        assert used.analyse(state) == [pair.scalar(state)]


def test_zobrist_hashes() -> None:
    pair = Pair.of_kif(games.rules_text("tic-tac-toe"))
    states = set(pair.random_states(random.Random(3), 400))
    assert len({zobrist_hash(state) for state in states}) == len(states)
    empty = bytes(pair.circuit.state_size)
    assert zobrist_hash(empty) == 0
    # The exclusive or of one number for each fluent.
    one, two = (bytes([bit]) + empty[1:] for bit in (1, 2))
    assert zobrist_hash(bytes([3]) + empty[1:]) == zobrist_hash(one) ^ zobrist_hash(two)


def test_bad_arguments() -> None:
    pair = Pair.of_kif(games.rules_text("tic-tac-toe"))
    simulator, state = pair.simulator, pair.initial
    with pytest.raises(ValueError, match="size"):
        simulator.analyse(state + b"\0")
    with pytest.raises(ValueError, match="beyond"):
        simulator.analyse(state[:3] + b"\xff")
    with pytest.raises(ValueError, match="one move"):
        simulator.next(state, [0])
    with pytest.raises(ValueError, match="no such move"):
        simulator.next(state, [999, 999])
    with pytest.raises(ValueError, match="one budget"):
        simulator.playouts(state, [1, 2])
    with pytest.raises(ValueError, match="ply"):
        simulator.playouts(state, [1], max_plies=0)
    with pytest.raises(ValueError, match="too many"):
        simulator.expand(state, limit=5)
    with pytest.raises(ValueError, match="one state"):
        simulator.expand(state + state)
    with pytest.raises(ValueError, match="steam"):
        Simulator(pair.circuit, "steam")
    with pytest.raises(ValueError, match="fit"):
        Circuit(pair.program, 2, [0], [], [])
    assert simulator.analyse(b"") == []
    assert simulator.playouts(b"", []) == []
