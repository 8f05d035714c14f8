"""The records that can be looked at: those somebody has dropped in, and those of a folder.

Dropped ones are kept in memory, the oldest go first. The folder is the owner's, named on the
command line; its files are read when they have changed, one level deep, regular files only, and
are known to the page by their names, never by a path.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from woodstock.web.recorded import MOST_BYTES, Recorded, RecordError, read_records

__all__ = ["FolderFile", "RecordShelf", "file_id"]

MOST_FILES = 500
"""Files of the folder that are listed, the newest first."""
MOST_READ = 48_000_000
"""Bytes that one look at the folder reads; what is left is read at the next."""
RECORD_ENDINGS = (".json", ".jsonl", ".old")
STORE_ENDINGS = (".sqlite", ".sqlite3", ".db")


@dataclass(frozen=True)
class FolderFile:
    """A file of the folder as it is now."""

    id: str
    name: str
    path: Path
    stamp: tuple[int, int]
    """When it was written last, in nanoseconds, and its size."""

    @property
    def modified(self) -> float:
        """When it was written last, in seconds."""
        return self.stamp[0] / 1e9

    @property
    def is_store(self) -> bool:
        """Whether its name is that of a tournament's results."""
        return self.name.lower().endswith(STORE_ENDINGS)


def file_id(name: str) -> str:
    """What a file of the folder is called in addresses.

    >>> file_id("a.json")
    'f6025a12236ee54ba'
    """
    return "f" + hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


class RecordShelf:
    """All records, by id; safe to be used by several threads.

    >>> shelf = RecordShelf(None, most=2)
    >>> [key] = [one for one, _ in shelf.add("a.json", '{"moves": [["noop"]]}')]
    >>> shelf.find(key).line, shelf.find("f00")
    ([['noop']], None)
    """

    def __init__(
        self, folder: Path | None, *, most: int = 400, most_signs: int = 64_000_000
    ) -> None:
        self._folder = None if folder is None else folder.absolute()
        self._most = most
        self._most_signs = most_signs
        self._dropped: OrderedDict[str, tuple[str, Recorded, int]] = OrderedDict()
        self._cache: OrderedDict[str, tuple[tuple[int, int], Sequence[Recorded], str]] = (
            OrderedDict()
        )
        self._lock = threading.Lock()

    def add(self, name: str, text: str) -> list[tuple[str, Recorded]]:
        """Keep the matches of a file that somebody has dropped; `RecordError` if there are none."""
        found = read_records(text)
        weight = 1000 + len(text) // len(found)
        added = []
        with self._lock:
            for one in found[: self._most]:
                key = "u" + secrets.token_hex(10)
                self._dropped[key] = (name[:200], one, weight)
                added.append((key, one))
            while len(self._dropped) > self._most or self._signs() > self._most_signs:
                self._dropped.popitem(last=False)
            return [(key, one) for key, one in added if key in self._dropped]

    def _signs(self) -> int:
        return sum(weight for _, _, weight in self._dropped.values())

    def dropped(self) -> list[tuple[str, str, Recorded]]:
        """Id, name of the file and match of all that were dropped, the newest first."""
        with self._lock:
            return [(key, name, one) for key, (name, one, _) in reversed(self._dropped.items())]

    def files(self) -> list[FolderFile]:
        """The files of the folder that may be of interest, the newest first."""
        found: list[FolderFile] = []
        if self._folder is None:
            return found
        try:
            with os.scandir(self._folder) as entries:
                for number, entry in enumerate(entries):
                    if number > 100 * MOST_FILES:
                        break
                    lower = entry.name.lower()
                    if not lower.startswith(".") and lower.endswith(RECORD_ENDINGS + STORE_ENDINGS):
                        one = _look(Path(entry.path))
                        if one is not None:
                            found.append(one)
        except OSError:
            return []
        return sorted(found, key=lambda one: -one.stamp[0])[:MOST_FILES]

    def file(self, key: str) -> FolderFile | None:
        """A file of the folder by its id."""
        return next((one for one in self.files() if one.id == key), None)

    def listing(self) -> list[tuple[FolderFile, Sequence[Recorded] | None, str]]:
        """Files with their matches (None: not read yet), or with what is wrong with them."""
        found: list[tuple[FolderFile, Sequence[Recorded] | None, str]] = []
        left = MOST_READ
        for file in self.files():
            if file.is_store:
                continue
            with self._lock:
                known = self._cache.get(file.id)
            if known is None or known[0] != file.stamp:
                if left <= 0:
                    found.append((file, None, ""))
                    continue
                left -= min(file.stamp[1], MOST_BYTES)
            found.append((file, *self.matches(file)))
        return found

    def matches(self, file: FolderFile) -> tuple[Sequence[Recorded], str]:
        """The matches of a file as it is now, and what is wrong where there are none."""
        with self._lock:
            known = self._cache.get(file.id)
            if known is not None and known[0] == file.stamp:
                self._cache.move_to_end(file.id)
                return known[1], known[2]
        matches: Sequence[Recorded] = ()
        problem = ""
        try:
            matches = read_records(_read(file.path))
        except RecordError as wrong:
            problem = str(wrong)
        except OSError:
            problem = "the file cannot be read"
        with self._lock:
            self._cache[file.id] = (file.stamp, matches, problem)
            while len(self._cache) > MOST_FILES:
                self._cache.popitem(last=False)
        return matches, problem

    def find(self, key: str) -> Recorded | None:
        """A match by its id: a dropped one, or ``FILE-NUMBER`` of the folder."""
        with self._lock:
            if (known := self._dropped.get(key)) is not None:
                self._dropped.move_to_end(key)
                return known[1]
        name, _, number = key.partition("-")
        file = self.file(name)
        if file is None or file.is_store or not (number.isdecimal() and len(number) < 6):
            return None
        matches, _ = self.matches(file)
        return matches[int(number)] if int(number) < len(matches) else None


def _look(path: Path) -> FolderFile | None:
    try:
        found = path.stat()
    except OSError:
        return None
    # A pipe would let us wait for ever, and a link may lead anywhere.
    if not stat.S_ISREG(found.st_mode) or path.is_symlink():
        return None
    return FolderFile(file_id(path.name), path.name, path, (found.st_mtime_ns, found.st_size))


def _read(path: Path) -> str:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    return data.decode("utf-8", errors="replace")
