"""The leash: starts a program and ends it when whoever asked for it is gone, however it went.

``python -m woodstock.tournament.leash COMMAND ...`` runs the command in a group of its own and
waits for it. When its standard input ends, which it does when the process at the other end is
killed, the whole group is ended. Its exit code is that of the command.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

from woodstock.lifeline import Child

__all__ = ["main"]


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the command and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def main(command: list[str]) -> int:
    """Run the command until it ends, or nobody wants it any more."""
    child = Child(
        "woodstock.lifeline",  # should somebody kill us
        *command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    sys.stdout.write(f"{child.pid}\n")
    sys.stdout.flush()

    def watch() -> None:
        sys.stdin.buffer.read()
        _end(child)

    threading.Thread(target=watch, daemon=True).start()
    code = child.wait()
    _end(child)  # what it has left behind
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
