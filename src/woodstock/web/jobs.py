"""Work that takes a while: waited for, watched while it goes on, stopped."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Literal

from woodstock.web.hands import GRACE, CrewError, Hand
from woodstock.web.rulesheets import Rulesheet

__all__ = ["Job", "JobKind"]

JobKind = Literal["move", "analysis"]
KEPT = 256
"""How much of what a job has told is kept for those who come late."""


class Job:
    """A service in a thinker, or on its way there.

    Iterating over it gives what it tells, from the beginning as far as that is kept, which is until
    it is done; `result` waits for the end. Both may be done by several.
    """

    def __init__(
        self,
        rules: Rulesheet,
        service: str,
        request: dict[str, Any],
        seconds: float,
        kind: JobKind,
        person: str,
    ) -> None:
        self.id = secrets.token_urlsafe(16)
        self.rules = rules
        self.kind: JobKind = kind
        self.person = person
        """For whom it is: jobs of one table go to the thinker that knows it."""
        self.hand: Hand | None = None
        self.listeners = 0
        self._service = service
        self._request = request
        self._seconds = seconds
        self._told: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._count = 0
        self._changed = asyncio.Event()
        self._done: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._done.add_done_callback(self._ended)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or a reason why there is none."""
        return self._done.done()

    async def result(self) -> dict[str, Any]:
        """The result; `CrewError` where there is none."""
        return await asyncio.shield(self._done)

    def stop(self) -> None:
        """Nobody wants it any more; a job that has begun may still give what it has."""
        if self.is_done:
            return
        if self.hand is None:
            self.fail(CrewError("stopped", "stopped"))
            return
        self.hand.stop()
        hand = self.hand
        asyncio.get_running_loop().call_later(GRACE, self._kill, hand)

    def cancel(self) -> None:
        """End it at once; whatever it has found is lost, and what its process knew."""
        if self.hand is not None and not self.is_done:
            self._kill(self.hand)
        else:
            self.fail(CrewError("stopped", "stopped"))

    def fail(self, problem: CrewError) -> None:
        """There will be no result."""
        if not self.is_done:
            self._done.set_exception(problem)

    async def work(self, hand: Hand) -> None:
        """Have it done; never raises, but for being cancelled."""
        self.hand = hand
        try:
            result = await hand.run(self._service, self._request, self._seconds, self._tell)
        except CrewError as problem:
            self.fail(problem)
        except BaseException:
            self.fail(CrewError("the page is being closed", "stopped"))
            raise
        else:
            if not self.is_done:
                self._done.set_result(result)

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        seen = 0
        while True:
            changed = self._changed
            first = self._count - len(self._told)
            fresh = list(self._told)[max(0, seen - first) :]
            seen = self._count
            for told in fresh:
                yield told
            if self._count == seen:
                if self.is_done:
                    return
                await changed.wait()

    def _tell(self, data: dict[str, Any]) -> None:
        self._told.append(data)
        self._count += 1
        self._wake()

    def _ended(self, done: asyncio.Future[dict[str, Any]]) -> None:
        if not done.cancelled():
            done.exception()  # somebody may never ask; that is no reason to complain
        self._told.clear()  # the result has it all
        self._wake()

    def _wake(self) -> None:
        # Everybody who waits has the old one: a new one cannot be missed by any of them.
        self._changed.set()
        self._changed = asyncio.Event()

    def _kill(self, hand: Hand) -> None:
        if not self.is_done and self.hand is hand:
            hand.kill(CrewError("stopped", "stopped"))
