"""Which rules of a sheet ever apply in states that were met in play."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from woodstock.engine import Engine
from woodstock.errors import EvaluationError
from woodstock.gdl.rules import Predicate, Rule, Rules, make_rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.tabling import Answer, Call, Facts, Program, Tables, outside_facts
from woodstock.playtest.walks import RandomGame

__all__ = ["unused_clauses"]

_TRUE, _DOES = Predicate("true", 1), Predicate("does", 2)
_SECONDS = 2.0
"""For one rule in one state."""


def unused_clauses(
    rules: Rules,
    engine: Engine,
    walks: Sequence[RandomGame],
    rng: random.Random,
    out_of_time: Callable[[], bool],
) -> tuple[list[Clause], int]:
    """The clauses that applied in none of the states, and how many states were looked at.

    Each is asked of the lifted interpreter, state by state in random order, until it has applied
    once or the time is over. Facts are left out.

    >>> from woodstock import Game
    >>> from woodstock.playtest.walks import walk
    >>> game = Game.from_text('''(role x) (init (n 0)) (next (n 1)) (legal x a)
    ...     (<= terminal (true (n 1))) (<= (goal x 100) (true (n 1))) (<= (goal x 0) (true won))''')
    >>> games = [walk(game.engine, game.engine.initial(), random.Random(1), 9)]
    >>> clauses, states = unused_clauses(game.rules, game.engine, games, random.Random(1), bool)
    >>> [clause.to_kif() for clause in clauses], states
    (['(<= (goal x 0) (true won))'], 2)
    """
    waiting: dict[Clause, list[Predicate]] = {}
    asked: list[Rule] = []
    for number, rule in enumerate(rules.rules):
        if rule.body and not rule.head.name.count(" "):
            # A blank keeps the name out of the reach of sheets.
            mark = Predicate(f"applies {number}", 0)
            asked.append(Rule(mark, (), rule.body, rule.clause))
            waiting.setdefault(rule.clause, []).append(mark)
    program = Program(make_rules([*rules.rules, *asked], rules.sheet), {"true": 1, "does": 2})
    static: dict[Call, list[Answer]] = {}
    states = [(one, ply) for one in walks for ply in range(len(one.positions))]
    rng.shuffle(states)
    looked_at = 0
    for one, ply in states:
        if out_of_time() or not waiting:
            break
        facts = outside_facts(_TRUE, ((f,) for f in engine.fluents(one.positions[ply])))
        if ply < one.length:
            facts = facts + outside_facts(_DOES, zip(engine.roles, one.moves[ply]))
        tables = Tables(program, Facts(facts), (static, {}, {}), _SECONDS)
        for clause, marks in list(waiting.items()):
            try:
                if any(tables.ask(mark, ()) for mark in marks):
                    del waiting[clause]
            except EvaluationError:
                if out_of_time():
                    return list(waiting), looked_at
                del waiting[clause]
        looked_at += 1
    return list(waiting), looked_at
