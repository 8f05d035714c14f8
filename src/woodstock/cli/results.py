"""What came of matches: tables for people, files that lose nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from woodstock.cli.guard import UsageError
from woodstock.match import MatchRecord, Standing

__all__ = ["Keeper", "print_result", "print_standings"]


class Keeper:
    """Keeps records of matches at a path, each as soon as it is finished.

    One match goes to the file itself; many go to a folder, a file each, or line by line to a file
    whose name ends in ``.jsonl``, behind what is there already. A running match is kept too, but
    not in lines.
    """

    def __init__(self, path: Path | None, many: bool) -> None:
        self._path = path
        self._lines = path is not None and path.suffix == ".jsonl"
        self._folder = path is not None and not self._lines and (many or path.is_dir())
        if path is None:
            return
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent}: there is no such folder")
        if self._folder:
            if path.exists() and not path.is_dir():
                raise UsageError(f"{path}: is a file; give a folder, or a file that ends in .jsonl")
            path.mkdir(exist_ok=True)

    def running(self, record: MatchRecord) -> None:
        """Keep a match that is not over yet."""
        if self._path is not None and not self._lines:
            record.write(self._file(record))

    def finished(self, record: MatchRecord) -> None:
        """Keep a match for good."""
        if self._path is None:
            return
        if not self._lines:
            record.write(self._file(record))
            return
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record.to_json()) + "\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _file(self, record: MatchRecord) -> Path:
        assert self._path is not None
        return self._path / f"{record.match_id}.json" if self._folder else self._path


def print_result(console: Console, record: MatchRecord) -> None:
    """How one match has ended."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("role")
    table.add_column("player")
    table.add_column("goal", justify="right")
    table.add_column("mistakes", justify="right")
    goals = record.goal_values or tuple(None for _ in record.roles)
    for number, role in enumerate(record.roles):
        mistakes = sum(bool(joint[number]) for joint in record.errors)
        goal = "-" if goals[number] is None else str(goals[number])
        table.add_row(role, record.players[number], goal, str(mistakes or "-"))
    console.print()
    console.print(table)
    how = "broken off" if record.is_aborted else "over"
    console.print(f"The match is {how} after {len(record.moves)} moves (seed {record.seed}).")


def print_standings(console: Console, standings: Sequence[Standing]) -> None:
    """How the players of a series have done."""
    rivals = len(standings) > 1
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player", overflow="fold")
    titles = ["games", *(("wins", "draws", "losses", "win rate", "95 %") if rivals else ())]
    titles += ["goal", *(() if rivals else ("95 %",))]
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("mistakes")
    for one in standings:
        figures = [f"{one.games}"]
        if rivals:
            low, high = one.interval
            figures += [f"{one.wins}", f"{one.draws}", f"{one.losses}"]
            figures += [_percent(one.score), f"{_percent(low)} - {_percent(high)}"]
        figures.append(f"{one.mean_goal:.1f}")
        if not rivals:
            low, high = one.goal_interval
            figures.append(f"{low:.1f} - {high:.1f}")
        table.add_row(one.player, *figures, _mistakes(one))
    console.print(table)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _mistakes(one: Standing) -> str:
    """Mistakes by kind.

    >>> _mistakes(Standing("uct", 2, 1, 1, 0, 75.0, late=2, illegal=0, failed=1))
    '2 late, 1 failed'
    """
    kinds = {"late": one.late, "illegal": one.illegal, "failed": one.failed}
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "-"
