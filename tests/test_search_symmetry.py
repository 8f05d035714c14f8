"""Searches up to symmetry: what they find, what they save, and that it is still the game."""

from __future__ import annotations

import gc
import random
import weakref

import pytest

from effort import effort
from games_support import load
from test_search_values import EXACT, GUARD, graph_of
from woodstock import Game, State, games
from woodstock.search import Decision, Limits, OptionError, make_searcher
from woodstock.search.symmetry import find, is_settled
from woodstock.solve.exact import solve
from woodstock.symmetry import Symmetries, rule_symmetries

SYMMETRIC = ("tic-tac-toe", "randomised-tic-tac-toe", "nim")
SEARCHES = ("uct-sym", "grave-sym", "mac-ucb-sym")


def states_of(game: Game, seed: int, plies: int) -> list[State]:
    rng = random.Random(seed)
    state, out = game.initial_state(), list[State]()
    while len(out) < plies and not state.is_terminal:
        out.append(state)
        state = state.apply(state.random_joint_move(rng))
    return [*out, state]


def think(player: str, state: State, role: str, *, seed: int = 1, **limits: int) -> Decision:
    searcher = make_searcher(player, state.game, role, seed=seed)
    return searcher.think(state, limits=Limits(cpu_seconds=GUARD, **limits))


@pytest.mark.parametrize("name", games.names())
def test_representatives_are_the_same_just_on_orbits(name: str) -> None:
    game = load(name)
    found = rule_symmetries(game, keep=game.initial_state(), seconds=20)
    if found.order > 64 or found.idle:
        found = Symmetries(game, found.points, found.generators[:2], complete=False)
    fold = found.quotient(64, idle=False)
    if fold.size < found.order:
        return
    for state in states_of(game, 5, 8)[1::3]:
        one = fold.representative(state.position)
        images = {symmetry.position(state.position) for symmetry in found.elements(64)}
        assert {fold.representative(image) for image in images} == {one}
        assert one in images


def test_large_groups_are_folded_in_part() -> None:
    game = load("quarto")
    found = rule_symmetries(game, keep=game.initial_state())
    assert found.order == 12288
    fold = found.quotient(64)
    assert 1 < fold.size <= 64
    states = states_of(game, 3, 8)
    for state in states:
        one = fold.representative(state.position)
        assert fold.representative(one) == one
        assert sum(map(int.bit_count, one)) == sum(map(int.bit_count, state.position))
    after = {fold.representative(state.position) for _, state in states[0].successors()}
    assert len(after) < len(states[0].legal_moves("white"))


def test_what_nothing_depends_on_is_left_out() -> None:
    game = Game.from_text(
        """(role x) (init (at 0)) (init (noise 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal x loud) (legal x quiet)
        (<= (next (noise 1)) (does x loud)) (<= (next (noise 2)) (does x quiet))
        (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= terminal (true (at 3))) (goal x 100)"""
    )
    found = rule_symmetries(game)
    assert len(found.idle) == 3
    fold = found.quotient(64)
    start = game.initial_state()
    after = [start.apply([move]).position for move in ("loud", "quiet")]
    assert len({fold.representative(state) for state in after}) == 1
    assert len({found.quotient(64, idle=False).representative(state) for state in after}) == 2


@pytest.mark.parametrize("name", ["tic-tac-toe", "randomised-tic-tac-toe"])
def test_exact_values_are_the_same_on_orbits(name: str) -> None:
    graph = graph_of(name)
    game = graph.game
    generators = rule_symmetries(game, keep=game.initial_state()).generators
    assert generators
    for role in game.players:
        solution = solve(game, role, graph=graph)
        for seed in range(10):
            for state in states_of(game, seed, 20):
                for symmetry in generators:
                    assert solution.value(symmetry.state(state)) == solution.value(state)


@pytest.mark.parametrize("player", SEARCHES)
@pytest.mark.parametrize("name", SYMMETRIC)
def test_exact_values_are_found(name: str, player: str) -> None:
    graph = graph_of(name)
    for role in graph.game.players:
        solution = solve(graph.game, role, graph=graph)
        found = think(player, graph.root, role, nodes=200_000, simulations=3_000_000)
        assert found.proved
        assert found.value == pytest.approx(solution.value(), abs=EXACT)
        assert found.move in solution.best_moves(within=EXACT)


@pytest.mark.parametrize("player", SEARCHES)
def test_less_is_searched(player: str) -> None:
    start = load("tic-tac-toe").initial_state()
    plain = think(player.removesuffix("-sym"), start, "x")
    folded = think(player, start, "x")
    assert plain.proved
    assert folded.proved
    assert folded.value == plain.value
    assert folded.nodes < plain.nodes / 3


@pytest.mark.parametrize("player", [*SEARCHES, "woodstock:symmetry=stage", "cfr:symmetry=rules"])
@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "connect-four", "quarto", "kaseklau", "matching-pennies", "reversi"]
)
def test_decisions_speak_of_the_position_asked_about(name: str, player: str) -> None:
    game = load(name)
    for state in states_of(game, 11, 7)[: -1 : effort(3, 2)]:
        for role in game.players:
            found = think(player, state, role, simulations=effort(5_000, 20_000))
            assert {one.move for one in found.moves} == set(state.legal_moves(role))
            assert len(found.moves) == len(state.legal_moves(role))
            assert found.move == found.moves[0].move
            if any(one.share for one in found.moves):
                assert sum(one.share for one in found.moves) == pytest.approx(1)
            reached = state
            for joint in found.line:
                assert not reached.is_terminal
                reached = reached.apply(joint)  # an illegal move is an error


def test_equal_moves_have_equal_values() -> None:
    start = load("tic-tac-toe").initial_state()
    found = think("uct-sym", start, "x", simulations=50_000)
    values = {str(one.move): one.value for one in found.moves}
    assert len({values[f"(mark {i} {j})"] for i in (1, 3) for j in (1, 3)}) == 1


@pytest.mark.parametrize("player", SEARCHES)
def test_any_of_equal_moves_is_made(player: str) -> None:
    state = load("tic-tac-toe").initial_state().apply({"x": "(mark 2 2)", "o": "noop"})
    made = {str(think(player, state, "o", seed=seed, nodes=2000).move) for seed in range(12)}
    assert len(made) > 1
    assert made <= {"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"}


@pytest.mark.parametrize("player", SEARCHES)
def test_a_match_is_played_with_one_search(player: str) -> None:
    game = load("connect-four")
    rng = random.Random(8)
    searchers = {role: make_searcher(player, game, role, seed=3) for role in game.roles}
    state = game.initial_state()
    while not state.is_terminal:
        joint = []
        for role in game.roles:
            legal = state.legal_moves(role)
            if len(legal) == 1 or rng.random() < 0.3:
                joint.append(rng.choice(legal))
            else:
                limits = Limits(simulations=2000)
                joint.append(searchers[role].think(state, limits=limits).move)
        state = state.apply(joint)


@pytest.mark.parametrize("solver", ["compiled", "mac"])
def test_the_solver_makes_no_difference(solver: str) -> None:
    start = load("tic-tac-toe").initial_state()
    found = think(f"mac-ucb-sym:symmetry=rules,solver={solver}", start, "x")
    assert found.proved
    assert found.value == 0.5
    assert found.nodes == think("mac-ucb-sym:symmetry=rules", start, "x").nodes


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "copolymer-pie"])
def test_networks_are_given_states_they_know(name: str) -> None:
    game = load(name)
    for state in states_of(game, 4, 6)[:-1]:
        for role in game.players:
            if len(state.legal_moves(role)) > 1:
                found = think("mac-ucb-sym:solver=mac", state, role, nodes=200)
                assert found.move in state.legal_moves(role)


def test_what_takes_too_long_is_not_begun() -> None:
    game = Game.from_library("tic-tac-toe")
    assert find(game, "rules", seconds=600) is not None
    assert is_settled(game, "rules")
    # No time is left for the network of a turn: what is known has to do.
    assert find(game, "stage", seconds=0) is not None
    assert not is_settled(game, "stage")
    assert find(game, "stage", seconds=600) is not None
    assert is_settled(game, "stage")


def test_options_are_checked() -> None:
    game = load("tic-tac-toe")
    for wrong in ("symmetry=much", "symmetry_share=2", "elements=0"):
        with pytest.raises(OptionError):
            make_searcher(f"uct-sym:{wrong}", game, "x")


def test_bounds_of_expectations_do_not_raise_values() -> None:
    """No play wins orchard more often: worked out by hand of its few states up to symmetry."""
    start = load("orchard").initial_state()
    found = think("uct-sym", start, "alice", simulations=1_500_000)
    assert 0.63 < found.value < 0.6841


def test_symmetries_do_not_keep_a_game_alive() -> None:
    game = Game.from_library("tic-tac-toe")
    searcher = make_searcher("uct-sym", game, "x", seed=1)
    searcher.think(game.initial_state(), limits=Limits(simulations=1000))
    alive = weakref.ref(game)
    del game, searcher
    gc.collect()
    assert alive() is None
