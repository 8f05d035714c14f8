"""A match on the page: people and players choose, chance is drawn, and the journal knows it all.

The server only keeps the books: which moves are legal is asked of a keeper, what a player does of a
thinker. A player that is late, fails or answers with an illegal move gets a random legal one, which
is noted, as in any match.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool

from woodstock.errors import WoodstockError
from woodstock.web.crew import Crew, Job
from woodstock.web.hands import CrewError
from woodstock.web.journal import TableJournal
from woodstock.web.rulesheets import Rulesheet
from woodstock.web.seats import PERSON, MatchState, read_seats

__all__ = ["ConflictError", "Guest", "PageTable", "TableError"]

ABANDONED = 60.0
"""Seconds without anybody looking after which players are not asked any more."""
BUSY_SECONDS = 1.0
"""How long a player waits to be asked again when too many are waiting."""
RETRY_SECONDS = 5.0
"""How long a position that could not be found out is left alone, however many look."""
SPARE_SECONDS = 10.0
"""What a thinker may take beside the clocks of its player."""
RETRIES = 2
"""How often a player is asked whose process was killed."""

_log = logging.getLogger("woodstock.web")


class TableError(WoodstockError):
    """Something that this person may not do at this table; `status` is what HTTP calls it."""

    status = 403


class ConflictError(TableError):
    """Something that came too late: the match has gone on."""

    status = 409


class Guest(NamedTuple):
    """Somebody with a key: the roles they may play, and whether the table is theirs."""

    roles: tuple[str, ...]
    owner: bool


class PageTable:
    """A match. All methods belong to the server's loop; what changes it is written down first."""

    def __init__(
        self, rules: Rulesheet, crew: Crew, journal: TableJournal, state: MatchState
    ) -> None:
        self.rules = rules
        self.state = state
        self.crew = crew
        self.problem = ""
        self.listeners = 0
        self.stamp = 0
        """When something has changed last, in microseconds: what is newer has a larger one."""
        self.facts: dict[str, Any] | None = None
        """What the referee knows of the position; None as long as the keeper is being asked."""
        self._journal = journal
        self.touched = time.monotonic()
        """When somebody was here last."""
        self._answers: dict[str, tuple[str, str, float | None]] = {}
        self._jobs: list[Job] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._news: deque[dict[str, Any]] = deque(maxlen=16)
        self._told = 0
        self._failed = 0.0
        self._views: dict[tuple[int, str | None], asyncio.Future[dict[str, Any]]] = {}
        self._written = self._kept = 0
        self._keeping: asyncio.Future[None] | None = None

    # Who --------------------------------------------------------------------------------------

    def guest(self, key: object) -> Guest:
        """Who comes with a key; `TableError` for one that fits nothing.

        The owner plays for all persons whose own link was never used.
        """
        self.touched = time.monotonic()
        state = self.state
        if not isinstance(key, str) or not key:
            raise TableError("this table wants a key")
        given = key.encode()
        if secrets.compare_digest(given, state.owner.encode()):
            mine = tuple(role for role in state.people() if role not in state.claimed)
            return Guest(mine, True)
        for role, held in state.keys.items():
            if secrets.compare_digest(given, held.encode()):
                if role not in state.claimed:
                    self._write({"claim": role})
                    self.tell_all()
                return Guest((role,), False)
        if secrets.compare_digest(given, state.watch.encode()):
            return Guest((), False)
        raise TableError("this key fits no seat of this table")

    # What happens -------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """How many joint moves were made."""
        return len(self.state.line)

    @property
    def waiting(self) -> list[str]:
        """The players who have not chosen yet."""
        done = self.moved
        return [] if self.over else [role for role in self.state.seats if role not in done]

    @property
    def moved(self) -> list[str]:
        """The players who have chosen and wait for others."""
        chosen = {*self.state.pending, *self._answers}
        return [] if self.over else [role for role in self.state.seats if role in chosen]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.resigned is not None or bool(self.facts and self.facts["terminal"])

    @property
    def hidden(self) -> bool:
        """Whether there is something that not everybody may know."""
        return not self.over and (self.facts is None or bool(self.facts["hidden"]))

    def wake(self) -> None:
        """Go on where nobody does."""
        if self._turn is None or (self._turn.done() and self._can_go_on()):
            self._begin()

    async def ready(self) -> None:
        """Wait until the position is known, or why it cannot be."""
        self.wake()
        while self.facts is None and not self.problem:
            await self._changed.wait()

    async def move(self, guest: Guest, role: object, ply: object, move: object) -> None:
        """A person's choice."""
        self._check_seat(guest, role)
        if ply != self.ply:
            raise ConflictError("the match has gone on in the meantime")
        await self.ready()
        if ply != self.ply:
            raise ConflictError("the match has gone on in the meantime")
        if self.over or self.problem or self.facts is None:
            raise ConflictError(self.problem or "the match is over")
        if role in self.state.pending:
            raise ConflictError(f"{role} has chosen already")
        if move not in self.facts["legal"][role]:
            raise TableError(f"{str(move)[:200]} is not legal for {role}")
        self._write({"move": move, "role": role})
        self._commit()

    async def undo(self, guest: Guest) -> None:
        """Back to the last choice of somebody's roles; for an owner without any, of anybody's."""
        roles = guest.roles or (tuple(self.state.seats) if guest.owner else ())
        if not roles:
            raise TableError("only who plays may take something back")
        await self.ready()
        others = set(self.state.people()) - set(roles)
        if self.over and others and (self.facts is None or self.facts["hidden"]):
            # At the end all cards are on the table: nobody plays on who has seen those of others.
            raise ConflictError("what was hidden has been seen; begin another match")
        waiting = [role for role in roles if role in self.state.pending and self._chooses(role)]
        if waiting and not self.over:
            for role in waiting:
                self._write({"back": role})
            self._restart()
            return
        if self.state.resigned is not None and self.state.resigned in roles:
            self._write({"undo": self.ply})
            self._restart()
            return
        found = [n for n, chose in enumerate(self.state.choices) if set(roles) & set(chose)]
        if not found:
            raise TableError("there is nothing to take back")
        self._write({"undo": found[-1]})
        self._restart()

    def resign(self, guest: Guest, role: object) -> None:
        """A person gives up; that is the end."""
        self._check_seat(guest, role)
        if self.over:
            raise ConflictError("the match is over")
        self._write({"resign": role})
        self._restart()

    def sit(self, guest: Guest, seats: object) -> None:
        """Change who plays what, in the middle of the match."""
        if not guest.owner:
            raise TableError("only who has set up the table may change the seats")
        merged = {**self.state.seats, **seats} if isinstance(seats, Mapping) else seats
        checked = read_seats(merged, list(self.state.seats), self.crew.limits)
        self._write({"seats": checked, "keys": self.state.new_keys(checked)})
        self._restart()

    def hint(self, guest: Guest, role: object, seconds: float) -> Job:
        """What a good player would do in a person's place."""
        self._check_seat(guest, role)
        return self.crew.start(
            self.rules,
            "choose",
            {**self._question(str(role), "woodstock", seconds), "purpose": "hint"},
            seconds=seconds + self.state.start_seconds + SPARE_SECONDS,
            person=self.state.table,
        )

    async def close(self) -> None:
        """Nobody goes on with this match here; its journal stays."""
        self._stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What is told -------------------------------------------------------------------------------

    def tell_all(self) -> None:
        """Something has changed."""
        self._stamp()
        # Whoever waits has the old event: a new one can be missed by nobody.
        self._changed.set()
        self._changed = asyncio.Event()

    async def changes(self) -> AsyncIterator[dict[str, Any] | None]:
        """None at every change, and news of players who think; ends with the server."""
        self.listeners += 1
        try:
            seen = self._told
            while True:
                changed = self._changed
                yield None
                while changed is self._changed or self._told > seen:
                    fresh = list(self._news)[-(self._told - seen) :] if self._told > seen else []
                    seen = self._told
                    for news in fresh:
                        yield news
                    if changed is self._changed:
                        await changed.wait()
        finally:
            self.listeners -= 1
            self.touched = time.monotonic()
            if not self.listeners:
                self._views.clear()

    async def position(self, ply: int, role: str | None) -> dict[str, Any]:
        """The view of a position of the match for a role; asked once for all who look."""
        key = ply, role
        if key not in self._views:
            line = self.state.line[:ply]
            request = {"line": line, "role": role, "seed": self.state.seed}
            asked = asyncio.ensure_future(self.crew.ask(self.rules, "position", request))
            asked.add_done_callback(lambda done: self._viewed(key, done))
            # Nobody asks for what is past, but for the first position, which everybody knows.
            for old in [one for one in self._views if one[0] not in (0, ply)]:
                del self._views[old]
            self._views[key] = asked
        return await asyncio.shield(self._views[key])

    def _viewed(self, key: tuple[int, str | None], done: asyncio.Future[dict[str, Any]]) -> None:
        # What failed may work the next time.
        if (done.cancelled() or done.exception() is not None) and self._views.get(key) is done:
            del self._views[key]

    # How it goes on -----------------------------------------------------------------------------

    def _write(self, entry: dict[str, Any]) -> None:
        self._journal.write(entry)
        self._written += 1
        self.state.take(entry)
        self._stamp()

    def _stamp(self) -> None:
        # The clock, not a count: it goes on when the server is started again.
        self.stamp = max(self.stamp + 1, time.time_ns() // 1000)

    async def kept(self) -> None:
        """Wait until the disk has all that has happened; a disk takes its time, others need not."""
        wanted = self._written
        while self._kept < wanted:
            if self._keeping is None:
                self._keeping = asyncio.ensure_future(self._keep())
            await asyncio.shield(self._keeping)

    async def _keep(self) -> None:
        written = self._written
        try:
            await run_in_threadpool(self._journal.sync)
            self._kept = written
        finally:
            self._keeping = None

    def _begin(self) -> None:
        self.problem = ""
        self._turn = self._task(self._play())

    def _restart(self) -> None:
        self._stop()
        self._views.clear()
        self.facts = None
        self._begin()
        self.tell_all()

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for job in self._jobs:
            job.stop()
        self._jobs.clear()
        self._answers.clear()

    def _task(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _play(self) -> None:
        """One turn: find out who may do what, and ask those who are here."""
        try:
            if self.facts is None:
                asked = {"line": self.state.line}
                self.facts = await self.crew.ask(self.rules, "table", asked)
                self.tell_all()
            if self.over:
                return
            if self.ply >= self.crew.limits.line_moves:
                raise TableError(f"the match is cut after {self.ply:,} moves")
            idle = [role for role, legal in self.facts["legal"].items() if not legal]
            if idle:
                raise TableError(f"the rules leave {' and '.join(idle)} without a move")
            self._ask_all(self.facts["legal"])
        except WoodstockError as problem:
            self.problem = str(problem)
            self._failed = time.monotonic()
            self.tell_all()

    def _ask_all(self, legal: Mapping[str, list[str]]) -> None:
        state = self.state
        for role, moves in legal.items():
            seat = state.seats.get(role)
            if seat is None:
                drawn = random.Random(f"chance/{state.seed}/{self.ply}").choice(moves)
                self._answers[role] = drawn, "", None
            elif role in state.pending or role in self._answers:
                continue
            elif len(moves) == 1 and self._goes_by_itself(role, moves[0], legal):
                self._answers[role] = moves[0], "", None
            elif seat["kind"] != PERSON and self._is_wanted():
                self._task(self._ask(role, seat, moves))
        self._commit()

    def _goes_by_itself(self, role: str, move: str, legal: Mapping[str, list[str]]) -> bool:
        """Whether nobody needs to be asked: a person makes the only move of all, if it is one."""
        if self.state.seats[role]["kind"] != PERSON or not move.startswith("("):
            return True
        return any(len(moves) > 1 for moves in legal.values())

    async def _ask(self, role: str, seat: Mapping[str, Any], legal: list[str]) -> None:
        ply, error, value, move = self.ply, "", None, ""
        if not self.hidden:
            self._news.append({"role": role})
            self._told += 1
            self.tell_all()
        try:
            found = await self._thought(role, seat)
            move, value = str(found["move"]), found["value"]
            error = "" if move in legal else f"IL {move}"
        except CrewError as problem:
            error = "TO" if problem.reason == "late" else f"EX {problem}"
        if ply != self.ply:
            return
        if error:
            move = random.Random(f"manager/{self.state.seed}/{ply}/{role}").choice(legal)
        self._answers[role] = move, error, value
        self._commit()

    async def _thought(self, role: str, seat: Mapping[str, Any]) -> dict[str, Any]:
        seconds = float(seat["seconds"])
        tries = 0
        while True:
            try:
                job = self.crew.start(
                    self.rules,
                    "choose",
                    self._question(role, str(seat["player"]), seconds),
                    seconds=seconds + self.state.start_seconds + SPARE_SECONDS,
                    kind="move",
                    person=self.state.table,
                )
            except CrewError as problem:
                if problem.reason != "busy":
                    raise
                await asyncio.sleep(BUSY_SECONDS)
                continue
            self._jobs.append(job)
            tries += 1
            try:
                return await job.result()
            except CrewError as problem:
                if problem.reason != "died" or tries >= RETRIES:
                    raise
            finally:
                if job in self._jobs:
                    self._jobs.remove(job)

    def _question(self, role: str, player: str, seconds: float) -> dict[str, Any]:
        limits, state = self.crew.limits, self.state
        return {
            "table": state.table,
            "line": state.line,
            "role": role,
            "player": player,
            "seconds": seconds,
            "start_seconds": min(state.start_seconds, 4 * seconds),
            "seed": state.seed,
            "threads": limits.threads,
            "search_mb": limits.search_mb,
        }

    def _commit(self) -> None:
        """Go on if everybody has chosen."""
        if self.facts is None or self.over:
            return
        chosen = {role: (move, "", None) for role, move in self.state.pending.items()}
        every = {**self._answers, **chosen}
        if any(role not in every for role in self.facts["roles"]):
            self.tell_all()
            return
        values = {role: value for role, (_, _, value) in every.items() if value is not None}
        self._write(
            {
                "joint": [every[role][0] for role in self.facts["roles"]],
                "choices": [role for role in self.facts["roles"] if self._chooses(role)],
                "errors": {role: error for role, (_, error, _) in every.items() if error},
                "values": values,
                "time": int(1000 * time.time()),
            }
        )
        self._answers.clear()
        self.facts = None
        self._begin()

    def _chooses(self, role: str) -> bool:
        return self.facts is not None and len(self.facts["legal"].get(role, ())) > 1

    def _can_go_on(self) -> bool:
        """Whether it helps to try: what the rules say stays, a process may work the next time."""
        if not self.problem:
            return self._waits()
        return self.facts is None and time.monotonic() - self._failed > RETRY_SECONDS

    def _waits(self) -> bool:
        """Whether there is a player who should be asked and is not."""
        if self.facts is None:
            return True
        if self.over:
            return False
        players = [role for role, seat in self.state.seats.items() if seat["kind"] != PERSON]
        return any(role not in self._answers for role in players) and len(self._tasks) == 0

    def _is_wanted(self) -> bool:
        return self.listeners > 0 or time.monotonic() - self.touched < ABANDONED

    def _check_seat(self, guest: Guest, role: object) -> None:
        if role not in guest.roles:
            raise TableError(f"this key does not play {str(role)[:80]}")
