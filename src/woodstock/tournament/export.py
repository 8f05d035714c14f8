"""Results for other programs: tables as CSV or Parquet, matches as records."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import re
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.match import MatchRecord
from woodstock.tournament.facts import load_game
from woodstock.tournament.formats import Schedule
from woodstock.tournament.results import MatchResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.store import ResultStore

__all__ = ["ExportError", "export_records", "export_tables", "match_record"]

TABLES = ("matches", "seats")


class ExportError(WoodstockError):
    """A format that cannot be written here."""


def export_tables(store: ResultStore, folder: str | Path, kind: str = "csv") -> list[Path]:
    """Write the tables ``matches`` and ``seats``, which share the id of a match, to a folder.

    `kind` is ``csv`` or ``parquet``. Parquet needs pyarrow or duckdb; `ExportError` says so where
    neither is there.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(store, table, folder / f"{table}.{kind}", kind) for table in TABLES]


def _write(store: ResultStore, table: str, path: Path, kind: str) -> Path:
    columns, rows = store.rows(table)
    if kind == "csv":
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            writer.writerows(rows)
        return path
    if importlib.util.find_spec("pyarrow") is not None:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        values = list(zip(*rows)) or [()] * len(columns)
        data = {column: list(part) for column, part in zip(columns, values)}
        parquet.write_table(arrow.table(data), str(path))
        return path
    if importlib.util.find_spec("duckdb") is not None:
        duckdb: Any = importlib.import_module("duckdb")
        interim = _write(store, table, path.with_suffix(".part.csv"), "csv")
        try:
            with duckdb.connect() as db:
                db.read_csv(str(interim)).write_parquet(str(path))
        finally:
            interim.unlink()
        return path
    raise ExportError("Parquet needs pyarrow or duckdb; pip install pyarrow, or take --format csv")


def export_records(schedule: Schedule, folder: str | Path) -> int:
    """Write every match that counts as a record, a file each; how many there are.

    Games are made ready for that, since a record has all states.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for round_, result in schedule.counted():
        for match in result.matches:
            match_record(round_, match).write(folder / f"{file_name(round_, match)}.json")
            written += 1
    return written


def file_name(round_: Round, match: MatchResult) -> str:
    """The id of a match as the name of a file.

    >>> from woodstock.tournament.clocks import MoveClock
    >>> from woodstock.tournament.facts import GameSource
    >>> one = Round(GameSource("nim", "d"), (), ((0, 1),), MoveClock("cpu", 1))
    >>> file_name(one, MatchResult(0, ()))
    'nim@d_01_cpu=1+0_opening=0_seed=0_round=0_match=0'
    """
    return re.sub(r"[^\w@=+.,-]+", "_", round_.match_id(match.number))


def match_record(round_: Round, match: MatchResult) -> MatchRecord:
    """The record of a match, with all its states."""
    game = load_game(round_.game)
    names = {seat.role: seat.participant for seat in match.seats}
    record = MatchRecord.begin(
        game,
        [names.get(role, "random") for role in game.roles],
        seed=match.seed,
        start_clock=round_.clock.start,
        play_clock=round_.clock.move,
        milliseconds=int(1000 * match.begun),
    )
    state = game.initial_state()
    record.add_state(state, record.start_time)
    for joint in match.moves:
        terms = [game.term(move) for move in joint]
        state = state.apply(terms)
        record.add_moves(terms, [""] * len(terms))
        record.add_state(state, record.start_time)
    return record
