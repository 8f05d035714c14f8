"""Children that never outlive their parent, whatever ends it.

A child holds one end of a pipe, its parent the other. When the parent is gone, however it went, the
pipe is closed, and the child ends at once: on Linux the system kills it at that moment, whatever it
does; elsewhere a thread waits for it. (Linux could also be asked for a signal at the death of the
parent, but takes the thread that started the child for the parent.)

`Child` starts a module of ours, which calls `hold_line` first of all; so does what
`multiprocessing` starts, inside `sheltered`. ``python -m woodstock.lifeline COMMAND ...`` becomes
another program.

No child hears of Ctrl-C, which a terminal sends to everybody: its parent does, and decides.

>>> with Child("woodstock.lifeline", "true", stdout=subprocess.DEVNULL) as child:
...     child.wait()
0
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Child", "hold_line", "main", "sheltered", "undisturbed"]

_NAME = "WOODSTOCK_LIFELINE"
"""The variable that tells a child which of its files is the line."""


class Child(subprocess.Popen[bytes]):
    """``python -m MODULE ARGUMENTS``, which ends when this process does.

    Keyword arguments are those of `subprocess.Popen`.
    """

    _line: int | None = None

    def __init__(self, module: str, *arguments: str, **options: Any) -> None:
        theirs = None
        if os.name == "posix":
            theirs, self._line = os.pipe()
            environment = {**(options.pop("env", None) or os.environ), _NAME: str(theirs)}
            options |= {"pass_fds": (theirs,), "env": environment}
        # `-m` looks for modules in the current directory first: in ours, not in the user's.
        options.setdefault("cwd", Path(__file__).resolve().parents[1])
        try:
            with undisturbed():
                super().__init__([sys.executable, "-m", module, *arguments], **options)
        except BaseException:
            self._let_go()
            raise
        finally:
            if theirs is not None:
                os.close(theirs)

    def __exit__(self, *leaving: Any) -> None:
        try:
            super().__exit__(*leaving)
        finally:
            self._let_go()

    def __del__(self, *rest: Any) -> None:
        # Nobody has it any more: nor will anybody wait for it.
        self._let_go()
        super().__del__(*rest)

    def _let_go(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            os.close(line)


@contextmanager
def sheltered() -> Iterator[None]:
    """Start processes of `multiprocessing` in here: no interrupt reaches them, at no moment."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        # It is started with the first of them, and lets interrupts through again.
        resource_tracker.ensure_running()
    with undisturbed():
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is started in here has the interrupt blocked."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - not a Unix
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hold_line() -> None:
    """End this process when the one that started it ends; for children, as early as can be.

    Nothing happens in a process that is nobody's child in this sense.
    """
    number = os.environ.pop(_NAME, None)
    if number is not None:
        _end_when_closed(int(number))
    elif "multiprocessing.process" in sys.modules:  # else it has not started us
        from multiprocessing import parent_process

        parent = parent_process()
        if parent is not None and os.name == "posix":
            _end_when_closed(parent.sentinel)
        elif parent is not None:  # pragma: no cover - not a Unix
            _watch(parent.join)


def _end_when_closed(line: int) -> None:
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(line, 10, signal.SIGKILL)  # F_SETSIG, which Python has no name for
            fcntl.fcntl(line, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(line, fcntl.F_SETFL, fcntl.fcntl(line, fcntl.F_GETFL) | os.O_ASYNC)
        except OSError:  # pragma: no cover - a Linux without it
            _watch(lambda: os.read(line, 1))
            return
        look = select.poll()
        look.register(line, select.POLLIN)
        if look.poll(0):  # closed before anybody was asked to tell us
            os._exit(1)
    else:  # pragma: no cover - no Linux
        _watch(lambda: os.read(line, 1))


def _watch(wait: Callable[[], object]) -> None:
    def end() -> None:
        wait()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def main(command: list[str]) -> None:
    """Become another program, which ends with the process that started this one."""
    hold_line()
    try:
        os.execvp(command[0], command)
    except OSError as problem:
        sys.exit(f"{command[0]}: {problem.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
