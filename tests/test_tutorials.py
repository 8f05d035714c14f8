"""Tutorials are followed step by step: every command typed, every screen compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_support import Reader, steps

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


def test_there_are_tutorials() -> None:
    assert len(TUTORIALS) >= 4


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_every_line_of_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    Reader(tmp_path).follow(page.read_text(encoding="utf-8"))


def test_a_page_that_shows_something_else_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the page shows"):
        Reader(tmp_path).follow("```console\n$ echo one\ntwo\n```\n")


def test_a_block_that_nobody_runs_is_found() -> None:
    with pytest.raises(ValueError, match="no test runs"):
        list(steps("```text\nwhatever\n```\n"))
