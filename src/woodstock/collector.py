"""Keeping Python's garbage collector out of work that makes many objects and no garbage."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["no_collections"]

_lock = threading.Lock()
_users = 0
_was_enabled = False


@contextmanager
def no_collections() -> Iterator[None]:
    """No garbage is collected meanwhile, on any thread.

    A collection of a large heap stops every thread of the process for a tenth of a second: too long
    for a player that has to answer. Several may use this at a time.

    >>> with no_collections():
    ...     gc.isenabled()
    False
    """
    global _users, _was_enabled
    with _lock:
        if _users == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _was_enabled:
                gc.enable()
