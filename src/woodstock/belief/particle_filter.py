"""The particle filter of the circuit: all particles advance together, one bit each.

A turn is a step of the bootstrap filter (Gordon, Salmond and Smith 1993): particles are resampled
by weight, moved by random joint moves, and kept where these lead to the percepts, which are either
certain or impossible. Moves that percepts rule out are not drawn, and weights make up for that.
Particles that have become too much alike are rejuvenated by Markov chain Monte Carlo over the moves
that led to them, one changed at a time and accepted by the Metropolis rule (resample-move; Gilks
and Berzuini 2001). The work is done in `core/belief`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, TypeAlias

from woodstock import _core
from woodstock.belief.belief_tracker import BeliefTracker, Hypothesis, Match, ObservedTurn, Phase
from woodstock.belief.observation import Observation
from woodstock.game import Game

__all__ = ["ParticleFilter"]

Numbers: TypeAlias = tuple[int | None, int | None, bytes]
"""A turn that has gone by: the own move, the key of the percepts, and what moves are excluded."""

EXPANDED = 200_000
"""Joint moves that are tried at most to keep a belief exact."""
HYPOTHESES = 20_000
"""Hypotheses that an exact belief has at most."""
PARTICLES, REINVIGORATED = 2_000, 100
"""How many particles a sample has, and how many matches are looked for to begin a new one."""
TRIES = 400_000
"""How many random joint moves are tried to find a sample."""
REJUVENATED, STEPS = 500, 200_000
"""How many particles are rejuvenated, and how many turns of theirs are played for that."""
TINY = 1e-100
"""Weights become smaller from turn to turn; below that they are scaled, or they would vanish."""


class ParticleFilter(BeliefTracker[_core.Hypotheses]):
    """See `woodstock.belief.tracking.Tracker`.

    >>> import math
    >>> game = Game.from_library("monty-hall")
    >>> tracker = ParticleFilter(game, "candidate", seed=1)
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
        reinvigorated: int = REINVIGORATED,
        tries: int = TRIES,
        steps: int = STEPS,
    ) -> None:
        engine = game.circuit()
        self._engine = engine
        self._numbering = engine.numbering
        self._filter = _core.ParticleFilter(engine.new_simulator(), game.roles.index(role))
        self._expanded, self._hypotheses = expanded, hypotheses
        self._particles, self._tries, self._steps = particles, tries, steps
        self._numbered: dict[Observation, Numbers | None] = {}
        self._nothing = _core.Hypotheses(b"", [], [])
        beginning = _core.Hypotheses(engine.initial(), [1.0], [0] * len(game.roles))
        super().__init__(
            game, role, beginning, seed=seed, reinvigorated=min(particles, reinvigorated)
        )

    def _all(self, observed: ObservedTurn, until: float) -> _core.Hypotheses | None:
        numbers = self._numbers(observed)
        if numbers is None:
            return self._nothing
        most_moves = self._expanded
        if self._phase is not Phase.EXACT:
            # All that follows on a sample is still a sample, and worth no more than one drawn.
            most_moves = min(most_moves, 4 * self._particles)
        found = self._filter.all(
            self._now,
            *numbers,
            most_moves=most_moves,
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

    def _some(self, observed: ObservedTurn, until: float, hopeless: float) -> _core.Hypotheses:
        numbers = self._numbers(observed)
        if numbers is None:
            return self._nothing
        return self._filter.some(
            self._now,
            *numbers,
            count=self._particles,
            tries=self._tries,
            seed=self._rng.getrandbits(63),
            seconds=_seconds(until),
            hopeless=_seconds(hopeless),
        )

    def _forgotten(self) -> _core.Hypotheses:
        return self._filter.forget(self._now, self._rng.getrandbits(63))

    def _numbers(self, observed: ObservedTurn) -> Numbers | None:
        """What was told, in numbers; None where some of it is in no rules."""
        if observed.observation not in self._numbered:
            known = self._known(observed.observation)
            numbers = None if known is None else (*known, self._excluded(observed))
            self._numbered[observed.observation] = numbers
        return self._numbered[observed.observation]

    def _known(self, observation: Observation) -> tuple[int | None, int | None] | None:
        """The numbers of the move and of the percepts; None where some are in no rules."""
        move, seen, me = None, None, self._game.roles.index(self._role)
        try:
            if observation.move is not None:
                move = self._numbering.move_number(me, observation.move)
            if observation.percepts is not None:
                number = self._numbering.percept_number
                seen = _core.percept_key([number(me, one) for one in observation.percepts])
        except KeyError:
            return None
        return move, seen

    def _excluded(self, observed: ObservedTurn) -> bytes:
        """For each move whether the percepts rule it out."""
        roles = self._game.roles
        known = {role for role in roles if observed.evidence.concerns(role)}
        if observed.observation.move is not None:
            known.discard(self._role)  # nothing has to be said about that one
        if not known:
            return b""
        allows = observed.evidence.allows
        return bytes(
            who >= 0 and roles[who] in known and not allows(roles[who], move)
            for who, move in self._numbering.moves
        )

    def _ancestors(self, hypotheses: _core.Hypotheses, turns: int) -> int:
        return hypotheses.ancestors(turns)

    def _rejuvenated(self, hypotheses: _core.Hypotheses, until: float) -> _core.Hypotheses:
        numbers = [self._numbers(self._observed(observation)) for observation in self._observations]
        known = [one for one in numbers if one is not None]
        if len(known) < len(numbers):
            return self._nothing
        return self._filter.rejuvenate(
            hypotheses,
            known,
            count=min(self._particles, REJUVENATED),
            steps=self._steps,
            seed=self._rng.getrandbits(63),
            seconds=_seconds(until),
        )

    def _gathered(
        self, found: Mapping[Hypothesis, float], matches: Sequence[Match]
    ) -> _core.Hypotheses:
        number = self._numbering.move_number
        return _core.Hypotheses(
            b"".join(position for position, _ in found),
            [*found.values()],
            [memory for _, memories in found for memory in memories],
            [
                [number(who, move) for joint in turn for who, move in enumerate(joint)]
                for turn in zip(*matches)
            ],
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


def _seconds(until: float) -> float:
    return max(0.0, until - monotonic())
