"""Tournaments to look at while another process plays them: standings, speed, the last matches.

A store is opened for reading alone, and nothing is left beside it; write-ahead logging keeps the
reader and the writer out of each other's way. A description beside it, of the same name, says how
many rounds there will be.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from woodstock import games
from woodstock.errors import WoodstockError
from woodstock.tournament.description import Description
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.formats import make_schedule
from woodstock.tournament.results import MatchResult, SeatResult
from woodstock.tournament.standings import SeatTally
from woodstock.web.naming import roles_of
from woodstock.web.recorded import MOST_PLIES, MOST_SIGNS, Recorded, RecordError
from woodstock.web.rulesheets import digest_of

__all__ = ["match_of", "stamp_of", "tournament"]

LAST_MATCHES = 20
MOST_SEATS = 1_000_000
"""Of a larger store only the newest matches count."""
MOST_PARTICIPANTS = 200
MOST_MOVES = 4_000_000
"""Bytes of the moves of one match."""
RECENT = 60.0
_SLICE = 2.0


def stamp_of(path: Path) -> tuple[int, ...]:
    """What changes when a store does: time and size of the file and of its log."""
    found: list[int] = []
    for one in (path, path.with_name(path.name + "-wal")):
        try:
            state = one.stat()
        except OSError:
            continue
        found += [state.st_mtime_ns, state.st_size]
    return tuple(found)


def tournament(path: Path) -> dict[str, Any]:
    """How a tournament stands; `RecordError` where the file is no store.

    ``standings`` has a row for each participant, the best first, with the 95 % interval of the
    score; ``speed`` is matches a second in the last minute.
    """
    with _opened(path) as db:
        (played,) = db.execute("SELECT count(*) FROM matches").fetchone()
        (rounds,) = db.execute("SELECT count(DISTINCT round) FROM matches").fetchone()
        problems = db.execute("SELECT reason FROM problems ORDER BY at DESC LIMIT 5").fetchall()
        names = db.execute("SELECT DISTINCT game FROM matches LIMIT 100").fetchall()
        now = time.time()
        since = "SELECT count(*) FROM matches WHERE begun + seconds > ?"
        (recent,) = db.execute(since, (now - RECENT,)).fetchone()
        first, newest = db.execute(
            "SELECT min(begun), max(begun + seconds) FROM matches"
        ).fetchone()
        standings = _standings(db)
        last = _last(db)
        title, expected = _plan(path, db)
    window = min(RECENT, max(1.0, now - first)) if isinstance(first, (int, float)) else RECENT
    return {
        "title": title or path.stem,
        "games": sorted(_text(name) for (name,) in names),
        "standings": standings,
        "played": played,
        "rounds": rounds,
        "expected_rounds": expected,
        "speed": round(recent / window, 3),
        "newest": newest if isinstance(newest, (int, float)) and math.isfinite(newest) else None,
        "problems": [_text(reason) for (reason,) in problems],
        "last": last,
    }


def match_of(path: Path, key: str) -> Recorded | None:
    """The match with this short id; None where there is none."""
    with _opened(path) as db:
        row = db.execute(
            "SELECT id, game, plies, begun, seconds, notes, length(moves), moves FROM matches"
            " WHERE short(id) = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        match, game, _, begun, _, notes, length, moves = row
        if length > MOST_MOVES:
            raise RecordError("this match is too long to be shown")
        seats = db.execute(
            "SELECT role, participant, goal FROM seats WHERE match = ? ORDER BY seat LIMIT 64",
            (match,),
        ).fetchall()
    return _recorded(str(match), _text(game), begun, notes, moves, seats)


def _recorded(
    match: str, game: str, begun: Any, notes: Any, moves: Any, seats: list[tuple[Any, ...]]
) -> Recorded:
    try:
        unpack = zlib.decompressobj()
        data = unpack.decompress(moves, MOST_MOVES)
        line = [[_text(move) for move in joint] for joint in json.loads(data)[:MOST_PLIES]]
        said = ", ".join(_text(note) for note in json.loads(notes))
    except (zlib.error, ValueError, TypeError, RecursionError):
        raise RecordError("the moves of this match cannot be read") from None
    roles = [_text(role) for role, _, _ in seats]
    names = {_text(role): _text(name) for role, name, _ in seats}
    goals = {_text(role): int(goal) for role, _, goal in seats}
    # The id begins with the name of the game and the digest of its rules.
    digest = match.partition("@")[2][:10]
    library = game in games.names() and digest_of(games.rules_text(game))[:10] == digest
    everybody = roles_of(games.rules_text(game)) if library else roles
    if line and len(everybody) != len(line[0]):
        everybody = roles
    return Recorded(
        name="",
        game=game if library else "",
        roles=everybody,
        players=[names.get(role, "random") for role in everybody],
        line=line,
        goals=[goals.get(role) for role in everybody],
        started=int(1000 * begun) if isinstance(begun, (int, float)) else 0,
        note=said or ("" if library else f"rules called {game}, which are not of the library"),
    )


def _standings(db: sqlite3.Connection) -> list[dict[str, Any]]:
    found: dict[str, SeatTally] = {}
    for match in _results(db):
        for name in {seat.participant for seat in match.seats}:
            if name in found or len(found) < MOST_PARTICIPANTS:
                found.setdefault(name, SeatTally(name)).add(match)
    ordered = sorted(
        found.values(), key=lambda one: (-_known(one.score, 0), -_known(one.goal, 0), one.name)
    )
    return [
        {
            "name": one.name,
            "matches": one.matches,
            "won": one.wins,
            "drawn": one.draws,
            "lost": one.losses,
            "score": _known(one.score),
            "interval": [_known(end) for end in one.interval] if one.rated else None,
            "goal": _known(one.goal),
            "margin": _known(one.goal_margin),
            "mistakes": one.mistakes,
        }
        for one in ordered
    ]


def _results(db: sqlite3.Connection) -> Iterator[MatchResult]:
    """All matches without their moves."""
    rows = db.execute(
        "SELECT match, role, participant, goal, late, illegal, failed, scale FROM seats"
        " JOIN matches ON matches.id = seats.match ORDER BY match, seat LIMIT ?",
        (MOST_SEATS,),
    )
    current: object = None
    scale, seats = 100, list[SeatResult]()
    for match, role, name, goal, late, illegal, failed, one in rows:
        if match != current and seats:
            yield MatchResult(0, tuple(seats), scale=scale)
            seats = []
        current, scale = match, max(1, int(one))
        mistakes = {"late": int(late), "illegal": int(illegal), "failed": int(failed)}
        seats.append(SeatResult(_text(role), _text(name), int(goal), **mistakes))
    if seats:
        yield MatchResult(0, tuple(seats), scale=scale)


def _last(db: sqlite3.Connection) -> list[dict[str, Any]]:
    rows = db.execute(
        "SELECT id, short(id), game, plies, begun FROM matches ORDER BY begun DESC, number DESC"
        " LIMIT ?",
        (LAST_MATCHES,),
    ).fetchall()
    found = []
    for match, short, game, plies, begun in rows:
        seats = db.execute(
            "SELECT role, participant, goal FROM seats WHERE match = ? ORDER BY seat LIMIT 64",
            (match,),
        ).fetchall()
        found.append(
            {
                "match": short,
                "game": _text(game),
                "moves": int(plies),
                "started": int(1000 * begun),
                "seats": [
                    {"role": _text(role), "name": _text(name), "goal": int(goal)}
                    for role, name, goal in seats
                ],
            }
        )
    return found


def _plan(path: Path, db: sqlite3.Connection) -> tuple[str, int | None]:
    """Title and number of rounds from the description beside a store, where there is one."""
    described = path.with_suffix(".toml")
    try:
        if not described.is_file() or described.stat().st_size > 1_000_000:
            return "", None
        description = Description.load(described)
    except (OSError, ValueError, RecursionError, WoodstockError):
        return "", None

    def facts(source: GameSource) -> GameFacts:
        # Only what the tournament has found out: no rules are evaluated here.
        row = db.execute("SELECT facts FROM games WHERE key = ?", (source.key,)).fetchone()
        if row is None:
            raise LookupError(source.key)
        roles, chance, shared = json.loads(row[0])
        return GameFacts(tuple(roles), chance, shared)

    try:
        expected = make_schedule(description, facts).expected
    except (LookupError, ValueError, TypeError, RecursionError, WoodstockError):
        expected = None
    return _text(description.name), expected


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A store, for reading; what goes wrong with it is a `RecordError`."""
    try:
        # Where nobody writes there is no log, and looking for one would leave files behind.
        logged = path.with_name(path.name + "-wal").exists()
        how = "mode=ro" if logged else "mode=ro&immutable=1"
        with closing(sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, timeout=2)) as db:
            db.execute("PRAGMA query_only=1")
            db.execute("PRAGMA trusted_schema=0")
            db.create_function("short", 1, _short, deterministic=True)
            deadline = time.monotonic() + _SLICE * 5
            # A hostile or huge file is given up, and not waited for.
            db.set_progress_handler(lambda: int(time.monotonic() > deadline), 10_000)
            yield db
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as problem:
        if isinstance(problem, RecordError):
            raise
        raise RecordError("this is no store of a tournament, or it cannot be read") from None


def _short(match: object) -> str:
    return hashlib.sha256(str(match).encode(errors="replace")).hexdigest()[:20]


def _text(value: object) -> str:
    return value[:MOST_SIGNS] if isinstance(value, str) else ""


def _known(value: float, other: float | None = None) -> Any:
    return other if math.isnan(value) else round(value, 6)
