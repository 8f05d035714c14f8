"""``woodstock play``: whatever a person types, the game goes on."""

from __future__ import annotations

import io
import json
import sys
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from cli_support import woodstock
from player_support import Fake
from woodstock import Game, games
from woodstock.belief import ObservationHistory, PlainParticleFilter
from woodstock.cli import play
from woodstock.cli.desk import Desk
from woodstock.cli.reading import line_editing
from woodstock.match import Session
from woodstock.player import ThinkingPlayer, make_player

PLAY = ["play", "tic-tac-toe", "--against", "legal", "--seed", "1", "--play-clock", "60"]


LEAVE = "Good bye, and thank you for playing.\n"


def said(*lines: str, arguments: list[str] | None = None) -> str:
    """What is printed to somebody who types these lines and then ends the input."""
    result = woodstock(*(arguments or PLAY), typed="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.stderr
    assert "Traceback" not in result.output
    return str(result.stdout)


def test_a_game_is_played_to_its_end() -> None:
    text = said("(mark 2 1)", "mark 2 2", "mark 2 3")
    assert "tic-tac-toe: you are x. o is legal" in text
    # Who has no choice is not worth a word.
    assert "  1. x (mark 2 1)\n  2. o (mark 1 1)\n" in text
    assert "noop" not in text
    assert text.count("x> ") == 3
    assert text.endswith("The game is over: x 100, o 0.\nYou win: well played!\n")


def test_there_is_one_board_a_turn_with_the_last_move_marked() -> None:
    text = said("21", "22", "23")
    assert text.count("┌") == 4  # at the start, after two answers, at the end
    assert text.count("[o]") == 2
    assert text.count("[x]") == 1


def test_moves_by_number() -> None:
    text = said("5")
    assert "  5 (mark 2 2)" in text
    assert "1. x (mark 2 2)" in text
    # The list is counted anew: the center and the first cell are taken.
    assert "  1 (mark 1 2)" in text


def test_the_end_of_input_is_polite() -> None:
    assert said().endswith(LEAVE)
    assert said("5", "quit").endswith(LEAVE)
    assert said("exit", "5").count("x> ") == 1


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("(mark 9 9)", "'(mark 9 9)' is no legal move. '?' helps."),
        ("mark", "'mark' may be (mark 1 1), (mark 1 2),"),
        ("44", "there is no move 44; they go from 1 to 9."),
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
    assert "2. o (mark 1 1)" in text


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
    assert "1. x (mark 1 1)\n" in text
    assert "2. o (mark 2 2)\n" in text


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
    assert "1. candidate (choose 1)\nyou perceive nothing\nyou perceive (open " in before
    assert "│ ✓? │" in before
    assert "2 positions possible:\n  car: 1 or " in before
    assert "hide" not in before
    assert "random" not in before
    assert "1. candidate (choose 1)   random (hide " in after
    assert after.count("car") == 1
    assert "The game is over: candidate " in after


def test_who_leaves_early_is_told_nothing() -> None:
    text = said("choose 1", "quit", arguments=hidden("monty-hall"))
    assert "hide" not in text
    assert text.endswith(LEAVE)


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
    assert text.count("2 positions possible") == 2
    assert "│ ✓? │" in text
    assert "│ ?  │ ✓? │" in text or "│    │ ✓? │" in text
    assert "hide" not in text


def test_hints_are_about_what_is_known() -> None:
    arguments = ["play", "monty-hall", "--seed", "1", "--play-clock", "2"]
    text = said("choose 1", "hint", arguments=arguments)
    moves = text.partition("move  ")[2].splitlines()[1:3]
    assert [line.strip("* ").split()[0] for line in moves] == ["switch", "stay"]
    # Two thirds: whoever saw the car would be sure.
    assert 60 < float(moves[0].strip("* ").split()[1]) < 73


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


def test_moves_by_their_words_written_together() -> None:
    chess = ["play", "chess", "--against", "legal", "--seed", "1", "--play-clock", "60"]
    text = said("e2e4", "undo", "e2-e4", "undo", "f3", "g1f3", arguments=chess)
    assert text.count("1. white (move e 2 e 4)") == 2
    assert "'f3' may be (move f 2 f 3) or (move g 1 f 3)" in text
    assert "1. white (move g 1 f 3)" in text
    four = ["play", "connect-four", "--against", "legal", "--seed", "1", "--play-clock", "60"]
    text = said("7", arguments=four)
    # A number is the column: there are no numbers in front of moves.
    assert "1. red (drop 7)" in text
    assert "  7 (drop 7)" not in text


def test_rules_are_told() -> None:
    text = said("rules", "22")
    assert "Three of your marks in a line" in text
    assert "mark 1-3 1-3: 9 moves such as (mark 2 2); '22' is enough" in text
    assert "1. x (mark 2 2)" in text


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text = said("22", f"save {path}", "12", "quit")
    assert f"Saved: 'woodstock play --resume {path}' goes on with it." in text
    on = said("32", "undo", "21", arguments=["play", "--resume", str(path)])
    assert "tic-tac-toe: you are x. o is legal\nThe game goes on after 2 moves." in on
    assert "  3. x (mark 3 2)" in on
    assert "  3. x (mark 2 1)" in on
    # Saving without a name writes where the game came from.
    assert f"--resume {path}" in said("12", "save", arguments=["play", "--resume", str(path)])
    assert "after 4 moves" in said(arguments=["play", "--resume", str(path)])


def test_a_game_of_ones_own_is_saved_with_its_rules(tmp_path: Path) -> None:
    rules, path = tmp_path / "mine.kif", tmp_path / "game.json"
    rules.write_text(games.rules_text("tic-tac-toe"))
    said("22", f"save {path}", arguments=["play", str(rules), *PLAY[2:]])
    rules.unlink()
    assert "mine: you are x" in said(arguments=["play", "--resume", str(path)])


def test_luck_goes_on_where_it_was(tmp_path: Path) -> None:
    """A match that is saved and resumed is the one that would have been played."""
    path = tmp_path / "game.json"
    dice = ["play", "guess-dice", "--seed", "3", "--against", "legal"]
    whole = said("3", arguments=dice).splitlines()[-2]
    said(f"save {path}", arguments=dice)
    assert "The game is over" in whole
    assert said("3", arguments=["play", "--resume", str(path)]).splitlines()[-2] == whole


def test_a_recorded_game_is_kept_turn_by_turn(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    text = said("22", arguments=[*PLAY, "--record", str(path)])
    assert text.endswith(
        f"{LEAVE}Your game is kept: 'woodstock play --resume {path}' goes on with it.\n"
    )
    kept = json.loads(path.read_text())
    assert kept["moves"] == [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]
    assert kept["isPlayerHuman"] == [True, False]
    assert kept["playerNamesFromHost"] == ["person", "legal"]
    said("21", "23", arguments=["play", "--resume", str(path), "--record", str(path)])
    over = woodstock("play", "--resume", path, typed="")
    assert over.exit_code == 2
    assert "this game is over" in over.stderr


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"woodstock": 3}', "(role x)"])
def test_what_cannot_be_resumed_is_1(tmp_path: Path, content: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(content)
    result = woodstock("play", "--resume", path, typed="")
    assert result.exit_code == 1
    assert str(path) in result.stderr


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    text = said("save", f"save {tmp_path}/no/such/x.json", "22")
    assert "where to? say save FILE" in text
    assert "not saved: " in text
    assert "1. x (mark 2 2)" in text


def test_an_interrupt_is_130_with_a_kind_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    result = woodstock(*PLAY)
    assert result.exit_code == 130
    assert result.stdout.endswith(LEAVE)


def test_lines_are_completed() -> None:
    game = Game.from_library("tic-tac-toe")
    session = Session(game, "x", {"o": make_player("legal", 1)}, seed=1)
    table = Desk(Console(), session, make_player("legal", 1), 1.0)
    complete = table._complete
    assert complete("mark 2 ") == ["mark 2 1", "mark 2 2", "mark 2 3"]
    assert complete("(mark 3 3") == ["(mark 3 3)"]
    assert complete("2") == ["21", "22", "23"]
    assert complete("und") == ["undo"]
    assert complete("m")[:2] == ["moves", "mark 1 1"]
    assert len(complete("")) == 9


def test_it_works_without_readline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are read as they come where Python has no readline, or only a broken one."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setitem(sys.modules, "readline", None)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    with line_editing(lambda line: []):
        pass
