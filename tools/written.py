"""Files that a tool writes, or only compares with what is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

__all__ = ["write_changed"]


def write_changed(folder: Path, texts: Mapping[str, str], *, check: bool) -> Iterator[str]:
    """Write what differs, or nothing if it is a check; yields the names of what differed.

    ``texts`` are the files by their path below the folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     files = {"a/b.txt": "1"}
    ...     for check in (True, False, True):
    ...         print(list(write_changed(Path(folder), files, check=check)))
    ['a/b.txt']
    ['a/b.txt']
    []
    """
    for name, text in texts.items():
        path = folder / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield name
