"""Small games to plan in, and a check of plans on the lifted interpreter."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from woodstock import Game
from woodstock.game import State
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

CLIMB = """
(role robot)
(init (height 0)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(legal robot up) (legal robot stay)
(<= (next (height ?n)) (does robot up) (true (height ?m)) (succ ?m ?n))
(<= (next (height ?n)) (does robot stay) (true (height ?n)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal robot 100) (true (height 4)))
(<= (goal robot 60) (true (height 3)))
(<= (goal robot 0) (not (true (height 3))) (not (true (height 4))))
"""
"""Three turns are too few for a height of four, though the rules speak of it."""

SQUARE = """
(role robot)
(size 1) (size 2)
(<= (init (cell ?x ?y b)) (size ?x) (size ?y))
(<= (legal robot (fill ?x ?y ?n)) (true (cell ?x ?y b)) (size ?n) (not (taken ?x ?y ?n)))
(legal robot quit)
(<= (taken ?x ?y ?n) (size ?x) (true (cell ?z ?y ?n)) (size ?n))
(<= (taken ?x ?y ?n) (size ?y) (true (cell ?x ?z ?n)) (size ?n))
(<= (next (cell ?x ?y ?n)) (does robot (fill ?x ?y ?n)))
(<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)) (size ?n))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (filled ?x ?y)))
(<= (filled ?x ?y) (does robot (fill ?x ?y ?n)))
(<= (next stopped) (does robot quit))
(<= open (true (cell ?x ?y b)))
(<= terminal (not open))
(<= terminal (true stopped))
(<= (goal robot 100) (not open))
(<= (goal robot 0) open)
"""
"""A Latin square: its cells may be filled in any order."""

TOGGLES = """
(role robot)
(light a) (light b) (light c)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal robot (press ?x)) (light ?x))
(<= (legal robot (copy a b)) (true (on a)))
(<= (next (on ?x)) (does robot (press ?x)) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (not (does robot (press ?x))))
(<= (next (on b)) (does robot (copy a b)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(<= (goal robot 100) (true (on a)) (true (on b)) (not (true (on c))))
(<= (goal robot 50) (true (on c)) (true (on a)))
(<= (goal robot 0) (not (true (on a))))
"""

TAKE = """
(role robot)
(init coin)
(<= (legal robot take) (true coin) (not (true taken)))
(legal robot look)
(legal robot quit)
(<= (next coin) (true coin) (not (does robot take)))
(<= (next taken) (does robot take))
(<= (next taken) (true taken))
(<= (next seen) (does robot look) (true coin))
(<= (next seen) (true seen))
(<= (next left) (does robot quit))
(<= terminal (true left))
(<= (goal robot 100) (true taken) (true seen))
(<= (goal robot 50) (true taken) (not (true seen)))
(<= (goal robot 0) (not (true taken)))
"""
"""Look before you take: what is needed for a move is gone after it."""

SHEETS = {
    "coins": COINS,
    "paired": PAIRED,
    "short": SHORT,
    "filling": FILLING,
    "endless": ENDLESS,
    "quit": QUIT,
    "climb": CLIMB,
    "square": SQUARE,
    "toggles": TOGGLES,
    "take": TAKE,
}
"""All of one role, `robot`."""

DICE = """
(role she) (role random)
(init (turn she)) (init (sum 0)) (init (left 2))
(pip 1) (pip 2) (pip 3)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (add ?a 1 ?b) (succ ?a ?b))
(<= (add ?a 2 ?c) (succ ?a ?b) (succ ?b ?c))
(<= (add ?a 3 ?d) (succ ?a ?b) (succ ?b ?c) (succ ?c ?d))
(<= (legal she roll) (true (turn she)))
(<= (legal she stop) (true (turn she)))
(<= (legal she noop) (true (turn random)))
(<= (legal random (die ?p)) (pip ?p) (true (turn random)))
(<= (legal random noop) (true (turn she)))
(<= (next (turn random)) (does she roll))
(<= (next over) (does she stop))
(<= (next (sum ?s)) (true (sum ?s)) (true (turn she)))
(<= (next (sum ?t)) (does random (die ?p)) (true (sum ?s)) (add ?s ?p ?t))
(<= (next (turn she)) (does random (die ?p)))
(<= (next (left ?n)) (true (left ?n)) (true (turn she)))
(<= (next (left ?m)) (does random (die ?p)) (true (left ?n)) (succ ?m ?n))
(<= terminal (true over))
(<= terminal (true (left 0)))
(<= terminal (true (sum ?s)) (bust ?s))
(bust 5) (bust 6)
(<= (goal she 100) (true (sum 4)))
(<= (goal she 60) (true (sum 3)))
(<= (goal she 30) (true (sum 2)))
(<= (goal she 10) (true (sum 1)))
(<= (goal she 0) (true (sum 0)))
(<= (goal she 0) (true (sum ?s)) (bust ?s))
(<= (goal random 0) (true (left ?n)))
"""
"""Roll twice, or stop; four is best, and more is too much."""


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


def sheet(name: str) -> Game:
    """One of the games of one role."""
    return game_of(SHEETS[name])


def states_of(game: Game, turns: int) -> list[State]:
    """All states up to so many turns in which the game is not over."""
    found = {game.initial_state()}
    last = found
    for _ in range(turns):
        last = {s.apply([move]) for s in last for move in s.legal_moves(game.roles[0])} - found
        last = {state for state in last if not state.is_terminal}
        found |= last
    return list(found)


def ends_of(game: Game, turns: int) -> dict[int, set[int]]:
    """By breadth-first search: the goals of games of so many turns."""
    (role,) = game.roles
    found: dict[int, set[int]] = defaultdict(set)
    states = {game.initial_state()}
    for turn in range(turns + 1):
        over = {state for state in states if state.is_terminal}
        found[turn].update(state.goal(role) or 0 for state in over)
        states = {s.apply([move]) for s in states - over for move in s.legal_moves(role)}
    return found
