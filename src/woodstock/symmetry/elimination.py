"""The tables of a turn as its rules meant them: what was cut to fit a table is put together again.

A long definition is cut into pieces when a game becomes a network, some conditions together and
then some others (`woodstock.scsp.encode.builder`). Where it is cut depends on the order of the
rules, so the pieces hide symmetries. Here the pieces of a disjunction or of a conjunction go back
to where they came from, and a variable that only says "x is one of these values" gives way to the
values.

>>> yes, no = (True, frozenset({1})), (True, frozenset({0}))
>>> tables = [  # a piece 1 = x2 and x3, and 0 = piece 1 and x4
...     Table((1, 2, 3), ((1, 1, 1), (0, 0, -1), (0, -1, 0)), "", 1),
...     Table((0, 1, 4), ((1, 1, 1), (0, 0, -1), (0, -1, 0)), "", 0),
... ]
>>> elimination = AuxiliaryElimination(tables, [range(2)] * 5, [2] * 5, auxiliary={1}, pieces={1})
>>> (part,) = elimination.needed([0])
>>> part.kind, sorted(part.variables)
('defined', [0, 2, 3, 4])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from woodstock.scsp.encode.builder import Table
from woodstock.scsp.encode.literals import ANY_VALUE, Row, as_values, meet, negate
from woodstock.symmetry.relation import Box, Part, Values, conjoin, restrict, size_of

__all__ = ["AuxiliaryElimination"]

MAX_COPIED = 64
"""Conditions of a definition beyond which it is not written out in several places."""

Bodies = list[dict[int, Values]]

values_of = lru_cache(maxsize=1 << 14)(as_values)


class AuxiliaryElimination:
    """Tables over what is left of the domains, as parts without needless variables.

    `sizes` are those of the whole domains.

    Of the Boolean variables in `auxiliary`, those that say "one of these values" disappear, and so
    do those that are conditions of a longer disjunction or conjunction, unless they are long and
    stand in several places; where `pieces` stand does not matter.
    """

    def __init__(
        self,
        tables: Iterable[Table],
        domains: Sequence[Collection[int]],
        sizes: Sequence[int],
        auxiliary: Collection[int],
        pieces: Collection[int],
    ) -> None:
        self.domains = domains
        self.sizes = sizes
        self._tables: dict[int, list[Table]] = {}
        for table in tables:
            self._tables.setdefault(table.defines, []).append(table)
        free = [v for v in auxiliary if v in self._tables and len(domains[v]) == 2]
        self._choices: dict[int, tuple[int, Values]] = {}
        for variable in free:
            choice = self._choice(variable)
            if choice is not None:
                self._choices[variable] = choice
        self._folded = {v for v in free if len(self._tables[v]) == 1}
        uses = Counter(v for found in self._tables.values() for t in found for v in t.scope)
        self._loose = {v for v in self._folded if v in pieces or uses[v] == 2}
        self._written: dict[tuple[int, bool], Bodies | None] = {}

    def needed(self, roots: Iterable[int], after: Mapping[int, int] | None = None) -> list[Part]:
        """What defines the roots, what that depends on in turn, and tables that define nothing.

        A variable that is needed needs the one `after` it too.
        """
        found = self._parts(-1)
        waiting = [*roots, *(variable for part in found for variable in part.variables)]
        seen = {-1}
        while waiting:
            variable = waiting.pop()
            if variable in seen:
                continue
            seen.add(variable)
            parts = [] if variable in self._choices else self._parts(variable)
            found.extend(parts)
            waiting.extend(other for part in parts for other in part.variables)
            if after is not None and variable in after:
                waiting.append(after[variable])
        return found

    def _parts(self, variable: int) -> list[Part]:
        return [part for table in self._tables.get(variable, ()) if (part := self._part(table))]

    def _part(self, table: Table) -> Part | None:
        if sum(len(self.domains[variable]) > 1 for variable in table.scope) == 0:
            return None
        if table.defines >= 0 and not self._folded.isdisjoint(table.scope):
            definition = self._definition(table)
            if definition is not None:
                head, bodies = definition
                return Part("defined", self._unfolded(bodies), head)
        rows = self._rows(table)
        return Part("allowed" if table.allowed else "forbidden", rows)

    def _rows(self, table: Table) -> Bodies:
        """The rows of a table that are still there, without choices."""
        found = []
        for row in table.rows:
            small = self._without_choices(self._box(table, row))
            if small is not None:
                found.append(small)
        return found

    @staticmethod
    def _box(table: Table, row: Row, head: int = -1) -> dict[int, Values]:
        entries = zip(table.scope, row)
        return {v: values_of(e) for v, e in entries if e != ANY_VALUE and v != head}

    def _without_choices(self, box: Box) -> dict[int, Values] | None:
        small = restrict(box, self.domains)
        while small is not None:
            found = next((v for v in small if v in self._choices), None)
            if found is None:
                return small
            holds = size_of(small.pop(found), {1})
            variable, values = self._choices[found]
            small = conjoin(small, {variable: values if holds else _others(values)})
            small = restrict(small, self.domains)
        return None

    # One of these values

    def _choice(self, variable: int) -> tuple[int, Values] | None:
        """The other variable and its values, where this one says that it has one of them."""
        tables = self._tables[variable]
        scope = {v for table in tables for v in table.scope if len(self.domains[v]) > 1}
        others = scope - {variable}
        if len(others) != 1:
            return None
        (other,) = others
        domain = self.domains[other]
        where: list[Values] = [(False, frozenset()), (False, frozenset())]
        for table in tables:
            for place in (0, 1):
                found: Values = (True, frozenset())
                for row in table.rows:
                    small = restrict(self._box(table, row), self.domains)
                    if small is not None and size_of(small.get(variable, _ALL), {place}):
                        found = _either(found, small.get(other, _ALL))
                where[place] = meet(where[place], found if table.allowed else _others(found))
        no, yes = where
        apart = not size_of(meet(no, yes), domain)
        if not apart or size_of(no, domain) + size_of(yes, domain) != len(domain):
            return None
        return other, yes

    # Disjunctions and conjunctions

    def _definition(self, table: Table) -> tuple[tuple[int, Values], Bodies] | None:
        """The head and where it holds; None where the table says something else."""
        head, column = table.defines, table.scope.index(table.defines)
        size = self.sizes[head]
        if not (table.allowed and _is_definition(table.rows, column, size)):
            return None
        yes = table.rows[0][column]
        bodies = []
        for row in table.rows:
            if row[column] == yes:
                box = self._without_choices(self._box(table, row, head))
                if box is not None:
                    bodies.append(box)
        return (head, values_of(yes)), bodies

    def _unfolded(self, bodies: Bodies) -> Bodies:
        """The bodies with the pieces of a disjunction, and those of the conjunctions in it."""
        found: Bodies = []
        for body in bodies:
            if len(body) == 1:
                ((variable, values),) = body.items()
                inside = self._inside(variable, values)
                if inside is not None:
                    found.extend(inside)
                    continue
            whole: dict[int, Values] = {}
            for variable, values in body.items():
                inside = self._inside(variable, values)
                literal = inside[0] if inside is not None and len(inside) == 1 else None
                whole = conjoin(whole, {variable: values} if literal is None else literal)
            small = restrict(whole, self.domains)
            if small is not None:
                found.append(small)
        return found

    def _inside(self, variable: int, values: Values) -> Bodies | None:
        """When a literal of an auxiliary variable holds, written out; None where it stays."""
        if variable not in self._folded:
            return None
        key = (variable, bool(size_of(values, {1})))
        if key not in self._written:
            found = self._write_out(*key)
            if found is not None and variable not in self._loose:
                found = found if sum(map(len, found)) <= MAX_COPIED else None
            self._written[key] = found
        return self._written[key]

    def _write_out(self, variable: int, holds: bool) -> Bodies | None:
        (table,) = self._tables[variable]
        definition = self._definition(table)
        if definition is None:
            return None
        head, bodies = definition
        found = self._unfolded(bodies)
        if holds == bool(size_of(head[1], {1})):
            return found
        if len(found) == 1:
            return [{v: _others(values)} for v, values in found[0].items()]
        if all(len(body) == 1 for body in found):
            denied: dict[int, Values] = {}
            for body in found:
                denied = conjoin(denied, {v: _others(values) for v, values in body.items()})
            small = restrict(denied, self.domains)
            return [] if small is None else [small]
        return None


_ALL: Values = (False, frozenset())


def _others(values: Values) -> Values:
    return not values[0], values[1]


def _either(left: Values, right: Values) -> Values:
    return _others(meet(_others(left), _others(right)))


@lru_cache(maxsize=1 << 14)
def _is_definition(rows: tuple[Row, ...], column: int, size: int) -> bool:
    """Whether rows have an entry in the column or its opposite, and never hold with both.

    A table that gives a variable its value leaves nothing open, so that is enough.
    """
    yes = rows[0][column]
    if yes == ANY_VALUE:
        return False
    _, no = negate((0, yes), size)
    sides: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        if row[column] not in (yes, no):
            return False
        sides[row[column] == no].append(row)
    return all(
        any(_exclude(a, b) for place, (a, b) in enumerate(zip(left, right)) if place != column)
        for left in sides[0]
        for right in sides[1]
    )


def _exclude(one: int, other: int) -> bool:
    """Whether no value fits both entries."""
    if one == ANY_VALUE or other == ANY_VALUE:
        return False
    return one != other if one >= 0 and other >= 0 else one == -2 - other
