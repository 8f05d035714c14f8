"""The file of a match on the page: what happened, line by line, so that nothing is lost.

One JSON object a line, on the disk before anybody is told of it. A server that was killed goes on
from there; a line that was being written then is cut off.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from woodstock.files import append_line

__all__ = ["Journal", "Journals"]

MOST_BYTES = 1 << 26
"""Of a longer file nothing is read."""

_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")
ENDING = ".jsonl"


class Journal:
    """The journal of one match; without a path it forgets everything.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "match.jsonl"
    ...     Journal(path).write({"move": "noop"})
    ...     with path.open("a") as file: _ = file.write('{"move": "to')
    ...     again = Journal(path)
    ...     print(again.read())
    ...     again.write({"move": "pass"})
    ...     print(again.read())
    [{'move': 'noop'}]
    [{'move': 'noop'}, {'move': 'pass'}]
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._whole = path is None or not path.exists()

    def read(self) -> list[dict[str, Any]]:
        """All whole lines from the beginning; what comes after is cut off for good."""
        if self._path is None:
            return []
        try:
            if self._path.stat().st_size > MOST_BYTES:
                return []
            data = self._path.read_bytes()
        except OSError:
            return []
        entries: list[dict[str, Any]] = []
        good = 0
        for line in data.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if not isinstance(entry, dict):
                break
            entries.append(entry)
            good += len(line)
        if good < len(data):
            os.truncate(self._path, good)
        self._whole = True
        return entries

    def write(self, entry: Mapping[str, Any]) -> None:
        """Add a line; it is on the disk when this returns."""
        if self._path is None:
            return
        if not self._whole:
            self.read()  # cuts off what was not written to its end
        append_line(self._path, json.dumps(entry, separators=(",", ":")))


class Journals:
    """The journals of all matches, in a folder; the oldest go when there are more than `most`.

    Without a folder, nothing is kept.
    """

    def __init__(self, folder: Path | None, *, most: int) -> None:
        self._folder = folder
        self._most = most
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # the keys of the links are in there

    def new(self, table: str) -> Journal:
        """The journal of a match that begins."""
        if self._folder is not None:
            files = sorted(self._folder.glob(f"*{ENDING}"), key=_age)
            for path in files[: max(0, len(files) + 1 - self._most)]:
                path.unlink(missing_ok=True)
        return Journal(self._path(table))

    def find(self, table: str) -> Journal | None:
        """The journal of an earlier match; None where there is none."""
        # Compared with a pattern: an id comes from an address, and must not leave the folder.
        path = self._path(table) if _NAME.fullmatch(table) else None
        return Journal(path) if path is not None and path.exists() else None

    def _path(self, table: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{table}{ENDING}"


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
