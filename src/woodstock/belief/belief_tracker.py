"""What all trackers do with a turn that has gone by, whatever their hypotheses are made of."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence, Sized
from functools import cached_property
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from woodstock.belief.belief import Belief
from woodstock.belief.evidence import Evidence, Seeing
from woodstock.belief.observation import Observation
from woodstock.belief.reinvigoration import Reinvigoration
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["BeliefTracker", "Hypothesis", "Match", "ObservedTurn"]

Hypothesis: TypeAlias = tuple[Any, tuple[int, ...]]
"""A position, and what each role remembers."""

Match: TypeAlias = Sequence[tuple[Term, ...]]
"""Joint moves from the beginning on."""

CONTENT = 5
"""For how many turns a small sample is left alone that could not be made larger."""
FEW = 8
"""Of what part of the matches that are looked for a sample is too small."""

H = TypeVar("H", bound=Sized)


class ObservedTurn(NamedTuple):
    """A turn that has gone by: what a role saw of it, and what its percepts say about moves."""

    observation: Observation
    evidence: Evidence = Seeing.nothing


class BeliefTracker(ABC, Generic[H]):
    """Follows a match turn by turn. What hypotheses (`H`) are is up to who inherits it.

    A turn is made sense of in the first of these ways that comes to anything:

    * by all that may follow, where that is not too much;
    * by a sample of it;
    * by matches like those that agreed so far, of which one move at a time is changed, or which
      are played again from a few turns ago on; they are looked for as well where a sample has
      shrunk;
    * by matches that agree with everything since the beginning
      (`woodstock.belief.reinvigoration`), which are looked for as well where a sample has become
      small;
    * by a guess, for which some of what was told is left out.

    Who had to guess was told what cannot be, or had no time to find out how it can: then in the
    next turn such matches are looked for first, with all that was told. What is known to be
    impossible is not asked for again.
    """

    def __init__(
        self, game: Game, role: str, beginning: H, *, seed: int, reinvigorated: int
    ) -> None:
        self._game = game
        self._role = role
        self._rng = random.Random(seed)
        self._seeing = Seeing(game.rules)
        self._now = beginning
        self._exact = True
        self._observations: list[Observation] = []
        self._doubtful: dict[int, Observation] = {}  # what guesses have left of some turns
        self._refuted = False  # the last turn cannot have been
        self._reinvigorated = reinvigorated
        self._patience = 0  # a small sample is left alone until this turn
        self._sound = beginning  # what agreed with all that was told, before there were guesses
        self._fresh = 0  # the turn since which a sample only shrinks, but for what happened after
        self._content = 0  # what there was no more of to be found is left alone until this turn
        self._belief: Belief | None = None

    @property
    def belief(self) -> Belief:
        """What is believed after the last turn."""
        if self._belief is None:
            positions, weights, memories = self._listed(self._now)
            total = sum(weights)
            self._belief = Belief(
                self._game,
                self._role,
                len(self._observations),
                positions,
                [weight / total for weight in weights],
                memories,
                exact=self._exact,
            )
        return self._belief

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """See `woodstock.belief.tracking.Tracker`."""
        now = monotonic()
        spare = max(0.0, until - now)
        observation = Observation(move, None if percepts is None else frozenset(percepts))
        self._observations.append(observation)
        self._belief, self._refuted = None, False
        try:
            agreed = self._follow(self._observed(observation), now, spare)
            if not agreed:
                self._guess(observation, now + spare, now + 4 * spare)
        except BaseException:
            self._observations.pop()  # no turn later, if somebody wants to try again
            raise
        return agreed

    def _observed(self, observation: Observation) -> ObservedTurn:
        return ObservedTurn(
            observation, self._seeing.of(self._role, tuple(observation.percepts or ()))
        )

    def _follow(self, observed: ObservedTurn, now: float, spare: float) -> bool:
        if self._doubtful and (
            self._rejuvenate(now + spare / 2) or self._reinvigorate(now + spare / 2)
        ):
            return True
        found = self._all(observed, now + spare)
        if found is None and self._exact and monotonic() < now + spare:
            found = self._all_without_memories(observed, now + spare)
        if found is None:
            self._exact = False
            found = self._some(observed, now + spare, now + 2 * spare)
        agreed = self._take(found, exact=self._exact)
        if self._exact:
            # On all that may be nothing follows: there are no others on which it might.
            self._refuted = not agreed
            self._fresh = len(self._observations)
        elif not self._doubtful:
            if not agreed:
                self._content = 0
                agreed = self._rejuvenate(now + 5 / 2 * spare) or self._reinvigorate(
                    now + 3 * spare
                )
            if agreed:
                self._widen(now + spare)
        return agreed

    def _widen(self, until: float) -> None:
        """Look for more than a sample that has shrunk, or where all come from a few."""
        turn = len(self._observations)
        origins = self._origins(self._now, turn - self._fresh)
        if origins < self._reinvigorated and turn >= self._content and monotonic() < until:
            self._rejuvenate(until, origins)
            if len(self._now) < 2 * origins:
                self._content = turn + CONTENT
        if len(self._now) < self._reinvigorated // FEW and turn >= self._patience:
            self._reinvigorate(until, len(self._now))
            # The longer a match is, the more it takes: few of them have to do for a while.
            self._patience = turn * 5 // 4 + 1

    def _all_without_memories(self, observed: ObservedTurn, until: float) -> H | None:
        """All that may follow, once hypotheses that differ in memories alone are made one."""
        before = self._now
        self._now = self._forgotten()
        found = self._all(observed, until) if len(self._now) < len(before) else None
        if found is None:
            self._now = before
        return found

    def _rejuvenate(self, until: float, least: int = 0) -> bool:
        """Believe in matches like those that agreed so far, if more than that are found."""
        if monotonic() >= until:
            return False
        found = self._rejuvenated(self._sound if self._doubtful else self._now, until)
        if len(found) <= least:
            return False
        self._doubtful.clear()
        self._fresh = len(self._observations)
        return self._take(found, exact=False)

    def _reinvigorate(self, until: float, least: int = 0) -> bool:
        """Believe in matches that agree with all that was told, if more than that are found."""
        seed = self._rng.getrandbits(32)
        reinvigorated = self._reinvigoration.find(
            self._observations, count=self._reinvigorated, seed=seed, until=until
        )
        found: dict[Hypothesis, float] = {}
        matches = []
        for one, weight in zip(reinvigorated.trajectories, reinvigorated.weights):
            key = (one.position, one.memories)
            if key not in found:
                matches.append(one.moves)
            found[key] = found.get(key, 0.0) + weight
        impossible = reinvigorated.complete and not found
        self._refuted = impossible and not self._doubtful
        if impossible:
            for turn, observation in self._doubtful.items():
                self._observations[turn] = observation
        if impossible or found:
            self._doubtful.clear()
        if len(found) <= least and not reinvigorated.complete:
            return False
        self._fresh = len(self._observations)
        return self._take(self._gathered(found, matches), exact=reinvigorated.complete)

    def _guess(self, observation: Observation, until: float, hopeless: float) -> None:
        """Something that may have happened, if not all that we were told of is true."""
        self._exact = False
        if not self._doubtful:
            self._sound = self._now
        nothing = Observation(None, None)
        for left in (observation._replace(percepts=None), observation._replace(move=None), nothing):
            if self._take(self._some(self._observed(left), until, hopeless), exact=False):
                break
        if self._refuted:
            self._observations[-1] = left
        else:
            self._doubtful[len(self._observations) - 1] = left

    def _take(self, found: H, *, exact: bool) -> bool:
        """Believe in this, if it is anything."""
        if len(found):
            self._now, self._exact = found, exact
        return len(found) > 0

    @cached_property
    def _reinvigoration(self) -> Reinvigoration:
        return Reinvigoration(self._game, self._role)

    # What depends on the hypotheses

    @abstractmethod
    def _all(self, observed: ObservedTurn, until: float) -> H | None:
        """All that may follow; None where that is too much, or takes longer than until then."""

    @abstractmethod
    def _some(self, observed: ObservedTurn, until: float, hopeless: float) -> H:
        """A sample of what may follow.

        One hypothesis is enough from `until` on, none is looked for from `hopeless` on; but some
        tries are made in any case.
        """

    @abstractmethod
    def _forgotten(self) -> H:
        """What is believed, each state once, with memories that are drawn by weight."""

    @abstractmethod
    def _origins(self, hypotheses: H, turns: int) -> int:
        """From how many hypotheses these come that were there so many turns ago."""

    @abstractmethod
    def _rejuvenated(self, hypotheses: H, until: float) -> H:
        """What matches lead to that agree with all that was told and are like those of these."""

    @abstractmethod
    def _gathered(self, found: Mapping[Hypothesis, float], matches: Sequence[Match]) -> H:
        """Hypotheses with these weights, and the matches that led to them."""

    @abstractmethod
    def _listed(
        self, hypotheses: H
    ) -> tuple[Sequence[Any], Sequence[float], Sequence[Sequence[int]]]:
        """The positions of hypotheses, their weights and their memories."""
