"""The values of an expression for all tuples of its variables at once.

>>> from woodstock.scsp.xcsp3.expressions import parse_expression
>>> domains = {"x": (0, 1, 2), "y": (0, 1)}
>>> found = evaluate(parse_expression("div(x,y)", domains), ["x", "y"], list(domains.values()))
>>> found.tuples
[(0, 1), (1, 1), (2, 1)]
>>> found.values
[0, 1, 2]

A column of values is computed operator by operator, so that the loops are those of Python's own
functions: a million tuples take about a second.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import compress, product
from typing import Final, NamedTuple

from woodstock.scsp.xcsp3.expressions import Call, Expression

__all__ = ["LARGEST_NUMBER", "Evaluated", "evaluate"]

LARGEST_NUMBER: Final = 10**18
"""No part of an expression may be beyond it, for any values of its variables."""

Column = Sequence[int]


class Evaluated(NamedTuple):
    """The tuples for which an expression has a value, and these values."""

    tuples: list[tuple[int, ...]]
    values: list[int]


def evaluate(
    expression: Expression, scope: Sequence[str], domains: Sequence[Sequence[int]]
) -> Evaluated:
    """The values of the expression over the product of the domains.

    Tuples for which a part of it has none (a division by zero, a negative exponent) are left out.
    `ValueError` where numbers get too large.
    """
    tuples = list(product(*domains))
    columns = dict(zip(scope, zip(*tuples)))
    walk = _Columns(columns, len(tuples))
    values = list(map(int, walk.column(expression)))
    if not walk.undefined:
        return Evaluated(tuples, values)
    defined = [place not in walk.undefined for place in range(len(tuples))]
    return Evaluated(list(compress(tuples, defined)), list(compress(values, defined)))


class _Columns:
    def __init__(self, variables: dict[str, tuple[int, ...]], length: int) -> None:
        self.variables = variables
        self.length = length
        self.undefined: set[int] = set()

    def column(self, expression: Expression) -> Column:
        if isinstance(expression, int):
            return [expression] * self.length
        if isinstance(expression, str):
            return self.variables[expression]
        name, arguments = expression.operator, expression.arguments
        if name in ("in", "notin"):
            return self._member(arguments[0], arguments[1], name == "in")
        columns = [self.column(argument) for argument in arguments]
        if name in _PARTIAL:
            return self._bounded(self._partial(_PARTIAL[name], *columns))
        if name in _FOLDED:
            # Bounded at each step: a product of many must not become a number of a million digits.
            return reduce(lambda a, b: self._bounded(list(map(_FOLDED[name], a, b))), columns)
        if name in _TOGETHER:
            return list(map(_TOGETHER[name], zip(*columns)))
        return self._bounded(list(map(_EACH[name], *columns)))

    def _member(self, what: Expression, of: Expression, inside: bool) -> Column:
        assert isinstance(of, Call)
        column = self.column(what)
        constants = frozenset(part for part in of.arguments if isinstance(part, int))
        found = list(map(constants.__contains__, column))
        for part in of.arguments:
            if not isinstance(part, int):
                found = list(map(operator.or_, found, map(operator.eq, column, self.column(part))))
        return found if inside else list(map(operator.not_, found))

    def _partial(self, function: Callable[[int, int], int | None], *columns: Column) -> Column:
        found: list[int] = []
        for place, value in enumerate(map(function, *columns)):
            if value is None:
                self.undefined.add(place)
                value = 0
            found.append(value)
        return found

    def _bounded(self, column: Column) -> Column:
        if column and (max(column) > LARGEST_NUMBER or min(column) < -LARGEST_NUMBER):
            raise ValueError("a part of the expression has values beyond 18 digits")
        return column


def _divide(a: int, b: int) -> int | None:
    """Towards zero, as the solvers that are written in Java do."""
    if b == 0:
        return None
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def _remainder(a: int, b: int) -> int | None:
    found = _divide(a, b)
    return None if found is None else a - b * found


def _power(a: int, b: int) -> int | None:
    if b < 0:
        return None
    # Beyond that the bound is met, or the base is 0, 1 or -1.
    return int(a ** (b if b < 62 else 62 + b % 2))


def _parity(values: Iterable[int]) -> bool:
    return sum(map(bool, values)) % 2 == 1


def _same_truth(values: Iterable[int]) -> bool:
    return len(set(map(bool, values))) == 1


_PARTIAL: Final = {"div": _divide, "mod": _remainder, "pow": _power}
_FOLDED: Final[dict[str, Callable[[int, int], int]]] = {
    "add": operator.add,
    "mul": operator.mul,
    "min": min,
    "max": max,
}
_TOGETHER: Final[dict[str, Callable[[tuple[int, ...]], bool]]] = {
    "and": all,
    "or": any,
    "xor": _parity,
    "iff": _same_truth,
    "eq": lambda values: len(set(values)) == 1,
}
_EACH: Final[dict[str, Callable[..., int]]] = {
    "neg": operator.neg,
    "abs": abs,
    "sqr": lambda a: a * a,
    "not": operator.not_,
    "sub": operator.sub,
    "dist": lambda a, b: abs(a - b),
    "imp": lambda a, b: not a or bool(b),
    "lt": operator.lt,
    "le": operator.le,
    "ge": operator.ge,
    "gt": operator.gt,
    "ne": operator.ne,
    "if": lambda condition, a, b: a if condition else b,
}
