"""How a particle filter follows a match, whatever its particles are made of."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence, Sized
from enum import Enum
from functools import cached_property
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from woodstock.belief.belief import Belief
from woodstock.belief.evidence import Evidence, Seeing
from woodstock.belief.observation import Observation
from woodstock.belief.reinvigoration import Reinvigoration
from woodstock.belief.widening import Widening
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["BeliefTracker", "Hypothesis", "Match", "ObservedTurn", "Phase"]

Hypothesis: TypeAlias = tuple[Any, tuple[int, ...]]
"""A particle: a position, and what each role remembers."""

Match: TypeAlias = Sequence[tuple[Term, ...]]
"""Joint moves from the beginning on."""

FIND_BACK, FOLLOW, HOPELESS, REJUVENATE, REINVIGORATE, GUESS = 0.5, 1.0, 2.0, 2.5, 3.0, 4.0
"""When each way to make sense of a turn has to end, in multiples of the time that there is: most
turns take no more than that, and those that are hard up to four times as much."""

H = TypeVar("H", bound=Sized)


class ObservedTurn(NamedTuple):
    """A turn that has gone by: what a role saw of it, and what its percepts say about moves."""

    observation: Observation
    evidence: Evidence = Seeing.nothing


class Phase(Enum):
    """What the hypotheses of a tracker are, after a turn."""

    EXACT = "exact"
    """All that may be the case."""
    SAMPLED = "sampled"
    """Particles: some that agree with everything that was observed."""
    GUESSED = "guessed"
    """Nothing that agrees was found so far; of some turns only a part is believed meanwhile."""
    REFUTED = "refuted"
    """The last turn cannot have been as it was observed; only a part of it is believed for good."""


class BeliefTracker(ABC, Generic[H]):
    """Follows a match turn by turn. What hypotheses (`H`) are is up to who inherits it.

    Before a turn the tracker is in a `Phase`; what comes of the turn decides which one is next.

    ========  ===================================================================  ========
    before    what comes of the turn                                               after
    ========  ===================================================================  ========
    exact     all that may follow                                                  exact
    exact     nothing follows on anything that may be                              refuted
    exact     too much to look at, also without memories: go on as if sampled      sampled
    sampled   a sample of what follows, or failing that, other matches that agree
              (rejuvenation, then reinvigoration)                                  sampled
    sampled   reinvigoration finds all matches that agree                          exact
    sampled   reinvigoration finds out that there are none                         refuted
    sampled   nothing is found in time                                             guessed
    guessed   matches that agree with all turns are found after all                sampled
              and they are known to be all there are                               exact
    guessed   it is found out that there are none: what guesses have left of the
              observations is all that is believed from now on, go on as sampled   sampled
    guessed   neither; the turn is followed from the guesses, or guessed itself    guessed
    refuted   go on as sampled                                                     sampled
    ========  ===================================================================  ========

    Who had to guess was told what cannot be, or had no time to find out how it can. That is why
    observations are only given up once they are refuted: until then each turn begins by looking
    for matches that agree with all of them. What is known to be impossible is not asked for again.

    A sample that has shrunk, or that comes from few ancestors, is made larger on the way; see
    `woodstock.belief.widening`.
    """

    def __init__(
        self, game: Game, role: str, beginning: H, *, seed: int, reinvigorated: int
    ) -> None:
        self._game = game
        self._role = role
        self._rng = random.Random(seed)
        self._seeing = Seeing(game.rules)
        self._phase = Phase.EXACT
        self._now = beginning
        self._observations: list[Observation] = []
        self._widening = Widening(reinvigorated)
        # While guessed: what guesses have left of some turns, and what was believed before them.
        self._weakened: dict[int, Observation] = {}
        self._sound = beginning
        self._belief: Belief | None = None

    @property
    def phase(self) -> Phase:
        """What the belief is."""
        return self._phase

    @property
    def belief(self) -> Belief:
        """What is believed after the last turn."""
        if self._belief is None:
            positions, weights, memories = self._listed(self._now)
            total = sum(weights)
            self._belief = Belief(
                self._game,
                self._role,
                self._turn,
                positions,
                [weight / total for weight in weights],
                memories,
                exact=self._phase is Phase.EXACT,
            )
        return self._belief

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """See `woodstock.belief.tracking.Tracker`."""
        now = monotonic()
        spare = max(0.0, until - now)
        observation = Observation(move, None if percepts is None else frozenset(percepts))
        self._observations.append(observation)
        self._belief = None
        if self._phase is Phase.REFUTED:
            self._phase = Phase.SAMPLED
        try:
            agreed = self._follow(self._observed(observation), now, spare)
            if not agreed:
                self._guess(observation, now + FOLLOW * spare, now + GUESS * spare)
        except BaseException:
            self._observations.pop()  # no turn later, if somebody wants to try again
            raise
        return agreed

    @property
    def _turn(self) -> int:
        return len(self._observations)

    def _observed(self, observation: Observation) -> ObservedTurn:
        evidence = self._seeing.of(self._role, tuple(observation.percepts or ()))
        return ObservedTurn(observation, evidence)

    def _follow(self, observed: ObservedTurn, now: float, spare: float) -> bool:
        """Find what agrees with the turn; whether there is anything."""
        if self._phase is Phase.GUESSED:
            latest = now + FIND_BACK * spare
            if self._rejuvenate(latest) or self._reinvigorate(latest):
                return True
        found = self._successors(observed, now + FOLLOW * spare, now + HOPELESS * spare)
        agreed = len(found) > 0
        if agreed:
            self._now = found
        if self._phase is Phase.EXACT:
            self._widening.drawn(self._turn)
            if not agreed:
                # These were all that might be: there are no others that lead to this turn.
                self._phase = Phase.REFUTED
        elif self._phase is Phase.SAMPLED:
            if not agreed:
                self._widening.died_out()
                agreed = self._rejuvenate(now + REJUVENATE * spare) or self._reinvigorate(
                    now + REINVIGORATE * spare
                )
            if agreed:
                self._widen(now + FOLLOW * spare)
        return agreed

    def _successors(self, observed: ObservedTurn, until: float, hopeless: float) -> H:
        """What follows on what is believed: all of it if that is not too much, or a sample."""
        found = self._all(observed, until)
        if found is None and self._phase is Phase.EXACT and monotonic() < until:
            found = self._all_without_memories(observed, until)
        if found is None:
            if self._phase is Phase.EXACT:
                self._phase = Phase.SAMPLED
            found = self._some(observed, until, hopeless)
        return found

    def _all_without_memories(self, observed: ObservedTurn, until: float) -> H | None:
        """All that may follow, once hypotheses that differ in memories alone are made one."""
        before = self._now
        self._now = self._forgotten()
        found = self._all(observed, until) if len(self._now) < len(before) else None
        if found is None:
            self._now = before
        return found

    def _widen(self, until: float) -> None:
        """Look for more than a sample that has shrunk, or where all come from a few."""
        widening, turn = self._widening, self._turn
        ancestors = self._ancestors(self._now, widening.age(turn))
        if widening.needs_rejuvenation(ancestors, turn) and monotonic() < until:
            self._rejuvenate(until, ancestors)
            widening.rejuvenated(ancestors, len(self._now), turn)
        if widening.needs_reinvigoration(len(self._now), turn):
            self._reinvigorate(until, len(self._now))
            widening.reinvigorated(turn)

    def _rejuvenate(self, until: float, least: int = 0) -> bool:
        """Believe in matches like those that agreed so far, if more than that are found."""
        if monotonic() >= until:
            return False
        # Guesses agree with too little: what was believed before them is closer to the truth.
        like = self._sound if self._phase is Phase.GUESSED else self._now
        found = self._rejuvenated(like, until)
        if len(found) <= least:
            return False
        self._believe(found, Phase.SAMPLED)
        return True

    def _reinvigorate(self, until: float, least: int = 0) -> bool:
        """Believe in matches that agree with all that was observed, if more than that are found.

        All there are will do as well, however few.
        """
        seed, count = self._rng.getrandbits(32), self._widening.wanted
        result = self._reinvigoration.find(self._observations, count=count, seed=seed, until=until)
        found: dict[Hypothesis, float] = {}
        matches = []
        for one, weight in zip(result.trajectories, result.weights):
            key = (one.position, one.memories)
            if key not in found:
                matches.append(one.moves)
            found[key] = found.get(key, 0.0) + weight
        if result.complete and not found:
            self._give_up()
            return False
        if len(found) <= least and not result.complete:
            return False
        phase = Phase.EXACT if result.complete else Phase.SAMPLED
        self._believe(self._gathered(found, matches), phase)
        return True

    def _believe(self, found: H, phase: Phase) -> None:
        """From now on this agrees with all that was observed."""
        self._now, self._phase = found, phase
        self._weakened.clear()
        self._widening.drawn(self._turn)

    def _give_up(self) -> None:
        """No match agrees with all observations."""
        self._widening.drawn(self._turn)
        if self._phase is not Phase.GUESSED:
            self._phase = Phase.REFUTED
            return
        # Which turn it was that cannot be is not known: all that were guessed are given up, and
        # the last one, which is not among them, may agree with what is left.
        for turn, left in self._weakened.items():
            self._observations[turn] = left
        self._weakened.clear()
        self._phase = Phase.SAMPLED

    def _guess(self, observation: Observation, until: float, hopeless: float) -> None:
        """Something that may have happened, if not all that we were told of is true."""
        if self._phase is Phase.SAMPLED:
            self._sound = self._now
        nothing = Observation(None, None)
        for left in (observation._replace(percepts=None), observation._replace(move=None), nothing):
            found = self._some(self._observed(left), until, hopeless)
            if len(found):
                self._now = found
                break
        if self._phase is Phase.REFUTED:
            self._observations[-1] = left
        else:
            self._weakened[self._turn - 1] = left
            self._phase = Phase.GUESSED

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
    def _ancestors(self, hypotheses: H, turns: int) -> int:
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
