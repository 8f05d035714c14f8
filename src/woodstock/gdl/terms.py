"""Terms: the words in which rules, fluents and moves are written.

A constant is a plain `str`, a compound term is a `Compound` (a tuple whose first item is the
functor), a variable is a `Variable`. Ground terms are hashable, comparable and cheap:

>>> move = Compound(("mark", "1", "3"))
>>> print(move)
(mark 1 3)
>>> move == ("mark", "1", "3"), parse_term("( mark 1 3 )") == move
(True, True)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = [
    "MAX_DEPTH",
    "Compound",
    "Term",
    "Variable",
    "is_ground",
    "parse_term",
    "to_kif",
    "variables",
]


class Compound(tuple["Term", ...]):
    """A function or relation applied to arguments: ``(functor, argument, ...)``."""

    __slots__ = ()

    def __str__(self) -> str:
        return to_kif(self)

    def __repr__(self) -> str:
        return f"Compound({tuple.__repr__(self)})"


class Variable:
    """A variable of a rule; two variables of one rule are equal when their names are."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"?{self.name}"

    def __repr__(self) -> str:
        return f"Variable({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variable) and self.name == other.name

    def __hash__(self) -> int:
        return hash(("?", self.name))


Term = str | Compound | Variable


def to_kif(term: Term) -> str:
    """The canonical KIF text of a term: single blanks, none inside parentheses.

    >>> to_kif(Compound(("legal", "x", Compound(("mark", Variable("m"), "1")))))
    '(legal x (mark ?m 1))'
    """
    if isinstance(term, str):
        return term
    if isinstance(term, Variable):
        return f"?{term.name}"
    # Iterative, because a hostile rulesheet may nest deeper than Python's stack.
    parts: list[str] = []
    stack: list[Term | None] = [term]
    while stack:
        item = stack.pop()
        if item is None:
            parts.append(")")
        elif isinstance(item, tuple):
            parts.append("(")
            stack.append(None)
            stack.extend(reversed(item))
        else:
            parts.append(str(item))
    text = " ".join(parts)
    return text.replace("( ", "(").replace(" )", ")")


def variables(term: Term) -> Iterator[Variable]:
    """The variables of a term from left to right, with repetitions.

    >>> [str(v) for v in variables(parse_term("(cell ?x ?y ?x)"))]
    ['?x', '?y', '?x']
    """
    stack = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, Variable):
            yield item
        elif isinstance(item, tuple):
            stack.extend(reversed(item[1:]))


def is_ground(term: Term) -> bool:
    """Whether a term holds no variable."""
    return next(variables(term), None) is None


MAX_DEPTH = 200
"""Deepest nesting that is read; terms are compared and hashed recursively."""

_TOKEN = re.compile(r"[()]|[^\s();]+")


def parse_term(text: str) -> Term:
    """Read one term in KIF spelling; `ValueError` when the text is not exactly one term.

    >>> parse_term("noop")
    'noop'
    >>> parse_term("(mark 1 ?y)")
    Compound(('mark', '1', Variable('y')))
    """
    done: list[Term] = []
    stack = [done]
    for token in _TOKEN.findall(text):
        if token == "(":
            if len(stack) > MAX_DEPTH:
                raise ValueError(f"a term nested deeper than {MAX_DEPTH}")
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            if not stack or not inner or not isinstance(inner[0], str):
                raise ValueError(f"not a term: {text.strip()[:80]!r}")
            stack[-1].append(inner[0] if len(inner) == 1 else Compound(inner))
        else:
            stack[-1].append(Variable(token[1:]) if token[0] == "?" else token)
    if len(stack) != 1 or len(done) != 1:
        raise ValueError(f"not a term: {text.strip()[:80]!r}")
    return done[0]
