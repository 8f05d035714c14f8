"""Every game of the library: its files, its description and its golden data."""

from __future__ import annotations

import random
from pathlib import Path

import game_families
import game_pages
import pytest
from record_game import DEFAULT_MOVES, main

from games_support import load, texts
from woodstock import games
from woodstock.errors import UnknownGameError
from woodstock.games.meta import MetaError, parse_meta
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.rules import Predicate
from woodstock.match import depth_counts, random_playthrough

LIBRARY = Path(games.__file__).parent
DOCS = LIBRARY.parents[2] / "docs"
FOLDERS = sorted(
    path.name for path in LIBRARY.iterdir() if path.is_dir() and path.name != "__pycache__"
)

# The games that the papers play, and their examples.
EXPECTED = """
    amazons-torus-10x10 backgammon battle-of-numbers battle-of-numbers-big battlebrushes bomberman
    breakthrough breakthrough-suicide buttons-and-lights-3 buttons-and-lights-7
    buttons-and-lights-10 cant-stop checkers chess chinese-checkers connect-four connect-four-7x7
    connect-four-8x6 connect-four-20x20 connect-four-simultaneous cooperative-matching-pennies
    copolymer-pie dots-and-boxes-suicide eight-puzzle english-draughts free-for-all-2p guess-dice
    hex hexawesome hidden-matching-pennies hunter joint-buttons-and-lights-25
    joint-connect-four-7x7 kaseklau knight-through latent-tic-tac-toe-10x10 majorities mastermind
    matching-pennies monty-hall nim orchard othello oware pacman pacman-hidden pentago pickomino
    platform-jumpers quarto randomised-tic-tac-toe reflect-connect-6 reversi reversi-suicide
    schnappt-hubi sheep-and-wolf sheep-and-wolf-hidden shmup skirmish skirmish-zero-sum sudoku
    tic-tac-chess-2p tic-tac-toe ttcc4-2p untwisty vacuum-cleaner-random vectorracer war wumpus
    yahtzee
"""

NOT_IN_THE_PAPERS = {"connect-four", "connect-four-8x6", "kuhn-poker", "nim"}

# Counts that others have published.
PUBLISHED = {
    "tic-tac-toe": (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
    "connect-four": (1, 7, 49, 343, 2401, 16807, 117649, 823536),
    "reversi": (1, 4, 12, 56, 244, 1396, 8200, 55092),
    "breakthrough": (1, 22, 484, 11132),
}


def test_the_library_holds_the_expected_games() -> None:
    assert set(games.names()) >= set(EXPECTED.split())


@pytest.mark.parametrize("name", FOLDERS)
def test_folder_is_complete(name: str) -> None:
    missing = [file for file in games.FILES if not (LIBRARY / name / file).is_file()]
    assert not missing, (
        f"{name} lacks {', '.join(missing)}; "
        f"'python tools/record_game.py {name}' writes the recorded ones"
    )
    assert name in games.names()


@pytest.mark.parametrize("name", games.names())
def test_meta_tells_the_truth(name: str) -> None:
    meta, game = games.meta(name), load(name)
    assert meta.name == name
    assert meta.players == len(game.players)
    hidden, chance = "(sees " in games.rules_text(name), "random" in game.roles
    assert meta.kind == ("hidden" if hidden else "stochastic" if chance else "deterministic")
    assert (meta.turns == "single") == (meta.players == 1)
    assert meta.max_plies is not None
    assert len(games.playthrough(name)["plies"]) - 1 <= meta.max_plies
    assert meta.papers or name in NOT_IN_THE_PAPERS


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_a_page(name: str) -> None:
    title = games.meta(name).title
    page = (DOCS / "games" / f"{name}.md").read_text("utf-8")
    head, picture, facts, *text = page.strip().split("\n\n")
    assert f"| play it | `woodstock play {name}` |" in facts
    assert head == f"# {title}"
    assert picture == f"![{title} after some moves](../images/games/{name}.svg)"
    assert len(" ".join(text).split()) >= 20, "the page says nothing about the rules"
    public = games.meta(name).agrees_with
    assert not public or f"`{public}`" in " ".join(text)


def test_every_page_is_about_a_game() -> None:
    assert {path.stem for path in (DOCS / "games").glob("*.md")} == set(games.names())
    pictures = {path.stem for path in (DOCS / "images" / "games").glob("*.svg")}
    assert pictures == set(games.names())


def test_list_pictures_and_contact_sheet_are_up_to_date(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert game_pages.main([str(DOCS), "--check"]) == 0, (
        capsys.readouterr().out + "'python tools/game_pages.py docs' writes them"
    )


def test_families_are_written_as_they_are_generated(capsys: pytest.CaptureFixture[str]) -> None:
    assert game_families.main(["--check"]) == 0, (
        capsys.readouterr().out + "'python tools/game_families.py' writes them"
    )


def test_meta_errors_name_the_game_and_the_key() -> None:
    good = {
        "title": "T",
        "summary": "S",
        "players": 2,
        "kind": "deterministic",
        "turns": "alternating",
        "board": "none",
        "source": "S",
        "agrees_with": "",
    }
    assert parse_meta("t", good).max_plies is None
    for key, value in {
        "kind": "funny",
        "players": 0,
        "max_plies": "many",
        "papers": [{"paper": "P"}],
        "drawing": 3,
        "title": "",
        "colour": "red",
    }.items():
        with pytest.raises(MetaError, match=f"t: .*{'paper' if key == 'papers' else key}"):
            parse_meta("t", {**good, key: value})
    for key in good:
        with pytest.raises(MetaError, match=key):
            parse_meta("t", {k: v for k, v in good.items() if k != key})


def test_an_unknown_name_gets_suggestions() -> None:
    with pytest.raises(UnknownGameError, match="did you mean reversi") as caught:
        games.rules_text("reverse")
    assert caught.value.suggestions[0] == "reversi"
    with pytest.raises(UnknownGameError):
        games.rules_path("../games/nim")


@pytest.mark.parametrize("name", games.names())
def test_the_checker_has_nothing_to_say(name: str) -> None:
    assert [str(finding) for finding in load(name).warnings] == []


@pytest.mark.parametrize("name", games.names())
def test_golden_counts(name: str) -> None:
    golden = games.perft_counts(name)
    assert tuple(depth_counts(load(name).initial_state(), moves=DEFAULT_MOVES)) == golden


@pytest.mark.parametrize("name", PUBLISHED)
def test_golden_counts_are_the_published_ones(name: str) -> None:
    golden, published = games.perft_counts(name), PUBLISHED[name]
    depth = min(len(golden), len(published))
    assert depth >= 4
    assert golden[:depth] == published[:depth]


def test_recording_is_repeatable() -> None:
    recorded = games.playthrough("nim")
    assert random_playthrough(load("nim"), recorded["seed"]) == recorded


def test_the_command_checks_and_suggests(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matching-pennies", "--check"]) == 0
    assert capsys.readouterr().out == "matching-pennies: 1 4\n"
    assert main(["matching-pennies", "--check", "--seed", "2"]) == 1
    assert "matching-pennies/playthrough.json differs" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(["nimm"])
    assert stopped.value.code == 2
    assert "did you mean nim?" in capsys.readouterr().err


@pytest.mark.parametrize("name", games.names())
def test_random_matches_are_well_formed(name: str) -> None:
    game, meta = load(name), games.meta(name)
    interpreter = Interpreter(game.rules)
    base = {str(row[0]) for row in interpreter.ask(Predicate("base", 1))}
    inputs = {(str(row[0]), str(row[1])) for row in interpreter.ask(Predicate("input", 2))}
    for seed in range(3):
        rng, state, plies = random.Random(seed), game.initial_state(), 0
        while not state.is_terminal:
            assert base.issuperset(map(str, state.fluents))
            for role in game.roles:
                legal = state.legal_moves(role)
                assert legal, f"{role} has no move"
                assert inputs.issuperset((role, str(move)) for move in legal)
            if meta.turns == "alternating":
                busy = [role for role in game.roles if texts(state.legal_moves(role)) != ["noop"]]
                assert len(busy) <= 1
            state = state.apply(state.random_joint_move(rng))
            plies += 1
        assert base.issuperset(map(str, state.fluents))
        assert all(state.goal(role) in range(101) for role in game.roles)
        assert all(state.goal(role) == 0 for role in game.roles if role == "random")


@pytest.mark.parametrize("name", games.names())
def test_playouts_end_in_time_with_one_goal_for_each_role(name: str) -> None:
    found = load(name).initial_state().playouts(500, seed=1)
    assert (found.stuck, found.cut, found.unclear) == (0, 0, 0)
    assert found.longest <= (games.meta(name).max_plies or 0)
