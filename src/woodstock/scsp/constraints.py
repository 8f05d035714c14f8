"""The parts a stochastic constraint network is made of: variables, constraints, probabilities.

>>> x = Variable("x", range(3))
>>> y = Variable("y", "HT", stochastic=True)
>>> Hard.where([x], lambda value: value > 0).rows
((1,), (2,))
>>> Probability.uniform(y).distribution(())
{'H': Fraction(1, 2), 'T': Fraction(1, 2)}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from woodstock.errors import NetworkError
from woodstock.scsp.values import (
    ANY,
    Entry,
    Not,
    Number,
    Value,
    Variable,
    as_fraction,
    is_hashable,
    set_fields,
)

__all__ = [
    "ANY",
    "Constraint",
    "Distribution",
    "Entry",
    "Hard",
    "Not",
    "Number",
    "Probability",
    "Soft",
    "UniformOver",
    "Value",
    "Variable",
    "as_fraction",
]

# Mappings do not vary in their keys; `Any` lets a dict with keys of one type be passed.
Numbers: TypeAlias = Mapping[Any, Number]
Utilities: TypeAlias = Mapping[Any, Number | Sequence[Number]]


Lookup: TypeAlias = tuple[frozenset[tuple[Value, ...]], tuple[tuple[Entry, ...], ...]]


@dataclass(frozen=True, slots=True, init=False)
class Hard:
    """A hard constraint: the table of the tuples that are allowed, or of those that are forbidden.

    Rows hold values of the domains and `ANY`; allowed rows may hold `Not(value)` too. A row with
    such entries stands for all tuples that fit it.

    >>> Hard(["x", "y"], [(1, ANY), (2, Not(0))]).permits((2, 1))
    True
    >>> Hard.forbid(["x", "y"], [(1, ANY)]).permits((1, 5))
    False
    """

    scope: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    allowed: bool
    name: str
    _lookup: list[Lookup]

    def __init__(
        self,
        scope: Sequence[str | Variable],
        rows: Iterable[Sequence[Entry]],
        allowed: bool = True,
        name: str = "",
    ) -> None:
        set_fields(self, scope=_names(scope), allowed=allowed, name=name, _lookup=[])
        if not isinstance(rows, Iterable):
            raise NetworkError(f"the rows of {self.label} are {rows!r}; write a list of tuples")
        set_fields(self, rows=tuple([_row(row, self.label, self.scope) for row in rows]))
        for row in self.rows:
            if not allowed and any(isinstance(entry, Not) for entry in row):
                raise NetworkError(
                    f"forbidden row {row!r} of {self.label} holds Not(...); "
                    "write one row for each value that is forbidden"
                )

    @classmethod
    def allow(
        cls, scope: Sequence[str | Variable], rows: Iterable[Sequence[Entry]], name: str = ""
    ) -> Hard:
        """The constraint that allows the tuples of these rows and no others."""
        return cls(scope, rows, True, name)

    @classmethod
    def forbid(
        cls, scope: Sequence[str | Variable], rows: Iterable[Sequence[Entry]], name: str = ""
    ) -> Hard:
        """The constraint that forbids the tuples of these rows and no others."""
        return cls(scope, rows, False, name)

    @classmethod
    def where(
        cls, variables: Sequence[Variable], predicate: Callable[..., object], name: str = ""
    ) -> Hard:
        """The constraint that allows the tuples for which `predicate(*tuple)` holds.

        Walks through the whole product of the domains.

        >>> x, z = Variable("x", range(3)), Variable("z", range(3))
        >>> Hard.where([x, z], lambda a, b: a + b > 2).rows
        ((1, 2), (2, 1), (2, 2))
        """
        tuples = product(*(variable.domain for variable in variables))
        return cls(variables, (row for row in tuples if predicate(*row)), True, name)

    @property
    def label(self) -> str:
        """How messages call it: by its name if it has one, and its scope."""
        return _label(self.name or "constraint", self.scope)

    def permits(self, values: tuple[Value, ...]) -> bool:
        """Whether it holds for these values of its scope; a look-up where the rows are plain."""
        if not self._lookup:
            special = {row for row in self.rows if any(map(_is_special, row))}
            plain = frozenset(row for row in self.rows if row not in special)
            self._lookup.append((plain, tuple(special)))
        plain, special_rows = self._lookup[0]
        found = values in plain or any(all(map(_fits, row, values)) for row in special_rows)
        return found == self.allowed

    def __getstate__(self) -> list[object]:
        return [self.scope, self.rows, self.allowed, self.name, []]

    def __hash__(self) -> int:
        return hash((self.scope, self.rows, self.allowed, self.name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hard) and (self.scope, self.rows, self.allowed, self.name) == (
            other.scope,
            other.rows,
            other.allowed,
            other.name,
        )


@dataclass(frozen=True, slots=True, init=False)
class Soft:
    """A soft constraint: the utility in [0, 1] of each tuple for each player; 0 if not listed.

    A single number stands for a network with one player. `rows` is not to be changed.

    >>> pay = Soft(["x"], {(1,): "1/2", (2,): 1})
    >>> pay.utility((1,)), pay.utility((0,))
    ((Fraction(1, 2),), (Fraction(0, 1),))
    """

    scope: tuple[str, ...]
    rows: Mapping[tuple[Value, ...], tuple[Fraction, ...]]
    name: str

    def __init__(
        self,
        scope: Sequence[str | Variable],
        rows: Utilities,
        name: str = "",
    ) -> None:
        set_fields(self, scope=_names(scope), name=name)
        _check_mapping(rows, f"the rows of {self.label}", "{(1,): 1}")
        table: dict[tuple[Value, ...], tuple[Fraction, ...]] = {
            _row(row, self.label, self.scope): _utilities(found) for row, found in rows.items()
        }
        set_fields(self, rows=table)
        for row, utilities in table.items():
            if any(not 0 <= utility <= 1 for utility in utilities):
                raise NetworkError(
                    f"row {row!r} of {self.label} has a utility outside [0, 1]; divide by the best"
                )
        if len({len(utilities) for utilities in table.values()}) > 1:
            raise NetworkError(
                f"{self.label} has rows for different numbers of players; "
                "give every row one utility a player"
            )

    @classmethod
    def where(
        cls,
        variables: Sequence[Variable],
        utility: Callable[..., Number | Sequence[Number]],
        name: str = "",
    ) -> Soft:
        """The constraint that gives each tuple of the product of the domains ``utility(*tuple)``.

        >>> Soft.where([Variable("x", range(3))], lambda x: Fraction(x, 2)).rows[2,]
        (Fraction(1, 1),)
        """
        tuples = product(*(variable.domain for variable in variables))
        return cls(variables, {row: utility(*row) for row in tuples}, name)

    @property
    def label(self) -> str:
        """How messages call it: by its name if it has one, and its scope."""
        return _label(self.name or "soft constraint", self.scope)

    @property
    def players(self) -> int:
        """For how many players it has utilities; 1 where it has no rows."""
        return len(next(iter(self.rows.values()), (0,)))

    def utility(self, values: tuple[Value, ...]) -> tuple[Fraction, ...]:
        """The utility of these values of its scope, one number a player."""
        return self.rows.get(values) or (Fraction(0),) * self.players

    def __hash__(self) -> int:
        return hash((self.scope, self.name, frozenset(self.rows.items())))


Constraint: TypeAlias = Hard | Soft
"""What a network holds: hard and soft constraints."""


@dataclass(frozen=True, slots=True, init=False)
class Probability:
    """The conditional probability table of a stochastic variable.

    One row for each tuple of values of `given`; values that a row does not name have probability 0.
    `rows` is not to be changed.

    >>> y = Probability("y", ["x"], {(0,): {"H": 1}, (1,): {"H": "1/4", "T": "3/4"}})
    >>> y.distribution((1,))["T"]
    Fraction(3, 4)
    """

    variable: str
    given: tuple[str, ...]
    rows: Mapping[tuple[Value, ...], Mapping[Value, Fraction]]

    def __init__(
        self,
        variable: str | Variable,
        given: Sequence[str | Variable],
        rows: Mapping[Any, Numbers],
    ) -> None:
        set_fields(self, variable=str(variable), given=_names(given))
        _check_mapping(rows, f"the rows of {self.label}", "{(1,): {0: 1}}")
        table: dict[tuple[Value, ...], dict[Value, Fraction]] = {}
        for key, found in rows.items():
            row = _row(key, self.label, self.given)
            _check_mapping(found, f"row {row!r} of {self.label}", "{0: '1/3', 1: '2/3'}")
            table[row] = {value: as_fraction(number) for value, number in found.items()}
        set_fields(self, rows=table)
        for row, found in table.items():
            if any(number < 0 for number in found.values()) or sum(found.values()) != 1:
                raise NetworkError(
                    f"row {row!r} of {self.label} sums to {sum(found.values())}; "
                    "probabilities are at least 0 and sum to 1"
                )

    @classmethod
    def of(cls, variable: str | Variable, distribution: Numbers) -> Probability:
        """The table of a variable that depends on no other.

        >>> Probability.of("y", {"H": "1/3", "T": "2/3"}).distribution(())["H"]
        Fraction(1, 3)
        """
        return cls(variable, (), {(): distribution})

    @classmethod
    def uniform(cls, variable: Variable) -> Probability:
        """The table that makes all values of the variable equally likely."""
        share = Fraction(1, len(variable.domain))
        return cls.of(variable, dict.fromkeys(variable.domain, share))

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"the probability of {self.variable!r}"

    def distribution(self, values: tuple[Value, ...]) -> Mapping[Value, Fraction]:
        """The distribution given these values of `given`."""
        return self.rows[values]

    def __hash__(self) -> int:
        return hash((self.variable, self.given, len(self.rows)))


@dataclass(frozen=True, slots=True, init=False)
class UniformOver:
    """A uniform distribution over the values whose Boolean variable holds.

    ``P(y = d | b) = b_d / Σ b``, where b_d is the variable that `legal` names for d: the moves of
    chance, channelled to the rules that say which are legal. Where none holds, all values are
    equally likely, and the constraints say whether that can be. `legal` is not to be changed.

    >>> y = UniformOver("y", {"H": "legal_H", "T": "legal_T"})
    >>> y.given
    ('legal_H', 'legal_T')
    >>> y.distribution((True, False))
    {'H': Fraction(1, 1), 'T': Fraction(0, 1)}
    """

    variable: str
    legal: Mapping[Value, str]

    def __init__(self, variable: str | Variable, legal: Mapping[Any, str | Variable]) -> None:
        set_fields(self, variable=str(variable))
        _check_mapping(legal, self.label, "{0: 'legal_0', 1: 'legal_1'}")
        table = {value: str(boolean) for value, boolean in legal.items()}
        set_fields(self, legal=table)

    @property
    def given(self) -> tuple[str, ...]:
        """The Boolean variables, in the order of `legal`."""
        return tuple(self.legal.values())

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"the uniform probability of {self.variable!r}"

    def distribution(self, values: tuple[Value, ...]) -> Mapping[Value, Fraction]:
        """The distribution given the values of the Boolean variables."""
        held = values if any(values) else (True,) * len(values)
        share = Fraction(1, sum(map(bool, held)))
        return {d: share if b else Fraction(0) for d, b in zip(self.legal, held)}

    def __hash__(self) -> int:
        return hash((self.variable, frozenset(self.legal.items())))


Distribution: TypeAlias = Probability | UniformOver
"""How chance chooses the value of a stochastic variable."""


def _names(scope: Sequence[str | Variable]) -> tuple[str, ...]:
    if isinstance(scope, str | Variable):
        raise NetworkError(
            f"the scope {str(scope)!r} is no list; write a list of variables: [{str(scope)!r}]"
        )
    names = tuple(map(str, scope))
    if len(set(names)) != len(names):
        raise NetworkError(f"the scope {names!r} names a variable twice; name each once")
    return names


def _utilities(found: Number | Sequence[Number]) -> tuple[Fraction, ...]:
    if isinstance(found, str | int | float | Fraction):
        return (as_fraction(found),)
    if not isinstance(found, Iterable):
        raise NetworkError(f"{found!r} is no utility; write a number, or a list with one a player")
    return tuple(map(as_fraction, found))


def _row(row: Any, label: str, scope: tuple[str, ...]) -> tuple[Value, ...]:
    """The row as a tuple, with one entry for each variable of the scope."""
    if type(row) is not tuple:
        if isinstance(row, str | bytes | Set | Mapping) or not isinstance(row, Iterable):
            spelled = isinstance(row, str) and 1 < len(row) == len(scope)
            remedy = tuple(row) if spelled else (row,)
            raise NetworkError(f"row {row!r} of {label} is no tuple; write {remedy!r}")
        row = tuple(row)
    if len(row) != len(scope):
        raise NetworkError(
            f"row {row!r} of {label} has {len(row)} entries for {len(scope)} variables; "
            "give one each"
        )
    if not is_hashable(row):
        raise NetworkError(
            f"row {row!r} of {label} has an entry that cannot be hashed; write (1,) in place of [1]"
        )
    found: tuple[Value, ...] = row
    return found


def _check_mapping(found: object, what: str, example: str) -> None:
    if not isinstance(found, Mapping):
        raise NetworkError(f"{what} should be a mapping, not {found!r}; write {example}")


def _label(kind: str, scope: tuple[str, ...]) -> str:
    return f"{kind}({', '.join(scope)})"


def _is_special(entry: Entry) -> bool:
    return entry is ANY or isinstance(entry, Not)


def _fits(entry: Entry, value: Value) -> bool:
    return entry is ANY or (entry.value != value if isinstance(entry, Not) else entry == value)
