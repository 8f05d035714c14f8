"""What percepts say about the moves that were made, without playing any.

A percept is seen by a rule; where that rule asks for a move, the move must have been made. So most
of what a shuffled deck or a hidden choice might have been can be left out at once:

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
Way: TypeAlias = tuple[Bindings, Sequence[tuple[Term, Term]]]
"""What variables are, and roles with the moves they must have made."""

_SEES, _DOES = Predicate("sees", 2), Predicate("does", 2)


class Evidence:
    """For every percept the ways in which it may have come about: moves that some roles made."""

    def __init__(self, ways: Sequence[Sequence[Way]]) -> None:
        self._ways = ways

    def allows(self, role: str, move: Term) -> bool:
        """Whether a role may have made a move, as far as can be told from this move alone."""
        return all(
            any(self._fits(bound, made, role, move) for bound, made in ways) for ways in self._ways
        )

    def names(self, role: str) -> Term | None:
        """The move that a role must have made; None where percepts leave that open.

        >>> way = {"x": "ace"}, [("random", Compound(("deal", "she", Variable("x"))))]
        >>> Evidence([[way]]).names("random")
        Compound(('deal', 'she', 'ace'))
        """
        for ways in self._ways:
            for bound, made in ways if len(ways) == 1 else ():
                for who, what in made:
                    move = _filled(what, bound)
                    if _value(who, bound) == role and not any(variables(move)):
                        return move
        return None

    @staticmethod
    def _fits(bound: Bindings, made: Sequence[tuple[Term, Term]], role: str, move: Term) -> bool:
        for who, what in made:
            if _match(who, role, dict(bound)) is None or isinstance(_value(who, bound), Variable):
                continue  # somebody else, or anybody
            if _match(what, move, dict(bound)) is None:
                return False
        return True


class Seeing:
    """The rules by which something is perceived."""

    nothing = Evidence(())

    def __init__(self, rules: Rules) -> None:
        self._rules = [
            (
                rule.arguments,
                [
                    (literal.arguments[0], literal.arguments[1])
                    for literal in rule.body
                    if literal.predicate == _DOES and literal.kind is Kind.POSITIVE
                ],
            )
            for rule in rules.rules
            if rule.head == _SEES
        ]

    def of(self, role: str, percepts: Sequence[Term]) -> Evidence:
        """What a role's percepts say."""
        found = []
        for percept in percepts:
            ways = []
            for (who, what), made in self._rules:
                bound = _match(who, role, {})
                bound = None if bound is None else _match(what, percept, bound)
                if bound is not None:
                    ways.append((bound, made))
            # A percept that no rule leads to says nothing; let others wonder.
            if ways and all(made for _, made in ways):
                found.append(ways)
        return Evidence(found) if found else self.nothing


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


def _value(term: Term, bound: Bindings) -> Term:
    return bound.get(term.name, term) if isinstance(term, Variable) else term


def _filled(term: Term, bound: Bindings) -> Term:
    if isinstance(term, Compound):
        return Compound(_filled(part, bound) for part in term)
    return _value(term, bound)


def _match(pattern: Term, term: Term, bound: Bindings) -> Bindings | None:
    """What the variables of a pattern must be for it to be a term; None where it cannot be."""
    if isinstance(pattern, Variable):
        if bound.setdefault(pattern.name, term) != term:
            return None
        return bound
    if isinstance(pattern, Compound):
        if not isinstance(term, Compound) or len(pattern) != len(term):
            return None
        for part, other in zip(pattern, term):
            if _match(part, other, bound) is None:
                return None
        return bound
    return bound if pattern == term else None
