"""What percepts say about the moves that were made, without playing any.

A percept is seen by a rule; where that rule asks for a move, itself or by what it is defined by,
the move must have been made. So most of what a shuffled deck or a hidden choice might have been can
be left out at once:

>>> from woodstock.gdl.reader import read_text
>>> from woodstock.gdl.rules import normalise
>>> rules, _ = normalise(read_text(
...     "(role random) (role she)"
...     "(<= (sees ?who (hand ?card)) (does random (deal ?who ?card ?rest)))"))
>>> evidence = Seeing(rules).of("she", [Compound(("hand", "ace"))])
>>> evidence.allows("random", Compound(("deal", "she", "ace", "king")))
True
>>> evidence.allows("random", Compound(("deal", "she", "two", "king")))
False
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from woodstock.gdl.rules import Kind, Predicate, Rules
from woodstock.gdl.terms import Compound, Term, Variable, variables

__all__ = ["Evidence", "Seeing", "report_of_moves"]

Bindings: TypeAlias = dict[str, Term]
Way: TypeAlias = tuple[tuple[Term, Term], ...]
"""Roles and the moves they must have made; what is a variable may be anything."""

WAYS = 64
"""More ways than that to come about say nothing."""

_ANYTHING = Variable("")
_SEES, _DOES = Predicate("sees", 2), Predicate("does", 2)


class Evidence:
    """For every percept the ways in which it may have come about: moves that some roles made."""

    def __init__(self, ways: Sequence[Sequence[Way]]) -> None:
        self._ways = ways

    def concerns(self, role: str) -> bool:
        """Whether anything is known about the move of a role."""
        return any(all(any(who == role for who, _ in way) for way in ways) for ways in self._ways)

    def allows(self, role: str, move: Term) -> bool:
        """Whether a role may have made a move, as far as can be told from this move alone."""
        return all(any(self._fits(way, role, move) for way in ways) for ways in self._ways)

    def names(self, role: str) -> Term | None:
        """The move that a role must have made; None where percepts leave that open.

        >>> deal = Compound(("deal", "she", "ace"))
        >>> Evidence([[(("random", deal),)]]).names("random") == deal
        True
        """
        for ways in self._ways:
            for who, what in ways[0] if len(ways) == 1 else ():
                if who == role and not any(variables(what)):
                    return what
        return None

    @staticmethod
    def _fits(way: Way, role: str, move: Term) -> bool:
        return all(who != role or _match(what, move, {}) is not None for who, what in way)


class Seeing:
    """The rules by which something is perceived, down to the moves that they ask for."""

    nothing = Evidence(())

    def __init__(self, rules: Rules) -> None:
        self._rules = rules.by_head
        self._moving = _moving(rules)
        self._known: dict[tuple[str, Term], list[Way]] = {}

    def of(self, role: str, percepts: Sequence[Term]) -> Evidence:
        """What a role's percepts say."""
        found = []
        for percept in percepts:
            if (role, percept) not in self._known:
                self._known[role, percept] = self._ways(_SEES, (role, percept), frozenset())
            ways = self._known[role, percept]
            # A percept that no rule leads to says nothing; let others wonder.
            if ways and all(ways):
                found.append(ways)
        return Evidence(found) if found else self.nothing

    def _ways(
        self, predicate: Predicate, arguments: Sequence[Term], above: frozenset[Predicate]
    ) -> list[Way]:
        """How an atom may come to hold; above it are those that it is asked for."""
        if predicate == _DOES:
            return [((arguments[0], arguments[1]),)]
        if predicate in above or predicate not in self._moving:
            return [()]  # asks for no move, or for itself: as far as this goes, anything will do
        found: list[Way] = []
        for rule in self._rules[predicate]:
            bound: Bindings | None = {}
            for pattern, argument in zip(rule.arguments, arguments):
                bound = None if bound is None else _match(pattern, argument, bound)
            if bound is None:
                continue
            # A way that lacks some conditions allows more than it should, never less. So what is
            # negative is left out, and so is what would multiply the ways beyond measure.
            ways: list[Way] = [()]
            for literal in rule.body:
                if literal.kind is Kind.POSITIVE:
                    own = literal.predicate == _DOES
                    asked = [_value(argument, bound, own) for argument in literal.arguments]
                    parts = self._ways(literal.predicate, asked, above | {predicate})
                    if len(ways) * len(parts) <= WAYS:
                        ways = [(*way, *part) for way in ways for part in parts]
            found += ways
        return found if len(found) <= WAYS else [()]


def _moving(rules: Rules) -> set[Predicate]:
    """What may depend on moves."""
    found = {_DOES}
    while more := {
        rule.head
        for rule in rules.rules
        if rule.head not in found and any(literal.predicate in found for literal in rule.body)
    }:
        found |= more
    return found


def report_of_moves(rules: Rules) -> Callable[[Term], tuple[Term, Term]] | None:
    """How to read percepts as moves, if everybody perceives every move by one rule.

    The reader gives a role and its move, or two empty words for another percept.
    """
    for clause in rules.sheet.clauses:
        head, body = clause.head, set(clause.body)
        if not (isinstance(head, Compound) and head[0] == "sees" and len(head) == 3):
            continue
        who, what = head[1], head[2]
        if not (isinstance(what, Compound) and len(what) == 3 and isinstance(who, Variable)):
            continue
        word, role, move = what
        if not (isinstance(role, Variable) and isinstance(move, Variable) and word != role):
            continue
        if body == {Compound(("role", who)), Compound(("does", role, move))} and who != role:
            return lambda said: (
                (said[1], said[2])
                if isinstance(said, Compound) and len(said) == 3 and said[0] == word
                else ("", "")
            )
    return None


def _value(term: Term, bound: Bindings, own: bool) -> Term:
    """A term with what its variables are known to be; the others are kept, or are anything."""
    if isinstance(term, Variable):
        return bound.get(term.name, term if own else _ANYTHING)
    if isinstance(term, Compound):
        return Compound(_value(part, bound, own) for part in term)
    return term


def _match(pattern: Term, term: Term, bound: Bindings) -> Bindings | None:
    """What the variables of a pattern must be for it to be a term; None where it cannot be.

    A variable of the term is anything, and tells nothing.
    """
    if pattern == _ANYTHING or isinstance(term, Variable):
        return bound
    if isinstance(pattern, Variable):
        known = bound.setdefault(pattern.name, term)
        return bound if known is term else _match(known, term, bound)
    if isinstance(pattern, Compound):
        if not isinstance(term, Compound) or len(pattern) != len(term):
            return None
        for part, other in zip(pattern, term):
            if _match(part, other, bound) is None:
                return None
        return bound
    return bound if pattern == term else None
