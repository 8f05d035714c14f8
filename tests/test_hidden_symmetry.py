"""Symmetric beliefs are searched once, and are worth the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games_support import load
from woodstock import Game
from woodstock.belief import Belief, ObservationHistory
from woodstock.search import Decision, Limits, make_searcher
from woodstock.symmetry import rule_symmetries

SMALL = ["monty-hall", "hidden-matching-pennies", "guess-dice", "kuhn-poker"]


def first_belief(game: Game) -> Belief:
    return ObservationHistory(game, game.players[0], seed=1).belief()


def think(player: str, belief: Belief, limits: Limits, seed: int = 1) -> tuple[Decision, Any]:
    game = belief.states[0].game
    searcher: Any = make_searcher(player, game, game.players[0], seed=seed)
    return searcher.think(belief, limits=limits), searcher._native


@pytest.mark.parametrize("name", SMALL)
def test_what_is_proved_stays_so(name: str) -> None:
    belief = first_belief(load(name))
    usual, plain = think("mac-ucb-ii", belief, Limits(nodes=20_000))
    folded, _ = think("mac-ucb-sym", belief, Limits(nodes=20_000))
    assert usual.proved
    assert folded.proved
    assert folded.value == pytest.approx(usual.value)
    values = [{str(one.move): one.value for one in found.moves} for found in (usual, folded)]
    assert values[1] == pytest.approx(values[0])
    assert folded.nodes <= usual.nodes
    assert plain.twins == 0


def test_doors_are_alike_before_anything_is_proved() -> None:
    """Which door is chosen first makes no difference: one of the three beliefs is looked at."""
    belief = first_belief(load("monty-hall"))
    folded, native = think("mac-ucb-sym", belief, Limits(nodes=4))
    assert not folded.proved
    assert len(folded.moves) == 3
    assert len({one.value for one in folded.moves}) == 1
    assert native.twins == 2
    usual, _ = think("mac-ucb-ii", belief, Limits(nodes=4))
    assert len({one.value for one in usual.moves}) > 1  # samples differ


@pytest.mark.parametrize("name", ["vacuum-cleaner-random", "wumpus"])
def test_symmetric_moves_are_worth_the_same(name: str) -> None:
    """Moves that a symmetry of the belief takes to each other, after any number of nodes."""
    game = load(name)
    role = game.players[0]
    history = ObservationHistory(game, role, seed=1)
    state, dice = game.initial_state(), random.Random(3)
    while len(state.legal_moves(role)) == 1:  # chance lays out what is hidden
        state = state.apply({role: "noop", "random": dice.choice(state.legal_moves("random"))})
        history.see("noop", state)
    belief = history.belief()
    legal = belief.legal_moves()
    weights = belief.chances
    pairs = []
    for symmetry in rule_symmetries(game).elements(64):
        image = {symmetry.state(state): chance for state, chance in weights.items()}
        if image.keys() == weights.keys() and all(
            image[state] == pytest.approx(weights[state]) for state in image
        ):
            pairs += [(move, symmetry.move(role, move)) for move in legal]
    pairs = [(one, other) for one, other in pairs if one != other]
    assert pairs, "the test is about moves that are alike"
    # Of some thousand states all, or a sample, which is as symmetric as they are.
    everything = "mac-ucb-sym:hypotheses=10000,successors=1000000"
    for player, nodes in ((everything, 2), (everything, 50), ("mac-ucb-sym", 50)):
        decision, native = think(player, belief, Limits(nodes=nodes))
        values = {one.move: one.value for one in decision.moves}
        for one, other in pairs:
            assert values[one] == pytest.approx(values[other], abs=1e-9)
        assert native.twins > 0


def test_the_image_of_a_belief_has_the_same_value() -> None:
    """Hidden matching pennies with heads and tails exchanged."""
    game = load("hidden-matching-pennies")
    values = []
    for side in ("heads", "tails"):
        history = ObservationHistory(game, "alice", seed=1)
        history.record("noop", [f"(coins {side})"])
        decision, _ = think("mac-ucb-sym", history.belief(), Limits(nodes=1000))
        values.append({str(one.move).replace(side, "same"): one.value for one in decision.moves})
    assert values[0]["(play same)"] == pytest.approx(values[1]["(play same)"])
    assert values[0]["(play same)"] == pytest.approx(0.75)


def test_the_same_seed_and_budget_give_the_same_search() -> None:
    belief = first_belief(load("wumpus"))
    found = [think("mac-ucb-sym", belief, Limits(nodes=3000))[0] for _ in range(2)]
    assert found[0].moves == found[1].moves
    assert found[0].simulations == found[1].simulations
