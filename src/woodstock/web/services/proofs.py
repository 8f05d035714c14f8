"""How near a rule comes to holding: the instance of its body with the fewest failed conditions.

The rules are asked on the lifted reference interpreter's tables, so that what is said about a
condition is what the rules say, whatever engine plays the game.

>>> from woodstock import Game
>>> from woodstock.gdl.rules import Predicate
>>> game = Game.from_library("tic-tac-toe")
>>> after = game.initial_state().apply(["(mark 2 2)", "noop"])
>>> oracle = Oracle(game.rules, after.fluents)
>>> move = game.term("(mark 2 2)")
>>> attempts = oracle.attempts(Predicate("legal", 2), ("o", move))
>>> best = attempts[0]
>>> [str(best.condition(place)) for place in best.failed]
['(true (cell 2 2 b))']
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from woodstock.errors import EvaluationError
from woodstock.gdl.interpreter import public
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules
from woodstock.gdl.tabling import Facts, Program, Tables, flatten, outside_facts
from woodstock.gdl.terms import Compound, Term, Variable

__all__ = ["Attempt", "Binding", "Oracle", "TooMuch", "filled", "fits"]

Binding: TypeAlias = dict[Variable, Term]
"""Values of some variables of a rule."""

TRUE = Predicate("true", 1)

NEVER = 4
"""What a failed condition counts that no state could mend; others count 1."""
MOST_STEPS = 4000
"""Conditions that are looked at for one rule."""
MOST_FOUND = 48
"""Instances of a rule with equally few failures that are compared."""
MOST_ROWS = 400
"""Ways to satisfy one condition that are tried."""


class TooMuch(EvaluationError):
    """There was not time enough to explain something."""


@dataclass(frozen=True)
class Attempt:
    """A rule with some of its variables bound: which of its conditions fail.

    `failed` and `unknown` are places in the body; a condition is unknown where it depends on a
    variable that only a failed one could have bound.
    """

    rule: Rule
    binding: Binding
    failed: tuple[int, ...]
    unknown: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether all conditions are met."""
        return not self.failed and not self.unknown

    def condition(self, place: int) -> Literal:
        """A condition with what is known put in."""
        literal = self.rule.body[place]
        return literal._replace(arguments=tuple(filled(a, self.binding) for a in literal.arguments))


class Oracle:
    """What holds in one state, and how near to holding anything else is.

    Everything ends with `TooMuch` after some seconds.
    """

    def __init__(self, rules: Rules, fluents: Iterable[Term], seconds: float = 10.0) -> None:
        self.rules = rules
        self.fluents = frozenset(fluents)
        self.program = Program(rules, {"true": 1, "does": 2})
        # Sorted, so that the same question has the same answer in every process.
        rows = ((fluent,) for fluent in sorted(self.fluents, key=str))
        facts = Facts(outside_facts(TRUE, rows))
        self._tables = Tables(self.program, facts, ({}, {}, {}), max(1.0, seconds / 4))
        self._until = time.monotonic() + seconds
        self._known: dict[tuple[Predicate, tuple[Any, ...]], list[tuple[Term, ...]] | None] = {}

    def is_derived(self, predicate: Predicate) -> bool:
        """Whether rules define it, not facts alone."""
        return predicate in self.program.rules

    def is_static(self, predicate: Predicate) -> bool:
        """Whether it is the same in all states."""
        return not self.program.level.get(predicate, 0) and predicate != TRUE

    def answers(
        self, predicate: Predicate, arguments: Sequence[Term]
    ) -> list[tuple[Term, ...]] | None:
        """All true instances of an atom; None where they cannot be listed."""
        numbers: dict[Variable, int] = {}
        call = tuple(_pattern(argument, numbers) for argument in arguments)
        key = (predicate, call)
        if key not in self._known:
            if time.monotonic() > self._until:
                raise TooMuch("there was not time enough to find out why")
            name, flat = flatten(predicate, call)
            try:
                rows = self._tables.ask(name, flat)
            except EvaluationError:
                self._known[key] = None
                return None
            if name != predicate:
                functor, *_ = call[-1]
                kept = len(arguments) - 1
                rows = [(*row[:kept], (functor, *row[kept:])) for row in rows]
            self._known[key] = [tuple(map(public, row)) for row in rows]
        return self._known[key]

    def holds(self, literal: Literal) -> bool | None:
        """Whether a condition is met; None where that cannot be told."""
        if literal.kind is Kind.DISTINCT:
            left, right = literal.arguments
            if any(True for _ in literal.variables()):
                return None
            return left != right
        rows = self.answers(literal.predicate, literal.arguments)
        if rows is None:
            return None
        return bool(rows) == (literal.kind is Kind.POSITIVE)

    def attempts(self, predicate: Predicate, arguments: Sequence[Term]) -> list[Attempt]:
        """For each rule that could make an atom true, the instance that comes nearest; best first.

        Fewest failures come first, those that no state could mend count more; of equal ones, the
        ones with more conditions met come first.
        """
        found = []
        for rule in self.rules.by_head.get(predicate, ()):
            binding: Binding = {}
            if all(map(lambda p, a: fits(p, a, binding), rule.arguments, arguments)):
                found.append(self.nearest(rule, binding))
        return sorted(found, key=self._rank)

    def nearest(self, rule: Rule, binding: Binding) -> Attempt:
        """The instance of a rule with the fewest failed conditions, given some variables.

        A condition that is the same in all states counts `NEVER` times: that three blanks would
        be a line if only the blank were a role explains nothing.
        """
        best: Attempt | None = None
        most = sum(self.weight(literal) for literal in rule.body)
        for allowed in range(most + 1):
            search = _Search(self, rule, allowed)
            for attempt in search.run(binding):
                if best is None or self._rank(attempt) < self._rank(best):
                    best = attempt
                search.found += 1
                if attempt.holds or search.found >= MOST_FOUND:
                    break
            if best is not None and (self.cost(best) <= allowed or search.steps > MOST_STEPS):
                break
        return best or self._judge(rule, binding)

    def weight(self, literal: Literal) -> int:
        """What a condition counts if it fails."""
        static = literal.kind is not Kind.DISTINCT and self.is_static(literal.predicate)
        return NEVER if static else 1

    def cost(self, attempt: Attempt) -> int:
        """What the failed conditions of an attempt count together."""
        return sum(self.weight(attempt.rule.body[place]) for place in attempt.failed)

    def _rank(self, attempt: Attempt) -> tuple[int, int, int, int]:
        met = len(attempt.rule.body) - len(attempt.failed) - len(attempt.unknown)
        return self.cost(attempt), len(attempt.failed), len(attempt.unknown), -met

    def _judge(self, rule: Rule, binding: Binding) -> Attempt:
        """What is met and what fails with these values."""
        positive = {v for l in rule.body if l.kind is Kind.POSITIVE for v in l.variables()}
        failed, unknown = [], []
        for place in range(len(rule.body)):
            literal = Attempt(rule, binding, (), ()).condition(place)
            # A variable of no positive condition says "for no value"; others wait for a value.
            waits = literal.kind is not Kind.POSITIVE and any(
                variable in positive for variable in literal.variables()
            )
            met = None if waits else self.holds(literal)
            if met is None:
                unknown.append(place)
            elif not met:
                failed.append(place)
        return Attempt(rule, dict(binding), tuple(failed), tuple(unknown))


class _Search:
    """Walks through the instances of a rule whose failures count at most so much."""

    def __init__(self, oracle: Oracle, rule: Rule, allowed: int) -> None:
        self.oracle = oracle
        self.rule = rule
        self.allowed = allowed
        self.steps = 0
        self.found = 0

    def run(self, binding: Binding) -> Iterator[Attempt]:
        positive = [i for i, l in enumerate(self.rule.body) if l.kind is Kind.POSITIVE]
        yield from self._walk(positive, binding, self.allowed)

    def _walk(self, left: list[int], binding: Binding, allowed: int) -> Iterator[Attempt]:
        self.steps += 1
        if self.steps > MOST_STEPS:
            return
        if self._failing_tests(binding) > self.allowed:
            return
        if not left:
            attempt = self.oracle._judge(self.rule, binding)
            if self.oracle.cost(attempt) <= self.allowed and not _is_loose(attempt):
                yield attempt
            return
        place, *rest = left
        literal = self.rule.body[place]
        arguments = tuple(filled(a, binding) for a in literal.arguments)
        rows = self.oracle.answers(literal.predicate, arguments)
        for row in (rows or ())[:MOST_ROWS]:
            extended = dict(binding)
            if all(map(lambda p, a: fits(p, a, extended), literal.arguments, row)):
                yield from self._walk(rest, extended, allowed)
        price = 0 if rows is None else self.oracle.weight(literal)
        if price <= allowed:
            yield from self._walk(rest, binding, allowed - price)

    def _failing_tests(self, binding: Binding) -> int:
        """What negations and comparisons that fail already count, whatever else is bound."""
        failing = 0
        for literal in self.rule.body:
            if literal.kind is not Kind.POSITIVE:
                arguments = tuple(filled(a, binding) for a in literal.arguments)
                bound = literal._replace(arguments=arguments)
                if not any(True for _ in bound.variables()) and self.oracle.holds(bound) is False:
                    failing += self.oracle.weight(literal)
        return failing


def _is_loose(attempt: Attempt) -> bool:
    """Whether a condition that is met was passed over, so that others wait for its variables."""
    return any(
        literal.kind is Kind.POSITIVE
        and place not in attempt.failed
        and place not in attempt.unknown
        and any(True for _ in attempt.condition(place).variables())
        for place, literal in enumerate(attempt.rule.body)
    )


def fits(pattern: Term, term: Term, binding: Binding) -> bool:
    """Match a pattern with a term, binding the pattern's variables; a free term fits anything.

    >>> binding = {}
    >>> fits(Compound(("mark", Variable("x"), "1")), Compound(("mark", "3", "1")), binding)
    True
    >>> binding
    {Variable('x'): '3'}
    """
    if isinstance(term, Variable):
        return True
    if isinstance(pattern, Variable):
        known = binding.get(pattern)
        if known is None:
            if not _has_variable(term):
                binding[pattern] = term
            return True
        return known == term
    if isinstance(pattern, tuple) and isinstance(term, tuple):
        return len(pattern) == len(term) and all(
            fits(inner, other, binding) for inner, other in zip(pattern, term)
        )
    return pattern == term


def filled(term: Term, binding: Binding) -> Term:
    """A term with what is known put in.

    >>> print(filled(Compound(("cell", Variable("x"), "b")), {Variable("x"): "2"}))
    (cell 2 b)
    """
    if isinstance(term, Variable):
        return binding.get(term, term)
    if isinstance(term, tuple):
        return Compound(filled(part, binding) for part in term)
    return term


def _has_variable(term: Term) -> bool:
    return isinstance(term, Variable) or (
        isinstance(term, tuple) and any(map(_has_variable, term[1:]))
    )


def _pattern(term: Term, numbers: dict[Variable, int]) -> Any:
    """A term as the tables ask for it: variables are numbers, in order of appearance."""
    if isinstance(term, Variable):
        return numbers.setdefault(term, len(numbers))
    if isinstance(term, tuple):
        return tuple(_pattern(part, numbers) for part in term)
    return term
