"""The public API, as a Python user meets it: short ways, and mistakes that are told in words."""

from __future__ import annotations

import copy
import importlib.metadata
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import woodstock
from games_support import load
from woodstock import Game, errors, games
from woodstock.errors import ArgumentError, CircuitError, StateError, UnknownGameError
from woodstock.match import MatchRecord, Played, play_match, seat_players, standings
from woodstock.notebook import html_table
from woodstock.player import make_player
from woodstock.search import Decision, Limits, MoveValue, SearchError, make_searcher, options_of

# What is there


def test_what_people_want_first_is_there_after_one_import() -> None:
    names = dir(woodstock)
    assert {"Game", "State", "match", "player", "search"} <= set(names)
    assert [name for name in names if name.endswith("Error")] == ["WoodstockError"]
    assert all(getattr(woodstock, name) is not None for name in names)
    with pytest.raises(AttributeError, match="'woodstock' has no attribute 'Gmae'"):
        woodstock.Gmae  # noqa: B018


def test_rooms_come_when_they_are_asked_for() -> None:
    """`import woodstock` alone stays light: the grounding child does it each time."""
    code = """
import sys, woodstock
assert not {"woodstock.game", "woodstock.search", "woodstock._core"} & {*sys.modules}
assert woodstock.search.Limits(seconds=1).seconds == 1
assert woodstock.match.play_match and woodstock.player.make_player
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_error_is_one_of_woodstock() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), woodstock.WoodstockError)


def test_the_version_stands_in_one_place() -> None:
    assert importlib.metadata.version("woodstock") == woodstock.__version__
    project = Path(__file__).parents[1] / "pyproject.toml"
    assert woodstock.__version__ not in project.read_text("utf-8")


# Games


def test_load_takes_names_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.kif"
    path.write_text(games.rules_text("nim"))
    nim = Game.load("nim", engine="lifted")
    for source in (path, str(path)):
        game = Game.load(source, engine="lifted")
        assert (game.name, game.rules) == ("mine", nim.rules)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim").write_text(games.rules_text("tic-tac-toe"))
    assert Game.load("nim", engine="lifted").players == nim.players
    assert Game.load(Path("nim"), engine="lifted").players == ("x", "o")


@pytest.mark.parametrize(
    ("source", "suggestions"),
    [
        ("nimm", ("nim",)),
        ("nimm.kif", ()),
        ("games/nimm", ()),
        (Path("tictactoe"), ("tic-tac-toe",)),
    ],
)
def test_load_tells_what_there_is(source: str | Path, suggestions: tuple[str, ...]) -> None:
    with pytest.raises(UnknownGameError, match="no game or file called") as caught:
        Game.load(source)
    assert caught.value.suggestions == suggestions


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    with pytest.raises(UnknownGameError):
        Game.load(tmp_path)


@pytest.mark.parametrize("sheet", ["nim", Path("nim.kif"), None, "(role x) " * 1000])
def test_what_is_no_rulesheet_is_told_what_to_write(sheet: Any) -> None:
    with pytest.raises(ArgumentError, match=r"no rulesheet.*Game\.load\('nim'\)") as caught:
        Game(sheet)
    assert len(str(caught.value)) < 250
    assert isinstance(caught.value, TypeError)


def test_players_are_the_roles_without_chance() -> None:
    game = load("kuhn-poker")
    assert game.has_chance
    assert {*game.roles} == {*game.players, "random"}
    assert game.engine.players == game.players
    assert load("nim").players == load("nim").roles
    assert not load("nim").has_chance


def test_the_circuit_or_one_error() -> None:
    game = load("nim")
    assert game.circuit() is game.engine
    with pytest.raises(CircuitError, match="plays on the lifted one"):
        Game.load("nim", engine="lifted").circuit()


def test_positions_are_those_of_the_engine() -> None:
    game, lifted = load("nim"), Game.load("nim", engine="lifted")
    state = game.initial_state()
    assert state.position == game.engine.initial() == game.position_of(lifted.initial_state())
    with pytest.raises(StateError, match="none of nim"):
        game.position_of(load("tic-tac-toe").initial_state())


# States


def test_whose_turn_it_is() -> None:
    start = load("kuhn-poker").initial_state()
    assert start.turn == ("random",)
    dealt = start.apply({r: start.legal_moves(r)[0] for r in start.roles})
    assert dealt.turn == ("alice",)
    assert load("matching-pennies").initial_state().turn == ("j1", "j2")
    over = load("matching-pennies").initial_state().successors()[0][1]
    assert (over.is_terminal, over.turn) == (True, ())


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_texts_are_as_good_as_moves(data: st.DataObject) -> None:
    state = load("tic-tac-toe").initial_state()
    legal = state.legal_moves("x")
    move = data.draw(st.sampled_from(legal))
    blanks = data.draw(st.integers(1, 3))
    text = data.draw(st.sampled_from([str.upper, str.lower, str.title]))(str(move))
    text = text.replace(" ", " " * blanks)
    assert text in legal
    assert move in legal
    assert legal.index(text) == legal.index(move) == [*legal].index(move)
    assert legal.count(text) == legal.count(move) == 1


def test_what_is_no_move_is_not_among_them() -> None:
    legal = load("tic-tac-toe").initial_state().legal_moves("x")
    for other in ("(mark 9 9)", "(mark 1", "", "?x", "noop", 7, None, ("mark", "1")):
        assert other not in legal
        assert legal.count(other) == 0
        with pytest.raises(ValueError, match="not in"):
            legal.index(other)


def test_legal_moves_are_a_tuple_all_the_same() -> None:
    legal = load("nim").initial_state().legal_moves("player1")
    plain = tuple(legal)
    assert legal == plain
    assert hash(legal) == hash(plain)
    assert type(legal[:2]) is tuple
    assert repr(legal) == repr(plain)
    assert pickle.loads(pickle.dumps(legal)) == copy.deepcopy(legal) == plain


# Thinking in one line


def test_the_best_move_in_one_line() -> None:
    fluents = ["(cell 1 1 x)", "(cell 1 2 x)", "(cell 2 1 o)", "(cell 2 2 o)", "(control x)"]
    fluents += ["(cell 1 3 b)", "(cell 2 3 b)"]
    for engine in ("circuit", "lifted"):
        state = Game.load("tic-tac-toe", engine=engine).state(fluents)
        found = state.best_move(limits=Limits(simulations=200))
        assert found == ("mark", "1", "3")
    assert state.best_move("o") == "noop"


def test_an_analysis_can_be_had_again() -> None:
    state = load("connect-four").initial_state()
    limits = Limits(simulations=2000)
    one, other = (state.analyse(limits=limits, player="uct", leaves=32) for _ in range(2))
    assert one.to_json()["moves"] == other.to_json()["moves"]
    searcher = make_searcher("uct", state.game, state.turn[0], leaves=32)
    assert searcher.think(state, limits=limits).moves == one.moves


def test_who_is_meant_must_be_clear() -> None:
    both = load("matching-pennies").initial_state()
    with pytest.raises(StateError, match="j1 and j2 have a choice here; name the role"):
        both.best_move()
    assert both.best_move("j2", seconds=0.1) in both.legal_moves("j2")
    chance = load("kuhn-poker").initial_state()
    with pytest.raises(StateError, match="no player has a choice here; name the role"):
        chance.analyse()
    with pytest.raises(StateError, match="no role 'j3'"):
        both.analyse("j3")
    over = both.successors()[0][1]
    with pytest.raises(StateError, match="the game is over"):
        over.best_move("j1")


# One habit for seeds, and mistakes told in words


def test_seeds_need_not_be_given() -> None:
    state = load("nim").initial_state()
    limits = Limits(simulations=200)
    one = make_searcher("uct", state.game, "player1")
    other = make_searcher("uct", state.game, "player1", seed=0)
    assert one.think(state, limits=limits).moves == other.think(state, limits=limits).moves
    drawn = [make_player("random", *seed).choose(state, "player1", 0.0) for seed in ((), (0,))]
    assert drawn[0] == drawn[1]


def test_mistakes_are_told_with_a_remedy() -> None:
    with pytest.raises(woodstock.WoodstockError, match="did you mean uct"):
        options_of("uctt")
    state = load("nim").initial_state()
    searcher = make_searcher("uct", state.game, "player1")
    with pytest.raises(SearchError, match=r"write Limits\(seconds=1\)"):
        searcher.think(state, limits={"seconds": 1})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="no engine 'fast'; there are auto"):
        Game.load("nim", engine="fast")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a number of playouts"):
        state.playouts(-1)


# Notebooks


def test_tables_are_escaped() -> None:
    found = html_table(["<b>"], [["<i>", 1234, 0.5]], caption="a & b")
    assert "<b>" not in found
    assert "<i>" not in found
    assert "&lt;b&gt;" in found
    assert "1,234" in found
    assert "a &amp; b" in found


def test_results_are_tables_in_notebooks() -> None:
    game = load("nim")
    found = game.initial_state().analyse(limits=Limits(simulations=100))
    table = found._repr_html_()
    assert table.count("<tr>") == 1 + len(found.moves)
    assert f"<td>{found.move}</td>" in table
    odd = Decision("<x>", 0.5, {}, (MoveValue("<x>", 0.5, 1, lower=0.25),))
    assert "<x>" not in odd._repr_html_()
    assert "25 - 100" in odd._repr_html_()
    playouts = game.initial_state().playouts(10)._repr_html_()
    assert "10 playouts" in playouts
    assert playouts.count("<tr>") == 3
    record = play_match(game, seat_players(game, ["legal", "legal"], seed=1), seed=1)
    assert record._repr_html_().count("<tr>") == 3
    assert "LegalPlayer" in record._repr_html_()
    table = standings(["legal", "<p>"], [Played(0, (0, 1), record, 0.0)])._repr_html_()
    assert "&lt;p&gt;" in table
    assert "100.0 %" in table
    nothing = standings(["legal", "other"], [])._repr_html_()
    assert "nan" not in nothing


def test_a_match_that_did_not_end_is_a_table_too() -> None:
    record = MatchRecord.begin(load("nim"), ["a", "b"], seed=1)
    record.problem = "cut <short>"
    assert "cut &lt;short&gt;" in record._repr_html_()
