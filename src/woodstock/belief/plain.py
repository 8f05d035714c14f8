"""A tracker in Python, for engines that work on one state at a time."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Collection, Iterator, Sequence
from time import monotonic
from typing import Any, TypeAlias

from woodstock.belief.belief import Belief
from woodstock.belief.evidence import Evidence, Seeing
from woodstock.belief.glimpse import Glimpse, remember
from woodstock.belief.renewal import Renewal
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["PlainTracker"]

EXPANDED = 2_000
"""Joint moves that are tried at most to keep a belief exact."""
STATES = 64
"""How many states a sample has."""
TRIES = 20_000
"""How many random joint moves are tried to find them."""

Memories: TypeAlias = tuple[int, ...]
Hypothesis: TypeAlias = tuple[Any, Memories]
"""A position, and what each role remembers."""


class PlainTracker:
    """See `woodstock.belief.tracking.Tracker`.

    Where nothing that was believed leads to what was perceived, it looks for states that agree with
    all that it was told from the beginning on (`woodstock.belief.renewal`).

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
        self._game = game
        self._engine = game._engine
        self._role = game.roles.index(role)
        self._rng = random.Random(seed)
        self._seeing = Seeing(game.rules)
        self._renewal = Renewal(game, role)
        self._history: list[Glimpse] = []
        self._expanded, self._states, self._tries = expanded, states, tries
        self.belief: Belief = Belief.certain(game.initial_state(), role)
        """What is believed after the last turn."""

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """See `Tracker`."""
        role = self._game.roles[self._role]
        wanted = None if percepts is None else frozenset(percepts)
        evidence = self._seeing.of(role, tuple(percepts)) if percepts else self._seeing.nothing
        spare = max(0.0, until - monotonic())
        self._history.append(Glimpse(move, wanted))
        exact = self._all(move, wanted, evidence, until) if self.belief.exact else None
        found = exact
        if found is None:
            found = self._some(move, wanted, evidence, until, until + spare)
        if found:
            self._take(found, exact=exact is not None)
            return True
        # An exact belief that nothing follows on has no others that could.
        if exact is None and self._renew(until + 2 * spare):
            return True
        guesses = ((move, None), (None, wanted), (None, None))
        for own, seen in guesses:
            # What cannot have been is not asked for again when a belief is renewed.
            self._history[-1] = Glimpse(own, seen)
            found = self._some(own, seen, self._seeing.nothing, until, until + 3 * spare)
            if found:
                self._take(found, exact=False)
                return False
        old = self.belief
        self.belief = Belief(
            old.game,
            old.role,
            old.turn + 1,
            old.positions,
            old.weights,
            old.memories,
            exact=False,
        )
        return False

    def _renew(self, until: float) -> bool:
        """Believe in states that agree with the whole match; False where none were found."""
        seed = self._rng.getrandbits(32)
        renewed = self._renewal.find(self._history, count=self._states, seed=seed, until=until)
        found: dict[Hypothesis, float] = {}
        for one, weight in zip(renewed.trajectories, renewed.weights):
            key = (one.position, one.memories)
            found[key] = found.get(key, 0.0) + weight
        if found:
            self._take(found, exact=renewed.complete)
        return bool(found)

    def _take(self, found: dict[Hypothesis, float], *, exact: bool) -> None:
        total = sum(found.values())
        self.belief = Belief(
            self._game,
            self.belief.role,
            self.belief.turn + 1,
            [position for position, _ in found],
            [weight / total for weight in found.values()],
            [memories for _, memories in found],
            exact=exact,
        )

    def _all(
        self, own: Term | None, wanted: frozenset[Term] | None, evidence: Evidence, until: float
    ) -> dict[Hypothesis, float] | None:
        """All that may follow, with weights; None where that is too much."""
        found: dict[Hypothesis, float] = {}
        left = self._expanded
        for position, weight, memories in self._hypotheses():
            options, chance = self._options(position, own, evidence)
            count = math.prod(map(len, options))
            left -= count
            if left < 0 or monotonic() > until:
                return None
            for joint in itertools.product(*options):
                after = self._after(position, joint, memories, wanted)
                if after is not None:
                    found[after] = found.get(after, 0.0) + weight * chance
        return found

    def _some(
        self,
        own: Term | None,
        wanted: frozenset[Term] | None,
        evidence: Evidence,
        until: float,
        hopeless: float,
    ) -> dict[Hypothesis, float]:
        """A sample of what may follow; nothing where nothing was found, in one try at least."""
        found: dict[Hypothesis, float] = {}
        hits = 0
        for tries, (position, _, memories) in enumerate(self._draw()):
            now = monotonic()
            if hits >= self._states or (hits and now > until) or (tries and now > hopeless):
                break
            options, chance = self._options(position, own, evidence)
            if not all(options):
                continue
            joint = [self._rng.choice(moves) for moves in options]
            after = self._after(position, joint, memories, wanted)
            if after is not None:
                hits += 1
                # Moves that percepts rule out were not drawn: what is left stands for less.
                share = chance * math.prod(map(len, options))
                found[after] = found.get(after, 0.0) + share
        return found

    def _hypotheses(self) -> Iterator[tuple[Any, float, Memories]]:
        belief = self.belief
        for position, weight, memories in zip(belief.positions, belief.weights, belief.memories):
            if not self._engine.terminal(position):
                yield position, weight, tuple(memories)

    def _draw(self) -> Iterator[tuple[Any, float, Memories]]:
        alive = list(self._hypotheses())
        if alive:
            weights = [weight for _, weight, _ in alive]
            yield from self._rng.choices(alive, weights, k=self._tries)

    def _options(
        self, position: Any, own: Term | None, evidence: Evidence
    ) -> tuple[list[Sequence[Term]], float]:
        """The moves of each role that may have been made, and how likely each joint move is."""
        options: list[Sequence[Term]] = []
        chance = 1.0
        for number, role in enumerate(self._game.roles):
            if number == self._role and own is not None:
                fits = self._engine.is_legal(position, number, own)
                options.append((own,) if fits else ())
                continue
            legal = self._engine.legal(position, number)
            chance /= max(1, len(legal))
            options.append([move for move in legal if evidence.allows(role, move)])
        return options, chance

    def _after(
        self,
        position: Any,
        joint: Sequence[Term],
        memories: Memories,
        wanted: frozenset[Term] | None,
    ) -> Hypothesis | None:
        after, seen = self._engine.next(position, joint)
        if wanted is not None and frozenset(seen[self._role]) != wanted:
            return None
        news = zip(memories, joint, seen, strict=True)
        return after, tuple(remember(*one) for one in news)
