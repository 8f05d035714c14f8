"""The tracker of the circuit: all hypotheses advance together, one bit each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from woodstock import _core
from woodstock.belief.evidence import Evidence, Seeing
from woodstock.belief.following import Following, Hypothesis, Told
from woodstock.belief.glimpse import Glimpse
from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["LaneTracker"]

EXPANDED = 200_000
"""Joint moves that are tried at most to keep a belief exact."""
HYPOTHESES = 20_000
"""Hypotheses that an exact belief has at most."""
PARTICLES, RENEWED = 2_000, 100
"""How many a sample has, and how many matches are looked for to begin a new one."""
TRIES = 400_000
"""How many random joint moves are tried to find a sample."""
TINY = 1e-100
"""Weights become smaller from turn to turn; below that they are scaled, or they would vanish."""


class LaneTracker(Following[_core.Hypotheses]):
    """See `woodstock.belief.tracking.Tracker`.

    >>> import math
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
        renewed: int = RENEWED,
        tries: int = TRIES,
    ) -> None:
        engine = game._engine
        if not isinstance(engine, CircuitEngine):
            raise ValueError(f"{game.name} runs on {engine.name}, not on the circuit")
        self._engine = engine
        self._filter = _core.Filter(engine.new_simulator(), game.roles.index(role))
        self._expanded, self._hypotheses = expanded, hypotheses
        self._particles, self._tries = particles, tries
        self._moves = {key: number for number, key in enumerate(engine.grounding.moves)}
        self._percepts = {key: number for number, key in enumerate(engine.grounding.percepts)}
        self._nothing = _core.Hypotheses(b"", [], [])
        beginning = _core.Hypotheses(engine.initial(), [1.0], [0] * len(game.roles))
        super().__init__(game, role, beginning, seed=seed, renewed=min(particles, renewed))

    def _all(self, told: Told, until: float) -> _core.Hypotheses | None:
        known = self._known(told.glimpse)
        if known is None:
            return self._nothing
        found = self._filter.all(
            self._now,
            *known,
            self._excluded(told.evidence),
            most_moves=self._expanded,
            most=4 * self._hypotheses,
            seconds=_seconds(until),
        )
        if found is not None and len(found) > self._hypotheses:
            found = self._filter.forget(found, self._rng.getrandbits(63))
        if found is None or len(found) > self._hypotheses:
            return None
        total = sum(found.weights)
        if 0 < total < TINY:
            weights = [weight / total for weight in found.weights]
            found = _core.Hypotheses(found.states, weights, found.memories)
        return found

    def _some(self, told: Told, until: float, hopeless: float) -> _core.Hypotheses:
        known = self._known(told.glimpse)
        if known is None:
            return self._nothing
        return self._filter.some(
            self._now,
            *known,
            self._excluded(told.evidence),
            count=self._particles,
            tries=self._tries,
            seed=self._rng.getrandbits(63),
            seconds=_seconds(until),
            hopeless=_seconds(hopeless),
        )

    def _forgotten(self) -> _core.Hypotheses:
        return self._filter.forget(self._now, self._rng.getrandbits(63))

    def _known(self, glimpse: Glimpse) -> tuple[int | None, int | None] | None:
        """The numbers of the move and of the percepts; None where some are in no rules."""
        move, seen = None, None
        try:
            if glimpse.move is not None:
                move = self._moves[self._role, glimpse.move]
            if glimpse.percepts is not None:
                seen = self._key(self._role, glimpse.percepts)
        except KeyError:
            return None
        return move, seen

    def _key(self, role: str, percepts: Collection[Term]) -> int:
        return _core.percept_key([self._percepts[role, percept] for percept in percepts])

    def _excluded(self, evidence: Evidence) -> bytes:
        """For each move whether the percepts rule it out."""
        if evidence is Seeing.nothing:
            return b""
        return bytes(not evidence.allows(who, move) for who, move in self._moves)

    def _gathered(self, found: Mapping[Hypothesis, float]) -> _core.Hypotheses:
        return _core.Hypotheses(
            b"".join(position for position, _ in found),
            [*found.values()],
            [memory for _, memories in found for memory in memories],
        )

    def _listed(
        self, hypotheses: _core.Hypotheses
    ) -> tuple[Sequence[Any], Sequence[float], Sequence[Sequence[int]]]:
        states, memories = hypotheses.states, hypotheses.memories
        size, roles = self._engine.circuit.state_size, len(self._game.roles)
        return (
            [states[i : i + size] for i in range(0, len(states), size)],
            hypotheses.weights,
            [memories[i : i + roles] for i in range(0, len(memories), roles)],
        )

    def _remember(self, role: str, memory: int, move: Term, percepts: Collection[Term]) -> int:
        return _core.remember(memory, self._moves[role, move], self._key(role, percepts))


def _seconds(until: float) -> float:
    return max(0.0, until - monotonic())
