"""The file of a match on the page: what happened, line by line, so that nothing is lost.

One JSON object a line, out of our hands when it is written and on the disk before anybody is told
of it. A server that was killed goes on from there; a line that was being written then is cut off.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from woodstock.files import append_line, sync_file

__all__ = ["Journals", "TableJournal"]

MOST_BYTES = 1 << 26
"""Of a longer file nothing is read."""

_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")
ENDING = ".jsonl"


class TableJournal:
    """The journal of one match; without a path it forgets everything.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "match.jsonl"
    ...     TableJournal(path).write({"move": "noop"})
    ...     with path.open("a") as file: _ = file.write('{"move": "to')
    ...     again = TableJournal(path)
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
        """Add a line: from now on the system has it, whatever becomes of this process."""
        if self._path is None:
            return
        if not self._whole:
            self.read()  # cuts off what was not written to its end
        append_line(self._path, json.dumps(entry, separators=(",", ":")), sync=False)

    def sync(self) -> None:
        """Wait until all lines are on the disk, whatever becomes of the machine."""
        if self._path is not None:
            sync_file(self._path)


class Journals:
    """The journals of all matches, in a folder; the oldest go when there are too many or too long.

    Without a folder, nothing is kept.
    """

    def __init__(self, folder: Path | None, *, most: int, most_mb: int = 1000) -> None:
        self._folder = folder
        self._most = most
        self._most_bytes = most_mb * 1_000_000
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # the keys of the links are in there

    def new(self, table: str, spared: Collection[str] = ()) -> TableJournal:
        """The journal of a match that begins; those of `spared` ones stay in any case."""
        if self._folder is not None:
            files = sorted(map(_look, self._folder.glob(f"*{ENDING}")))
            left, size = len(files), sum(size for _, size, _ in files)
            for _, held, path in files:
                if left < self._most and size <= self._most_bytes:
                    break
                if path.stem not in spared:
                    path.unlink(missing_ok=True)
                    left, size = left - 1, size - held
        return TableJournal(self._path(table))

    def find(self, table: str) -> TableJournal | None:
        """The journal of an earlier match; None where there is none."""
        # Compared with a pattern: an id comes from an address, and must not leave the folder.
        path = self._path(table) if _NAME.fullmatch(table) else None
        return TableJournal(path) if path is not None and path.exists() else None

    def _path(self, table: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{table}{ENDING}"


def _look(path: Path) -> tuple[float, int, Path]:
    try:
        found = path.stat()
    except OSError:
        return 0.0, 0, path
    return found.st_mtime, found.st_size, path
