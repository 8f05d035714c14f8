"""Preparation: what a search that is written like a player does before a match, and what with."""

from __future__ import annotations

import logging

from woodstock.game import Game
from woodstock.learn import Values
from woodstock.plan import cannot_plan
from woodstock.search.make import make_searcher
from woodstock.search.presets import REHEARSED, chosen_options
from woodstock.search.searcher import Searcher
from woodstock.search.written import written
from woodstock.tune.rehearsal import Rehearsals

__all__ = ["Preparation"]

_log = logging.getLogger("woodstock.player")


class Preparation:
    """A search, from its text: it learns and rehearses if it wants to, and is made with the result.

    What is learned and rehearsed is shared by those with the same `rehearsals`. Wrong texts raise
    what `woodstock.search.make_searcher` does, wrong files `ValuesError` or `OSError`.

    >>> Preparation("uct").needed, Preparation("woodstock").needed
    (False, True)
    >>> Preparation("mac-ucb:values=net").needed
    True
    """

    def __init__(self, text: str, rehearsals: Rehearsals | None = None) -> None:
        self._name, self._options, file = wanted = written(text)
        chosen_options(self._name, self._options)  # wrong options are told now
        self._rehearsals = rehearsals or Rehearsals()
        if file is not None:
            self._rehearsals = self._rehearsals.with_values(Values.load(file))
        elif self._options.get("values") == "playouts":
            self._rehearsals = self._rehearsals.with_values("none")
        self._rehearses = self._name in REHEARSED
        self._needs_net = wanted.needs_net
        self.needed = self._rehearses or self._needs_net
        """Whether there may be something to do before a match."""

    def needed_for(self, game: Game) -> bool:
        """The same for a game: who can plan spends the time on that.

        >>> Preparation("woodstock").needed_for(Game.load("eight-puzzle"))
        False
        """
        plans = self._rehearses and not self._needs_net and cannot_plan(game) is None
        return self.needed and not plans

    def learns(self, game: Game) -> bool:
        """Whether there is something to learn."""
        return self._rehearsals.of(game).learns

    def go_on(self, game: Game, until: float, *, threads: int = 1) -> str:
        """Learn and rehearse until that reading of `time.monotonic`; what came of it, in words."""
        rehearsal = self._rehearsals.of(game)
        rehearsal.go_on(until, threads=threads, only_learn=not self._rehearses)
        values = rehearsal.values
        learned = [] if values is None else [f"values of {values.about}"]
        trials = [str(trial) for trial in rehearsal.trials if trial.scores]
        return "; ".join([*learned, *trials]) or "no time"

    def stop(self, game: Game) -> None:
        """Let a `go_on` on another thread return soon."""
        self._rehearsals.of(game).stop()

    def can_study(self, game: Game) -> bool:
        """Whether more learning in the pauses of a match is worth it."""
        return self._rehearsals.of(game).can_study

    def study(self, game: Game) -> None:
        """Go on learning until `stop`, or until little is to be learned any more."""
        self._rehearsals.of(game).study()

    def renew(self, game: Game) -> bool:
        """Search with what was learned meanwhile, if that is much; whether it is."""
        return self._rehearsals.of(game).renew()

    def searcher(
        self, game: Game, role: str, *, seed: int = 0, threads: int = 1, memory_mb: int = 256
    ) -> Searcher:
        """The search for a role of a game, with all that is known about it by now."""
        rehearsal = self._rehearsals.of(game) if self.needed else None
        values = None if rehearsal is None else rehearsal.values
        options = dict(self._options)
        if self._needs_net and values is None:
            _log.warning("%s: there are no values for %s; it plays without", self._name, game.name)
            del options["values"]
        return make_searcher(
            self._name,
            game,
            role,
            seed=seed,
            threads=threads,
            memory_mb=memory_mb,
            rehearsed=rehearsal.style if rehearsal is not None and self._rehearses else None,
            net=None if values is None else values.net,
            **options,
        )
