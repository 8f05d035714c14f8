"""Writing files so that nothing is lost: whole or not at all, and line by whole line.

`write_whole` puts a file beside its place and moves it there: whoever reads meanwhile finds the old
one or the new one, and a full disk or a crash leaves the old one. `append_line` adds a line to a
journal, or nothing; half a line that somebody was killed over is repaired first. `check_target` is
asked before the work begins whether a file may be written at all.

An `OSError` from here names the file that the user has named.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "matches.jsonl"
...     append_line(path, '{"match": 1}')
...     with path.open("a") as file: _ = file.write('{"mat')
...     append_line(path, '{"match": 2}')
...     print(path.read_text(), end="")
{"match": 1}
{"match": 2}
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from woodstock.errors import WoodstockError

try:
    import fcntl
except ImportError:  # pragma: no cover - not a Unix
    fcntl = None  # type: ignore[assignment]

__all__ = ["HEAD", "OverwriteError", "append_line", "check_target", "sync_file", "write_whole"]

HEAD = 4096
"""So many bytes from the beginning of a file tell what it is."""

_CHUNK = 1 << 16


class OverwriteError(WoodstockError):
    """A file that is there is not what would be written in its place."""


def check_target(
    path: str | Path, what: str, is_ours: Callable[[bytes], bool], *, force: bool = False
) -> None:
    """Whether a file may be written: best asked before there is anything to write.

    One that is there already must be empty or of the same kind, as `is_ours` tells from its first
    `HEAD` bytes; else, but with `force`, `OverwriteError` says that it is no `what`.
    `OSError` where there is no folder for it, or a folder in its place.

    >>> check_target(__file__, "picture", lambda head: head.startswith(b"<svg"))
    Traceback (most recent call last):
    ...
    woodstock.files.OverwriteError: ...files.py: is there already, and no picture; add --force to \
overwrite it
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if force or not path.is_file():
        return
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head and not is_ours(head):
        raise OverwriteError(
            f"{path}: is there already, and no {what}; add --force to overwrite it"
        )


def write_whole(path: str | Path, data: str | bytes, *, private: bool = False) -> None:
    """Write a file, all of it or nothing, so that nobody ever reads half of it.

    Rights are those of the file that it replaces, or those of any new file; with `private`, nobody
    else may read it. What is no plain file, as a pipe, is written to as it is.
    """
    named = Path(path)
    content = data.encode() if isinstance(data, str) else data
    with _naming(named):
        place = Path(os.path.realpath(named))  # a link stays a link
        try:
            before: int | None = place.stat().st_mode
        except FileNotFoundError:
            before = None
        if before is not None and not stat.S_ISREG(before):
            place.write_bytes(content)
            return
        beside = place.with_name(f".{place.name[:200]}.{os.getpid()}-{secrets.token_hex(4)}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            with os.fdopen(os.open(beside, flags, 0o600 if private else 0o666), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if before is not None:
                beside.chmod(stat.S_IMODE(before))
            beside.replace(place)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
        _sync_folder(place.parent)


def append_line(path: str | Path, line: str, *, sync: bool = True) -> None:
    """Add a line to a file, all of it or nothing; it is on the disk when this returns.

    A last line that has no end is one that somebody was interrupted over: it gets its end where it
    is a whole JSON value, and is cut off where not. Without `sync`, the line survives the death of
    this process, but not that of the machine.
    """
    named = Path(path)
    data = line.encode() + b"\n"
    with _naming(named), _opened(named) as handle:
        _repair(handle)
        begin = os.fstat(handle).st_size
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            if sync:
                os.fsync(handle)
        except BaseException:
            # Whatever it was, also Ctrl-C: a line that is whole stays, half of one goes.
            if begin < os.fstat(handle).st_size < begin + len(data):
                os.ftruncate(handle, begin)
            raise


def sync_file(path: str | Path) -> None:
    """Wait until all of a file is on the disk, as `append_line` does unless it is told not to."""
    with _naming(Path(path)):
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A file to add to; nobody else of ours does meanwhile, where the system can see to that."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o666)
    try:
        if fcntl is not None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def _repair(handle: int) -> None:
    """Let a file end with the end of a line."""
    status = os.fstat(handle)
    size = begin = status.st_size
    if not stat.S_ISREG(status.st_mode) or not size:
        return
    tail = b""
    while begin and b"\n" not in tail:
        step = min(
            begin, _CHUNK if tail else 1
        )  # nearly always, the last byte is all there is to see
        begin = os.lseek(handle, begin - step, os.SEEK_SET)
        tail = os.read(handle, step) + tail
    rest = tail.rpartition(b"\n")[2]
    if not rest:
        return
    try:
        json.loads(rest)
    except ValueError:
        os.ftruncate(handle, size - len(rest))
    else:
        os.write(handle, b"\n")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors name the file as the user did, and not one beside it."""
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise type(problem)(problem.errno, os.strerror(problem.errno), str(path)) from problem


def _sync_folder(folder: Path) -> None:
    """See to it that a new name is on the disk, too; not all systems can."""
    if os.name == "posix":
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
