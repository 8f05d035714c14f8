"""Cut rules with many variables into rules with few, before they are grounded.

A rule with n variables has up to |domain|^n instances, although a condition on two of them rarely
needs to be repeated for all values of the others. Variables that the head does not use are
eliminated one after the other, as in a join tree: the literals that hold the variable become the
body of a new predicate over their remaining variables (the idea of lpopt by Bichler, Morak and
Woltran). A cut is made only where the estimated number of ground rules falls.

A cut-off part may hold a negated literal or a `distinct` whose variables the *rest* of the rule
binds. They are bound by a **guard**: the projection of a literal of the rest. Guards only limit
what is instantiated; the rest of the rule repeats their condition, so they are dropped from the
ground program again.
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.gdl.domains import EVERYTHING, Domains, TermSet, variable_sets
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Compound, Term, Variable, variables
from woodstock.ground.estimate import Estimator, Sizes
from woodstock.ground.guards import GUARD
from woodstock.ground.implied import Implied
from woodstock.ground.unfolding import Unfolder

__all__ = ["AUXILIARY", "Splitter"]

AUXILIARY = "part "
MAX_LITERALS = 200
"""Longer bodies are left whole: planning takes cubic time. The longest public one has 102."""
WORTHWHILE = 0.75
"""A cut must leave at most this share of a rule's instances."""


class Splitter:
    """Rewrites rules one by one; parts and guards that several rules need are made once."""

    def __init__(self, rules: Sequence[Rule], measured: Sizes | None = None) -> None:
        self.domains = Domains(rules)
        self.estimator = Estimator(rules, self.domains, measured)
        self.rules: list[Rule] = []
        self._made: dict[object, Predicate] = {}
        self._unfolder = Unfolder(rules, self.domains, self.estimator)
        self._implied = Implied(rules, self.domains)
        for rule in rules:
            self._add(rule)

    def _add(self, rule: Rule) -> None:
        """Split a rule as it is or with its dense helpers written out, whichever is cheaper."""
        choices = [[self._implied.drop(rule)]]
        unfolded = self._unfolder.unfold(rule)
        if unfolded is not None:
            choices.append([self._implied.drop(variant) for variant in unfolded])
        plans = [[self._plan(variant) for variant in choice] for choice in choices]
        costs = [sum(cost for cost, _ in plan) for plan in plans]
        best = costs.index(min(costs))
        for variant, (_, order) in zip(choices[best], plans[best]):
            self._apply(variant, order)

    def _plan(self, rule: Rule) -> tuple[float, list[Variable]]:
        """Which variables to eliminate, in which order, and the instances that are left.

        Two greedy orders are tried: by what the whole rule then costs, and by the part alone.
        """
        sets = variable_sets(rule.body, self.domains)
        if sets is None:
            return 0.0, []
        if len(rule.body) > MAX_LITERALS:
            return self.estimator.join(rule.body, sets), []
        plans = [self._greedy(rule, sets, whole) for whole in (True, False)]
        return min(plans, key=lambda plan: plan[0])

    def _greedy(
        self, rule: Rule, sets: dict[Variable, TermSet], whole: bool
    ) -> tuple[float, list[Variable]]:
        body = list(rule.body)
        head = {v for a in rule.arguments for v in variables(a)}
        order: list[Variable] = []
        spent = 0.0
        cost = self.estimator.join(body, sets)
        plan = (cost, 0)  # the cheapest point at which to stop
        while True:
            best: tuple[float, float, float, Variable, list[Literal]] | None = None
            for variable in dict.fromkeys(v for l in body for v in l.variables()):
                if variable not in head:
                    priced = self._price(body, variable, head, sets, len(order))
                    if priced is not None:
                        inner, outer, remaining = priced
                        key = inner + outer if whole else inner
                        if best is None or key < best[0]:
                            best = (key, inner, outer, variable, remaining)
            if best is None:
                break
            spent += best[1]
            order.append(best[3])
            body = best[4]
            if spent + best[2] < plan[0] * WORTHWHILE:
                plan = (spent + best[2], len(order))
        return plan[0], order[: plan[1]]

    def _apply(self, rule: Rule, order: list[Variable]) -> None:
        sets = variable_sets(rule.body, self.domains)
        if sets is None:
            return  # some positive literal can never hold
        body = list(rule.body)
        head = {v for a in rule.arguments for v in variables(a)}
        for variable in order:
            body = self._cut(body, variable, head, sets, rule.clause)
        self.rules.append(Rule(rule.head, rule.arguments, tuple(body), rule.clause))

    def _bag(
        self, body: list[Literal], variable: Variable, head: set[Variable]
    ) -> tuple[list[Literal], list[Literal], list[Variable]]:
        """The literals that hold a variable, the others, and the variables both sides share."""
        bag = [l for l in body if variable in l.variables()]
        rest = [l for l in body if variable not in l.variables()]
        outside = head | {v for l in rest for v in l.variables()}
        shared = [v for v in dict.fromkeys(v for l in bag for v in l.variables()) if v in outside]
        return bag, rest, shared

    def _price(
        self,
        body: list[Literal],
        variable: Variable,
        head: set[Variable],
        sets: dict[Variable, TermSet],
        step: int,
    ) -> tuple[float, float, list[Literal]] | None:
        """What eliminating a variable costs; None when it cannot be done.

        Instances of the part, instances of what remains, and the body that remains.
        """
        bag, rest, shared = self._bag(body, variable, head)
        if not rest and len(shared) == len(head):
            return None  # the part would be the rule itself
        if not any(l.kind is Kind.POSITIVE for l in bag):
            return None
        if self._guards(bag, rest) is None:
            return None
        inner = self.estimator.join(bag, sets)
        limit = self.estimator.combinations(shared, sets)
        part = Literal(Kind.POSITIVE, Predicate(f"planned {step}", len(shared)), tuple(shared))
        self.estimator.learn(part.predicate, min(inner, limit))
        remaining = [*rest, part]
        return inner, self.estimator.join(remaining, sets), remaining

    def _guards(
        self, bag: list[Literal], rest: list[Literal]
    ) -> list[tuple[Literal, tuple[Variable, ...]]] | None:
        """Literals of the rest to bind what a part's tests need; None when nothing binds it."""
        bound = {v for l in bag if l.kind is Kind.POSITIVE for v in l.variables()}
        loose = [
            v
            for v in dict.fromkeys(
                v for l in bag if l.kind is not Kind.POSITIVE for v in l.variables()
            )
            if v not in bound
        ]
        guards = []
        binders = [l for l in rest if l.kind is Kind.POSITIVE]
        while loose:
            # The literal that binds most of them at once bounds them most tightly.
            best = max(
                binders,
                key=lambda l: (
                    len(set(l.variables()) & set(loose)),
                    -self.estimator.count.get(l.predicate, 1e9),
                ),
                default=None,
            )
            together = tuple(v for v in loose if best is not None and v in best.variables())
            if best is None or not together:
                return None
            guards.append((best, together))
            loose = [v for v in loose if v not in together]
        return guards

    def _cut(
        self,
        body: list[Literal],
        variable: Variable,
        head: set[Variable],
        sets: dict[Variable, TermSet],
        clause: Clause,
    ) -> list[Literal]:
        bag, rest, shared = self._bag(body, variable, head)
        guards = self._guards(bag, rest) or []
        inner = [*bag, *(self._guard(l, names, sets, clause) for l, names in guards)]
        part = self._define(AUXILIARY, inner, tuple(shared), sets, clause)
        return [*rest, part]

    def _guard(
        self,
        literal: Literal,
        names: tuple[Variable, ...],
        sets: dict[Variable, TermSet],
        clause: Clause,
    ) -> Literal:
        return self._define(GUARD, [literal], names, sets, clause)

    def _define(
        self,
        prefix: str,
        body: list[Literal],
        names: tuple[Variable, ...],
        sets: dict[Variable, TermSet],
        clause: Clause,
    ) -> Literal:
        """A predicate for a conjunction, projected to `names`; made once for equal ones."""
        key, order = _canonical(prefix, body, names)
        predicate = self._made.get(key)
        if predicate is None:
            predicate = Predicate(f"{prefix}{len(self._made)}", len(order))
            self._made[key] = predicate
            limit = self.estimator.combinations(order, sets)
            self.estimator.learn(predicate, min(self.estimator.join(body, sets), limit))
            self.domains.arguments[predicate] = [sets.get(v, EVERYTHING).copy() for v in order]
            rule = Rule(predicate, order, tuple(body), clause)
            self._apply(rule, self._plan(rule)[1])
        else:
            # Shared by rules whose variables range differently: keep the union.
            for own, v in zip(self.domains.arguments[predicate], order):
                own.add(sets.get(v, EVERYTHING))
        return Literal(Kind.POSITIVE, predicate, order)


def _canonical(
    prefix: str, body: Sequence[Literal], names: tuple[Variable, ...]
) -> tuple[object, tuple[Variable, ...]]:
    """A key for a conjunction and its projected variables in the order that goes with the key.

    Conjunctions that differ only in the names of variables get equal keys, mostly.
    """
    shape = sorted(body, key=lambda l: (l.kind.value, l.predicate, str(_blank(l.arguments))))
    numbers: dict[Variable, int] = {}

    def rename(term: Term) -> object:
        if isinstance(term, Variable):
            return numbers.setdefault(term, len(numbers))
        if isinstance(term, tuple):
            return tuple(rename(part) for part in term)
        return term

    literals = tuple(
        (l.kind, l.predicate, tuple(rename(argument) for argument in l.arguments)) for l in shape
    )
    order = tuple(sorted(names, key=lambda v: numbers[v]))
    return (prefix, literals, tuple(numbers[v] for v in order)), order


def _blank(arguments: Sequence[Term]) -> object:
    def blank(term: Term) -> Term:
        if isinstance(term, Variable):
            return "_"
        if isinstance(term, tuple):
            return Compound(blank(part) for part in term)
        return term

    return [str(blank(a)) for a in arguments]
