"""``woodstock train``: values of a game, learned by playing against oneself."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from woodstock import _core
from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working, errors
from woodstock.cli.targets import ForceOption, check_values_file
from woodstock.cli.values import CacheOption
from woodstock.game import Game
from woodstock.learn import Training, Values, default_cache
from woodstock.search.styles import NET_STYLE, USUAL, Style
from woodstock.tune import Rehearsal, Summary, Trial
from woodstock.tune.quick_matches import Contender, QuickMatches

__all__ = ["command"]

REPORTS, REPORT_SECONDS = 5, 10.0
"""How often a training is interrupted to tell how it goes, and how many seconds apart at most."""
MATCH_SHARE = 0.1
"""The part of the time that matches against the player of before may take."""
BEFORE_SECONDS = 60.0
"""How old that player is, as soon as there is one."""
TRIAL_SHARE, TRIAL_SECONDS = 0.3, 3.0
"""What finding out how to search with the result may take: part of the time for training, and at
least so many seconds."""


def command(
    game: GameArgument,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to train.")] = 20.0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to write the values; by default they are kept for --values auto.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    seed: Annotated[int, typer.Option(min=0, help="What random numbers begin with.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Threads to train on.")] = 1,
    cache: CacheOption = True,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Learn what positions of a game are worth, from nothing but its rules. Ctrl-C ends it early.

    Players search with these values: woodstock match GAME --players woodstock:values=FILE,uct
    """
    kept = default_cache() if cache else None
    if out is None and kept is None:
        raise UsageError("nothing would be kept; say where with --out FILE")
    check_values_file(out, force)
    with Working(f"Preparing {game}") as line:
        loaded = load_game(game, engine)
        line.update("Looking for what a net should see")
        training = Training(loaded, seed=seed, threads=threads)
    report = _Report(loaded, training, seconds)
    interrupted = not report.run()
    values, tried = training.values, list[Trial]()
    if not interrupted:
        with Working("Finding out how to search with it"):
            rehearsal = Rehearsal(loaded, values=values.tried(str(USUAL)))
            try:
                rehearsal.go_on(time.monotonic() + max(TRIAL_SECONDS, TRIAL_SHARE * seconds))
            except KeyboardInterrupt:
                interrupted = True
        tried = [trial for trial in rehearsal.trials if trial.scores]
        values = values.tried(rehearsal.judgement)
    if out is not None:
        values.save(out)
    elif kept is not None:
        kept.keep(values)
    _tell(loaded, values, out, tried, as_json)
    if interrupted:
        raise KeyboardInterrupt("what was learned is kept")


def _tell(
    game: Game, values: Values, out: Path | None, tried: Sequence[Trial], as_json: bool
) -> None:
    """What was learned, for people or programs."""
    if as_json:
        print_json(
            {
                "file": None if out is None else str(out),
                "digest": values.digest.hex(),
                "bytes": len(values.to_bytes()),
                **asdict(values.about),
                "trials": [
                    {
                        "change": str(one.change),
                        "score": one.summary.mean,
                        "rounds": len(one.scores),
                    }
                    for one in tried
                ],
            }
        )
    else:
        _close(Console(highlight=False), game, values, out, [str(one) for one in tried])


def _close(
    console: Console, game: Game, values: Values, out: Path | None, trials: list[str]
) -> None:
    """What was learned, and how to use it."""
    size = len(values.to_bytes()) / 1024
    where = "the cache" if out is None else str(out)
    lines = [f"{game.name}: learned from {values.about}; {size:.0f} kB in {where}.", *trials]
    used = f"woodstock:values={out}" if out is not None else "woodstock"
    others = ",".join(["uct"] * (len(game.players) - 1))
    lines.append(
        f"Try it: woodstock match {game.name} --players {used}{',' * bool(others)}{others}"
    )
    for one in lines:
        console.print(one, markup=False, soft_wrap=True)


class _Report:
    """Trains, and tells now and then how it goes, also against who was trained for less."""

    def __init__(self, game: Game, training: Training, seconds: float) -> None:
        self._game = game
        self._training = training
        self._seconds = seconds
        self._rng = random.Random(0)
        self._before: list[tuple[float, _core.ValueNet]] = []
        self._line = Working(f"Training {game.name}")
        self._apart = min(REPORT_SECONDS, seconds / REPORTS)
        self._next = self._apart
        self._score = ""

    def run(self) -> bool:
        """Train to the end, or until the user interrupts: what was learned by then counts.

        Whether it came to the end.
        """
        with self._line:
            try:
                self._training.go_on(seconds=self._seconds, on_progress=self._hear)
            except KeyboardInterrupt:
                return False
        return True

    def _hear(self, progress: _core.TrainingProgress) -> None:
        if progress.seconds >= self._next:
            self._compare(progress.seconds)
            self._next = self._training.progress.seconds + self._apart
            if not errors.is_terminal:
                errors.print(self._text(progress), markup=False)
        self._line.update(self._text(progress), progress.seconds, self._seconds)

    def _compare(self, now: float) -> None:
        """A few matches against the net of a minute ago, or the oldest there is."""
        net = self._training.values.net
        older = [one for one in self._before if now - one[0] >= BEFORE_SECONDS]
        then, against = (older[-1:] or self._before[:1] or [(now, net)])[0]
        self._before.append((now, net))
        if against is net:
            return
        style = Style.parse(NET_STYLE)
        old, new = Contender(style, against), Contender(style, net)
        until = time.monotonic() + MATCH_SHARE * self._apart
        matches = QuickMatches(self._game, self._rng, until, longest=1.0)
        scores = []
        while (score := matches.round(old, new)) is not None:
            scores.append(score)
        if scores:
            found = Summary.of(scores)
            age = f"{now - then:.0f} s ago ({found.rounds} rounds)"
            self._score = f", {100 * found.mean:.0f} % against itself {age}"

    def _text(self, progress: _core.TrainingProgress) -> str:
        return (
            f"Training {self._game.name}: {progress.games:,} games, loss {progress.loss:.3f}"
            f"{self._score}"
        )
