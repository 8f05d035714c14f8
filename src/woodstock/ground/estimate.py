"""How many ground instances a conjunction has: the estimate that guides splitting.

The textbook estimate of database optimisers: the product of the relations' sizes, divided by the
number of values of a variable for each further literal that shares it. Sizes come from `Domains`
and, from the facts upwards, from the estimates of the rules themselves; or they were measured on
an earlier grounding of the same rules, which is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from woodstock.gdl.domains import Domains, TermSet, variable_sets
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, group_by_head
from woodstock.gdl.stratification import components
from woodstock.gdl.terms import Term, Variable, variables

__all__ = ["Estimator", "Sizes"]

Sizes = Mapping[tuple[Predicate, "str | None"], float]
"""Measured atoms by predicate and functor of the last argument; None for all of a predicate."""

UNKNOWN = 1e6
MAX_ROUNDS = 40


class Estimator:
    """Sizes of relations and joins, as floating-point numbers."""

    def __init__(
        self, rules: Sequence[Rule], domains: Domains, measured: Sizes | None = None
    ) -> None:
        self.domains = domains
        self.count: dict[Predicate, float] = {}
        self._measured = measured or {}
        by_head = group_by_head(rules)
        heads = list(by_head)
        number = {head: i for i, head in enumerate(heads)}
        graph = [
            sorted(
                {
                    number[l.predicate]
                    for r in by_head[head]
                    for l in r.body
                    if l.predicate in number
                }
            )
            for head in heads
        ]
        for component in components(graph):
            self._count([heads[member] for member in component], by_head)

    def _count(self, heads: Sequence[Predicate], by_head: Mapping[Predicate, list[Rule]]) -> None:
        """Estimate predicates that may depend on each other: from below, until it settles."""
        for head in heads:
            self.count[head] = 1.0
        for _ in range(MAX_ROUNDS):
            settled = True
            for head in heads:
                known = self._measured.get((head, None))
                if known is None:
                    limit = product(s.size() for s in self.domains.of(head))
                    known = min(limit, sum(self._rule_size(rule) for rule in by_head[head]))
                if known > 1.05 * self.count[head]:
                    self.count[head] = known
                    settled = False
            if settled:
                break

    def _rule_size(self, rule: Rule) -> float:
        sets = variable_sets(rule.body, self.domains)
        if sets is None:
            return 0.0
        names = {v for a in rule.arguments for v in variables(a)}
        return min(self.combinations(names, sets), self.join(rule.body, sets))

    def learn(self, predicate: Predicate, size: float) -> None:
        """Note the size of a predicate made by splitting."""
        self.count[predicate] = size

    def combinations(self, names: Iterable[Variable], sets: Mapping[Variable, TermSet]) -> float:
        """In how many ways variables can take their values."""
        return product(sets[v].size() if v in sets else UNKNOWN for v in names)

    def literal(self, literal: Literal, sets: Mapping[Variable, TermSet]) -> float:
        """How many instances of a positive literal there are."""
        size = self.combinations(dict.fromkeys(literal.variables()), sets)
        last = literal.arguments[-1] if literal.arguments else None
        functor = str(last[0]) if isinstance(last, tuple) else None
        known = self._measured.get((literal.predicate, functor))
        if known is None:
            known = self.count.get(literal.predicate)
        if known is not None:
            for argument, values in zip(literal.arguments, self.domains.of(literal.predicate)):
                known /= _fixed(argument, values)
            size = min(size, known)
        return max(size, 1.0)

    def join(self, body: Iterable[Literal], sets: Mapping[Variable, TermSet]) -> float:
        """How many instances a conjunction has when its variables range over `sets`."""
        total = 0.0
        seen: dict[Variable, float] = {}
        tested: set[Variable] = set()
        for literal in body:
            if literal.kind is not Kind.POSITIVE:
                tested.update(literal.variables())
                continue
            total += math.log(self.literal(literal, sets))
            for variable in dict.fromkeys(literal.variables()):
                if variable in seen:
                    total -= seen[variable]
                else:
                    seen[variable] = math.log(self.combinations([variable], sets))
        for variable in tested:
            if variable not in seen:
                total += math.log(self.combinations([variable], sets))
        return math.exp(min(max(total, 0.0), 600.0))


def product(sizes: Iterable[float]) -> float:
    """The product of sizes, each at least 1, kept finite."""
    result = 1.0
    for size in sizes:
        result = min(result * max(size, 1.0), 1e30)
    return result


def _fixed(argument: Term, values: TermSet) -> float:
    """By how much an argument's constants cut a relation down."""
    if isinstance(argument, str):
        return max(1.0, values.size()) if not values.top else 1.0
    if isinstance(argument, tuple) and not values.top:
        inner = values.functors.get((str(argument[0]), len(argument) - 1))
        if inner is not None:
            # The functor itself is accounted for by the measured size.
            return product(_fixed(a, v) for a, v in zip(argument[1:], inner))
    return 1.0
