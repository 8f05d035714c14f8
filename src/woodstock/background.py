"""Long work beside threads that have to answer in time, or that may stop it."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from woodstock import _core

__all__ = ["Stoppable", "busy", "in_background"]

SWITCH_SECONDS = 0.0005
"""How long a thread that runs Python keeps others waiting; usually it is ten times as long."""

_lock = threading.Lock()
_users = 0
_before: tuple[bool, float] = (True, 0.005)


@contextmanager
def in_background() -> Iterator[None]:
    """Work that makes many objects and no garbage gives way to other threads.

    No garbage is collected meanwhile, on any thread: in a large heap that stops the whole process
    for a tenth of a second. And threads that wait for their turn get it sooner. Several may use
    this at a time.

    >>> with in_background():
    ...     gc.isenabled(), sys.getswitchinterval()
    (False, 0.0005)
    """
    global _users, _before
    with _lock:
        if _users == 0:
            _before = gc.isenabled(), sys.getswitchinterval()
            gc.disable()
            sys.setswitchinterval(min(SWITCH_SECONDS, _before[1]))
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                collects, interval = _before
                if collects:
                    gc.enable()
                sys.setswitchinterval(interval)


def busy() -> bool:
    """Whether there is such work at the moment: then nobody should count on milliseconds.

    >>> busy()
    False
    """
    return _users > 0


class Stoppable:
    """Native work that one thread at a time does, and others may stop.

    >>> work = Stoppable("this search is thinking")
    >>> with work.begun() as stop:
    ...     work.stop()
    ...     stop.is_set
    True
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._stop: _core.Stop | None = None

    @contextmanager
    def begun(self) -> Iterator[_core.Stop]:
        """For who works now; `RuntimeError` while another thread does."""
        stop = _core.Stop()
        with self._lock:
            if self._stop is not None:
                raise RuntimeError(f"{self._what} already, on another thread")
            self._stop = stop
        try:
            yield stop
        finally:
            with self._lock:
                self._stop = None

    def stop(self) -> None:
        """End what is being done; if nothing is, nothing happens."""
        with self._lock:
            if self._stop is not None:
                self._stop.set()
