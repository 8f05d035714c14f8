"""What searches ask of a circuit: visits and rollouts, held to the scalar evaluator."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import sqrt

import pytest

from circuit_support import ISAS, Pair, exact_play, large_rulesheet
from woodstock import games
from woodstock._core import Rollouts, Simulator, Visits, zobrist_hash


def assert_visits_are_scalar(pair: Pair, found: Visits, states: Sequence[bytes]) -> None:
    assert found.states == b"".join(states)
    assert found.keys == [zobrist_hash(state) for state in states]
    for i, state in enumerate(states):
        over, _, holding = pair.scalar(state)
        assert found.terminal[i] == over
        assert found.legal[i] == pair.options(state)
        best = [0] * len(pair.roles)
        for role, value in (pair.goals[goal] for goal in holding):
            if role >= 0 and value is not None:
                best[role] = max(best[role], value)
        assert found.goals[i] == best


def assert_visits_right(pair: Pair, seed: int, count: int) -> None:
    rng = random.Random(seed)
    states = pair.random_states(rng, count)
    steps = [
        (state, [rng.choice(moves) for moves in options])
        for state in states
        if pair.roles and all(options := pair.options(state))
    ]
    after = [pair.scalar_next(state, joint)[0] for state, joint in steps]
    moves = [move for _, joint in steps for move in joint]
    for isa in ISAS:
        simulator = Simulator(pair.circuit, isa)
        assert_visits_are_scalar(pair, simulator.visit(b"".join(states)), states)
        if steps:
            found = simulator.visit(b"".join(state for state, _ in steps), moves)
            assert_visits_are_scalar(pair, found, after)


def figures(found: Rollouts) -> tuple[object, ...]:
    return (found.goals, found.squares, found.plies, found.cut, found.stuck, found.played)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_visits_of_large_random_rules(first: int) -> None:
    for seed in range(first, first + 20):
        assert_visits_right(Pair.of_asp(large_rulesheet(random.Random(seed))), seed, 70)


@pytest.mark.parametrize("name", games.names())
def test_services_on_library_games(name: str) -> None:
    pair = Pair.of_library(name)
    assert_visits_right(pair, 1, 12)
    states = b"".join(pair.random_states(random.Random(2), 40))
    wanted = figures(Simulator(pair.circuit, "base").rollouts(states, 1, 3, 6, trace=True))
    for isa in ISAS:
        simulator = Simulator(pair.circuit, isa, 2)
        assert figures(simulator.rollouts(states, 1, 3, 6, trace=True)) == wanted
    rng = random.Random(4)
    preferences = [rng.randrange(4) for _ in pair.movers]
    wanted = figures(Simulator(pair.circuit, "base").rollouts(states, 1, 3, 6, True, preferences))
    for isa in ISAS:
        simulator = Simulator(pair.circuit, isa, 2)
        assert figures(simulator.rollouts(states, 1, 3, 6, True, preferences)) == wanted


def test_preference_decides_how_often_a_move_is_made() -> None:
    pair = Pair.of_library("tic-tac-toe")
    moves = pair.simulator.visit(pair.initial).legal[0][0]
    for levels in ([0] * 8 + [1], [0, 0, 1, 1, 1, 2, 2, 3, 3], [2] * 9, [1, 3] + [0] * 7):
        preferences = [0] * len(pair.movers)
        for move, level in zip(moves, levels, strict=True):
            preferences[move] = level
        games = 20_000
        found = pair.simulator.rollouts(pair.initial * games, 1, 3, 1, True, preferences)
        made = Counter(move for played in found.played for move, _, _ in played)
        for move, level in zip(moves, levels, strict=True):
            some = [other for other in levels if other >= min(1, max(levels))]
            chance = 1 / 2 / len(levels)
            chance += (level in some) / 4 / len(some)
            chance += (level == max(levels)) / 4 / levels.count(max(levels))
            spread = sqrt(games * chance * (1 - chance))
            assert abs(made[move] - games * chance) <= 5 * spread


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "cooperative-matching-pennies"])
def test_rollouts_have_the_exact_mean(name: str) -> None:
    pair = Pair.of_library(name)
    each, count, max_plies = 8, 2000, 50
    exact = exact_play(pair, pair.initial, max_plies)
    assert exact is not None
    found = pair.simulator.rollouts(pair.initial * count, each, 5, max_plies)
    for role, (mean, variance) in enumerate(exact.goals):
        total = sum(goals[role] for goals in found.goals)
        played = each * count
        assert abs(total / played - mean) <= 5 * sqrt(variance / played) + 1e-9
    mean, variance = exact.length
    assert abs(found.plies / played - mean) <= 5 * sqrt(variance / played) + 1e-9


def test_a_trace_of_one_game_is_what_was_played() -> None:
    pair = Pair.of_library("tic-tac-toe")
    found = pair.simulator.rollouts(pair.initial * 200, 1, 7, trace=True)
    plain = pair.simulator.rollouts(pair.initial * 200, 1, 7)
    assert (plain.goals, plain.plies, plain.played) == (found.goals, found.plies, [])
    for goals, played in zip(found.goals, found.played, strict=True):
        assert all(entry[1:] == (1, goals) for entry in played)
        moves = [move for move, _, _ in played]
        assert moves == sorted(set(moves))
        # Marks are never made twice, and nobody asks whether a player did nothing.
        by_role = [sum(pair.movers[move] == role for move in moves) for role in (0, 1)]
        assert by_role[0] - by_role[1] in (0, 1)
    assert found.plies == sum(map(len, found.played))


def test_services_refuse_what_does_not_fit() -> None:
    pair = Pair.of_library("tic-tac-toe")
    with pytest.raises(ValueError, match="1, 2, 4"):
        pair.simulator.rollouts(pair.initial, 3)
    with pytest.raises(ValueError, match="one ply"):
        pair.simulator.rollouts(pair.initial, 4, max_plies=0)
    for preferences in ([1], [4] * len(pair.movers)):
        with pytest.raises(ValueError, match="0, 1, 2 or 3"):
            pair.simulator.rollouts(pair.initial, 4, preferences=preferences)
    with pytest.raises(ValueError, match="one move"):
        pair.simulator.visit(pair.initial, [0])
