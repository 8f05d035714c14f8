"""Prepared rules as a program for the grounder of clingo, and its symbols back.

Names are replaced by numbers, since GDL allows names ASP does not: predicate n is ``pn``, constant
n the integer n, functor n is ``fn``. The state and the moves are *choices*:
``{true(F)} :- init(F).  {true(F)} :- next(F).  {does(R,A)} :- legal(R,A), player(R).`` makes the
grounder instantiate exactly what is reachable when negation is ignored for reachability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from woodstock.gdl.rules import Kind, Literal, Predicate, Rule
from woodstock.gdl.terms import Term, Variable
from woodstock.ground.guards import GUARD

__all__ = ["FIRST_GUARD", "AspProgram", "translate"]

# The native side knows these numbers (core/ground/program.h).
_KEYWORDS = (
    "role",
    "init",
    "true",
    "does",
    "legal",
    "next",
    "terminal",
    "goal",
    "sees",
    "base",
    "input",
)
_ARITIES = (1, 1, 1, 2, 2, 1, 0, 2, 2, 1, 2)
_FIRST_OWN = 16
FIRST_GUARD = 1 << 20
"""Predicates from here on only limit instantiation; the native side drops them."""

_FOLLOW = "{p2(F)} :- p1(F).\n{p2(F)} :- p5(F).\n"
_PLAYER = Predicate(f"{GUARD}player", 1)
_REACHABLE = Predicate(f"{GUARD}reachable", 1)


@dataclass
class AspProgram:
    """The text for the grounder and the symbols its numbers stand for."""

    text: str = ""
    symbols: list[str] = field(default_factory=list)
    predicates: list[tuple[Predicate, int]] = field(default_factory=list)


def translate(
    rules: Sequence[Rule], roles: Sequence[str], reachable: Sequence[Term] | None = None
) -> AspProgram:
    """The ASP program of prepared rules; over the `reachable` fluents where they are known.

    >>> from woodstock.gdl.reader import read_text
    >>> from woodstock.gdl.rules import normalise
    >>> rules, _ = normalise(read_text("(role x) (<= (p ?a) (q ?a) (distinct ?a x))"))
    >>> print(translate(rules.rules, rules.roles).text, end="")
    {p2(F)} :- p1(F).
    {p2(F)} :- p5(F).
    {p3(R,A)} :- p4(R,A), p1048576(R).
    p1048576(0).
    p0(0).
    p16(V0) :- p17(V0), V0!=0.
    """
    return _Translator().run(rules, roles, reachable)


class _Translator:
    def __init__(self) -> None:
        self.predicates = {Predicate(n, a): i for i, (n, a) in enumerate(zip(_KEYWORDS, _ARITIES))}
        self.next_own = _FIRST_OWN
        self.next_guard = FIRST_GUARD
        self.symbols: dict[str, int] = {}

    def run(
        self, rules: Sequence[Rule], roles: Sequence[str], reachable: Sequence[Term] | None
    ) -> AspProgram:
        player = f"p{self.predicate(_PLAYER)}"
        lines = [_FOLLOW, f"{{p3(R,A)}} :- p4(R,A), {player}(R).\n"]
        # Nobody moves for a name that is no role, whatever `legal` says.
        lines.extend(f"{player}({self.symbol(role)}).\n" for role in roles)
        if reachable is not None:
            lines[0] = f"{{p2(F)}} :- p{self.predicate(_REACHABLE)}(F).\n"
            lines.extend(f"{self.atom(_REACHABLE, (f,), {})}.\n" for f in reachable)
        for rule in rules:
            names: dict[Variable, str] = {}
            head = self.atom(rule.head, rule.arguments, names)
            body = ", ".join(self.literal(l, names) for l in rule.body)
            lines.append(f"{head} :- {body}.\n" if body else f"{head}.\n")
        return AspProgram("".join(lines), list(self.symbols), list(self.predicates.items()))

    def predicate(self, predicate: Predicate) -> int:
        number = self.predicates.get(predicate)
        if number is None:
            if predicate.name.startswith(GUARD):
                number, self.next_guard = self.next_guard, self.next_guard + 1
            else:
                number, self.next_own = self.next_own, self.next_own + 1
            self.predicates[predicate] = number
        return number

    def symbol(self, name: str) -> int:
        return self.symbols.setdefault(name, len(self.symbols))

    def term(self, term: Term, names: dict[Variable, str]) -> str:
        if isinstance(term, Variable):
            return names.setdefault(term, f"V{len(names)}")
        if isinstance(term, str):
            return str(self.symbol(term))
        arguments = ",".join(self.term(part, names) for part in term[1:])
        return f"f{self.symbol(str(term[0]))}({arguments})"

    def atom(
        self, predicate: Predicate, arguments: Sequence[Term], names: dict[Variable, str]
    ) -> str:
        name = f"p{self.predicate(predicate)}"
        if not arguments:
            return name
        return f"{name}({','.join(self.term(a, names) for a in arguments)})"

    def literal(self, literal: Literal, names: dict[Variable, str]) -> str:
        if literal.kind is Kind.DISTINCT:
            left, right = (self.term(a, names) for a in literal.arguments)
            return f"{left}!={right}"
        atom = self.atom(literal.predicate, literal.arguments, names)
        return f"not {atom}" if literal.kind is Kind.NEGATIVE else atom
