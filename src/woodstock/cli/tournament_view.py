"""Standings on the terminal, while a tournament goes on."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from woodstock.cli.progress import errors
from woodstock.cli.tables import column_table
from woodstock.tournament.driver import Progress
from woodstock.tournament.formats import Schedule
from woodstock.tournament.report.blocks import interval, percent
from woodstock.tournament.standings import tallies

__all__ = ["LiveStandings", "standings_table"]

_EVERY = 1.0
_PATIENCE = 2.0
_LOG_EVERY = 30.0


def standings_table(schedule: Schedule) -> Table:
    """Who has what so far."""
    titles = ("matches", "won", "drawn", "lost", "score", "95 %", "goal", "mistakes")
    table = column_table("participant", *titles)
    found = tallies([one.name for one in schedule.description.participants], schedule.counted())
    ordered = sorted(found.values(), key=lambda one: (-_or_zero(one.score), -_or_zero(one.goal)))
    for one in ordered:
        table.add_row(
            Text(one.name),
            str(one.matches),
            str(one.wins),
            str(one.draws),
            str(one.losses),
            percent(one.score),
            interval(one.interval),
            percent(one.goal),
            str(one.mistakes),
        )
    return table


def _or_zero(value: float) -> float:
    return value if value == value else 0.0


class LiveStandings:
    """A table that changes while matches are played; in a log, a line now and then.

    Nothing is shown in the first two seconds.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._begun = time.monotonic()
        self._shown = self._begun
        self._live: Live | None = None

    def __enter__(self) -> LiveStandings:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, progress: Progress) -> None:
        """Show how far a run is, if it is time to."""
        now = time.monotonic()
        pause = _EVERY if errors.is_terminal else _LOG_EVERY
        if now - self._begun < _PATIENCE or now - self._shown < pause:
            return
        self._shown = now
        left = progress.seconds_left
        words = f"{self._name}: {progress.matches:,} matches, {progress.rate:.2f} a second"
        if progress.found:
            words += f", {progress.found:,} rounds from before"
        if progress.lost:
            words += f", {progress.lost} lost and begun anew"
        if left is not None:
            words += f", at most {_duration(left)} left"
        self._show(progress.schedule, words)

    def show(self, schedule: Schedule) -> None:
        """Show standings now."""
        rounds = sum(1 for _ in schedule.counted())
        of = f" of at most {schedule.expected:,}" if schedule.expected is not None else ""
        self._show(schedule, f"{self._name}: {rounds:,}{of} rounds")

    def _show(self, schedule: Schedule, words: str) -> None:
        if not errors.is_terminal:
            errors.print(words, markup=False, soft_wrap=True)
            return
        if self._live is None:
            self._live = Live(console=errors, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(Group(Text(words), standings_table(schedule)), refresh=True)


def _duration(seconds: float) -> str:
    """A time for people.

    >>> _duration(59), _duration(7260)
    ('59 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
