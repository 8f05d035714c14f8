"""What a sheet means: rules whose bodies are plain conjunctions of literals.

`or`, `and` and nested `not` are resolved here, once, for every engine: a clause becomes one rule
per disjunct. Predicates are told apart by name *and* arity, because real sheets use one name for
several things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.keywords import CONNECTIVES
from woodstock.gdl.sheet import Clause, Sheet
from woodstock.gdl.terms import Compound, Term, Variable, variables

__all__ = ["Kind", "Literal", "Predicate", "Rule", "Rules", "group_by_head", "normalise"]

MAX_DISJUNCTS = 64
"""Above so many rules for one clause, an `or` becomes a predicate of its own."""
MAX_ALTERNATIVES = 4096
MAX_EFFORT = 100_000


class Predicate(NamedTuple):
    """A relation: its name and how many arguments it has."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


class Kind(Enum):
    """What a literal asks: that an atom holds, that it does not, that two terms differ."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    DISTINCT = "distinct"


class Literal(NamedTuple):
    """One condition of a rule."""

    kind: Kind
    predicate: Predicate
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        atom = _atom_term(self.predicate, self.arguments)
        return f"(not {atom})" if self.kind is Kind.NEGATIVE else str(atom)

    def variables(self) -> Iterator[Variable]:
        """The literal's variables, with repetitions."""
        for argument in self.arguments:
            yield from variables(argument)


class Rule(NamedTuple):
    """``head(arguments) <= body``; a fact when the body is empty."""

    head: Predicate
    arguments: tuple[Term, ...]
    body: tuple[Literal, ...]
    clause: Clause

    def __str__(self) -> str:
        head = _atom_term(self.head, self.arguments)
        return f"(<= {head} {' '.join(map(str, self.body))})" if self.body else str(head)


DISTINCT = Predicate("distinct", 2)
_ROLE_HEADS = frozenset(Predicate(name, 2) for name in ("legal", "goal", "sees", "input"))


@dataclass(frozen=True)
class Rules:
    """The rules of a game, by predicate, and its roles in the order of the sheet."""

    rules: tuple[Rule, ...]
    sheet: Sheet = field(repr=False)
    by_head: Mapping[Predicate, tuple[Rule, ...]] = field(repr=False)
    roles: tuple[str, ...]


def group_by_head(rules: Iterable[Rule]) -> dict[Predicate, list[Rule]]:
    """Rules by the predicate they define, in their order."""
    by_head: dict[Predicate, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head, []).append(rule)
    return by_head


def make_rules(rules: Sequence[Rule], sheet: Sheet) -> Rules:
    """Index rules by their heads."""
    by_head = group_by_head(rules)
    roles = []
    for rule in by_head.get(Predicate("role", 1), ()):
        role = rule.arguments[0]
        if not rule.body and isinstance(role, str) and role not in roles:
            roles.append(role)
    frozen = {head: tuple(group) for head, group in by_head.items()}
    return Rules(tuple(rules), sheet, frozen, tuple(roles))


def normalise(sheet: Sheet) -> tuple[Rules, list[Diagnostic]]:
    """The rules of a sheet, and an error for each clause that says nothing sensible.

    >>> from woodstock.gdl.reader import read_text
    >>> rules, errors = normalise(read_text("(<= p (or q (and r (not s))))"))
    >>> for rule in rules.rules: print(rule)
    (<= p q)
    (<= p r (not s))
    """
    builder = _Builder(sheet)
    for clause in sheet.clauses:
        builder.add(clause)
    return make_rules(builder.rules, sheet), builder.diagnostics


class _Malformed(Exception):
    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class _Equal(NamedTuple):
    """``(not (distinct a b))``: the two terms are the same."""

    left: Term
    right: Term


_Conjunction = list[Literal | _Equal]


class _Builder:
    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.rules: list[Rule] = []
        self.diagnostics: list[Diagnostic] = []
        self.helpers = 0
        # What is defined by more than facts, as far as the heads alone tell.
        self.derived: set[Predicate] = set()
        for clause in sheet.clauses:
            if clause.body and not isinstance(clause.head, Variable):
                self.derived.add(_atom(clause.head)[0])
        # The clause being read, and how often each of its variables stands in it.
        self.clause = Clause("")
        self.uses: Counter[Variable] = Counter()

    def add(self, clause: Clause) -> None:
        """Add the rules of a clause, or say what is wrong with it."""
        at = -1  # the formula looked at, for messages
        try:
            head, arguments = _atom(clause.head)
            self.clause = clause
            self.uses = Counter(v for part in (clause.head, *clause.body) for v in variables(part))
            alternatives: list[list[_Conjunction]] = []
            for term in clause.body:
                at += 1
                alternatives.append(self.expand(term, True))
            bodies: list[_Conjunction] = [[]]
            for at, choices in enumerate(alternatives):
                if len(choices) > 1 and len(bodies) * len(choices) > MAX_DISJUNCTS:
                    choices = self.fold(at, alternatives, clause)
                bodies = _product(bodies, choices)
            for body in bodies:
                self.emit(head, arguments, body, clause)
        except _Malformed as problem:
            self.diagnostics.append(
                self.sheet.source.diagnostic(
                    "error",
                    "malformed",
                    clause.place(at),
                    str(problem),
                    problem.remedy,
                    clause.to_kif(),
                )
            )

    def emit(
        self, head: Predicate, arguments: tuple[Term, ...], body: _Conjunction, clause: Clause
    ) -> None:
        """Add one rule; equalities are solved by substitution, impossible ones drop the rule."""
        solution = _Solution()
        try:
            for part in body:
                if isinstance(part, _Equal) and not solution.unify(part.left, part.right):
                    return
            literals = [
                Literal(part.kind, part.predicate, tuple(map(solution.apply, part.arguments)))
                for part in body
                if isinstance(part, Literal)
            ]
            arguments = tuple(map(solution.apply, arguments))
        except RecursionError:
            raise _too_large() from None
        literals.extend(self.implied_role(head, arguments, literals, clause))
        unique = tuple(dict.fromkeys(literals))
        self.rules.append(Rule(head, arguments, unique, clause))

    def implied_role(
        self, head: Predicate, arguments: tuple[Term, ...], body: list[Literal], clause: Clause
    ) -> list[Literal]:
        """``(<= (sees ?p ...) ...)`` that never binds ``?p`` is meant for every role."""
        if head not in _ROLE_HEADS or not isinstance(arguments[0], Variable):
            return []
        role = arguments[0]
        if any(l.kind is Kind.POSITIVE and role in l.variables() for l in body):
            return []
        self.diagnostics.append(
            self.sheet.source.diagnostic(
                "warning",
                "unsafe",
                clause.place(),
                f"{role} is bound by no condition",
                f"read as every role; add (role {role})",
                clause.to_kif(),
            )
        )
        return [Literal(Kind.POSITIVE, Predicate("role", 1), (role,))]

    def fold(
        self, at: int, alternatives: list[list[_Conjunction]], clause: Clause
    ) -> list[_Conjunction]:
        """A large disjunction as a predicate of its own, so that rules do not multiply.

        Its arguments are the variables it shares with the rest of the clause. Alternatives that
        do not bind them all are given the conditions of the clause that do. Where there are
        none the disjunction stays as it is. Blanks keep the predicate's name out of reach.
        """
        choices = alternatives[at]
        outside = {*variables(clause.head)}
        certain: list[Literal] = []
        for other, group in enumerate(alternatives):
            if other != at:
                outside.update(v for body in group for v in _body_variables(body))
                if len(group) == 1:
                    certain.extend(_positive(group[0]))
        inside = dict.fromkeys(v for body in choices for v in _body_variables(body))
        names = tuple(v for v in inside if v in outside)
        helper = self.define("or", names, choices, certain)
        return choices if helper is None else [[helper]]

    def define(
        self,
        what: str,
        names: tuple[Variable, ...],
        choices: list[_Conjunction],
        certain: list[Literal],
    ) -> Literal | None:
        """A helper predicate over `names` for a disjunction; None when it would be unsafe."""
        bodies: list[_Conjunction] = []
        for choice in choices:
            missing = set(names) - {v for l in _positive(choice) for v in l.variables()}
            binders = []
            # Facts first: a binder that depends on the rule itself would close a cycle.
            for literal in sorted(certain, key=lambda l: l.predicate in self.derived):
                if missing & set(literal.variables()):
                    binders.append(literal)
                    missing -= set(literal.variables())
            if missing:
                return None
            bodies.append([*choice, *binders])
        self.helpers += 1
        predicate = Predicate(f"{what} {self.helpers}", len(names))
        for body in bodies:
            self.emit(predicate, names, body, self.clause)
        return Literal(Kind.POSITIVE, predicate, names)

    def negate_whole(self, formula: Compound) -> list[_Conjunction] | None:
        """``(not (and ...))`` with a variable of its own means "for no ?x": negate a helper.

        None when there is no such variable, so that the negation may be moved inwards.
        """
        inside = Counter(variables(formula))
        if all(inside[v] < self.uses[v] for v in _quantified(formula)):
            return None
        names = tuple(v for v, count in inside.items() if count < self.uses[v])
        certain = [
            Literal(Kind.POSITIVE, *_atom(term))
            for term in self.clause.body
            if not (isinstance(term, tuple) and term[0] in CONNECTIVES)
            and not isinstance(term, Variable)
        ]
        helper = self.define("negated", names, self.expand(formula, True), certain)
        if helper is None:
            raise _Malformed(
                f"variables under 'not' that nothing binds: {formula}",
                "bind the variables it shares with the rest of the rule",
            )
        return [[helper._replace(kind=Kind.NEGATIVE)]]

    def expand(self, formula: Term, positive: bool) -> list[_Conjunction]:
        """The formula (or its negation) as a disjunction of conjunctions."""
        functor = formula[0] if isinstance(formula, tuple) else None
        if functor == "not":
            assert isinstance(formula, tuple)
            if len(formula) != 2:
                raise _Malformed(f"'not' takes one formula: {formula}", "write (not formula)")
            return self.expand(formula[1], not positive)
        if functor in ("or", "and"):
            assert isinstance(formula, Compound)
            whole = None if positive else self.negate_whole(formula)
            if whole is not None:
                return whole
            parts = [self.expand(part, positive) for part in formula[1:]]
            if (functor == "or") == positive:
                return [choice for part in parts for choice in part]
            product: list[_Conjunction] = [[]]
            for part in parts:
                product = _product(product, part)
            return product
        predicate, arguments = _atom(formula)
        if predicate.name == "distinct":
            if len(arguments) != 2:
                raise _Malformed(
                    f"'distinct' compares two terms: {formula}", "write (distinct a b)"
                )
            if positive:
                return [[Literal(Kind.DISTINCT, DISTINCT, arguments)]]
            inside = Counter(variables(formula))
            for variable, count in inside.items():
                if count == self.uses[variable]:
                    raise _Malformed(
                        f"{variable} in 'distinct' is never bound",
                        f"add a condition that gives {variable} its values",
                    )
            return [[_Equal(*arguments)]]
        if predicate.name in CONNECTIVES:
            raise _Malformed(f"{predicate.name!r} without a formula", "write the formula inside it")
        kind = Kind.POSITIVE if positive else Kind.NEGATIVE
        return [[Literal(kind, predicate, arguments)]]


def _atom(term: Term) -> tuple[Predicate, tuple[Term, ...]]:
    if isinstance(term, Variable):
        raise _Malformed(
            f"the variable {term} stands where a relation is needed",
            "write a relation, such as (true ?f)",
        )
    if isinstance(term, str):
        return Predicate(term, 0), ()
    return Predicate(str(term[0]), len(term) - 1), term[1:]


def _atom_term(predicate: Predicate, arguments: tuple[Term, ...]) -> Term:
    return Compound((predicate.name, *arguments)) if arguments else predicate.name


def _product(left: list[_Conjunction], right: list[_Conjunction]) -> list[_Conjunction]:
    """Every conjunction of the left with every one of the right."""
    if len(left) * len(right) > MAX_ALTERNATIVES:
        raise _Malformed(
            f"a condition with over {MAX_ALTERNATIVES} alternatives",
            "define helper relations for its parts",
        )
    return [a + b for a in left for b in right]


def _quantified(formula: Term) -> Iterator[Variable]:
    """The variables of a formula but for those that stand under a `not` of their own."""
    if isinstance(formula, tuple) and formula[0] in ("and", "or"):
        for part in formula[1:]:
            yield from _quantified(part)
    elif not (isinstance(formula, tuple) and formula[0] == "not"):
        yield from variables(formula)


def _positive(body: _Conjunction) -> list[Literal]:
    return [l for l in body if isinstance(l, Literal) and l.kind is Kind.POSITIVE]


def _body_variables(body: _Conjunction) -> Iterator[Variable]:
    for part in body:
        if isinstance(part, Literal):
            yield from part.variables()
        else:
            yield from variables(part.left)
            yield from variables(part.right)


def _too_large() -> _Malformed:
    return _Malformed("equations between terms that grow too large", "write the terms out")


class _Solution:
    """The most general solution of equations between terms, within a bound on their size."""

    def __init__(self) -> None:
        self.binding: dict[Variable, Term] = {}
        self.effort = 0

    def unify(self, left: Term, right: Term) -> bool:
        """Solve one more equation; False when there is no solution."""
        self._spend()
        left, right = self._value(left), self._value(right)
        if left is right or (isinstance(left, (str, Variable)) and left == right):
            return True
        if isinstance(left, Variable):
            if self._occurs(left, right):
                return False
            self.binding[left] = right
            return True
        if isinstance(right, Variable):
            return self.unify(right, left)
        if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
            return all(self.unify(a, b) for a, b in zip(left, right))
        return False

    def apply(self, term: Term) -> Term:
        """The term with everything solved put in."""
        if not self.binding:
            return term
        self._spend()
        term = self._value(term)
        if isinstance(term, tuple):
            return Compound(self.apply(part) for part in term)
        return term

    def _value(self, term: Term) -> Term:
        while isinstance(term, Variable) and term in self.binding:
            term = self.binding[term]
        return term

    def _occurs(self, variable: Variable, term: Term) -> bool:
        self._spend()
        term = self._value(term)
        if isinstance(term, tuple):
            return any(self._occurs(variable, part) for part in term)
        return term == variable

    def _spend(self) -> None:
        # Equations can double a term's size each: a hostile sheet must not take for ever.
        self.effort += 1
        if self.effort > MAX_EFFORT:
            raise _too_large()
