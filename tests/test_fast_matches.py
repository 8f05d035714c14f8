"""The benchmark of fast matches: it plays, goes on where it stopped, and counts right."""

from __future__ import annotations

import json
from pathlib import Path

import fast_matches
import pytest

from woodstock.tournament.results import MatchResult, SeatResult


def test_what_went_wrong_is_counted() -> None:
    fine = SeatResult("x", "a", 100, thoughts=3, cpu=0.2, wall=0.2, longest=0.04)
    wrong = SeatResult("o", "b", 0, thoughts=5, cpu=0.1, wall=1, late=2, illegal=1, longest=0.3)
    found = fast_matches.summary([MatchResult(0, (fine, wrong)), MatchResult(1, (fine, wrong))])
    assert found["matches"] == 2
    assert (found["answers"], found["late"], found["starved"]) == (16, 4, 4)
    assert (found["illegal"], found["failed"], found["slowest"]) == (2, 0, 0.3)
    assert found["by_player"]["a"]["late"] == 0


def test_it_plays_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheets" / "own.kif"
    sheet.parent.mkdir()
    sheet.write_text(
        "(role one) (init (a 1)) (<= (legal one go) (true (a 1))) (<= (next done) (does one go))"
        "(<= terminal (true done)) (<= (goal one 100) terminal)"
    )
    arguments = ["nim", "--store", str(tmp_path / "fast.sqlite"), "--folder", str(sheet.parent)]
    # A clock that nobody can miss: whether answers are late is not what is tested.
    arguments += ["--players", "random,legal", "--clocks", "[30]"]
    assert fast_matches.main([*arguments, "--matches", "3"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert fast_matches.main([*arguments, "--matches", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (first["matches"], found["matches"]) == (3, 5)
    assert found["answers"] > first["answers"] > 0
    assert {*found["by_player"]} == {"random", "legal"}
