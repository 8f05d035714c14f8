"""What rules leave out: roles without goals, fluents outside base, moves outside input."""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.gdl.domains import Domains, TermSet, image, variable_sets
from woodstock.gdl.findings import Findings, nearest
from woodstock.gdl.keywords import players_of
from woodstock.gdl.rules import Kind, Predicate, Rule, Rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Term, Variable

__all__ = ["check_coverage"]

_LEGAL, _GOAL, _TRUE = Predicate("legal", 2), Predicate("goal", 2), Predicate("true", 1)
_BASE, _INPUT = Predicate("base", 1), Predicate("input", 2)


def check_coverage(rules: Rules, domains: Domains, report: Findings) -> None:
    """Report what the rules leave out, as far as their patterns alone prove it."""
    _check_goals(rules, domains, report)
    _check_strangers(rules, domains, report)
    for head, bound, what in (
        (Predicate("init", 1), _BASE, "fluent"),
        (Predicate("next", 1), _BASE, "fluent"),
        (_LEGAL, _INPUT, "move"),
    ):
        if bound in rules.by_head:
            for rule in rules.by_head.get(head, ()):
                _check_bound(rule, domains, bound, what, report)


def _check_goals(rules: Rules, domains: Domains, report: Findings) -> None:
    given = rules.by_head.get(_GOAL, ())
    named = domains.of(_GOAL)[0]
    if not given or named.top or not named.constants:
        return
    for role in players_of(rules.roles):
        if role not in named.constants:
            report.add(
                "warning",
                "goal",
                f"no rule gives {role} a goal",
                f"add rules for (goal {role} value)",
                given[0].clause,
            )


def _check_strangers(rules: Rules, domains: Domains, report: Findings) -> None:
    """Names that a fluent says whose turn it is, ``(control red)``, though they are no roles.

    Such a fluent has one argument, and a rule for legal moves takes that for a role.
    """
    for rule in rules.by_head.get(_LEGAL, ()):
        who = rule.arguments[0]
        for literal in rule.body:
            fluent = literal.arguments[0] if literal.predicate == _TRUE else None
            if literal.kind is not Kind.POSITIVE or not isinstance(who, Variable):
                continue
            if not isinstance(fluent, tuple) or fluent[1:] != (who,):
                continue
            named = domains.of(_TRUE)[0].functors.get((str(fluent[0]), 1), [TermSet()])[0]
            strangers = sorted(named.constants - {*rules.roles})
            for name in strangers if named.constants & {*rules.roles} else ():
                report.add(
                    "warning",
                    "role",
                    f"({fluent[0]} {name}) gives the move to {name}, which is no role",
                    nearest(name, rules.roles) or f"the roles are {', '.join(rules.roles)}",
                    _made_by(rules, fluent[0], name) or rule.clause,
                )


def _made_by(rules: Rules, functor: Term, name: str) -> Clause | None:
    """The first clause that makes the fluent of this name."""
    for head in (Predicate("init", 1), Predicate("next", 1)):
        for rule in rules.by_head.get(head, ()):
            if rule.arguments[0] == (functor, name):
                return rule.clause
    return None


def _check_bound(
    rule: Rule, domains: Domains, bound: Predicate, what: str, report: Findings
) -> None:
    sets = variable_sets(rule.body, domains)
    if sets is None:
        return
    made = image(rule.arguments[-1], sets)
    allowed = domains.of(bound)[-1]
    if made.meet(allowed):
        return
    report.add(
        "warning",
        bound.name,
        f"{bound.name} does not cover the {what} {rule.arguments[-1]}",
        nearest(next(_names(rule.arguments[-1])), _set_names(allowed))
        or f"add it to the rules for {bound.name}",
        rule.clause,
    )


def _names(term: Term) -> Iterator[str]:
    yield str(term[0]) if isinstance(term, tuple) else str(term)


def _set_names(values: TermSet) -> list[str]:
    return sorted(values.constants) + [name for name, _ in values.functors]
