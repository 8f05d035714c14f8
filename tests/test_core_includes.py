"""The folders of the native core: which of them may know of which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[1] / "core"

ORDER = (
    "util",
    "ground",
    "circuit",
    "batch",
    "csp",
    "symmetry",
    "belief",
    "learn",
    "search",
    "plan",
)
"""A folder includes itself and those before it."""

INCLUDE = re.compile(r'^\s*#\s*include\s*"(?P<file>[^"]+)"', re.MULTILINE)


def edges(core: Path) -> set[tuple[str, str]]:
    """Each source of the core with each of our files that it includes."""
    return {
        (path.relative_to(core).as_posix(), match["file"])
        for path in core.rglob("*")
        if path.suffix in {".h", ".cpp"}
        for match in INCLUDE.finditer(path.read_text(encoding="utf-8"))
    }


def against(core: Path) -> list[str]:
    """The includes that go up, or out of the core."""
    return sorted(
        f"{source} includes {file}"
        for source, file in edges(core)
        if folder(file) not in ORDER[: ORDER.index(folder(source)) + 1]
    )


def folder(file: str) -> str:
    return file.split("/")[0]


def test_no_folder_of_the_core_includes_one_above_it() -> None:
    assert len(edges(CORE)) > 100
    assert against(CORE) == []


def test_every_folder_of_the_core_has_its_place() -> None:
    assert {path.name for path in CORE.iterdir() if path.is_dir()} == set(ORDER)


@pytest.mark.parametrize("line", ['#include "search/limits.h"', '# include "elsewhere.h"'])
def test_an_include_that_goes_up_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "symmetry").mkdir()
    source = tmp_path / "symmetry" / "group.cpp"
    source.write_text(f'#include "util/random.h"\n{line}\n', encoding="utf-8")
    assert len(against(tmp_path)) == 1
