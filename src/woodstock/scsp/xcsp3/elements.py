"""The entry of a list that an index names, as a table with stars.

>>> from woodstock.scsp.xcsp3.compiler import Compiler
>>> from woodstock.scsp.xcsp3.conditions import equal_to
>>> compiler = Compiler({"i": (0, 1), "x": (0, 1), "v": (0, 1)})
>>> require_element(compiler, {(0,): "x", (1,): 1}, ["i"], equal_to("v"))
>>> compiler.take()
[ExtensionTable(scope=('i', 'x', 'v'), rows=((0, 0, 0), (0, 1, 1), (1, None, 1)), supports=True)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from woodstock.scsp.xcsp3.compiler import LARGEST_TABLE, Compiler
from woodstock.scsp.xcsp3.conditions import Condition
from woodstock.scsp.xcsp3.expressions import Expression

__all__ = ["require_element"]


def require_element(
    compiler: Compiler,
    places: Mapping[tuple[int, ...], Expression],
    index: Sequence[str | int],
    condition: Condition,
) -> None:
    """Post that the entry at the place which the index names meets the condition."""
    entries = {place: compiler.define(one) for place, one in places.items()}
    right = compiler.define(condition.right)
    equal = condition.operator == "eq"

    def values(one: str | int) -> Sequence[int]:
        return compiler.domains[one] if isinstance(one, str) else (one,)

    others = values(right)
    size = sum(len(values(entry)) for entry in entries.values()) * (1 if equal else len(others))
    if size > LARGEST_TABLE:
        raise ValueError(
            f"it has {size:,} rows as a table; {LARGEST_TABLE:,} are the most; narrow the domains"
        )
    compiler.spend(size * (len(index) + 2))
    allowed = frozenset(others)

    def rows() -> Iterator[dict[str, int]]:
        for place, entry in entries.items():
            for value in values(entry):
                for other in allowed.intersection([value]) if equal else others:
                    given = [*zip(index, place), (entry, value), (right, other)]
                    row: dict[str, int] = {}
                    if condition.holds(value, other) and all(_put(row, *one) for one in given):
                        yield row

    named = [*index, *entries.values(), right]
    scope = list(dict.fromkeys(one for one in named if isinstance(one, str)))
    if scope:
        compiler.rows(scope, rows())
    elif not any(True for _ in rows()):
        compiler.never()


def _put(row: dict[str, int], one: str | int, value: int) -> bool:
    """Put a value into the row; `False` where it has another one, or a constant differs."""
    if isinstance(one, int):
        return one == value
    return row.setdefault(one, value) == value
