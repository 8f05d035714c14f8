"""The constraints of XCSP3-core that have names, as tables: each kind by one small function.

>>> from woodstock.scsp.xcsp3.reader import read_text
>>> network = read_text('''
... <instance format="XCSP3" type="CSP">
...   <variables> <array id="q" size="[4]"> 0..3 </array> </variables>
...   <constraints>
...     <allDifferent> q[] </allDifferent>
...     <allDifferent> q[0] add(q[1],1) add(q[2],2) add(q[3],3) </allDifferent>
...     <allDifferent> q[0] sub(q[1],1) sub(q[2],2) sub(q[3],3) </allDifferent>
...   </constraints>
... </instance>''')
>>> from woodstock.scsp import Solver
>>> Solver(network).count()
2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

from woodstock.scsp.xcsp3.compiler import LARGEST_TABLE, Compiler
from woodstock.scsp.xcsp3.conditions import Condition, equal_to, parse_condition
from woodstock.scsp.xcsp3.document import Element
from woodstock.scsp.xcsp3.elements import require_element
from woodstock.scsp.xcsp3.expressions import Call, Expression, parse_expression
from woodstock.scsp.xcsp3.lists import Lists
from woodstock.scsp.xcsp3.parts import Parts, needed, parts_of, single
from woodstock.scsp.xcsp3.rows import parse_integer
from woodstock.scsp.xcsp3.sums import require_sum

__all__ = ["KINDS", "compile_constraint"]


def compile_constraint(element: Element, lists: Lists, compiler: Compiler) -> None:
    """Post the tables of a constraint; `Xcsp3Error` or `ValueError` where that cannot be."""
    element.only(*_ATTRIBUTES.get(element.tag, ()))
    KINDS[element.tag](element, lists, compiler)


def _intension(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "function")
    text = single(element, parts, "function") or element.text
    compiler.require(parse_expression(text, lists.domains))


def _all_different(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "matrix", "except")
    excepted = single(element, parts, "except")
    matrix = single(element, parts, "matrix")
    if matrix is not None:
        rows = lists.matrix(matrix)
        groups = [*rows, *map(list, zip(*rows))]
    else:
        groups = [lists.expressions(one.text) for one in parts["list"]]
        groups = groups or [lists.expressions(element.text)]
    if matrix is None and len(groups) > 1:
        _different_lists(groups, excepted, compiler)
        return
    free = () if excepted is None else tuple(lists.integers(excepted))
    for group in groups:
        _bounded_pairs(len(group))
        for a, b in combinations(group, 2):
            apart: Expression = Call("ne", (a, b))
            if free:
                apart = Call("or", (apart, Call("in", (a, Call("set", free)))))
            compiler.require(apart)


def _different_lists(
    groups: Sequence[Sequence[Expression]], excepted: str | None, compiler: Compiler
) -> None:
    if excepted is not None:
        raise ValueError("<except> is not supported for lists that differ")
    if len({len(group) for group in groups}) != 1:
        raise ValueError("the lists that differ must be equally long")
    _bounded_pairs(len(groups))
    for first, second in combinations(groups, 2):
        compiler.require(Call("or", tuple(Call("ne", pair) for pair in zip(first, second))))


def _bounded_pairs(length: int) -> None:
    if length * (length - 1) // 2 > LARGEST_TABLE:
        raise ValueError(
            f"{length:,} entries are {length * (length - 1) // 2:,} pairs that differ; "
            f"{LARGEST_TABLE:,} are the most"
        )


def _all_equal(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list")
    found = lists.expressions(single(element, parts, "list") or element.text)
    for a, b in pairwise(found):
        compiler.require(Call("eq", (a, b)))


def _ordered(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "lengths", "operator")
    found = lists.expressions(needed(element, parts, "list"))
    name = needed(element, parts, "operator")
    if name not in ("lt", "le", "ge", "gt"):
        raise ValueError(f"the operator {name[:40]!r} is not supported")
    text = single(element, parts, "lengths")
    lengths = [0] * len(found) if text is None else lists.expressions(text)
    if len(lengths) < len(found) - 1:
        raise ValueError(f"there are {len(lengths)} lengths for {len(found)} entries")
    for (a, b), length in zip(pairwise(found), lengths):
        left: Expression = a if length == 0 else Call("add", (a, length))
        compiler.require(Call(name, (left, b)))


def _instantiation(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "values")
    names = lists.expressions(needed(element, parts, "list"))
    values = lists.integers(needed(element, parts, "values"))
    if len(names) != len(values):
        raise ValueError(f"it has {len(names)} variables and {len(values)} values")
    for name, value in zip(names, values):
        compiler.require(Call("eq", (name, value)))


def _sum(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "coeffs", "condition")
    require_sum(compiler, terms_of(element, parts, lists), _condition(element, parts, lists))


def terms_of(element: Element, parts: Parts, lists: Lists) -> list[tuple[Expression, Expression]]:
    """The terms of a sum: ``<list>`` and ``<coeffs>``, which may be left out."""
    found = lists.expressions(needed(element, parts, "list"))
    text = single(element, parts, "coeffs")
    factors: list[Expression] = [1] * len(found) if text is None else lists.expressions(text)
    if len(factors) != len(found):
        raise ValueError(f"there are {len(factors)} coefficients for {len(found)} entries")
    return list(zip(factors, found))


def _count(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "values", "condition")
    found = lists.expressions(needed(element, parts, "list"))
    values = lists.expressions(needed(element, parts, "values"))
    _require_count(compiler, found, values, _condition(element, parts, lists))


def _require_count(
    compiler: Compiler,
    found: Sequence[Expression],
    values: Sequence[Expression],
    condition: Condition,
) -> None:
    wanted = Call("set", tuple(values))
    require_sum(compiler, [(1, Call("in", (one, wanted))) for one in found], condition)


def _cardinality(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "values", "occurs")
    found = lists.expressions(needed(element, parts, "list"))
    values = lists.expressions(needed(element, parts, "values"))
    occurs = list(_occurrences(needed(element, parts, "occurs"), lists))
    if len(occurs) != len(values):
        raise ValueError(f"it has {len(values)} values and {len(occurs)} occurrences")
    for value, condition in zip(values, occurs):
        _require_count(compiler, found, [value], condition)
    for child in element.children:
        if child.tag == "values" and child.attributes.get("closed", "false") == "true":
            for one in found:
                compiler.require(Call("in", (one, Call("set", tuple(values)))))


def _occurrences(text: str, lists: Lists) -> Iterator[Condition]:
    for token in text.split():
        low, dots, _ = token.partition("..")
        if dots and low.lstrip("+-").isdigit():
            yield parse_condition(f"(in,{token})", lists.domains)
        else:
            for one in lists.expressions(token):
                yield equal_to(one)


def _extremum(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "condition")
    found = lists.expressions(needed(element, parts, "list"))
    if not found:
        raise ValueError("the list is empty")
    name = "max" if element.tag == "maximum" else "min"
    condition = _condition(element, parts, lists)
    compiler.require(condition.of(Call(name, tuple(found))))


def _element(element: Element, lists: Lists, compiler: Compiler) -> None:
    parts = parts_of(element, "list", "matrix", "index", "value", "condition")
    condition = _condition(element, parts, lists, "value")
    text = single(element, parts, "index")
    index = [] if text is None else [compiler.define(one) for one in lists.expressions(text)]
    matrix = single(element, parts, "matrix")
    places: dict[tuple[int, ...], Expression] = {}
    if matrix is not None:
        rows = lists.matrix(matrix)
        begin = _start(element, "startRowIndex"), _start(element, "startColIndex")
        for i, row in enumerate(rows, begin[0]):
            places |= {(i, j): one for j, one in enumerate(row, begin[1])}
    else:
        entries = lists.expressions(needed(element, parts, "list"))
        places = {(i,): one for i, one in enumerate(entries, _start(element, "startIndex"))}
    wanted = 1 if matrix is None else 2
    if len(index) != wanted:
        raise ValueError(f"it takes {wanted} variables as <index>; there are {len(index)}")
    require_element(compiler, places, index, condition)


def _start(element: Element, name: str) -> int:
    found = element.attributes.get(name) or next(
        (child.attributes[name] for child in element.children if name in child.attributes), "0"
    )
    return parse_integer(found.strip())


def _condition(element: Element, parts: Parts, lists: Lists, short: str = "") -> Condition:
    """The ``<condition>``; `short` names an element that stands for being equal."""
    text = single(element, parts, "condition")
    if text is not None:
        if short and parts[short]:
            raise ValueError(f"it takes a <condition> or a <{short}>, not both")
        return parse_condition(text, lists.domains)
    if not short:
        element.fail("it takes a <condition>")
    return equal_to(lists.one(needed(element, parts, short)))


KINDS: Final[dict[str, Callable[[Element, Lists, Compiler], None]]] = {
    "intension": _intension,
    "allDifferent": _all_different,
    "allEqual": _all_equal,
    "ordered": _ordered,
    "instantiation": _instantiation,
    "sum": _sum,
    "count": _count,
    "cardinality": _cardinality,
    "maximum": _extremum,
    "minimum": _extremum,
    "element": _element,
}
"""The kinds of constraints that become tables."""

_ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "element": ("startIndex", "startRowIndex", "startColIndex"),
}
