"""What every command has around it: user mistakes become one sentence and an exit code."""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn, ParamSpec, TypeVar

from woodstock.cli.interrupts import INTERRUPTED, InterruptedExit, tell_interrupted
from woodstock.errors import UnknownGameError, WoodstockError
from woodstock.files import OverwriteError
from woodstock.learn import ValuesError
from woodstock.match import SeatError
from woodstock.player import UnknownPlayerError
from woodstock.search import OptionError, UnknownSearchError
from woodstock.tournament.papers.tables import UnknownTableError
from woodstock.tournament.reading import DescriptionError

__all__ = [
    "INTERRUPTED",
    "USAGE",
    "WRONG",
    "UsageError",
    "guarded",
    "leave_threads_behind",
    "prepare_streams",
    "print_json",
]

WRONG, USAGE = 1, 2

P = ParamSpec("P")
T = TypeVar("T")


class UsageError(WoodstockError):
    """The command was called in a way that makes no sense."""


def guarded(function: Callable[P, T]) -> Callable[P, T]:
    """A command that never shows a traceback for what a user did.

    With ``as_json`` the message is also the one JSON object on standard output.
    """

    @functools.wraps(function)
    def wrapper(*args: P.args, **options: P.kwargs) -> T:
        try:
            result = function(*args, **options)
            # Here and not at exit, where nobody could catch what goes wrong.
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            _forget_stdout()
            raise SystemExit(WRONG) from None
        except KeyboardInterrupt as stopped:
            tell_interrupted(str(stopped))
            raise InterruptedExit(INTERRUPTED) from None
        except (
            DescriptionError,
            OptionError,
            OverwriteError,
            SeatError,
            UnknownGameError,
            UnknownPlayerError,
            UnknownSearchError,
            UnknownTableError,
            UsageError,
            ValuesError,
        ) as problem:
            _fail(str(problem), USAGE, options.get("as_json"))
        except OSError as problem:
            _fail(_describe(problem), USAGE, options.get("as_json"))
        except WoodstockError as problem:
            _fail(str(problem), WRONG, options.get("as_json"))

    return wrapper


def _fail(message: str, code: int, as_json: object) -> NoReturn:
    sys.stderr.write(f"woodstock: {message}\n")
    if as_json:
        print_json({"ok": False, "error": message})
        sys.stdout.flush()
    raise SystemExit(code) from None


def _describe(problem: OSError) -> str:
    if problem.filename is None and problem.errno in (errno.ENOSPC, errno.EFBIG, errno.EIO):
        # All that is written elsewhere says where.
        _forget_stdout()
        return f"standard output: {problem.strerror}"
    if problem.filename is not None and problem.strerror:
        return f"{os.fsdecode(problem.filename)}: {problem.strerror}"
    return str(problem)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line; plain ASCII, so that any terminal can carry it."""
    sys.stdout.write(json.dumps(value) + "\n")


def prepare_streams() -> None:
    """Boards are drawn with more than ASCII: a poor terminal gets question marks, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def leave_threads_behind(code: object) -> None:
    """End the process at once where it was interrupted or a thread still works.

    All that was printed is written first. A thread that comes back from native code while the
    interpreter shuts down takes the process with it, as an abort; and who has pressed Ctrl-C does
    not want to wait for any thread.
    """
    # What is done is done: an interrupt from now on would only take the code away.
    with contextlib.suppress(ValueError):  # not on the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if code != INTERRUPTED and not any(thread.daemon for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _forget_stdout() -> None:
    """Point standard output nowhere: Python flushes it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
