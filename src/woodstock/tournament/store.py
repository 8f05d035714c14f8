"""The store: one SQLite file that has every match that was played, whole or not at all.

Write-ahead logging keeps it readable while a tournament runs, and whole when the process that
writes it is killed. A round is written in one transaction under ids that say all it depends on, so
nothing is there twice, and several tournaments may share a file.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from woodstock.errors import WoodstockError
from woodstock.tournament.facts import GameFacts
from woodstock.tournament.results import MatchResult, RoundResult, SeatResult
from woodstock.tournament.rounds import Round

fcntl: Any
try:
    import fcntl
except ImportError:  # no such locks here: who runs two at a time wastes time, and no more
    fcntl = None

__all__ = ["ResultStore", "StoreError"]

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, round TEXT NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL,
    clock TEXT NOT NULL, stage TEXT NOT NULL, plies INTEGER NOT NULL, scale INTEGER NOT NULL,
    seed TEXT NOT NULL, begun REAL NOT NULL, seconds REAL NOT NULL, place TEXT NOT NULL,
    load REAL NOT NULL, starved INTEGER NOT NULL, version TEXT NOT NULL, notes TEXT NOT NULL,
    moves BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS matches_by_round ON matches (round);
CREATE TABLE IF NOT EXISTS seats (
    match TEXT NOT NULL, seat INTEGER NOT NULL, role TEXT NOT NULL, participant TEXT NOT NULL,
    goal INTEGER NOT NULL, thoughts INTEGER NOT NULL, simulations INTEGER NOT NULL, cpu REAL,
    wall REAL NOT NULL, longest REAL NOT NULL, late INTEGER NOT NULL, illegal INTEGER NOT NULL,
    failed INTEGER NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS problems (
    round TEXT PRIMARY KEY, reason TEXT NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (key TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS measures (
    id TEXT PRIMARY KEY, value TEXT NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
"""


class StoreError(WoodstockError):
    """A store that cannot be read or written."""


class ResultStore:
    """The results of tournaments in a file, or in memory where no file is named.

    >>> store = ResultStore()
    >>> store.counts()
    (0, 0)
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        with self._explained():
            self._db = sqlite3.connect(":memory:" if path is None else str(path), timeout=30)
            self._db.isolation_level = None  # transactions begin and end where we say so
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._prepare()

    def _prepare(self) -> None:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        if found > SCHEMA_VERSION:
            raise StoreError(f"{self.path} was written by a newer version; update WoodStock")
        if found < SCHEMA_VERSION:
            with self._transaction():
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def add(self, finished: Iterable[tuple[Round, RoundResult]]) -> None:
        """Keep rounds, all of them or none; what is there already stays as it is."""
        with self._explained(), self._transaction():
            for round_, result in finished:
                if result.problem:
                    self._db.execute(
                        "INSERT OR REPLACE INTO problems VALUES (?, ?, ?)",
                        (round_.id, result.problem, time.time()),
                    )
                else:
                    self._add_round(round_, result)

    def _add_round(self, round_: Round, result: RoundResult) -> None:
        self._db.execute("DELETE FROM problems WHERE round = ?", (round_.id,))
        for match in result.matches:
            key = round_.match_id(match.number)
            moves = zlib.compress(json.dumps(match.moves).encode(), 6)
            cursor = self._db.execute(
                "INSERT OR IGNORE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    key, round_.id, match.number, round_.game.name, round_.clock.key,
                    round_.stage, len(match.moves), match.scale, str(match.seed), match.begun,
                    match.seconds, match.place, match.load, int(match.starved), match.version,
                    json.dumps(match.notes), moves,
                ),
            )  # fmt: skip
            if cursor.rowcount:
                self._db.executemany(
                    "INSERT INTO seats VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    [
                        (
                            key, number, seat.role, seat.participant, seat.goal, seat.thoughts,
                            seat.simulations, seat.cpu, seat.wall, seat.longest, seat.late,
                            seat.illegal, seat.failed,
                        )
                        for number, seat in enumerate(match.seats)
                    ],
                )  # fmt: skip

    def rounds(self) -> set[str]:
        """The ids of all rounds that are there."""
        with self._explained():
            return {row[0] for row in self._db.execute("SELECT DISTINCT round FROM matches")}

    def round(self, round_id: str) -> RoundResult | None:
        """A round that was played, or None."""
        with self._explained():
            rows = self._db.execute(
                "SELECT id, number, moves, scale, seed, begun, seconds, place, load, version, notes"
                " FROM matches WHERE round = ? ORDER BY number",
                (round_id,),
            ).fetchall()
            matches = [MatchResult(*self._match(row)) for row in rows]
        return RoundResult(tuple(matches)) if matches else None

    def _match(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        key, number, moves, scale, seed, begun, seconds, place, load, version, notes = row
        seats = self._db.execute(
            "SELECT role, participant, goal, thoughts, simulations, cpu, wall, longest, late,"
            " illegal, failed FROM seats WHERE match = ? ORDER BY seat",
            (key,),
        )
        own = tuple(SeatResult(*_without_null(one)) for one in seats)
        made = tuple(tuple(joint) for joint in json.loads(zlib.decompress(moves)))
        more = (scale, int(seed), begun, seconds, place, load, version, tuple(json.loads(notes)))
        return (number, own, made, *more)

    def problems(self) -> dict[str, str]:
        """Why rounds could not be played, by their ids."""
        with self._explained():
            return dict(self._db.execute("SELECT round, reason FROM problems").fetchall())

    def forget(self, round_ids: Iterable[str]) -> int:
        """Take rounds out, so that they are played again; how many matches that were."""
        ids = [(one,) for one in round_ids]
        before = self.counts()[0]
        with self._explained(), self._transaction():
            self._db.executemany(
                "DELETE FROM seats WHERE match IN (SELECT id FROM matches WHERE round = ?)", ids
            )
            self._db.executemany("DELETE FROM matches WHERE round = ?", ids)
        return before - self.counts()[0]

    def starved_rounds(self) -> list[str]:
        """The ids of rounds in which a player was starved."""
        query = "SELECT DISTINCT round FROM matches WHERE starved ORDER BY round"
        with self._explained():
            return [row[0] for row in self._db.execute(query)]

    def counts(self) -> tuple[int, int]:
        """How many matches there are, and how many problems."""
        with self._explained():
            one = self._db.execute("SELECT count(*) FROM matches").fetchone()[0]
            other = self._db.execute("SELECT count(*) FROM problems").fetchone()[0]
        return int(one), int(other)

    def facts(self, key: str) -> GameFacts | None:
        """What was found out about a game, under its key; None if nothing was."""
        with self._explained():
            row = self._db.execute("SELECT facts FROM games WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        roles, chance, shared = json.loads(row[0])
        return GameFacts(tuple(roles), chance, shared)

    def keep_facts(self, key: str, facts: GameFacts) -> None:
        """Keep what was found out about a game."""
        text = json.dumps([facts.roles, facts.chance, facts.shared])
        with self._explained(), self._transaction():
            self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (key, text))

    def measure(self, key: str) -> Any:
        """A figure that was measured without a match, under its id; None if there is none."""
        with self._explained():
            row = self._db.execute("SELECT value FROM measures WHERE id = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def keep_measure(self, key: str, value: Any) -> None:
        """Keep such a figure."""
        with self._explained(), self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO measures VALUES (?, ?, ?)",
                (key, json.dumps(value), time.time()),
            )

    def rows(self, table: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """The columns of ``matches`` or ``seats``, but for moves, and their rows in order."""
        with self._explained():
            info = self._db.execute(f"PRAGMA table_info({table})").fetchall()
            columns = [one[1] for one in info if one[1] != "moves"]
            chosen = ", ".join(f'"{one}"' for one in columns)
            return columns, self._db.execute(f"SELECT {chosen} FROM {table} ORDER BY 1, 2")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep others from running tournaments with the same file; `StoreError` if one does."""
        handle: IO[str] | None = None
        if self.path is not None and fcntl is not None:
            handle = Path(f"{self.path}.lock").open("w", encoding="utf-8")  # noqa: SIM115
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                handle.close()
                raise StoreError(
                    f"{self.path} is in use by another run; wait for it, or watch it with "
                    "'woodstock tournament watch'"
                ) from None
        try:
            yield
        finally:
            if handle is not None:
                handle.close()

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._db.close()

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as problem:
            raise StoreError(
                f"{self.path}: {problem}. What was finished before is kept: make room, or see to "
                "it that the file can be written, and run the same command again"
            ) from problem


def _without_null(row: tuple[Any, ...]) -> list[Any]:
    """What nobody knows is null in SQL, and nan here."""
    return [float("nan") if value is None else value for value in row]
