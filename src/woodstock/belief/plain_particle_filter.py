"""A particle filter in Python, for engines that work on one state at a time.

Like `woodstock.belief.particle_filter`, but with few particles. In place of resample-move, which
asks for the moves of the whole match, the last turns are gone through once more.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, TypeAlias

from woodstock.belief.belief_tracker import BeliefTracker, Hypothesis, Match, ObservedTurn, Phase
from woodstock.belief.evidence import Evidence
from woodstock.belief.memory import Memories
from woodstock.belief.widening import FEW
from woodstock.game import Game
from woodstock.gdl.tabling import Stopped, stopped_by
from woodstock.gdl.terms import Term

__all__ = ["PlainParticleFilter"]

EXPANDED = 2_000
"""Joint moves that are tried at most to keep a belief exact."""
STATES = 64
"""How many particles a sample has."""
TRIES, LEAST_TRIES = 20_000, 16
"""How many random joint moves are tried to find them, and how many if there is no time."""
ENOUGH = 4
"""After so many joint moves it can be told how long the others will take."""
PAST, RETRIES = 4, 64
"""From how many of the last turns on hypotheses are looked for once more, and how many joint moves
are tried for a turn then."""
FEW_MOVES = 2
"""How many moves are drawn where there is no time to find all that are legal."""

Hypotheses: TypeAlias = dict[Hypothesis, float]
"""Each with its weight."""


class PlainParticleFilter(BeliefTracker[Hypotheses]):
    """See `woodstock.belief.tracking.Tracker`.

    >>> game = Game.from_library("monty-hall", engine="lifted")
    >>> tracker = PlainParticleFilter(game, "candidate", seed=1)
    >>> tracker.advance(game.term("(choose 1)"), [], math.inf), len(tracker.belief.states)
    (True, 3)
    """

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        seed: int,
        expanded: int = EXPANDED,
        states: int = STATES,
        tries: int = TRIES,
    ) -> None:
        self._engine = game.engine
        self._own = game.roles.index(role)
        self._memories = Memories(game)
        self._expanded, self._states, self._tries = expanded, states, tries
        self._tried = 0  # how often something was drawn
        self._dear: dict[int, float] = {}  # by role: how long was not enough to find its moves
        self._last: dict[int, tuple[Sequence[Term], Evidence | None, Sequence[Term]]] = {}
        self._past: deque[tuple[int, Hypotheses]] = deque(maxlen=PAST)  # before which turn, what
        beginning = {(self._engine.initial(), (0,) * len(game.roles)): 1.0}
        super().__init__(game, role, beginning, seed=seed, reinvigorated=states)

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """See `woodstock.belief.tracking.Tracker`."""
        turn = len(self._observations)
        if self._phase is not Phase.GUESSED and (not self._past or self._past[-1][0] < turn):
            self._past.append((turn, self._now))
        return super().advance(move, percepts, until)

    def _all(self, observed: ObservedTurn, until: float) -> Hypotheses | None:
        found: Hypotheses = {}
        begun = monotonic()
        plans = []
        left = self._expanded
        for (position, memories), weight in self._alive(self._now):
            options, chance = self._options(position, observed, (begun + until) / 2)
            left -= math.prod(map(len, options))
            if left < 0 or chance is None:
                return None
            plans.append((position, memories, weight * chance, options))
        total, done, begun = self._expanded - left, 0, monotonic()
        for position, memories, weight, options in plans:
            for joint in itertools.product(*options):
                # Who sees that it will take too long leaves time for a sample.
                now = monotonic()
                if now + (total - done) * (now - begun) / max(done, ENOUGH) > until:
                    return None
                done += 1
                after = self._after(position, joint, memories, observed)
                if after is not None:
                    found[after] = found.get(after, 0.0) + weight
        whole = sum(found.values())
        return {hypothesis: weight / whole for hypothesis, weight in found.items()}

    def _some(self, observed: ObservedTurn, until: float, hopeless: float) -> Hypotheses:
        return self._sample(self._now, observed, self._tries, until, hopeless)

    def _sample(
        self, before: Hypotheses, observed: ObservedTurn, tries: int, until: float, hopeless: float
    ) -> Hypotheses:
        """What follows on some hypotheses; see `_some`."""
        found: Hypotheses = {}
        hits = 0
        listing = (monotonic() + until) / 2
        self._tried += 1
        for tried, (position, memories) in enumerate(self._draw(before, tries)):
            now = monotonic()
            if hits >= self._states or (hits and now > until):
                break
            if tried >= LEAST_TRIES and now > hopeless:
                break
            self._tried += 1
            options, chance = self._options(position, observed, listing)
            if not all(options):
                continue
            joint = [self._rng.choice(moves) for moves in options]
            after = self._after(position, joint, memories, observed)
            if after is not None:
                hits += 1
                # Importance weights: moves that percepts rule out were not drawn, so that what is
                # left stands for less.
                share = 1.0 if chance is None else chance * math.prod(map(len, options))
                found[after] = found.get(after, 0.0) + share
        return found

    def _rejuvenated(self, hypotheses: Hypotheses, until: float) -> Hypotheses:
        """The last turns are gone through once more, with other luck."""
        if self._engine.name != "lifted":
            return {}  # on ground rules a reinvigoration finds more
        enough = self._tried + self._tries
        while self._past:
            for turn, found in reversed(self._past):
                turns = [self._observed(observation) for observation in self._observations[turn:]]
                for left, one in zip(range(len(turns), 0, -1), turns):
                    now = monotonic()
                    if now >= until or self._tried >= enough:
                        return {}
                    share = now + (until - now) / (left + 1)
                    found = self._sample(found, one, RETRIES, share, share)
                if found:
                    return found
        return {}

    def _forgotten(self) -> Hypotheses:
        kept: dict[Any, tuple[tuple[int, ...], float]] = {}
        for (position, memories), weight in self._now.items():
            known, total = kept.get(position, (memories, 0.0))
            total += weight
            kept[position] = (memories if self._rng.random() * total < weight else known, total)
        return {(position, known): total for position, (known, total) in kept.items()}

    def _alive(self, hypotheses: Hypotheses) -> Iterator[tuple[Hypothesis, float]]:
        for hypothesis, weight in hypotheses.items():
            if not self._engine.terminal(hypothesis[0]):
                yield hypothesis, weight

    def _draw(self, hypotheses: Hypotheses, tries: int) -> Iterator[Hypothesis]:
        alive = dict(self._alive(hypotheses))
        if alive:
            yield from self._rng.choices([*alive], [*alive.values()], k=tries)

    def _options(
        self, position: Any, observed: ObservedTurn, until: float
    ) -> tuple[list[Sequence[Term]], float | None]:
        """The moves of each role that may have been made, and how likely each joint move is.

        Where finding all legal moves of a role takes longer than until then, some are enough, and
        nothing is said about how likely they are.
        """
        own, evidence = observed.observation.move, observed.evidence
        options: list[Sequence[Term]] = []
        chance: float | None = 1.0
        for number, role in enumerate(self._game.roles):
            if number == self._own and own is not None:
                fits = self._engine.is_legal(position, number, own)
                options.append((own,) if fits else ())
                continue
            legal = self._legal(position, number, until)
            if legal is None:
                chance, legal = None, self._some_legal(position, number, evidence.names(role))
            elif chance is not None:
                chance /= max(1, len(legal))
            options.append(self._allowed(number, legal, evidence))
        return options, chance

    def _allowed(self, number: int, legal: Sequence[Term], evidence: Evidence) -> Sequence[Term]:
        """The moves that percepts allow; those of the last state, where they are the same."""
        before, about, allowed = self._last.get(number, ((), None, ()))
        if legal is not before or evidence is not about:
            role = self._game.roles[number]
            allowed = [move for move in legal if evidence.allows(role, move)]
            self._last[number] = legal, evidence, allowed
        return allowed

    def _legal(self, position: Any, number: int, until: float) -> Sequence[Term] | None:
        """The legal moves of a role; None where finding them takes longer than until then."""
        begun = monotonic()
        if until - begun <= self._dear.get(number, -math.inf):
            return None
        try:
            with stopped_by(lambda: monotonic() > until):
                legal = self._engine.legal(position, number)
        except Stopped:
            self._dear[number] = until - begun
            return None
        self._dear.pop(number, None)
        return legal

    def _some_legal(self, position: Any, number: int, named: Term | None) -> Sequence[Term]:
        """The move that must have been made, or some that are legal."""
        if named is None:
            return self._engine.some_legal(position, number, FEW_MOVES, self._rng)
        return (named,) if self._engine.is_legal(position, number, named) else ()

    def _after(
        self,
        position: Any,
        joint: Sequence[Term],
        memories: tuple[int, ...],
        observed: ObservedTurn,
    ) -> Hypothesis | None:
        after, seen = self._engine.next(position, joint)
        wanted = observed.observation.percepts
        if wanted is not None and frozenset(seen[self._own]) != wanted:
            return None
        return after, tuple(map(self._memories.after, self._game.roles, memories, joint, seen))

    def _ancestors(self, hypotheses: Hypotheses, turns: int) -> int:
        return FEW * len(hypotheses)  # how they came about is not kept: many come from many

    def _gathered(self, found: Mapping[Hypothesis, float], matches: Sequence[Match]) -> Hypotheses:
        return dict(found)

    def _listed(
        self, hypotheses: Hypotheses
    ) -> tuple[Sequence[Any], Sequence[float], Sequence[Sequence[int]]]:
        positions, memories = zip(*hypotheses)
        return positions, [*hypotheses.values()], memories
