"""What came of matches: tables for people, files that lose nothing."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from woodstock.cli.guard import UsageError
from woodstock.cli.targets import check_record
from woodstock.files import HEAD, append_line, write_whole
from woodstock.match import MatchRecord, Standing
from woodstock.match.record import is_record

__all__ = ["Keeper", "print_result", "print_standings"]

NAME_SIGNS = 10
"""Names of players are not folded to less than so much."""


class Keeper:
    """Keeps records of matches at a path, each as soon as it is finished.

    One match goes to the file itself; many go to a folder, a file each, or line by line to a file
    whose name ends in ``.jsonl``, behind what is there already. A running match is kept too, but
    not in lines. A file that is there and no record is only touched with `force`.
    """

    def __init__(self, path: Path | None, many: bool, *, force: bool = False) -> None:
        self._path = path
        self._force = force
        self._lines = path is not None and path.suffix == ".jsonl"
        self._folder = path is not None and not self._lines and (many or path.is_dir())
        if path is None:
            return
        if self._folder and path.exists() and not path.is_dir():
            raise UsageError(f"{path}: is a file; give a folder, or a file that ends in .jsonl")
        if not self._folder or not path.exists():
            check_record(path, force)
        if self._folder:
            path.mkdir(exist_ok=True)
        elif self._lines and force and path.exists() and not is_record(_head(path)):
            write_whole(path, "")  # nobody could read records behind something else

    def running(self, record: MatchRecord) -> None:
        """Keep a match that is not over yet."""
        if self._path is not None and not self._lines:
            self._write(record)

    def finished(self, record: MatchRecord) -> None:
        """Keep a match for good."""
        if self._path is None:
            return
        if self._lines:
            append_line(self._path, json.dumps(record.to_json()))
        else:
            self._write(record)

    def _write(self, record: MatchRecord) -> None:
        assert self._path is not None
        path = self._path
        if self._folder:
            path = path / f"{record.match_id}.json"
            check_record(path, self._force)
        record.write(path)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD)


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
    titles = ["games", *(("wins", "draws", "losses", "win rate", "95 %") if rivals else ())]
    titles += ["goal", *(() if rivals else ("95 %",))]
    rows = {one: _figures(one, rivals) for one in standings}
    table = Table(box=None, pad_edge=False, header_style="bold")
    longest = max((len(one.player) for one in standings), default=0)
    table.add_column("player", overflow="fold")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("mistakes")
    for one, figures in rows.items():
        table.add_row(one.player, *figures, _mistakes(one))
    whole = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    if whole - max(0, longest - NAME_SIGNS) <= console.width:  # names may be folded
        table.columns[0].max_width = max(NAME_SIGNS, longest - max(0, whole - console.width))
        console.print(table)
        return
    for one, figures in rows.items():  # too narrow for columns
        console.print(one.player, markup=False, style="bold")
        words = [f"{title} {figure}" for title, figure in zip(titles, figures, strict=True)]
        text = ", ".join([*words, f"mistakes {_mistakes(one)}"])
        console.print(textwrap.indent(_wrapped(text, console.width - 2), "  "), markup=False)


def _figures(one: Standing, rivals: bool) -> list[str]:
    """The figures of a player, as they stand in the columns."""
    low, high = one.interval if rivals else one.goal_interval
    if not rivals:
        return [f"{one.games}", f"{one.mean_goal:.1f}", f"{low:.1f} - {high:.1f}"]
    results = [f"{count}" for count in (one.games, one.wins, one.draws, one.losses)]
    interval = f"{_percent(low)} - {_percent(high)}"
    return [*results, _percent(one.score), interval, f"{one.mean_goal:.1f}"]


def _wrapped(text: str, width: int) -> str:
    """Lines that are not broken inside a figure and its name."""
    parts = [part.replace(" ", "\N{NO-BREAK SPACE}") for part in text.split(", ")]
    lines = textwrap.fill(", ".join(parts), max(20, width), break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _mistakes(one: Standing) -> str:
    """Mistakes by kind.

    >>> _mistakes(Standing("uct", 2, 1, 1, 0, 75.0, late=2, illegal=0, failed=1))
    '2 late, 1 failed'
    """
    kinds = {"late": one.late, "illegal": one.illegal, "failed": one.failed}
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "-"
