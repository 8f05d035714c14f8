"""Constraints that are no tables become tables, by auxiliary variables where that keeps them small.

>>> from woodstock.scsp.xcsp3.expressions import parse_expression
>>> compiler = Compiler({"x": (0, 1, 2), "y": (0, 1, 2)})
>>> compiler.require(parse_expression("lt(x,y)", compiler.domains))
>>> compiler.take()
[ExtensionTable(scope=('x', 'y'), rows=((0, 1), (0, 2), (1, 2)), supports=True)]

An auxiliary variable is always a function of the variables of the file: the number of solutions
stays what it was. `define` makes one:

>>> compiler.define(parse_expression("add(x,y)", compiler.domains))
'aux1'
>>> compiler.auxiliary
{'aux1': (0, 1, 2, 3, 4)}
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod
from typing import Final, TypeAlias

from woodstock.scsp.xcsp3.evaluation import Evaluated, evaluate
from woodstock.scsp.xcsp3.expressions import Call, Expression, scope_of, text_of
from woodstock.scsp.xcsp3.tables import MOST_ENTRIES, STAR, ExtensionTable, Row
from woodstock.scsp.xcsp3.variables import LARGEST_DOMAIN, MOST_VALUES, MOST_VARIABLES

__all__ = ["LARGEST_TABLE", "SMALL_TABLE", "Compiler"]

SMALL_TABLE: Final = 10_000
"""An expression over so many tuples is one table; a larger one is taken apart if that helps."""

LARGEST_TABLE: Final = 1_000_000
"""The most tuples that are tried for one table."""

MOST_WORK: Final = 500_000_000
"""The most operators, each for each tuple, that are worked out for all tables of a file."""

_ASSOCIATIVE: Final = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})

_Key: TypeAlias = tuple[Expression, tuple[int, ...]]


class Compiler:
    """The tables of constraints, one constraint after another; `take` fetches them.

    `domains` are those of the variables of the file, `chance` names the stochastic ones. All
    methods raise `ValueError` where a table would be too large; it has the size.
    """

    def __init__(
        self,
        domains: Mapping[str, tuple[int, ...]],
        chance: Collection[str] = (),
        taken: Collection[str] = (),
    ) -> None:
        self.domains: dict[str, tuple[int, ...]] = dict(domains)
        self.auxiliary: dict[str, tuple[int, ...]] = {}
        self.chance = frozenset(chance)
        self.taken = frozenset(taken)
        self._tables: list[ExtensionTable] = []
        self._defined: dict[Expression, str] = {}
        self._known: dict[_Key, tuple[tuple[Row, ...], bool]] = {}
        self._room = MOST_ENTRIES
        self._work = MOST_WORK
        self._values = 0

    def take(self, chance: str | None = None) -> list[ExtensionTable]:
        """The tables since the last time: all those of one constraint.

        `chance` is a stochastic variable that the constraint names, if it names one. Each of its
        tables gets one then: a constraint that chance may violate has no part that must hold.
        """
        found, self._tables = self._tables, []
        if self.chance:
            self._defined.clear()  # what a chance constraint defines is for that one alone
        if chance is None:
            return found
        return [
            table
            if self.chance.intersection(table.scope)
            else ExtensionTable(
                (*table.scope, chance), tuple((*row, STAR) for row in table.rows), table.supports
            )
            for table in found
        ]

    def size(self, *expressions: Expression) -> int:
        """The number of tuples of their variables."""
        return prod(len(self.domains[name]) for name in scope_of(*expressions))

    # Tables

    def table(self, scope: Sequence[str], rows: Sequence[Row], supports: bool = True) -> None:
        """Post a table over variables that differ."""
        self._charge(len(scope) * (1 + len(rows)))
        self._tables.append(ExtensionTable(tuple(scope), tuple(rows), supports))

    def never(self) -> None:
        """Post that there is no solution."""
        name = next(iter(self.domains), None)
        if name is None:
            raise ValueError("it cannot be satisfied, and there is no variable")
        self.table([name], [])

    def rows(self, scope: Sequence[str], rows: Iterable[Mapping[str, int]]) -> None:
        """Post allowed rows, each with values of some of the variables; the others are free."""
        found: list[Row] = []
        domains = {name: frozenset(self.domains[name]) for name in scope}
        room = self._room // max(1, len(scope))
        for row in rows:
            if all(value in domains[name] for name, value in row.items()):
                found.append(tuple([row.get(name, STAR) for name in scope]))
                if len(found) > room:
                    self._charge(self._room + 1)
        self.table(scope, found)

    # Expressions

    def require(self, expression: Expression) -> None:
        """Post that the expression is true: not zero."""
        if isinstance(expression, Call) and expression.operator == "and":
            for part in expression.arguments:
                self.require(part)
            return
        expression = self._small(expression)
        scope = list(scope_of(expression))
        if not scope:
            if not any(self.evaluate(expression, ()).values):
                self.never()
            return
        key = (_placed(expression, scope), tuple(id(self.domains[name]) for name in scope))
        if key not in self._known:
            self._known[key] = self._work_out(expression, scope)
        rows, supports = self._known[key]
        if rows or supports:
            self.table(scope, rows, supports)

    def _work_out(
        self, expression: Expression, scope: Sequence[str]
    ) -> tuple[tuple[Row, ...], bool]:
        """The allowed rows, or the forbidden ones where they are fewer."""
        found = self.evaluate(expression, scope)
        allowed = [row for row, holds in zip(found.tuples, found.values) if holds]
        whole = self.size(*scope)
        if 2 * len(allowed) <= whole or len(found.tuples) < whole:
            return tuple(allowed), True
        return tuple(row for row, holds in zip(found.tuples, found.values) if not holds), False

    def define(self, expression: Expression) -> str | int:
        """A variable, mostly a new one, that is equal to the expression; or its constant value."""
        if not isinstance(expression, Call):
            return expression
        if expression not in self._defined:
            small = self._small(expression)
            scope = list(scope_of(small))
            found = self.evaluate(small, scope)
            if not found.values:
                self.never()  # it divides by zero, whatever the values are
                return 0
            if not scope:
                return found.values[0]
            name = self.new(found.values)
            self.table([*scope, name], [(*r, v) for r, v in zip(found.tuples, found.values)])
            self._defined[expression] = name
        return self._defined[expression]

    def new(self, values: Iterable[int]) -> str:
        """A new auxiliary variable with these values."""
        domain = tuple(sorted(set(values)))
        self._values += len(domain)
        if len(domain) > LARGEST_DOMAIN or self._values > MOST_VALUES:
            raise ValueError(f"auxiliary variables would have {self._values:,} values")
        if len(self.domains) >= MOST_VARIABLES:
            raise ValueError(f"there would be more than {MOST_VARIABLES:,} variables")
        number = len(self.auxiliary) + 1
        while (name := f"aux{number}") in self.domains or name in self.taken:
            number += 1
        self.auxiliary[name] = self.domains[name] = domain
        return name

    def _small(self, expression: Expression) -> Expression:
        """The same expression, its parts replaced by auxiliary variables where it is large."""
        if not isinstance(expression, Call) or expression.operator == "set":
            return expression
        size = self.size(expression)
        if size > SMALL_TABLE and not self._is_part_of_all(expression, size):
            parts = [self._atom(argument) for argument in expression.arguments]
            name = expression.operator
            while name in _ASSOCIATIVE and len(parts) > 2 and self.size(*parts) > SMALL_TABLE:
                parts = [self.define(Call(name, tuple(parts[:2]))), *parts[2:]]
            expression = Call(name, tuple(parts))
            size = self.size(expression)
        if size > LARGEST_TABLE:
            raise ValueError(
                f"{text_of(expression)[:60]} has {size:,} tuples to try; "
                f"{LARGEST_TABLE:,} are the most; narrow the domains"
            )
        return expression

    def _is_part_of_all(self, expression: Call, size: int) -> bool:
        """Whether a part has all variables, so that taking it apart saves nothing."""
        whole = len(scope_of(expression))
        return size <= LARGEST_TABLE and any(
            len(scope_of(argument)) == whole for argument in expression.arguments
        )

    def _atom(self, argument: Expression) -> Expression:
        if isinstance(argument, Call) and argument.operator == "set":
            return Call("set", tuple(self._atom(part) for part in argument.arguments))
        return self.define(argument)

    def spend(self, steps: int) -> None:
        """Account for work that leaves nothing behind."""
        self._work -= steps
        if self._work < 0:
            raise ValueError(f"the constraints of the file take more than {MOST_WORK:,} steps")

    def evaluate(self, expression: Expression, scope: Sequence[str]) -> Evaluated:
        """The values of an expression for all tuples of these variables."""
        domains = [self.domains[name] for name in scope]
        self.spend(prod(map(len, domains)) * _length(expression))
        return evaluate(expression, scope, domains)

    def _charge(self, entries: int) -> None:
        self._room -= entries
        if self._room < 0:
            raise ValueError(f"the tables of the file have more than {MOST_ENTRIES:,} entries")


def _placed(expression: Expression, scope: Sequence[str]) -> Expression:
    """The expression with places for names: equal for constraints of one shape."""
    places = {name: f"%{place}" for place, name in enumerate(scope)}

    def walk(found: Expression) -> Expression:
        if isinstance(found, Call):
            return Call(found.operator, tuple(map(walk, found.arguments)))
        return places[found] if isinstance(found, str) else found

    return walk(expression)


def _length(expression: Expression) -> int:
    """How many operators, variables and constants it has."""
    stack, found = [expression], 0
    while stack:
        top = stack.pop()
        found += 1
        if isinstance(top, Call):
            stack.extend(top.arguments)
    return found
