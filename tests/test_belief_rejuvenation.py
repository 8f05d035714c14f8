"""Matches that are changed move by move: what they are a sample of, and what they save."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from belief_support import hidden, memory_of, own_memories, played
from woodstock import State, _core
from woodstock.belief.belief_tracker import Phase
from woodstock.belief.evidence import Seeing
from woodstock.belief.particle_filter import ParticleFilter
from woodstock.belief.reinvigoration import Reinvigorated, Reinvigoration
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import normalise
from woodstock.gdl.terms import parse_term


def find_nothing(*_: object, **__: object) -> Reinvigorated:
    return Reinvigorated([], False)


def rejuvenated(
    tracker: ParticleFilter, hypotheses: _core.Hypotheses, count: int, rounds: int
) -> _core.Hypotheses:
    """What matches lead to that are like those of hypotheses, each changed about so many times."""
    numbers = [
        tracker._numbers(tracker._observed(observation)) for observation in tracker._observations
    ]
    told = [one for one in numbers if one is not None]
    steps = (rounds + 1) * count * (len(told) + 1)
    return tracker._filter.rejuvenate(
        hypotheses, told, count=count, steps=steps, seed=3, seconds=1e9
    )


def chances(tracker: ParticleFilter, hypotheses: _core.Hypotheses) -> Counter[State]:
    positions, weights, _ = tracker._listed(hypotheses)
    found: Counter[State] = Counter()
    for position, weight in zip(positions, weights):
        found[State(tracker._game, position)] += weight / sum(weights)  # type: ignore[assignment]
    return found


@pytest.mark.parametrize(
    ("name", "turns"),
    [("monty-hall", 2), ("mastermind2x3.kif", 4), ("latenttictactoe.gdl", 6), ("meier.gdl", 6)],
)
def test_what_is_varied_keeps_its_chances(name: str, turns: int) -> None:
    """Drawn from an exact belief and changed ever so often, matches are drawn from it still."""
    game, count = hidden(name), 10_000
    for role in game.players:
        tracker = ParticleFilter(game, role, seed=1)
        for observation in played(game, role, 4, turns):
            assert tracker.advance(*observation, math.inf)
        assert tracker.belief.exact
        found = rejuvenated(tracker, tracker._now, count, 12)
        assert sum(found.weights) == count
        known = chances(tracker, found)
        assert set(known) <= set(tracker.belief.chances)
        for state, chance in tracker.belief.chances.items():
            sigma = math.sqrt(chance * max(0.0, 1 - chance) / count)
            assert abs(known[state] - chance) <= 5 * sigma + 1e-9
        memory = memory_of(game, role, tracker._observations)
        own = game.roles.index(role)
        assert {one[own] for one in tracker._listed(found)[2]} == {memory}


@pytest.mark.parametrize(
    ("name", "turns"), [("latenttictactoe.gdl", 3), ("latent-tic-tac-toe-10x10", 3)]
)
def test_one_match_leads_to_all_others(name: str, turns: int) -> None:
    game = hidden(name)
    role = game.players[0]
    tracker = ParticleFilter(game, role, seed=1)
    for observation in played(game, role, 4, turns):
        assert tracker.advance(*observation, math.inf)
    whole = tracker._now
    assert len(whole) > 5
    few = tracker._filter.rejuvenate(
        whole,
        [one for g in tracker._observations if (one := tracker._numbers(tracker._observed(g)))],
        count=1,
        steps=1,
        seed=1,
        seconds=1e9,
    )
    assert len(few) == 1
    assert set(chances(tracker, rejuvenated(tracker, few, 2_000, 40))) == set(
        tracker.belief.chances
    )


@pytest.mark.parametrize(
    ("name", "turns", "particles"),
    [("schnappt-hubi", 45, 100), ("latent-tic-tac-toe-10x10", 50, 20)],
)
def test_a_sample_that_would_die_out_is_kept_alive(
    name: str, turns: int, particles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What chance did in the beginning shows late: nothing that is played on can make up for it."""
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    game = hidden(name)
    role = game.players[0]
    observations = played(game, role, 2, turns)
    guesses = []
    for steps in (0, 300_000):
        tracker = ParticleFilter(game, role, seed=1, expanded=400, particles=particles, steps=steps)
        guesses.append(
            sum(not tracker.advance(*observation, math.inf) for observation in observations)
        )
    assert guesses[0] > guesses[1] == 0
    memory = memory_of(game, role, observations)
    assert own_memories(tracker, game, role) == {memory}


def test_who_has_guessed_finds_back_by_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From what agreed last, though it is some turns behind."""
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    game = hidden("schnappt-hubi")
    role = game.players[0]
    observations = played(game, role, 2, 45)
    tracker = ParticleFilter(game, role, seed=1, expanded=400, particles=100, steps=0)
    agreed = [tracker.advance(*observation, math.inf) for observation in observations[:-1]]
    assert not all(agreed)
    assert tracker.phase is Phase.GUESSED
    tracker._steps = 50_000_000
    assert tracker.advance(*observations[-1], math.inf)
    assert tracker.phase is not Phase.GUESSED
    memory = memory_of(game, role, observations)
    assert own_memories(tracker, game, role) == {memory}


def test_percepts_tell_of_moves_by_what_they_are_defined_by() -> None:
    rules, _ = normalise(
        read_text("""(role x) (role o)
            (<= (marks ?c ?who) (does ?who (mark ?c)) (true (free ?c)))
            (<= (sees ?any (cell ?c ?who)) (role ?any) (marks ?c ?who))
            (<= (stands ?p ?y) (does ?p (go ?x ?y)))
            (<= (stands ?p ?x) (true (at ?p ?x)) (not (moves ?p)))
            (<= (moves ?p) (does ?p (go ?x ?y)))
            (<= (sees ?any meeting) (stands x ?y) (stands o ?y))
            (<= (reach ?x) (reach ?y) (does ?x (go ?y ?y)))
            (<= (sees ?any (reach ?x)) (reach ?x))""")
    )
    seeing = Seeing(rules)
    marked = seeing.of("o", [parse_term("(cell 7 x)")])
    assert marked.concerns("x")
    assert not marked.concerns("o")
    assert marked.allows("x", parse_term("(mark 7)"))
    assert not marked.allows("x", parse_term("(mark 8)"))
    assert not marked.allows("x", "noop")
    assert marked.allows("o", "noop")
    # Who stands there may have stood there before.
    assert seeing.of("o", ["meeting"]) is Seeing.nothing
    going = seeing.of("o", [parse_term("(reach x)")])
    assert going.allows("x", parse_term("(go 1 1)"))
    assert not going.allows("x", parse_term("(go 1 2)"))
