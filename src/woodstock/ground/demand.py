"""Ground a helper only for the arguments that somebody asks for.

A helper such as ``(count_loop ?pit ?w1 ?b1 ?w ?b)`` has an instance for every number its arguments
can hold, though the rules start it with ``0 0`` and go on from there. For each large helper a guard
``ask`` is defined from the places that use it, and its rules are restricted to what is asked: the
"magic sets" of deductive databases (Bancilhon, Maier, Sagiv, Ullman), used at grounding time only.
Like every guard it is dropped from the ground program again: an instance nobody asks for in some
state may hold there, and nobody will notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from woodstock.gdl.domains import ROOTS, Domains
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule
from woodstock.gdl.terms import Term, Variable, variables
from woodstock.ground.estimate import Estimator
from woodstock.ground.guards import GUARD

__all__ = ["restrict_to_demand"]

LARGE = 2_000_000.0
"""Helpers with fewer estimated instances are grounded as they are."""


def restrict_to_demand(rules: Sequence[Rule]) -> tuple[list[Rule], bool]:
    """The rules with guards on large helpers, and whether there are any such helpers."""
    estimator = Estimator(rules, Domains(rules))
    with_body = dict.fromkeys(rule.head for rule in rules if rule.body)
    large = [
        head
        for head in with_body
        if head.name not in ROOTS and head.arity and estimator.count.get(head, 0.0) >= LARGE
    ]
    bound = _bound_positions(rules, {head: tuple(range(head.arity)) for head in large})
    if not bound:
        return list(rules), False
    result: list[Rule] = []
    for rule in rules:
        body = rule.body
        if rule.head in bound:
            body = (*body, _ask(rule.head, rule.arguments, bound))
        result.append(rule._replace(body=body))
    for rule in rules:
        for literal, before in _uses(rule, bound):
            ask = _ask(literal.predicate, literal.arguments, bound)
            given = [_ask(rule.head, rule.arguments, bound)] if rule.head in bound else []
            body = _cover(set(ask.variables()), before, given, estimator)
            if body != (ask,):
                result.append(Rule(ask.predicate, ask.arguments, body, rule.clause))
    return result, True


Positions = Mapping[Predicate, "tuple[int, ...]"]


def _ask(predicate: Predicate, arguments: tuple[Term, ...], bound: Positions) -> Literal:
    kept = tuple(arguments[i] for i in bound[predicate])
    name = Predicate(f"{GUARD}ask {predicate.name}/{predicate.arity}", len(kept))
    return Literal(Kind.POSITIVE, name, kept)


def _cover(
    names: set[Variable], before: Sequence[Literal], given: Sequence[Literal], estimator: Estimator
) -> tuple[Literal, ...]:
    """What is asked here: the guard of the head, and as few literals as bind all variables.

    Leaving conditions out asks for too much, which is allowed, and keeps the guard cheap.
    """
    body = list(given)
    missing = names - {v for l in body for v in l.variables()}
    while missing:
        best = max(
            before,
            key=lambda l: (
                len(missing & set(l.variables())),
                -estimator.count.get(l.predicate, float("inf")),
            ),
        )
        body.append(best)
        missing -= set(best.variables())
    return tuple(body)


def _uses(rule: Rule, bound: Positions) -> Iterator[tuple[Literal, list[Literal]]]:
    """Each use of a guarded helper, with the literals that may bind its arguments.

    Guarded helpers bind only those to their right, so that no two wait for each other.
    """
    free = [l for l in rule.body if l.kind is Kind.POSITIVE and l.predicate not in bound]
    before = list(free)
    for literal in rule.body:
        if literal.predicate in bound and literal.kind is Kind.POSITIVE:
            yield literal, list(before)
            before.append(literal)
    for literal in rule.body:
        if literal.predicate in bound and literal.kind is Kind.NEGATIVE:
            yield literal, list(before)


def _bound_positions(rules: Sequence[Rule], bound: dict[Predicate, tuple[int, ...]]) -> Positions:
    """For each helper the arguments that every use of it binds; helpers without any fall out."""
    changed = True
    while changed:
        changed = False
        for rule in rules:
            given: set[Variable] = set()
            if rule.head in bound:
                for i in bound[rule.head]:
                    given.update(variables(rule.arguments[i]))
            for literal, before in list(_uses(rule, bound)):
                known = given | {v for l in before for v in l.variables()}
                if literal.predicate not in bound:
                    continue  # fell out a moment ago
                kept = tuple(
                    i
                    for i in bound[literal.predicate]
                    if set(variables(literal.arguments[i])) <= known
                )
                if kept != bound[literal.predicate]:
                    changed = True
                    bound[literal.predicate] = kept
                    if not kept:
                        del bound[literal.predicate]
    return bound
