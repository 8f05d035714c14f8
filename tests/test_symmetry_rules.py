"""Symmetries of the rules: what they promise, along random matches of every game."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from games_support import load
from woodstock import Game, State, games
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term, parse_term
from woodstock.symmetry import Symmetry, SymmetryError, rule_symmetries
from woodstock.symmetry.symmetries import Point

PLIES = 12


def check(
    symmetry: Symmetry, state: State, joint: Sequence[Term], idle: frozenset[Term] = frozenset()
) -> None:
    """Legal to legal, next to next, the end and its goals to themselves."""
    image = symmetry.state(state)
    assert image.is_terminal == state.is_terminal
    assert image.goals() == state.goals()
    for role in state.roles:
        moved = {symmetry.move(role, move) for move in state.legal_moves(role)}
        assert moved == set(image.legal_moves(role))
    if not state.is_terminal:
        after = state.apply(joint)
        other = image.apply([symmetry.move(r, m) for r, m in zip(state.roles, joint)])
        assert other.fluents - idle == symmetry.state(after).fluents - idle
        for role in state.roles:
            seen = {symmetry.point(Point("percept", role, p)).term for p in after.percepts(role)}
            assert seen == set(other.percepts(role))


def check_along(
    state: State,
    symmetries: Sequence[Symmetry],
    idle: frozenset[Term],
    plies: int,
    rng: random.Random,
) -> None:
    """The same in the next states of a random match."""
    for _ in range(plies):
        joint = () if state.is_terminal else state.random_joint_move(rng)
        for symmetry in symmetries:
            check(symmetry, state, joint, idle)
        if state.is_terminal:
            break
        state = state.apply(joint)


@pytest.mark.parametrize("name", games.names())
def test_nothing_changes(name: str) -> None:
    game = load(name)
    found = rule_symmetries(game, seconds=20)
    rng = random.Random(3)
    chosen = list(found.generators)
    if len(chosen) > 4:
        chosen = rng.sample(chosen, 4)
    state = game.initial_state()
    check_along(state, chosen, found.idle, PLIES, rng)


@pytest.mark.parametrize("name", games.names())
def test_nothing_changes_in_what_is_left(name: str) -> None:
    """From a position on, in states that can follow on it."""
    game = load(name)
    rng = random.Random(4)
    line = [game.initial_state()]
    while not line[-1].is_terminal and len(line) < 200:
        line.append(line[-1].apply(line[-1].random_joint_move(rng)))
    state = line[2 * len(line) // 3]
    found = rule_symmetries(game, since=state, seconds=20)
    chosen = rng.sample(found.generators, min(3, len(found.generators)))
    check_along(state, chosen, found.idle, 4, rng)


def test_what_is_left_may_have_more_symmetries() -> None:
    """Two lamps that cannot be told apart once the first one of three burns."""
    game = Game.from_text(
        """(role x) (lamp 1) (lamp 2) (lamp 3) (init (off 1)) (init (off 2)) (init (off 3))
        (<= (legal x (light ?l)) (true (off ?l)))
        (<= (legal x wait) (true (on 1)))
        (<= (next (on ?l)) (true (on ?l))) (<= (next (on ?l)) (does x (light ?l)))
        (<= (next (off ?l)) (true (off ?l)) (not (does x (light ?l))))
        (<= terminal (true (on 2)) (true (on 3)))
        (<= (goal x 100) (true (on 1))) (<= (goal x 0) (true (off 1)))
        (<= (goal x 50) (true (off 1)) (true (on 3)) (true (off 2)))"""
    )
    start = game.initial_state()
    assert rule_symmetries(game).order == rule_symmetries(game, since=start).order == 1
    burning = start.apply(["(light 1)"])
    found = rule_symmetries(game, since=burning)
    assert found.order == 2
    orbits = found.orbits("x", burning.legal_moves("x"))
    assert sorted(sorted(map(str, orbit)) for orbit in orbits) == [
        ["(light 2)", "(light 3)"],
        ["wait"],
    ]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("tic-tac-toe", 8),
        ("connect-four", 2),
        ("breakthrough", 2),
        ("hex", 2),
        ("matching-pennies", 2),
    ],
)
def test_known_groups(name: str, order: int) -> None:
    game = load(name)
    found = rule_symmetries(game)
    assert found.complete
    assert found.order == order == len(found.elements(100))
    assert rule_symmetries(game, keep=game.initial_state()).order == order


def test_what_keeps_a_state() -> None:
    game = load("tic-tac-toe")
    for mark, order, orbits in (("(mark 2 2)", 8, [4, 4]), ("(mark 1 1)", 2, [2, 1, 2, 2, 1])):
        state = game.initial_state().apply({"x": mark, "o": "noop"})
        found = rule_symmetries(game, keep=state)
        assert found.order == order
        assert sorted(map(len, found.orbits("o", state.legal_moves("o")))) == sorted(orbits)


def test_roles_may_be_exchanged() -> None:
    assert rule_symmetries(load("tic-tac-toe"), exchange_roles=True).order == 16


CIRCLE = """(role x) (init a) (legal x wait)
    (<= (next a) (true b)) (<= (next b) (true c)) (<= (next c) (true a))
    (<= terminal (true a) (true b) (true c)) (goal x 100)"""


def test_what_comes_next_is_told_from_what_is() -> None:
    """a follows b, b follows c, c follows a: that can be turned, but not be turned over."""
    game = Game.from_text(CIRCLE)
    assert rule_symmetries(game).order == 3
    assert rule_symmetries(game, keep=game.initial_state()).order == 1


def test_facts_that_nothing_depends_on_do_not_count() -> None:
    idle = " ".join(f"(init (noise {number}))" for number in range(30))
    keep = "(<= (next (noise ?n)) (true (noise ?n)) (does x (leave ?n)))"
    moves = "(<= (legal x (leave ?n)) (number ?n))"
    numbers = " ".join(f"(number {number})" for number in range(30))
    game = Game.from_text(f"{CIRCLE.replace('(legal x wait)', '')} {idle} {keep} {moves} {numbers}")
    found = rule_symmetries(game)
    assert len(found.idle) == 30
    # The moves are all alike; the noise they leave is not looked at.
    assert all(
        point.kind == "move" or str(point) in "abc"
        for g in found.generators
        for c in g.cycles()
        for point in c
    )


RECURSION = """(role x) (init (at 1)) (legal x wait) (edge 1 2) (edge 2 3) (edge 3 4)
    (<= (next (at ?m)) (true (at ?n)) (edge ?n ?m))
    (<= (reach ?n) (true (at ?n))) (<= (reach ?m) (reach ?n) (edge ?n ?m))
    (<= terminal (reach 4) (not (reach 1))) (goal x 100)"""


def test_recursion_has_a_direction() -> None:
    assert rule_symmetries(Game.from_text(RECURSION)).order == 1


WAY = """(role x) (init (open 1)) (init (open 2)) (init (open 3)) (legal x wait) (legal x (open 2))
    (<= (next (open ?p)) (true (open ?p))) (<= (next (open ?p)) (does x (open ?p)))
    (edge 1 2) (edge 2 3) BACK
    (<= (reach 1) (true (open 1))) (<= (reach ?m) (reach ?n) (edge ?n ?m) (true (open ?m)))
    (<= terminal (reach 3)) (goal x 100)"""


def test_a_connection_has_two_equal_sides() -> None:
    """Though the rules begin at the first of three places; not where ways lead one way only."""
    there_and_back = WAY.replace("BACK", "(edge 2 1) (edge 3 2)")
    assert rule_symmetries(Game.from_text(there_and_back)).order == 2
    assert rule_symmetries(Game.from_text(WAY.replace("BACK", ""))).order == 1
    looked_at = there_and_back + "(<= (goal x 0) (reach 2))"
    assert rule_symmetries(Game.from_text(looked_at)).order == 1


def test_words_of_a_symmetry() -> None:
    (generator,) = rule_symmetries(load("connect-four")).generators
    assert "(does red (drop 1)) (does red (drop 7))" in str(generator)
    assert generator.move("red", parse_term("(drop 2)")) == parse_term("(drop 6)")
    assert generator.move("red", "noop") == "noop"


def test_rules_that_are_not_ground_have_no_graph() -> None:
    with pytest.raises(SymmetryError, match="lifted"):
        rule_symmetries(Game.from_library("nim", engine="lifted"))


def test_chance_stays_chance() -> None:
    game = load("kaseklau")
    for symmetry in rule_symmetries(game, exchange_roles=True).generators:
        for cycle in symmetry.cycles():
            roles = {point.role == RANDOM for point in cycle if point.kind == "move"}
            assert len(roles) <= 1
