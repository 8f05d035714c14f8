"""Plans: members of the portfolio agree with each other and with the lifted interpreter."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from games_support import load
from plan_support import PAIR, SHEETS, TRAP, WALK, check, game_of, sheet
from woodstock import Game, _core
from woodstock.errors import ArgumentError
from woodstock.plan import MEMBERS, Plan, PlanError, plan
from woodstock.plan.portfolio import make_task, run
from woodstock.plan.task import Task
from woodstock.player import make_player
from woodstock.search import Limits, make_searcher
from woodstock.symmetry import rule_symmetries

LONG = 300.0
"""Seconds: an end that is not reached."""


@pytest.mark.parametrize("name", MEMBERS)
def test_each_member_finds_the_best_plan_of_a_small_game(name: str) -> None:
    found = plan(game_of(WALK), seconds=LONG, members=[name], goal=80)
    assert found is not None
    assert (found.goal, found.horizon, found.by) == (80, 4, name)
    check(found, WALK)


@pytest.mark.parametrize("name", ["buttons-and-lights-3", "untwisty", "eight-puzzle"])
def test_plans_of_puzzles_hold_on_the_lifted_interpreter(name: str) -> None:
    found = plan(load(name), seconds=LONG, threads=2)
    assert found is not None
    assert (found.goal, found.proof) == (100, "proved")
    check(found, name=name)


def test_that_there_is_no_better_plan_is_proved_by_exhaustion() -> None:
    found = plan(game_of(WALK), seconds=LONG, members=["breadth"])
    assert found is not None
    assert (found.goal, found.bound, found.ceiling, found.proof) == (80, 80, 100, "proved")


def test_a_horizon_is_kept_to_and_nothing_is_proved_beyond_it() -> None:
    game = load("buttons-and-lights-3")
    assert plan(game, seconds=LONG, members=["breadth"], horizon=3) is None
    task = make_task(game, seconds=LONG, horizon=3, members=["breadth"])
    run(task, ["breadth"])
    assert task.bound == 100
    found = plan(game, seconds=LONG, horizon=6)
    assert found is not None
    assert found.horizon == 6


def test_a_game_without_an_end_has_no_plan() -> None:
    task = make_task(game_of(TRAP), seconds=LONG, members=["breadth"])
    run(task, ["breadth"])
    assert task.plan() is None
    assert task.bound == 0


def test_players_with_one_goal_are_planned_for_together() -> None:
    found = plan(game_of(PAIR), seconds=LONG)
    assert found is not None
    assert (found.goal, found.horizon) == (100, 2)
    assert all(joint[0] == joint[1] for joint in found.moves)
    check(found, PAIR)


def test_plans_from_a_later_state() -> None:
    game = game_of(WALK)
    state = game.initial_state().apply([game.term("stay")])
    found = plan(game, state, seconds=LONG, members=["breadth"])
    assert found is not None
    assert (found.goal, found.horizon, found.proof) == (30, 3, "proved")
    over = state
    while not over.is_terminal:
        over = over.apply([game.term("stay")])
    with pytest.raises(PlanError, match="over"):
        plan(game, over)


def test_what_cannot_be_planned_is_told() -> None:
    for name, why in (
        ("tic-tac-toe", "share"),
        ("yahtzee", "chance"),
        ("mastermind", "hidden"),
    ):
        with pytest.raises(PlanError, match=why):
            plan(load(name))
    with pytest.raises(PlanError, match="circuit"):
        plan(Game.load("untwisty", engine="lifted"))
    game = game_of(WALK)
    wrong: list[dict[str, Any]] = [
        {"members": ["nobody"]},
        {"members": []},
        {"seconds": 0},
        {"horizon": 0},
    ]
    for options in wrong:
        with pytest.raises(ArgumentError):
            plan(game, **options)


def test_a_plan_that_is_wrong_does_not_count() -> None:
    game = game_of(WALK)
    task = make_task(game, seconds=LONG)
    number = task.circuit.numbering.move_number
    right, left, stay = (number(0, game.term(word)) for word in ("right", "left", "stay"))
    assert not task.offer([(left,)], "liar")  # illegal
    assert not task.offer([(right,)] * 3, "liar")  # not over
    assert not task.offer([(right,)] * 5, "liar")  # beyond the end
    assert task.offer([(right,), (right,), (right,), (stay,)], "one")
    assert task.best == 30
    assert not task.offer([(stay,)] * 4, "worse")
    assert task.offer([(right,)] * 4, "two")
    found = task.plan()
    assert found is not None
    assert (found.goal, found.by, found.proof) == (80, "two", "unknown")
    task.lower_bound_to(90, "three")
    found = task.plan()
    assert found is not None
    assert (found.proof, found.bound) == ("bounded", 90)
    task.lower_bound_to(0, "four")  # there is a plan for more
    assert task.bound == 80
    assert task.over


def test_a_member_that_fails_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(task: Task) -> None:
        raise RuntimeError("out of ideas")

    told: list[str] = []
    members = {**MEMBERS, "bad": fail}
    monkeypatch.setattr("woodstock.plan.portfolio.MEMBERS", members)
    found = plan(game_of(WALK), seconds=LONG, members=["bad", "breadth"], tell=told.append)
    assert found is not None
    assert found.goal == 80
    assert any("out of ideas" in line for line in told)


def test_an_interrupted_task_ends_soon_and_keeps_what_was_found() -> None:
    task = make_task(load("hunter"), seconds=LONG)
    threading.Timer(1.0, task.stop).start()
    run(task)
    assert task.over
    assert time.monotonic() < task.until


def test_memory_is_bounded() -> None:
    game = load("hunter")
    circuit = game.circuit()
    search = _core.SpaceSearch(circuit.new_simulator(), circuit.initial(), 0, memory_mb=4)
    while (status := search.go_on(1000, 1.0)) == _core.SpaceStatus.running:
        pass
    assert status == _core.SpaceStatus.full
    assert search.states > 1000
    assert search.go_on(1000, 1.0) == _core.SpaceStatus.full


def test_counters_of_turns_are_found() -> None:
    game = load("buttons-and-lights-3")
    circuit = game.circuit()
    clock = _core.clock_fluents(circuit.grounding.program)
    named = [
        str(fluent)
        for number, fluent in enumerate(circuit.numbering.fluents)
        if clock[number // 8] >> number % 8 & 1
    ]
    assert named
    assert all(name.startswith("(step") for name in named)


def test_the_relaxation_counts_turns_on_a_line() -> None:
    game = game_of(WALK.replace("(step 4)", "(step 6)"))
    circuit = game.circuit()
    program = circuit.grounding.program
    ends = [
        atom
        for atom, (_, value) in zip(program.goal_atoms(), circuit.numbering.goals)
        if value == 100
    ]
    relaxation = _core.Relaxation(program, ends)
    state, distances = game.initial_state(), []
    while not state.is_terminal:
        distances += relaxation.distances(state.position)
        state = state.apply([game.term("right")])
    assert distances == [5, 4, 3, 2, 1, 0]
    unreachable = _core.Relaxation(program, [])
    assert unreachable.distances(circuit.initial()) == [_core.Relaxation.unreachable]


def test_equal_seeds_nest_equally() -> None:
    game = load("hunter")
    circuit = game.circuit()

    def best() -> tuple[int, list[list[int]]]:
        search = _core.NestedRollouts(circuit.new_simulator(), circuit.initial(), 0, seed=7)
        assert search.go_on(40, LONG)
        return search.goal, search.moves(1)

    assert best() == best()


def test_a_search_follows_a_proved_plan_without_thinking() -> None:
    game = load("buttons-and-lights-3")
    searcher = make_searcher("woodstock", game, "robot")
    state = game.initial_state()
    first = searcher.think(state, limits=Limits(seconds=LONG))
    assert first.proved
    line = first.line
    for joint in line:
        decision = searcher.think(state, limits=Limits(seconds=LONG))
        assert (decision.move, decision.proved, decision.value) == (joint[0], True, 1.0)
        state = state.apply(joint)
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_who_leaves_the_plan_plans_again() -> None:
    game = game_of(WALK)
    searcher = make_searcher("woodstock", game, "walker")
    state = game.initial_state()
    decision = searcher.think(state, limits=Limits(seconds=LONG))
    assert (decision.move, decision.value, decision.proved) == ("right", 0.8, True)
    state = state.apply(["stay"])
    decision = searcher.think(state, limits=Limits(seconds=LONG))
    assert (decision.value, decision.proved) == (0.3, True)


def test_limits_without_time_are_searched_as_before() -> None:
    game = load("buttons-and-lights-3")
    limits = Limits(simulations=2000)
    plain = make_searcher("woodstock:plan_share=0", game, "robot", seed=3)
    planning = make_searcher("woodstock", game, "robot", seed=3)
    one, other = (who.think(game.initial_state(), limits=limits) for who in (plain, planning))
    assert (one.move, one.value, one.simulations) == (other.move, other.value, other.simulations)


def test_a_player_plans_in_the_start_clock() -> None:
    game = load("untwisty")
    player = make_player("woodstock", seed=1)
    player.prepare(game, game.players[0], time.monotonic() + 5)
    state = game.initial_state()
    while not state.is_terminal:
        state = state.apply([player.choose(state, game.players[0], time.monotonic() + 5)])
    assert state.goal(game.players[0]) == 100
    player.close()


def test_a_plan_as_json() -> None:
    found = Plan((("a",), ("b",)), goal=80, bound=90, ceiling=100, by="breadth")
    assert found.to_json() == {
        "goal": 80,
        "proof": "bounded",
        "bound": 90,
        "horizon": 2,
        "by": "breadth",
        "moves": [["a"], ["b"]],
    }


def search_all(game: Game, quotient: _core.Quotient | None, ignored: bytes) -> tuple[int, int, int]:
    """The best goal, its fewest turns, and the states; all plans are played through."""
    search = _core.SpaceSearch(
        game.circuit().new_simulator(),
        game.initial_state().position,
        0,
        ignored=ignored,
        quotient=quotient,
    )
    task = make_task(game, seconds=LONG)
    while search.go_on(task.best, LONG) == _core.SpaceStatus.found:
        assert task.offer([tuple(joint) for joint in search.moves(1)], "breadth")
    found = task.plan()
    assert found is not None
    return found.goal, found.horizon, search.states


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("name", SHEETS)
def test_states_are_folded_by_symmetries(name: str, counted: bool) -> None:
    game = sheet(name)
    symmetries = rule_symmetries(game)
    clock = b"" if counted else _core.clock_fluents(game.circuit().grounding.program)
    goal, turns, states = search_all(game, None, clock)
    folded = search_all(game, symmetries.quotient(idle=False), clock)
    assert folded[:2] == (goal, turns)
    assert folded[2] <= states
    if name in ("coins", "square"):
        assert folded[2] < states


def test_symmetries_of_another_game_are_refused() -> None:
    coins, walk = sheet("coins"), game_of(WALK)
    start = walk.initial_state().position
    other = rule_symmetries(coins).quotient()
    with pytest.raises(ValueError, match="another game"):
        _core.SpaceSearch(walk.circuit().new_simulator(), start, 0, quotient=other)


def test_who_worked_least_comes_first() -> None:
    """One whose slices are long does not keep the others from theirs."""
    task = make_task(game_of(WALK), seconds=LONG)
    spent = {"long": 0.0, "short": 0.0}

    def work(name: str, seconds: float) -> None:
        while min(spent.values()) < 0.2 and max(spent.values()) < 5:
            with task.turn():
                until = time.thread_time() + seconds
                while time.thread_time() < until:
                    pass
            spent[name] += seconds

    threads = [
        threading.Thread(target=work, args=("long", 0.05)),
        threading.Thread(target=work, args=("short", 0.002)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert spent["long"] < 2 * spent["short"]
