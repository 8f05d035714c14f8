"""Instances that pycsp3 wrote: as many solutions, and the same best values, as ACE finds.

``tools/xcsp3_instances.py`` has written the instances and asked ACE; what ACE said is recorded, so
that every run of the tests compares all of them. ACE itself is asked again for a few, and in the
long run for all.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xcsp3_instances import FOLDER, ask_ace
from xcsp3_models import MODELS

from effort import effort
from test_scsp_xcsp3 import mutated
from woodstock.scsp import Solver, best_solution, xcsp3
from woodstock.scsp.outside import has_ace
from woodstock.scsp.xcsp3 import Xcsp3Error, compiler, reader

ANSWERS = json.loads((FOLDER / "answers.json").read_text())
SOME = ["choices-by-condition", "warehouses"]

needs_ace = pytest.mark.skipif(not has_ace(), reason="needs pycsp3 and Java")


def test_there_are_many_and_all_are_recorded() -> None:
    assert list(ANSWERS) == list(MODELS)
    assert len(ANSWERS) >= 50
    assert {path.stem for path in FOLDER.glob("*.xml")} == ANSWERS.keys()
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.xml")]
    for kind in ("allDifferent", "intension", "sum", "element", "count", "group", "minimize"):
        assert sum(f"<{kind}" in text for text in texts) >= 4, kind


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_that_of_ace(name: str) -> None:
    network = xcsp3.read_file(FOLDER / f"{name}.xml")
    if network.objective is None:
        assert {"count": Solver(network).count()} == ANSWERS[name]
    else:
        best = best_solution(network)
        assert {"best": None if best is None else best.value} == ANSWERS[name]
    assert xcsp3.read_text(xcsp3.write_text(network)) == network


@pytest.mark.parametrize("name", effort(SOME, list(ANSWERS)))
@needs_ace
def test_ace_still_says_so(name: str) -> None:
    assert ask_ace(FOLDER / f"{name}.xml") == ANSWERS[name]


@pytest.mark.parametrize("name", effort(["knapsack"], ["magic-sequence", "knapsack", "quasigroup"]))
@needs_ace
def test_ace_reads_what_we_write(name: str, tmp_path: Path) -> None:
    """Tables and auxiliary variables have the same number of solutions, and the same best value."""
    path = tmp_path / "again.xml"
    xcsp3.write_file(xcsp3.read_file(FOLDER / f"{name}.xml"), path)
    assert ask_ace(path) == ANSWERS[name]


@settings(max_examples=effort(150, 1500), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(FOLDER.glob("*.xml"))),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3), st.binary(max_size=3)), max_size=4),
)
def test_any_bytes_are_read_or_refused(path: Path, changes: list[tuple[int, int, bytes]]) -> None:
    data = path.read_bytes()
    for place, gone, new in changes:
        data = data[:place] + new + data[place + gone :]
    with contextlib.suppress(Xcsp3Error):
        assert xcsp3.read_text(data).named


def test_mutated_instances_are_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but an `Xcsp3Error` comes out, and it has a place; what is read can be written."""
    monkeypatch.setattr(compiler, "LARGEST_TABLE", 20_000)
    monkeypatch.setattr(compiler, "MOST_ENTRIES", 200_000)
    monkeypatch.setattr(reader, "MOST_ENTRIES", 200_000)
    paths = sorted(FOLDER.glob("*.xml"))
    read = refused = 0
    for seed in range(effort(1200, 12_000)):
        text = mutated(random.Random(seed).choice(paths).read_text(encoding="utf-8"), seed)
        problem = ""
        try:
            network = xcsp3.read_text(text, "file.xml")
        except Xcsp3Error as found:
            problem = str(found)
        if problem:
            assert re.match(r"file\.xml:\d+:\d+: ", problem), problem
            assert len(problem) < 400
            refused += 1
        else:
            assert xcsp3.read_text(xcsp3.write_text(network)) == network
            read += 1
    assert read > 50
    assert refused > 200
