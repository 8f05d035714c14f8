"""Beliefs that are samples: how true they are, and how they are found again."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from belief_support import (
    KINDS,
    KRIEG,
    AnyTracker,
    hidden,
    memory_of,
    own_memories,
    past,
    played,
    sampling,
)
from effort import effort
from woodstock.belief.observation import Observation
from woodstock.belief.particle_filter import ParticleFilter
from woodstock.belief.reinvigoration import Reinvigorated, Reinvigoration


def advance_all(tracker: AnyTracker, observations: Sequence[Observation]) -> list[bool]:
    return [tracker.advance(*observation, math.inf) for observation in observations]


def find_nothing(*_: object, **__: object) -> Reinvigorated:
    return Reinvigorated([], False)


@pytest.mark.parametrize(
    ("name", "turns", "kind", "count"),
    [
        ("monty-hall", 3, "native", 20_000),
        ("monty-hall", 3, "plain", 1_000),
        ("kuhn-poker", 4, "native", 20_000),
        ("kuhn-poker", 4, "plain", 1_000),
        ("mastermind", 4, "native", 50_000),
        ("mastermind2x3.kif", 5, "native", 20_000),
        ("wumpus", 3, "native", 50_000),
        ("latent-tic-tac-toe-10x10", 4, "native", 20_000),
        ("latenttictactoe.gdl", 6, "native", 20_000),
        ("meier.gdl", 6, "native", 20_000),
    ],
)
def test_samples_have_the_chances_of_exact_beliefs(
    name: str, turns: int, kind: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    game = hidden(name)
    for role in game.players:
        exact = ParticleFilter(game, role, seed=1)
        sample = sampling(kind, game, role, count, 100 * count)
        for turn, observation in enumerate(played(game, role, 4, turns), 1):
            assert exact.advance(*observation, math.inf)
            assert sample.advance(*observation, math.inf)
            assert exact.belief.exact
            assert not sample.belief.exact
            # A percept that is unlikely leaves few of the hypotheses that were drawn before it.
            kept = count * sum(exact._now.weights)
            found = sample.belief.chances
            assert set(found) <= set(exact.belief.chances)
            for state, chance in exact.belief.chances.items():
                sigma = math.sqrt(turn * chance * max(0.0, 1 - chance) / kept)
                assert abs(found.get(state, 0.0) - chance) <= 5 * sigma + 1e-9


# Found again


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name",
    [*effort([], ["mastermind"]), "wumpus", "sheep-and-wolf-hidden", "latenttictactoe.gdl", KRIEG],
)
def test_few_hypotheses_are_reinvigorated(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With reinvigoration a tracker never has to guess; without, it would."""
    game = hidden(name)
    role = game.players[0]
    guessed = 0
    for seed in range(3):
        observations = played(game, role, seed, 8)
        reinvigorated = sampling(kind, game, role, 2, 4, seed)
        for length, observation in enumerate(observations, 1):
            assert reinvigorated.advance(*observation, math.inf)
            assert reinvigorated.belief.turn == length
            # What each hypothesis remembers of the match is what happened.
            memory = memory_of(game, role, observations[:length])
            assert own_memories(reinvigorated, game, role) == {memory}
        with monkeypatch.context() as patch:
            patch.setattr(Reinvigoration, "find", find_nothing)
            guessed += advance_all(sampling(kind, game, role, 2, 4, seed), observations).count(
                False
            )
    assert guessed


@pytest.mark.parametrize("kind", KINDS)
def test_a_reinvigorated_belief_may_be_exact(kind: str) -> None:
    """Where all matches are found, weights are those of a tracker that never lost any."""
    game, role = hidden("monty-hall"), "candidate"
    reinvigorated = 0
    for seed in range(12):
        observations = played(game, role, seed, 2)
        few = sampling(kind, game, role, 64, 1, seed)
        whole = ParticleFilter(game, role, seed=seed)
        assert all(advance_all(few, observations))
        assert all(advance_all(whole, observations))
        if few.belief.exact:
            reinvigorated += 1
            assert few.belief.chances == pytest.approx(whole.belief.chances)
            if kind == "native":
                remembered = [set(map(tuple, one.belief.memories)) for one in (few, whole)]
                assert remembered[0] == remembered[1]
    assert reinvigorated


# Guesses


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_guessed_away_is_not_asked_for_again(kind: str) -> None:
    game, role = hidden("mastermind"), "player"
    observations = played(game, role, 5, 6)
    for lie in (
        observations[2]._replace(percepts=frozenset({"nonsense"})),
        observations[2]._replace(move="nonsense"),
    ):
        told = [*observations[:2], lie, *observations[3:]]
        tracker = sampling(kind, game, role, 2, 200)
        assert advance_all(tracker, told) == [True, True, False, True, True, True]
        assert tracker._observations[2] != lie


@pytest.mark.parametrize("kind", KINDS)
def test_who_had_no_time_finds_back(kind: str) -> None:
    """A guess is followed until there is time to look for what agrees with everything."""
    game, role = hidden("mastermind"), "player"
    guessed = 0
    for seed in range(2):
        observations = played(game, role, seed, 6)
        tracker = sampling(kind, game, role, 2, 1, seed)
        guessed += [
            tracker.advance(*observation, past()) for observation in observations[:5]
        ].count(False)
        assert tracker.advance(*observations[5], math.inf)
        assert own_memories(tracker, game, role) == {memory_of(game, role, observations)}
    assert guessed


@pytest.mark.parametrize("kind", KINDS)
def test_a_lie_that_nobody_had_time_to_see_through(kind: str) -> None:
    game, role = hidden("mastermind"), "player"
    observations = played(game, role, 5, 6)
    lie = observations[2]._replace(percepts=frozenset({"nonsense"}))
    tracker = sampling(kind, game, role, 2, 200)
    assert advance_all(tracker, observations[:2]) == [True, True]
    assert not tracker.advance(*lie, past())
    assert tracker._observations[2] == lie
    assert advance_all(tracker, observations[3:])[1:] == [True, True]
    assert tracker._observations[2] != lie


@pytest.mark.parametrize("kind", KINDS)
def test_a_turn_that_fails_has_not_gone_by(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, role = hidden("monty-hall"), "candidate"
    observations = played(game, role, 1, 2)
    tracker = sampling(kind, game, role, 9, 90)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(tracker, "_follow", fail)
        with pytest.raises(MemoryError):
            tracker.advance(*observations[0], math.inf)
    assert tracker.belief.turn == 0
    assert advance_all(tracker, observations) == [True, True]
    assert tracker.belief.turn == 2
