"""What "look inside" says about positions, held against the engines of the games."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from woodstock import Game, State, WoodstockError
from woodstock.drawing.board import Board
from woodstock.gdl.rules import Kind, Literal, Predicate
from woodstock.gdl.terms import parse_term
from woodstock.web.services.inside import WHAT, inside
from woodstock.web.services.proofs import Oracle
from woodstock.web.services.spots import fluent_places
from woodstock.web.services.why import why_atom, why_move

GAMES = ("tic-tac-toe", "connect-four", "chess", "checkers", "hex", "nim", "kuhn-poker", "sudoku")


def states(game: Game, plies: int, seed: int = 1) -> Iterator[State]:
    """The states of the beginning of a random match."""
    rng = random.Random(seed)
    state = game.initial_state()
    for _ in range(plies):
        yield state
        if state.is_terminal:
            return
        state = state.apply(state.random_joint_move(rng))


def moves_to_ask(game: Game, state: State, role: str, rng: random.Random) -> list[str]:
    """Some legal moves, and some that are legal in other states."""
    known = [str(move) for mover, move in game.circuit().grounding.moves if mover == role]
    legal = [str(move) for move in state.legal_moves(role)]
    return rng.sample(known, min(4, len(known))) + rng.sample(legal, min(2, len(legal)))


def conditions(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All conditions of a tree."""
    for rule in node.get("rules", ()):
        for condition in rule["conditions"]:
            yield condition
            yield from conditions(condition)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_legal_if_and_only_if_a_rule_says_so(name: str) -> None:
    game = Game.load(name)
    rng = random.Random(name)
    for state in states(game, 5):
        for role in game.roles:
            for move in moves_to_ask(game, state, role, rng):
                found = why_move(state, role, move)
                assert found["holds"] == (move in state.legal_moves(role)), (role, move)
                assert any(rule["holds"] for rule in found["rules"]) == found["holds"]
                assert bool(found["because"]) != found["holds"]
                json.dumps(found)


@pytest.mark.parametrize("name", GAMES)
def test_crosses_and_ticks_are_right(name: str) -> None:
    game = Game.load(name)
    rng = random.Random(name)
    for state in states(game, 4, seed=2):
        oracle = Oracle(game.rules, state.fluents)
        role = rng.choice(game.roles)
        for move in moves_to_ask(game, state, role, rng):
            for condition in conditions(why_move(state, role, move)):
                if condition["kind"] in ("fluent", "fact"):
                    term = parse_term(condition["text"])
                    arguments = term[1:] if isinstance(term, tuple) else ()
                    head = term[0] if isinstance(term, tuple) else term
                    predicate = Predicate(str(head), len(arguments))
                    literal = Literal(Kind.POSITIVE, predicate, arguments)
                    assert oracle.holds(literal) == condition["holds"], condition
                for there in condition.get("instead", ()):
                    if there.startswith("(true "):
                        assert parse_term(there)[1] in state.fluents  # type: ignore[index]


@pytest.mark.parametrize("name", GAMES)
def test_why_a_game_is_over(name: str) -> None:
    for state in states(Game.load(name), 200, seed=3):
        if state.is_terminal:
            break
    found = why_atom(state, "terminal")
    assert found["holds"] == state.is_terminal
    assert bool(found["because"]) != found["holds"]


def test_the_shortest_failed_condition_is_named() -> None:
    state = Game.load("tic-tac-toe").initial_state().apply(["(mark 2 2)", "noop"])
    found = why_move(state, "o", "( MARK 2 2 )")
    assert found["because"] == [
        "(true (cell 2 2 b)) does not hold: there is (true (cell 2 2 x))",
    ]
    assert found["rules"][0]["failures"] == 1
    assert "(mark 2 1)" in found["nearest"]


def test_a_move_of_no_known_form() -> None:
    found = why_move(Game.load("tic-tac-toe").initial_state(), "x", "(fly 1)")
    assert not found["holds"]
    assert not found["rules"]
    assert set(found["shapes"]) == {"(mark ?x ?y)", "noop"}


def test_a_disjunction_has_no_name_of_its_own() -> None:
    choices = " ".join(f"(true (at {n}))" for n in range(70))
    game = Game.from_text(
        f"(role she) (init (at 100)) (<= (legal she go) (or {choices}))"
        "(legal she stay) (<= (next (at 1)) (does she go)) (<= (next (at 100)) (does she stay))"
        "(<= terminal (true (at 1))) (goal she 100)"
    )
    found = why_move(game.initial_state(), "she", "go")
    assert not found["holds"]
    assert not any("or 1" in condition["text"] for condition in conditions(found))


@pytest.mark.parametrize("name", ["tic-tac-toe", "monty-hall", "breakthrough", "hex"])
def test_a_network_leaves_what_is_legal(name: str) -> None:
    game = Game.load(name)
    for state in states(game, 3):
        found = inside(game, {"what": "network", "fluents": list(map(str, state.fluents))})
        assert found["consistent"]
        assert len(found["variables"]) <= 400
        assert len(found["constraints"]) <= 600
        shown = {variable["name"]: variable for variable in found["variables"]}
        for role in game.roles:
            assert shown[f"action_{role}"]["left"] == len(state.legal_moves(role))
        assert shown["terminal"]["after"] == ["false"]
        for constraint in found["constraints"]:
            assert any(name in shown for name in constraint["scope"])
        json.dumps(found)


def test_the_neighbourhood_of_a_variable() -> None:
    game = Game.load("tic-tac-toe")
    found = inside(game, {"what": "network", "focus": "action_x"})
    assert found["variables"][0]["name"] == "action_x"
    with pytest.raises(WoodstockError, match="action_x"):
        inside(game, {"what": "network", "focus": "action_xx"})


def test_orbits_of_moves_and_cells() -> None:
    game = Game.load("connect-four")
    found = inside(game, {"what": "symmetries"})
    assert found["order"] == 2
    assert found["moves"]["red"]["(drop 1)"] == found["moves"]["red"]["(drop 7)"]
    assert found["cells"]["0,0,5"] == found["cells"]["0,6,5"] != found["cells"]["0,1,5"]
    assert found["generators"][0]["words"] == ["left and right change places"]
    assert all(picture["svg"].startswith("<svg") for picture in found["pictures"])
    after = inside(game, {"what": "symmetries", "line": [["(drop 1)", "noop"]]})
    assert after["order_here"] == 1
    assert not after["pictures"]


@pytest.mark.parametrize("name", ["chess", "eight-puzzle", "hex", "joint-connect-four-7x7"])
def test_fluents_lie_where_they_are_drawn(name: str) -> None:
    game = Game.load(name)
    for state in states(game, 4):
        board = Board.find(state.fluents, game.possible_fluents, game.drawing)
        places = fluent_places(board, game.possible_fluents or ())
        for fluent in state.fluents & places.keys():
            for panel, column, row in places[fluent]:
                contents = " ".join(board.panels[panel].cells[column, row].contents)
                assert not contents or str(fluent[-1]) in contents  # type: ignore[index]


def test_beliefs() -> None:
    game = Game.load("kuhn-poker")
    state = game.initial_state()
    line = [[str(move) for move in state.random_joint_move(random.Random(4))]]
    for role in game.players:
        found = inside(game, {"what": "belief", "line": line, "role": role})
        assert found["hidden"]
        assert found["exact"]
        assert found["states"] > 1
        assert all(0 < one["p"] < 1 for one in found["unsure"])
        assert sum(one["p"] for one in found["possible"]) == pytest.approx(1, abs=0.01)
        assert any(one["true"] for one in found["unsure"])
    complete = inside(Game.load("nim"), {"what": "belief", "role": "player1"})
    assert not complete["hidden"]
    fluents = list(map(str, state.apply(line[0]).fluents))
    with pytest.raises(WoodstockError, match="by hand"):
        inside(game, {"what": "belief", "fluents": fluents, "role": "alice"})


@pytest.mark.parametrize("engine", ["circuit", "lifted"])
def test_sizes(engine: Any) -> None:
    found = inside(Game.load("tic-tac-toe", engine=engine), {"what": "size"})
    assert found["engine"] == engine
    assert found["plies_per_second"] > 0
    assert ("gates" in found["figures"]) == (engine == "circuit")


def test_without_ground_rules_it_is_said() -> None:
    game = Game.load("tic-tac-toe", engine="lifted")
    with pytest.raises(WoodstockError, match="ground"):
        inside(game, {"what": "symmetries"})
    assert inside(game, {"what": "why", "role": "x", "move": "(mark 1 1)"})["holds"]


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"what": "teapot"},
        {"what": ["why"]},
        {"what": "why"},
        {"what": "why", "role": "x"},
        {"what": "why", "role": "z", "move": "noop"},
        {"what": "why", "role": "x", "move": "(mark ?x 1)"},
        {"what": "why", "role": "x", "move": "(mark 1"},
        {"what": "size", "line": "noop"},
        {"what": "size", "line": [["(mark 1 1)"]]},
        {"what": "size", "line": [[1, 2]]},
        {"what": "size", "fluents": ["(no such thing)"]},
        {"what": "belief", "role": "z"},
        {"what": "network", "part": "half"},
        {"what": "network", "focus": 3},
    ],
)
def test_what_makes_no_sense_is_refused(request_: dict[str, Any]) -> None:
    with pytest.raises(WoodstockError):
        inside(Game.load("tic-tac-toe"), request_)


def test_everything_is_json_for_every_kind_of_game() -> None:
    for name in ("backgammon", "matching-pennies", "mastermind", "untwisty", "chinese-checkers"):
        game = Game.load(name)
        for what in WHAT:
            more = {"role": game.roles[0], "move": "noop"} if what == "why" else {}
            assert json.dumps(inside(game, {"what": what, **more}))
