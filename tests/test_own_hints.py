"""Hints for drawing a game of one's own, in a file beside its rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_support import answer, woodstock
from woodstock import Game, games
from woodstock.drawing import hint_mistakes
from woodstock.errors import HintError
from woodstock.match import MatchRecord, play_match, seat_players
from woodstock.web.album import open_record

HINTS = """
title = "My own game"
summary = "Three in a row, but mine."

[drawing]
symbols = { x = "#", o = "@" }
labels = { control = "to move" }
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mine.kif"
    path.write_text(games.rules_text("tic-tac-toe"))
    return path


def test_hints_beside_the_rules_are_used_everywhere(rules: Path, tmp_path: Path) -> None:
    plain = woodstock("show", rules, "--after", "(mark 2 2)").stdout
    assert "▶ control: o" in plain
    rules.with_suffix(".toml").write_text(HINTS)
    for game in (Game.load(rules), Game.load(str(rules)), Game.from_file(rules)):
        state = game.initial_state().apply(["(mark 2 2)", "noop"])
        assert "│ # │" in state.draw()
    shown = woodstock("show", rules, "--after", "(mark 2 2)").stdout
    assert "│[#]│" in shown
    assert "▶ to move: o" in shown
    assert "│[#]│" in woodstock(
        "match", rules, "--players", "legal,legal", "--seed", "1", "--watch"
    ).stdout  # fmt: skip
    typed = woodstock(
        "play", rules, "--against", "legal", "--play-clock", "60", typed="22\nrules\n"
    )
    assert "[@]" in typed.stdout
    assert "Three in a row, but mine." in typed.stdout
    assert answer("about", rules)["title"] == "My own game"


def test_records_carry_the_hints(rules: Path, tmp_path: Path) -> None:
    rules.with_suffix(".toml").write_text(HINTS)
    game = Game.from_file(rules)
    played = play_match(game, seat_players(game, ["legal", "legal"], seed=1), seed=1)
    path = tmp_path / "match.json"
    played.write(path)
    rules.unlink()
    assert MatchRecord.read(path).drawing["labels"] == {"control": "to move"}
    assert "to move" in open_record(path).pages[0].svg()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[drawing]\ncolums = 3\n", "mine.toml:2:1: there is no hint 'colums'; did you mean 'colu"),
        ("[drawing]\n\n  rows = 0\n", "mine.toml:3:3: 'rows' cannot be 0; write a number up to 64"),
        ("[drawing]\nargs = 'xx'\n", "mine.toml:2:1: 'args' cannot be 'xx'; write a letter for"),
        ("[drawing]\nsymbols = { x = 1 }", "mine.toml:2:1: 'symbols' cannot have 1 for 'x'"),
        ("[drawing.dice]\nrolled = 'q'", "mine.toml:1:1: 'dice' cannot have 'q' for 'rolled'"),
        ("[drawing]\nshape = 'round'", "write 'square' or 'hex'"),
        ("drawing = 3", "mine.toml: 'drawing' is no table"),
        ("title = 3", "mine.toml: 'title' is no text"),
        ("[drawing\n", "mine.toml:1:9: this is no TOML"),
        ("a = 1\na = 2\n", "mine.toml:2:6: this is no TOML"),
    ],
)
def test_mistakes_are_told_with_their_place(rules: Path, text: str, message: str) -> None:
    rules.with_suffix(".toml").write_text(text)
    with pytest.raises(HintError) as caught:
        Game.load(rules)
    assert message in str(caught.value)
    result = woodstock("show", rules)
    assert result.exit_code == 1
    assert message in result.stderr


def test_files_of_others_are_left_alone(rules: Path) -> None:
    """A tournament, say, may be described in a file that is called like a game."""
    rules.with_suffix(".toml").write_text('[tournament]\nformat = "ring"\n')
    assert Game.load(rules).drawing is None
    rules.with_suffix(".toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(HintError, match="no text in UTF-8"):
        Game.load(rules)


@pytest.mark.parametrize("name", games.names())
def test_hints_of_the_library_have_no_mistakes(name: str) -> None:
    assert hint_mistakes(games.meta(name).drawing) == []
