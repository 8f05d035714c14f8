"""Who evaluates rules for the page: keepers, which answer at once, and thinkers, which take long.

The server evaluates no rules. There is one keeper for each rulesheet in use, up to a number, and a
bounded number of thinkers at work for all; a process that nobody has asked for longest makes room.
Each has a limit on memory and time, and all together have one on memory, so one rulesheet can never
take the page, or another game, down with it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from woodstock.web.hands import CrewError, Hand, memory_mb
from woodstock.web.jobs import Job, JobKind
from woodstock.web.options import PageLimits
from woodstock.web.processes import NICENESS, ProcessSetup, warm_up
from woodstock.web.rulesheets import Rulesheet

__all__ = ["Crew", "CrewError", "Job", "Rulesheet"]

WATCH_SECONDS = 1.0
"""How often the memory of all processes is looked at."""
QUEUE = 64
"""How many questions may wait for one keeper."""
CHECKERS = 2
"""Texts that are checked at the same time, each in a process of its own."""
WAITING_CHECKS = 32
"""Texts that may wait for that."""
RETRIES = 3
"""How often a question is asked again whose keeper was ended by another one."""
TRIED_SECONDS = 30.0
"""How long rules that could not be read are not tried again."""
FULL_SECONDS = 15.0
"""How long to wait for a keeper when all are busy."""

_log = logging.getLogger("woodstock.web")


class Crew:
    """The processes of the page. All methods belong to one event loop.

    ::

        crew = Crew(PageLimits())
        await crew.open()
        view = await crew.ask(rules, "position", {"line": []})
        job = crew.start(rules, "analyse", {"line": [], "seconds": 5}, seconds=5)
        async for progress in job: ...
        await job.result()
    """

    def __init__(self, limits: PageLimits | None = None) -> None:
        self.limits = limits or PageLimits()
        self._keepers: dict[str, _Keeper] = {}
        self._thinkers: list[Hand] = []
        self._waiting: deque[Job] = deque()
        self._running: dict[Job, asyncio.Task[None]] = {}
        self._checks = asyncio.Semaphore(CHECKERS)
        self._tried: dict[str, tuple[float, CrewError]] = {}
        self._checkers: set[Hand] = set()
        self._checking = 0
        self._freed = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None
        self._warming: asyncio.Future[None] | None = None
        self._closed = False
        self.memory_mb = 0.0
        """What all processes held when last looked at."""

    async def open(self) -> None:
        """Begin to get ready, which takes about a second; who asks before that waits."""
        self._warming = asyncio.get_running_loop().run_in_executor(None, warm_up)
        self._watcher = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        if self._watcher is not None:
            self._watcher.cancel()
        if self._warming is not None:
            await self._warming
        for job in [*self._waiting, *self._running]:
            job.cancel()
        self._waiting.clear()
        for hand in self._hands():
            hand.kill(CrewError("the page is being closed", "stopped"))
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def ask(
        self,
        rules: Rulesheet,
        service: str,
        request: dict[str, Any],
        *,
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """The answer of the keeper of these rules; `CrewError` where there is none."""
        most = seconds or self.limits.answer_seconds
        killed = False
        for _ in range(RETRIES):
            self._check_tried(rules)
            keeper = await self._keeper(rules)
            try:
                answer = await keeper.ask(service, request, most)
            except CrewError as problem:
                if problem.reason in ("late", "memory") and not keeper.hand.ready:
                    self._tried[rules.digest] = time.monotonic() + TRIED_SECONDS, problem
                # Somebody may have killed it. If it was the question, once more is enough.
                if problem.reason != "died" or killed:
                    raise
                killed = True
                continue
            if answer is not None:
                return answer
        raise CrewError("the process that worked on this has died", "died")

    async def ask_once(
        self, service: str, request: dict[str, Any], *, seconds: float | None = None
    ) -> dict[str, Any]:
        """The answer of a service that needs no game, in a process of its own."""
        self._check_open()
        if self._checking >= WAITING_CHECKS:
            raise CrewError("too many rules are being checked; try again later", "busy")
        self._checking += 1
        try:
            async with self._checks:
                hand = self._hire(None)
                self._checkers.add(hand)
                try:
                    return await hand.run(service, request, seconds or self.limits.answer_seconds)
                finally:
                    self._checkers.discard(hand)
                    hand.kill()
        finally:
            self._checking -= 1

    def start(
        self,
        rules: Rulesheet,
        service: str,
        request: dict[str, Any],
        *,
        seconds: float,
        kind: JobKind = "analysis",
        person: str = "",
    ) -> Job:
        """Have a thinker do something; it begins when one is free.

        Jobs of the same `person` (a table) go to the same thinker where that is possible. Of kind
        ``analysis``, one thinker less is used than there are: moves need not wait for them.
        """
        self._check_open()
        if sum(job.kind == kind for job in self._waiting) >= self.limits.waiting_jobs:
            raise CrewError("too many are waiting for an answer; try again later", "busy")
        job = Job(rules, service, request, seconds, kind, person)
        self._waiting.append(job)
        self._dispatch()
        return job

    def figures(self) -> dict[str, Any]:
        """How many are at work, for ``/api/about``."""
        return {
            "keepers": len(self._keepers),
            "thinkers": len(self._thinkers),
            "running": len(self._running),
            "waiting": len(self._waiting),
            "memory_mb": round(self.memory_mb),
        }

    # Keepers ------------------------------------------------------------------------------------

    async def _keeper(self, rules: Rulesheet) -> _Keeper:
        until = time.monotonic() + FULL_SECONDS
        while True:
            self._check_open()
            found = self._keepers.get(rules.digest)
            if found is not None and not found.hand.dead:
                return found
            if found is not None:
                del self._keepers[rules.digest]
            if self._has_room(rules.pasted):
                self._keepers[rules.digest] = keeper = _Keeper(self._hire(rules), self._free)
                return keeper
            self._freed.clear()
            try:
                await asyncio.wait_for(self._freed.wait(), until - time.monotonic())
            except asyncio.TimeoutError:
                raise CrewError(
                    "too many games are being played at once; try again later", "busy"
                ) from None

    def _has_room(self, pasted: bool) -> bool:
        """Whether one more keeper may be hired; the idle one that rested longest is let go.

        Pasted rules leave a third of the places to the games of the library.
        """
        for digest in [d for d, keeper in self._keepers.items() if keeper.hand.dead]:
            del self._keepers[digest]
        most = self.limits.keepers
        own = [d for d, keeper in self._keepers.items() if keeper.hand.pasted]
        if pasted and len(own) >= max(1, most * 2 // 3):
            return self._let_go(own)
        return len(self._keepers) < most or self._let_go([*self._keepers])

    def _let_go(self, digests: list[str]) -> bool:
        idle = [d for d in digests if not self._keepers[d].busy]
        if not idle:
            return False
        self._keepers.pop(min(idle, key=lambda d: self._keepers[d].hand.used)).hand.kill()
        return True

    def _hire(self, rules: Rulesheet | None, *, thinker: bool = False) -> Hand:
        limits = self.limits
        known = rules is not None and not rules.pasted
        setup = ProcessSetup(
            rules,
            limits.process_mb,
            grounding_seconds=limits.load_seconds / 2,
            nice=NICENESS["thinker" if thinker else "known" if known else "pasted"],
            answer_bytes=limits.answer_bytes,
        )
        return Hand(setup, limits.load_seconds)

    def _free(self) -> None:
        self._freed.set()

    def _check_tried(self, rules: Rulesheet) -> None:
        """Refuse rules that were too much a moment ago: they would be too much again."""
        now = time.monotonic()
        self._tried = {digest: one for digest, one in self._tried.items() if one[0] > now}
        if rules.digest in self._tried:
            problem = self._tried[rules.digest][1]
            raise CrewError(str(problem), problem.reason)

    def _check_open(self) -> None:
        if self._closed:
            raise CrewError("the page is being closed", "stopped")

    # Thinkers -----------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Give waiting jobs to thinkers, first come, first served."""
        self._waiting = deque(job for job in self._waiting if not job.is_done)
        for job in list(self._waiting):
            analyses = sum(one.kind == "analysis" for one in self._running)
            if job.kind == "analysis" and analyses >= max(1, self.limits.thinkers - 1):
                continue
            hand = self._thinker(job)
            if hand is None:
                return
            self._waiting.remove(job)
            hand.busy, hand.last_for = True, job.person
            self._running[job] = asyncio.create_task(self._work(job, hand))

    def _thinker(self, job: Job) -> Hand | None:
        self._thinkers = [hand for hand in self._thinkers if not hand.dead]
        idle = [hand for hand in self._thinkers if not hand.busy]
        if len(self._thinkers) - len(idle) >= self.limits.thinkers:
            return None
        same = [hand for hand in idle if hand.digest == job.rules.digest]
        if same:
            return max(same, key=lambda h: (bool(job.person) and h.last_for == job.person, -h.used))
        # Reading rules costs more than most moves: those who know some wait for the next one.
        if idle and len(self._thinkers) >= self.limits.thinkers + self.limits.warm_thinkers:
            oldest = min(idle, key=lambda hand: hand.used)
            oldest.kill()
            self._thinkers.remove(oldest)
        hand = self._hire(job.rules, thinker=True)
        self._thinkers.append(hand)
        return hand

    async def _work(self, job: Job, hand: Hand) -> None:
        try:
            await job.work(hand)
        finally:
            hand.busy = False
            del self._running[job]
            if not self._closed:
                self._dispatch()

    # Memory -------------------------------------------------------------------------------------

    def _hands(self) -> list[Hand]:
        keepers = [keeper.hand for keeper in self._keepers.values()]
        every = [*keepers, *self._thinkers, *self._checkers]
        return [hand for hand in every if not hand.dead]

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self.look()
            except RuntimeError:
                return  # the executor is closed

    async def look(self) -> None:
        """See what all processes hold, and end some where it is too much."""
        hands = self._hands()
        pids = [hand.pid for hand in hands]
        sizes = await asyncio.get_running_loop().run_in_executor(None, _memory_of, pids)
        self.memory_mb = sum(sizes)
        self._make_room(sorted(zip(sizes, hands), key=lambda one: one[0], reverse=True))

    def _make_room(self, sizes: list[tuple[float, Hand]]) -> None:
        over = sum(size for size, _ in sizes) - self.limits.total_mb
        # Those that do nothing go first; among the others the largest.
        for size, hand in sorted(sizes, key=lambda one: one[1].busy):
            if over <= 0:
                return
            _log.warning("all processes need too much memory; one with %.0f MB is ended", size)
            hand.kill(CrewError("this needs more memory than there is for all", "memory"))
            over -= size


def _memory_of(pids: list[int]) -> list[float]:
    return [memory_mb(pid) for pid in pids]


class _Keeper:
    """The keeper of one rulesheet: answers one question after the other."""

    def __init__(self, hand: Hand, free: Callable[[], None]) -> None:
        self.hand = hand
        self._free = free
        self._lock = asyncio.Lock()
        self._count = 0

    @property
    def busy(self) -> bool:
        return self._count > 0

    async def ask(
        self, service: str, request: dict[str, Any], seconds: float
    ) -> dict[str, Any] | None:
        """The answer; None where the keeper was ended before it came to this."""
        if self._count >= QUEUE:
            raise CrewError("too many ask about this game at once; try again later", "busy")
        self._count += 1
        try:
            async with self._lock:
                if self.hand.dead:
                    return None
                # Shielded: a closed tab must not kill the keeper of others.
                task = asyncio.ensure_future(self.hand.run(service, request, seconds))
                try:
                    return await asyncio.shield(task)
                except asyncio.CancelledError:
                    await asyncio.wait([task])
                    raise
        finally:
            self._count -= 1
            if not self._count:
                self._free()
