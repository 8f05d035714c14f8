"""Variables and what they take: values, entries of rows, exact numbers.

>>> Variable("x", range(3)).domain
(0, 1, 2)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Final, TypeAlias

from woodstock.errors import NetworkError

__all__ = [
    "ANY",
    "Entry",
    "Not",
    "Number",
    "Value",
    "Variable",
    "as_fraction",
    "is_hashable",
    "printable",
    "set_fields",
]

Value: TypeAlias = Hashable
"""What a variable can take: mostly a `str`, `int` or `bool`."""

Number: TypeAlias = Fraction | int | float | str
"""What is taken for a utility or a probability; kept as a fraction."""


class _Any(Enum):
    ANY = "*"

    def __repr__(self) -> str:
        return "ANY"

    def __str__(self) -> str:
        return "*"


ANY: Final = _Any.ANY
"""The entry of a row that every value fits."""


@dataclass(frozen=True, slots=True)
class Not:
    """The entry of an allowed row that every value but this one fits.

    >>> from woodstock.scsp import Hard
    >>> Hard(["x"], [(Not(2),)]).permits((1,))
    True
    """

    value: Value

    def __str__(self) -> str:
        return f"≠{self.value}"


Entry: TypeAlias = Value
"""An entry of a row: a value, `ANY` or `Not(value)`."""


def as_fraction(number: Number) -> Fraction:
    """The number as a fraction; a float is taken as it is written, so 0.1 is a tenth.

    >>> as_fraction(0.1), as_fraction("2/3")
    (Fraction(1, 10), Fraction(2, 3))
    """
    try:
        return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    except (ValueError, TypeError, ZeroDivisionError):
        raise NetworkError(f"{number!r} is no number; write a fraction such as '1/3'") from None


@dataclass(frozen=True, slots=True, init=False)
class Variable:
    """A variable with its finite domain; chance gives a stochastic one its value.

    `stage` is the stage the variable belongs to, from 1 on. An `auxiliary` one helps to state
    constraints and is shown last.

    >>> Variable("y", ["H", "T"], stochastic=True)
    Variable(name='y', domain=('H', 'T'), stochastic=True, stage=1)
    """

    name: str
    domain: tuple[Value, ...]
    stochastic: bool
    stage: int
    auxiliary: bool = field(repr=False)

    def __init__(
        self,
        name: str,
        domain: Iterable[Value],
        stochastic: bool = False,
        stage: int = 1,
        *,
        auxiliary: bool = False,
    ) -> None:
        if not isinstance(name, str):
            raise NetworkError(f"the name {name!r} of a variable is no string; write '{name}'")
        if not isinstance(domain, Iterable):
            raise NetworkError(
                f"the domain of variable {name!r} is {domain!r}; write the values it can take, "
                "such as range(3)"
            )
        set_fields(self, name=name, domain=tuple(domain), stochastic=stochastic, stage=stage)
        set_fields(self, auxiliary=auxiliary)
        if not self.domain:
            raise NetworkError(f"variable {name!r} has an empty domain; give it a value at least")
        if not is_hashable(self.domain):
            raise NetworkError(
                f"the domain of variable {name!r} has a value that cannot be hashed; "
                "write (1,) in place of [1]"
            )
        if len(set(self.domain)) != len(self.domain):
            raise NetworkError(f"the domain of variable {name!r} names a value twice; name it once")
        if stage < 1:
            raise NetworkError(f"variable {name!r} is in stage {stage}; stages count from 1")

    def __str__(self) -> str:
        return self.name


def is_hashable(value: object) -> bool:
    """Whether it can be a value, or a tuple of them."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def printable(text: str) -> str:
    r"""The text on one line, without anything that a terminal would act on.

    >>> print(printable("red: \x1b[31m, new line: \n"))
    red: \x1b[31m, new line: \n
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def set_fields(target: object, **fields: object) -> None:
    """Fill a frozen object while it is being made."""
    for name, value in fields.items():
        object.__setattr__(target, name, value)
