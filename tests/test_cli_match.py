"""``woodstock match`` with many games: seats, standings, records that survive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_support import answer, woodstock
from woodstock.match import MatchRecord, Turn, read_trace, replay
from woodstock.match.local import play_match as real_play_match
from woodstock.player import LegalPlayer

SERIES = ["match", "nim", "--players", "random,legal", "--games", "4", "--swap", "--seed", "3"]


def test_many_games_and_their_sum() -> None:
    found = answer(*SERIES, "--play-clock", "60.5", "--start-clock", "0")
    assert (found["game"], found["seed"], found["swap"]) == ("nim", 3, True)
    assert (found["play_clock"], found["start_clock"]) == (60.5, 0.0)
    assert [one["seats"] for one in found["matches"]] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert [one["players"]["player1"] for one in found["matches"]] == ["random", "legal"] * 2
    assert [one["seed"] for one in found["matches"]] == [3, 4, 5, 6]
    one, other = found["standings"]
    assert one["player"] == "random"
    assert one["games"] == one["wins"] + one["losses"] == 4
    assert one["wins"] == other["losses"]
    goals = [match["goals"][f"player{1 + match['seats'].index(0)}"] for match in found["matches"]]
    assert one["mean_goal"] == sum(goals) / 4
    assert one["mistakes"] == {"late": 0, "illegal": 0, "failed": 0}
    again = answer(*SERIES)
    assert [one["moves"] for one in again["matches"]] == [one["moves"] for one in found["matches"]]


def test_the_table_of_a_series() -> None:
    text = woodstock(*SERIES).stdout
    lines = text.splitlines()
    assert lines[0].split() == [
        *["player", "games", "wins", "draws", "losses", "win", "rate", "95", "%", "goal"],
        "mistakes",
    ]
    assert lines[1].startswith("random")
    assert lines[-1] == "4 matches of nim (seed 3)."
    assert max(map(len, lines)) <= 80
    alone = woodstock("match", "eight-puzzle", "--players", "random", "--games", "1").stdout
    assert "win rate" not in alone
    assert "95 %" in alone


@pytest.mark.parametrize("width", [40, 60, 70])
def test_names_are_there_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    names = "random,uct:C=0.4"
    lines = woodstock("match", "nim", "--players", names, "--games", "2", "--play-clock", "0.1")
    text = lines.stdout
    assert max(map(len, text.splitlines())) <= width
    for word in ("random", "uct:C=0.4", "win rate", "95 %", "mistakes"):
        assert word in text, text


def test_mistakes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LegalPlayer, "choose", lambda self, state, role, deadline: "(mark 9 9)")
    found = answer("match", "tic-tac-toe", "--players", "legal,random", "--games", "2")
    moves = sum(one["moves"] for one in found["matches"])
    assert found["standings"][0]["mistakes"] == {"late": 0, "illegal": moves, "failed": 0}
    assert set(found["matches"][0]["mistakes"]["x"]) == {"IL (mark 9 9)"}
    text = woodstock("match", "tic-tac-toe", "--players", "legal,random", "--games", "2").stdout
    assert "illegal" in text


@pytest.mark.parametrize("name", ["matches", "matches.jsonl"])
def test_what_was_finished_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A series that is killed in its third match leaves two records that can be replayed."""
    played: list[MatchRecord] = []

    def killed(*args: object, **options: object) -> object:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(real_play_match(*args, **options))  # type: ignore[arg-type]
        return played[-1]

    monkeypatch.setattr("woodstock.cli.match.play_match", killed)
    path = tmp_path / name
    result = woodstock(*SERIES, "--record", path)
    assert result.exit_code == 130
    assert result.stdout.splitlines()[1].startswith("random      2")
    if path.is_dir():
        records = [json.loads(file.read_text()) for file in sorted(path.iterdir())]
    else:
        records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["matchId"] for one in records] == ["nim.3", "nim.4"]
    assert all(one["isCompleted"] for one in records)
    assert [one["moves"] for one in records] == [
        [list(joint) for joint in one.moves] for one in played
    ]
    if path.is_dir():
        from games_support import load

        assert replay(load("nim"), read_trace(path / "nim.4.json")).complete


def test_lines_are_added_to_lines(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    for _ in range(2):
        assert woodstock(*SERIES, "--record", path).exit_code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 8


def test_one_match_is_kept_in_a_folder_too(tmp_path: Path) -> None:
    woodstock("match", "nim", "--players", "random,legal", "--seed", "5", "--record", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["nim.5.json"]


def test_a_running_match_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the middle of a match: what was played of it is there."""

    def killed(turn: Turn) -> None:
        if turn.number == 3:
            raise KeyboardInterrupt

    def play(*args: object, **options: object) -> object:
        seen = options.pop("on_turn")

        def both(turn: Turn) -> None:
            seen(turn)  # type: ignore[operator]
            killed(turn)

        return real_play_match(*args, **options, on_turn=both)  # type: ignore[arg-type]

    monkeypatch.setattr("woodstock.cli.match.play_match", play)
    path = tmp_path / "match.json"
    arguments = ["match", "nim", "--players", "random,legal", "--seed", "5", "--no-watch"]
    assert woodstock(*arguments, "--record", path).exit_code == 130
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert (len(kept["moves"]), kept["isAborted"]) == (3, True)


def test_matches_that_cannot_go_on_are_1(tmp_path: Path) -> None:
    path = tmp_path / "stuck.kif"
    path.write_text(
        "(role x) (init a) (<= (legal x go) (true a)) (<= (next b) (true a))"
        " (<= terminal (true c)) (goal x 100)"
    )
    result = woodstock("match", path, "--players", "random", "--games", "2")
    assert result.exit_code == 1
    assert "2 were broken off: x has no legal move" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--swap"],
        ["--games", "0"],
        ["--play-clock", "0"],
        ["--start-clock", "-1"],
        ["--games", "2", "--record", "no/such/folder"],
        ["--games", "2", "--record", "pyproject.toml"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    result = woodstock("match", "nim", "--players", "random,legal", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr


def test_a_series_can_be_watched() -> None:
    arguments = ["match", "nim", "--players", "legal,legal", "--games", "2", "--seed", "1"]
    text = woodstock(*arguments, "--watch").stdout
    assert text.count("player1 = legal, player2 = legal") == 2
    assert "1. player1 (reduce a 0)   player2 noop" in text
