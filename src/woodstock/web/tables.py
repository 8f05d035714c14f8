"""All tables of the page: made, found again, put to sleep.

A table in memory is one that somebody uses. When there are too many, those where nobody looks sleep
in their journals; whoever comes with a link wakes them up, also after the server was killed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from woodstock.web.crew import Crew, CrewError
from woodstock.web.journal import Journals, TableJournal
from woodstock.web.options import PageLimits
from woodstock.web.rulesheets import Rulesheet, Rulesheets, UnknownRulesError
from woodstock.web.seats import MatchState, new_key, read_seats, seconds_of
from woodstock.web.services.contract import ServiceError
from woodstock.web.table import PageTable, TableError

__all__ = ["PageTables", "UnknownPageTableError"]

START_SECONDS = 2.0
"""What a player may take to get ready before its first move, where nobody says otherwise."""
MOST_SEED = 2**31

_log = logging.getLogger("woodstock.web")


class UnknownPageTableError(TableError, LookupError):
    """A table that nobody knows, or knows any more."""

    status = 404


class PageTables:
    """The matches of the page by id. All methods belong to the server's loop.

    Without a `folder`, a match lives as long as it is in memory.
    """

    def __init__(
        self, crew: Crew, rules: Rulesheets, limits: PageLimits, folder: Path | None
    ) -> None:
        self._crew = crew
        self._rules = rules
        self._limits = limits
        self._journals = Journals(folder, most=limits.kept_tables, most_mb=limits.kept_mb)
        self._awake: dict[str, PageTable] = {}
        self._waking = asyncio.Lock()

    async def new(self, asked: Mapping[str, Any]) -> PageTable:
        """A match as a request wants it: ``game``, ``seats``, ``line``, ``seed``."""
        sheet = self._rules.find(asked.get("game"))
        line = asked.get("line") or []
        if not isinstance(line, list) or len(line) > self._limits.line_moves:
            raise ServiceError(f"a line is a list of at most {self._limits.line_moves} joint moves")
        facts = await self._crew.ask(sheet, "table", {"line": line, "choices": True})
        choices = facts.pop("choices")
        seats = read_seats(asked.get("seats"), facts["players"], self._limits)
        state = MatchState()
        start = {
            "table": secrets.token_urlsafe(12),
            "game": sheet.ref,
            "digest": sheet.digest,
            "seed": _seed(asked.get("seed")),
            "start_seconds": seconds_of(asked, "start_seconds", START_SECONDS, self._limits),
            "owner": new_key(),
            "watch": new_key(),
            "roles": facts["roles"],
            "seats": seats,
            "keys": state.new_keys(seats),
            "line": line,
            "choices": choices,
            "time": int(1000 * time.time()),
            **({"rules": sheet.text} if sheet.pasted else {}),
        }
        await self._make_room()
        journal = await run_in_threadpool(self._journals.new, start["table"], list(self._awake))
        journal.write({"start": start})
        await run_in_threadpool(journal.sync)
        state.take({"start": start})
        made = PageTable(sheet, self._crew, journal, state)
        made.facts = facts
        self._awake[state.table] = made
        return made

    async def find(self, table: str) -> PageTable:
        """The table of an id, woken up where it sleeps."""
        if table in self._awake:
            return self._awake[table]
        # One after the other: two who come at once must not get a table each.
        async with self._waking:
            if table not in self._awake:
                journal = self._journals.find(table)
                state = None if journal is None else await run_in_threadpool(_read, journal)
                if journal is None or state is None:
                    raise UnknownPageTableError("there is no such match (any more)")
                sheet = await self._sheet(state)
                if sheet.digest != state.digest:
                    raise UnknownPageTableError("the rules of this match have changed since")
                await self._make_room()
                self._awake[table] = PageTable(sheet, self._crew, journal, state)
            return self._awake[table]

    async def close(self) -> None:
        """Nobody goes on; the journals stay."""
        await asyncio.gather(*(table.close() for table in self._awake.values()))
        self._awake.clear()

    async def _sheet(self, state: MatchState) -> Rulesheet:
        try:
            return self._rules.find(state.game)
        except UnknownRulesError:
            if state.rules is None:
                raise
            return await run_in_threadpool(self._rules.keep, state.rules)

    async def _make_room(self) -> None:
        idle = [name for name, table in self._awake.items() if not table.listeners]
        idle.sort(key=lambda name: self._awake[name].touched)
        while len(self._awake) >= self._limits.tables:
            if not idle:
                raise CrewError("too many matches are being played; try again later", "busy")
            await self._awake.pop(idle.pop(0)).close()


def _seed(given: object) -> int:
    if given is None:
        return secrets.randbelow(MOST_SEED)
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < MOST_SEED:
        raise ServiceError(f"a seed is a whole number from 0 to {MOST_SEED - 1}")
    return given


def _read(journal: TableJournal) -> MatchState | None:
    """A match as its journal tells it; None where it tells nothing that makes sense."""
    state = MatchState()
    try:
        for entry in journal.read():
            state.take(entry)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        _log.warning("a journal makes no sense: %r", problem)
        return None
    return state if state.table else None
