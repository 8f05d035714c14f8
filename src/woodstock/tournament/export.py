"""Results for other programs: tables as CSV or Parquet, matches as records."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.files import check_target, write_whole
from woodstock.match.record import MatchRecord, is_record
from woodstock.tournament.facts import load_game
from woodstock.tournament.formats import Schedule
from woodstock.tournament.results import MatchResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.store import ResultStore

__all__ = ["ExportError", "export_records", "export_tables", "match_record"]

TABLES = ("matches", "seats")


class ExportError(WoodstockError):
    """A format that cannot be written here."""


def export_tables(
    store: ResultStore, folder: str | Path, kind: str = "csv", *, force: bool = False
) -> list[Path]:
    """Write the tables ``matches`` and ``seats``, which share the id of a match, to a folder.

    `kind` is ``csv`` or ``parquet``. Parquet needs pyarrow or duckdb; `ExportError` says so where
    neither is there. Files of the same names that hold something else are only replaced with
    `force`.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {table: folder / f"{table}.{kind}" for table in TABLES}
    for table, path in paths.items():
        begins = ",".join(store.rows(table)[0]).encode() if kind == "csv" else b"PAR1"
        check_target(path, f"table of {table}", partial(_begins, begins), force=force)
    with tempfile.TemporaryDirectory() as interim:
        for table, path in paths.items():
            write_whole(path, _write(store, table, Path(interim) / path.name, kind))
    return list(paths.values())


def _begins(wanted: bytes, head: bytes) -> bool:
    return head.startswith(wanted)


def _write(store: ResultStore, table: str, path: Path, kind: str) -> bytes:
    """A table as the content of a file; what has to be a file on the way may be at the path."""
    columns, rows = store.rows(table)
    if kind == "csv":
        stream = io.StringIO(newline="")
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(rows)
        return stream.getvalue().encode()
    if importlib.util.find_spec("pyarrow") is not None:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        values = list(zip(*rows)) or [()] * len(columns)
        data = {column: list(part) for column, part in zip(columns, values)}
        parquet.write_table(arrow.table(data), str(path))
        return path.read_bytes()
    if importlib.util.find_spec("duckdb") is not None:
        duckdb: Any = importlib.import_module("duckdb")
        interim = path.with_suffix(".csv")
        interim.write_bytes(_write(store, table, interim, "csv"))
        with duckdb.connect() as db:
            db.read_csv(str(interim)).write_parquet(str(path))
        return path.read_bytes()
    raise ExportError("Parquet needs pyarrow or duckdb; pip install pyarrow, or take --format csv")


def export_records(schedule: Schedule, folder: str | Path, *, force: bool = False) -> int:
    """Write every match that counts as a record, a file each; how many there are.

    Games are made ready for that, since a record has all states. Files of the same names that are
    no records are only replaced with `force`.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for round_, result in schedule.counted():
        for match in result.matches:
            path = folder / f"{file_name(round_, match)}.json"
            check_target(path, "record of a match", is_record, force=force)
            match_record(round_, match).write(path)
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
