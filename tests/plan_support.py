"""Small games to plan in, and a check of plans on the lifted interpreter."""

from __future__ import annotations

from functools import cache

from woodstock import Game
from woodstock.plan import Plan

WALK = """
(role walker)
(init (at 0)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal walker right) (true (at ?x)) (succ ?x ?y))
(<= (legal walker left) (true (at ?x)) (succ ?y ?x))
(legal walker stay)
(<= (next (at ?y)) (does walker right) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does walker left) (true (at ?x)) (succ ?y ?x))
(<= (next (at ?x)) (does walker stay) (true (at ?x)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(<= (goal walker 100) (true (at 5)))
(<= (goal walker 80) (true (at 4)))
(<= (goal walker 30) (true (at 3)))
(<= (goal walker 0) (true (at ?x)) (distinct ?x 3) (distinct ?x 4) (distinct ?x 5))
"""
"""100 is out of reach: there are four turns, and place 5 is five steps away."""

TRAP = """
(role digger)
(init (at top))
(<= (legal digger down) (true (at top)))
(<= (legal digger dig) (true (at pit)))
(<= (next (at pit)) (does digger down))
(<= (next (at pit)) (does digger dig))
(<= terminal (true (at gold)))
(<= (goal digger 100) (true (at gold)))
(<= (goal digger 0) (not (true (at gold))))
"""
"""It never ends."""

PAIR = """
(role left) (role right)
(init (step 0)) (init open)
(succ 0 1) (succ 1 2)
(<= (legal ?r push) (role ?r))
(<= (legal ?r wait) (role ?r))
(<= (next open) (true open) (does left ?m) (does right ?m))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 2)))
(<= (goal ?r 100) (role ?r) (true open))
(<= (goal ?r 0) (role ?r) (not (true open)))
"""
"""Two who have to do the same."""


@cache
def game_of(text: str) -> Game:
    return Game.from_text(text)


def check(plan: Plan, text: str | None = None, name: str | None = None) -> None:
    """A plan means the same to the lifted interpreter."""
    game = Game.from_text(text, engine="lifted") if text else Game.load(name or "", engine="lifted")
    state = game.initial_state()
    for joint in plan.moves:
        assert not state.is_terminal
        state = state.apply([game.term(str(move)) for move in joint])
    assert state.is_terminal
    assert {state.goal(role) for role in game.players} == {plan.goal}
