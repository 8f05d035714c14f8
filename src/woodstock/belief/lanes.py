"""The tracker of the circuit: all hypotheses advance together, one bit each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection
from time import monotonic

from woodstock import _core
from woodstock.belief.belief import Belief
from woodstock.belief.evidence import Seeing
from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["LaneTracker"]

EXPANDED = 200_000
"""Joint moves that are tried at most to keep a belief exact."""
HYPOTHESES = 5_000
"""Hypotheses that an exact belief has at most."""
PARTICLES = 2_000
"""How many a sample has."""
TRIES = 400_000
"""How many random joint moves are tried to find them."""


class LaneTracker:
    """See `woodstock.belief.tracking.Tracker`.

    >>> game = Game.from_library("monty-hall")
    >>> tracker = LaneTracker(game, "candidate", seed=1)
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
        hypotheses: int = HYPOTHESES,
        particles: int = PARTICLES,
        tries: int = TRIES,
    ) -> None:
        engine = game._engine
        if not isinstance(engine, CircuitEngine):
            raise ValueError(f"{game.name} runs on {engine.name}, not on the circuit")
        self._game = game
        self._engine = engine
        self._role = role
        self._seeds = itertools.count(seed << 20 & 0xFFFF_FFFF_FFFF)
        self._seeing = Seeing(game.rules)
        self._filter = _core.Filter(engine.new_simulator(), game.roles.index(role))
        self._expanded, self._hypotheses = expanded, hypotheses
        self._particles, self._tries = particles, tries
        self._percepts = {
            percept: number
            for number, (who, percept) in enumerate(engine.grounding.percepts)
            if who == role
        }
        self._moves = {
            (who, move): number for number, (who, move) in enumerate(engine.grounding.moves)
        }
        self._now = _core.Hypotheses(engine.initial(), [1.0], [0] * len(game.roles))
        self._exact = True
        self._turn = 0
        self._belief: Belief | None = None

    @property
    def belief(self) -> Belief:
        """What is believed after the last turn."""
        if self._belief is None:
            now = self._now
            total = sum(now.weights)
            states, size = now.states, self._engine.circuit.state_size
            memories, roles = now.memories, len(self._game.roles)
            self._belief = Belief(
                self._game,
                self._role,
                self._turn,
                [states[i : i + size] for i in range(0, len(states), size)],
                [weight / total for weight in now.weights],
                [memories[i : i + roles] for i in range(0, len(memories), roles)],
                exact=self._exact,
            )
        return self._belief

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """See `Tracker`."""
        own = None if move is None else self._moves.get((self._role, move))
        seen = None if percepts is None else self._key(percepts)
        fits = (move is None or own is not None) and (percepts is None or seen is not None)
        found = self._follow(own, seen, percepts or (), until) if fits else None
        agreed = found is not None
        if found is None:
            found = self._guess(own, seen, until)
        self._turn += 1
        if found is not None:
            self._now = found
        self._belief = None
        return agreed

    def _key(self, percepts: Collection[Term]) -> int | None:
        numbers = [self._percepts.get(percept) for percept in set(percepts)]
        known = [number for number in numbers if number is not None]
        return _core.percept_key(known) if len(known) == len(numbers) else None

    def _follow(
        self, own: int | None, seen: int | None, percepts: Collection[Term], until: float
    ) -> _core.Hypotheses | None:
        excluded = self._excluded(percepts)
        if self._exact:
            found = self._all(own, seen, excluded, until)
            if found is not None:
                return found
        found = self._some(own, seen, excluded, until)
        if found is not None:
            self._exact = False
        return found

    def _all(
        self, own: int | None, seen: int | None, excluded: bytes, until: float
    ) -> _core.Hypotheses | None:
        found = self._filter.all(
            self._now,
            own,
            seen,
            excluded,
            most_moves=self._expanded,
            most=4 * self._hypotheses,
            seconds=max(0.0, until - monotonic()),
        )
        if found is None or not len(found):
            return None
        if len(found) > self._hypotheses:
            # Several hypotheses may differ in nothing but what the others remember.
            found = self._filter.forget(found, next(self._seeds))
        return found if len(found) <= self._hypotheses else None

    def _some(
        self, own: int | None, seen: int | None, excluded: bytes, until: float
    ) -> _core.Hypotheses | None:
        left = max(0.0, until - monotonic())
        found = self._filter.some(
            self._now,
            own,
            seen,
            excluded,
            count=self._particles,
            tries=self._tries,
            seed=next(self._seeds),
            seconds=left,
            hopeless=4 * left,
        )
        return found if len(found) else None

    def _guess(self, own: int | None, seen: int | None, until: float) -> _core.Hypotheses | None:
        """Something that may have happened, if not all that we were told of is true."""
        self._exact = False
        for move, what in ((own, None), (None, seen), (None, None)):
            found = self._some(move, what, b"", until)
            if found is not None:
                return found
        return None

    def _excluded(self, percepts: Collection[Term]) -> bytes:
        """For each move whether the percepts rule it out."""
        if not percepts:
            return b""
        evidence = self._seeing.of(self._role, tuple(percepts))
        return bytes(not evidence.allows(who, move) for who, move in self._engine.grounding.moves)
