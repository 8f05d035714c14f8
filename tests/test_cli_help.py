"""Help that people understand: whole, in words, at any width; and names that are completed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli_support import answer, woodstock
from woodstock import games
from woodstock.cli.app import app
from woodstock.cli.options import complete_game
from woodstock.player import player_names


def commands() -> Iterator[list[str]]:
    group = typer.main.get_command(app)
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        yield [name]
        yield from ([name, inner] for inner in getattr(command, "commands", ()))


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("words", [[], *commands()], ids=" ".join)
def test_no_machine_words_and_nothing_cut_off(words: list[str], columns: int) -> None:
    result = CliRunner().invoke(app, [*words, "--help"], terminal_width=columns)
    assert result.exit_code == 0
    text = result.stdout
    assert not re.search(r"<[a-z\[\] |]+>|RANGE|\bx[<>]=?|\{[A-Z]", text)
    assert "..." not in text.replace("[ARGS]...", "").replace("GAME...", "").replace("E...", "")
    assert max(map(len, text.splitlines())) <= columns


def completed(line: str) -> list[str]:
    """What the shell offers behind a line."""
    words = ["woodstock", *line.split(" ")]
    environment = {
        **os.environ,
        "_WOODSTOCK_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    code = "from woodstock.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    return result.stdout.split()


def test_names_of_games_and_players_are_completed() -> None:
    offered = completed("match nim --players uct,mac-ucb")
    assert offered == [f"uct,{name}" for name in player_names() if name.startswith("mac-ucb")]
    assert complete_game("connect-four-") == [
        name for name in games.names() if name.startswith("connect-four-")
    ]


def test_files_with_rules_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine.kif", "mine.toml", "more.gdl", ".mine.kif"):
        (tmp_path / name).write_text("")
    (tmp_path / "mines").mkdir()
    assert complete_game(f"{tmp_path}/mi") == [f"{tmp_path}/mine.kif", f"{tmp_path}/mines/"]
    monkeypatch.chdir(tmp_path)
    assert complete_game("mor") == ["more.gdl"]
    assert complete_game("mines/") == []


def test_every_game_and_player_can_be_completed() -> None:
    """Whoever takes one has the completion that all have."""
    lacking = []
    for words in commands():
        command = typer.main.get_command(app)
        for word in words:
            command = command.commands[word]  # type: ignore[attr-defined]
        for param in command.params:
            named = param.metavar == "GAME" or param.name in ("player", "players", "against")
            if named and getattr(param, "_custom_shell_complete", None) is None:
                lacking.append(f"{' '.join(words)} {param.name}")
    # A number, role=player, and words of its own.
    assert lacking == ["games players", "host player", "reproduce players"]


def test_about_tells_what_a_newcomer_asks() -> None:
    text = woodstock("about", "breakthrough").stdout
    for words in (
        "Bring one piece to the far row",
        "Players: white, black.",
        "rules",
        "gates of the circuit",
        "move 1-8 2 1-8 3: 22 moves such as (move 5 2 4 3); '5243' is enough",
        "Play it: woodstock play breakthrough",
    ):
        assert words in text
    assert woodstock("about", "nim", "--rules").stdout.startswith("; Nim with four heaps")
    found = answer("about", "monty-hall")
    assert (found["players"], found["moves"]["role"]) == (["candidate"], "candidate")
    assert {"rules", "fluents", "moves", "gates"} <= set(found["sizes"])
    assert "gates" not in answer("about", "nim", "--engine", "lifted")["sizes"]
    assert woodstock("about", "no-such-game").exit_code == 2
