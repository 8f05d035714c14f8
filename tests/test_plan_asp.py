"""Plans by an answer set solver: they hold on the lifted interpreter, and bounds are right."""

from __future__ import annotations

import sys
import threading
import time
from itertools import product
from typing import Any

import pytest

from games_support import load
from plan_support import CLIMB, SHEETS, sheet
from woodstock import Game
from woodstock.game import State
from woodstock.lifeline import Child
from woodstock.plan import asp
from woodstock.plan.asp_stages import Stages
from woodstock.plan.task import Task

LONG = 300.0
"""Seconds that no test needs: tasks are over when all is known."""


def task_of(
    game: Game, state: State | None = None, seconds: float = LONG, **options: int
) -> tuple[Task, list[str]]:
    said: list[str] = []
    state = state or game.initial_state()
    until = time.monotonic() + seconds
    return Task(game, state, until=until, tell=said.append, **options), said


def replayed(task: Task, lifted: Game, state: State | None = None) -> int:
    """The goal that the plan of a task reaches on another engine."""
    plan = task.plan()
    assert plan is not None
    place = state or lifted.initial_state()
    for joint in plan.moves:
        assert not place.is_terminal
        place = place.apply(joint)
    assert place.is_terminal
    return place.goal(lifted.players[0]) or 0


@pytest.mark.parametrize(
    "name", ["buttons-and-lights-3", "buttons-and-lights-7", "untwisty", "eight-puzzle"]
)
def test_plans_for_puzzles_of_the_library(name: str) -> None:
    game = load(name)
    task, _ = task_of(game)
    asp.clingo(task)
    assert replayed(task, Game.load(name, engine="lifted")) == task.best == 100


def test_the_goal_gets_better_by_and_by() -> None:
    game = load("hunter")
    task, said = task_of(game, goal=10)
    asp.clingo(task)
    assert task.best >= 10
    assert replayed(task, Game.load("hunter", engine="lifted")) == task.best
    assert any("looking at" in text for text in said)


def test_a_plan_from_a_later_state() -> None:
    game = load("untwisty")
    task, _ = task_of(game)
    asp.clingo(task)
    plan = task.plan()
    assert plan is not None
    state = plan.states(game.initial_state())[-2]
    late, _ = task_of(game, state)
    asp.clingo(late)
    found = late.plan()
    assert found is not None
    assert (found.horizon, found.goal) == (1, 100)


def test_what_cannot_be_reached_is_proved() -> None:
    game = Game.from_text(CLIMB)
    task, _ = task_of(game)
    asp.clingo(task)
    assert (task.best, task.bound, task.ceiling) == (60, 60, 100)
    assert replayed(task, Game.from_text(CLIMB, engine="lifted")) == 60


def test_a_horizon_that_is_too_short_bounds_the_goal() -> None:
    task, _ = task_of(sheet("square"), horizon=3)
    asp.clingo(task)
    assert (task.best, task.bound) == (0, 0)


def test_a_goal_that_others_have_found_is_not_looked_for() -> None:
    task, said = task_of(Game.from_text(CLIMB))
    moves = task.circuit.numbering.move_numbers
    assert task.offer([(moves[0, "up"],)] * 3, "other")
    asp.clingo(task)
    assert task.bound == 60
    assert not any("clingo: goal" in text for text in said)


def test_the_moves_of_several_roles() -> None:
    game = Game.from_text("""
        (role she) (role he)
        (<= (legal ?r 0) (role ?r)) (<= (legal ?r 1) (role ?r))
        (<= (next (sum 2)) (does she 1) (does he 1))
        (<= (next (sum 1)) (does she 1) (does he 0))
        (<= (next over) (does she ?x))
        (<= terminal (true over))
        (<= (goal ?r 100) (role ?r) (true (sum 1)))
        (<= (goal ?r 30) (role ?r) (true (sum 2)))
        (<= (goal ?r 0) (role ?r) (not (true (sum 1))) (not (true (sum 2))))""")
    task, _ = task_of(game)
    asp.clingo(task)
    plan = task.plan()
    assert plan is not None
    assert plan.moves == (("1", "0"),)


def test_rules_that_depend_on_themselves() -> None:
    game = Game.from_text("""
        (role she)
        (node a) (node b) (node c) (node d)
        (<= (legal she (join ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y))
        (<= (next (edge ?x ?y)) (does she (join ?x ?y)))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)))
        (<= (path ?x ?y) (true (edge ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= terminal (path a a))
        (<= (goal she 100) (path a b) (path a c) (path a d))
        (<= (goal she 10) (not (path a d)))""")
    task, _ = task_of(game)
    asp.clingo(task)
    plan = task.plan()
    assert plan is not None
    assert (plan.goal, plan.horizon) == (100, 4)


@pytest.mark.parametrize("name", SHEETS)
def test_an_order_of_moves_loses_no_length_and_no_goal(name: str) -> None:
    clingo = pytest.importorskip("clingo")
    circuit = sheet(name).circuit()
    program, numbering = circuit.grounding.program, circuit.numbering
    values = [(number, value) for number, (_, value) in enumerate(numbering.goals) if value]
    answers = []
    for ordered in (True, False):
        control = clingo.Control()
        stages = Stages(
            control,
            program,
            fluents=program.initial(),
            values=values,
            movers=numbering.movers,
            roles=1,
            ordered=ordered,
        )
        while stages.last < 9 and not stages.ended:
            stages.grow()
        asked = product(range(stages.last + 1), [0, *sorted(value for _, value in values)])
        answers.append(
            [control.solve(stages.ending(*what, exact=True)).satisfiable for what in asked]
        )
    assert answers[0] == answers[1]
    assert any(answers[0])


def test_a_task_that_is_stopped_returns() -> None:
    task, _ = task_of(load("joint-buttons-and-lights-25"))
    worker = threading.Thread(target=asp.clingo, args=(task,))
    worker.start()
    task.stop()
    worker.join(LONG)
    assert not worker.is_alive()


def test_a_killed_child_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Killed(Child):
        def __init__(self, module: str, *arguments: str, **options: Any) -> None:
            super().__init__(module, *arguments, **options)
            started.append(self)
            self.kill()

    task, said = task_of(load("joint-buttons-and-lights-25"))
    monkeypatch.setattr(asp, "Child", Killed)
    asp.clingo(task)
    assert len(started) == 1
    assert task.plan() is None
    assert said[-1].startswith("clingo: ")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_too_little_memory_ends_quietly() -> None:
    task, said = task_of(load("joint-buttons-and-lights-25"))
    asp.clingo(task, memory_mb=40)
    assert task.plan() is None
    assert said[-1].startswith("clingo: ")


def test_without_time_nothing_is_done() -> None:
    task, said = task_of(load("eight-puzzle"), seconds=0)
    asp.clingo(task)
    assert task.plan() is None
    assert not said
