"""Reading a line from a person: with history and completion where the terminal has them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["line_editing", "matching_files"]

Complete = Callable[[str], Sequence[str]]
"""What a line may go on to be, each as the whole line."""


@contextmanager
def line_editing(complete: Complete) -> Iterator[None]:
    """While it lasts, `input` has history, and Tab completes lines.

    That is the business of the standard library's ``readline``. Where it is missing, or nobody sits
    at a terminal, lines are read as they come.

    >>> with line_editing(lambda line: []):
    ...     pass
    """
    readline = _readline()
    if readline is None:
        yield
        return
    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(_completer(complete))
    readline.set_completer_delims("\n")
    # The editing library of macOS calls itself readline and speaks another language.
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])


def _readline() -> Any:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        return import_module("readline")
    except ImportError:
        return None


def _completer(complete: Complete) -> Callable[[str, int], str | None]:
    """The form in which readline asks: for one after the other, until there is none."""
    found: list[str] = []

    def answer(text: str, number: int) -> str | None:
        if number == 0:
            try:
                found[:] = complete(text)
            except Exception:
                found[:] = []  # readline would print a traceback into the line
        return found[number] if number < len(found) else None

    return answer


def matching_files(start: str, endings: Sequence[str] = ()) -> list[str]:
    """Files and folders that a path may go on to be; files with one of these endings, if any.

    >>> matching_files("no/such/folder/x")
    []
    """
    folder, name = Path(start + "x").parent, "" if start.endswith("/") else Path(start).name
    if not start:
        name = ""
    found = []
    try:
        for path in folder.iterdir():
            if path.name.startswith(name) and (path.name[0] != "." or name[:1] == "."):
                if path.is_dir():
                    found.append(f"{path}/")
                elif not endings or path.suffix in endings:
                    found.append(str(path))
    except OSError:
        return []
    return sorted(found)
