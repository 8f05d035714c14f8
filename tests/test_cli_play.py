"""``woodstock play``: whatever a person types, the game goes on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from cli_support import woodstock
from player_support import Fake
from woodstock import Game
from woodstock.belief import ObservationHistory, PlainParticleFilter
from woodstock.cli import play
from woodstock.player import ThinkingPlayer

PLAY = ["play", "tic-tac-toe", "--against", "legal", "--seed", "1", "--play-clock", "60"]


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
        play,
        "make_player",
        lambda name, seed, **shared: ThinkingPlayer(lambda g, r: Fake(r), seed=seed),
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


def test_chance_and_many_moves() -> None:
    many = said("moves", arguments=["play", "amazons-torus-10x10", "--against", "random"])
    assert "in all; 'moves TEXT' lists those with TEXT in them" in many


def hidden(game: str | Path) -> list[str]:
    return ["play", str(game), "--against", "legal", "--seed", "1", "--play-clock", "60"]


def test_what_is_hidden_is_not_shown_before_the_end() -> None:
    text = said("choose 1", "stay", arguments=hidden("monty-hall"))
    before, _, after = text.partition("What was hidden from you:")
    assert "Note: you do not see everything; ? is what you cannot know." in before
    assert "1. candidate (choose 1)\nyou perceive nothing" in before
    assert "│ ✓? │ ?  │ ?  │" in before
    assert "3 positions possible:\n  car: 1, 2 or 3" in before
    assert "you perceive (open " in before
    assert "2 positions possible:\n  car: 1 or " in before
    assert "hide" not in before
    assert "random" not in before
    assert "1. candidate (choose 1)   random (hide " in after
    assert after.count("car") == 1
    assert "The game is over: candidate " in after


def test_who_leaves_early_is_told_nothing() -> None:
    text = said("choose 1", "quit", arguments=hidden("monty-hall"))
    assert "hide" not in text
    assert text.endswith("Good bye.\n")


def test_the_cards_of_others_lie_face_down() -> None:
    before, _, after = said("check", "fold", arguments=hidden("kuhn-poker")).partition("What was")
    (mine,) = {line for line in before.splitlines() if line.startswith("you perceive (hand ")}
    card = mine.removeprefix("you perceive (hand ").rstrip(")")
    assert f"hand of  [{card}] [░░]" in before
    assert "2 positions possible:\n  hand of bob: " in before
    assert "bob noop" not in before
    assert "deal" not in before
    assert f"random (deal {card} " in after
    assert "░" not in after


def test_hidden_things_can_be_undone() -> None:
    text = said("choose 1", "undo", "choose 2", arguments=hidden("monty-hall"))
    assert text.count("3 positions possible") == 2
    assert "│ ✓? │ ?  │ ?  │" in text
    assert "│ ?  │ ✓? │ ?  │" in text
    assert "hide" not in text


def test_hints_are_about_what_is_known() -> None:
    arguments = ["play", "monty-hall", "--seed", "1", "--play-clock", "2"]
    text = said("choose 1", "hint", arguments=arguments)
    moves = text.partition("move  ")[2].splitlines()[1:3]
    assert [line.split()[0] for line in moves] == ["switch", "stay"]
    # Two thirds: whoever saw the car would be sure.
    assert 60 < float(moves[0].split()[1]) < 73


def test_samples_are_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    make = partial(PlainParticleFilter, expanded=0, states=5)
    monkeypatch.setattr(
        "woodstock.belief.observation_histories.ObservationHistory",
        partial(ObservationHistory, make=make),
    )
    text = said("choose 1", arguments=hidden("monty-hall"))
    assert "a sample of " in text
    assert "more may be possible:" in text


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
