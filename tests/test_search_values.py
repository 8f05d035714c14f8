"""Searches against exact values: small games from their beginning, all kinds near their end."""

from __future__ import annotations

import random
from functools import cache

import pytest

from effort import all_but, effort
from games_support import load
from woodstock import Game, State
from woodstock.search import Decision, Limits, OptionError, make_searcher
from woodstock.solve.exact import Solution, solve
from woodstock.solve.graph import StateGraph, TooManyStatesError, explore

SMALL = (
    "buttons-and-lights-10",
    "buttons-and-lights-3",
    "buttons-and-lights-7",
    "cooperative-matching-pennies",
    "matching-pennies",
    "nim",
    "randomised-tic-tac-toe",
    "tic-tac-toe",
    "untwisty",
    "vectorracer",
)
"""The games of the library with fewer than 50,000 states in which nothing is hidden."""

ENDGAMES = (
    "amazons-torus-10x10",
    "battle-of-numbers",
    "battlebrushes",
    "checkers",
    "chinese-checkers",
    "connect-four",
    "dots-and-boxes-suicide",
    "free-for-all-2p",
    "hex",
    "hunter",
    "majorities",
    "orchard",
    "oware",
    "pacman",
    "pickomino",
    "quarto",
    "reflect-connect-6",
    "reversi",
    "sheep-and-wolf",
    "skirmish",
    "sudoku",
    "tic-tac-chess-2p",
)
"""Larger ones: boards and dice, one to four players, in turn and at once."""

AT_ONCE = {"cooperative-matching-pennies", "matching-pennies"}
AT_ONCE |= {"battlebrushes"}
"""Those in which two players choose at the same time."""

STATES, TRIES = 5000, 20
"""An endgame has at most so many states; so many random games are looked through for one."""

GUARD = 30.0
"""CPU seconds after which a search is stopped that does not end by itself."""

EXACT = 1e-6
"""Searches keep bounds in single precision."""


@cache
def graph_of(name: str) -> StateGraph:
    return explore(load(name).initial_state()) if name in SMALL else endgame(name)


def endgame(name: str) -> StateGraph:
    """The states below a position near the end of a random game.

    It matters there what one does, though no move ends the game at once, and it is the earliest
    such position of its game that has few enough states below it.
    """
    game = load(name)
    rng = random.Random(f"endgame/{name}")
    for _ in range(TRIES):
        state, line = game.initial_state(), list[State]()
        while not state.is_terminal:
            line.append(state)
            state = state.apply(state.random_joint_move(rng))
        found = None
        for state in reversed(line):
            try:
                graph = explore(state, STATES)
            except TooManyStatesError:
                break
            values = [solve(game, role, graph=graph).move_values() for role in game.players]
            over_at_once = any(graph.sizes[after] is None for after in graph.after(0))
            if not over_at_once and any(len(set(moves.values())) > 1 for moves in values):
                found = graph
        if found is not None:
            return found
    raise AssertionError(f"no endgame of {name} was found")


def in_turn(graph: StateGraph) -> bool:
    """Whether nowhere two players choose at once."""
    mine = [number for number, role in enumerate(graph.game.roles) if role != "random"]
    return all(sizes is None or sum(sizes[r] > 1 for r in mine) <= 1 for sizes in graph.sizes)


def first_choice(graph: StateGraph) -> tuple[State, list[str]]:
    """The first state from the root in which a player has a choice, and who has one."""
    state = graph.root
    while True:
        found = [role for role in graph.game.players if len(state.legal_moves(role)) > 1]
        if found:
            return state, found
        state = state.apply([state.legal_moves(role)[0] for role in state.roles])


def think(
    player: str,
    role: str,
    concept: str,
    state: State,
    nodes: int = 10_000_000,
    simulations: int = 100_000_000,
) -> Decision:
    """What a search finds before it reaches a limit or has a proof: it must end by itself."""
    searcher = make_searcher(player, state.game, role, seed=1, concept=concept)
    limits = Limits(nodes=nodes, simulations=simulations, cpu_seconds=GUARD)
    found = searcher.think(state, limits=limits)
    assert found.cpu_seconds < GUARD
    return found


def search(player: str, solution: Solution, state: State, **limits: int) -> Decision:
    """A search for the role of an exact solution, with its concept."""
    return think(player, solution.role, solution.concept, state, **limits)


def test_games_are_what_the_tests_take_them_for() -> None:
    assert {name for name in (*SMALL, *ENDGAMES) if not in_turn(graph_of(name))} == AT_ONCE


MANY_TURNS = {"battlebrushes", "checkers", "oware", "pickomino", "skirmish", "vectorracer"}
"""Those in which looking for symmetries stage by stage takes a second and more."""


@pytest.mark.parametrize(
    ("name", "player"),
    [
        *((name, "mac-ucb") for name in (*SMALL, *ENDGAMES)),
        *((name, "mac-ucb:proof_steps=8") for name in (*SMALL, *ENDGAMES)),
        *((name, "mac-ucb-sym") for name in all_but([*SMALL, *ENDGAMES], MANY_TURNS)),
    ],
)
def test_mac_ucb_proves_the_exact_maximin_value(name: str, player: str) -> None:
    graph = graph_of(name)
    for role in graph.game.players:
        solution = solve(graph.game, role, graph=graph)
        found = search(player, solution, graph.root, nodes=100_000)
        assert found.proved
        assert found.value == pytest.approx(solution.value(), abs=EXACT)
        assert found.move in solution.best_moves(within=EXACT)
        assert found.values[role] == pytest.approx(solution.value(), abs=EXACT)


@pytest.mark.parametrize("player", ["mac-ucb", "uct"])
@pytest.mark.parametrize(
    ("name", "role", "value"),
    # Worked out by `solve` from 783,163 and 550,041 states.
    [("sheep-and-wolf", "wolf", 0.0)],
)
def test_larger_games_are_proved_from_their_beginning(
    name: str, role: str, value: float, player: str
) -> None:
    found = think(player, role, "maximin", load(name).initial_state())
    assert found.proved
    assert found.value == pytest.approx(value, abs=EXACT)


@pytest.mark.parametrize("order", ["utility", "depth"])
@pytest.mark.parametrize(
    "name", ["nim", "tic-tac-toe", "randomised-tic-tac-toe", "oware", "pacman"]
)
def test_the_order_of_the_stages_does_not_change_what_is_proved(name: str, order: str) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        solution = solve(graph.game, role, graph=graph)
        found = search(f"mac-ucb:order={order}", solution, state, nodes=100_000)
        assert found.proved
        assert found.value == pytest.approx(solution.value(state), abs=EXACT)
        assert found.move in solution.best_moves(state, within=EXACT)


@pytest.mark.parametrize(
    ("name", "player"),
    [
        (name, player)
        for name in (*SMALL, *ENDGAMES)
        for player in ("uct", "grave", "woodstock")
        if name not in AT_ONCE
        # It takes each of them millions of simulations.
        if name != "vectorracer" or player in effort(["woodstock"], ["uct", "grave", "woodstock"])
    ],
)
def test_tree_searches_converge_where_one_chooses_at_a_time(name: str, player: str) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        solution = solve(graph.game, role, graph=graph)
        found = search(player, solution, state, simulations=10_000_000)
        exactly = EXACT if found.proved else 0.01
        assert found.value == pytest.approx(solution.value(state), abs=exactly)
        assert found.move in solution.best_moves(state, within=exactly)


@pytest.mark.parametrize(
    ("name", "player"),
    [
        (name, player)
        for name in (*SMALL, *ENDGAMES)
        for player in ("mac-ucb", "uct", "grave", "woodstock")
        # Tree searches take moves made at once as mixed strategies, which move values are not.
        if player == "mac-ucb" or name not in AT_ONCE
    ],
)
def test_bounds_hold_however_short_the_search(name: str, player: str) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        solution = solve(graph.game, role, graph=graph)
        exact = solution.move_values(state)
        for nodes in (20, 200):
            found = search(player, solution, state, nodes=nodes, simulations=10_000)
            assert {one.move for one in found.moves} == set(exact)
            for one in found.moves:
                assert one.lower - EXACT <= exact[one.move] <= one.upper + EXACT


@pytest.mark.parametrize(
    ("name", "player"),
    [
        (name, player)
        for name in (*SMALL, *ENDGAMES)
        for player in (
            "uct:proof_numbers=5",
            "grave:proof_numbers=0.3",
            "uct:proof_steps=8",
            "mac-ucb:proof_steps=8",
        )
        # Tree searches take moves made at once as mixed strategies, which move values are not.
        if "mac-ucb" in player or name not in AT_ONCE
    ],
)
def test_proof_numbers_prove_nothing_wrong(name: str, player: str) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        solution = solve(graph.game, role, graph=graph)
        if "random" in graph.game.roles and "mac-ucb" not in player:
            with pytest.raises(OptionError, match=r"proof_\w+ is for games .* there is chance"):
                search(player, solution, state)
            continue
        exact = solution.move_values(state)
        for simulations in (500, 5_000, 100_000):
            found = search(player, solution, state, simulations=simulations)
            for one in found.moves:
                assert one.lower - EXACT <= exact[one.move] <= one.upper + EXACT
            if found.proved:
                assert found.value == pytest.approx(solution.value(state), abs=EXACT)
                assert found.move in solution.best_moves(state, within=EXACT)


@pytest.mark.parametrize("player", ["uct", "grave", "uct-sym", "mac-ucb", "mac-ucb-sym"])
def test_proof_steps_prove_what_playouts_leave_open(player: str) -> None:
    game = load("tic-tac-toe")
    for role in game.players:
        plain = think(player, role, "maximin", game.initial_state(), simulations=1)
        assert not plain.proved
        text = f"{player}:proof_steps=1000000"
        found = think(text, role, "maximin", game.initial_state(), simulations=1)
        assert found.proved
        assert found.value == 0.5
        assert found.simulations <= plain.simulations


@pytest.mark.parametrize("player", ["mac-ucb", "uct", "grave", "woodstock"])
@pytest.mark.parametrize("name", ["orchard", "quarto", "chinese-checkers"])
def test_a_team_gets_the_exact_expectation(name: str, player: str) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        solution = solve(graph.game, role, "team", graph=graph)
        found = search(player, solution, state, nodes=100_000, simulations=10_000_000)
        exactly = EXACT if found.proved else 0.01
        assert found.value == pytest.approx(solution.value(state), abs=exactly)
        assert found.move in solution.best_moves(state, within=exactly)


@pytest.mark.parametrize("player", ["mac-ucb", "uct", "grave", "woodstock"])
def test_a_team_places_equal_coins(player: str) -> None:
    game = load("cooperative-matching-pennies")
    for role in game.players:
        solution = solve(game, role, "team")
        found = search(player, solution, game.initial_state(), simulations=10_000)
        assert found.value == pytest.approx(0.5, abs=0.02)
        assert list(found.values.values()) == pytest.approx([0.5, 0.5], abs=0.02)


# What the row player gets: nothing is sure, but (top 1 : bottom 4) against (left 2 : right 3) has
# the value 40, and knowing the other's move the row player is sure of 25.
BIASED = """
(role row) (role column)
(init begin)
(<= (legal row ?m) (true begin) (line ?m)) (line top) (line bottom)
(<= (legal column ?m) (true begin) (side ?m)) (side left) (side right)
(<= (next (played ?r ?m)) (does ?r ?m))
(<= terminal (not (true begin)))
(payoff top left 100 0) (payoff top right 0 100)
(payoff bottom left 25 75) (payoff bottom right 50 50)
(<= (goal row ?g) (true (played row ?x)) (true (played column ?y)) (payoff ?x ?y ?g ?h))
(<= (goal column ?h) (true (played row ?x)) (true (played column ?y)) (payoff ?x ?y ?g ?h))
"""


@pytest.mark.parametrize("rules", ["matching-pennies", "biased"])
def test_regret_matching_finds_the_mixed_equilibrium(rules: str) -> None:
    game = Game.from_text(BIASED) if rules == "biased" else load(rules)
    for role in game.roles:
        solution = solve(game, role, "matrix")
        found = think("cfr", role, "maximin", game.initial_state(), simulations=1_000_000)
        shares = {one.move: one.share for one in found.moves}
        assert shares == pytest.approx(solution.strategy(), abs=0.05)
        assert found.value == pytest.approx(solution.value(), abs=0.03)


@pytest.mark.parametrize("player", ["uct", "grave", "cfr"])
@pytest.mark.parametrize("name", ["battlebrushes"])
def test_what_tree_searches_prove_of_moves_made_at_once_is_the_mixed_value(
    name: str, player: str
) -> None:
    graph = graph_of(name)
    state, choosers = first_choice(graph)
    for role in choosers:
        found = think(player, role, "maximin", state, simulations=100_000)
        if found.proved:
            value = solve(graph.game, role, "matrix", graph=graph).value(state)
            assert found.value == pytest.approx(value, abs=EXACT)


def test_pure_and_mixed_values_differ_where_moves_are_made_at_once() -> None:
    game = Game.from_text(BIASED)
    assert [solve(game, role).value() for role in game.roles] == [0.25, 0.5]
    assert [solve(game, role, "matrix").value() for role in game.roles] == pytest.approx([0.4, 0.6])
