"""A first look at which fluents can ever hold, for rules that are costly to ground.

Grounding follows the game: new fluents give new moves, new moves give new fluents. With costly
helpers in that loop the grounder joins them again and again. So they are kept out of it: the rules
are relaxed (negations and costly conditions are dropped where others bind their variables), the
relaxed rules are grounded for their fluents, and the full rules are then grounded once over these.
A relaxed rule never holds less often, so no fluent is missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.gdl.domains import Domains
from woodstock.gdl.rules import Kind, Literal, Rule
from woodstock.ground.estimate import Estimator
from woodstock.ground.relevance import relevant

__all__ = ["relax"]

COSTLY = 3000.0
"""Helpers with more estimated instances are dropped from conditions where that is possible."""

_LOOP = frozenset({"init", "next", "legal"})


def relax(rules: Sequence[Rule]) -> list[Rule]:
    """Rules that reach at least the fluents the given ones reach, and are cheaper to ground."""
    estimator = Estimator(rules, Domains(rules))
    return relevant([_relax_rule(rule, estimator) for rule in rules], _LOOP)


def _relax_rule(rule: Rule, estimator: Estimator) -> Rule:
    body = [l for l in rule.body if l.kind is not Kind.NEGATIVE]
    for literal in rule.body:
        if _is_costly(literal, estimator):
            others = {
                v
                for l in body
                if l is not literal and l.kind is Kind.POSITIVE
                for v in l.variables()
            }
            if set(literal.variables()) <= others:
                body.remove(literal)
    return rule._replace(body=tuple(body))


def _is_costly(literal: Literal, estimator: Estimator) -> bool:
    return (
        literal.kind is Kind.POSITIVE
        and literal.predicate.name not in ("true", "does")
        and estimator.count.get(literal.predicate, 0.0) >= COSTLY
    )
