"""Programs that a tournament starts itself: one process for each, kept from match to match."""

from __future__ import annotations

import atexit
import shlex
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from woodstock.errors import WoodstockError
from woodstock.lifeline import undisturbed
from woodstock.protocol.hosted_players import Address

__all__ = ["ProgramError", "Programs", "StartedProgram"]

START_SECONDS = 60.0
"""How long a program may take until it listens."""


class ProgramError(WoodstockError):
    """A program that does not start."""


class StartedProgram:
    """A program that listens on a port of this machine, from a command with ``{port}`` in it."""

    def __init__(self, command: str) -> None:
        self.address = Address("127.0.0.1", _free_port())
        self._command = command
        words = [word.replace("{port}", str(self.address.port)) for word in shlex.split(command)]
        with undisturbed():
            self._leash = subprocess.Popen(
                [sys.executable, "-m", "woodstock.tournament.leash", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # `-m` looks for modules in the current directory first: in ours, not in the user's.
                cwd=Path(__file__).resolve().parents[2],
            )
        source = self._leash.stdout
        line = source.readline() if source is not None else b""
        self.pid = int(line) if line.strip().isdigit() else 0
        """The process that the command became."""

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._leash.poll() is None

    def settle(self, seconds: float = 1.0) -> None:
        """Wait a little for news of its death: it is noticed some time after it."""
        with suppress(subprocess.TimeoutExpired):
            self._leash.wait(seconds)

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Wait until it listens; `ProgramError` if it ends, or takes too long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.alive:
                raise ProgramError(f"{self._command!r} ended with code {self._leash.returncode}")
            with suppress(OSError), socket.create_connection(self.address_pair, 1.0):
                return
            time.sleep(0.05)
        self.close()
        raise ProgramError(f"{self._command!r} does not listen on the port it was given")

    @property
    def address_pair(self) -> tuple[str, int]:
        """Host and port."""
        return self.address.host, self.address.port

    def close(self) -> None:
        """End it."""
        if self._leash.stdin is not None:
            with suppress(OSError):
                self._leash.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._leash.wait(10)
        if self._leash.stdout is not None:
            self._leash.stdout.close()


class Programs:
    """The programs of this process, by participant and seat: each is started when it is needed."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, int], StartedProgram] = {}
        atexit.register(self.close)

    def get(self, command: str, seat: int) -> StartedProgram:
        """A program that listens; one that has died is started again.

        Two seats of one participant have two processes: programs play one match at a time.
        """
        known = self._running.get((command, seat))
        if known is None or not known.alive:
            if known is not None:
                known.close()
            known = self._running[command, seat] = StartedProgram(command)
            known.wait()
        return known

    def close(self) -> None:
        """End all of them."""
        while self._running:
            self._running.popitem()[1].close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
