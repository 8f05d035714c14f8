"""The variables of an XCSP3 file: single ones, arrays, and lists that name them.

>>> from woodstock.scsp.xcsp3.document import parse_document
>>> found = Variables(parse_document('''<variables>
...     <var id="y"> -1 2..4 </var>
...     <array id="x" size="[2][2]"> <domain for="x[0][]"> 0 1 </domain>
...                                  <domain for="others"> 5 </domain> </array>
... </variables>'''))
>>> found.domains
{'y': (-1, 2, 3, 4), 'x[0][0]': (0, 1), 'x[0][1]': (0, 1), 'x[1][0]': (5,), 'x[1][1]': (5,)}
>>> found.expand("y x[0..1][1]")
['y', 'x[0][1]', 'x[1][1]']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from woodstock.errors import Xcsp3Error
from woodstock.scsp.xcsp3.document import Element
from woodstock.scsp.xcsp3.rows import parse_integer

__all__ = ["Variables"]

MOST_VARIABLES: Final = 500_000
MOST_VALUES: Final = 5_000_000
LARGEST_DOMAIN: Final = 1_000_000
"""Bounds of a file: its variables, the values of all of them together, those of one."""

_INDEX: Final = re.compile(r"\[([^\[\]]*)\]")
_NAME: Final = re.compile(r"[^\s\[\](),%]+")


@dataclass(frozen=True)
class _Array:
    sizes: tuple[int, ...]
    starts: tuple[int, ...]


class Variables:
    """The variables of ``<variables>`` in their order; cells of arrays are called ``x[0][1]``.

    `domains` has the values of each in rising order.
    """

    def __init__(self, element: Element) -> None:
        self.domains: dict[str, tuple[int, ...]] = {}
        self._arrays: dict[str, _Array] = {}
        self._seen: set[str] = set()
        self._alike: dict[str, tuple[int, ...]] = {}
        self._domains: dict[str, tuple[int, ...]] = {}
        self._sliced: tuple[str, list[str]] = ("", [])
        self._values = 0
        for child in element.children:
            child.only("as", "type", *(["size", "startIndex"] if child.tag == "array" else []))
            if child.tag not in ("var", "array"):
                child.fail("only <var> and <array> are supported in <variables>")
            if child.attributes.get("type", "integer") != "integer":
                child.fail("only integer variables are supported")
            identity = child.attributes.get("id", "")
            if not _NAME.fullmatch(identity):
                child.fail("the attribute 'id' is missing or no name")
            if identity in self._seen:
                child.fail("this id is used twice")
            self._seen.add(identity)
            try:
                (self._var if child.tag == "var" else self._array)(child, identity)
            except Xcsp3Error:
                raise
            except ValueError as problem:
                child.fail(str(problem))

    def expand(self, text: str) -> list[str]:
        """The variables that a list names; `ValueError` where one is unknown or stands twice."""
        found: list[str] = []
        for token in text.split():
            if token in self.domains:
                found.append(token)
            else:
                found += self._slice(token)
            if len(found) > len(self.domains):
                break
        if len(set(found)) != len(found):
            raise ValueError("the list names a variable twice")
        return found

    def _slice(self, token: str) -> list[str]:
        # Groups name the same cells again and again.
        if self._sliced[0] != token:
            cells = [name for name in self._cells(token) if name in self.domains]
            if not cells:
                raise ValueError(f"no variable is called {token[:60]!r}")
            self._sliced = (token, cells)
        return self._sliced[1]

    def _var(self, element: Element, identity: str) -> None:
        domain = self._domain(element)
        self._alike[identity] = domain
        self._add(identity, domain)

    def _array(self, element: Element, identity: str) -> None:
        sizes = _indices(element.attributes.get("size", ""))
        start = element.attributes.get("startIndex")
        starts = (0,) * len(sizes) if start is None else _indices(start)
        if not 0 < len(sizes) <= 16 or len(starts) != len(sizes):
            raise ValueError("the attribute 'size' must be like [3][4], 'startIndex' like it")
        if min(sizes) < 1 or prod(sizes) > MOST_VARIABLES:
            raise ValueError(f"an array has between 1 and {MOST_VARIABLES:,} cells")
        self._arrays[identity] = _Array(sizes, starts)
        cells = list(self._cells(identity + "[]" * len(sizes)))
        if not element.children:
            domain = self._domain(element)
            self._alike[identity] = domain
            for cell in cells:
                self._add(cell, domain)
            return
        if element.text:
            raise ValueError("there is text beside the <domain> elements")
        chosen: dict[str, tuple[int, ...]] = {}
        for child in element.children:
            if child.tag != "domain" or "for" not in child.attributes:
                child.fail("only <domain for=...> is supported in an <array>")
            child.only("for")
            domain = self._domain(child)
            which = child.attributes["for"]
            if which.strip() == "others":
                chosen |= {cell: domain for cell in cells if cell not in chosen}
                continue
            for token in which.split():
                for cell in self._cells(token):
                    if cell in chosen:
                        child.fail(f"{cell[:60]!r} has a domain already")
                    chosen[cell] = domain
        for cell in cells:  # a cell without a domain does not exist
            if cell in chosen:
                self._add(cell, chosen[cell])
        strange = chosen.keys() - set(cells)
        if strange:
            raise ValueError(f"a domain is for {min(strange)[:60]!r}, which is no cell of it")

    def _add(self, name: str, domain: tuple[int, ...]) -> None:
        self._values += len(domain)
        if len(self.domains) >= MOST_VARIABLES or self._values > MOST_VALUES:
            raise ValueError(
                f"there are more than {MOST_VARIABLES:,} variables or {MOST_VALUES:,} values"
            )
        self.domains[name] = domain

    def _domain(self, element: Element) -> tuple[int, ...]:
        text = element.bare()
        if "as" in element.attributes and not text:
            like = element.attributes["as"]
            if like not in self._alike:
                raise ValueError(f"as={like[:60]!r} names no variable before it")
            return self._alike[like]
        if text not in self._domains:
            self._domains[text] = _parse_domain(text)
        return self._domains[text]

    def _cells(self, token: str) -> Iterator[str]:
        """The names of the cells of an array that a token such as ``x[1..2][]`` names."""
        identity = token.partition("[")[0]
        array = self._arrays.get(identity)
        parts = _INDEX.findall(token)
        if array is None or identity + "".join(f"[{part}]" for part in parts) != token:
            raise ValueError(f"no variable is called {token[:60]!r}")
        if len(parts) != len(array.sizes):
            raise ValueError(f"{token[:60]!r} has {len(parts)} indices, not {len(array.sizes)}")
        ranges = []
        for part, size, start in zip(parts, array.sizes, array.starts):
            low, dots, high = part.partition("..")
            first = parse_integer(low) if part else start
            last = parse_integer(high) if dots else first if part else start + size - 1
            if not start <= first <= last < start + size:
                raise ValueError(f"{token[:60]!r} is outside of the array")
            ranges.append(range(first, last + 1))
        for indices in product(*ranges):
            yield identity + "".join(f"[{index}]" for index in indices)


def _parse_domain(text: str) -> tuple[int, ...]:
    values: set[int] = set()
    room = LARGEST_DOMAIN
    for token in text.split():
        low, dots, high = token.partition("..")
        first = parse_integer(low)
        last = parse_integer(high) if dots else first
        room -= max(1, last - first + 1)
        if room < 0:
            raise ValueError(f"the domain has more than {LARGEST_DOMAIN:,} values")
        values.update(range(first, last + 1))
    if not values:
        raise ValueError("the domain is empty")
    return tuple(sorted(values))


def _indices(text: str) -> tuple[int, ...]:
    parts = _INDEX.findall(text)
    if "".join(f"[{part}]" for part in parts) != text.strip():
        raise ValueError(f"{text[:40]!r} is no list of sizes such as [3][4]")
    return tuple(map(parse_integer, parts))
