"""The services behind the analysis page."""

from __future__ import annotations

import time
from typing import Any

import pytest

from woodstock import Game, WoodstockError
from woodstock.web.services.analysis import analyse, plan


def never() -> bool:
    return False


def ask(name: str, request: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []
    return analyse(Game.from_library(name), request, told.append, never), told


def test_all_moves_are_valued_with_proofs() -> None:
    line = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"]]
    line.append(["noop", "(mark 2 2)"])
    found, _ = ask("tic-tac-toe", {"line": line, "player": "woodstock", "seconds": 10})
    assert found["role"] == "x"
    assert found["move"] == "(mark 1 3)"
    assert found["value"] == 1
    assert found["proved"]
    assert len(found["moves"]) == 5
    assert found["line"][0] == ["(mark 1 3)", "noop"]


def test_it_tells_while_it_thinks_and_ends_in_time() -> None:
    begun = time.monotonic()
    found, told = ask("breakthrough", {"player": "uct", "seconds": 1.5})
    assert time.monotonic() - begun < 30
    assert told
    assert told[0]["role"] == found["role"]
    visits = [sum(move["visits"] for move in one["moves"]) for one in told if one.get("moves")]
    assert visits == sorted(visits)


def test_it_stops_when_nobody_listens() -> None:
    told: list[dict[str, Any]] = []
    begun = time.monotonic()
    request = {"player": "uct", "seconds": 600}
    found = analyse(Game.from_library("breakthrough"), request, told.append, lambda: bool(told))
    assert found["moves"]
    assert time.monotonic() - begun < 60


def test_hidden_hands_are_valued_by_what_the_role_knows() -> None:
    game = Game.from_library("kuhn-poker")
    state, line = game.initial_state(), []
    while not set(state.turn) & set(game.players):
        joint = tuple(state.legal_moves(role)[0] for role in state.roles)
        line.append([str(move) for move in joint])
        state = state.apply(joint)
    role = next(role for role in game.players if role in state.turn)
    found = analyse(game, {"line": line, "role": role, "seconds": 1}, lambda _: None, never)
    assert found["role"] == role
    assert "state" in found["knows"]
    assert {move["move"] for move in found["moves"]} == set(map(str, state.legal_moves(role)))


def test_fluents_of_a_hidden_game_are_taken_as_known() -> None:
    game = Game.from_library("guess-dice")
    state = game.state(["(die 2)", "(control player)"])
    fluents = sorted(map(str, state.fluents))
    found = analyse(game, {"fluents": fluents, "seconds": 0.5}, lambda _: None, never)
    assert found["knows"] == "the position is taken as known"


def test_outcomes_of_chance_have_probabilities_and_values() -> None:
    for name in ("pickomino", "cant-stop", "backgammon", "yahtzee", "randomised-tic-tac-toe"):
        game = Game.from_library(name)
        state = game.initial_state()
        line: list[list[str]] = []
        while state.turn != ("random",) and len(line) < 10 and not state.is_terminal:
            joint = tuple(state.legal_moves(role)[0] for role in state.roles)
            line.append([str(move) for move in joint])
            state = state.apply(joint)
        if state.turn == ("random",):
            break
    told: list[dict[str, Any]] = []
    found = analyse(game, {"line": line, "seconds": 1}, told.append, never)
    assert sum(one["probability"] for one in found["chance"]) == pytest.approx(1, abs=0.01)
    assert {one["move"] for one in found["chance"]} == set(map(str, state.legal_moves("random")))
    assert told
    assert 0 <= found["value"] <= 1


def test_a_review_values_each_position_of_a_line() -> None:
    line = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"]]
    line += [["noop", "(mark 2 2)"], ["(mark 1 3)", "noop"]]
    request = {"what": "review", "line": line, "seconds": 3}
    found, told = ask("tic-tac-toe", request)
    assert [one["ply"] for one in told] == list(range(6))
    assert found["plies"] == told
    assert told[-1]["values"] == {"x": 1.0, "o": 0.0}
    assert told[-1]["proved"]
    assert told[-2]["values"]["x"] == 1


def test_a_plan_for_one_player_is_told_and_proved() -> None:
    found, _ = ask("buttons-and-lights-3", {"what": "plan", "seconds": 60})
    assert found["plan"]["proof"] == "proved"
    assert found["words"] == "no plan reaches more"
    assert len(found["plan"]["moves"]) == 6


def test_a_policy_against_chance() -> None:
    game = Game.from_text("""
        (role she) (role random) (init start) (side heads) (side tails)
        (<= (legal she (bet ?s)) (side ?s)) (legal she pass)
        (<= (legal random (toss ?s)) (side ?s))
        (<= (next (won)) (does she (bet ?s)) (does random (toss ?s)))
        (<= (next safe) (does she pass)) (<= terminal (not (true start)))
        (<= (goal she 100) (true (won))) (<= (goal she 40) (true safe))
        (<= (goal she 0) (not (true (won))) (not (true safe))) (<= (goal random 0) terminal)""")
    found = plan(game, {"seconds": 20}, lambda _: None, never)
    assert found["policy"]["value"] == 50
    assert found["policy"]["proved"]


def test_a_plan_can_be_stopped() -> None:
    begun = time.monotonic()
    game = Game.from_library("sudoku")
    plan(game, {"seconds": 600}, lambda _: None, lambda: time.monotonic() > begun + 0.5)
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"player": "legal"}, "does not value moves"),
        ({"player": "woodstock:values=/etc/passwd"}, "files"),
        ({"player": 7}, "does not value moves"),
        ({"role": "z"}, "no player 'z'"),
        ({"seconds": "long"}, "seconds is a number"),
        ({"seconds": 0}, "seconds is from"),
        ({"line": [["(mark 9 9)", "noop"]]}, "move 1"),
        ({"line": ["(mark 1 1)"]}, "joint move"),
        ({"line": [[1, 2]]}, "joint move"),
        ({"line": "x"}, "list of at most"),
        ({"fluents": [1]}, "fluents are"),
        ({"fluents": ["(cell 1"]}, "term"),
        ({"what": "tea"}, "cannot do"),
        ({"what": "plan"}, "share their goals"),
    ],
)
def test_what_makes_no_sense_is_said(request_: dict[str, Any], words: str) -> None:
    with pytest.raises(WoodstockError, match=words):
        ask("tic-tac-toe", request_)


def test_nobody_moves_after_the_end() -> None:
    line = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"]]
    line += [["noop", "(mark 2 2)"], ["(mark 1 3)", "noop"]]
    with pytest.raises(WoodstockError, match="over"):
        ask("tic-tac-toe", {"line": line})
