"""The phases of a tracker: every line of the table in `BeliefTracker` happens."""

from __future__ import annotations

import math

import pytest

from belief_support import KINDS, AnyTracker, hidden, played, sampling
from woodstock.belief import PlainParticleFilter, make_tracker
from woodstock.belief.belief_tracker import Phase
from woodstock.belief.observation import Observation
from woodstock.belief.particle_filter import ParticleFilter

GAME, ROLE = "monty-hall", "candidate"


def follow(tracker: AnyTracker, *observations: Observation, until: float = math.inf) -> list[Phase]:
    phases = []
    for observation in observations:
        tracker.advance(*observation, until)
        phases.append(tracker.phase)
        assert tracker.belief.exact == (tracker.phase is Phase.EXACT)
    return phases


def lie(observation: Observation) -> Observation:
    return observation._replace(percepts=frozenset({"nonsense"}))


@pytest.mark.parametrize("engine", ["circuit", "lifted"])
def test_all_that_may_be_is_refuted_at_once(engine: str) -> None:
    tracker = make_tracker(hidden(GAME, engine), ROLE, seed=1)
    assert isinstance(tracker, ParticleFilter | PlainParticleFilter)
    first, second, _ = played(hidden(GAME, engine), ROLE, 1, 3)
    assert tracker.phase is Phase.EXACT
    assert follow(tracker, first, lie(second)) == [Phase.EXACT, Phase.REFUTED]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_too_much_is_sampled(kind: str) -> None:
    game = hidden(GAME)
    tracker = sampling(kind, game, ROLE, 3, 300)
    assert follow(tracker, *played(game, ROLE, 5, 2)) == [Phase.SAMPLED, Phase.SAMPLED]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_refuted_only_by_a_proof(kind: str) -> None:
    game = hidden(GAME)
    first, second, third = played(game, ROLE, 5, 3)
    tracker = sampling(kind, game, ROLE, 1, 200)
    assert follow(tracker, first, lie(second), third)[1:] == [Phase.REFUTED, Phase.SAMPLED]
    tracker = sampling(kind, game, ROLE, 1, 200)
    follow(tracker, first)
    assert follow(tracker, lie(second), until=-math.inf) == [Phase.GUESSED]
    # What guesses have left is all that is believed, once nothing agrees with more.
    assert follow(tracker, third) == [Phase.SAMPLED]


@pytest.mark.parametrize("kind", KINDS)
def test_who_had_no_time_finds_back(kind: str) -> None:
    game = hidden(GAME)
    first, second, _ = played(game, ROLE, 5, 3)
    tracker = sampling(kind, game, ROLE, 1, 0)
    assert follow(tracker, first, until=-math.inf) == [Phase.GUESSED]
    assert follow(tracker, second) == [Phase.SAMPLED]
    assert tracker._observations == [first, second]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_may_turn_out_to_be_all_there_is(kind: str) -> None:
    game = hidden(GAME)
    observations = played(game, ROLE, 1, 2)
    tracker = sampling(kind, game, ROLE, 9, 0)
    assert follow(tracker, *observations[:1]) == [Phase.EXACT]
