"""The benchmark of fast matches: it plays, goes on where it stopped, and counts right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fast_match
import fast_matches
import pytest
from fast_match import Plan, play

from games_support import load
from woodstock.belief import Situation
from woodstock.gdl.terms import Term
from woodstock.player import Player


class Sleepless(Player):
    """A player that is never ready and always wrong."""

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        return "(mark 9 9)"


def row(**more: Any) -> dict[str, Any]:
    plan = {"id": "1/0/nim", "game": "nim", "play_clock": 0.05, "opening": 0.0, "seed": 1}
    seats = [
        {"player": "a", "answers": 3, "slowest": 0.04, "late_start": 0, "late": [], "reasons": {}},
        {
            **{"player": "b", "answers": 2, "slowest": 0.09, "late_start": 1},
            **{"late": [(0.09, 0.01), (0.06, 0.05)], "reasons": {"search": 2}},
        },
    ]
    played = {"engine": "circuit", "moves": 4, "completed": True, "problem": "", "seats": seats}
    errors = [["b", "TO"], ["b", "TO"], ["a", "IL (mark 9 9)"]]
    return {**plan, **played, "errors": errors, **more}


def test_figures() -> None:
    other = {"id": "1/1/nim", "crashed": -11}
    found = fast_matches.summary([row(), other])
    assert (found["matches"], found["answers"], found["completed"]) == (1, 5, 1)
    assert (found["late"], found["starved"], found["illegal"], found["failed"]) == (2, 1, 1, 0)
    assert found["crashed"] == {"1/1/nim": -11}
    assert found["by_player"]["b"]["late_start"] == 1
    assert found["by_clock"]["0.05"]["slowest"] == 0.09
    assert found["reasons"] == {"search": 2}


def test_openings_are_random_and_mistakes_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_match, "make_player", lambda name, seed, memory_mb: Sleepless())
    plan = Plan("1/0/tic-tac-toe", "tic-tac-toe", 30, 0.3, seed=1)
    found = play(plan, load("tic-tac-toe"), ["wrong"], seconds=60, memory_mb=16)
    # Two moves of a random game that has seven or eight, then two wrong answers of each role.
    assert found["moves"] == 4
    assert [error for _, error in found["errors"]] == ["IL (mark 9 9)"] * 4
    assert [seat["answers"] for seat in found["seats"]] == [2, 2]


def test_plans_meet_all_games_and_clocks() -> None:
    options = fast_matches.options_of(["--out", "x", "--matches", "60", "nim", "tic-tac-toe"])
    plans = fast_matches.all_plans(options)
    assert len({plan.id for plan in plans}) == 60
    met = {(plan.game, plan.play_clock) for plan in plans}
    assert met == {(game, clock) for game in ("nim", "tic-tac-toe") for clock in options.clocks}
    assert plans == fast_matches.all_plans(options)


def test_it_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fast.jsonl"
    arguments = ["--out", str(out), "--players", "random,legal", "--clocks", "60", "nim"]
    assert fast_matches.main([*arguments, "--matches", "2"]) == 0
    first = out.read_text(encoding="utf-8")
    assert json.loads(capsys.readouterr().out)["matches"] == 2
    out.write_text(first + '{"id": "1/2/ni\n', encoding="utf-8")  # a line that says nothing
    assert fast_matches.main([*arguments, "--matches", "3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["late"], found["illegal"], found["failed"]) == (3, 0, 0, 0)
    assert out.read_text(encoding="utf-8").startswith(first)
