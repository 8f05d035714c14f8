"""What the tests of tournaments share: descriptions, made-up results, runs in processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from woodstock.tournament import Description, make_schedule
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.formats import Schedule
from woodstock.tournament.results import MatchResult, RoundResult, SeatResult
from woodstock.tournament.rounds import Round

Goals = Callable[[Round, Sequence[str]], Sequence[int]]
"""Makes up the goals of a match, from the names in the order of the seats."""


def described(text: str, **more: Any) -> Description:
    """A description with participants and games that any test may have."""
    lines = [f"{key} = {value!r}".replace("'", '"') for key, value in more.items()]
    return Description.parse("\n".join([*lines, text]), "test.toml")


def facts_for(**seats: int) -> Callable[[GameSource], GameFacts]:
    """Facts of games by name, with - for _: how many play; 0 is a team of two."""

    def facts(source: GameSource) -> GameFacts:
        count = seats.get(source.name.replace("-", "_"), 2)
        roles = tuple(f"r{number}" for number in range(count or 2))
        return GameFacts(roles, chance=False, shared=count < 2)

    return facts


def made_up(round_: Round, goals: Goals, roles: Sequence[str] = ()) -> RoundResult:
    """A round without playing."""
    matches = []
    for number, seating in enumerate(round_.seatings):
        names = [round_.participants[who].name for who in seating]
        values = goals(round_, names)
        seats = tuple(
            SeatResult(f"r{place}", name, goal, thoughts=1, cpu=0.1, wall=0.1, longest=0.1)
            for place, (name, goal) in enumerate(zip(names, values, strict=True))
        )
        matches.append(MatchResult(number, seats, moves=(("noop",) * len(seats),)))
    return RoundResult(tuple(matches))


def play_out(schedule: Schedule, goals: Goals, at_a_time: int = 1) -> list[Round]:
    """Hold a whole tournament with made-up results; the rounds in the order of their end.

    With more at a time, rounds end in the reverse of the order in which they began.
    """
    ended: list[Round] = []
    running: list[Round] = []
    while True:
        while len(running) < at_a_time and (found := schedule.next()) is not None:
            running.append(found)
        if not running:
            return ended
        one = running.pop()
        schedule.take(one, made_up(one, goals))
        ended.append(one)


def schedule_of(description: Description, **seats: int) -> Schedule:
    return make_schedule(description, facts_for(**seats))


def by_strength(strength: dict[str, int]) -> Goals:
    """The strongest of a table gets 100, alone or with others of the same strength 50 or less."""

    def goals(round_: Round, names: Sequence[str]) -> list[int]:
        if len(set(names)) == 1:
            return [strength[name] for name in names]
        best = max(strength[name] for name in names)
        first = [name for name in names if strength[name] == best]
        return [100 // len(first) if strength[name] == best else 0 for name in names]

    return goals


COMMAND = (sys.executable, "-m", "woodstock", "tournament")


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """``woodstock tournament`` in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit code, standard output and standard error."""
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def wait_until(ready: Callable[[], bool], seconds: float = 300) -> None:
    """Wait for what another process does; the limit only matters when something is wrong."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def query(store: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a store says, also while somebody writes it; nothing before it is there."""
    if not store.exists():
        return []
    with closing(sqlite3.connect(store, timeout=30)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'seats'").fetchone():
            return []
        return db.execute(sql).fetchall()


def count(store: Path) -> int:
    """How many matches it has."""
    found = query(store, "SELECT count(*) FROM matches")
    return int(found[0][0]) if found else 0


def truth(store: Path) -> list[tuple[Any, ...]]:
    """All that must not depend on how a tournament was held: ids, moves and goals."""
    return query(
        store,
        "SELECT matches.id, hex(moves), seat, role, participant, goal, seed FROM matches JOIN seats"
        " ON seats.match = matches.id ORDER BY matches.id, seat",
    )
