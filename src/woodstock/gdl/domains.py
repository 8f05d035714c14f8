"""Which terms can stand where: a cheap upper bound, argument by argument.

A `TermSet` is a set of ground terms in Cartesian form (the constants, and for each functor one
`TermSet` per argument). `Domains` computes the least ones that contain every term a rule can put
in an argument of a predicate, treating arguments as independent. Nothing is enumerated, so this
is quick where grounding is not. Every step before grounding leans on it.

Sets are shared between relations and rules: only who made a set may `add` to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, group_by_head
from woodstock.gdl.terms import Compound, Term, Variable

__all__ = ["EVERYTHING", "ROOTS", "Domains", "TermSet", "image", "restrict", "variable_sets"]

MAX_DEPTH = 8
"""Deeper terms are taken as "anything": lists in GDL sheets may nest without end."""

HUGE = 1e18


class TermSet:
    """A set of ground terms: constants, and functors over sets of arguments; or everything."""

    __slots__ = ("constants", "functors", "top")

    def __init__(
        self,
        constants: Iterable[str] = (),
        functors: dict[tuple[str, int], list[TermSet]] | None = None,
        top: bool = False,
    ) -> None:
        self.constants = set(constants)
        self.functors = functors if functors is not None else {}
        self.top = top

    def copy(self) -> TermSet:
        """A set of its own with the same terms."""
        fresh = TermSet()
        fresh.add(self)
        return fresh

    def __bool__(self) -> bool:
        return self.top or bool(self.constants) or bool(self.functors)

    def size(self) -> float:
        """How many terms there are (`HUGE` for everything).

        >>> TermSet("ab", {("f", 2): [TermSet("xyz"), TermSet("xy")]}).size()
        8.0
        """
        if self.top:
            return HUGE
        total = float(len(self.constants))
        for arguments in self.functors.values():
            count = 1.0
            for argument in arguments:
                count *= argument.size()
            total += count
        return min(total, HUGE)

    def add(self, other: TermSet, depth: int = 0) -> bool:
        """Make this the union with another; True when it grew."""
        if self.top:
            return False
        if other.top or depth > MAX_DEPTH:
            self.top = True
            self.constants, self.functors = set(), {}
            return True
        before = len(self.constants)
        self.constants |= other.constants
        grew = len(self.constants) > before
        for functor, arguments in other.functors.items():
            mine = self.functors.get(functor)
            if mine is None:
                mine = self.functors[functor] = [TermSet() for _ in arguments]
                grew = True
            for own, new in zip(mine, arguments):
                grew |= own.add(new, depth + 1)
        return grew

    def meet(self, other: TermSet) -> TermSet:
        """The terms in both sets."""
        if self.top:
            return other
        if other.top:
            return self
        functors = {}
        for functor, arguments in self.functors.items():
            theirs = other.functors.get(functor)
            if theirs is not None:
                common = [a.meet(b) for a, b in zip(arguments, theirs)]
                if all(common):
                    functors[functor] = common
        return TermSet(self.constants & other.constants, functors)

    def terms(self) -> Iterator[Term]:
        """Every term of a finite set."""
        yield from sorted(self.constants)
        for (name, _), arguments in sorted(self.functors.items(), key=lambda item: item[0]):
            for parts in product(*(list(argument.terms()) for argument in arguments)):
                yield Compound((name, *parts))

    def __le__(self, other: TermSet) -> bool:
        if other.top:
            return True
        if self.top or not self.constants <= other.constants:
            return False
        return all(
            functor in other.functors
            and all(a <= b for a, b in zip(arguments, other.functors[functor]))
            for functor, arguments in self.functors.items()
        )


EVERYTHING = TermSet(top=True)


def restrict(pattern: Term, allowed: TermSet, sets: dict[Variable, TermSet]) -> bool:
    """Narrow the variables of a pattern to what an argument can be; False when it never fits."""
    if allowed.top:
        return True
    if isinstance(pattern, Variable):
        found = sets.get(pattern)
        narrowed = allowed if found is None else found.meet(allowed)
        sets[pattern] = narrowed
        return bool(narrowed)
    if isinstance(pattern, str):
        return pattern in allowed.constants
    arguments = allowed.functors.get((str(pattern[0]), len(pattern) - 1))
    if arguments is None:
        return False
    return all(restrict(p, a, sets) for p, a in zip(pattern[1:], arguments))


def image(pattern: Term, sets: Mapping[Variable, TermSet], depth: int = 0) -> TermSet:
    """The terms a pattern takes when its variables range over their sets."""
    if depth > MAX_DEPTH:
        return EVERYTHING
    if isinstance(pattern, Variable):
        return sets.get(pattern, EVERYTHING)
    if isinstance(pattern, str):
        return TermSet((pattern,))
    arguments = [image(part, sets, depth + 1) for part in pattern[1:]]
    return TermSet((), {(str(pattern[0]), len(arguments)): arguments})


_FEEDS = {
    Predicate("init", 1): Predicate("true", 1),
    Predicate("next", 1): Predicate("true", 1),
    Predicate("legal", 2): Predicate("does", 2),
}
ROOTS = frozenset({"role", "init", "legal", "next", "terminal", "goal", "sees", "base", "input"})


class Domains:
    """The arguments each predicate can have, and of those the ones anybody asks for."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.arguments: dict[Predicate, list[TermSet]] = {}
        self._reach(rules)
        self.demand: dict[Predicate, list[TermSet]] = {}
        self._ask(rules)

    def of(self, predicate: Predicate) -> list[TermSet]:
        """The sets of a predicate's arguments (empty when nothing is ever derived)."""
        found = self.arguments.get(predicate)
        return found if found is not None else [TermSet() for _ in range(predicate.arity)]

    def _reach(self, rules: Sequence[Rule]) -> None:
        users: dict[Predicate, list[int]] = {}
        agenda: list[int] = []
        for number, rule in enumerate(rules):
            if rule.body:
                for literal in rule.body:
                    if literal.kind is Kind.POSITIVE:
                        users.setdefault(literal.predicate, []).append(number)
                if not any(l.kind is Kind.POSITIVE for l in rule.body):
                    agenda.append(number)
            else:
                self._grow(rule, {})
        waiting = set(agenda)
        for head in list(self.arguments):
            for number in users.get(head, ()):
                if number not in waiting:
                    waiting.add(number)
                    agenda.append(number)
        while agenda:
            number = agenda.pop(0)
            waiting.discard(number)
            rule = rules[number]
            sets = variable_sets(rule.body, self)
            if sets is None:
                continue
            for head in self._grow(rule, sets):
                for user in users.get(head, ()):
                    if user not in waiting:
                        waiting.add(user)
                        agenda.append(user)

    def _grow(self, rule: Rule, sets: Mapping[Variable, TermSet]) -> list[Predicate]:
        changed = []
        images = [image(argument, sets) for argument in rule.arguments]
        for head in (rule.head, _FEEDS.get(rule.head)):
            if head is None:
                continue
            known = self.arguments.get(head)
            grew = known is None
            if known is None:
                known = self.arguments[head] = [TermSet() for _ in images]
            for own, new in zip(known, images):
                grew |= own.add(new)
            if grew:
                changed.append(head)
        return changed

    def _ask(self, rules: Sequence[Rule]) -> None:
        by_head = group_by_head(rules)
        agenda = []
        for head in by_head:
            if head.name in ROOTS:
                self.demand[head] = [EVERYTHING] * head.arity
                agenda.append(head)
        waiting = set(agenda)
        while agenda:
            head = agenda.pop(0)
            waiting.discard(head)
            for rule in by_head.get(head, ()):
                for asked in self._ask_body(rule):
                    if asked not in waiting and asked in by_head:
                        waiting.add(asked)
                        agenda.append(asked)

    def _ask_body(self, rule: Rule) -> list[Predicate]:
        """Pass a rule's demand on to what its body uses; the predicates asked for more."""
        start: dict[Variable, TermSet] = {}
        for argument, wanted in zip(rule.arguments, self.demand[rule.head]):
            if not restrict(argument, wanted, start):
                return []
        sets = variable_sets(rule.body, self, start)
        if sets is None:
            return []
        changed = []
        for literal in rule.body:
            if literal.kind is Kind.DISTINCT:
                continue
            known = self.demand.get(literal.predicate)
            grew = known is None
            if known is None:
                known = self.demand[literal.predicate] = [TermSet() for _ in literal.arguments]
            elif known and known[0] is EVERYTHING:
                continue
            for own, argument in zip(known, literal.arguments):
                grew |= own.add(image(argument, sets))
            if grew:
                changed.append(literal.predicate)
        return changed


def variable_sets(
    body: Iterable[Literal], domains: Domains, start: Mapping[Variable, TermSet] | None = None
) -> dict[Variable, TermSet] | None:
    """What each variable of a body can be, from its positive literals; None when it never holds."""
    sets: dict[Variable, TermSet] = dict(start or {})
    for literal in body:
        if literal.kind is Kind.POSITIVE:
            allowed = domains.arguments.get(literal.predicate)
            if allowed is None:
                return None
            for argument, values in zip(literal.arguments, allowed):
                if not restrict(argument, values, sets):
                    return None
    return sets
