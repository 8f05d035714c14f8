"""One process at work, seen as something to await: asked, told of, late, out of memory, dead."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from woodstock.errors import WoodstockError
from woodstock.web.processes import Process, ProcessSetup, Said

__all__ = ["CrewError", "Hand", "memory_mb"]

GRACE = 2.0
"""Seconds between being asked to stop and being killed."""

LONGEST_PROBLEM = 2000
"""Signs of what is told to be wrong: the rules of a stranger may be quoted in it."""

Reason = Literal["refused", "late", "memory", "died", "failed", "busy", "stopped"]


class CrewError(WoodstockError, RuntimeError):
    """There is no answer, and the text says why in words for a person.

    `reason` is ``refused`` (the request is wrong), ``busy`` (too many others), ``late``,
    ``memory``, ``died``, ``stopped`` or ``failed`` (our mistake).
    """

    def __init__(self, text: str, reason: Reason = "failed") -> None:
        super().__init__(text)
        self.reason = reason


class Hand:
    """A process that does one thing at a time; once `dead`, it stays so."""

    def __init__(self, setup: ProcessSetup, load_seconds: float) -> None:
        self.digest = setup.rules.digest if setup.rules is not None else ""
        self.pasted = setup.rules is not None and setup.rules.pasted
        self.memory_mb = setup.memory_mb
        self.ready = setup.rules is None
        self.busy = False
        self.dead = False
        self.used = time.monotonic()
        self.last_for = ""
        """For whom it worked last: who knows a table's player already."""
        self._load_seconds = load_seconds
        self._heard: asyncio.Queue[Said | CrewError | None] = asyncio.Queue()
        self._order = 0
        self._process = Process(setup, self._hear)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def run(
        self,
        service: str,
        request: dict[str, Any],
        seconds: float,
        tell: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """The result of a service; `CrewError` where there is none.

        What it takes to read the rules is not counted. Cancelled or late, the process is told to
        stop, and is killed if it does not within a moment.
        """
        self.busy = True
        try:
            return await self._run(service, request, seconds, tell)
        finally:
            self.busy = False
            self.used = time.monotonic()

    async def _run(
        self,
        service: str,
        request: dict[str, Any],
        seconds: float,
        tell: Callable[[dict[str, Any]], None] | None,
    ) -> dict[str, Any]:
        self._order = order = self._process.order(service, request)
        until = time.monotonic() + seconds + (0.0 if self.ready else self._load_seconds)
        try:
            while True:
                try:
                    said = await asyncio.wait_for(self._heard.get(), until - time.monotonic())
                except asyncio.TimeoutError:
                    what = "an answer" if self.ready else "reading the rules"
                    limit = seconds if self.ready else self._load_seconds
                    self.kill()
                    raise CrewError(f"{what} takes more than {limit:g} s", "late") from None
                if said is None:
                    raise CrewError("the process that worked on this has died", "died")
                if isinstance(said, CrewError):
                    raise said
                if said.kind == "ready":
                    if not self.ready:
                        until = time.monotonic() + seconds
                    self.ready = True
                elif said.number != order:
                    continue
                elif said.kind == "progress":
                    if tell is not None:
                        tell(said.data)
                elif said.kind == "done":
                    self.ready = True
                    return said.data
                else:
                    raise self._problem(said)
        except asyncio.CancelledError:
            self.kill()
            raise

    def _hear(self, said: Said | None) -> None:
        # One that dies while nobody asks it is not asked any more.
        self.dead = self.dead or said is None
        self._heard.put_nowait(said)

    def stop(self) -> None:
        """Tell what is being done that nobody wants it any more; it may still give a result."""
        if self.busy:
            self._process.stop(self._order)

    def kill(self, problem: CrewError | None = None) -> None:
        """End the process; whoever waits for it is told the problem."""
        if not self.dead:
            self.dead = True
            self._process.close()
            if problem is not None:
                self._heard.put_nowait(problem)

    def _problem(self, said: Said) -> CrewError:
        if said.kind == "memory":
            # What is left of it may be anything.
            self.kill()
            return CrewError(f"this needs more than {self.memory_mb:,} MB", "memory")
        if said.kind == "refused":
            return CrewError(str(said.data.get("error"))[:LONGEST_PROBLEM], "refused")
        return CrewError(f"a mistake of ours ({said.data.get('error')}); please tell us", "failed")


def memory_mb(pid: int) -> float:
    """What a process and those it has started hold, in megabytes; 0 where that is unknown.

    >>> memory_mb(os.getpid()) > 1 or not Path("/proc").exists()
    True
    """
    size = _held(pid)
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        children = []
    return size + sum(_held(int(child)) for child in children)


def _held(pid: int) -> float:
    # Processes share what was loaded before they began: the proportional size counts it once.
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        for line in rollup.splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (OSError, ValueError, IndexError):
        return 0.0
