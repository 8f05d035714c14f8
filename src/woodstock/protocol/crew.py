"""Worker processes seen from the server: started, listened to, ended."""

from __future__ import annotations

import asyncio
import multiprocessing
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from woodstock.lifeline import sheltered
from woodstock.protocol.worker import Heard, Setup, TurnReport, work

__all__ = ["Worker", "warm_up"]

# A server of processes has imported everything once, so that a worker is there in milliseconds, and
# shares no threads and locks with the player's server.
_context: Any = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")


def warm_up() -> None:
    """Get ready to start workers quickly; takes about a second."""
    if sys.platform != "win32":
        _context.set_forkserver_preload(["woodstock.protocol.worker"])
    first = _context.Process(target=_nothing, daemon=True)
    with sheltered():
        first.start()
    first.join()


def _nothing() -> None:
    return


class Worker:
    """A process that works for one match.

    `hear` is called, in the loop it was made in, for everything the process says, and once with
    None when it has ended without being asked to. Two threads carry what is said to and fro: a
    process that does not listen must not keep the loop waiting.
    """

    def __init__(self, setup: Setup, hear: Callable[[Heard | None], None]) -> None:
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._connection, other = _context.Pipe()
        self._process = _context.Process(target=work, args=(other, setup), daemon=True)
        try:
            with sheltered():
                self._process.start()
        except BaseException:
            self._connection.close()
            raise
        finally:
            other.close()
        self._open = True
        self._outbox: queue.SimpleQueue[TurnReport | None] = queue.SimpleQueue()
        self._sender = threading.Thread(target=self._send, daemon=True)
        self._sender.start()
        threading.Thread(target=self._receive, daemon=True).start()

    def tell(self, told: TurnReport) -> None:
        """Pass on what a message said."""
        self._outbox.put(told)

    def close(self) -> None:
        """End the process at once, whatever it does."""
        self._open = False
        self._outbox.put(None)
        self._process.kill()

    def _send(self) -> None:
        try:
            while (told := self._outbox.get()) is not None:
                self._connection.send(told)
        except OSError:
            return  # whoever receives knows it too

    def _receive(self) -> None:
        try:
            while True:
                self._pass_on(self._connection.recv())
        except (EOFError, OSError):
            self._pass_on(None)
        self._outbox.put(None)
        self._process.kill()
        self._process.join()
        self._sender.join()  # nobody is left who could keep it waiting
        self._connection.close()

    def _pass_on(self, heard: Heard | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._in_loop, heard)
        except RuntimeError:
            return  # the loop is closed, and nobody wants to know

    def _in_loop(self, heard: Heard | None) -> None:
        if self._open:
            self._open = heard is not None
            self._hear(heard)
