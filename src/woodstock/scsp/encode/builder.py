"""Definitions become tables: ``A ↔ body or body ...`` over variables of any domain.

`Builder` holds variables and tables by number. Every table has at most `MAX_ROWS` rows, so that it
fits one machine word of the solver, and `MAX_ARITY` variables; a definition that needs more is cut,
with auxiliary variables for its parts. Equal parts share one.

>>> builder = Builder()
>>> p, q, r = (builder.boolean(name) for name in "pqr")
>>> s = builder.literal([[(p, 1), (q, 0)], [(r, 1)]], "s")
>>> builder.names[s[0]], [table.rows for table in builder.tables]
('s', [((1, 1, 0, -1), (1, -1, -1, 1), (0, 0, -1, 0), (0, 1, 1, 0))])
>>> builder.literal([[(r, 1)], [(q, 0), (p, 1)]], "t") == s
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from woodstock.scsp.constraints import Value
from woodstock.scsp.encode.literals import (
    ANY_VALUE,
    FALSE,
    TRUE,
    Body,
    Literal,
    Row,
    Values,
    complement,
    conjunction,
    entries,
    negate,
)

__all__ = ["MAX_ARITY", "MAX_ROWS", "Builder", "Table"]

MAX_ROWS = 64
"""No table has more rows."""

MAX_ARITY = 8
"""No definition has more variables."""

BOOLEAN: tuple[Value, ...] = (False, True)


@dataclass(frozen=True)
class Table:
    """A table constraint by number; `defines` is the variable it gives a value, -1 for none."""

    scope: tuple[int, ...]
    rows: tuple[Row, ...]
    name: str
    defines: int
    allowed: bool = True


class Builder:
    """Variables, tables, and the parts of definitions made so far."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.domains: list[tuple[Value, ...]] = []
        self.moving: list[bool] = []
        """Whether the variable depends on the moves, not on the state alone."""
        self.tables: list[Table] = []
        self._taken: dict[str, int] = {}
        self._parts: dict[object, Literal] = {}

    # Variables

    def variable(self, name: str, domain: Sequence[Value], moving: bool = False) -> int:
        """The number of a new variable; its name gets a number too where it is taken."""
        unique, count = name, self._taken.get(name, 0)
        while unique in self._taken:
            count += 1
            unique = f"{name}~{count}"
        self._taken[name] = count
        self._taken[unique] = 1
        self.names.append(unique)
        self.domains.append(tuple(domain))
        self.moving.append(moving)
        return len(self.names) - 1

    def boolean(self, name: str, moving: bool = False) -> int:
        """The number of a new Boolean variable."""
        return self.variable(name, BOOLEAN, moving)

    def size(self, variable: int) -> int:
        """How many values it has."""
        return len(self.domains[variable])

    def negate(self, literal: Literal) -> Literal:
        """The literal that holds when this one does not."""
        return negate(literal, 2 if literal[0] < 0 else self.size(literal[0]))

    # Definitions

    def literal(self, bodies: Iterable[Sequence[Literal]], name: str) -> Literal:
        """A literal that holds exactly when one of the bodies does: an old one where possible."""
        simple = self.simplify(bodies)
        if isinstance(simple, bool):
            return TRUE if simple else FALSE
        if len(simple) == 1 and len(simple[0]) == 1:
            return simple[0][0]
        if all(len(body) == 1 for body in simple):
            # p or q is not (not p and not q), which another definition may have made.
            denied = tuple(sorted(self.negate(body[0]) for body in simple))
            known = self._parts.get(("or", frozenset((denied,))))
            if known is not None:
                return self.negate(known)
        return self._part(("or", frozenset(simple)), simple, name)

    def define(self, head: Literal, bodies: Iterable[Sequence[Literal]], name: str) -> None:
        """Post that `head` holds exactly when one of the bodies does."""
        simple = self.simplify(bodies)
        if isinstance(simple, bool):
            row = head if simple else self.negate(head)
            self._post((head[0],), [(row[1],)], name, head[0])
            return
        self._define(head, simple, name)

    def imply(self, premise: Literal, bodies: Iterable[Sequence[Literal]], name: str) -> None:
        """Post that one of the bodies holds where `premise` does."""
        simple = self.simplify(bodies)
        if simple is True:
            return
        no = self.negate(premise)[1]
        if simple is False:
            self._post((premise[0],), [(no,)], name, -1)
            return
        variables = _variables(simple)
        if len(variables) >= MAX_ARITY or len(simple) >= MAX_ROWS:
            simple = [(self.literal(simple, f"{name}_{premise[0]}_{premise[1]}"),)]
            variables = _variables(simple)
        rows = [(no, *(ANY_VALUE for _ in variables))]
        rows.extend((premise[1], *_row(dict(body), variables)) for body in simple)
        self._post((premise[0], *variables), rows, name, -1)

    def select(
        self, variable: int, options: Sequence[Iterable[Sequence[Literal]]], name: str
    ) -> None:
        """Post that the variable has its i-th value exactly where one of the i-th bodies holds.

        The caller knows that bodies of one option hold, and of one alone.
        """
        simple = [self.simplify(bodies) for bodies in options]
        rows: list[tuple[int, Body]] = []
        for place, bodies in enumerate(simple):
            found: list[Body] = [] if isinstance(bodies, bool) else bodies
            if bodies is True:
                found = [()]
            rows.extend((place, body) for body in found)
        variables = _variables(body for _, body in rows)
        if len(variables) < MAX_ARITY and len(rows) <= MAX_ROWS:
            entries = [(place, *_row(dict(body), variables)) for place, body in rows]
            self._post((variable, *variables), entries, name, variable)
            return
        for place, given in enumerate(options):
            self.define((variable, place), given, name)

    def simplify(self, bodies: Iterable[Sequence[Literal]]) -> list[Body] | bool:
        """The bodies without constants, contradictions and doubles, one literal a variable."""
        found: dict[Body, None] = {}
        for body in bodies:
            values = conjunction(body, self.size)
            if values is None:
                continue
            literals = sorted(self._member(v, one) for v, one in values.items())
            if not literals:
                return True
            found[tuple(literals)] = None
        units = {body[0] for body in found if len(body) == 1}
        if units:
            if any(self.negate(unit) in units for unit in units):
                return True
            kept = [b for b in found if len(b) == 1 or not units.intersection(b)]
            # (not p) beside p or q: the q alone is enough.
            denied = {self.negate(unit) for unit in units}
            if any(denied.intersection(body) for body in kept):
                shorter = [[one for one in body if one not in denied] for body in kept]
                return self.simplify(shorter)
            return kept
        return list(found) if found else False

    def fits(self, bodies: Iterable[Sequence[Literal]]) -> bool:
        """Whether a definition by these bodies is one table."""
        simple = self.simplify(bodies)
        return isinstance(simple, bool) or self._rows(simple) is not None

    def otherwise(self, bodies: list[Body]) -> list[Body] | None:
        """Bodies that hold exactly where these do not; None where they do not fit a table."""
        misses = self._rows(bodies)
        return None if misses is None else [tuple(sorted(miss.items())) for miss in misses]

    def table(
        self, scope: Sequence[int], rows: Iterable[Row], name: str, defines: int = -1
    ) -> None:
        """Post a table as it is."""
        self._post(tuple(scope), rows, name, defines)

    # Parts

    def _part(self, key: object, bodies: list[Body], name: str) -> Literal:
        found = self._parts.get(key)
        if found is None:
            moving = any(self.moving[variable] for variable in _variables(bodies))
            found = (self.boolean(name, moving), 1)
            self._parts[key] = found
            self._define(found, bodies, "")
        return found

    def _and(self, body: Body) -> Literal:
        if len(body) == 1:
            return body[0]
        return self._part(("or", frozenset((body,))), [body], "part")

    def _member(self, variable: int, values: Values) -> Literal:
        """The literal for "its value is one of these"."""
        size = self.size(variable)
        found = entries(values, size)
        if len(found) == 1:
            return TRUE if found[0] == ANY_VALUE else (variable, found[0])
        named, places = values
        inside = places if named else frozenset(range(size)) - places
        if len(inside) * 2 > size:
            inside, negated = frozenset(range(size)) - inside, True
        else:
            negated = False
        key = ("in", variable, inside)
        literal = self._parts.get(key)
        if literal is None:
            literal = (self.boolean("one_of", self.moving[variable]), 1)
            self._parts[key] = literal
            self._choice(literal, variable, sorted(inside))
        return self.negate(literal) if negated else literal

    def _choice(self, head: Literal, variable: int, inside: list[int]) -> None:
        """Post that `head` holds exactly when the variable has one of some values."""
        scope = (head[0], variable)
        size = self.size(variable)
        if size <= MAX_ROWS:
            chosen = set(inside)
            rows = [(1 if value in chosen else 0, value) for value in range(size)]
            self._post(scope, rows, "", head[0])
        elif len(inside) < MAX_ROWS:
            # "None of them" is no row of its own: a second table forbids the values one by one.
            self._post(scope, [(0, ANY_VALUE), *((1, value) for value in inside)], "", head[0])
            rows = [(0, value) for value in inside]
            self.tables.append(Table(scope, tuple(rows), "", head[0], allowed=False))
        else:
            step = MAX_ROWS - 1
            chunks = [inside[first : first + step] for first in range(0, len(inside), step)]
            literals = [
                self._member(variable, (True, frozenset(chunk))) for chunk in chunks if chunk
            ]
            self._define(head, [(literal,) for literal in literals], "")

    def _define(self, head: Literal, bodies: list[Body], name: str) -> None:
        if self._direct(head, bodies, name):
            return
        if len(bodies) == 1:
            (body,) = bodies
            width = MAX_ARITY - 1
            while len(body) > width:
                parts = [body[i : i + width] for i in range(0, len(body), width)]
                body = tuple(self._and(part) for part in parts)
            direct = self._direct(head, [body], name)
            assert direct
            return
        self._disjunction(head, bodies, name)

    def _disjunction(self, head: Literal, bodies: list[Body], name: str) -> None:
        """Cut a long disjunction: values of one variable together, then by what fits a table."""
        alike: dict[int, set[int]] = {}
        for body in bodies:
            if len(body) == 1 and body[0][1] >= 0:
                alike.setdefault(body[0][0], set()).add(body[0][1])
        left: list[Body] = []
        for body in bodies:
            if len(body) == 1 and body[0][1] >= 0 and len(alike[body[0][0]]) > 1:
                continue
            left.append(body)
        left.extend(
            (self._member(variable, (True, frozenset(values))),)
            for variable, values in alike.items()
            if len(values) > 1
        )
        simple = self.simplify(left)
        if isinstance(simple, bool):
            # All values of a variable stood there, one by one: it always holds.
            self._post((head[0],), [(head[1],)], name, head[0])
            return
        if self._direct(head, simple, name):
            return
        groups = self._groups(simple)
        if len(groups) == len(simple):
            groups = self._groups([(self._and(body),) for body in simple])
        parts: list[Body] = []
        for group in groups:
            key = ("or", frozenset(group))
            single = len(group) == 1 and len(group[0]) == 1
            parts.append((group[0][0] if single else self._part(key, group, "part"),))
        self._define(head, parts, name)

    def _groups(self, bodies: list[Body]) -> list[list[Body]]:
        """Bodies in their order, as many together as fit a table."""
        groups: list[list[Body]] = []
        for body in bodies:
            if groups and self._rows([*groups[-1], body]) is not None:
                groups[-1].append(body)
            else:
                groups.append([body])
        return groups

    def _rows(self, bodies: list[Body]) -> list[dict[int, int]] | None:
        """What satisfies none of the bodies, if one table can hold bodies and that."""
        variables = _variables(bodies)
        if len(variables) >= MAX_ARITY or len(bodies) >= MAX_ROWS:
            return None
        place = {variable: i for i, variable in enumerate(variables)}
        sizes = tuple(self.size(variable) for variable in variables)
        shape = tuple(tuple((place[v], entry) for v, entry in body) for body in bodies)
        misses = _misses(sizes, shape)
        if misses is None:
            return None
        return [{variables[i]: entry for i, entry in miss.items()} for miss in misses]

    def _direct(self, head: Literal, bodies: list[Body], name: str) -> bool:
        """Post a definition as one table, if it fits one."""
        misses = self._rows(bodies)
        if misses is None:
            return False
        variables = _variables(bodies)
        no = self.negate(head)[1]
        rows = [(head[1], *_row(dict(body), variables)) for body in bodies]
        rows.extend((no, *_row(miss, variables)) for miss in misses)
        self._post((head[0], *variables), rows, name, head[0])
        return True

    def _post(self, scope: tuple[int, ...], rows: Iterable[Row], name: str, defines: int) -> None:
        self.tables.append(Table(scope, tuple(rows), name, defines))


@lru_cache(maxsize=1 << 16)
def _misses(sizes: tuple[int, ...], bodies: tuple[Body, ...]) -> list[dict[int, int]] | None:
    """The complement of bodies, which have the same shape a thousand times in a game."""
    values = [conjunction(body, sizes.__getitem__) or {} for body in bodies]
    return complement(values, sizes.__getitem__, MAX_ROWS - len(bodies))


def _variables(bodies: Iterable[Body]) -> list[int]:
    return list(dict.fromkeys(variable for body in bodies for variable, _ in body))


def _row(found: dict[int, int], variables: list[int]) -> Row:
    return tuple(found.get(variable, ANY_VALUE) for variable in variables)
