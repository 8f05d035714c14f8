"""Players' strategies as constraints: values and moves are those of maximin."""

from __future__ import annotations

from unittest import mock

import pytest

from games_support import load
from test_paper_presets import FOUR_MARKS
from woodstock import State
from woodstock.scsp.encode import EncodingError, operators, template
from woodstock.scsp.encode.operators import Form, strategy_network
from woodstock.scsp.network import Network
from woodstock.scsp.solver import Solver
from woodstock.scsp.strategies import maximin
from woodstock.solve.exact import solve

SMALL = [
    ("matching-pennies", 2),
    ("cooperative-matching-pennies", 3),
    ("randomised-tic-tac-toe", 4),
    ("randomised-tic-tac-toe", 6),
]


def worth(network: Network, player: str, turn: int = 1) -> list[object]:
    solver = Solver(network)
    return list(solver.domain(f"u*_{player}@{turn}")) if solver.propagate() else []


def first_moves(network: Network, player: str) -> set[object]:
    """The first moves that some solution has."""
    solver = Solver(network)
    name = f"action_{player}@1"
    domain = network.variable(name).domain
    return {move for move in domain if solver.first(given={name: move}) is not None}


@pytest.mark.parametrize(("name", "turns"), SMALL)
@pytest.mark.parametrize("team", [False, True])
def test_values_and_moves_are_those_of_maximin(name: str, turns: int, team: bool) -> None:
    game = load(name)
    plus = max if team else min
    network = strategy_network(game, turns=turns, plus=plus)
    base = template(game).unroll(turns, game.initial_state())
    owners = {
        f"action_{role}@{turn}": place
        for turn in range(1, turns + 1)
        for place, role in enumerate(game.players)
    }
    wanted = maximin(base, owners, plus=plus)
    assert wanted is not None
    for place, role in enumerate(game.players):
        assert worth(network, role) == [wanted.values[place]]
        moves = wanted.moves[f"action_{role}@1"]
        best = {move for move, value in moves.items() if value == max(moves.values())}
        assert first_moves(network, role) == best


@pytest.mark.parametrize("form", ["u", "vq"])
@pytest.mark.parametrize("role", ["x", "o"])
def test_values_are_those_of_the_game(form: Form, role: str) -> None:
    """Five cells are free: six turns are all there is."""
    state: State = FOUR_MARKS
    network = strategy_network(state.game, turns=6, state=state, form=form)
    exact = solve(state.game, role)
    assert worth(network, role) == [exact.value(state)]
    if role == "x":
        values = exact.move_values(state)
        best = {str(move) for move, value in values.items() if value == max(values.values())}
        assert first_moves(network, "x") == best


def test_chance_is_expected() -> None:
    """The team wins if chance shows what both have laid: half of the time."""
    game = load("cooperative-matching-pennies")
    network = strategy_network(game, turns=3, plus=max, form="vq")
    assert [str(value) for value in worth(network, "alice")] == ["1/2"]
    table = next(c for c in network.hard if c.name == "Q*" and "u*_alice@1" in c.scope)
    assert len({row[-1] for row in table.rows}) > 1


def test_what_lies_beyond_the_horizon_is_worth_nothing() -> None:
    game = load("randomised-tic-tac-toe")
    assert worth(strategy_network(game, turns=3), game.players[0]) == [0]
    assert worth(strategy_network(game, turns=9), game.players[0]) == [1]


def test_where_both_choose_at_once_v_and_q_may_have_no_common_solution() -> None:
    """Nobody is sure of anything, and yet somebody wins: no joint move is worth 0 to both."""
    game = load("matching-pennies")
    assert Solver(strategy_network(game, turns=2)).first() is not None
    assert Solver(strategy_network(game, turns=2, form="vq")).first() is None


def test_large_games_are_refused() -> None:
    few = mock.patch.object(operators, "MOST_STATES", 50)
    with few, pytest.raises(EncodingError, match="more than 50 states"):
        strategy_network(load("tic-tac-toe"), turns=4)
