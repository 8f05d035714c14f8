"""``woodstock train``, and players that use what it learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_support import answer, woodstock
from games_support import load
from woodstock.learn import Values, ValuesCache

TRAIN = ["train", "tic-tac-toe", "--seconds", "0.2"]
MATCH = ["match", "tic-tac-toe", "--start-clock", "0", "--play-clock", "0.1", "--seed", "1"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("values") / "tic-tac-toe.values"
    result = woodstock(*TRAIN, "--out", str(path))
    assert result.exit_code == 0, result.output
    assert "learned from" in result.stdout
    assert f"woodstock match tic-tac-toe --players woodstock:values={path},uct" in result.stdout
    return path


def test_the_file_has_values_of_the_game(file: Path) -> None:
    values = Values.load(file, load("tic-tac-toe"))
    assert values.about.game == "tic-tac-toe"
    assert values.about.games > 0


def test_the_answer_as_json(tmp_path: Path) -> None:
    path = tmp_path / "my.values"
    found = answer(*TRAIN, "--out", str(path), "--seed", "3", "--threads", "2")
    values = Values.load(path)
    assert (found["file"], found["seed"], found["threads"]) == (str(path), 3, 2)
    assert found["digest"] == values.digest.hex()
    assert (found["games"], found["style"]) == (values.about.games, values.about.style)
    assert found["bytes"] == path.stat().st_size
    assert all(0 <= trial["score"] <= 1 for trial in found["trials"])


@pytest.mark.parametrize("player", ["woodstock", "mac-ucb", "uct"])
def test_players_take_the_file(file: Path, player: str) -> None:
    for players, more in (
        (f"{player}:values={file},legal", []),
        (f"{player},legal", ["--values", str(file)]),
    ):
        found = answer(*MATCH, "--players", players, *more)
        assert found["isCompleted"], found


def test_values_are_analysed_with(file: Path) -> None:
    common = ["analyse", "tic-tac-toe", "--seconds", "60", "--seed", "1"]
    found = answer(*common, "--player", f"mac-ucb:values={file}")
    assert found["proved"]
    found = answer(*common, "--player", "mac-ucb:values=net", "--values", str(file))
    assert found["proved"]


def test_the_cache_is_used_and_can_be_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WOODSTOCK_CACHE", str(tmp_path))
    result = woodstock(*TRAIN, "--no-cache")
    assert result.exit_code == 2
    assert "--out FILE" in result.stderr
    assert not [*tmp_path.iterdir()]
    result = woodstock(*TRAIN)
    assert result.exit_code == 0
    assert "in the cache" in result.stdout
    assert "--players woodstock,uct" in result.stdout
    assert ValuesCache(tmp_path).find(load("tic-tac-toe")) is not None
    found = answer(*MATCH, "--players", "mac-ucb:values=net,legal")
    assert found["isCompleted"]


@pytest.mark.parametrize(
    "command",
    [
        ["match", "nim", "--players", "woodstock:values={},random"],
        ["match", "nim", "--players", "woodstock,random", "--values", "{}"],
        ["analyse", "nim", "--player", "mac-ucb:values={}"],
        ["analyse", "nim", "--values", "{}"],
        ["play", "nim", "--values", "{}"],
        ["play", "nim", "--against", "woodstock:values={}"],
    ],
)
def test_values_of_other_rules_are_refused(file: Path, command: list[str]) -> None:
    result = woodstock(*(part.format(file) for part in command))
    assert result.exit_code == 2
    assert str(file) in result.stderr
    assert "woodstock train nim" in result.stderr


def test_wrong_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "my.values"
    path.write_bytes(b"hello")
    for options in (
        ["--players", f"woodstock:values={path},random"],
        ["--players", "woodstock,random", "--values", str(path)],
    ):
        result = woodstock("match", "nim", *options)
        assert result.exit_code == 2
        assert "no file of values" in result.stderr
    result = woodstock("match", "nim", "--players", "woodstock:values=nowhere,random")
    assert result.exit_code == 2
    assert "nowhere: No such file" in result.stderr
    result = woodstock("serve", "--values", str(path))
    assert result.exit_code == 2


def test_what_cannot_be_learned_is_told() -> None:
    result = woodstock("train", "kuhn-poker", "--out", "nowhere.values")
    assert result.exit_code == 1
    assert "something is hidden" in result.stderr
