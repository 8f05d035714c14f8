"""What was said in a match, line by line as it happens, so that it can be read again.

One JSON object a line: the START message, every PLAY with the answer given, the end. A player that
was killed finds here what it needs to join again.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from woodstock.gdl.terms import Term
from woodstock.protocol.messages import Abort, Play, Start, Stop, read_message, read_move

__all__ = ["Entry", "Journal", "PastMatch", "read_journal"]


Entry: TypeAlias = Start | Play | Stop | Abort | Term | None
"""A message, a move, or no move."""


class Journal:
    """The file of one match, from its START on; one that is taken up again goes on in it."""

    def __init__(self, folder: Path, start: Start, *, again: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = path_of(folder, start.match)
        if not again:
            self.write("start", start)

    def write(self, kind: str, what: Entry) -> None:
        """Add a line; `what` is a message, a move or None."""
        text = None if what is None else str(what)
        line = json.dumps({"time": round(time.time(), 3), kind: text})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def path_of(folder: Path, match: str) -> Path:
    """The file of a match; its name may hold anything, a file's may not."""
    safe = re.sub(r"[^A-Za-z0-9._-]", lambda sign: f"%{ord(sign.group()):x}", match)[:150]
    return folder / f"{safe.lstrip('.') or 'match'}.jsonl"


class PastMatch:
    """A match that was broken off: how it began, and all turns with our answers."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.turns: list[tuple[Play, Term | None]] = []


def read_journal(folder: Path, match: str) -> PastMatch | None:
    """A match that is not over, from its file; None where there is none."""
    path = path_of(folder, match)
    if not path.exists():
        return None
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
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # the line that was being written
        if isinstance(entry, dict):
            yield entry
