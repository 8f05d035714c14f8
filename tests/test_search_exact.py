"""Exact values: against plain recursion over states, by known results, and what is refused."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort
from games_support import load
from woodstock import Game, State, WoodstockError
from woodstock.solve.exact import Concept, SolveError, solve
from woodstock.solve.graph import CyclicGameError, TooManyStatesError, explore
from woodstock.solve.matrix import matrix_game

# Three roles. One chooses what the others share; then chance tosses a coin where it was left to.
THREE = """
(role a) (role b) (role c) (role random)
(init (step 1))
(<= (legal a ?m) (true (step 1)) (choice ?m))
(<= (legal b ?m) (true (step 2)) (choice ?m))
(<= (legal c ?m) (true (step 3)) (choice ?m))
(<= (legal random ?m) (true (step 4)) (side ?m))
(<= (legal a noop) (not (true (step 1))))
(<= (legal b noop) (not (true (step 2))))
(<= (legal c noop) (not (true (step 3))))
(<= (legal random noop) (not (true (step 4))))
(choice left) (choice right) (side heads) (side tails)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (chose ?r ?m)) (does ?r ?m) (choice ?m))
(<= (next (fell ?m)) (does random ?m) (side ?m))
(<= (next (chose ?r ?m)) (true (chose ?r ?m)))
(<= terminal (true (step 5)))
(<= same (true (chose a ?m)) (true (chose b ?m)))
(<= (goal a 80) same (true (chose c left)))
(<= (goal a 20) same (true (chose c right)))
(<= (goal a 100) (not same) (true (fell heads)))
(<= (goal a 0) (not same) (true (fell tails)))
(<= (goal b 60) same) (<= (goal b 50) (not same))
(<= (goal c 30) (true (chose c left))) (<= (goal c 30) (true (chose c right)))
(goal random 0)
"""

# The first state comes back when a token is put down where it was.
CIRCLE = """
(role me)
(init (at 1))
(<= (legal me (go ?x)) (place ?x))
(place 1) (place 2)
(<= (next (at ?x)) (does me (go ?x)))
(<= (next over) (does me (go 2)))
(<= terminal (true over))
(<= (goal me 100) (true over))
(<= (goal me 0) (not (true over)))
"""

# Nobody but b can go on after the first move; goals are missing, double and above 100.
STUCK = """
(role a) (role b)
(init (step 1))
(<= (legal a ?m) (true (step 1)) (way ?m))
(<= (legal b noop))
(way short) (way long) (way high)
(<= (next (done ?m)) (does a ?m))
(<= terminal (true (done high)))
(<= (goal a 40) (true (done short)))
(<= (goal a 70) (true (done short)))
(<= (goal a 250) (true (done high)))
(<= (goal b 10) (true (done high)))
"""


def utility(state: State, role: str) -> float:
    values = state.game.engine.goals(state.position, state.roles.index(role))
    return max(values, default=0) / (250 if state.game.name == "stuck" else 100)


def by_recursion(game: Game, role: str, concept: Concept) -> Callable[[State], float]:
    """The definition, written down once more, state by state and without a table of numbers."""
    players = game.players
    others = [name for name in players if name != role]

    @cache
    def value(state: State) -> float:
        legal = {name: state.legal_moves(name) for name in game.roles}
        if state.is_terminal or not all(legal.values()):
            if concept == "team":
                return sum(utility(state, name) for name in players) / len(players)
            if concept == "difference":
                if not others:
                    return utility(state, role)
                theirs = sum(utility(state, name) for name in others) / len(others)
                return (1 + utility(state, role) - theirs) / 2
            return utility(state, role)

        def expected(joint: dict[str, object]) -> float:
            lots = legal.get("random", ("none",))
            moves = [{**joint, "random": lot} for lot in lots]
            after = [state.apply([m[name] for name in game.roles]) for m in moves]  # type: ignore[misc]
            return sum(map(value, after)) / len(lots)

        answers = [dict(zip(others, m)) for m in itertools.product(*(legal[o] for o in others))]
        worst = max if concept == "team" else min
        return max(worst(expected({role: own, **a}) for a in answers) for own in legal[role])

    return value


@pytest.mark.parametrize("concept", ["maximin", "difference", "team"])
@pytest.mark.parametrize(
    "game",
    [
        "nim",
        "matching-pennies",
        "cooperative-matching-pennies",
        "hidden-matching-pennies",
        "monty-hall",
        "guess-dice",
        "buttons-and-lights-3",
        "three",
        "stuck",
    ],
)
def test_values_are_those_of_plain_recursion(game: str, concept: Concept) -> None:
    texts = {"three": THREE, "stuck": STUCK}
    fast = Game.from_text(texts[game]) if game in texts else load(game)
    slow = Game(fast.rules.sheet, name=game, engine="lifted")
    graph = explore(fast.initial_state())
    for role in fast.roles:
        if role == "random":
            continue
        solution = solve(fast, role, concept, graph=graph)
        reference = by_recursion(slow, role, concept)
        state, twin = fast.initial_state(), slow.initial_state()
        rng = random.Random(f"{game}/{role}")
        while True:
            assert solution.value(state) == pytest.approx(reference(twin), abs=1e-12)
            values = solution.move_values(state)
            if not values:
                break
            assert set(values) == set(state.legal_moves(role))
            assert max(values.values()) == solution.value(state)
            joint = state.random_joint_move(rng)
            state, twin = state.apply(joint), twin.apply(joint)


def test_known_values() -> None:
    game = load("tic-tac-toe")
    graph = explore(game.initial_state())
    assert (len(graph), graph.joint_moves, len(graph.ends)) == (5478, 16167, 958)
    solution = solve(game, "x", graph=graph)
    assert solution.value() == 0.5
    assert set(solution.move_values().values()) == {0.5}
    corner = game.initial_state().apply(["(mark 1 1)", "noop"])
    answers = solve(game, "o", graph=graph).move_values(corner)
    assert {str(move) for move, value in answers.items() if value == 0.5} == {"(mark 2 2)"}
    assert {str(move) for move in solve(load("nim"), "player1").best_moves()} == {"(reduce d 0)"}
    # Values are those of the whole state, as if nothing were hidden.
    assert solve(load("monty-hall"), "candidate").value() == 1


def test_in_maxn_ties_go_against_the_role_that_asks() -> None:
    game = Game.from_text(THREE)
    graph = explore(game.initial_state())
    # The choice of c is all one to c: 80 or 20 for a, whichever is worse for who asks.
    assert solve(game, "a", "maxn", graph=graph).values() == {"a": 0.2, "b": 0.6, "c": 0.3}
    # To b and c it makes no difference what a gets.
    assert solve(game, "b", "maxn", graph=graph).value() == 0.6
    # b is for itself, not against a: it follows a, though a would rather be left alone.
    assert solve(game, "a", "maximin", graph=graph).value() == 0.2
    state = game.initial_state().apply(["left", "noop", "noop", "noop"])
    assert solve(game, "b", "maxn", graph=graph).move_values(state) == {"left": 0.6, "right": 0.5}
    assert solve(game, "c", "maxn", graph=graph).move_values(state) == {"noop": 0.3}


def test_a_drawn_lot_beats_a_known_move() -> None:
    game = load("matching-pennies")
    assert [solve(game, role).value() for role in game.roles] == [0, 0]
    mixed = solve(game, "j1", "matrix")
    assert mixed.value() == pytest.approx(0.5)
    assert list(mixed.strategy().values()) == pytest.approx([0.5, 0.5])
    assert list(mixed.move_values().values()) == pytest.approx([0.5, 0.5])


def test_without_moves_at_once_lots_are_of_no_use() -> None:
    game = load("tic-tac-toe")
    graph = explore(game.initial_state())
    plain, mixed = (solve(game, "o", concept, graph=graph) for concept in ("maximin", "matrix"))
    state, rng = game.initial_state(), random.Random(5)
    while not state.is_terminal:
        assert plain.value(state) == mixed.value(state)
        state = state.apply(state.random_joint_move(rng))
    assert mixed.strategy(state) == {}


def test_a_graph_may_begin_in_the_middle() -> None:
    game = load("tic-tac-toe")
    state = game.initial_state().apply(["(mark 1 1)", "noop"]).apply(["noop", "(mark 1 2)"])
    part = solve(game, "x", graph=explore(state))
    assert len(part.graph) < 1000
    assert part.value() == part.value(state) == solve(game, "x").value(state) == 1
    with pytest.raises(WoodstockError, match="cannot be reached"):
        part.value(game.initial_state())


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(CyclicGameError, match="comes back after 1 joint moves"):
        solve(Game.from_text(CIRCLE), "me")
    with pytest.raises(TooManyStatesError, match="more than 1000 states"):
        solve(load("tic-tac-toe"), "x", max_states=1000)
    with pytest.raises(SolveError, match="one role at a time"):
        solve(load("matching-pennies"), "j1", "maxn")
    with pytest.raises(SolveError, match="this game has alice, bob"):
        solve(load("cooperative-matching-pennies"), "random")
    with pytest.raises(SolveError, match="best_moves"):
        solve(load("nim"), "player1").strategy()
    with pytest.raises(ValueError, match="no concept"):
        solve(load("nim"), "player1", "mean")  # type: ignore[arg-type]
    with pytest.raises(WoodstockError, match="circuit engine"):
        solve(Game.from_library("nim", engine="lifted"), "player1")


@settings(max_examples=effort(80, 200))
@given(st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_neither_side_of_a_matrix_game_can_do_better(
    height: int, width: int, rng: random.Random
) -> None:
    payoffs = [[rng.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(width)] for _ in range(height)]
    found = matrix_game(payoffs)
    assert sum(found.rows) == pytest.approx(1)
    assert sum(found.columns) == pytest.approx(1)
    assert min((*found.rows, *found.columns)) >= 0
    for column in zip(*payoffs):
        assert sum(map(float.__mul__, found.rows, column)) >= found.value - 1e-9
    for row in payoffs:
        assert sum(map(float.__mul__, row, found.columns)) <= found.value + 1e-9
