"""Long work in Python beside threads that have to answer in time."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["busy", "in_background"]

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
