"""Matches between two installations: sides, cells, the table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import versus
from result_lines import ResultLines
from side_match import Match
from sides import Setting, Side, SideError, Sides, goal_shares
from versus import LIBRARY, SHEETS, Cell, chosen_games, is_clear, table

from woodstock import games
from woodstock.tournament.verdicts import verdict

NEW = Setting("new", sys.executable, "random", seed=1)
OLD = Setting("old", sys.executable, "legal", seed=1)


def cell(scores: list[float], **more: int) -> Cell:
    """A cell with rounds that scored so."""
    made = Cell("nim", "a", "b", 0.1, 0, 2, more.get("max_matches", 60))
    for number, score in enumerate(scores):
        for seating in (0, 1):
            made.take({"round": number, "seating": seating, "score": score})
    return made


def test_the_games_are_those_that_are_promised() -> None:
    kinds = [games.meta(name) for name in LIBRARY]
    assert len(kinds) >= 14
    assert sum(one.kind == "stochastic" for one in kinds) >= 4
    assert sum(one.players >= 3 for one in kinds) >= 2
    assert sum(one.turns == "simultaneous" for one in kinds) >= 2
    known = {games.meta(name).agrees_with for name in games.names()}
    assert len(SHEETS) == 8
    assert not known & set(SHEETS)


def test_games_are_chosen_by_name_or_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "merrills.kif").touch()
    assert chosen_games(None, None) == [*LIBRARY]
    assert chosen_games("nim,merrills", tmp_path) == ["nim", str(tmp_path / "merrills.kif")]
    assert [Path(name).stem for name in chosen_games(None, tmp_path)] == [*SHEETS]


def test_only_what_is_clear_ends_early() -> None:
    assert cell([1.0] * 9).verdict() is None
    assert cell([1.0] * 10).verdict() == "better"
    assert cell([0.0] * 10).verdict() == "not better"
    # The sequential test alone would stop here; the interval is not clear.
    close = [0.5] * 26 + [0.0] * 3
    assert not is_clear(close, 2)
    assert verdict(close, 2, 60) == "not better"
    assert cell(close).verdict() is None
    assert cell([0.5] * 30).verdict() == "limit"


def test_the_table_has_a_mean() -> None:
    cells = [cell([1.0] * 10), cell([0.5] * 10)]
    record = {"game": "nim", "first": "a", "second": "b", "cpu": 0.1, "opening": 0}
    record |= {"seats": [0, 1], "goals": [75, 25], "thoughts": [2, 0], "simulations": [2000, 0]}
    record |= {"styles": ["woodstock:mast=0.05", None]}
    lines = [*table(cells, [record])]
    assert lines[2].startswith("| nim | 100.0 ± ")
    assert lines[2].endswith("| 20 | 75.0 : 25.0 | 1,000 : 0 | woodstock:mast=0.05 |")
    assert lines[-1].startswith("| mean of 2 | **75.0** ± ")
    assert goal_shares([]) == (0.0, 0.0)


def test_both_sides_play_a_match_and_say_what_it_took(tmp_path: Path) -> None:
    sides = Sides("chinese-checkers", (NEW, OLD), tmp_path)
    try:
        match = Match("chinese-checkers", NEW.label, OLD.label, 0.01, 2, 0, 4)
        record = sides.play(match)
        again = sides.play(match)
    finally:
        sides.close()
    assert record["seats"] == (0, 1, 0)
    assert record["goals"] == again["goals"]
    assert record["illegal"] == [0, 0]
    assert min(record["thoughts"]) > 0
    assert min(record["cpu_spent"]) > 0
    assert len([*tmp_path.iterdir()]) == 2


def test_what_is_hidden_can_be_played_too() -> None:
    sides = Sides("kuhn-poker", (NEW, OLD))
    try:
        record = sides.play(Match("kuhn-poker", NEW.label, OLD.label, 0.01, 0, 0, 0))
    finally:
        sides.close()
    assert sum(record["goals"]) == 100


def test_an_error_of_a_side_is_told() -> None:
    side = Side(NEW)
    try:
        with pytest.raises(SideError, match="nothing is prepared"):
            side.ask("match", roles=["x"], seed=1)
        with pytest.raises(SideError, match="no game"):
            side.prepare("no-such-game")
    finally:
        side.close()


def test_the_command_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.jsonl"
    words = ["--games=nim", "--new-player=random", "--old-player=legal", f"--out={path}"]
    words += ["--start=0"]
    assert versus.main([*words, "--max-matches=2"]) == 0
    first = {**ResultLines(path).records}
    assert versus.main([*words, "--max-matches=4"]) == 0
    assert len(first) == 2
    records = ResultLines(path).records
    assert len(records) == 4
    assert {name: records[name] for name in first} == first
    assert "| nim | " in capsys.readouterr().out
    assert versus.main([*words[1:], "--games=no-such-game"]) == 1
