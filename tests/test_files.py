"""Files are written whole or not at all, lines are whole lines, and nothing is lost by mistake."""

from __future__ import annotations

import ast
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import woodstock
from woodstock.files import OverwriteError, append_line, check_target, write_whole

ROOT = Path(woodstock.__file__).parent


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file gets larger than this: what comes after fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_whole(path, "old\n")
    with full_disk(1000), pytest.raises(OSError, match=r"file\.txt") as found:
        write_whole(path, "new" * 1000)
    assert found.value.filename == str(path)
    assert path.read_text() == "old\n"
    assert [*tmp_path.iterdir()] == [path]
    write_whole(path, b"new\n")
    assert path.read_text() == "new\n"


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "file.txt"
    write_whole(path, "old\n")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new\n")
    assert path.read_text() == "old\n"
    assert [*tmp_path.iterdir()] == [path]


def test_links_and_rights_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    write_whole(real, "old\n")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, "new\n")
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new\n", 0o640)
    write_whole(tmp_path / "mine.txt", "secret", private=True)
    assert (tmp_path / "mine.txt").stat().st_mode & 0o777 == 0o600
    write_whole("/dev/null", "nothing")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("torn", "kept"),
    [
        ("", []),
        ('{"a": 1}\n', [1]),
        ('{"a": 1}\n{"a": 2}', [1, 2]),
        ('{"a": 1}\n{"a": 2, "b', [1]),
        ('{"a": 1', []),
        ('{"a": 1}\n' + '{"a": "' + 200_000 * "x", [1]),
    ],
)
def test_a_torn_line_is_never_glued_to_the_next(tmp_path: Path, torn: str, kept: list[int]) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(torn)
    append_line(path, '{"a": 9}')
    assert [json.loads(line)["a"] for line in path.read_text().splitlines()] == [*kept, 9]


def test_a_line_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    append_line(path, "1")
    with full_disk(1000), pytest.raises(OSError, match=r"lines\.jsonl"):
        append_line(path, "2" * 2000)
    assert path.read_text() == "1\n"


def test_an_interrupt_keeps_a_line_that_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "lines.jsonl"
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        append_line(path, "1")
    assert path.read_text() == "1\n"


def test_several_may_write_lines_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    program = (
        "import sys; from woodstock.files import append_line\n"
        "for n in range(100): append_line(sys.argv[1], str([n] * 500), sync=False)"
    )
    command = [sys.executable, "-c", program, str(path)]
    children = [subprocess.Popen(command) for _ in range(2)]
    assert [child.wait(300) for child in children] == [0, 0]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(line[0] for line in lines) == sorted([*range(100)] * 2)
    assert all(len(line) == 500 for line in lines)


def test_what_is_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "diary.json"
    check_target(path, "record", lambda head: False)
    path.write_text("")
    check_target(path, "record", lambda head: False)
    path.write_text("Dear diary")
    check_target(path, "record", lambda head: head == b"Dear diary")
    check_target(path, "record", lambda head: False, force=True)
    with pytest.raises(OverwriteError, match=r"diary\.json: .* no record; add --force"):
        check_target(path, "record", lambda head: False)
    with pytest.raises(FileNotFoundError):
        check_target(tmp_path / "no" / "file", "record", lambda head: True)
    with pytest.raises(IsADirectoryError):
        check_target(tmp_path, "record", lambda head: True)


LEFT = {
    "files.py": "this is the place",
    "tournament/store.py": "the lock of a store, which is empty",
    "tournament/export.py": "an interim file of a library that writes Parquet",
}
"""Modules that may write by themselves, with the reason."""


def test_everybody_writes_the_safe_way() -> None:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node):
                found[path.relative_to(ROOT).as_posix()] = ast.unparse(node)
    assert found.keys() == LEFT.keys(), found


def _writes(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    name = call.func.id if isinstance(call.func, ast.Name) else name
    if name in ("write_bytes", "fdopen", "mkstemp", "NamedTemporaryFile"):
        return not any(isinstance(one, ast.Constant) and one.value == "rb" for one in call.args)
    if name == "write_text":  # networks and XCSP3 have one too, which gives a text back
        return any(keyword.arg in ("encoding", "newline") for keyword in call.keywords)
    modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return name == "open" and any(isinstance(m, str) and set(m) & set("wax+") for m in modes)
