"""Rehearsals: which way of searching suits a game, found out by playing against oneself.

No search is best for all games. Before a match there is time, so `woodstock` learns values by
self-play where that is possible, and then tries a few styles, one after the other, in quick matches
against itself, and keeps what wins. Who plays several matches of a game keeps `Rehearsals`, so that
later ones go on from there.

>>> from woodstock import Game
>>> rehearsal = Rehearsal(Game.from_library("tic-tac-toe"))
>>> rehearsal.go_on(until=time.monotonic() + 0.1)
>>> rehearsal.style.search in ("woodstock", "mac-ucb")
True
"""

from __future__ import annotations

import logging
import random
import threading
import time
from typing import Literal, TypeAlias
from weakref import WeakKeyDictionary, ref

from woodstock.game import Game
from woodstock.learn import (
    Training,
    TrainingError,
    Values,
    ValuesCache,
    cannot_learn,
    default_cache,
)
from woodstock.search.styles import USUAL, Candidate, Style, candidates_of
from woodstock.tune.promise import Promise
from woodstock.tune.quick_matches import Contender, QuickMatches
from woodstock.tune.trials import Trial

__all__ = ["Rehearsal", "Rehearsals", "ValuesChoice"]

ValuesChoice: TypeAlias = Values | Literal["auto", "none"]
"""Which values are searched with: these, those that are known or learned before, or none."""

LEARNING_SHARE = 0.45
"""The part of a rehearsal's time that learning takes, where it is worth it, before it is known
whether the net wins. If it does, the rest is for learning, too."""
LEAST_LEARNING, MOST_LEARNING = 1.0, 60.0
"""The seconds for which it is worth to begin with it, and after which little is to be learned."""

MOST_STUDY, RENEWAL = 120.0, 1.5
"""Seconds of learning after which pauses of a match are better spent on thinking ahead, and how
much longer than before values must have been learned to be worth a new search: its tree is lost."""
_log = logging.getLogger("woodstock.player")


class Rehearsal:
    """What has been learned and tried for a game.

    One thread at a time tries; the others find it busy, and may `stop` it. `values` are those to
    search with, and `cache` is where what was learned is looked for and kept.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        values: ValuesChoice = "auto",
        cache: ValuesCache | None = None,
    ) -> None:
        self._game = ref(game)  # the game keeps the rehearsal, not the other way round
        self._seed = seed
        self._rng = random.Random(seed)
        self._cache = cache
        self._lock = threading.Lock()
        self._stopped = False
        self._training: Training | None = None
        self._hopeless = False
        self._start = USUAL
        self._candidates: tuple[Candidate, ...] = ()
        self.learns = False
        """Whether there is something to learn, and nothing has been learned yet."""
        self.values: Values | None = None
        """The values to search with, as soon as there are some."""
        self.trials: list[Trial] = []
        """All trials so far; the last one may be undecided."""
        # Searches need the circuit: without one there is nothing to try.
        if game.engine.name == "circuit":
            self._candidates = candidates_of(game)
            self._choose(game, values)

    def _choose(self, game: Game, values: ValuesChoice) -> None:
        if isinstance(values, Values):
            if values.fits(game):
                self._use(game, values, Style.of_values(values))
                return
            _log.warning("%s: the values are of other rules, and not used", game.name)
        if values == "none" or cannot_learn(game):
            return
        self.learns = True
        known = None if self._cache is None else self._cache.find(game)
        # Those that were of no use may be of some when they are trained for longer.
        if known is not None and Style.of_values(known).needs_net:
            self._use(game, known, Style.of_values(known))

    def _use(self, game: Game, values: Values, style: Style = USUAL) -> None:
        """Search with these values, beginning with this style."""
        self.values = values
        self._start = style
        self._candidates = candidates_of(game, net="much")

    @property
    def style(self) -> Style:
        """The style that has won, with the change that leads, if one does."""
        undecided = [trial for trial in self.trials if trial.verdict is None and trial.leads]
        best = max(undecided, key=lambda trial: trial.evidence, default=None)
        return self._style_after([one for one in self.trials if one.verdict or one is best])

    def _style_after(self, trials: list[Trial]) -> Style:
        style = self._start
        for trial in trials:
            style = style.with_change(trial.change)
        return style

    @property
    def _base(self) -> Style:
        """What changes are tried against."""
        return self._style_after([trial for trial in self.trials if trial.verdict])

    def _next(self) -> Candidate | None:
        """The first change that was not tried yet, where there is one."""
        base, tried = self._base, [trial.change for trial in self.trials]
        for one in self._candidates:
            new = one.base == base.search and base.with_change(one.change) != base
            if new and one.change not in tried:
                return one
        return None

    def _undecided(self) -> list[Trial]:
        """Trials that somebody could go on with; those of a search that was left behind are not."""
        base = self._base.search
        return [one for one in self.trials if one.verdict is None and one.base.search == base]

    def _current(self) -> Trial | None:
        """The trial to go on with: the one that promises most, be it one that is yet to begin."""
        base, change = self._base, self._next()
        undecided = self._undecided()
        if change is not None:
            undecided.append(Trial(change.change, base=base, hope=change.hope))
        if not undecided:
            return None
        best = max(undecided, key=lambda trial: trial.promise)
        if best in self.trials:
            self.trials.remove(best)
        if best.base != base:
            # Something has won since: that is what it is tried on top of, from the beginning.
            best.base = base
            best.scores.clear()
        self.trials.append(best)
        return best

    @property
    def finished(self) -> bool:
        """Whether everything has been tried."""
        return not self.learns and not self._undecided() and self._next() is None

    def go_on(self, until: float, *, threads: int = 1, only_learn: bool = False) -> None:
        """Learn and try on until that reading of `time.monotonic`, or until there is no more to.

        Learning and the matches of a round share that many `threads`. With `only_learn` nothing is
        tried.
        """
        game = self._game()
        if game is None or self.finished or not self._lock.acquire(blocking=False):
            return
        self._stopped = False
        try:
            if self.learns:
                self._learn(game, until, threads, 1.0 if only_learn else LEARNING_SHARE)
            if not only_learn:
                self._try(game, until, threads)
                self._keep()
        finally:
            self._lock.release()

    @property
    def can_study(self) -> bool:
        """Whether values that were learned here are searched with, and there is more to learn."""
        training = self._training
        if training is None or self.values is None or not self.style.needs_net:
            return False
        if self._lock.locked():
            return False  # somebody does
        return training.progress.seconds < MOST_STUDY

    def study(self) -> None:
        """Go on learning until `stop`, or until little is to be learned; one thread at a time."""
        training = self._training
        if training is not None and self._lock.acquire(blocking=False):
            try:
                training.go_on(seconds=MOST_STUDY - training.progress.seconds)
            finally:
                self._lock.release()

    def renew(self) -> bool:
        """Take the values that were learned since, if that was long; whether they were taken."""
        training, known = self._training, self.values
        if training is None or known is None or not self._lock.acquire(blocking=False):
            return False
        try:
            longer = training.progress.seconds >= RENEWAL * known.about.seconds
            if longer:
                self.values = training.values.tried(known.about.style)
            return longer
        finally:
            self._lock.release()

    def stop(self) -> None:
        """Let a `go_on` or `study` on another thread return soon; else do nothing."""
        self._stopped = True
        training = self._training
        if training is not None:
            training.stop()

    def _learn(self, game: Game, until: float, threads: int, share: float) -> None:
        """Spend a share of the time on learning, if that is not too short."""
        seconds = min(MOST_LEARNING, share * (until - time.monotonic()))
        if seconds < LEAST_LEARNING:
            return
        if self.values is not None and self.values.about.cpu_seconds * 2 > seconds * threads:
            self.learns = False  # those of before are as good
            return
        end = time.monotonic() + seconds
        try:
            training = self._training = Training(game, seed=self._seed, threads=threads)
        except TrainingError as problem:
            _log.info("%s", problem)
            self.learns = False
            return
        promise = Promise(game, training, self._rng, end, lambda: self._stopped)
        training.go_on(until=end, on_progress=promise.hear if share < 1 else None)
        self.learns = self._stopped
        if training.progress.games:
            self._use(game, training.values)
            self._hopeless = promise.hopeless
            self._candidates = candidates_of(game, net="little" if promise.hopeless else "much")
            _log.info("%s: learned from %s", game.name, training.values.about)

    def _try(self, game: Game, until: float, threads: int) -> None:
        """Play trials as long as there are some, and time for them."""
        matches = QuickMatches(game, self._rng, until, lambda: self._stopped, threads=threads)
        while (trial := self._current()) is not None:
            changed = trial.base.with_change(trial.change)
            score = matches.round(self._contender(trial.base), self._contender(changed))
            if score is None:
                return
            trial.scores.append(score)
            if trial.verdict and changed.needs_net:
                self._learn_on(until)

    def _learn_on(self, until: float) -> None:
        """What a net that wins learns in the rest of the time is worth more than other trials."""
        training, known = self._training, self.values
        if training is None or known is None or self._stopped:
            return
        left = min(until - time.monotonic(), MOST_LEARNING - training.progress.seconds)
        if left > 0:
            training.go_on(until=time.monotonic() + left)
            self.values = training.values.tried(known.about.style)

    def _contender(self, style: Style) -> Contender:
        return Contender(style, self.values.net if self.values is not None else None)

    def _keep(self) -> None:
        """Keep what was learned here, with what was found out about it."""
        if self._cache is None or self._training is None or self.values is None:
            return
        self.values = self.values.tried(self.judgement)
        self._cache.keep(self.values)

    @property
    def judgement(self) -> str:
        """The style that did best with the values, as text; empty while nobody can say."""
        nets = [trial for trial in self.trials if trial.change.needs_net]
        judged = any(trial.verdict is not None or trial.leads for trial in nets)
        return str(self.style) if judged or self._hopeless else ""


class Rehearsals:
    """What was learned and rehearsed, game by game, for whoever shares it. It keeps no game alive.

    `values` and `cache` are those of `Rehearsal`.

    >>> rehearsals, game = Rehearsals(), Game.from_library("nim")
    >>> rehearsals.of(game) is rehearsals.of(game), str(rehearsals.style(game))
    (True, 'woodstock')
    """

    def __init__(self, *, values: ValuesChoice = "auto", cache: ValuesCache | None = None) -> None:
        self._values = values
        self._cache = cache
        self._by_game: WeakKeyDictionary[Game, Rehearsal] = WeakKeyDictionary()
        self._by_values: dict[bytes, Rehearsals] = {}

    @classmethod
    def of_text(cls, text: str, *, cache: bool = False, game: Game | None = None) -> Rehearsals:
        """Those with values that are ``auto``, ``none`` or a file's; with the user's cache or not.

        `OSError` or `ValuesError` for a file that cannot be, or is not of this game.

        >>> Rehearsals.of_text("none").of(Game.load("nim")).learns
        False
        """
        words: tuple[Literal["auto", "none"], ...] = ("auto", "none")
        for word in words:
            if text == word:
                return cls(values=word, cache=default_cache() if cache else None)
        return cls(values=Values.load(text, game))

    def of(self, game: Game) -> Rehearsal:
        """The rehearsal of a game, the same one every time."""
        known = self._by_game.get(game)
        if known is None:
            made = Rehearsal(game, values=self._values, cache=self._cache)
            known = self._by_game.setdefault(game, made)
        return known

    def with_values(self, values: ValuesChoice) -> Rehearsals:
        """Those with these values, the same ones every time."""
        key = values.to_bytes() if isinstance(values, Values) else values.encode()
        return self._by_values.setdefault(key, Rehearsals(values=values, cache=self._cache))

    def style(self, game: Game) -> Style:
        """What has been found out about a game so far, and be it nothing."""
        known = self._by_game.get(game)
        return USUAL if known is None else known.style
