"""Ctrl-C, at any moment: one line and exit code 130, also before the commands are there."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["INTERRUPTED", "InterruptedExit", "interruptible", "tell_interrupted"]

INTERRUPTED = 130
_AGAIN = 0.05


class InterruptedExit(SystemExit):
    """The end of a command that was interrupted and has said so."""


def tell_interrupted(what: str = "") -> None:
    """Say that it was interrupted, and what is there all the same."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"woodstock: interrupted{'; ' if what else ''}{what}\n")


@contextmanager
def interruptible() -> Iterator[None]:
    """What a process does from its first line on; an interrupt that nobody takes ends it.

    Python forgets what is raised where nobody can catch it, as in a finaliser, and prints it: an
    interrupt is raised once more a moment later instead.
    """
    before = sys.unraisablehook

    def hook(found: Any) -> None:
        if isinstance(found.exc_value, KeyboardInterrupt):
            timer = threading.Timer(_AGAIN, signal.raise_signal, [signal.SIGINT])
            timer.daemon = True
            timer.start()
        else:
            before(found)

    sys.unraisablehook = hook
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tell_interrupted()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)
    finally:
        sys.unraisablehook = before
