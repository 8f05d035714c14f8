"""``woodstock play``: whatever a person types, the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_support import woodstock
from player_support import Fake
from woodstock import Game, search
from woodstock.player import ThinkingPlayer

PLAY = ["play", "tic-tac-toe", "--against", "legal", "--seed", "1", "--play-clock", "0.2"]


def said(*lines: str, arguments: list[str] | None = None) -> str:
    """What is printed to somebody who types these lines and then ends the input."""
    result = woodstock(*(arguments or PLAY), typed="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.stderr
    assert "Traceback" not in result.output
    return str(result.stdout)


def test_a_game_is_played_to_its_end() -> None:
    text = said("(mark 2 1)", "mark 2 2", "mark 2 3")
    assert "tic-tac-toe: you are x. o is legal" in text
    assert "1. x (mark 2 1)   o noop" in text
    assert "2. x noop   o (mark 1 1)" in text
    assert text.count("x> ") == 3
    assert text.endswith("The game is over: x 100, o 0.\n")


def test_moves_by_number() -> None:
    text = said("5")
    assert "  5 (mark 2 2)" in text
    assert "1. x (mark 2 2)" in text
    # The list is counted anew: the center and the first cell are taken.
    assert "  1 (mark 1 2)" in text


def test_the_end_of_input_is_polite() -> None:
    assert said().endswith("Good bye.\n")
    assert said("5", "quit").endswith("Good bye.\n")
    assert said("exit", "5").count("x> ") == 1


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("(mark 9 9)", "'(mark 9 9)' is no legal move. '?' helps."),
        ("mark", "'mark' may be (mark 1 1), (mark 1 2),"),
        ("12", "there is no move 12; they go from 1 to 9."),
        ("-1", "'-1' is no legal move."),
        ("(((", "'(((' is no legal move."),
        ("[bold]", "'[bold]' is no legal move."),
        ("\0\x1b", "is no legal move."),
        ("undo", "there is nothing to take back"),
        ("moves 7", "no legal move has '7' in it"),
    ],
)
def test_bad_input_never_ends_the_game(typed: str, heard: str) -> None:
    text = said(typed, "5")
    assert heard in text
    assert "1. x (mark 2 2)" in text


def test_nothing_typed_is_nothing_done() -> None:
    assert said("", "   ").count("x> ") == 3


def test_help_moves_and_board() -> None:
    text = said("?", "help", "moves", "moves 3 ", "board")
    assert text.count("to take your last move back") == 2
    assert text.count("  9 (mark 3 3)") == 3
    assert text.count("  1 (mark 1 1)") == 2
    assert text.count("┌") == 2


def test_undo() -> None:
    text = said("mark 1 2", "undo", "mark 1 3")
    assert text.count("  1. x ") == 2
    assert "1. x (mark 1 3)" in text
    assert "2. x noop   o (mark 1 1)" in text


def test_a_hint_of_a_player_who_does_not_think() -> None:
    assert "(mark 1 1), perhaps" in said("hint")


def test_a_hint_with_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        search, "make", lambda name, seed: ThinkingPlayer(lambda g, r: Fake(r), seed=seed)
    )
    text = said("hint", "mark 3 3")
    assert "(mark 3 3)   75.0  " in text
    assert "and 4 more" in text
    assert "expected: x (mark 3 3)" in text
    assert "900 simulations" in text
    assert "1. x (mark 3 3)" in text


def test_any_role_can_be_taken() -> None:
    text = said("mark 2 2", arguments=[*PLAY, "--as", "o"])
    assert "tic-tac-toe: you are o. x is legal" in text
    assert "1. x (mark 1 1)   o noop" in text
    assert "2. x noop   o (mark 2 2)" in text


def test_several_others() -> None:
    game = Game.from_library("battlebrushes")
    arguments = ["play", "battlebrushes", "--against", "legal,random,legal"]
    text = said(arguments=arguments)
    others = ", ".join(
        f"{role} is {name}" for role, name in zip(game.roles[1:], ("legal", "random", "legal"))
    )
    assert others in text


def test_chance_hidden_things_and_many_moves() -> None:
    text = said(arguments=["play", "mastermind", "--against", "random", "--seed", "1"])
    assert "Note: the board shows what your role would not see." in text
    many = said("moves", arguments=["play", "amazons-torus-10x10", "--against", "random"])
    assert "in all; 'moves TEXT' lists those with TEXT in them" in many


def test_a_move_that_is_called_like_a_command(tmp_path: Path) -> None:
    path = tmp_path / "odd.kif"
    path.write_text(
        "(role x) (init a) (legal x undo) (legal x quit) (<= (next b) (does x undo))"
        " (<= terminal (not (true a))) (goal x 100)"
    )
    assert "1. x undo" in said("undo", arguments=["play", str(path), "--against", "legal"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "tic-tac-toe", "--as", "z", "--against", "legal"],
        ["play", "tic-tac-toe", "--against", "nobody"],
        ["play", "tic-tac-toe", "--against", "legal,legal"],
        ["play", "no-such-game", "--against", "legal"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    result = woodstock(*arguments, typed="")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
