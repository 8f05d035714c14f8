"""Terms that grow for ever, from state to state: ``(next (count (s ?n)))`` from ``(count ?n)``.

The specification bounds recursion inside a state (`woodstock.gdl.stratification`) and says nothing
of fluents that grow with every move. Engines that ground the rules never get ready with them.
"""

from __future__ import annotations

from woodstock.gdl.domains import Domains, TermSet
from woodstock.gdl.findings import Findings
from woodstock.gdl.rules import Kind, Predicate, Rule, Rules
from woodstock.gdl.stratification import components
from woodstock.gdl.terms import Term, Variable, variables

__all__ = ["check_growth"]

Node = tuple[str, str, int]
"""A kind of fluent or move, or a relation: ``("true", "cell", 3)``, ``("", "succ", 2)``."""

_OUTSIDE = {"init": "true", "next": "true", "true": "true", "legal": "does", "does": "does"}


def check_growth(rules: Rules, domains: Domains, report: Findings) -> None:
    """Report rules through which fluents grow without end."""
    # Where all that can ever hold is finite, nothing grows.
    if not any(_is_endless(values) for values in domains.of(Predicate("true", 1))):
        return
    homes = _homes(rules)
    for rule in rules.rules:
        if rule.head.name == "next" and _grows(rule, homes):
            report.add(
                "warning",
                "growth",
                f"the fluent {rule.arguments[0]} grows with every move, for ever",
                "count with facts such as (succ 1 2), or add a condition that bounds it",
                rule.clause,
            )


def _is_endless(values: TermSet) -> bool:
    return values.top or any(
        _is_endless(inner) for arguments in values.functors.values() for inner in arguments
    )


def _node(predicate: Predicate, arguments: tuple[Term, ...]) -> tuple[Node, tuple[Term, ...]]:
    """The kind of an atom, and what it says of one: the arguments of its fluent or move."""
    kind = _OUTSIDE.get(predicate.name)
    if kind is None or not arguments:
        return ("", predicate.name, predicate.arity), arguments
    term = arguments[-1]
    if isinstance(term, tuple):
        return (kind, str(term[0]), len(term) - 1), term[1:]
    return (kind, "" if isinstance(term, Variable) else term, 0), ()


def _homes(rules: Rules) -> dict[Node, int]:
    """For each kind the number of its group: kinds of a group are made from each other."""
    numbers: dict[Node, int] = {}
    edges: list[list[int]] = []

    def number(node: Node) -> int:
        if node not in numbers:
            numbers[node] = len(edges)
            edges.append([])
        return numbers[node]

    for rule in rules.rules:
        head = number(_node(rule.head, rule.arguments)[0])
        for literal in rule.body:
            if literal.kind is Kind.POSITIVE:
                edges[head].append(number(_node(literal.predicate, literal.arguments)[0]))
    group = {n: place for place, found in enumerate(components(edges)) for n in found}
    return {node: group[n] for node, n in numbers.items()}


def _grows(rule: Rule, homes: dict[Node, int]) -> bool:
    """Whether a part of the head holds more than the recursive condition that it comes from."""
    node, parts = _node(rule.head, rule.arguments)
    inside: set[Variable] = set()
    outside: set[Variable] = set()
    for literal in rule.body:
        if literal.kind is Kind.POSITIVE:
            kind, arguments = _node(literal.predicate, literal.arguments)
            if homes[kind] == homes[node]:
                # As a whole argument: what lies deeper in the condition was there before.
                inside.update(a for a in arguments if isinstance(a, Variable))
            else:
                outside.update(literal.variables())
    wrapped = {v for part in parts if isinstance(part, tuple) for v in variables(part)}
    return bool(wrapped & inside - outside)
