"""Plans by constraints: what is found can be played, and what is refuted cannot."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from time import monotonic

import pytest

from plan_support import SHEETS, ends_of, sheet
from woodstock import Game
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.plan import network
from woodstock.plan.horizon import Horizon, NotWanted
from woodstock.plan.relaxed import Reach
from woodstock.plan.task import Task
from woodstock.scsp.encode.template import template

MOST_TURNS = 6


def task_of(game: Game, told: list[str] | None = None, *, horizon: int | None = None) -> Task:
    tell = None if told is None else told.append
    return Task(game, game.initial_state(), until=math.inf, horizon=horizon, tell=tell)


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
    best = max(goal for goals in ends_of(game, MOST_TURNS).values() for goal in goals)
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
    goals = {
        g for turns, found in ends_of(game, MOST_TURNS).items() if turns <= horizon for g in found
    }
    task = task_of(game, horizon=horizon)
    network.run(task)
    assert task.best == task.bound == max(goals, default=-1)


@pytest.mark.parametrize("name", SHEETS)
def test_networks_have_the_ends_that_games_have(name: str) -> None:
    game = sheet(name)
    turn, state = template(game), game.initial_state()
    ends = ends_of(game, MOST_TURNS)
    search = network._Search(task_of(game), turn)
    met: set[int] = set()
    for turns in range(1, MOST_TURNS + 1):
        met |= ends[turns]
        assert goals_of(Horizon(turn, turns, state, "robot")) == ends[turns]
        ordered = partial(search._orders, last=turns)
        assert goals_of(Horizon(turn, turns, state, "robot", orders=ordered)) == ends[turns]
        assert goals_of(Horizon(turn, turns, state, "robot", sooner=True)) == met


@pytest.mark.parametrize("name", SHEETS)
def test_what_can_be_reached_is_never_less_than_what_is(name: str) -> None:
    game = sheet(name)
    reach = Reach(template(game), game.initial_state(), "robot")
    for turns, goals in ends_of(game, MOST_TURNS).items():
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
