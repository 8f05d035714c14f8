"""Every game of the library: its files, its description and its golden data."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games_support import load, players, texts
from woodstock import UnknownGameError, games
from woodstock.games.meta import MetaError, parse_meta
from woodstock.games.record import DEFAULT_MOVES, main, record_match
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.rules import Predicate
from woodstock.match import depth_counts

LIBRARY = Path(games.__file__).parent
FOLDERS = sorted(p.name for p in LIBRARY.iterdir() if p.is_dir() and p.name != "__pycache__")

EXPECTED = {
    "breakthrough",
    "checkers",
    "connect-four",
    "connect-four-8x6",
    "cooperative-matching-pennies",
    "eight-puzzle",
    "hex",
    "hidden-matching-pennies",
    "matching-pennies",
    "nim",
    "pentago",
    "randomised-tic-tac-toe",
    "reversi",
    "tic-tac-toe",
}

# Counts that others have published.
PUBLISHED = {
    "tic-tac-toe": (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
    "connect-four": (1, 7, 49, 343, 2401, 16807, 117649, 823536),
    "reversi": (1, 4, 12, 56, 244, 1396, 8200, 55092),
    "breakthrough": (1, 22, 484, 11132),
}


def test_the_library_holds_the_expected_games() -> None:
    assert set(games.names()) >= EXPECTED


@pytest.mark.parametrize("name", FOLDERS)
def test_folder_is_complete(name: str) -> None:
    missing = [file for file in games.FILES if not (LIBRARY / name / file).is_file()]
    assert not missing, (
        f"{name} lacks {', '.join(missing)}; "
        f"'python -m woodstock.games.record {name}' writes the recorded ones"
    )
    assert name in games.names()


@pytest.mark.parametrize("name", games.names())
def test_meta_tells_the_truth(name: str) -> None:
    meta, game = games.meta(name), load(name)
    assert meta.name == name
    assert meta.players == len(players(game))
    assert (meta.kind == "stochastic") == ("random" in game.roles)
    assert (meta.information == "hidden") == ("(sees " in games.rules_text(name))
    assert (meta.turns == "single") == (meta.players == 1)
    if meta.max_plies is not None:
        assert len(games.playthrough(name)["plies"]) - 1 <= meta.max_plies


@pytest.mark.parametrize("name", games.names())
def test_the_page_has_the_game(name: str) -> None:
    meta = games.meta(name)
    page = (LIBRARY.parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
    assert f"\n## {name}\n" in page
    (row,) = [line for line in page.splitlines() if line.startswith(f"| [{name}](")]
    told = [cell.strip(" `") for cell in row.strip("|").split("|")][1:]
    chance = " + chance" if meta.kind == "stochastic" else ""
    assert told == [
        f"{meta.players}{chance}",
        meta.kind,
        meta.information,
        meta.turns,
        meta.board,
        str(meta.max_plies or ""),
        meta.agrees_with,
    ]


def test_meta_errors_name_the_game_and_the_key() -> None:
    good = {
        "title": "T",
        "summary": "S",
        "players": 2,
        "kind": "deterministic",
        "information": "complete",
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


@pytest.mark.parametrize("name", games.names())
def test_playthrough_replays(name: str) -> None:
    game, match = load(name), games.playthrough(name)
    assert match["game"] == name
    state = game.initial_state()
    *plies, last = match["plies"]
    for ply in plies:
        assert texts(state.fluents) == ply["state"]
        assert not state.is_terminal
        assert {role: texts(state.legal_moves(role)) for role in game.roles} == ply["legal"]
        for role, seen in ply.get("percepts", {}).items():
            assert texts(state.percepts(role)) == seen
        state = state.apply(ply["moves"])
    assert texts(state.fluents) == last["state"]
    assert state.is_terminal
    assert {role: state.goal(role) for role in players(game)} == last["goals"]


def test_recording_is_repeatable() -> None:
    recorded = games.playthrough("nim")
    assert record_match(load("nim"), recorded["seed"]) == recorded


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
        assert meta.max_plies is None or plies <= meta.max_plies
        assert all(state.goal(role) in range(101) for role in players(game))
