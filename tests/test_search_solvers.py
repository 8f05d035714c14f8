"""MAC-UCB finds the same tree whoever solves its stages."""

from __future__ import annotations

import pytest

from games_support import load
from woodstock.search import Decision, Limits, make_searcher

GAMES = (
    "breakthrough",
    "connect-four",
    "cooperative-matching-pennies",
    "kaseklau",
    "knight-through",
    "matching-pennies",
    "nim",
    "orchard",
    "pentago",
    "quarto",
    "randomised-tic-tac-toe",
    "sheep-and-wolf",
    "tic-tac-toe",
    "yahtzee",
)


def found(name: str, solver: str, order: str) -> dict[str, object]:
    """All that a search says, but for its clocks."""
    game = load(name)
    role = game.players[0]
    searcher = make_searcher("mac-ucb", game, role, seed=1, solver=solver, samples=64, order=order)
    decision: Decision = searcher.think(game.initial_state(), limits=Limits(nodes=400))
    clocks = {"seconds", "cpu_seconds"}
    return {key: value for key, value in vars(decision).items() if key not in clocks}


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_is_the_same_with_every_solver(name: str) -> None:
    expected = found(name, "compiled", "principal")
    assert found(name, "mac", "principal") == expected
    assert found(name, "fc", "principal") == expected


@pytest.mark.parametrize("order", ["utility", "depth"])
def test_so_it_is_in_every_order(order: str) -> None:
    expected = found("connect-four", "compiled", order)
    assert expected != found("connect-four", "compiled", "principal")
    assert found("connect-four", "mac", order) == expected
