"""Plans by constraints: what is found can be played, and what is refuted cannot."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from time import monotonic

import pytest

from woodstock import Game
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.plan import network
from woodstock.plan.effects import commuting
from woodstock.plan.horizon import Horizon, NotWanted
from woodstock.plan.relaxed import Reach
from woodstock.plan.task import Task
from woodstock.scsp.encode.ground_rules import grounding_of
from woodstock.scsp.encode.template import template

COINS = """
(role robot)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(coin a) (coin b) (coin c)
(<= (legal robot (flip ?c)) (coin ?c))
(legal robot rest)
(<= (next (up ?c)) (does robot (flip ?c)) (not (true (up ?c))))
(<= (next (up ?c)) (true (up ?c)) (not (does robot (flip ?c))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= all (true (up a)) (true (up b)) (true (up c)))
(<= (goal robot 100) all)
(<= (goal robot 30) (not all))
"""
"""Three flips out of three turns: the order does not matter."""

PAIRED = COINS.replace("(true (up c)))", "(true (up c)) (true (step 2)))")
"""The highest goal would need three flips in two turns: no end of the game has it."""

SHORT = COINS.replace("(true (step 3))", "(true (step 2))")
"""The same, told by the number of turns: the values alone do not tell it."""

FILLING = """
(role robot)
(cell 1) (cell 2) (cell 3) (colour red) (colour blue)
(near 1 2) (near 2 3)
(<= (taken ?x) (true (has ?x ?c)))
(<= (clash ?x ?c) (near ?x ?y) (true (has ?y ?c)))
(<= (clash ?x ?c) (near ?y ?x) (true (has ?y ?c)))
(<= (possible ?x ?c) (cell ?x) (colour ?c) (not (taken ?x)) (not (clash ?x ?c)))
(<= (legal robot (paint ?x ?c)) (possible ?x ?c))
(<= (next (has ?x ?c)) (does robot (paint ?x ?c)))
(<= (next (has ?x ?c)) (true (has ?x ?c)))
(<= open (possible ?x ?c))
(<= terminal (not open))
(<= (goal robot 100) (taken 1) (taken 2) (taken 3))
(<= blank (cell ?x) (not (taken ?x)))
(<= (goal robot 20) blank)
"""
"""It is over when nothing can be painted any more: too soon, if painted badly."""

ENDLESS = """
(role robot)
(init (at 1)) (next_to 1 2) (next_to 2 3) (next_to 3 1)
(<= (legal robot (go ?y)) (true (at ?x)) (next_to ?x ?y))
(legal robot stop)
(<= (next (at ?y)) (does robot (go ?y)))
(<= (next (at ?x)) (true (at ?x)) (does robot stop))
(<= (next over) (does robot stop))
(<= (next (been ?x)) (true (at ?x)))
(<= (next (been ?x)) (true (been ?x)))
(<= terminal (true over))
(<= (goal robot 70) (true (at 2)) (true (been 3)))
(<= (goal robot 10) (true (at 2)) (not (true (been 3))))
(<= (goal robot 0) (not (true (at 2))))
(<= (goal robot 100) (true (at 4)))
"""
"""No number of turns is the last, and the highest goal is one that no state has."""

QUIT = """
(role robot)
(coin a) (coin b)
(<= (legal robot (flip ?c)) (coin ?c))
(legal robot quit)
(<= (next (up ?c)) (does robot (flip ?c)) (not (true (up ?c))))
(<= (next (up ?c)) (true (up ?c)) (not (does robot (flip ?c))))
(<= (next left) (does robot quit))
(<= terminal (true left))
(<= terminal (true (up a)) (true (up b)))
(<= (goal robot 100) (true (up a)) (true (up b)))
(<= (goal robot 40) (true (up a)) (not (true (up b))))
(<= (goal robot 10) (not (true (up a))))
"""
"""Whoever quits has less; it may be over between two flips."""

SHEETS = {
    "coins": COINS,
    "paired": PAIRED,
    "short": SHORT,
    "filling": FILLING,
    "endless": ENDLESS,
    "quit": QUIT,
}
MOST_TURNS = 6


def sheet(name: str) -> Game:
    return Game.from_text(SHEETS[name], engine="circuit")


def task_of(game: Game, told: list[str] | None = None, *, horizon: int | None = None) -> Task:
    tell = None if told is None else told.append
    return Task(game, game.initial_state(), until=math.inf, horizon=horizon, tell=tell)


def ends_of(game: Game, turns: int = MOST_TURNS) -> dict[int, set[int]]:
    """By breadth-first search: the goals of games of so many turns."""
    (role,) = game.roles
    found: dict[int, set[int]] = defaultdict(set)
    states = {game.initial_state()}
    for turn in range(turns + 1):
        over = {state for state in states if state.is_terminal}
        found[turn].update(state.goal(role) or 0 for state in over)
        states = {s.apply([move]) for s in states - over for move in s.legal_moves(role)}
    return found


def goals_of(horizon: Horizon) -> set[int]:
    """Every goal that some solution has."""
    found = set()
    if horizon.possible and horizon.solver.propagate():
        for goal in horizon.goals():
            for value in horizon.values_of(goal):
                result = horizon.solver.first([(horizon.score, value)])
                assert result.count or result.complete
                if result.count:
                    found.add(goal)
    return found


def replay(lifted: Game, moves: Iterable[tuple[Term, ...]]) -> State:
    """Where the moves lead, each of them legal."""
    state = lifted.initial_state()
    for joint in moves:
        assert not state.is_terminal
        assert all(map(state.is_legal, lifted.roles, joint))
        state = state.apply(joint)
    return state


@pytest.mark.parametrize(
    ("name", "turns"),
    [("buttons-and-lights-3", 6), ("buttons-and-lights-10", 6), ("untwisty", 9)],
)
def test_plans_of_the_library_are_played_by_the_interpreter(name: str, turns: int) -> None:
    task = task_of(Game.load(name, engine="circuit"))
    network.run(task)
    plan = task.plan()
    assert plan is not None
    assert (plan.goal, plan.proof, plan.by, plan.horizon) == (100, "proved", "mac", turns)
    lifted = Game.load(name, engine="lifted")
    state = replay(lifted, plan.moves)
    assert state.is_terminal
    assert state.goal(lifted.roles[0]) == 100


@pytest.mark.parametrize("window", [1, 2, 256])
@pytest.mark.parametrize("name", SHEETS)
def test_the_best_of_all_games_is_found_and_proved(
    name: str, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "WINDOW", window)
    game = sheet(name)
    best = max(goal for goals in ends_of(game).values() for goal in goals)
    task = task_of(game)
    network.run(task)
    plan = task.plan()
    assert plan is not None
    assert plan.goal == best == task.bound
    assert plan.proof == "proved"
    state = replay(Game.from_text(SHEETS[name], engine="lifted"), plan.moves)
    assert state.is_terminal
    assert state.goal("robot") == best


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
@pytest.mark.parametrize("name", SHEETS)
def test_plans_keep_to_the_horizon_of_the_task(name: str, horizon: int) -> None:
    game = sheet(name)
    goals = {g for turns, found in ends_of(game).items() if turns <= horizon for g in found}
    task = task_of(game, horizon=horizon)
    network.run(task)
    assert task.best == task.bound == max(goals, default=-1)


@pytest.mark.parametrize("name", SHEETS)
def test_networks_have_the_ends_that_games_have(name: str) -> None:
    game = sheet(name)
    turn, state = template(game), game.initial_state()
    ends = ends_of(game)
    pairs = commuting(grounding_of(game), range(len(grounding_of(game).moves)))
    met: set[int] = set()
    for turns in range(1, MOST_TURNS + 1):
        met |= ends[turns]
        assert goals_of(Horizon(turn, turns, state, "robot")) == ends[turns]
        safe = Horizon(turn, turns, state, "robot", orders=lambda played: pairs.safe)
        assert goals_of(safe) == ends[turns]
        assert goals_of(Horizon(turn, turns, state, "robot", sooner=True)) == met


@pytest.mark.parametrize("name", SHEETS)
def test_what_can_be_reached_is_never_less_than_what_is(name: str) -> None:
    game = sheet(name)
    reach = Reach(template(game), game.initial_state(), "robot")
    for turns, goals in ends_of(game).items():
        promised = reach.goals(turns)
        assert goals <= set(promised or ())
        assert promised == (None if promised is None else tuple(sorted(promised, reverse=True)))


def test_reach_knows_how_long_games_are() -> None:
    reach = Reach(template(sheet("coins")), sheet("coins").initial_state(), "robot")
    assert [reach.goals(turns) for turns in range(5)] == [(), (), (), (100, 30), None]
    assert (reach.last, reach.known, reach.most_from(0)) == (3, True, 100)
    endless = Reach(template(sheet("endless")), sheet("endless").initial_state(), "robot")
    assert endless.goals(1000) is not None
    assert endless.last is None
    assert endless.known
    assert endless.most_from(1000) == endless.most_from(0)


COMMUTING = {"coins": (6, 0), "filling": (8, 0), "endless": (0, 0), "quit": (0, 1)}
"""How many pairs of moves commute: the game goes on in between, or may be over."""


@pytest.mark.parametrize("name", COMMUTING)
def test_the_order_of_commuting_moves_does_not_matter(name: str) -> None:
    game = sheet(name)
    grounding = grounding_of(game)
    pairs = commuting(grounding, range(len(grounding.moves)))
    assert (len(pairs.safe), len(pairs.loose)) == COMMUTING[name]
    states = {game.initial_state()}
    for _ in range(4):
        states = {s for s in states if not s.is_terminal}
        for state in states:
            for low, high in [*pairs.safe, *pairs.loose]:
                first, second = grounding.moves[low][1], grounding.moves[high][1]
                _same_in_both_orders(state, first, second, safe=(low, high) in pairs.safe)
        states = {s.apply([move]) for s in states for move in s.legal_moves("robot")}


def _same_in_both_orders(state: State, first: Term, second: Term, *, safe: bool) -> None:
    """A plan with the second move before the first loses nothing by their exchange."""
    if not state.is_legal("robot", second):
        return
    between = state.apply([second])
    if between.is_terminal or not between.is_legal("robot", first):
        return
    assert state.is_legal("robot", first)
    other = state.apply([first])
    if other.is_terminal:
        assert not safe
        return
    assert other.is_legal("robot", second)
    assert other.apply([second]).fluents == between.apply([first]).fluents


def test_moves_that_meet_do_not_commute() -> None:
    game = sheet("filling")
    grounding = grounding_of(game)
    names = [str(move) for _, move in grounding.moves]
    pairs = commuting(grounding, range(len(names)))
    found = {frozenset((names[a], names[b])) for a, b in pairs.safe}
    assert frozenset(("(paint 1 red)", "(paint 2 blue)")) in found
    # Red next to red is not legal any more, and a cell is painted once.
    assert frozenset(("(paint 1 red)", "(paint 2 red)")) not in found
    assert frozenset(("(paint 1 red)", "(paint 1 blue)")) not in found


def test_a_task_that_is_over_is_not_begun() -> None:
    game = sheet("coins")
    late = Task(game, game.initial_state(), until=monotonic() - 1)
    network.run(late)
    assert late.plan() is None
    stopped = task_of(game)
    stopped.stop()
    network.run(stopped)
    assert (stopped.plan(), stopped.bound) == (None, 100)


def test_a_run_ends_when_the_task_is_stopped() -> None:
    game = Game.load("hunter", engine="circuit")
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        task.stop()

    task = Task(game, game.initial_state(), until=math.inf, tell=tell)
    network.run(task)
    assert len(told) == 1
    assert task.bound == 100


def test_the_solver_asks_whether_to_go_on() -> None:
    game = Game.load("sudoku", engine="circuit")
    horizon = Horizon(template(game), 10, game.initial_state(), "robot")
    asked: list[int] = []

    def go_on() -> bool:
        asked.append(1)
        return len(asked) < 2

    found = horizon.solver.first(go_on=go_on)
    assert (found.count, found.complete, len(asked)) == (0, False, 2)
    with pytest.raises(ZeroDivisionError):
        horizon.solver.first(go_on=lambda: bool(1 // 0))


def test_a_network_that_nobody_wants_is_not_made() -> None:
    game = sheet("coins")
    with pytest.raises(NotWanted):
        Horizon(template(game), 3, game.initial_state(), "robot", go_on=lambda: False)


def test_too_large_networks_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(network, "LARGEST", 10)
    task = task_of(sheet("coins"), told)
    network.run(task)
    assert task.plan() is None
    assert told[-1].startswith("mac: a network of 1 turns is too large")
    monkeypatch.setattr(network, "MOST_RULES", 3)
    network.run(task)
    assert told[-1].endswith("ground rules are too many for a network")


def test_little_room_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "ROOM", 0)
    task = task_of(sheet("filling"))
    network.run(task)
    assert (task.best, task.bound) == (100, 100)


def test_a_game_that_is_over_has_an_empty_plan() -> None:
    game = sheet("coins")
    state = game.initial_state()
    for _ in range(3):
        state = state.apply(["rest"])
    task = Task(game, state, until=math.inf)
    network.run(task)
    plan = task.plan()
    assert plan is not None
    assert (plan.moves, plan.goal, plan.proof) == ((), 30, "proved")


def test_players_that_share_their_goals_have_plans_too() -> None:
    game = Game.load("cooperative-matching-pennies", engine="circuit")
    task = task_of(game)
    network.run(task)
    plan = task.plan()
    assert plan is not None
    lifted = Game.load("cooperative-matching-pennies", engine="lifted")
    state = replay(lifted, plan.moves)
    assert state.is_terminal
    assert {state.goal(role) for role in lifted.players} == {plan.goal}
