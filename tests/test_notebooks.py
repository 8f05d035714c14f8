"""Notebooks run from their first cell to the last, and show what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import notebooks
import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs").glob("**/*.ipynb"))


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_shows_what_the_file_has(path: Path) -> None:
    """`python tools/notebooks.py FILE` puts it right where a change was meant."""
    assert notebooks.differences(json.loads(path.read_text(encoding="utf-8"))) == []


def test_a_cell_that_shows_something_else_is_found() -> None:
    output: dict[str, Any] = {
        "output_type": "execute_result",
        "execution_count": 1,
        "data": {"text/plain": ["3"]},
        "metadata": {},
    }
    cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": [output]}
    assert notebooks.differences({"cells": [cell]}) == ["1 + 1"]
    output["data"] = {"text/plain": ["2"]}
    assert notebooks.differences({"cells": [cell]}) == []
