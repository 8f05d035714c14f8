"""Slips of the finger: a name that stands once, one letter away from another in the same place.

GDL declares nothing, so a misspelt name is a new one. What is reported here is likely, not proved:
a constant, a relation, a fluent or a variable that nothing else speaks of, beside one that differs
from it as typing mistakes do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from woodstock.gdl.domains import Domains, TermSet
from woodstock.gdl.findings import Findings, is_slip_of
from woodstock.gdl.keywords import KEYWORDS
from woodstock.gdl.rules import Kind, Predicate, Rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Term, Variable, variables

__all__ = ["check_slips"]

MOST_PAIRS = 200_000
"""Names that are compared; large tables of facts hold more, and few misspelt ones."""

_TRUE = Predicate("true", 1)
_MAKERS = (Predicate("init", 1), Predicate("next", 1))


def check_slips(rules: Rules, domains: Domains, report: Findings) -> None:
    """Report names that are probably misspelt."""
    _check_constants(rules, domains, report)
    _check_fluents(rules, report)
    _check_relations(rules, report)
    _check_variables(rules, report)


def _check_constants(rules: Rules, domains: Domains, report: Findings) -> None:
    """A constant that stands once, beside another in the same argument of the same relation."""
    uses: dict[str, list[Clause]] = {}
    for clause in rules.sheet.clauses:
        for formula in (clause.head, *clause.body):
            for name in _constants(formula):
                uses.setdefault(name, []).append(clause)
    once = {name: places[0] for name, places in uses.items() if len(places) == 1}
    for values in _sets(domains):
        known = values.constants | ({*rules.roles} if values.constants & {*rules.roles} else set())
        alone, others = sorted(values.constants & once.keys()), sorted(known - once.keys())
        if len(alone) * len(others) > MOST_PAIRS:
            continue
        for name in alone:
            meant = [other for other in others if is_slip_of(name, other)]
            said = any(one.code == "role" and name in one.message.split() for one in report.found)
            if meant and not said:
                role = meant[0] in rules.roles
                report.add(
                    "warning",
                    "role" if role else "spelling",
                    f"{name} stands here alone" + (" and is no role" if role else ""),
                    f"did you mean {meant[0]}?",
                    once[name],
                )


def _constants(term: Term) -> Iterator[str]:
    """The constants of a formula, but for names of relations and functions."""
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _constants(part)


def _sets(domains: Domains) -> Iterator[TermSet]:
    agenda = [values for arguments in domains.arguments.values() for values in arguments]
    while agenda:
        values = agenda.pop()
        yield values
        for arguments in values.functors.values():
            agenda.extend(arguments)


def _check_fluents(rules: Rules, report: Findings) -> None:
    """A fluent that is made and never read, beside one that is read."""
    read = {l.arguments[0] for r in rules.rules for l in r.body if l.predicate == _TRUE}
    if any(isinstance(pattern, Variable) for pattern in read):
        return
    names = {_name(pattern) for pattern in read}
    for head in _MAKERS:
        for rule in rules.by_head.get(head, ()):
            made = rule.arguments[0]
            if isinstance(made, Variable) or _name(made) in names:
                continue
            meant = [name for name in sorted(names) if is_slip_of(_name(made), name)]
            if meant:
                report.add(
                    "warning",
                    "spelling",
                    f"no rule reads the fluent {made} that is made here",
                    f"did you mean {meant[0]}?",
                    rule.clause,
                )


def _name(term: Term) -> str:
    return str(term[0]) if isinstance(term, tuple) else str(term)


def _check_relations(rules: Rules, report: Findings) -> None:
    """A relation that is defined and never used, beside one that is used."""
    used = {l.predicate for rule in rules.rules for l in rule.body if l.kind is not Kind.DISTINCT}
    names = {predicate.name for predicate in used} | KEYWORDS
    for head, group in rules.by_head.items():
        if head.name in names:
            continue
        meant = [name for name in sorted(names) if is_slip_of(head.name, name)]
        if meant:
            report.add(
                "warning",
                "spelling",
                f"no rule uses {head}, which is defined here",
                f"did you mean {meant[0]}?",
                group[0].clause,
            )


def _check_variables(rules: Rules, report: Findings) -> None:
    """A variable that stands once in a rule, beside another of nearly the same name."""
    for clause in rules.sheet.clauses:
        counts = Counter(v for part in (clause.head, *clause.body) for v in variables(part))
        for variable, count in counts.items():
            if count > 1:
                continue
            meant = [other for other in counts if is_slip_of(variable.name, other.name)]
            if meant:
                report.add(
                    "warning",
                    "spelling",
                    f"{variable} stands only once in its rule",
                    f"did you mean {meant[0]}?",
                    clause,
                    _place(clause, variable),
                )


def _place(clause: Clause, variable: Variable) -> int:
    for number, formula in enumerate(clause.body):
        if variable in variables(formula):
            return clause.place(number)
    return clause.place()
