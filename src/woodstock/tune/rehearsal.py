"""Rehearsals: which way of searching suits a game, found out by playing against oneself.

No constant is best for all games. Before a match there is time, so `woodstock` tries a few changes
of its preset, one after the other, in fast matches against itself, and keeps what wins. Who plays
several matches of a game keeps `Rehearsals`, so that later ones go on from there.

>>> from woodstock import Game
>>> rehearsal = Rehearsal(Game.from_library("tic-tac-toe"))
>>> rehearsal.go_on(until=time.monotonic() + 0.1)
>>> set(rehearsal.options) <= {"mast", "choice", "exploration", "halving"}
True
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary, ref

from woodstock.belief import Belief, Situation, believed
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.search.decision import Limits
from woodstock.search.make import make_searcher
from woodstock.search.presets import chosen_options, preset_of, variants_of
from woodstock.search.searcher import Searcher
from woodstock.tune.matches import OPENING_PLIES, EqualMatch, Thought, shares_goal
from woodstock.tune.sequential import SequentialTest
from woodstock.tune.statistics import Summary

__all__ = ["Rehearsal", "Rehearsals", "Trial"]

MOVE_SECONDS, ALONE_SECONDS = 0.003, 0.02
"""CPU time for a move of a rehearsal; with something hidden and nobody to wait for, more ..."""
MOVE_SIMULATIONS = 4096
"""... or the time for so many simulations, if that is longer."""
BELIEF_SECONDS = 0.05
"""The time for working out what may be, where something is hidden."""
LONGEST_MATCH = 0.2
"""The part of the time at hand that a match may take; where it takes longer nothing is tried."""
OPENING_TRIES = 8
MEMORY_MB = 32

WORTHWHILE = SequentialTest(better=0.65, missed=0.15, mistaken=0.02)
"""A change that scores so much should not be missed often, one that is worth nothing hardly ever
be taken."""
LEAD = 5
"""How much likelier a change must be worthwhile when time is up before the test is."""
MOST_ROUNDS = 60


@dataclass
class Trial:
    """A change, and how it does: scores of rounds between 0 and 1.

    >>> Trial({"exploration": 0.8}, [1.0] * 12).verdict
    True
    >>> Trial({"exploration": 0.8}, [0.5, 1.0, 0.0]).verdict is None
    True
    """

    change: Mapping[str, object]
    scores: list[float] = field(default_factory=list)

    @property
    def summary(self) -> Summary:
        """The scores so far."""
        return Summary.of(self.scores)

    @property
    def verdict(self) -> bool | None:
        """Whether the change is taken; None while nobody can say."""
        decided = WORTHWHILE.decide(self.summary)
        return False if decided is None and len(self.scores) >= MOST_ROUNDS else decided

    @property
    def leads(self) -> bool:
        """Whether it would be taken if there were no more time."""
        leads = WORTHWHILE.evidence(self.summary) >= math.log(LEAD)
        return self.verdict or (self.verdict is None and leads)

    def __str__(self) -> str:
        change = ", ".join(f"{key}={value}" for key, value in self.change.items())
        kept = {True: ", taken", False: ", left", None: ""}[self.verdict]
        return f"{change} scored {100 * self.summary.mean:.0f} % in {len(self.scores)} rounds{kept}"


class Rehearsal:
    """What has been tried for a game. One thread at a time tries; the others find it busy."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._game = ref(game)  # the game keeps the rehearsal, not the other way round
        # Searches need the circuit: without one there is nothing to try.
        self._changes = variants_of(game) if game.engine.name == "circuit" else ()
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self.trials: list[Trial] = []
        """All trials so far; the last one may be undecided."""

    @property
    def options(self) -> dict[str, object]:
        """The options that have won, or lead."""
        return _join(trial for trial in self.trials if trial.leads)

    @property
    def finished(self) -> bool:
        """Whether everything has been tried."""
        tried = len(self.trials) == len(self._changes)
        return tried and (not self.trials or self.trials[-1].verdict is not None)

    def go_on(self, until: float) -> None:
        """Try on until that reading of `time.monotonic`, or until everything has been tried."""
        game = self._game()
        if game is None or self.finished or not self._lock.acquire(blocking=False):
            return
        try:
            matches = _Matches(game, self._rng, until)
            while not self.finished:
                if not self.trials or self.trials[-1].verdict is not None:
                    self.trials.append(Trial(self._changes[len(self.trials)]))
                trial = self.trials[-1]
                base = _join(one for one in self.trials if one.verdict)
                score = matches.round(base, {**base, **trial.change})
                if score is None:
                    break
                trial.scores.append(score)
        finally:
            self._lock.release()


class _Matches:
    """Fast matches between two styles, which are options of `woodstock`."""

    def __init__(self, game: Game, rng: random.Random, until: float) -> None:
        self._game = game
        self._rng = rng
        self._until = until
        self._longest = LONGEST_MATCH * (until - time.monotonic())
        self._together = shares_goal(game)
        self._opening = 0 if game.has_chance else OPENING_PLIES
        usual = chosen_options("woodstock", preset_of(game))
        self._usual = {key: getattr(usual, key) for change in variants_of(game) for key in change}
        self._move_seconds: float | None = None

    def round(self, old: Mapping[str, object], new: Mapping[str, object]) -> float | None:
        """The score of the new style, from matches with the same beginning; None: no time.

        The new one has every seat once, alone against the old one. Where all players share the
        goal, or there is but one, each style plays for itself.
        """
        seats = range(len(self._game.players))
        rows = (
            [[new for _ in seats], [old for _ in seats]]
            if self._together
            else [[new if seat == alone else old for seat in seats] for alone in seats]
        )
        seed = self._rng.getrandbits(32)
        results = []
        for row in rows:
            goals = self._match(row, seed)
            if goals is None:
                return None
            results.append(goals)
        if self._together:
            gain = _mean(results[0]) - _mean(results[1])
        else:
            own = _mean([goals[seat] for seat, goals in enumerate(results)])
            every = _mean([goal for goals in results for goal in goals])
            gain = (own - every) * len(seats) / (len(seats) - 1)
        scale = self._game.engine.goal_scale
        return min(1.0, max(0.0, 0.5 + gain / (2 * scale)))

    def _match(self, styles: Sequence[Mapping[str, object]], seed: int) -> list[int] | None:
        luck = random.Random(seed)
        until = min(self._until, time.monotonic() + self._longest)
        match = EqualMatch(self._game, luck, seed=seed)
        if self._opening:
            match.open(self._opening, luck, OPENING_TRIES)
        players = {
            role: partial(self._think, self._searcher(role, style), until)
            for role, style in zip(self._game.players, styles)
        }
        found = match.play(players, until)
        return None if found is None else found.goals

    def _think(self, searcher: Searcher, until: float, situation: Situation) -> Thought:
        about = believed(situation, time.monotonic() + BELIEF_SECONDS)
        return Thought(self._move(searcher, about, until - time.monotonic()))

    def _searcher(self, role: str, style: Mapping[str, object]) -> Searcher:
        return make_searcher(
            "woodstock",
            self._game,
            role,
            seed=self._rng.getrandbits(63),
            memory_mb=MEMORY_MB,
            solve_nodes=0,  # who solves the game has no style
            **{**self._usual, **style},
        )

    def _move(self, searcher: Searcher, about: State | Belief, left: float) -> Term:
        if self._move_seconds is None:
            first = Limits(seconds=max(0.0, left), simulations=MOVE_SIMULATIONS)
            found = searcher.think(about, limits=first)
            alone = len(self._game.players) == 1 and isinstance(about, Belief)
            least = ALONE_SECONDS if alone else MOVE_SECONDS
            self._move_seconds = max(least, found.cpu_seconds)
        limits = Limits(seconds=max(0.0, left), cpu_seconds=self._move_seconds)
        return searcher.think(about, limits=limits).move


def _join(trials: Iterable[Trial]) -> dict[str, object]:
    return {key: value for trial in trials for key, value in trial.change.items()}


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)


class Rehearsals:
    """What was rehearsed, game by game, for whoever shares it. It keeps no game alive.

    >>> rehearsals, game = Rehearsals(), Game.from_library("nim")
    >>> rehearsals.of(game) is rehearsals.of(game), rehearsals.options(game)
    (True, {})
    """

    def __init__(self) -> None:
        self._by_game: WeakKeyDictionary[Game, Rehearsal] = WeakKeyDictionary()

    def of(self, game: Game) -> Rehearsal:
        """The rehearsal of a game, the same one every time."""
        return self._by_game.setdefault(game, Rehearsal(game))

    def options(self, game: Game) -> dict[str, object]:
        """What has been found out about a game so far, and be it nothing."""
        known = self._by_game.get(game)
        return {} if known is None else known.options
