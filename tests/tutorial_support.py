"""A tutorial as its reader follows it: files are saved, commands typed, screens compared.

A page may hold three kinds of blocks:

* ``console``: lines that begin with ``$`` are typed, what follows them must appear; ``...`` stands
  for anything. A prompt such as ``x>`` shows what the reader types into the program. A command
  that ends with ``&`` goes on until the page is over.
* ``python`` with prompts: one session a page, run by ``test_docs.py``.
* any block below "Save ... as `NAME`": the text of a file.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PATIENCE = 600.0
"""Seconds after which something has gone wrong, on however busy a machine."""
PORT = "9147"
"""The port that pages name; a free one takes its place."""

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAVE = re.compile(r"\b[Ss]ave\b[^.]*?\sas\s`([^`]+)`[^\n]*:\s*$")
_PROMPT = re.compile(r"^(\w+> ?)(.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Save:
    """The text of a file that the reader saves."""

    name: str
    text: str


@dataclass(frozen=True)
class Typed:
    """A command, what is typed into it, and what the page shows of its output."""

    command: str
    screen: str

    @property
    def shown(self) -> str:
        """What a program prints whose input comes from a pipe: nobody echoes what is typed."""
        return _PROMPT.sub(lambda found: found[1], self.screen)

    @property
    def input(self) -> str:
        return "".join(f"{found[2]}\n" for found in _PROMPT.finditer(self.screen))


def steps(text: str) -> Iterator[Save | Typed]:
    """What the reader of a page does, in order; a `ValueError` for a block nobody would run.

    >>> page = '''Save it as `a.txt`:
    ...
    ... ```text
    ... hello
    ... ```
    ... ```console
    ... $ cat a.txt
    ... hello
    ... ```
    ... '''
    >>> [type(step).__name__ for step in steps(page)]
    ['Save', 'Typed']
    """
    end = 0
    for block in _BLOCK.finditer(text):
        language, content = block.groups()
        saved = _SAVE.search(text[end : block.start()])
        end = block.end()
        if saved:
            yield Save(saved[1], content)
        elif language == "console":
            for typed in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, screen = typed.partition("\n")
                yield Typed(command, screen)
        elif language != "python" or ">>>" not in content:
            raise ValueError(f"no test runs the block {content[:60]!r}")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


class Reader:
    """Somebody who follows a page step by step, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = str(free_port())
        self._running: list[tuple[subprocess.Popen[str], IO[str]]] = []
        programs = folder / ".bin"
        programs.mkdir()
        program = programs / "woodstock"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m woodstock "$@"\n')
        program.chmod(0o755)
        self._environment = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / ".cache"),
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "PYTHONUNBUFFERED": "1",
        }
        self._environment.pop("FORCE_COLOR", None)

    def follow(self, text: str) -> None:
        """Do everything that the page says; an `AssertionError` where it shows something else."""
        try:
            for step in steps(text.replace(PORT, self._port)):
                if isinstance(step, Save):
                    (self._folder / step.name).write_text(step.text, encoding="utf-8")
                elif step.command.endswith("&"):
                    self._begin(step)
                else:
                    self._type(step)
        finally:
            self._end()

    def _type(self, step: Typed) -> None:
        run = subprocess.run(
            ["bash", "-c", step.command],
            input=step.input,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
            env=self._environment,
            timeout=PATIENCE,
        )
        said_wrong = re.search(r"\berror\b", step.screen)
        assert run.returncode == (1 if said_wrong else 0), f"{step.command}\n{run.stdout}"
        _compare(step, run.stdout)

    def _begin(self, step: Typed) -> None:
        output = (self._folder / f".screen{len(self._running)}").open("w+", encoding="utf-8")
        process = subprocess.Popen(
            ["bash", "-c", f"exec {step.command[:-1]}"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
            env=self._environment,
        )
        self._running.append((process, output))
        until = time.monotonic() + PATIENCE
        while not _same(step, Path(output.name).read_text(encoding="utf-8")):
            gone = process.poll() is not None or time.monotonic() > until
            assert not gone, Path(output.name).read_text(encoding="utf-8")
            time.sleep(0.05)

    def _end(self) -> None:
        for process, output in self._running:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
            output.close()


def _same(step: Typed, output: str) -> bool:
    return fits(step.shown, output)


def fits(shown: str, printed: str) -> bool:
    """Whether a screen of a page is what was printed; blanks count as one, ``...`` is anything.

    >>> fits("move ... value ... proved", "move   value proved"), fits("a ...", "b")
    (True, False)
    """
    parts = " ".join(shown.split()).split("...")
    pattern = ".*".join(re.escape(part.strip()) for part in parts)
    return re.fullmatch(pattern, " ".join(printed.split()), re.DOTALL) is not None


def _compare(step: Typed, output: str) -> None:
    assert _same(step, output), (
        f"$ {step.command}\n--- the page shows\n{step.shown}\n--- it printed\n{output}"
    )
