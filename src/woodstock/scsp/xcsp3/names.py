"""Names and values of a network as XCSP3 can carry them: identifiers and integers.

>>> identifiers(["x", "cell 1 1", "cell(1,1)", "x[2]"])
['x', 'cell_1_1', 'cell_1_1_2', 'x_2']
>>> codes_of((3, 5, 9)), codes_of(("a", "b")), codes_of((False, True))
((3, 5, 9), (0, 1), (0, 1))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from woodstock.errors import Xcsp3Error
from woodstock.scsp.constraints import Value

__all__ = ["codes_of", "from_json", "identifiers", "is_own_code", "to_json"]

_FRACTION: Final = re.compile(r"-?[0-9]{1,1000}(/0*[1-9][0-9]{0,999})?")
_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LARGEST: Final = 1_000_000_000  # solvers hold values in 32 bits
_LONGEST: Final = 80
_MOST_DIGITS: Final = 1000  # of a number in the annotation
_TOO_LARGE: Final = 10**_MOST_DIGITS


def identifiers(names: Iterable[str]) -> list[str]:
    """An identifier for each name: the name itself where it is one, something like it elsewhere."""
    names = list(names)
    used = {name for name in names if _IDENTIFIER.fullmatch(name)}
    counts: dict[str, int] = {}
    found = []
    for name in names:
        if name not in used:
            base = re.sub(r"[^A-Za-z0-9]+", "_", name[:_LONGEST]).strip("_")
            base = base if _IDENTIFIER.fullmatch(base) else f"v_{base}".rstrip("_")
            name = base
            while name in used:
                counts[base] = counts.get(base, 1) + 1
                name = f"{base}_{counts[base]}"
            used.add(name)
        found.append(name)
    return found


def is_own_code(domain: Sequence[Value]) -> bool:
    """Whether the values are integers that XCSP3 can hold as they are, in rising order."""
    return all(type(value) is int and abs(value) <= _LARGEST for value in domain) and all(
        before < after  # type: ignore[operator]
        for before, after in pairwise(domain)
    )


def codes_of(domain: Sequence[Value]) -> tuple[int, ...]:
    """The integers that stand for the values, in the same order."""
    if is_own_code(domain):
        return tuple(domain)  # type: ignore[arg-type]
    return tuple(range(len(domain)))


def to_json(value: Value, variable: str) -> Any:
    """The value as JSON has it; a list is a tuple, and a fraction is a text under its name.

    >>> to_json((1, Fraction(1, 3), None), "x")
    [1, {'fraction': '1/3'}, None]
    """
    kind = type(value)
    if isinstance(value, int) and kind is int and abs(value) >= _TOO_LARGE:
        raise Xcsp3Error(_too_long(f"a value of variable {variable!r}"))
    if value is None or kind in (str, int, bool):
        return value
    if isinstance(value, float) and kind is float and math.isfinite(value):
        return value
    if isinstance(value, Fraction) and kind is Fraction:
        return {"fraction": fraction_text(value, f"a value of variable {variable!r}")}
    if isinstance(value, tuple) and kind is tuple:
        return [to_json(part, variable) for part in value]
    raise Xcsp3Error(
        f"the value {value!r:.80} of variable {variable!r} cannot be written; texts, numbers, "
        "truth values, None and tuples of them can"
    )


def from_json(found: Any) -> Value:
    """The value that `to_json` gave; `ValueError` for anything else.

    >>> from_json([1, {"fraction": "1/3"}, None])
    (1, Fraction(1, 3), None)
    """
    if isinstance(found, int) and abs(found) >= _TOO_LARGE:
        raise ValueError(_too_long("a value"))
    if found is None or isinstance(found, str | int | bool):
        return found
    if isinstance(found, float) and math.isfinite(found):
        return found
    if isinstance(found, list):
        return tuple(map(from_json, found))
    if isinstance(found, dict) and found.keys() == {"fraction"}:
        return read_fraction(found["fraction"])
    raise ValueError(f"{str(found)[:40]!r} is no value")


def fraction_text(number: Fraction, what: str) -> str:
    """The text of a fraction that `read_fraction` reads; `Xcsp3Error` where it is too long.

    >>> fraction_text(Fraction(1, 3), "the threshold")
    '1/3'
    """
    if max(abs(number.numerator), number.denominator) >= _TOO_LARGE:
        raise Xcsp3Error(_too_long(what))
    return str(number)


def read_fraction(found: Any) -> Fraction:
    """A fraction from its text; `ValueError` for anything else, also for ``1e999999``.

    >>> read_fraction("1/3")
    Fraction(1, 3)
    """
    if isinstance(found, str) and _FRACTION.fullmatch(found):
        return Fraction(found)
    raise ValueError(f"{str(found)[:40]!r} is no fraction; write '1/3'")


def _too_long(what: str) -> str:
    return f"{what} has a number of more than {_MOST_DIGITS} digits; take a shorter one"
