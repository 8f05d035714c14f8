"""What was said in a match, line by line as it happens, so that it can be read again.

One JSON object a line: the START message, every PLAY with the answer given, the end. A player that
was killed finds here what it needs to join again. A file that cannot be written is no reason not to
play: it is told once, and the match goes on without.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from woodstock.files import append_line
from woodstock.gdl.terms import Term
from woodstock.protocol.messages import (
    Abort,
    MessageError,
    Play,
    Start,
    Stop,
    read_message,
    read_move,
)

__all__ = ["Entry", "Journal", "PastMatch", "read_journal"]

MOST_BYTES = 1 << 26
"""Of a longer file nothing is read."""

_log = logging.getLogger("woodstock.protocol")

Entry: TypeAlias = Start | Play | Stop | Abort | Term | None
"""A message, a move, or no move."""


class Journal:
    """The file of one match, from its START on; one that is taken up again goes on in it.

    The file of an earlier match of the same name is put aside.
    """

    def __init__(self, folder: Path, start: Start, *, again: bool = False) -> None:
        self._path = path_of(folder, start.match)
        self._works = True
        if not again:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                _put_aside(self._path)
            except OSError as problem:
                self._give_up(problem)
            self.write("start", start)

    def write(self, kind: str, what: Entry) -> None:
        """Add a line; `what` is a message, a move or None."""
        if not self._works:
            return
        text = None if what is None else str(what)
        line = json.dumps({"time": round(time.time(), 3), kind: text})
        try:
            # A player has no time to wait for a disk: what a dead process has written is enough.
            append_line(self._path, line, sync=False)
        except OSError as problem:
            self._give_up(problem)

    def _give_up(self, problem: OSError) -> None:
        self._works = False
        _log.error("%s is not written any more: %s", self._path, problem)


def path_of(folder: Path, match: str) -> Path:
    """The file of a match; its name may hold anything, a file's may not."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", match)[:100].lstrip(".")
    if safe != match:
        safe += f"-{hashlib.sha256(match.encode(errors='replace')).hexdigest()[:12]}"
    return folder / f"{safe}.jsonl"


def _put_aside(path: Path) -> None:
    if path.exists():
        names = (path.with_name(f"{path.stem}.{n}.jsonl.old") for n in itertools.count(1))
        path.rename(next(name for name in names if not name.exists()))


class PastMatch:
    """A match that was broken off: how it began, and all turns with our answers."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.turns: list[tuple[Play, Term | None]] = []


def read_journal(folder: Path, match: str) -> PastMatch | None:
    """A match that is not over, from its file; None where there is none."""
    path = path_of(folder, match)
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
    except OSError:
        return None
    try:
        return _read(path, match)
    except (MessageError, OSError) as problem:
        _log.error("%s cannot be read: %s", path, problem)
        return None


def _read(path: Path, match: str) -> PastMatch | None:
    past: PastMatch | None = None
    for entry in _entries(path):
        if "stop" in entry or "abort" in entry:
            past = None
        elif entry.get("start"):
            start = read_message(entry["start"])
            past = PastMatch(start) if isinstance(start, Start) and start.match == match else None
        elif past is not None and entry.get("play"):
            play = read_message(entry["play"])
            if isinstance(play, Play):
                past.turns.append((play, None))
        elif past is not None and past.turns and entry.get("answer"):
            past.turns[-1] = past.turns[-1][0], read_move(entry["answer"])
    return past


def _entries(path: Path) -> Iterator[dict[str, str]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # the line that was being written
        if isinstance(entry, dict):
            yield entry
