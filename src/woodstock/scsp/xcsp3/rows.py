"""The rows of ``<supports>`` and ``<conflicts>``, also compressed ones.

An entry is an integer, ``*``, a range ``1..3``, a set ``{1,3}`` or a condition ``≠2``, ``≤2``,
``<2``, ``≥2``, ``>2``, ``=2``. Values outside the domain of a variable are no mistake: tables are
shared by variables with different domains, and such rows never count.

>>> rows = parse_rows("(1,2)(*,≠3)({0,1},1..2)", 2)
>>> rows
[(1, 2), (None, Except(code=3)), (frozenset({0, 1}), range(1, 3))]
>>> list(fit_rows(rows, [(0, 1), (2, 3)], True))
[(1, 2), (None, Except(code=3)), (None, 2)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from woodstock.scsp.xcsp3.tables import STAR, Code, Except, Row

__all__ = ["RawRow", "fit_rows", "parse_integer", "parse_rows"]

Raw: TypeAlias = Code | range | frozenset[int]
RawRow: TypeAlias = tuple[Raw, ...]

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_CONDITION: Final = re.compile(r"(=|≠|≤|<|≥|>)\s*([+-]?[0-9]{1,18})")
_SPLIT: Final = re.compile(r",(?![^{]*\})")
_FAR: Final = 10**18


def parse_integer(text: str) -> int:
    """An integer of at most 18 digits; `ValueError` for anything else."""
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no integer of at most 18 digits")
    return int(text)


def parse_rows(text: str, arity: int) -> list[RawRow]:
    """The rows that a text holds for so many variables; `ValueError` says what is wrong."""
    known: dict[str, Raw] = {"*": STAR}

    def entry(token: str) -> Raw:
        try:
            return known[token]
        except KeyError:
            return known.setdefault(token, _entry(token.strip()))

    if arity == 1 and "(" not in text:
        return [(entry(token),) for token in text.split()]
    *tuples, rest = text.split(")")
    if rest.strip():
        raise ValueError(f"a tuple is not closed: {rest.strip()[:40]!r}")
    compressed = "{" in text
    rows = []
    for found in tuples:
        opened, _, inner = found.partition("(")
        if opened.strip() or len(found) == len(opened):
            raise ValueError(f"a tuple must begin with '(', not with {opened.strip()[:40]!r}")
        tokens = _SPLIT.split(inner) if compressed else inner.split(",")
        if len(tokens) != arity:
            raise ValueError(f"({inner[:40]}) has {len(tokens)} entries for {arity} variables")
        rows.append(tuple(map(entry, tokens)))
    return rows


def _entry(token: str) -> Raw:
    if token == "*":
        return STAR
    if _INTEGER.fullmatch(token):
        return int(token)
    if ".." in token:
        low, _, high = token.partition("..")
        return range(parse_integer(low.strip()), parse_integer(high.strip()) + 1)
    if token.startswith("{") and token.endswith("}"):
        inner = token[1:-1].strip()
        parts = inner.split(",") if inner else []
        return frozenset(parse_integer(part.strip()) for part in parts)
    condition = _CONDITION.fullmatch(token)
    if condition is None:
        raise ValueError(f"{token[:40]!r} is no entry of a row that is supported")
    limit = int(condition[2])
    found: dict[str, Raw] = {
        "=": limit,
        "≠": Except(limit),
        "≤": range(-_FAR, limit + 1),
        "<": range(-_FAR, limit),
        "≥": range(limit, _FAR + 1),
        ">": range(limit + 1, _FAR + 1),
    }
    return found[condition[1]]


def fit_rows(
    rows: Sequence[RawRow], domains: Sequence[Sequence[int]], supports: bool
) -> Iterator[Row]:
    """The rows over these domains, with what is compressed spelled out.

    `Except` remains where the rows are supports; a caller that bounds the size stops early.
    """
    sets = [frozenset(domain) for domain in domains]
    if all(set(column) <= {STAR, *found} for column, found in zip(zip(*rows), sets)):
        yield from rows  # type: ignore[misc]  # integers and stars alone
        return
    for row in rows:
        choices = [_codes(entry, found, supports) for entry, found in zip(row, sets)]
        yield from product(*choices)


def _codes(entry: Raw, domain: frozenset[int], supports: bool) -> Sequence[Code]:
    if entry is STAR:
        return (STAR,)
    if isinstance(entry, int):
        return (entry,) if entry in domain else ()
    if isinstance(entry, Except):
        if entry.code not in domain:
            return (STAR,)
        if supports and len(domain) > 1:
            return (entry,)
        return sorted(domain - {entry.code})
    found = [code for code in domain if code in entry]
    return (STAR,) if len(found) == len(domain) else sorted(found)
