"""The contract every engine keeps, and the lifted engine behind it.

An engine answers questions about *positions*, opaque values of its own (hashable, comparable,
cheap to keep). `woodstock.game` puts the pleasant face on top.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from woodstock.gdl.interpreter import Interpreter, View
from woodstock.gdl.rules import Rules
from woodstock.gdl.terms import Term

__all__ = ["Engine", "LiftedEngine", "Percepts", "goal_value", "sort_terms"]

Percepts = tuple[tuple[Term, ...], ...]
"""What each role perceives, in role order."""


class Engine(Protocol):
    """What a game needs from whoever evaluates its rules. Roles are given by number."""

    @property
    def name(self) -> str:
        """``lifted`` or ``ground``."""

    def initial(self) -> Any:
        """The position the game starts in."""

    def possible_fluents(self) -> Sequence[Term] | None:
        """All fluents that may ever hold; None when this engine cannot tell."""

    def position(self, fluents: Iterable[Term]) -> Any:
        """The position in which exactly these fluents hold; `StateError` if there is none."""

    def fluents(self, position: Any) -> frozenset[Term]:
        """What holds in a position."""

    def legal(self, position: Any, role: int) -> tuple[Term, ...]:
        """The moves open to a role, sorted by their text."""

    def terminal(self, position: Any) -> bool:
        """Whether the game is over."""

    def goals(self, position: Any, role: int) -> tuple[int, ...]:
        """The values the rules give a role, sorted; well-formed rules give one at the end."""

    def next(self, position: Any, moves: Sequence[Term]) -> tuple[Any, Percepts]:
        """The position after a joint move that is legal, and what each role perceives of it."""


class LiftedEngine:
    """The reference interpreter as an engine. A position is the set of its fluents.

    It keeps what it worked out for the last few positions, and with `seconds` gives up on
    a question that takes more CPU time (`EvaluationError`).
    """

    name = "lifted"

    def __init__(self, rules: Rules, keep: int = 16, seconds: float | None = None) -> None:
        self._interpreter = Interpreter(rules, seconds)
        self._roles = rules.roles
        self._views: OrderedDict[frozenset[Term], View] = OrderedDict()
        self._keep = keep

    def initial(self) -> frozenset[Term]:
        return self._interpreter.initial()

    def possible_fluents(self) -> Sequence[Term] | None:
        return None

    def position(self, fluents: Iterable[Term]) -> frozenset[Term]:
        return frozenset(fluents)

    def fluents(self, position: frozenset[Term]) -> frozenset[Term]:
        return position

    def legal(self, position: frozenset[Term], role: int) -> tuple[Term, ...]:
        return sort_terms(self._view(position).legal(self._roles[role]))

    def terminal(self, position: frozenset[Term]) -> bool:
        return self._view(position).terminal()

    def goals(self, position: frozenset[Term], role: int) -> tuple[int, ...]:
        terms = self._view(position).goals(self._roles[role])
        return tuple(sorted({v for v in map(goal_value, terms) if v is not None}))

    def next(
        self, position: frozenset[Term], moves: Sequence[Term]
    ) -> tuple[frozenset[Term], Percepts]:
        after, seen = self._view(position).after(moves)
        return after, tuple(sort_terms(p for r, p in seen if r == role) for role in self._roles)

    def _view(self, position: frozenset[Term]) -> View:
        # Callers ask several things about one position: keep the last few answers at hand.
        view = self._views.get(position)
        if view is None:
            view = self._views[position] = self._interpreter.view(position)
            if len(self._views) > self._keep:
                self._views.popitem(last=False)
        return view


def sort_terms(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Terms in the order of their text's bytes, each once.

    >>> sort_terms(["b", "a", "b"])
    ('a', 'b')
    """
    return tuple(sorted(set(terms), key=lambda term: str(term).encode()))


def goal_value(term: Term) -> int | None:
    """A goal's value as a number, None when it is none.

    >>> goal_value("100"), goal_value("many")
    (100, None)
    """
    if isinstance(term, str) and term.isdecimal() and len(term) < 10:
        return int(term)
    return None
