"""Beliefs that are exact: held against plain filtering by the rules as they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belief_support import (
    HIDDEN,
    TOO_LARGE,
    Turn,
    hidden,
    match_of,
    memory_of,
    options,
    seen_by,
)
from effort import all_but, effort
from woodstock import Game, State, _core
from woodstock.belief import Belief, PlainParticleFilter, Tracker, make_tracker
from woodstock.belief.belief_tracker import Hypothesis
from woodstock.belief.memory import percept_key, remember
from woodstock.belief.observation import Observation
from woodstock.belief.particle_filter import ParticleFilter
from woodstock.belief.reinvigoration import Reinvigoration
from woodstock.game import EngineName
from woodstock.gdl.terms import Term

PLIES = effort(12, 25)
"""Turns of a match that are followed."""
FILTERED, MOST = 8, 400
"""The same for plain filtering, and joint moves that it tries after the first turn."""

Fluents = frozenset[Term]


def tracker_of(game: Game, role: str) -> Tracker:
    """The usual one, but for rules that are slow."""
    if game.engine.name == "lifted":
        return PlainParticleFilter(game, role, seed=1, expanded=150, states=4)
    return make_tracker(game, role, seed=1)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_believed_agrees_with_all_that_was_seen(name: str) -> None:
    game = hidden(name)
    turns = match_of(game, 1, 4 if name == TOO_LARGE else PLIES)
    for role in game.players:
        tracker = tracker_of(game, role)
        observations = seen_by(role, turns)
        own = game.roles.index(role)
        for number, ((_, state), observation) in enumerate(zip(turns, observations), 1):
            assert tracker.advance(*observation, math.inf)
            belief = tracker.belief
            assert belief.turn == number
            assert state in belief.chances or not belief.exact
            assert sum(belief.weights) == pytest.approx(1)
            memory = memory_of(game, role, observations[:number])
            assert {memories[own] for memories in belief.memories} == {memory}
            if not state.is_terminal:
                # A role knows its legal moves while the match goes on.
                legal = state.legal_moves(role)
                for one in belief.going_on().states[:20]:
                    assert one.is_terminal or one.legal_moves(role) == legal


def filtered(
    game: Game, role: str, observations: Sequence[Observation]
) -> Iterator[dict[Fluents, float]]:
    """How likely each state is after each turn, as long as that is not too much work."""
    now, tried = {game.initial_state(): 1.0}, 0
    for move, percepts in observations:
        if len(now) > MOST // 4:
            return
        after: dict[State, float] = {}
        joints = [(state, [*options(state, role, move)]) for state in now]
        before, tried = tried, tried + sum(len(some) for _, some in joints)
        if before and tried > MOST:
            return
        for state, some in joints:
            for joint in some:
                then = state.apply_unchecked(joint)
                if frozenset(then.percepts(role)) == percepts:
                    after[then] = after.get(then, 0.0) + now[state] / len(some)
        total = sum(after.values())
        now = {state: weight / total for state, weight in after.items()}
        yield {state.fluents: weight for state, weight in now.items()}


def chances_of(belief: Belief) -> dict[Fluents, float]:
    return {state.fluents: chance for state, chance in belief.chances.items()}


MANY_GHOSTS = {"vis_pacman3p.gdl"} & set(HIDDEN)
"""Its lifted rules take seconds for a few turns."""


@pytest.mark.parametrize("name", all_but([n for n in HIDDEN if n != TOO_LARGE], MANY_GHOSTS))
def test_exact_beliefs_are_those_of_plain_filtering(name: str) -> None:
    game, rules = hidden(name), hidden(name, "lifted")
    turns = match_of(game, 2, FILTERED)
    for role in game.players:
        observations = seen_by(role, turns)
        native = ParticleFilter(game, role, seed=1)
        plain = Unforgetting(rules, role, seed=1, expanded=MOST // 4)
        for observation, expected in zip(observations, filtered(rules, role, observations)):
            assert native.advance(*observation, math.inf)
            assert native.belief.exact
            found = chances_of(native.belief)
            assert found == pytest.approx(expected, abs=1e-9)
            if plain.belief.exact and plain.advance(*observation, math.inf) and plain.belief.exact:
                assert chances_of(plain.belief) == pytest.approx(expected, abs=1e-9)
                assert hypotheses_of(plain.belief) == hypotheses_of(native.belief)


class Unforgetting(PlainParticleFilter):
    """Rather takes a sample than forgets what the others remember."""

    def _forgotten(self) -> dict[Hypothesis, float]:
        return self._now


def hypotheses_of(belief: Belief) -> Counter[Fluents]:
    """How many hypotheses there are of each state: they differ in what is remembered."""
    return Counter(state.fluents for state in belief.states)


LONG = """(role x) (role random) (init begin) (next begin) (legal x wait)
    (number 0) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
    (<= (legal random (say ?n ?m)) (number ?n) (number ?m))
    (<= (next (hidden ?m)) (does random (say ?n ?m))) (<= (sees x ?n) (does random (say ?n ?m)))
    (<= terminal (true never)) (goal x 50) (goal random 50)"""


@pytest.mark.parametrize(("engine", "turns"), [("circuit", 360), ("lifted", 9)])
def test_long_matches_stay_exact(engine: EngineName, turns: int) -> None:
    """What others remember is forgotten where it becomes too much, and weights do not vanish."""
    game = Game.from_text(LONG, engine=engine)
    tracker = make_tracker(game, "x", seed=1)
    for _ in range(turns):  # an eighth to the power of 360 is less than the least float
        assert tracker.advance("wait", ["3"], math.inf)
    assert tracker.belief.exact
    assert [*tracker.belief.chances.values()] == pytest.approx([1 / 8] * 8)


# Memories


def matches_of(state: State, so_far: tuple[Turn, ...] = ()) -> Iterator[tuple[Turn, ...]]:
    """All matches, and all beginnings of them."""
    yield so_far
    for joint, after in state.successors():
        yield from matches_of(after, (*so_far, (joint, after)))


@pytest.mark.parametrize("name", ["kuhn-poker", "latenttictactoe.gdl", "monty-hall"])
def test_all_trackers_number_memories_alike(name: str) -> None:
    """Whoever found a belief: searches look a memory up by its number."""
    game = hidden(name)
    for role in game.players:
        native, plain = ParticleFilter(game, role, seed=1), Unforgetting(game, role, seed=1)
        observations = seen_by(role, match_of(game, 2, 3))
        for observation in observations:
            assert native.advance(*observation, math.inf)
            assert plain.advance(*observation, math.inf)
        found = Reinvigoration(game, role).find(observations, count=9999, seed=1, until=math.inf)
        assert native.belief.exact
        assert plain.belief.exact
        assert found.complete
        once = [(one.position, one.memories) for one in found.trajectories]
        memories = [
            {(position, tuple(memory)) for position, memory in zip(one.positions, one.memories)}
            for one in (native.belief, plain.belief)
        ]
        assert memories == [set(once)] * 2


NUMBERS = st.integers(0, 2**64 - 1)


@given(NUMBERS, st.integers(0, 2**32 - 2), NUMBERS, st.sets(st.integers(0, 2**32 - 1), max_size=4))
def test_python_and_the_core_remember_alike(
    memory: int, move: int, seen: int, percepts: set[int]
) -> None:
    assert remember(memory, move, seen) == _core.remember(memory, move, seen)
    assert percept_key(percepts) == _core.percept_key([*percepts])


@pytest.mark.parametrize("engine", ["circuit", "lifted"])
@pytest.mark.parametrize("name", ["kuhn-poker", "hidden-matching-pennies", "monty-hall"])
def test_equal_memories_are_equal_matches_as_a_role_saw_them(name: str, engine: str) -> None:
    """In all matches of a game, for all roles: chance remembers as well."""
    game = hidden(name, engine)
    numbers: dict[tuple[str, tuple[Observation, ...]], int] = {}
    held: dict[tuple[str, tuple[Observation, ...]], set[tuple[Fluents, tuple[int, ...]]]] = {}
    for turns in matches_of(game.initial_state()):
        now = turns[-1][1] if turns else game.initial_state()
        seen = [(role, tuple(seen_by(role, turns))) for role in game.roles]
        for one in seen:
            numbers[one] = memory_of(game, *one)
        memories = tuple(numbers[one] for one in seen)
        for one in seen:
            held.setdefault(one, set()).add((now.fluents, memories))
    for role in game.roles:
        mine = [number for (who, _), number in numbers.items() if who == role]
        assert len(set(mine)) == len(mine) > 5
    for (role, observations), expected in held.items():
        tracker = make_tracker(game, role, seed=1)
        assert all(tracker.advance(*observation, math.inf) for observation in observations)
        belief = tracker.belief
        found = [(s.fluents, tuple(m)) for s, m in zip(belief.states, belief.memories)]
        assert len(found) == len(set(found))
        assert set(found) == expected
