"""Searches with nets of nearly any weights: moves are legal, limits are kept, proofs are right."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load
from woodstock import Game, State, _core
from woodstock.search import Limits, OptionError, make_searcher

GAMES = (
    "tic-tac-toe",
    "breakthrough",
    "connect-four-simultaneous",
    "randomised-tic-tac-toe",
    "free-for-all-2p",
    "cooperative-matching-pennies",
    "orchard",
)
"""In turn and at once, against each other and together, with and without dice."""

PLAYERS = (
    "mac-ucb:values=net",
    "mac-ucb:values=net,answer=followed",
    "mac-ucb:values=net,order=depth",
    "mac-ucb:values=blend,samples=64",
    "mac-ucb-sym:values=net",
    "uct:values=blend",
    "grave:values=blend,net_weight=0.9",
)


@cache
def net_of(name: str, seed: int) -> _core.ValueNet:
    """A net after next to no training: it knows nothing of the game."""
    engine = load(name).circuit()
    options = _core.TrainerOptions()
    options.seed, options.hidden = seed, 4
    if "random" in engine.roles:
        options.chance = engine.roles.index("random")
    features = _core.Features(len(engine.grounding.program.fluents()))
    trainer = _core.Trainer(engine.circuit, features, options)
    trainer.go_on(_core.Stop(), positions=100)
    return trainer.net


def somewhere(game: Game, plies: int, luck: random.Random) -> State:
    """A state after some random moves in which the game goes on."""
    state = game.initial_state()
    for _ in range(plies):
        following = state.apply(state.random_joint_move(luck))
        if following.is_terminal:
            break
        state = following
    return state


@given(
    st.sampled_from(GAMES),
    st.sampled_from(PLAYERS),
    st.integers(0, 3),
    st.integers(0, 40),
    st.randoms(use_true_random=False),
)
def test_moves_are_legal_and_limits_kept(
    name: str, player: str, seed: int, plies: int, luck: random.Random
) -> None:
    game = load(name)
    state = somewhere(game, plies, luck)
    role = luck.choice(game.players)
    found = [
        make_searcher(player, game, role, seed=seed, memory_mb=4, net=net_of(name, seed)).think(
            state, limits=Limits(nodes=300)
        )
        for _ in range(2)
    ]
    assert found[0].move in state.legal_moves(role)
    assert {one.move for one in found[0].moves} == set(state.legal_moves(role))
    # What is counted is counted after each stage, or each pass of 64 leaves.
    assert found[0].nodes <= 300 + 1000
    assert found[0].bytes <= 4 << 20
    assert [one.move for one in found[0].moves] == [one.move for one in found[1].moves]
    assert found[0].value == found[1].value
    assert all(0 <= one.lower <= one.upper <= 1 for one in found[0].moves)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("seed", range(2))
def test_proofs_are_those_of_the_game(player: str, seed: int) -> None:
    game = load("tic-tac-toe")
    searcher = make_searcher(player, game, "x", net=net_of("tic-tac-toe", seed))
    found = searcher.think(game.initial_state(), limits=Limits(simulations=3_000_000))
    assert found.proved
    assert found.value == 0.5


@pytest.mark.parametrize("player", ["mac-ucb:values=net", "uct:values=blend"])
def test_a_net_that_is_missing_or_foreign_is_refused(player: str) -> None:
    game = load("tic-tac-toe")
    with pytest.raises(OptionError, match="needs a net"):
        make_searcher(player, game, "x")
    with pytest.raises(OptionError, match="the net is that of another game"):
        make_searcher(player, game, "x", net=net_of("breakthrough", 0))


def test_a_stage_counts_where_nothing_is_played() -> None:
    game = load("breakthrough")
    searcher = make_searcher("mac-ucb:values=net", game, "white", net=net_of("breakthrough", 0))
    assert searcher.think(game.initial_state(), limits=Limits(simulations=50)).simulations == 50


def test_what_was_followed_most_is_answered() -> None:
    game = load("breakthrough")
    player = "mac-ucb:values=net,answer=followed"
    searcher = make_searcher(player, game, "white", net=net_of("breakthrough", 1))
    found = searcher.think(game.initial_state(), limits=Limits(simulations=2000))
    assert found.moves[0].visits == max(one.visits for one in found.moves)
