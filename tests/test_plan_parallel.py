"""Several moves in one stage: what is independent, and plans made of such stages."""

from __future__ import annotations

import threading
import time
from itertools import permutations

import pytest

from games_support import load
from plan_support import SHEETS, check, ends_of, game_of, sheet, states_of
from woodstock import Game
from woodstock.plan import asp, plan
from woodstock.plan.asp_parallel import ParallelStages
from woodstock.plan.effects import Effects
from woodstock.plan.expressions import NotKnown, bits
from woodstock.plan.independence import Independence
from woodstock.plan.task import Task

LONG = 300.0
"""Seconds that no test needs."""

SWITCHES = """
(role robot)
(panel 1) (panel 2) (panel 3) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (legal robot (open ?p)) (panel ?p))
(<= (legal robot (press ?p)) (true (ready ?p)))
(<= (next (ready ?p)) (does robot (open ?p)))
(<= (next (ready ?p)) (true (ready ?p)))
(<= (next (lit ?p)) (does robot (press ?p)))
(<= (next (lit ?p)) (true (lit ?p)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= all (true (lit 1)) (true (lit 2)) (true (lit 3)))
(<= terminal all)
(<= terminal (true (step 6)))
(<= (goal robot 100) all)
(<= (goal robot 50) (not all) (true (lit 1)))
(<= (goal robot 0) (not all) (not (true (lit 1))))
"""
"""Six turns are just enough: three panels are opened in one stage, and pressed in the next."""

EXACTLY = SWITCHES.replace("(<= terminal all)\n", "").replace(
    "(goal robot 100) all)", "(goal robot 100) all (true (step 6)))"
)
"""Only the clock ends the game."""

TOO_SHORT = SWITCHES.replace("(true (step 6))", "(true (step 5))")

FRAGILE = """
(role robot)
(side a) (side b)
(<= (legal robot (lift ?s)) (side ?s) (not (true (up ?s))))
(<= (next (up ?s)) (does robot (lift ?s)))
(<= (next (up ?s)) (true (up ?s)))
(<= terminal (true (up a)))
(<= (goal robot 100) (true (up a)) (true (up b)))
(<= (goal robot 10) (true (up a)) (not (true (up b))))
"""
"""The game is over between two moves in one order, and not in the other."""


def independence(game: Game) -> Independence:
    program = game.circuit().grounding.program
    return Independence(Effects(program, range(1, program.atom_count + 1), program.initial()))


@pytest.mark.parametrize("name", SHEETS)
def test_independent_moves_can_be_made_in_every_order(name: str) -> None:
    game = sheet(name)
    found, move = independence(game), game.circuit().numbering.move
    apart = {
        frozenset((one, other))
        for first, second in found.clashes
        for one in bits(first)
        for other in bits(second)
    }
    terms = [move(number) for number in found.moves]
    together = 0
    for state in states_of(game, 4):
        legal = [n for n, term in enumerate(terms) if state.is_legal("robot", term)]
        for one, other in permutations(legal, 2):
            if frozenset((one, other)) in apart:
                continue
            between = state.apply([terms[one]])
            if between.is_terminal:
                continue
            together += 1
            assert between.is_legal("robot", terms[other])
            turned = state.apply([terms[other]])
            if not turned.is_terminal:
                after = between.apply([terms[other]])
                assert turned.apply([terms[one]]).fluents == after.fluents
    assert bool(together) == (name not in ("endless", "take"))


@pytest.mark.parametrize("name", SHEETS)
def test_groups_hold_moves_that_exclude_each_other(name: str) -> None:
    found = independence(sheet(name))
    groups = found.groups()
    assert sorted(place for group in groups for place in group) == [*range(len(found.moves))]
    for group in groups:
        for one, other in permutations(group, 2):
            assert any(
                (first >> one & 1 and second >> other & 1)
                or (first >> other & 1 and second >> one & 1)
                for first, second in found.clashes
            )


def test_cells_are_groups() -> None:
    groups = independence(sheet("square")).groups()
    assert len(groups) == 4


@pytest.mark.parametrize("name", SHEETS)
def test_plans_reach_what_can_be_reached(name: str) -> None:
    game = sheet(name)
    best = max(goal for goals in ends_of(game, 6).values() for goal in goals)
    task = Task(game, game.initial_state(), until=time.monotonic() + LONG, goal=best)
    told: list[str] = []
    task._tell = told.append
    asp.parallel(task)
    found = task.plan()
    if found is None:
        assert "no two moves" in told[-1]
        return
    assert (found.goal, found.by) == (best, "parallel")
    check(found, SHEETS[name])


@pytest.mark.parametrize(
    ("text", "goal", "turns"),
    [(SWITCHES, 100, 6), (EXACTLY, 100, 6), (TOO_SHORT, 50, 5), (FRAGILE, 100, 2)],
)
def test_the_number_of_moves_is_what_clocks_show(text: str, goal: int, turns: int) -> None:
    game = game_of(text)
    found = plan(game, seconds=LONG, members=["parallel"], goal=goal)
    assert found is not None
    assert found.goal == goal
    assert found.horizon <= turns
    check(found, text)


def test_stages_are_fewer_than_turns() -> None:
    clingo = pytest.importorskip("clingo")
    circuit = game_of(SWITCHES).circuit()
    program = circuit.grounding.program
    values = [(n, value) for n, (_, value) in enumerate(circuit.numbering.goals) if value]
    control = clingo.Control()
    stages = ParallelStages(control, program, fluents=program.initial(), values=values)
    stages.grow()
    assert stages.greatest(1) < 100
    stages.grow()
    assert control.solve(stages.ending(2, 100)).satisfiable


def test_a_horizon_is_kept_to() -> None:
    game = game_of(SWITCHES)
    assert plan(game, seconds=LONG, members=["parallel"], horizon=5, goal=100) is None


def test_a_game_that_goes_step_by_step_is_left_to_others() -> None:
    program = load("eight-puzzle").circuit().grounding.program
    clingo = pytest.importorskip("clingo")
    with pytest.raises(NotKnown):
        ParallelStages(clingo.Control(), program, fluents=program.initial(), values=[])


@pytest.mark.parametrize("name", ["sudoku", "joint-buttons-and-lights-25"])
def test_puzzles_of_many_independent_moves(name: str) -> None:
    found = plan(load(name), seconds=LONG, members=["parallel"])
    assert found is not None
    assert (found.goal, found.by) == (100, "parallel")
    check(found, name=name)


def test_a_task_that_is_stopped_returns() -> None:
    game = load("hunter")
    task = Task(game, game.initial_state(), until=time.monotonic() + LONG)
    worker = threading.Thread(target=asp.parallel, args=(task,))
    worker.start()
    task.stop()
    worker.join(LONG)
    assert not worker.is_alive()
