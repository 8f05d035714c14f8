"""What an instance minimises or maximises, as one variable."""

from __future__ import annotations

from typing import Final

from woodstock.scsp.objective import Objective
from woodstock.scsp.xcsp3.compiler import Compiler
from woodstock.scsp.xcsp3.document import Element
from woodstock.scsp.xcsp3.expressions import Call, Expression
from woodstock.scsp.xcsp3.global_constraints import terms_of
from woodstock.scsp.xcsp3.lists import Lists
from woodstock.scsp.xcsp3.parts import parts_of
from woodstock.scsp.xcsp3.sums import define_sum

__all__ = ["compile_objective"]

_OPERATORS: Final = {"maximum": "max", "minimum": "min", "product": "mul"}


def compile_objective(element: Element, lists: Lists, compiler: Compiler) -> Objective:
    """The objective of ``<objectives>``; its variable may be a new, auxiliary one."""
    element.only("combination")
    if len(element.children) != 1:
        element.fail(f"one objective is supported; there are {len(element.children)}")
    found = element.children[0]
    if found.tag not in ("minimize", "maximize"):
        found.fail("only <minimize> and <maximize> are supported in <objectives>")
    found.only("type")
    try:
        variable = _variable(found, lists, compiler)
        if isinstance(variable, int):
            # A constant is best whatever one does.
            variable = compiler.new([variable])
    except ValueError as problem:
        found.fail(str(problem))
    return Objective(variable, maximise=found.tag == "maximize")


def _variable(element: Element, lists: Lists, compiler: Compiler) -> str | int:
    kind = element.attributes.get("type", "expression")
    if kind == "expression":
        return compiler.define(lists.one(element.bare()))
    parts = parts_of(element, "list", "coeffs")
    if not parts["list"]:
        found: list[tuple[Expression, Expression]]
        found = [(1, one) for one in lists.expressions(element.text)]
    else:
        found = terms_of(element, parts, lists)
    if kind == "sum":
        return define_sum(compiler, found)
    if kind not in _OPERATORS:
        raise ValueError(f"objectives of type {kind[:40]!r} are not supported")
    if not found:
        raise ValueError("the list is empty")
    terms = [one if factor == 1 else Call("mul", (factor, one)) for factor, one in found]
    return compiler.define(Call(_OPERATORS[kind], tuple(terms)))
