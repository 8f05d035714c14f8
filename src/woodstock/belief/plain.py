"""A tracker in Python, for engines that work on one state at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, TypeAlias

from woodstock.belief.following import Following, Hypothesis, Told
from woodstock.belief.glimpse import remember
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["PlainTracker"]

EXPANDED = 2_000
"""Joint moves that are tried at most to keep a belief exact."""
STATES = 64
"""How many states a sample has."""
TRIES, LEAST_TRIES = 20_000, 16
"""How many random joint moves are tried to find them, and how many if there is no time."""

Hypotheses: TypeAlias = dict[Hypothesis, float]
"""Each with its weight."""


class PlainTracker(Following[Hypotheses]):
    """See `woodstock.belief.tracking.Tracker`.

    >>> game = Game.from_library("monty-hall", engine="lifted")
    >>> tracker = PlainTracker(game, "candidate", seed=1)
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
        self._engine = game._engine
        self._own = game.roles.index(role)
        self._expanded, self._states, self._tries = expanded, states, tries
        beginning = {(self._engine.initial(), (0,) * len(game.roles)): 1.0}
        super().__init__(game, role, beginning, seed=seed, renewed=states)

    def _all(self, told: Told, until: float) -> Hypotheses | None:
        found: Hypotheses = {}
        left = self._expanded
        for (position, memories), weight in self._alive():
            options, chance = self._options(position, told)
            left -= math.prod(map(len, options))
            if left < 0:
                return None
            for joint in itertools.product(*options):
                if monotonic() > until:
                    return None
                after = self._after(position, joint, memories, told)
                if after is not None:
                    found[after] = found.get(after, 0.0) + weight * chance
        total = sum(found.values())
        return {hypothesis: weight / total for hypothesis, weight in found.items()}

    def _some(self, told: Told, until: float, hopeless: float) -> Hypotheses:
        found: Hypotheses = {}
        hits = 0
        for tries, (position, memories) in enumerate(self._draw()):
            now = monotonic()
            if hits >= self._states or (hits and now > until):
                break
            if tries >= LEAST_TRIES and now > hopeless:
                break
            options, chance = self._options(position, told)
            if not all(options):
                continue
            joint = [self._rng.choice(moves) for moves in options]
            after = self._after(position, joint, memories, told)
            if after is not None:
                hits += 1
                # Moves that percepts rule out were not drawn: what is left stands for less.
                share = chance * math.prod(map(len, options))
                found[after] = found.get(after, 0.0) + share
        return found

    def _forgotten(self) -> Hypotheses:
        kept: dict[Any, tuple[tuple[int, ...], float]] = {}
        for (position, memories), weight in self._now.items():
            known, total = kept.get(position, (memories, 0.0))
            total += weight
            kept[position] = (memories if self._rng.random() * total < weight else known, total)
        return {(position, known): total for position, (known, total) in kept.items()}

    def _alive(self) -> Iterator[tuple[Hypothesis, float]]:
        for hypothesis, weight in self._now.items():
            if not self._engine.terminal(hypothesis[0]):
                yield hypothesis, weight

    def _draw(self) -> Iterator[Hypothesis]:
        alive = dict(self._alive())
        if alive:
            yield from self._rng.choices([*alive], [*alive.values()], k=self._tries)

    def _options(self, position: Any, told: Told) -> tuple[list[Sequence[Term]], float]:
        """The moves of each role that may have been made, and how likely each joint move is."""
        own, evidence = told.glimpse.move, told.evidence
        options: list[Sequence[Term]] = []
        chance = 1.0
        for number, role in enumerate(self._game.roles):
            if number == self._own and own is not None:
                fits = self._engine.is_legal(position, number, own)
                options.append((own,) if fits else ())
                continue
            legal = self._engine.legal(position, number)
            chance /= max(1, len(legal))
            options.append([move for move in legal if evidence.allows(role, move)])
        return options, chance

    def _after(
        self, position: Any, joint: Sequence[Term], memories: tuple[int, ...], told: Told
    ) -> Hypothesis | None:
        after, seen = self._engine.next(position, joint)
        wanted = told.glimpse.percepts
        if wanted is not None and frozenset(seen[self._own]) != wanted:
            return None
        return after, tuple(map(remember, memories, joint, seen))

    def _gathered(self, found: Mapping[Hypothesis, float]) -> Hypotheses:
        return dict(found)

    def _listed(
        self, hypotheses: Hypotheses
    ) -> tuple[Sequence[Any], Sequence[float], Sequence[Sequence[int]]]:
        positions, memories = zip(*hypotheses)
        return positions, [*hypotheses.values()], memories

    def _remember(self, role: str, memory: int, move: Term, percepts: Collection[Term]) -> int:
        return remember(memory, move, percepts)
