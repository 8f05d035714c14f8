"""Drop conditions that the other conditions of a rule already imply.

Sheets guard variables with type predicates, ``(role ?p)`` or ``(cell ?x ?y)``, that another
literal bounds anyway. They cost nothing to check but tie variables together and so hinder cuts.
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.gdl.domains import Domains, TermSet, variable_sets
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, group_by_head
from woodstock.gdl.terms import Variable, variables

__all__ = ["Implied"]


class Implied:
    """Knows the relations of a rule set that hold for all their arguments."""

    def __init__(self, rules: Sequence[Rule], domains: Domains) -> None:
        self._domains = domains
        self._full = _full_relations(rules, domains)

    def drop(self, rule: Rule) -> Rule:
        """The rule without literals of full relations whose arguments are bound to fit."""
        body = list(rule.body)
        for literal in rule.body:
            values = self._full.get(literal.predicate)
            if values is None or literal.kind is not Kind.POSITIVE:
                continue
            others = [l for l in body if l is not literal]
            bound = {v for l in others if l.kind is Kind.POSITIVE for v in l.variables()}
            if not set(literal.variables()) <= bound:
                continue
            sets = variable_sets(others, self._domains)
            if sets is not None and _fits(literal, values, sets):
                body = others
        return rule._replace(body=tuple(body))


def _full_relations(rules: Sequence[Rule], domains: Domains) -> dict[Predicate, list[TermSet]]:
    """Relations of facts that hold for *every* combination of their arguments' values."""
    by_head = group_by_head(rules)
    full: dict[Predicate, list[TermSet]] = {}
    for head, group in by_head.items():
        if head.arity and all(not rule.body for rule in group):
            combinations = 1.0
            for values in domains.of(head):
                combinations *= values.size()
            if len({rule.arguments for rule in group}) == combinations:
                full[head] = domains.of(head)
    # A product of full relations over different variables is full as well.
    for head, group in by_head.items():
        if len(group) == 1 and group[0].body and head not in full:
            rule = group[0]
            names = [v for l in rule.body for a in l.arguments for v in (a,)]
            if (
                all(l.kind is Kind.POSITIVE and l.predicate in full for l in rule.body)
                and all(isinstance(n, Variable) for n in names)
                and len(set(names)) == len(names)
                and all(isinstance(a, Variable) for a in rule.arguments)
                and set(names) == set(rule.arguments)
                and len(rule.arguments) == len(names)
            ):
                full[head] = domains.of(head)
    return full


def _fits(literal: Literal, values: list[TermSet], sets: dict[Variable, TermSet]) -> bool:
    for argument, allowed in zip(literal.arguments, values):
        if isinstance(argument, Variable):
            if argument not in sets or not sets[argument] <= allowed:
                return False
        elif isinstance(argument, str):
            if argument not in allowed.constants:
                return False
        elif any(True for _ in variables(argument)) or argument not in set(allowed.terms()):
            return False
    return True
