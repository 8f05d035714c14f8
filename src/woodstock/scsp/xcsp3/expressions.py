"""The expressions of XCSP3, such as ``or(eq(x,1),gt(add(x,y),4))``, read into trees.

>>> known = {"x": (0, 1), "y": (0, 1)}
>>> found = parse_expression("le(add(x,y),1)", known)
>>> found.operator, found.arguments[1], sorted(scope_of(found))
('le', 1, ['x', 'y'])
>>> text_of(found)
'le(add(x,y),1)'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from woodstock.scsp.xcsp3.rows import parse_integer

__all__ = [
    "DEEPEST_EXPRESSION",
    "OPERATORS",
    "Call",
    "Expression",
    "parse_expression",
    "scope_of",
    "split_list",
    "text_of",
]

DEEPEST_EXPRESSION: Final = 50
"""Operators within operators that an expression may have."""

_MANY: Final = 1_000_000

OPERATORS: Final[dict[str, tuple[int, int]]] = {
    **dict.fromkeys(("neg", "abs", "sqr", "not"), (1, 1)),
    **dict.fromkeys(("sub", "div", "mod", "pow", "dist", "imp"), (2, 2)),
    **dict.fromkeys(("lt", "le", "ge", "gt", "ne", "in", "notin"), (2, 2)),
    **dict.fromkeys(("add", "mul", "min", "max", "and", "or"), (1, _MANY)),
    **dict.fromkeys(("eq", "xor", "iff"), (2, _MANY)),
    "if": (3, 3),
    "set": (0, _MANY),
}
"""Each operator with the fewest and the most arguments that it takes."""

_TOKEN: Final = re.compile(r"[(),]|[^\s(),]+")


@dataclass(frozen=True, slots=True)
class Call:
    """An operator over expressions; truth is 1 and 0, as in XCSP3."""

    operator: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = int | str | Call
"""An integer, the name of a variable, or an operator over expressions."""


def parse_expression(text: str, variables: Collection[str]) -> Expression:
    """The expression that a text holds over these variables; `ValueError` says what is wrong."""
    tokens = _TOKEN.findall(text)
    found, end = _parse(tokens, 0, variables, 0)
    if end != len(tokens):
        raise ValueError(f"{tokens[end][:40]!r} follows the end of the expression")
    return found


def _parse(
    tokens: list[str], at: int, variables: Collection[str], depth: int
) -> tuple[Expression, int]:
    if depth > DEEPEST_EXPRESSION:
        raise ValueError(f"the expression is nested more than {DEEPEST_EXPRESSION} deep")
    if at >= len(tokens) or tokens[at] in "(),":
        shown = repr(tokens[at]) if at < len(tokens) else "nothing"
        raise ValueError(f"an expression is expected, not {shown}")
    name = tokens[at]
    if at + 1 == len(tokens) or tokens[at + 1] != "(":
        return _atom(name, variables), at + 1
    if name not in OPERATORS:
        raise ValueError(f"the operator {name[:40]!r} is not supported")
    arguments: list[Expression] = []
    at += 2
    while at < len(tokens) and tokens[at] != ")":
        if arguments:
            if tokens[at] != ",":
                raise ValueError(f"',' or ')' is expected, not {tokens[at][:40]!r}")
            at += 1
        found, at = _parse(tokens, at, variables, depth + 1)
        arguments.append(found)
    if at >= len(tokens):
        raise ValueError(f"'{name}(' is never closed")
    least, most = OPERATORS[name]
    if not least <= len(arguments) <= most:
        raise ValueError(f"{name!r} does not take {len(arguments)} arguments")
    _check_sets(name, arguments)
    return Call(name, tuple(arguments)), at + 1


def _check_sets(name: str, arguments: list[Expression]) -> None:
    """A set stands after ``in`` and ``notin``, and nowhere else."""
    for place, argument in enumerate(arguments):
        is_set = isinstance(argument, Call) and argument.operator == "set"
        if is_set != (name in ("in", "notin") and place == 1):
            raise ValueError(f"{name!r} takes {'no' if is_set else 'a'} set as argument {place}")


def _atom(token: str, variables: Collection[str]) -> Expression:
    if token in variables:
        return token
    if token[0] in "+-0123456789":
        return parse_integer(token)
    raise ValueError(f"no variable is called {token[:60]!r}")


def scope_of(*expressions: Expression) -> dict[str, None]:
    """The variables of the expressions, each once, in the order in which they are met."""
    found: dict[str, None] = {}
    stack = list(reversed(expressions))
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            found[top] = None
        elif isinstance(top, Call):
            stack.extend(reversed(top.arguments))
    return found


def text_of(expression: Expression) -> str:
    """The expression as XCSP3 writes it."""
    if isinstance(expression, Call):
        return f"{expression.operator}({','.join(map(text_of, expression.arguments))})"
    return str(expression)


def split_list(text: str) -> Iterator[str]:
    """The entries of a list: what blanks part, but for those within parentheses.

    >>> list(split_list("x[0] add(x, 1) (1, 2) 5"))
    ['x[0]', 'add(x, 1)', '(1, 2)', '5']
    """
    if "(" not in text:
        yield from text.split()
        return
    depth, parts = 0, []
    for token in text.split():
        parts.append(token)
        depth += token.count("(") - token.count(")")
        if depth <= 0:
            yield " ".join(parts)
            depth, parts = 0, []
    if parts:
        yield " ".join(parts)
