"""The lifted reference interpreter: plays a game from its rules, without grounding them.

Slow, obviously right, and the oracle that every faster engine is held equal to. It is also the
last engine a player falls back to.

>>> from woodstock.gdl.reader import read_text
>>> from woodstock.gdl.rules import normalise
>>> rules, _ = normalise(read_text('''
...     (role she) (init (heap 2)) (succ 0 1) (succ 1 2)
...     (<= (legal she take) (true (heap ?n)) (succ ?m ?n))
...     (<= (next (heap ?m)) (does she take) (true (heap ?n)) (succ ?m ?n))
...     (<= terminal (true (heap 0))) (goal she 100)'''))
>>> game = Interpreter(rules)
>>> position = game.view(game.initial())
>>> [str(move) for move in position.legal("she")], position.terminal()
(['take'], False)
>>> after, _ = position.after(["take"])
>>> sorted(map(str, after))
['(heap 1)']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from woodstock.gdl.reads import Reads
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.tabling import Answer, Call, Facts, Program, Tables, outside_facts
from woodstock.gdl.terms import Compound, Term

__all__ = ["Interpreter", "View"]

_INIT = Predicate("init", 1)
_TRUE = Predicate("true", 1)
_DOES = Predicate("does", 2)
_LEGAL = Predicate("legal", 2)
_NEXT = Predicate("next", 1)
_TERMINAL = Predicate("terminal", 0)
_GOAL = Predicate("goal", 2)
_SEES = Predicate("sees", 2)
_LEVELS = {"true": 1, "does": 2}


class Interpreter:
    """The rules of a game, ready to be asked. Answers that no state changes are kept.

    With `seconds`, a question that takes more CPU time raises `EvaluationError`. Safe to be used
    by several threads.
    """

    def __init__(self, rules: Rules, seconds: float | None = None) -> None:
        self.roles = rules.roles
        self._program = Program(rules, _LEVELS)
        self._seconds = seconds
        self._static: dict[Call, list[Answer]] = {}

    def initial(self) -> frozenset[Term]:
        """The fluents that hold at the start."""
        return frozenset(public(row[0]) for row in self._tables().ask(_INIT, (0,)))

    def ask(self, predicate: Predicate) -> list[tuple[Term, ...]]:
        """All instances of a predicate that depends on no state (``role``, ``base``, ``input``)."""
        rows = self._tables().ask(predicate, tuple(range(predicate.arity)))
        return [tuple(public(part) for part in row) for row in rows]

    def view(self, fluents: Iterable[Term]) -> View:
        """A state to ask questions about."""
        return View(self._program, self._static, frozenset(fluents), self._seconds)

    def legal_reads(self, role: str) -> Reads:
        """What the legal moves of a role may depend on."""
        return Reads(self._program, (_LEGAL, (role, 0)))

    def terminal_reads(self) -> Reads:
        """What it may depend on whether the game is over."""
        return Reads(self._program, (_TERMINAL, ()))

    def _tables(self) -> Tables:
        """Tables in which no fluent and no move is known."""
        return Tables(self._program, Facts(), (self._static, {}, {}), self._seconds)


class View:
    """One state: what is legal, whether it is over, what follows. Answers are computed once."""

    def __init__(
        self,
        program: Program,
        static: dict[Call, list[Answer]],
        fluents: frozenset[Term],
        seconds: float | None = None,
    ) -> None:
        self._program = program
        self._static = static
        self._here: dict[Call, list[Answer]] = {}
        self.fluents = fluents
        self._facts = outside_facts(_TRUE, ((fluent,) for fluent in fluents))
        self._seconds = seconds
        self._tables = Tables(program, Facts(self._facts), (static, self._here, {}), seconds)

    def legal(self, role: str) -> list[Term]:
        """The moves open to a role."""
        return [public(row[1]) for row in self._tables.ask(_LEGAL, (role, 0))]

    def some_legal(self, role: str, count: int, rng: Random) -> list[Term]:
        """So many of the moves open to a role, or all of them; not drawn evenly."""
        return [public(row[1]) for row in self._tables.draw(_LEGAL, (role, 0), count, rng)]

    def is_legal(self, role: str, move: Term) -> bool:
        """Whether a move is open to a role; much quicker than all of its moves."""
        return bool(self._tables.ask(_LEGAL, (role, move)))

    def terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self._tables.ask(_TERMINAL, ()))

    def goals(self, role: str) -> list[Term]:
        """The values the rules give a role here; well-formed rules give one at the end."""
        return [public(row[1]) for row in self._tables.ask(_GOAL, (role, 0))]

    def after(self, moves: Sequence[Term]) -> tuple[frozenset[Term], list[tuple[str, Term]]]:
        """The state after a joint move (in role order) and what each role perceives of it."""
        does = outside_facts(_DOES, zip(self._program.roles, moves))
        facts = Facts(self._facts + does)
        tables = Tables(self._program, facts, (self._static, self._here, {}), self._seconds)
        fluents = frozenset(public(row[0]) for row in tables.ask(_NEXT, (0,)))
        percepts = [(str(row[0]), public(row[1])) for row in tables.ask(_SEES, (0, 1))]
        return fluents, percepts


def public(term: Any) -> Term:
    """A term of the evaluator as a user sees it: tuples become `Compound`."""
    if isinstance(term, tuple) and not isinstance(term, Compound):
        return Compound(public(part) for part in term)
    return term  # type: ignore[no-any-return]
