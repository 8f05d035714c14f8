"""`Game` and `State`: what users call, on every engine."""

from __future__ import annotations

import copy
import json
import pickle
from functools import cache
from typing import Any

import pytest

from woodstock import Game, State
from woodstock.errors import (
    CircuitError,
    GdlError,
    GroundingError,
    IllegalMoveError,
    StateError,
)
from woodstock.game import EngineName
from woodstock.gdl.terms import Compound, Variable, parse_term
from woodstock.ground.limits import GroundingLimits

ENGINES: tuple[EngineName, ...] = ("circuit", "ground", "lifted")
every = pytest.mark.parametrize("engine", ENGINES)

# Two roles move at once; goals are given, doubled and missing; the spelling has capitals.
SMALL = """(role Left) (role right) (init (Count 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (Add ?n)) (role ?r) (succ ?m ?n) (not (true (count ?n))))
(legal right Noop)
(<= (next (count ?n)) (does left (add ?n)))
(<= (next (seen ?n)) (does right (add ?n)))
(<= (sees right (heard ?n)) (does left (add ?n)))
(<= terminal (true (count 3)))
(<= (goal left 100) (true (count 3)))
(<= (goal right 0) (true (count ?n))) (<= (goal right 10) (true (count 3)))
"""


@cache
def small(engine: EngineName) -> Game:
    return Game.from_text(SMALL, name="small", engine=engine)


@cache
def library(name: str, engine: EngineName) -> Game:
    return Game.from_library(name, engine=engine)


# --- moves ----------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize(
    "moves",
    [
        ["(Add 1)", "Noop"],
        ("( add   1 )", " NOOP "),
        [Compound(("Add", "1")), "Noop"],
        [("ADD", "1"), "noop"],
        {"right": "noop", "Left": "(add 1)"},
    ],
    ids=["texts", "spelling", "terms", "tuples", "mapping"],
)
def test_ways_to_write_a_joint_move(engine: EngineName, moves: Any) -> None:
    after = small(engine).initial_state().apply(moves)
    assert after.fluents == {("Count", "1")}
    assert after.percepts("right") == (("heard", "1"),)
    assert after.percepts("Left") == ()


@every
@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["(add 9)", "noop"], r"\(Add 9\) is not legal for Left; legal: \(Add 1\), "),
        (["noop", "noop"], "Noop is not legal for Left"),
        (["(add 1)"], "one move for each of Left, right"),
        (["(add 1)", "noop", "noop"], "one move for each of Left, right"),
        ("(add 1)", "joint move"),
        ({"Left": "(add 1)"}, r"missing: \['right'\], unknown: none"),
        ({"Left": "(add 1)", "right": "noop", "up": "noop"}, r"unknown: \['up'\]"),
        (["(add 1", "noop"], "not a term"),
        (["", "noop"], "not a term"),
        (["(add ?n)", "noop"], "holds a variable"),
        ([Variable("m"), "noop"], "holds a variable"),
        (["(add " * 5000 + "1" + ")" * 5000, "noop"], "nested deeper"),
        (["\ud800", "noop"], "is not legal"),
    ],
)
def test_illegal_moves(engine: EngineName, moves: Any, message: str) -> None:
    state = small(engine).initial_state()
    with pytest.raises(IllegalMoveError, match=message):
        state.apply(moves)
    assert state == small(engine).initial_state()


@every
def test_no_moves_after_the_end(engine: EngineName) -> None:
    state = small(engine).initial_state().apply(["(add 3)", "noop"])
    assert state.is_terminal
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.apply(["(add 1)", "noop"])


@every
def test_moves_are_sorted_by_their_text(engine: EngineName) -> None:
    state = small(engine).initial_state()
    assert [str(m) for m in state.legal_moves("right")] == ["(Add 1)", "(Add 2)", "(Add 3)", "Noop"]
    with pytest.raises(StateError, match="no role 'up'"):
        state.legal_moves("up")


# --- goals and percepts ---------------------------------------------------------------------------


@every
def test_goals_that_are_missing_or_double_are_none(engine: EngineName) -> None:
    start = small(engine).initial_state()
    assert start.goals() == {"Left": None, "right": 0}
    end = start.apply(["(add 3)", "noop"])
    assert end.goals() == {"Left": 100, "right": None}
    assert end.goal("Left") == 100


@every
def test_goal_values_that_are_no_numbers_count_for_nothing(engine: EngineName) -> None:
    game = Game.from_text(
        "(role x) (legal x noop) (<= terminal (true t)) (init t) (goal x much) (goal x 7)",
        engine=engine,
    )
    assert game.initial_state().goal("x") == 7


@every
def test_percepts_of_hidden_matching_pennies(engine: EngineName) -> None:
    game = library("hidden-matching-pennies", engine)
    state = game.initial_state()
    assert all(state.percepts(role) == () for role in game.roles)
    seen: dict[str, set[str]] = {role: set() for role in game.roles}
    for _ in range(20):
        if state.is_terminal:
            break
        state = state.apply([state.legal_moves(role)[0] for role in game.roles])
        for role in game.roles:
            seen[role] |= {str(percept) for percept in state.percepts(role)}
    other = library("hidden-matching-pennies", "ground" if engine == "lifted" else "lifted")
    replayed = other.initial_state()
    while not replayed.is_terminal:
        replayed = replayed.apply([replayed.legal_moves(role)[0] for role in other.roles])
    assert any(seen.values())
    assert [replayed.percepts(r) for r in other.roles] == [state.percepts(r) for r in game.roles]


# --- states as data -------------------------------------------------------------------------------


@every
def test_json_round_trip(engine: EngineName) -> None:
    state = small(engine).initial_state().apply(["(add 2)", "(add 1)"])
    data = json.loads(json.dumps(state.to_json()))
    assert data == {"fluents": ["(Count 2)", "(seen 1)"], "percepts": [[], ["(heard 2)"]]}
    again = State.from_json(small(engine), data)
    assert again == state
    assert again.percepts("right") == state.percepts("right")
    assert again.legal_moves("Left") == state.legal_moves("Left")


@every
@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        None,
        {"fluents": None},
        {"fluents": [1]},
        {"fluents": [None]},
        {"fluents": ["(f ?x)"]},
        {"fluents": ["(f"]},
        {"fluents": ["(f " * 5000 + "1" + ")" * 5000]},
        {"fluents": ["(count 0)"], "percepts": [[]]},
        {"fluents": ["(count 0)"], "percepts": 3},
    ],
)
def test_what_is_no_state(engine: EngineName, data: Any) -> None:
    with pytest.raises(StateError):
        State.from_json(small(engine), data)


def test_fluents_that_can_never_hold() -> None:
    with pytest.raises(StateError, match="can never hold"):
        small("ground").state(["(count 77)"])


@every
def test_states_from_fluents(engine: EngineName) -> None:
    state = small(engine).state(["(COUNT 3)", Compound(("count", "1"))])
    assert state.is_terminal
    assert [str(move) for move in state.legal_moves("Left")] == ["(Add 2)"]


def test_states_are_equal_when_the_same_fluents_hold() -> None:
    circuit, ground, lifted = (small(engine).initial_state() for engine in ENGINES)
    assert circuit == ground == lifted
    assert hash(circuit) == hash(ground) == hash(lifted)
    assert len({circuit, ground, lifted, copy.copy(ground)}) == 1
    assert ground.apply(["(add 1)", "noop"]) == lifted.apply(["(add 1)", "noop"])
    assert ground.apply(["(add 1)", "noop"]) != lifted
    assert ground != library("nim", "ground").initial_state()
    assert ground != "a state"


@every
def test_copies_and_pickles(engine: EngineName) -> None:
    game = small(engine)
    again = pickle.loads(pickle.dumps(game))
    assert (again.name, again.engine.name, again.roles) == (game.name, engine, game.roles)
    assert again.rules == game.rules
    state = game.initial_state().apply(["(add 2)", "(add 1)"])
    for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin == state
        assert twin.percepts("right") == state.percepts("right")
        assert twin.legal_moves("Left") == state.legal_moves("Left")


def test_library_games_can_be_pickled_with_their_drawings() -> None:
    game = pickle.loads(pickle.dumps(library("tic-tac-toe", "lifted")))
    assert str(game.initial_state()) == str(library("tic-tac-toe", "lifted").initial_state())


# --- engines --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "reasons"),
    # With a single megabyte the child does not even get as far as grounding.
    [(GroundingLimits(rules=1), {"rules"}), (GroundingLimits(memory_mb=1), {"memory", "failed"})],
)
def test_games_too_large_to_ground_are_played_lifted(
    limits: GroundingLimits, reasons: set[str]
) -> None:
    engines: tuple[EngineName, ...] = ("circuit", "ground")
    for engine in engines:
        with pytest.raises(GroundingError) as caught:
            Game.from_text(SMALL, engine=engine, limits=limits)
        assert caught.value.reason in reasons
    game = Game.from_text(SMALL, limits=limits)
    assert game.engine.name == "lifted"
    (note,) = game.notes
    assert "lifted" in note
    assert game.initial_state() == small("ground").initial_state()


def test_grounding_without_end_stops_in_time() -> None:
    endless = (
        SMALL + "(<= (next (list (cons ?n ?l))) (true (list ?l)) (succ ?n 1)) (init (list nil))"
    )
    game = Game.from_text(endless, limits=GroundingLimits(seconds=1))
    assert game.engine.name == "lifted"
    state = game.initial_state().apply(["(add 1)", "noop"])
    assert "(list (cons 0 nil))" in map(str, state.fluents)
    with pytest.raises(GroundingError) as caught:
        Game.from_text(endless, engine="ground", limits=GroundingLimits(seconds=1))
    assert caught.value.reason in ("time", "memory")


def test_small_games_are_compiled() -> None:
    game = Game.from_text(SMALL)
    assert (game.engine.name, game.notes) == ("circuit", ())
    assert "circuit" in repr(game)


@pytest.mark.parametrize(
    ("problem", "words"),
    [(ValueError, "too odd"), (MemoryError, "memory")],
    ids=["refused", "memory"],
)
def test_games_without_a_circuit_are_played_ground(
    problem: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise problem("too odd")

    monkeypatch.setattr("woodstock._core.Circuit", refuse)
    game = Game.from_text(SMALL)
    assert game.engine.name == "ground"
    (note,) = game.notes
    assert note.startswith("plays on the ground engine: the ")
    assert words in note
    assert game.initial_state().playouts(5).count == 5
    with pytest.raises(CircuitError, match=words):
        Game.from_text(SMALL, engine="circuit")


def test_sixty_four_roles_fit_into_a_circuit_and_no_more() -> None:
    for number, engine in ((64, "circuit"), (65, "ground")):
        roles = " ".join(f"(role r{i})" for i in range(number))
        game = Game.from_text(
            f"{roles} (init a) (<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))"
            "(<= (next (went ?r)) (does ?r go)) (<= terminal (not (true a)))"
            "(<= (goal ?r 100) (true (went ?r))) (<= (goal ?r 0) (role ?r) (not (true (went ?r))))"
        )
        assert game.engine.name == engine
        assert [note for note in game.notes if "too many roles" not in note] == []
        found = game.initial_state().playouts(100, seed=1)
        assert all(20 <= goal <= 80 for goal in found.mean_goals.values())
        assert (found.mean_length, found.unclear) == (1, 0)


@every
def test_successors_are_what_apply_gives(engine: EngineName) -> None:
    game = small(engine)
    start = game.initial_state()
    found = start.successors()
    assert [joint for joint, _ in found] == list(start.joint_moves())
    for joint, after in found:
        again = start.apply(joint)
        assert after == again
        assert [after.percepts(role) for role in game.roles] == [
            again.percepts(role) for role in game.roles
        ]
    over = start.apply(["(add 3)", "noop"])
    assert over.is_terminal
    assert over.successors() == []


def test_more_successors_than_a_batch_holds() -> None:
    numbers = " ".join(f"(n {i})" for i in range(130))
    text = f"""{numbers} (role x) (role y) (init start)
        (<= (legal ?r (say ?n)) (role ?r) (n ?n))
        (<= (next (said ?r ?n)) (does ?r (say ?n)))
        (<= (sees x (heard ?n)) (does y (say ?n)))
        (<= terminal (not (true start))) (<= (goal ?r 50) (role ?r))"""
    start = Game.from_text(text, engine="circuit").initial_state()
    found = start.successors()
    assert len(found) == 130 * 130
    assert [joint for joint, _ in found] == list(start.joint_moves())
    for joint, after in found[::997]:
        assert after == start.apply(joint)
        assert [str(p) for p in after.percepts("x")] == [str(joint[1]).replace("say", "heard")]


@every
def test_zobrist_hashes_go_with_the_fluents(engine: EngineName) -> None:
    start = small(engine).initial_state()
    states = {start, *(after for _, after in start.successors())}
    assert len({state.zobrist for state in states}) == len(states)
    assert all(0 <= state.zobrist < 2**64 for state in states)
    one = small(engine).state(["(seen 1)", "(count 2)"])
    assert one.zobrist == start.apply(["(add 2)", "(add 1)"]).zobrist
    parts = [small(engine).state([fluent]).zobrist for fluent in ("(seen 1)", "(count 2)")]
    assert one.zobrist == parts[0] ^ parts[1]


def test_unknown_engine() -> None:
    with pytest.raises(ValueError, match="no engine 'warp'"):
        Game.from_text(SMALL, engine="warp")  # type: ignore[arg-type]


@every
def test_rules_that_cannot_be_played(engine: EngineName) -> None:
    with pytest.raises(GdlError, match="right has no legal move") as caught:
        Game.from_text(
            SMALL.replace("(legal right Noop)", "").replace("(role ?r) (succ", "(p ?r) (succ")
            + "(p left)",
            engine=engine,
        )
    assert [finding.code for finding in caught.value.diagnostics] == ["start"]


def test_both_spellings_give_the_same_game() -> None:
    infix = """role(x). init(c(0)). legal(x, noop). next(c(1)) :- true(c(0)).
        terminal :- true(c(1)). goal(x, 50)."""
    kif = """(role x) (init (c 0)) (legal x noop) (<= (next (c 1)) (true (c 0)))
        (<= terminal (true (c 1))) (goal x 50)"""
    assert Game.from_text(infix).initial_state() == Game.from_text(kif).initial_state()


@pytest.mark.parametrize("engine", ["lifted", "ground", "circuit"])
def test_a_single_move_can_be_asked_for(engine: EngineName) -> None:
    game = Game.from_library("connect-four", engine=engine)
    state = game.initial_state().apply({"red": "(drop 3)", "black": "noop"})
    for role in game.roles:
        legal = set(state.legal_moves(role))
        for move in (*legal, "noop", parse_term("(drop 3)"), parse_term("(drop 99)"), "dance"):
            assert state.is_legal(role, move) == (move in legal)
