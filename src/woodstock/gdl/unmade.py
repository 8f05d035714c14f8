"""Conditions that can never hold: fluents that nothing makes, moves that are never legal.

A misspelt fluent is no error of GDL: the condition just never holds, and the rule around it never
applies. What is reported is proved: no rule of the sheet, applied in whatever state, makes what the
condition asks for. Where a rule cannot apply because another one cannot, only the other is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from woodstock.gdl.domains import Domains, TermSet, restrict, variable_sets
from woodstock.gdl.findings import Findings, nearest
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.stratification import MAX_PAIRS, HeadIndex, may_match
from woodstock.gdl.terms import Compound, Term, Variable

__all__ = ["check_unmade"]

_TRUE, _DOES = Predicate("true", 1), Predicate("does", 2)
_MAKERS = {
    _TRUE: (Predicate("init", 1), Predicate("next", 1)),
    _DOES: (Predicate("legal", 2),),
}
_MADE = {_TRUE: "no init or next makes", _DOES: "no legal rule allows"}
MOST_VALUES = 6


def check_unmade(rules: Rules, domains: Domains, report: Findings) -> None:
    """Report conditions that never hold, and rules that for another reason never apply."""
    before = len(report.found)
    makers = _Makers(rules)
    for rule in rules.rules:
        if not _contradicts_itself(rule, report):
            for literal in rule.body:
                if not makers.can_make(literal):
                    _report_literal(rules, rule, literal, report)
    if len(report.found) == before:
        _check_dead(rules, domains, report)


def place_of(clause: Clause, wanted: Term) -> int:
    """Where the formula stands that holds a term, the head where there is none."""
    for number, formula in enumerate(clause.body):
        if any(part == wanted for part in _parts(formula)):
            return clause.place(number)
    return clause.place()


def _parts(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, tuple):
        for part in term[1:]:
            yield from _parts(part)


def _contradicts_itself(rule: Rule, report: Findings) -> bool:
    for literal in rule.body:
        if literal.kind is Kind.DISTINCT and literal.arguments[0] == literal.arguments[1]:
            same = literal.arguments[0]
            report.add(
                "warning",
                "never",
                f"the rule never applies: {same} is never distinct from itself",
                "compare two different terms",
                rule.clause,
                place_of(rule.clause, Compound(("distinct", same, same))),
            )
            return True
        if literal.kind is Kind.NEGATIVE:
            opposite = literal._replace(kind=Kind.POSITIVE)
            if opposite in rule.body:
                report.add(
                    "warning",
                    "never",
                    f"the rule never applies: it asks for {opposite} and for its opposite",
                    "drop one of the two conditions",
                    rule.clause,
                )
                return True
    return False


class _Makers:
    """Tells whether the head of any rule fits a condition, within a bound on the effort."""

    def __init__(self, rules: Rules) -> None:
        feeds = {head: outside for outside, heads in _MAKERS.items() for head in heads}
        self._rules = [rule._replace(head=feeds.get(rule.head, rule.head)) for rule in rules.rules]
        self._index = HeadIndex(self._rules)
        self._known = {rule.head for rule in self._rules}
        self._effort = 0

    def can_make(self, literal: Literal) -> bool:
        """Whether it may hold; also where that is nobody's business here, or takes too long."""
        if literal.kind is Kind.DISTINCT or literal.predicate not in self._known:
            return True
        if literal.kind is Kind.NEGATIVE and literal.predicate not in _MAKERS:
            return True
        candidates = self._index.candidates(literal)
        self._effort += len(candidates)
        if self._effort > MAX_PAIRS:
            return True
        return any(_fits(literal, self._rules[number]) for number in candidates)


def _makers(rules: Rules, predicate: Predicate) -> list[Rule]:
    heads = _MAKERS.get(predicate, (predicate,))
    return [rule for head in heads for rule in rules.by_head.get(head, ())]


def _fits(literal: Literal, maker: Rule) -> bool:
    return all(may_match(a, b) for a, b in zip(literal.arguments, maker.arguments))


def _report_literal(rules: Rules, rule: Rule, literal: Literal, report: Findings) -> None:
    """Report a condition that the head of no rule fits."""
    outside = literal.predicate in _MAKERS
    makers = _makers(rules, literal.predicate)
    asked = literal.arguments[-1] if outside else _term(literal)
    made = [m.arguments[-1] if outside else _head(m) for m in makers]
    reason, remedy = _reason(asked, made, rules.roles)
    what = _MADE.get(literal.predicate, "no rule gives")
    always = "always" if literal.kind is Kind.NEGATIVE else "never"
    report.add(
        "warning",
        "unmade" if outside else "never",
        f"{literal} {always} holds: {what} {reason}",
        remedy or "correct its spelling, or write the rule that makes it",
        rule.clause,
        place_of(rule.clause, _term(literal)),
    )


def _term(literal: Literal) -> Term:
    return Compound((literal.predicate.name, *literal.arguments)) if literal.arguments else ""


def _head(rule: Rule) -> Term:
    return Compound((rule.head.name, *rule.arguments)) if rule.arguments else ""


def _reason(asked: Term, made: Sequence[Term], roles: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a term that none of those made fits, and what may have been meant."""
    if not isinstance(asked, tuple):
        return str(asked), nearest(str(asked), map(_name, made))
    name, size = str(asked[0]), len(asked)
    named = [term for term in made if _name(term) == name]
    alike = [term for term in named if isinstance(term, tuple) and len(term) == size]
    if not named:
        return f"any {name}", nearest(name, map(_name, made))
    if not alike:
        sizes = sorted({len(term) - 1 if isinstance(term, tuple) else 0 for term in named})
        counts = " or ".join(map(str, sizes))
        word = "argument" if sizes == [1] else "arguments"
        return f"{name} with {size - 1} arguments", f"give it {counts} {word}"
    for place in range(1, size):
        if not any(may_match(asked[place], term[place]) for term in alike):
            values = sorted({str(term[place]) for term in alike})
            shown = ", ".join(values[:MOST_VALUES]) + (", ..." if len(values) > MOST_VALUES else "")
            shown = f"always {shown}" if len(values) == 1 else f"one of {shown}"
            meant = "" if asked[place] in roles else nearest(str(asked[place]), values)
            return f"{name} with {asked[place]} as argument {place}", meant or f"it is {shown}"
    return str(asked), ""


def _name(term: Term) -> str:
    return str(term[0]) if isinstance(term, tuple) else str(term)


def _check_dead(rules: Rules, domains: Domains, report: Findings) -> None:
    """Report rules whose conditions no values of their variables can meet together."""
    dead = _dead(rules.rules, domains)
    unable = {id(rule) for rule in dead}
    conflicts = [(rule, found) for rule in dead if (found := _conflict(rule, domains))]
    first = [
        (rule, found)
        for rule, found in conflicts
        if not any(
            id(maker) in unable
            for literal in found[0]
            for maker in _makers(rules, literal.predicate)
            if _fits(literal, maker)
        )
    ]
    for rule, (literals, message) in first or _root(rules, conflicts):
        report.add(
            "warning",
            "never",
            f"the rule never applies: {message}",
            "correct the condition, or write the rule that makes it hold",
            rule.clause,
            place_of(rule.clause, _term(literals[0])),
        )
    for rule in rules.rules:
        for literal in rule.body:
            if literal.kind is Kind.NEGATIVE and literal.predicate in _MAKERS:
                values = domains.of(literal.predicate)
                if all(restrict(a, v, {}) for a, v in zip(literal.arguments, values)):
                    continue
                makers = (m for m in _makers(rules, literal.predicate) if _fits(literal, m))
                if not any(id(maker) in unable for maker in makers):
                    report.add(
                        "warning",
                        "unmade",
                        f"{literal} always holds: {_MADE[literal.predicate]} it",
                        "correct its spelling, or write the rule that makes it",
                        rule.clause,
                        place_of(rule.clause, _term(literal)),
                    )


def _dead(rules: Sequence[Rule], domains: Domains) -> list[Rule]:
    return [rule for rule in rules if variable_sets(rule.body, domains) is None]


_Conflict = tuple[list[Literal], str]
MOST_TRIED = 16


def _root(
    rules: Rules, conflicts: Sequence[tuple[Rule, _Conflict]]
) -> list[tuple[Rule, _Conflict]]:
    """Of rules that cannot apply because of each other, the one without whose condition most could.

    Two rules that make their fluents from each other and from nothing else are nobody's fault but
    of who forgot the first of them: then nothing is named.
    """
    best: list[tuple[Rule, _Conflict]] = []
    least = len(_dead(rules.rules, Domains(rules.rules))) - 1 if conflicts else 0
    for rule, found in conflicts[:MOST_TRIED]:
        kept = tuple(literal for literal in rule.body if literal != found[0][0])
        changed = [r._replace(body=kept) if r is rule else r for r in rules.rules]
        left = len(_dead(changed, Domains(changed)))
        if left < least:
            best, least = [(rule, found)], left
    return best


def _conflict(rule: Rule, domains: Domains) -> _Conflict | None:
    """The conditions that cannot hold together, and why; None where others are to blame."""
    sets: dict[Variable, TermSet] = {}
    seen: list[Literal] = []
    for literal in rule.body:
        if literal.kind is not Kind.POSITIVE:
            continue
        allowed = domains.arguments.get(literal.predicate)
        if allowed is None:
            return None
        alone: dict[Variable, TermSet] = {}
        if not all(restrict(a, values, alone) for a, values in zip(literal.arguments, allowed)):
            return [literal], f"{literal} never holds{_misfit(literal.arguments, allowed)}"
        for variable, values in alone.items():
            known = sets.get(variable, values)
            sets[variable] = known.meet(values)
            if not sets[variable]:
                earlier = [l for l in seen if variable in l.variables()]
                message = f"{variable} is {_values(known)} in {earlier[0]}"
                return [literal, *earlier], f"{message}, but {_values(values)} in {literal}"
        seen.append(literal)
    return None


def _misfit(patterns: Sequence[Term], allowed: Sequence[TermSet]) -> str:
    """Which constant stands where it never can, and what can stand there."""
    for pattern, values in zip(patterns, allowed):
        if values.top or isinstance(pattern, Variable):
            continue
        if isinstance(pattern, str):
            if pattern not in values.constants and values:
                return f", since {pattern} is not {_values(values)}"
        else:
            inner = values.functors.get((str(pattern[0]), len(pattern) - 1))
            if inner is None:
                return ""
            found = _misfit(pattern[1:], inner)
            if found:
                return found
    return ""


def _values(values: TermSet) -> str:
    names = sorted(values.constants) + sorted(f"({name} ...)" for name, _ in values.functors)
    shown = names[:MOST_VALUES]
    if len(names) > len(shown):
        return ", ".join(shown) + ", ..."
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
