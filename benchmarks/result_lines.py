"""Results in a file of JSON lines: a benchmark that is broken off goes on where it stopped.

Each result has an ``id`` that says all it depends on. Several processes may write to one file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

__all__ = ["Record", "ResultLines"]

Record = dict[str, Any]


class ResultLines:
    """The results of a file by their id; a line that was cut off is left out.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     ResultLines(Path(folder) / "results.jsonl").add({"id": "a", "score": 1})
    ...     ResultLines(Path(folder) / "results.jsonl").records
    {'a': {'id': 'a', 'score': 1}}
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.records: dict[str, Record] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            self.records[record["id"]] = record

    def add(self, record: Record) -> None:
        """Keep a result; it is on the disk when this returns."""
        self.records[record["id"]] = record
        # In one piece, since other processes write there too; a line that was cut off is ended.
        line = "\n" * self._is_cut() + json.dumps(record) + "\n"
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(handle, line.encode())
            os.fsync(handle)
        finally:
            os.close(handle)

    def _is_cut(self) -> bool:
        if not self._path.exists() or not self._path.stat().st_size:
            return False
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"
