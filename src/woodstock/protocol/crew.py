"""Worker processes seen from the server: started, listened to, ended."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from collections.abc import Callable
from typing import Any

from woodstock.protocol.worker import Heard, Setup, Told, work

__all__ = ["Worker", "warm_up"]

# A server of processes has imported everything once, so that a worker is there in milliseconds, and
# shares no threads and locks with the player's server.
_context: Any = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")


def warm_up() -> None:
    """Get ready to start workers quickly; takes about a second."""
    if sys.platform != "win32":
        _context.set_forkserver_preload(["woodstock.protocol.worker"])
    first = _context.Process(target=_nothing, daemon=True)
    first.start()
    first.join()


def _nothing() -> None:
    return


class Worker:
    """A process that works for one match.

    `hear` is called, in the loop it was made in, for everything the process says, and once with
    None when it has ended without being asked to.
    """

    def __init__(self, setup: Setup, hear: Callable[[Heard | None], None]) -> None:
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._connection, other = _context.Pipe()
        self._process = _context.Process(target=work, args=(other, setup), daemon=True)
        self._process.start()
        other.close()
        self._open = True
        self._loop.add_reader(self._connection.fileno(), self._readable)

    def tell(self, told: Told) -> None:
        """Pass on what a message said."""
        if self._open:
            try:
                self._connection.send(told)
            except OSError:
                self._end()

    def close(self) -> None:
        """End the process at once, whatever it does."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._connection.fileno())
            self._connection.close()
        self._process.kill()

    def _readable(self) -> None:
        try:
            while self._open and self._connection.poll():
                self._hear(self._connection.recv())
        except (EOFError, OSError):
            self._end()

    def _end(self) -> None:
        if self._open:
            self.close()
            self._hear(None)
