"""Nets that were trained before, by the digest of their rules, in a folder that stays small.

Several processes may use one folder: files appear whole, and one that cannot be read is removed and
forgotten. Which ones were used last is told by their times.

>>> import tempfile
>>> from woodstock import Game, learn
>>> game = Game.load("tic-tac-toe")
>>> with tempfile.TemporaryDirectory() as folder:
...     cache = ValuesCache(folder)
...     cache.keep(learn.train(game, positions=2000))
...     cache.find(game).about.game, cache.find(Game.load("nim"))
('tic-tac-toe', None)
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from woodstock.files import write_whole
from woodstock.game import Game
from woodstock.learn.digest import rules_digest
from woodstock.learn.values import Values, ValuesError

__all__ = ["ValuesCache", "cache_folder", "default_cache"]

LARGEST_CACHE = 64 << 20
"""Bytes that all files of a cache may have together."""
ENDING = ".values"
OFF = ("off", "no", "0", "none")

_log = logging.getLogger("woodstock.learn")


def cache_folder(
    environment: Mapping[str, str] | None = None, platform: str = sys.platform
) -> Path | None:
    """Where a user's nets are kept: None where the user does not want that.

    ``WOODSTOCK_CACHE`` is the folder, or ``off``; without it, it is where the system keeps such
    things.

    >>> cache_folder({"WOODSTOCK_CACHE": "off"})
    >>> cache_folder({"WOODSTOCK_CACHE": "/data/nets"}).as_posix()
    '/data/nets'
    >>> cache_folder({"XDG_CACHE_HOME": "/home/me/.cache"}, "linux").as_posix()
    '/home/me/.cache/woodstock/values'
    """
    given = os.environ if environment is None else environment
    wanted = given.get("WOODSTOCK_CACHE", "")
    if wanted.lower() in OFF:
        return None
    if wanted:
        return Path(wanted)
    try:
        if platform == "win32":
            local = given.get("LOCALAPPDATA", "")
            base = Path(local) if local else Path.home() / "AppData" / "Local"
        elif platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            # By its specification, what is no absolute path does not count.
            home = given.get("XDG_CACHE_HOME", "")
            base = Path(home) if home.startswith("/") else Path.home() / ".cache"
    except RuntimeError:
        return None  # a user without a home
    return base / "woodstock" / "values"


def default_cache() -> ValuesCache | None:
    """The cache of the user, if there is to be one."""
    folder = cache_folder()
    return None if folder is None else ValuesCache(folder)


class ValuesCache:
    """A folder of values. It is only a help: what goes wrong with it is logged and nothing more."""

    def __init__(self, folder: str | Path, largest: int = LARGEST_CACHE) -> None:
        self.folder = Path(folder)
        self.largest = largest

    def find(self, game: Game) -> Values | None:
        """The values of a game, if they are kept here."""
        path = self._path(rules_digest(game))
        found = self._read(path)
        try:
            if found is not None:
                found.check(game, str(path))
                os.utime(path)  # used last
        except ValuesError as problem:
            self._refuse(path, problem)
            return None
        except OSError:
            pass  # removed meanwhile, or not ours
        return found

    def keep(self, values: Values) -> None:
        """Keep values, unless there are some for the same rules that were trained for longer."""
        path = self._path(values.digest)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            known, data = self._read(path), values.to_bytes()
            longer = known is not None and known.about.cpu_seconds > values.about.cpu_seconds
            if not longer and len(data) <= self.largest:
                write_whole(path, data)
                self._make_room()
        except OSError as problem:
            _log.warning("what was learned cannot be kept: %s", problem)

    def clear(self) -> None:
        """Remove all that is kept."""
        for _, _, path in self._files():
            self._remove(path)

    def _path(self, digest: bytes) -> Path:
        return self.folder / f"{digest.hex()}{ENDING}"

    def _read(self, path: Path) -> Values | None:
        try:
            return Values.load(path)
        except FileNotFoundError:
            return None
        except ValuesError as problem:
            self._refuse(path, problem)
        except OSError as problem:
            _log.warning("a kept net cannot be read: %s", problem)
        return None

    def _refuse(self, path: Path, problem: ValuesError) -> None:
        _log.warning("a kept net is of no use and removed: %s", problem)
        self._remove(path)

    def _files(self) -> list[tuple[float, int, Path]]:
        """Times, sizes and paths, the latest first, also of what a killed process left behind."""
        found = []
        for path in self.folder.glob(f"*{ENDING}*"):
            try:
                status = path.stat()
            except OSError:
                continue  # another process was faster
            found.append((status.st_mtime, status.st_size, path))
        return sorted(found, reverse=True)

    def _make_room(self) -> None:
        total = 0
        for _, size, path in self._files():
            total += size
            if total > self.largest:
                self._remove(path)

    def _remove(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as problem:
            _log.warning("a kept net cannot be removed: %s", problem)
