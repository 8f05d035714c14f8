"""Which fluents the answer to a question can depend on, told from the rules alone.

Whether the game is over may depend on the board, and on nothing in anybody's hand. So states that
differ in nothing that matters share an answer, which is worth much where finding it takes long.

>>> from woodstock.gdl.reader import read_text
>>> from woodstock.gdl.rules import normalise
>>> from woodstock.gdl.terms import parse_term
>>> rules, _ = normalise(read_text('''
...     (role x) (role o)
...     (<= (legal ?who (pay ?n)) (true (has ?who ?n)) (true open) (distinct ?who o))
...     (<= (legal o wait) (not (true open)))'''))
>>> program = Program(rules, {"true": 1, "does": 2})
>>> state = [parse_term(fluent) for fluent in ("(has x 1)", "(has o 2)", "open", "closed")]
>>> for role in ("x", "o"):
...     print(*sorted(map(str, Reads(program, (Predicate("legal", 2), (role, 0))).of(state))))
(has x 1) open
open
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from woodstock.gdl.rules import Kind, Predicate
from woodstock.gdl.tabling import Answer, Call, Program, bind, flatten, instantiate, is_known
from woodstock.gdl.terms import Term

__all__ = ["Reads"]

_TRUE, _DOES = Predicate("true", 1), Predicate("does", 2)


class Reads:
    """The fluents that matter for a call; all of them where that cannot be told."""

    def __init__(self, program: Program, goal: Call) -> None:
        self._patterns: dict[Predicate, set[Answer]] | None = {}
        seen, agenda = {goal}, [goal]
        while agenda and self._patterns is not None:
            for call in _needs(program, agenda.pop()):
                predicate, arguments = call
                name = predicate.name.partition(" ")[0]
                if predicate == _DOES or name == "does" or (predicate, arguments) == (_TRUE, (0,)):
                    self._patterns = None
                    break
                if name == "true":
                    self._patterns.setdefault(predicate, set()).add(arguments)
                elif program.level.get(predicate, 0) and call not in seen:
                    seen.add(call)
                    agenda.append(call)

    def of(self, fluents: Iterable[Term]) -> frozenset[Term]:
        """Those of a state's fluents that matter."""
        if self._patterns is None:
            return frozenset(fluents)
        return frozenset(fluent for fluent in fluents if self._matters(fluent))

    def _matters(self, fluent: Term) -> bool:
        assert self._patterns is not None
        predicate, row = flatten(_TRUE, (fluent,))
        return any(_agrees(known, row) for known in self._patterns.get(predicate, ()))


def _needs(program: Program, call: Call) -> Iterable[Call]:
    """What the rules for a call ask; an argument that is no constant may be anything (0)."""
    predicate, arguments = call
    for rule in program.rules.get(predicate, ()):
        environment = [None] * rule.slots
        if not all(bind(p, a, environment) for p, a in zip(rule.arguments, arguments)):
            continue
        body = [(l, [instantiate(a, environment) for a in l.arguments]) for l in rule.body]
        if any(l.kind is Kind.DISTINCT and a[0] == a[1] and is_known(a[0]) for l, a in body):
            continue
        for literal, asked in body:
            if literal.kind is not Kind.DISTINCT:
                yield literal.predicate, tuple(a if isinstance(a, str) else 0 for a in asked)


def _agrees(known: Sequence[object], row: Answer) -> bool:
    return all(wanted in (0, term) for wanted, term in zip(known, row))
