"""From the rules of a game to rules a grounder takes: safe, relevant, few.

* Negated literals with variables of their own ("for no ?x") become a helper predicate.
* Fluents that nothing can change (they hold at the start and merely persist) become facts.
* Predicates no keyword depends on are left out.
* Helpers are grounded only for the arguments that somebody uses: value by value
  (`Domains.demand`) and, for large helpers, in combination (`restrict_to_demand`).
* Rules are split (`Splitter`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.gdl.domains import ROOTS, Domains, TermSet
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules
from woodstock.gdl.terms import Compound, Variable
from woodstock.ground.demand import restrict_to_demand
from woodstock.ground.estimate import Sizes
from woodstock.ground.reach import relax
from woodstock.ground.relevance import relevant
from woodstock.ground.splitting import Splitter

__all__ = ["Prepared", "prepare"]

_INIT = Predicate("init", 1)
_TRUE = Predicate("true", 1)
_NEXT = Predicate("next", 1)
_USED = ROOTS - {"base", "input"}
MAX_DEMANDED = 2000
"""Demand sets larger than this are not worth spelling out as facts."""


@dataclass(frozen=True)
class Prepared:
    """Rules to ground.

    `costly`: some helper needed guards, so a first look at what is reachable may pay
    (`woodstock.ground.reach`).
    """

    rules: list[Rule]
    costly: bool = False


def prepare(
    rules: Rules, *, split: bool = True, measured: Sizes | None = None, relaxed: bool = False
) -> Prepared:
    """The rules to ground. With ``split=False`` they are only made safe, for comparison.

    `measured` holds the sizes of relations in an earlier grounding, where there was one; with
    `relaxed` only what decides which fluents are reachable is kept, and relaxed.
    """
    safe = relevant(_project_negations(rules.rules), _USED)
    if not split:
        return Prepared(safe)
    limited = _limit_to_demand(relevant(_freeze_fluents(safe), _USED))
    if relaxed:
        limited = relax(limited)
    guarded, costly = restrict_to_demand(limited)
    return Prepared(Splitter(guarded, measured).rules, costly)


def _project_negations(rules: Sequence[Rule]) -> list[Rule]:
    """``(not (p ?x ?y))`` with ?y nowhere else is "for no ?y": negate a projection instead."""
    result: list[Rule] = []
    made: dict[object, Predicate] = {}
    for rule in rules:
        bound = {v for l in rule.body if l.kind is Kind.POSITIVE for v in l.variables()}
        body: list[Literal] = []
        for literal in rule.body:
            names = tuple(dict.fromkeys(literal.variables()))
            if literal.kind is Kind.NEGATIVE and not set(names) <= bound:
                kept = tuple(v for v in names if v in bound)
                key = (literal, kept)
                predicate = made.get(key)
                if predicate is None:
                    predicate = made[key] = Predicate(f"some {len(made)}", len(kept))
                    positive = literal._replace(kind=Kind.POSITIVE)
                    result.append(Rule(predicate, kept, (positive,), rule.clause))
                literal = Literal(Kind.NEGATIVE, predicate, kept)
            body.append(literal)
        result.append(rule._replace(body=tuple(body)))
    return result


def _freeze_fluents(rules: Sequence[Rule]) -> list[Rule]:
    """Read fluents that only ever persist from the initial state instead of the current one."""
    persisting: dict[tuple[str, int], bool] = {}
    for rule in rules:
        if rule.head != _NEXT:
            continue
        fluent = rule.arguments[0]
        if not isinstance(fluent, tuple):
            if isinstance(fluent, Variable):
                return list(rules)  # (next ?f) may be about any fluent
            continue
        functor = (str(fluent[0]), len(fluent) - 1)
        arguments = fluent[1:]
        plain = (
            all(isinstance(a, Variable) for a in arguments)
            and len(set(arguments)) == len(arguments)
            and rule.body == (Literal(Kind.POSITIVE, _TRUE, (fluent,)),)
        )
        persisting[functor] = persisting.get(functor, True) and plain
    frozen = {functor for functor, plain in persisting.items() if plain}
    if not frozen:
        return list(rules)

    def read(literal: Literal) -> Literal:
        if literal.predicate == _TRUE and isinstance(literal.arguments[0], tuple):
            fluent = literal.arguments[0]
            if (str(fluent[0]), len(fluent) - 1) in frozen:
                return Literal(
                    literal.kind, Predicate(f"always {fluent[0]}", len(fluent) - 1), fluent[1:]
                )
        return literal

    result = [rule._replace(body=tuple(read(l) for l in rule.body)) for rule in rules]
    clause = rules[0].clause
    for name, arity in sorted(frozen):
        arguments = tuple(Variable(f"a{i}") for i in range(arity))
        held = Literal(Kind.POSITIVE, _INIT, (Compound((name, *arguments)),))
        result.append(Rule(Predicate(f"always {name}", arity), arguments, (held,), clause))
    return result


def _limit_to_demand(rules: Sequence[Rule]) -> list[Rule]:
    """Add to helpers' rules the condition that their arguments are ones somebody asks for."""
    domains = Domains(rules)
    result: list[Rule] = []
    facts: dict[object, Predicate] = {}
    for rule in rules:
        demand = domains.demand.get(rule.head)
        if rule.head.name in ROOTS or demand is None or not rule.body:
            if rule.head.name in ROOTS or demand is not None:
                result.append(rule)
            continue
        extra: list[Literal] = []
        for argument, wanted, possible in zip(rule.arguments, demand, domains.of(rule.head)):
            if not isinstance(argument, Variable) or wanted.top or possible <= wanted:
                continue
            if wanted.functors or len(wanted.constants) > MAX_DEMANDED:
                continue
            extra.append(_asked(wanted, argument, facts, result, rule))
        result.append(rule._replace(body=(*rule.body, *extra)))
    return result


def _asked(
    wanted: TermSet,
    variable: Variable,
    facts: dict[object, Predicate],
    result: list[Rule],
    rule: Rule,
) -> Literal:
    key = frozenset(wanted.constants)
    predicate = facts.get(key)
    if predicate is None:
        predicate = facts[key] = Predicate(f"asked {len(facts)}", 1)
        result.extend(Rule(predicate, (c,), (), rule.clause) for c in sorted(key))
    return Literal(Kind.POSITIVE, predicate, (variable,))
