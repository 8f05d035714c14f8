"""Random games that find what is wrong with rules, and what they say of games that are right."""

from __future__ import annotations

import random

import pytest

from games_support import load
from woodstock import Game
from woodstock.gdl.reader import read_text
from woodstock.playtest import examine, playtest
from woodstock.playtest.search import find_line
from wrong_rules import LINES, MISTAKES

WALK = """(role x) (init (at 0)) (legal x left) (legal x right)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= (next off) (does x right))
    (<= (next off) (true off))
    (<= terminal (true (at 8)))"""


def codes(text: str, **options: object) -> list[str]:
    game = Game.from_text(text)
    found = playtest(game, seconds=60, games=int(str(options.get("games", 60))), seed=1)
    return [one.code for one in found.findings]


def test_the_seed_decides_everything_but_the_time() -> None:
    first, again, other = (
        {**playtest(load("nim"), seconds=60, games=60, seed=seed).to_json(), "seconds": 0}
        for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize("engine", ["circuit", "ground", "lifted"])
def test_every_engine_can_be_tried_out(engine: str) -> None:
    game = Game.from_text(LINES, engine=engine)  # type: ignore[arg-type]
    found = playtest(game, seconds=60, games=60, seed=3)
    assert found.engine == engine
    assert found.games == found.walks == 60
    assert found.lengths is not None
    assert 5 <= found.lengths.shortest <= found.lengths.longest == 9
    assert found.goals["crosses"].low < 60 < found.goals["crosses"].high + 10
    assert found.branching["crosses"].most == 9
    assert not found.findings


def test_a_line_to_what_random_games_hardly_ever_meet() -> None:
    rare = WALK + "(<= (goal x 50) (true off)) "
    game = Game.from_text(rare)
    found = find_line(game.engine, game.engine.initial(), "unclear", random.Random(1), 99, bool)
    assert found is not None
    assert [joint[0] for joint in found.moves] == ["left"] * 8
    assert codes(rare, games=2000) == ["goal"]


def test_what_was_never_met_is_named() -> None:
    rules = """(role x) (init (n 0)) (legal x a) (<= (legal x b) (true (n 7)))
        (<= (next (n 1)) (does x a)) (<= (next (n 7)) (does x b)) (<= terminal (true (n 1)))
        (<= (goal x 100) (true (n 1))) (<= (goal x 0) (true (n 7)))
        (<= (legal x c) (true (n 1)) (true (n 0))) (<= (next (n 7)) (does x c))"""
    found = playtest(Game.from_text(rules), seconds=60, games=60, seed=1)
    assert [(role, str(move)) for role, move in found.unused_moves] == [("x", "b"), ("x", "c")]
    assert [clause.to_kif()[:20] for clause in found.unused_rules] == [
        "(<= (legal x b) (tru",
        "(<= (next (n 7)) (do",
        "(<= (goal x 0) (true",
        "(<= (legal x c) (tru",
        "(<= (next (n 7)) (do",
    ]


def test_pieces_may_leave_the_board_and_boards_may_be_told_by_what_stands_on_them() -> None:
    sparse = LINES.replace("(<= (init (cell ?x ?y blank)) (index ?x) (index ?y))", "")
    blank = "(true (control ?player)) (true (cell ?x ?y blank)))"
    sparse = sparse.replace(blank, "(true (control ?player)) (index ?x) (index ?y))")
    assert "frame" not in codes(sparse)
    pieces = """(role x) (piece a) (piece b) (piece c) (init (left 3))
        (<= (init (place ?p home)) (piece ?p)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal x (take ?p)) (true (place ?p ?where)))
        (<= (next (place ?p away)) (true (place ?p home)) (not (does x (take ?p))))
        (<= (next (place ?p away)) (true (place ?p away)) (not (does x (take ?p))))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (<= terminal (true (left 0)))
        (<= (goal x 100) (true (left 0)))"""
    assert codes(pieces) == []
    counted = pieces.replace("(succ 0 1)", "").replace(
        "(<= terminal (true (left 0)))", "(<= more (true (left ?n))) (<= terminal (not more))"
    )
    assert codes(counted.replace("(goal x 100) (true (left 0))", "(goal x 100) (not more)")) == []


def test_rules_that_explode_end_in_time_and_say_so() -> None:
    growing = next(one for one in MISTAKES if one.name == "terms that grow for ever")
    found = examine(read_text(growing.text), seconds=1)
    assert "growth" in {one.code for one in found.findings}
    assert found.played is not None
    assert found.played.engine == "lifted"
    hard = (
        "".join(f"(d {n})" for n in range(30))
        + """(role x) (legal x a) (goal x 0)
        (<= (p ?a ?b ?c ?e ?f) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f))
        (<= (next (big ?a ?b ?c ?e ?f)) (p ?a ?b ?c ?e ?f)) (<= terminal (true (big 0 0 0 0 0)))"""
    )
    game = Game.from_text("(role x) (legal x a) (goal x 0) (<= terminal (true b)) (next b)")
    slow = Game.from_text(hard, engine="lifted")
    assert playtest(slow, seconds=0.5).games == 0
    assert playtest(game, seconds=0.5).games > 0


def test_a_line_to_a_move_that_input_leaves_out() -> None:
    rules = """(role x) (init (n 0)) (legal x a) (<= (legal x b) (true (n 1)))
        (input x a) (<= (next (n 1)) (true (n 0))) (<= (next (n 2)) (true (n 1)))
        (<= terminal (true (n 2))) (<= (goal x 100) (true (n 2)))"""
    (found,) = playtest(Game.from_text(rules), seconds=60, games=60).findings
    assert (found.code, found.play) == ("input", "a")
    assert "does not cover b" in found.message


def test_chance_needs_no_goal() -> None:
    assert not playtest(load("monty-hall"), seconds=60, games=60).findings
