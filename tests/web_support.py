"""The page as a program: a server in a folder of its own, and a browser that looks at it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
"""The browser of the machine, where there is one."""

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""A browser that asks nobody but us."""


class Server:
    """`woodstock web` in a process of its own; `address` is where it listens."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "woodstock", "web", "--no-open", "--port", str(port)]
        self.process = subprocess.Popen(
            [*command, "--folder", str(folder), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        )
        self.address = self._address()

    def _address(self) -> str:
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if found := re.search(r"http://[^\s/]+", said):
                return found[0]
        raise RuntimeError(f"the server said no address: {said}")

    @property
    def port(self) -> int:
        """Where a server that takes its place has to listen."""
        return int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        """As if the machine had lost its power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """As Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[Server]:
    """A server until the block ends."""
    server = Server(folder, *arguments)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser until the block ends."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()
