"""Sums as chains of small tables: each auxiliary variable is the sum of the terms up to there.

>>> from woodstock.scsp.xcsp3.compiler import Compiler
>>> from woodstock.scsp.xcsp3.conditions import parse_condition
>>> compiler = Compiler({f"x{i}": tuple(range(10)) for i in range(5)})
>>> require_sum(compiler, [(1, f"x{i}") for i in range(5)], parse_condition("(le,3)", ()))
>>> [(table.scope, len(table.rows)) for table in compiler.take()]
... # doctest: +NORMALIZE_WHITESPACE
[(('x0', 'x1', 'aux1'), 10), (('aux1', 'x2', 'aux2'), 10), (('aux2', 'x3', 'aux3'), 10),
 (('aux3', 'x4'), 10)]

Sums that cannot lead to the condition any more are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from woodstock.scsp.xcsp3.compiler import LARGEST_TABLE, SMALL_TABLE, Compiler
from woodstock.scsp.xcsp3.conditions import Condition
from woodstock.scsp.xcsp3.evaluation import LARGEST_NUMBER
from woodstock.scsp.xcsp3.expressions import Call, Expression, scope_of

__all__ = ["define_sum", "require_sum"]

Term = tuple[Expression, Expression]
"""A coefficient and what it is multiplied with."""

_FEW: Final = 8  # terms that may be one table

Weights = Mapping[int, int]


def require_sum(compiler: Compiler, terms: Sequence[Term], condition: Condition) -> None:
    """Post that the sum of the terms meets the condition."""
    products = [_product(*term) for term in terms]
    if len(products) <= _FEW:
        whole = condition.of(Call("add", (0, *products)))
        if compiler.size(whole) <= SMALL_TABLE:
            compiler.require(whole)
            return
    compared = isinstance(condition.operand, int | str | Call)
    if compared:
        # A sum that is compared with an expression is one more term and a comparison with 0.
        products.append(Call("mul", (-1, condition.right)))
        condition = Condition(condition.operator, 0)
    offset, weights = _weighted(compiler, products)
    _require_chain(compiler, weights, lambda total: condition.holds(total + offset))


def define_sum(compiler: Compiler, terms: Sequence[Term]) -> str | int:
    """A variable that is equal to the sum of the terms, or the constant that it is."""
    offset, weights = _weighted(compiler, [_product(*term) for term in terms])
    if not weights:
        return offset
    names, worth = list(weights), list(weights.values())
    if len(names) == 1 and all(v == w + offset for v, w in worth[0].items()):
        return names[0]
    reached = _reachable(compiler, worth)
    before, rest = names[0], dict(worth[0])
    for place in range(1, len(names)):
        # `rest` is what each value of the variable `before` stands for.
        after = compiler.new(reached[place + 1])
        steps = [(u, v, a + b) for u, a in rest.items() for v, b in worth[place].items()]
        compiler.table([before, names[place], after], steps)
        before, rest = after, {total: total for total in reached[place + 1]}
    if offset or len(names) == 1:
        after = compiler.new(weight + offset for weight in rest.values())
        compiler.table([before, after], [(value, w + offset) for value, w in rest.items()])
        before = after
    return before


def _product(coefficient: Expression, factor: Expression) -> Expression:
    return factor if coefficient == 1 else Call("mul", (coefficient, factor))


def _weighted(
    compiler: Compiler, products: Sequence[Expression]
) -> tuple[int, dict[str, dict[int, int]]]:
    """The sum as a constant and what each variable adds by its value; each variable once."""
    offset = 0
    weights: dict[str, dict[int, int]] = {}
    for found in products:
        if len(scope_of(found)) > 1:
            found = _apart(compiler, found)
        scope = list(scope_of(found))
        if not scope:
            values = compiler.evaluate(found, ()).values
            if not values:
                compiler.never()
            offset += sum(values)
            continue
        (name,) = scope
        worth = compiler.evaluate(found, scope)
        known = weights.setdefault(name, dict.fromkeys(compiler.domains[name], 0))
        for (value,), weight in zip(worth.tuples, worth.values):
            known[value] += weight
        if len(worth.tuples) < len(compiler.domains[name]):  # values without a weight
            compiler.table([name], worth.tuples)
    return offset, weights


def _apart(compiler: Compiler, found: Expression) -> Expression:
    """A term of several variables as one of a single variable."""
    if isinstance(found, Call) and found.operator == "mul" and isinstance(found.arguments[0], int):
        return Call("mul", (found.arguments[0], compiler.define(found.arguments[1])))
    return compiler.define(found)


def _reachable(compiler: Compiler, weights: Sequence[Weights]) -> list[set[int]]:
    """The sums that the first, the first two, ... terms can have; the first entry is {0}."""
    reached = [{0}]
    for found in weights:
        steps = set(found.values())
        work = len(reached[-1]) * len(found)
        if work > LARGEST_TABLE:
            raise ValueError(
                f"the sum of the first {len(reached)} terms has {work:,} rows as a table; "
                f"{LARGEST_TABLE:,} are the most; narrow the domains"
            )
        compiler.spend(work)
        after = {total + step for total in reached[-1] for step in steps}
        if max(after) > LARGEST_NUMBER or min(after) < -LARGEST_NUMBER:
            raise ValueError("the sum has values beyond 18 digits")
        reached.append(after)
    return reached


def _require_chain(
    compiler: Compiler, weights: Mapping[str, Weights], holds: Callable[[int], bool]
) -> None:
    names, worth = list(weights), list(weights.values())
    reached = _reachable(compiler, worth)
    useful = [set(filter(holds, reached[-1]))]
    for found, sums in zip(reversed(worth), reversed(reached[:-1])):
        steps = set(found.values())
        useful.append({s for s in sums if any(s + step in useful[-1] for step in steps)})
    useful.reverse()
    if not useful[0]:
        compiler.never()
        return
    if useful[-1] == reached[-1]:
        return  # it always holds
    if len(names) == 1:
        compiler.table(names, [(value,) for value, w in worth[0].items() if w in useful[1]])
        return
    before, rest = names[0], dict(worth[0])
    for place in range(1, len(names)):
        pairs = ((u, v, a + b) for u, a in rest.items() for v, b in worth[place].items())
        kept = sorted(found for found in pairs if found[2] in useful[place + 1])
        if place == len(names) - 1:
            compiler.table([before, names[place]], [(a, b) for a, b, _ in kept])
            return
        after = compiler.new(useful[place + 1])
        compiler.table([before, names[place], after], kept)
        before, rest = after, {total: total for total in useful[place + 1]}
