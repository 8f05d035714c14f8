"""The conditions of sums, counts and others: ``(le,5)``, ``(eq,x)``, ``(in,2..4)``.

>>> condition = parse_condition("(in,2..4)", {})
>>> condition.holds(4), condition.holds(5)
(True, False)
>>> from woodstock.scsp.xcsp3.expressions import text_of
>>> text_of(parse_condition("(le,x)", {"x"}).of("y"))
'le(y,x)'
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from woodstock.scsp.xcsp3.expressions import Call, Expression, parse_expression
from woodstock.scsp.xcsp3.rows import parse_integer

__all__ = ["Condition", "equal_to", "parse_condition"]

_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "lt": operator.lt,
    "le": operator.le,
    "ge": operator.ge,
    "gt": operator.gt,
    "ne": operator.ne,
    "eq": operator.eq,
}


@dataclass(frozen=True)
class Condition:
    """An operator with its right side: an expression, or a set or a range after ``in``."""

    operator: str
    operand: Expression | frozenset[int] | range

    @property
    def right(self) -> Expression:
        """The right side of a comparison; 0 for sets and ranges."""
        return self.operand if isinstance(self.operand, int | str | Call) else 0

    def holds(self, left: int, right: int | None = None) -> bool:
        """Whether it holds for these values of its sides; the right one may be a constant."""
        if isinstance(self.operand, frozenset | range):
            return (left in self.operand) == (self.operator == "in")
        other = self.operand if right is None else right
        assert isinstance(other, int)
        return _COMPARE[self.operator](left, other)

    def of(self, left: Expression) -> Expression:
        """The expression that says so of `left`."""
        if isinstance(self.operand, range):
            low = Call("ge", (left, self.operand.start))
            within = Call("and", (low, Call("lt", (left, self.operand.stop))))
            return within if self.operator == "in" else Call("not", (within,))
        if isinstance(self.operand, frozenset):
            return Call(self.operator, (left, Call("set", tuple(sorted(self.operand)))))
        return Call(self.operator, (left, self.operand))


def equal_to(operand: Expression) -> Condition:
    """The condition of being equal to an expression."""
    return Condition("eq", operand)


def parse_condition(text: str, variables: Collection[str]) -> Condition:
    """The condition that a text holds; `ValueError` says what is wrong."""
    text = text.strip()
    name, comma, rest = text[1:-1].partition(",")
    name, rest = name.strip(), rest.strip()
    if text[:1] != "(" or text[-1:] != ")" or not comma:
        raise ValueError(f"{text[:40]!r} is no condition such as (le,5)")
    if name in _COMPARE:
        return Condition(name, parse_expression(rest, variables))
    if name not in ("in", "notin"):
        raise ValueError(f"the operator {name[:40]!r} of a condition is not supported")
    if rest.startswith("{") and rest.endswith("}"):
        parts = rest[1:-1].replace(",", " ").split()
        return Condition(name, frozenset(map(parse_integer, parts)))
    low, dots, high = rest.partition("..")
    if not dots:
        raise ValueError(f"{rest[:40]!r} is no set such as 2..4 or {{1,3}}")
    return Condition(name, range(parse_integer(low.strip()), parse_integer(high.strip()) + 1))
