"""What a sheet means: rules whose bodies are plain conjunctions of literals.

`or`, `and` and nested `not` are resolved here, once, for every engine: a clause becomes one rule
per disjunct. Predicates are told apart by name *and* arity, because real sheets use one name for
several things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Union

from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.keywords import CONNECTIVES, RANDOM
from woodstock.gdl.sheet import Clause, Sheet
from woodstock.gdl.terms import Compound, Term, Variable, variables

__all__ = ["Kind", "Literal", "Predicate", "Rule", "Rules", "normalise", "substitute"]

MAX_DISJUNCTS = 64
"""Above so many disjuncts a clause's `or` becomes a predicate of its own."""


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

    @property
    def has_chance(self) -> bool:
        """Whether chance plays (a role called ``random``)."""
        return RANDOM in self.roles

    def predicates(self) -> Iterator[Predicate]:
        """The predicates that some rule defines."""
        return iter(self.by_head)


def make_rules(rules: Sequence[Rule], sheet: Sheet) -> Rules:
    """Index rules by their heads."""
    by_head: dict[Predicate, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head, []).append(rule)
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


_Conjunction = list[Union[Literal, _Equal]]


class _Builder:
    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.rules: list[Rule] = []
        self.diagnostics: list[Diagnostic] = []
        self.helpers = 0

    def add(self, clause: Clause) -> None:
        formula = -1
        try:
            head, arguments = _atom(clause.head)
            bodies: list[_Conjunction] = [[]]
            for formula, term in enumerate(clause.body):
                choices = self.expand(term, True, clause)
                if len(bodies) * len(choices) > MAX_DISJUNCTS and len(choices) > 1:
                    choices = [[self.helper(term, choices, clause)]]
                bodies = [body + choice for body in bodies for choice in choices]
        except _Malformed as problem:
            self.diagnostics.append(
                self.sheet.source.diagnostic(
                    "error", "malformed", clause.place(formula), str(problem), problem.remedy,
                    clause.to_kif(),
                )
            )
            return
        for body in bodies:
            self.emit(head, arguments, body, clause)

    def emit(
        self, head: Predicate, arguments: tuple[Term, ...], body: _Conjunction, clause: Clause
    ) -> None:
        """Add one rule; equalities are solved by substitution, impossible ones drop the rule."""
        binding: dict[Variable, Term] = {}
        for part in body:
            if isinstance(part, _Equal) and not _unify(part.left, part.right, binding):
                return
        literals = []
        for part in body:
            if isinstance(part, _Equal):
                continue
            solved = tuple(substitute(a, binding) for a in part.arguments) if binding else (
                part.arguments
            )
            literals.append(Literal(part.kind, part.predicate, solved))
        if binding:
            arguments = tuple(substitute(a, binding) for a in arguments)
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
                "warning", "unsafe", clause.place(), f"{role} is bound by no condition",
                f"read as every role; add (role {role})", clause.to_kif(),
            )
        )
        return [Literal(Kind.POSITIVE, Predicate("role", 1), (role,))]

    def helper(self, term: Term, choices: list[_Conjunction], clause: Clause) -> Literal:
        """A predicate that stands for a large disjunction. Blanks keep its name out of reach."""
        self.helpers += 1
        names = tuple(dict.fromkeys(variables(term)))
        predicate = Predicate(f"or {self.helpers}", len(names))
        for choice in choices:
            self.emit(predicate, names, choice, clause)
        return Literal(Kind.POSITIVE, predicate, names)

    def expand(self, formula: Term, positive: bool, clause: Clause) -> list[_Conjunction]:
        """The formula (or its negation) as a disjunction of conjunctions."""
        functor = formula[0] if isinstance(formula, tuple) else None
        if functor == "not":
            assert isinstance(formula, tuple)
            if len(formula) != 2:
                raise _Malformed(f"'not' takes one formula: {formula}", "write (not formula)")
            return self.expand(formula[1], not positive, clause)
        if functor in ("or", "and"):
            assert isinstance(formula, tuple)
            parts = [self.expand(part, positive, clause) for part in formula[1:]]
            if (functor == "or") == positive:
                return [choice for part in parts for choice in part]
            product: list[_Conjunction] = [[]]
            for part in parts:
                if len(product) * len(part) > MAX_DISJUNCTS and len(part) > 1:
                    part = [[self.helper(formula, part, clause)]]
                product = [body + choice for body in product for choice in part]
            return product
        predicate, arguments = _atom(formula)
        if predicate.name == "distinct":
            if len(arguments) != 2:
                raise _Malformed(
                    f"'distinct' compares two terms: {formula}", "write (distinct a b)"
                )
            if positive:
                return [[Literal(Kind.DISTINCT, DISTINCT, arguments)]]
            return [[_Equal(*arguments)]]
        if predicate.name in CONNECTIVES:
            raise _Malformed(f"{predicate.name!r} without a formula", "write the formula inside it")
        kind = Kind.POSITIVE if positive else Kind.NEGATIVE
        return [[Literal(kind, predicate, arguments)]]


def _atom(term: Term) -> tuple[Predicate, tuple[Term, ...]]:
    if isinstance(term, Variable):
        raise _Malformed(f"the variable {term} stands where a relation is needed",
                         "write a relation, such as (true ?f)")
    if isinstance(term, str):
        return Predicate(term, 0), ()
    return Predicate(str(term[0]), len(term) - 1), term[1:]


def _atom_term(predicate: Predicate, arguments: tuple[Term, ...]) -> Term:
    return Compound((predicate.name, *arguments)) if arguments else predicate.name


def substitute(term: Term, binding: Mapping[Variable, Term]) -> Term:
    """The term with its variables replaced, repeatedly, by what they are bound to."""
    if isinstance(term, Variable):
        bound = binding.get(term)
        return term if bound is None else substitute(bound, binding)
    if isinstance(term, tuple):
        return Compound(substitute(part, binding) for part in term)
    return term


def _occurs(variable: Variable, term: Term, binding: Mapping[Variable, Term]) -> bool:
    return variable in variables(substitute(term, binding))


def _unify(left: Term, right: Term, binding: dict[Variable, Term]) -> bool:
    left, right = substitute(left, binding), substitute(right, binding)
    if left == right:
        return True
    if isinstance(left, Variable):
        if _occurs(left, right, binding):
            return False
        binding[left] = right
        return True
    if isinstance(right, Variable):
        return _unify(right, left, binding)
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        return all(_unify(a, b, binding) for a, b in zip(left, right))
    return False
