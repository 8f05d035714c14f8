"""Unfolding: helpers that hardly restrict anything are written out where they are used.

``(distinctCell ?x1 ?y1 ?x2 ?y2)`` holds for nearly all arguments, yet as a relation it ties four
variables together and forbids every cut between them. Written out it is two rules, one with
``x1 != x2`` and one with ``y1 != y2``, and each can be split.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from woodstock.gdl.domains import Domains
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, group_by_head
from woodstock.gdl.terms import Compound, Term, Variable, variables
from woodstock.ground.estimate import Estimator

__all__ = ["Unfolder"]

MAX_DEFINITIONS = 4
MAX_VARIANTS = 16
DENSE = 0.4
"""The share of all arguments a helper must hold for to be worth writing out."""


class Unfolder:
    """Knows the dense helpers of a rule set and replaces them in bodies."""

    def __init__(self, rules: Sequence[Rule], domains: Domains, estimator: Estimator) -> None:
        by_head = group_by_head(rules)
        self._definitions = {
            head: group
            for head, group in by_head.items()
            if _is_dense(head, group, by_head, domains, estimator)
        }
        self._fresh = 0

    def unfold(self, rule: Rule) -> list[Rule] | None:
        """The variants of a rule with its dense helpers written out; None when it has none."""
        bodies: list[tuple[Literal, ...]] = [()]
        found = False
        for literal in rule.body:
            group = self._definitions.get(literal.predicate)
            choices: list[tuple[Literal, ...]]
            if group is None or literal.kind is not Kind.POSITIVE:
                choices = [(literal,)]
            else:
                found = True
                choices = [self._instance(definition, literal) for definition in group]
            if len(bodies) * len(choices) > MAX_VARIANTS:
                return None
            bodies = [left + right for left, right in product(bodies, choices)]
        if not found:
            return None
        return [rule._replace(body=tuple(dict.fromkeys(body))) for body in bodies]

    def _instance(self, definition: Rule, literal: Literal) -> tuple[Literal, ...]:
        binding: dict[Variable, Term] = {}
        for name, argument in zip(definition.arguments, literal.arguments):
            assert isinstance(name, Variable)
            binding[name] = argument
        for variable in {v for l in definition.body for v in l.variables()} - set(binding):
            self._fresh += 1
            binding[variable] = Variable(f"unfolded {self._fresh}")
        return tuple(
            l._replace(arguments=tuple(_replace(a, binding) for a in l.arguments))
            for l in definition.body
        )


def _replace(term: Term, binding: dict[Variable, Term]) -> Term:
    # One simultaneous step: the new terms may use the names that are being replaced.
    if isinstance(term, Variable):
        return binding[term]
    return (
        term
        if isinstance(term, str)
        else Compound([term[0], *(_replace(part, binding) for part in term[1:])])
    )


def _is_dense(
    head: Predicate,
    group: Sequence[Rule],
    by_head: dict[Predicate, list[Rule]],
    domains: Domains,
    estimator: Estimator,
) -> bool:
    """A few rules over facts with a `distinct`, that hold for a good part of all arguments."""
    if len(group) > MAX_DEFINITIONS or head.arity < 2:
        return False
    for rule in group:
        names = [a for a in rule.arguments if isinstance(a, Variable)]
        if len(names) < head.arity or len(set(names)) < head.arity:
            return False
        if not any(l.kind is Kind.DISTINCT for l in rule.body):
            return False
        if any(
            l.kind is Kind.NEGATIVE or (l.kind is Kind.POSITIVE and not _is_static(l, by_head))
            for l in rule.body
        ):
            return False
        if {v for l in rule.body for v in l.variables()} - {v for a in names for v in variables(a)}:
            return False
    possible = 1.0
    for values in domains.of(head):
        possible *= values.size()
    return estimator.count.get(head, 0.0) >= DENSE * possible


def _is_static(literal: Literal, by_head: dict[Predicate, list[Rule]]) -> bool:
    """Whether a literal's predicate is made of facts, at most one rule deep."""
    return (
        all(
            all(
                inner.kind is Kind.POSITIVE
                and all(not r.body for r in by_head.get(inner.predicate, ()))
                and inner.predicate in by_head
                for inner in rule.body
            )
            for rule in by_head.get(literal.predicate, ())
        )
        and literal.predicate in by_head
    )
