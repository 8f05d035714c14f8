"""The restrictions of the GDL specification, checked one by one.

Errors are for rules that cannot be played; what real rulesheets get away with is a warning. Every
finding has a place, the rule and a remedy.

>>> from woodstock.gdl.reader import read_text
>>> _, findings = check(read_text("(role x) (<= (legal x ?m) (not (allowed ?m)))"))
>>> for finding in findings: print(finding.severity, finding)
error <text>:1:14: ?m of the head is bound by no positive condition; add a condition that gives \
?m its values
error <text>:1:1: no rule says when the game is over; add a rule for terminal
warning <text>:1:1: no rule gives a goal; add rules for (goal role value)
warning <text>:1:14: allowed/1 is defined nowhere, so it never holds; correct its spelling or \
define it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from woodstock.errors import EvaluationError
from woodstock.gdl.coverage import check_coverage
from woodstock.gdl.diagnostics import Diagnostic, Severity
from woodstock.gdl.domains import Domains
from woodstock.gdl.findings import Findings, nearest
from woodstock.gdl.growth import check_growth
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.keywords import ARITY
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules, normalise
from woodstock.gdl.sheet import Clause, Sheet
from woodstock.gdl.slips import check_slips
from woodstock.gdl.stratification import negative_cycle, recursion_without_bound
from woodstock.gdl.terms import Variable, variables
from woodstock.gdl.unmade import check_unmade

__all__ = ["check", "look_for_oversights", "no_first_move"]

_EVALUATION_SECONDS = 10.0
_SECONDS_FOR_GROWTH = 1.0
"""For rules that may build terms without end: there is no use in waiting."""


def check(sheet: Sheet, *, thorough: bool = True) -> tuple[Rules, list[Diagnostic]]:
    """The rules of a sheet and everything that is to be said about them.

    Who only wants to play is not `thorough`: then the specification alone is checked. Else what
    authors of rules overlook is reported too, and the initial state is computed (within a time
    limit), to see that every role has a move there.
    """
    rules, findings = normalise(sheet)
    report = Findings(sheet, findings)
    for part in _CHECKS:
        part(rules, report)
    if thorough and not any(d.severity == "error" for d in findings):
        look_for_oversights(rules, findings)
        _check_start(rules, report)
    return rules, findings


def look_for_oversights(rules: Rules, findings: list[Diagnostic]) -> None:
    """Add what authors of rules overlook to the findings about rules that have no errors."""
    if any(finding.severity == "error" for finding in findings):
        return
    domains, report = Domains(rules.rules), Findings(rules.sheet, findings)
    for part in (check_unmade, check_slips, check_coverage, check_growth):
        part(rules, domains, report)


def _check_heads(rules: Rules, report: Findings) -> None:
    for rule in rules.rules:
        name = rule.head.name
        if name in ("true", "does"):
            other = "next or init" if name == "true" else "legal"
            report.add(
                "error",
                "keyword",
                f"{name!r} cannot be the head of a rule",
                f"did you mean {other}?",
                rule.clause,
            )
        elif name in ("not", "or", "and", "distinct", "<="):
            report.add(
                "error",
                "keyword",
                f"{name!r} cannot be the head of a rule",
                "give the relation a name of its own",
                rule.clause,
            )
        elif name == "role" and rule.body:
            report.add(
                "warning",
                "keyword",
                "roles given by a rule are not seen",
                "write every role as a fact",
                rule.clause,
            )


def _check_arity(rules: Rules, report: Findings) -> None:
    first: dict[str, Predicate] = {}
    for clause, predicate in _uses(rules):
        wanted = ARITY.get(predicate.name)
        if wanted is not None and wanted != predicate.arity:
            report.add(
                "error",
                "arity",
                f"{predicate.name} takes {wanted} arguments, not {predicate.arity}",
                f"give it {wanted}",
                clause,
            )
        elif first.setdefault(predicate.name, predicate) != predicate:
            report.add(
                "warning",
                "arity",
                f"{predicate.name} has {predicate.arity} arguments here and "
                f"{first[predicate.name].arity} elsewhere",
                "they are taken as two relations; use one arity",
                clause,
            )


def _uses(rules: Rules) -> Iterator[tuple[Clause, Predicate]]:
    for rule in rules.rules:
        yield rule.clause, rule.head
        for literal in rule.body:
            if literal.kind is not Kind.DISTINCT:
                yield rule.clause, literal.predicate


def _check_safety(rules: Rules, report: Findings) -> None:
    for rule in rules.rules:
        bound = {v for l in rule.body if l.kind is Kind.POSITIVE for v in l.variables()}
        loose: dict[Variable, list[Literal]] = {}
        for literal in rule.body:
            for variable in literal.variables():
                if variable not in bound:
                    loose.setdefault(variable, []).append(literal)
        head = {v for argument in rule.arguments for v in variables(argument)}
        for variable in dict.fromkeys(v for a in rule.arguments for v in variables(a)):
            if variable not in bound:
                report.add(
                    "error",
                    "unsafe",
                    f"{variable} of the head is bound by no positive condition",
                    f"add a condition that gives {variable} its values",
                    rule.clause,
                )
        for variable, literals in loose.items():
            place = _place(rule.clause, variable)
            if variable in head:
                continue
            if any(l.kind is Kind.DISTINCT for l in literals):
                report.add(
                    "error",
                    "unsafe",
                    f"{variable} in 'distinct' is never bound",
                    f"add a condition that gives {variable} its values",
                    rule.clause,
                    place,
                )
            elif len(set(literals)) > 1:
                report.add(
                    "error",
                    "unsafe",
                    f"{variable} stands under several 'not' and is bound nowhere",
                    f"add a condition that gives {variable} its values",
                    rule.clause,
                    place,
                )
            else:
                report.add(
                    "warning",
                    "unsafe",
                    f"{variable} stands only under 'not'; read as: for no {variable}",
                    "define a helper relation if that is what is meant",
                    rule.clause,
                    place,
                )


def _place(clause: Clause, variable: Variable) -> int:
    for index, formula in enumerate(clause.body):
        if variable in variables(formula):
            return clause.place(index)
    return clause.place()


def _check_required(rules: Rules, report: Findings) -> None:
    if not rules.roles:
        report.add("error", "missing", "there are no roles", "write (role name) for each player")
    wanted: list[tuple[str, Severity, str, str]] = [
        ("legal", "error", "no rule says which moves are legal", "add rules for (legal role move)"),
        ("terminal", "error", "no rule says when the game is over", "add a rule for terminal"),
        ("goal", "warning", "no rule gives a goal", "add rules for (goal role value)"),
        ("init", "warning", "nothing holds at the start", "add facts (init fluent)"),
        ("next", "warning", "no rule says what follows a move", "add rules for (next fluent)"),
    ]
    for name, severity, message, remedy in wanted:
        if Predicate(name, ARITY[name]) not in rules.by_head:
            if name in ("init", "next") and not _lacks(rules, name):
                continue
            report.add(severity, "missing", message, remedy)


def _lacks(rules: Rules, name: str) -> bool:
    """Whether rules ask for fluents that without ``init`` or ``next`` there cannot be.

    Without ``init`` they may still come from moves alone, as in a sudoku that begins empty.
    """
    if name == "init" and any(
        not any(l.kind is Kind.POSITIVE and l.predicate.name == "true" for l in rule.body)
        for rule in rules.by_head.get(Predicate("next", 1), ())
    ):
        return False
    return any(l.predicate.name == "true" for rule in rules.rules for l in rule.body)


def _check_undefined(rules: Rules, report: Findings) -> None:
    known = set(rules.by_head) | {Predicate("true", 1), Predicate("does", 2)}
    for rule in rules.rules:
        for literal in rule.body:
            if literal.kind is not Kind.DISTINCT and literal.predicate not in known:
                meant = nearest(literal.predicate.name, (predicate.name for predicate in known))
                report.add(
                    "warning",
                    "undefined",
                    f"{literal.predicate} is defined nowhere, so it never holds",
                    meant or "correct its spelling or define it",
                    rule.clause,
                )


def _check_goals(rules: Rules, report: Findings) -> None:
    for rule in rules.by_head.get(Predicate("goal", 2), ()):
        value = rule.arguments[1]
        if isinstance(value, Variable):
            continue
        if not (isinstance(value, str) and value.isdecimal() and int(value[:9]) <= 100):
            report.add(
                "warning",
                "goal",
                f"the goal value {value} is not a number from 0 to 100",
                "scale the values to 0..100",
                rule.clause,
            )


def _check_role_names(rules: Rules, report: Findings) -> None:
    for rule in rules.rules:
        uses = [(rule.head, rule.arguments), *((l.predicate, l.arguments) for l in rule.body)]
        for predicate, arguments in uses:
            name = arguments[0] if predicate.name in _ABOUT_ROLES and arguments else None
            if isinstance(name, str) and name not in rules.roles:
                report.add(
                    "warning",
                    "role",
                    f"{predicate.name} for {name}, which is no role",
                    nearest(name, rules.roles)
                    or f"write (role {name}), or one of {', '.join(rules.roles) or 'the roles'}",
                    rule.clause,
                )


_ABOUT_ROLES = frozenset({"legal", "does", "goal", "sees", "input"})

# What may not lie below which keyword, directly or through helper relations. Where that decides
# the course of the game it is an error: engines would have to guess what is meant.
_BELOW: tuple[tuple[str, Severity, tuple[str, ...]], ...] = (
    ("does", "error", ("legal", "terminal", "goal", "init")),
    ("true", "error", ("init",)),
    ("does", "warning", ("base", "input", "role")),
    ("true", "warning", ("base", "input", "role")),
)


def _check_dependencies(rules: Rules, report: Findings) -> None:
    below: dict[Predicate, set[Predicate]] = {}
    for rule in rules.rules:
        below.setdefault(rule.head, set()).update(l.predicate for l in rule.body)
        for literal in rule.body:
            if literal.predicate.name in ("init", "next", "sees", "base", "input"):
                report.add(
                    "warning",
                    "keyword",
                    f"{literal.predicate.name!r} stands in a body",
                    "use true, or a helper relation",
                    rule.clause,
                )
    for lower, severity, uppers in _BELOW:
        for head in below:
            if head.name in uppers and any(p.name == lower for p in _reach(head, below)):
                report.add(
                    severity,
                    "keyword",
                    f"{head.name} depends on {lower!r}, which says nothing there",
                    f"keep {lower!r} out of what {head.name} uses",
                    next(r for r in rules.by_head[head] if _leads_to(r, lower, below)).clause,
                )


def _leads_to(rule: Rule, name: str, below: dict[Predicate, set[Predicate]]) -> bool:
    """Whether a rule has a relation of this name in its body, or in what that depends on."""
    parts = {literal.predicate for literal in rule.body}
    return any(p.name == name for part in parts for p in {part, *_reach(part, below)})


def _reach(start: Predicate, edges: dict[Predicate, set[Predicate]]) -> set[Predicate]:
    seen: set[Predicate] = set()
    agenda = [start]
    while agenda:
        for found in edges.get(agenda.pop(), ()):
            if found not in seen:
                seen.add(found)
                agenda.append(found)
    return seen


def _check_stratification(rules: Rules, report: Findings) -> None:
    cycle = negative_cycle(rules)
    if cycle is not None:
        names = " -> ".join(str(rule.head.name) for rule in cycle)
        report.add(
            "error",
            "unstratified",
            f"negation depends on itself: {names}",
            "break the cycle: no relation may be defined by its own absence",
            cycle[0].clause,
        )
    for rule, literal in recursion_without_bound(rules):
        report.add(
            "warning",
            "recursion",
            f"{literal} may build ever larger terms",
            "bind its arguments by a condition outside the recursion",
            rule.clause,
        )


_CHECKS: tuple[Callable[[Rules, Findings], None], ...] = (
    _check_heads,
    _check_arity,
    _check_safety,
    _check_required,
    _check_undefined,
    _check_goals,
    _check_role_names,
    _check_dependencies,
    _check_stratification,
)


def _check_start(rules: Rules, report: Findings) -> None:
    """Compute the initial state: every role needs a move there, unless the game is over."""
    growing = next((rule for rule, _ in recursion_without_bound(rules)), None)
    seconds = _EVALUATION_SECONDS if growing is None else _SECONDS_FOR_GROWTH
    try:
        interpreter = Interpreter(rules, seconds=min(seconds, _EVALUATION_SECONDS))
        view = interpreter.view(interpreter.initial())
        if view.terminal():
            report.add(
                "warning",
                "start",
                "the game is over before it begins",
                "look at the rules for init and terminal",
            )
            return
        idle = [role for role in rules.roles if not view.legal(role)]
    except EvaluationError as problem:
        # Another engine may still manage: this alone does not forbid the game.
        report.add(
            "warning",
            "evaluation",
            f"the initial state could not be worked out here: {problem}",
            "simplify the rules it needs"
            if growing is None
            else "bound this rule: its terms may grow for ever",
            growing.clause if growing else None,
        )
        return
    for finding in no_first_move(rules.sheet, idle):
        report.found.append(finding)


def no_first_move(sheet: Sheet, roles: Iterable[str]) -> list[Diagnostic]:
    """The errors for roles that cannot move in the initial state."""
    return [
        sheet.source.diagnostic(
            "error",
            "start",
            0,
            f"{role} has no legal move in the initial state",
            f"add rules for (legal {role} move), such as a noop",
        )
        for role in roles
    ]
