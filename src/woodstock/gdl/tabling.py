"""Goal-directed evaluation of rules with function symbols, recursion and stratified negation.

This is tabled resolution: every distinct call (a predicate with what is known of its arguments)
owns a table of answers. A rule that needs a call's answers becomes its *consumer* and is resumed
once for each answer, old or new, so no join is made twice (semi-naive) and left recursion ends.
Being goal-directed matters: ``isList`` of a public Hex sheet has 25^25 instances, of which a
position asks for a handful.

Negation waits for completion: a negated call is evaluated by a run of its own that sees no
unfinished table, which stratification makes sound. A negated call that needs itself is reported.

Patterns are ground terms in which an `int` stands for a variable: the number of a rule's slot, or
in a call the number of a free variable in order of appearance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random
from typing import Any, NamedTuple

from woodstock.errors import EvaluationError
from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules
from woodstock.gdl.terms import Term, Variable, to_kif

__all__ = ["Facts", "Program", "Stopped", "Tables", "outside_facts", "stopped_by"]

# A pattern is str | int | tuple of patterns; Python's type system has no recursive alias for it
# that mypy can follow through tuple subclasses, hence Any.
Pattern = Any
Answer = tuple[Any, ...]
Call = tuple[Predicate, tuple[Pattern, ...]]
Environment = list[Any]

MAX_ANSWERS = 5_000_000
"""So many derived facts for one question mean that the rules grow without end."""


_stop: ContextVar[Callable[[], bool] | None] = ContextVar("stop", default=None)


class Stopped(EvaluationError):
    """A question that `stopped_by` has ended before its answer was found."""


@contextmanager
def stopped_by(stop: Callable[[], bool]) -> Iterator[None]:
    """Questions asked in here, on this thread, end with `Stopped` once `stop` says so.

    It is asked about a thousand times a second; what was finished before stays known.
    """
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


class CompiledLiteral(NamedTuple):
    kind: Kind
    predicate: Predicate
    arguments: tuple[Pattern, ...]


class CompiledRule(NamedTuple):
    head: Predicate
    arguments: tuple[Pattern, ...]
    body: tuple[CompiledLiteral, ...]
    slots: int
    source: Rule


class Facts:
    """Ground facts with an index for each combination of known arguments that was asked for."""

    def __init__(self, facts: Iterable[tuple[Predicate, Answer]] = ()) -> None:
        self.rows: dict[Predicate, list[Answer]] = {}
        self._indexes: dict[tuple[Predicate, tuple[int, ...]], dict[Answer, list[Answer]]] = {}
        for predicate, row in facts:
            self.rows.setdefault(predicate, []).append(row)

    def matching(self, predicate: Predicate, arguments: Sequence[Pattern]) -> list[Answer]:
        """The rows that agree with the arguments known as a whole (a superset of the matches)."""
        rows = self.rows.get(predicate)
        if not rows:
            return []
        known = tuple(i for i, argument in enumerate(arguments) if is_known(argument))
        if not known:
            return rows
        index = self._indexes.get((predicate, known))
        if index is None:
            index = {}
            for row in rows:
                index.setdefault(tuple(row[i] for i in known), []).append(row)
            self._indexes[predicate, known] = index
        return index.get(tuple(arguments[i] for i in known), [])


class Program:
    """Compiled rules, and which predicates depend on the state (1), the moves (2) or neither (0).

    `volatile` gives the predicates whose facts come from outside, with their level.
    """

    def __init__(self, rules: Rules, volatile: Mapping[str, int]) -> None:
        self.rules: dict[Predicate, list[CompiledRule]] = {}
        facts: list[tuple[Predicate, Answer]] = []
        for head, group in rules.by_head.items():
            if all(
                not rule.body and not any(_has_variable(a) for a in rule.arguments)
                for rule in group
            ):
                facts.extend((head, rule.arguments) for rule in group)
            else:
                self.rules[head] = [_compile(rule) for rule in group]
        self.facts = Facts(dict.fromkeys(facts))
        self.level = _levels(rules, volatile)
        self.roles = rules.roles


class _Question:
    """What all evaluations for one question share: what ends it and the negations under way."""

    def __init__(self, seconds: float | None) -> None:
        self.deadline = None if seconds is None else time.process_time() + seconds
        self.stop = _stop.get()
        self.negations: set[Call] = set()

    def go_on(self, goal: Call) -> None:
        """Raise an error where it is time to end."""
        if self.deadline is not None and time.process_time() > self.deadline:
            raise EvaluationError(f"{goal[0]} takes too long to work out")
        if self.stop is not None and self.stop():
            raise Stopped(f"{goal[0]} is not wanted any more")


class Tables:
    """Answers to calls for given outside facts. Finished tables are kept, by level.

    With `seconds`, a question that takes more CPU time raises `EvaluationError`.
    """

    def __init__(
        self,
        program: Program,
        outside: Facts,
        finished: Sequence[dict[Call, list[Answer]]],
        seconds: float | None = None,
    ) -> None:
        self._program = program
        self._outside = outside
        self._finished = finished
        self._seconds = seconds

    def ask(self, predicate: Predicate, arguments: tuple[Pattern, ...]) -> list[Answer]:
        """All ground answers to a call, in the order they are found."""
        if predicate not in self._program.rules:
            return self._matching(predicate, arguments)
        try:
            return self._complete((predicate, arguments), _Question(self._seconds))
        except RecursionError:
            raise EvaluationError(
                f"{predicate} builds terms or negations nested too deep to work out"
            ) from None

    def draw(
        self, predicate: Predicate, arguments: tuple[Pattern, ...], count: int, rng: Random
    ) -> list[Answer]:
        """So many answers to a call, or all there are, found in random order.

        That is much quicker than `ask` where there are many. They are not drawn evenly: those that
        are found in the same way come together.
        """
        known = self._finished[self._program.level.get(predicate, 0)].get((predicate, arguments))
        if known is None and predicate in self._program.rules:
            call = predicate, arguments
            return _Draw(self, _Question(self._seconds), count, rng).evaluate(call)[:count]
        known = self.ask(predicate, arguments)
        return rng.sample(known, min(count, len(known)))

    def _matching(self, predicate: Predicate, arguments: tuple[Pattern, ...]) -> list[Answer]:
        slots = _slots(arguments)
        rows = self._lookup(predicate, arguments)
        return [row for row in rows if match_row(arguments, row, [None] * slots)]

    def _lookup(self, predicate: Predicate, arguments: Sequence[Pattern]) -> list[Answer]:
        rows = self._outside.matching(predicate, arguments)
        return rows or self._program.facts.matching(predicate, arguments)

    def _complete(self, call: Call, question: _Question) -> list[Answer]:
        level = self._program.level.get(call[0], 0)
        known = self._finished[level].get(call)
        if known is None:
            known = _Run(self, question).evaluate(call)
        return known

    def _holds(self, call: Call, question: _Question) -> bool:
        """Whether a call has an answer, for use below a negation."""
        if call[0] not in self._program.rules:
            return bool(self._matching(*call))
        if call in question.negations:
            raise EvaluationError(
                f"{call[0]} depends on its own negation; the rules have no clear meaning"
            )
        question.negations.add(call)
        try:
            return bool(self._complete(call, question))
        finally:
            question.negations.discard(call)


class _Table:
    __slots__ = ("answers", "consumers", "rows", "slots")

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.answers: set[Answer] = set()
        self.rows: list[Answer] = []
        self.consumers: list[tuple[CompiledRule, int, Environment, Call]] = []


class _Run:
    """One evaluation to completion; its tables are published when it ends."""

    def __init__(self, tables: Tables, question: _Question) -> None:
        self.tables = tables
        self.question = question
        self.program = tables._program
        self.open: dict[Call, _Table] = {}
        self.agenda: list[tuple[CompiledRule, int, Environment, Call]] = []
        self.count = 0

    def evaluate(self, goal: Call) -> list[Answer]:
        table = self.begin(goal)
        agenda = self.agenda
        steps = 0
        while agenda:
            self.step(*agenda.pop())
            steps += 1
            if not steps & 1023:
                self.question.go_on(goal)
        finished, level = self.tables._finished, self.program.level
        for call, done in self.open.items():
            finished[level.get(call[0], 0)][call] = done.rows
        return table.rows

    def begin(self, call: Call) -> _Table:
        """Open a table: every rule whose head can give an answer goes on the agenda."""
        table = self.open[call] = _Table(_slots(call[1]))
        predicate, arguments = call
        for rule in self.program.rules[predicate]:
            environment: Environment = [None] * rule.slots
            if all(bind(p, a, environment) for p, a in zip(rule.arguments, arguments)):
                self.agenda.append((rule, 0, environment, call))
        return table

    def step(self, rule: CompiledRule, at: int, environment: Environment, call: Call) -> None:
        """Carry a rule on from literal `at` until it needs answers, fails or is through."""
        tables, agenda = self.tables, self.agenda
        for position in range(at, len(rule.body)):
            literal = rule.body[position]
            if literal.kind is Kind.DISTINCT:
                left, right = (instantiate(a, environment) for a in literal.arguments)
                if left == right:
                    return
                continue
            numbers: dict[int, int] = {}
            arguments = tuple(rename(a, environment, numbers) for a in literal.arguments)
            wanted = (literal.predicate, arguments)
            if literal.kind is Kind.NEGATIVE:
                if tables._holds(wanted, self.question):
                    return
                continue
            if literal.predicate not in self.program.rules:
                rows = tables._lookup(literal.predicate, arguments)
            else:
                rows = self.rows(wanted, (rule, position, environment, call))
            for row in rows:
                extended = environment.copy()
                if match_row(literal.arguments, row, extended):
                    agenda.append((rule, position + 1, extended, call))
            return
        self.answer(rule, environment, call)

    def rows(
        self, wanted: Call, consumer: tuple[CompiledRule, int, Environment, Call]
    ) -> list[Answer]:
        """The answers to a call so far; a consumer is resumed for those that are still to come."""
        known = self.tables._finished[self.program.level.get(wanted[0], 0)].get(wanted)
        if known is None:
            table = self.open.get(wanted)
            if table is None:
                table = self.begin(wanted)
            table.consumers.append(consumer)
            known = table.rows
        return known

    def answer(self, rule: CompiledRule, environment: Environment, call: Call) -> None:
        row = tuple(instantiate(a, environment) for a in rule.arguments)
        table = self.open[call]
        if row in table.answers:
            return
        if not all(is_known(a) for a in row):
            raise EvaluationError(
                f"a variable of the head is never bound: {to_kif(rule.source.clause.head)}"
            )
        if not match_row(call[1], row, [None] * table.slots):
            return
        table.answers.add(row)
        table.rows.append(row)
        self.count += 1
        if self.count > MAX_ANSWERS:
            raise EvaluationError(
                f"{rule.head} has over {MAX_ANSWERS} answers; the rules may grow without end"
            )
        for waiting, position, old, owner in table.consumers:
            extended = old.copy()
            if match_row(waiting.body[position].arguments, row, extended):
                self.agenda.append((waiting, position + 1, extended, owner))


class _Draw(_Run):
    """An evaluation in random order that ends with some answers; its tables are not published."""

    def __init__(self, tables: Tables, question: _Question, count: int, rng: Random) -> None:
        super().__init__(tables, question)
        self.wanted, self.rng = count, rng

    def evaluate(self, goal: Call) -> list[Answer]:
        table = self.begin(goal)
        agenda = self.agenda
        steps = 0
        while agenda and len(table.rows) < self.wanted:
            at = self.rng.randrange(len(agenda))
            agenda[at], agenda[-1] = agenda[-1], agenda[at]
            self.step(*agenda.pop())
            steps += 1
            if not steps & 1023:
                self.question.go_on(goal)
        return table.rows

    def rows(
        self, wanted: Call, consumer: tuple[CompiledRule, int, Environment, Call]
    ) -> list[Answer]:
        # What no state changes is worked out for good: the next drawing needs it too.
        if not self.program.level.get(wanted[0], 0):
            return self.tables._complete(wanted, self.question)
        return super().rows(wanted, consumer)


def flatten(predicate: Predicate, arguments: Answer) -> tuple[Predicate, Answer]:
    """``true(cell(X,Y,b))`` as ``"true cell"(X,Y,b)``, so that fluents can be indexed.

    The blank keeps the name apart from every name of a sheet. Facts are stored both ways.
    """
    if predicate.name in ("true", "does") and arguments:
        last = arguments[-1]
        if isinstance(last, tuple):
            row = (*arguments[:-1], *last[1:])
            return Predicate(f"{predicate.name} {last[0]}", len(row)), row
    return predicate, arguments


def outside_facts(predicate: Predicate, rows: Iterable[Answer]) -> list[tuple[Predicate, Answer]]:
    """Facts of a state or a joint move, as they are and flattened."""
    facts = []
    for row in rows:
        facts.append((predicate, row))
        flat = flatten(predicate, row)
        if flat[0] is not predicate:
            facts.append(flat)
    return facts


def _slots(patterns: Sequence[Pattern]) -> int:
    """How many free variables a call has: they are numbered from 0."""
    highest = -1
    stack = list(patterns)
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif isinstance(part, int):
            highest = max(highest, part)
    return highest + 1


def is_known(pattern: Pattern) -> bool:
    """Whether a pattern holds no variable."""
    if isinstance(pattern, tuple):
        return all(is_known(part) for part in pattern)
    return not isinstance(pattern, int)


def match(pattern: Pattern, term: Any, environment: Environment) -> bool:
    """Match a pattern against a ground term, binding slots in place."""
    if isinstance(pattern, int):
        bound = environment[pattern]
        if bound is None:
            environment[pattern] = term
            return True
        return bool(bound == term)
    if isinstance(pattern, tuple):
        if not isinstance(term, tuple) or len(pattern) != len(term):
            return False
        return all(match(p, t, environment) for p, t in zip(pattern, term))
    return bool(pattern == term)


def match_row(patterns: Sequence[Pattern], row: Answer, environment: Environment) -> bool:
    """`match` for all arguments; the common cases are written out for speed."""
    for pattern, term in zip(patterns, row):
        if pattern.__class__ is int:
            bound = environment[pattern]
            if bound is None:
                environment[pattern] = term
            elif bound != term:
                return False
        elif pattern.__class__ is str:
            if pattern != term:
                return False
        elif not match(pattern, term, environment):
            return False
    return True


def bind(pattern: Pattern, argument: Pattern, environment: Environment) -> bool:
    """Take what a call knows into a rule's head; False when they can never agree."""
    if isinstance(argument, int):
        return True
    if isinstance(pattern, int):
        if not is_known(argument):
            return True
        bound = environment[pattern]
        if bound is None:
            environment[pattern] = argument
            return True
        return bool(bound == argument)
    if isinstance(pattern, tuple):
        if not isinstance(argument, tuple) or len(pattern) != len(argument):
            return False
        return all(bind(p, a, environment) for p, a in zip(pattern, argument))
    return bool(pattern == argument)


def instantiate(pattern: Pattern, environment: Environment) -> Any:
    """The pattern with its bound slots filled in."""
    if pattern.__class__ is int:
        bound = environment[pattern]
        return pattern if bound is None else bound
    if isinstance(pattern, tuple):
        return tuple([instantiate(part, environment) for part in pattern])
    return pattern


def rename(pattern: Pattern, environment: Environment, numbers: dict[int, int]) -> Pattern:
    """`instantiate`, with free variables numbered in order of appearance."""
    if pattern.__class__ is int:
        bound = environment[pattern]
        return numbers.setdefault(pattern, len(numbers)) if bound is None else bound
    if isinstance(pattern, tuple):
        return tuple([rename(part, environment, numbers) for part in pattern])
    return pattern


def _has_variable(term: Term) -> bool:
    return isinstance(term, Variable) or (
        isinstance(term, tuple) and any(_has_variable(part) for part in term)
    )


def _compile(rule: Rule) -> CompiledRule:
    slots: dict[Variable, int] = {}

    def pattern(term: Term) -> Pattern:
        if isinstance(term, Variable):
            return slots.setdefault(term, len(slots))
        if isinstance(term, tuple):
            return tuple(pattern(part) for part in term)
        return term

    arguments = tuple(pattern(a) for a in rule.arguments)
    body = tuple(
        CompiledLiteral(l.kind, *flatten(l.predicate, tuple(pattern(a) for a in l.arguments)))
        for l in _ordered(rule)
    )
    return CompiledRule(rule.head, arguments, body, len(slots), rule)


def _ordered(rule: Rule) -> list[Literal]:
    """The body in the sheet's order, tests moved to where their variables are bound."""
    shared = {v for l in rule.body if l.kind is Kind.POSITIVE for v in l.variables()}
    waiting = [l for l in rule.body if l.kind is not Kind.POSITIVE]
    ordered: list[Literal] = []
    bound: set[Variable] = set()

    def release() -> None:
        for literal in list(waiting):
            if {v for v in literal.variables() if v in shared} <= bound:
                # What no positive literal binds is bound by the call or stays existential.
                if literal.kind is Kind.DISTINCT and not set(literal.variables()) <= bound:
                    continue
                ordered.append(literal)
                waiting.remove(literal)

    release()
    for literal in rule.body:
        if literal.kind is Kind.POSITIVE:
            ordered.append(literal)
            bound.update(literal.variables())
            release()
    return ordered + waiting


def _levels(rules: Rules, volatile: Mapping[str, int]) -> dict[Predicate, int]:
    """The highest level of any outside fact a predicate depends on."""
    users: dict[Predicate, list[Predicate]] = {}
    level: dict[Predicate, int] = {}
    agenda: list[Predicate] = []
    for rule in rules.rules:
        for literal in rule.body:
            users.setdefault(literal.predicate, []).append(rule.head)
            outside = volatile.get(literal.predicate.name, 0)
            if outside and literal.predicate not in level:
                level[literal.predicate] = outside
                agenda.append(literal.predicate)
    while agenda:
        predicate = agenda.pop()
        for user in users.get(predicate, ()):
            if level.get(user, 0) < level[predicate]:
                level[user] = level[predicate]
                agenda.append(user)
    return level
