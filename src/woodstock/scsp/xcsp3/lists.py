"""The lists of constraints: variables, slices of arrays, integers, expressions.

>>> from woodstock.scsp.xcsp3.document import parse_document
>>> from woodstock.scsp.xcsp3.variables import Variables
>>> variables = Variables(
...     parse_document('<variables> <array id="x" size="[3]"> 0..2 </array> </variables>')
... )
>>> lists = Lists(variables)
>>> lists.expressions("x[1..2] 7 add(x[0],1)")
['x[1]', 'x[2]', 7, Call(operator='add', arguments=('x[0]', 1))]
>>> lists.integers("1 0x3 2..4")
[1, 0, 0, 0, 2, 3, 4]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from woodstock.scsp.xcsp3.expressions import Expression, parse_expression, split_list
from woodstock.scsp.xcsp3.rows import parse_integer
from woodstock.scsp.xcsp3.variables import Variables

__all__ = ["Lists"]

MOST_LISTED: Final = 5_000_000
"""The most entries that the lists of a file may have together, once slices are expanded."""

_REPEATED: Final = re.compile(r"([+-]?[0-9]{1,18})x([0-9]{1,9})")
_NAME: Final = re.compile(r"[^\s(),{}]+")
_TUPLE: Final = re.compile(r"\(([^()]*)\)")


class Lists:
    """Reads lists over the variables of a file; `ValueError` says what is wrong with one."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.domains = variables.domains
        self._room = MOST_LISTED

    def expressions(self, text: str) -> list[Expression]:
        """The entries of a list; a slice of an array is its cells."""
        found: list[Expression] = []
        for token in split_list(text):
            known = len(found)
            if token in self.domains:
                found.append(token)
            elif "(" in token or ")" in token:
                found.append(parse_expression(token, self.domains))
            elif token[0] in "+-0123456789":
                found += self.integers(token)
            else:
                found += self.variables.expand(token)
            self._take(len(found) - known)
        return found

    def integers(self, text: str) -> list[int]:
        """The integers of a list; ``0x3`` is three zeros, ``2..4`` is three integers."""
        found: list[int] = []
        for token in text.split():
            repeated = _REPEATED.fullmatch(token)
            low, dots, high = token.partition("..")
            if repeated is not None:
                self._take(int(repeated[2]))
                found += [int(repeated[1])] * int(repeated[2])
            elif dots:
                first, last = parse_integer(low), parse_integer(high)
                self._take(max(0, last - first))
                found += range(first, last + 1)
            else:
                self._take(1)
                found.append(parse_integer(token))
        return found

    def _take(self, entries: int) -> None:
        self._room -= entries
        if self._room < 0:
            raise ValueError(f"the lists of the file have more than {MOST_LISTED:,} entries")

    def chance_in(self, texts: Iterable[str], chance: Collection[str]) -> str | None:
        """A variable of `chance` that one of the texts names, or `None`."""
        texts = texts if chance else ()
        tokens: Iterator[str] = (token for text in texts for token in _NAME.findall(text))
        for token in tokens:
            if token in self.domains:
                names = [token]
            else:
                names = self.variables.expand(token) if "[" in token else []
            for name in names:
                if name in chance:
                    return name
        return None

    def matrix(self, text: str) -> list[list[Expression]]:
        """The rows of a matrix: ``(1,2)(3,4)``, or a slice of an array such as ``x[][0..1]``."""
        if "(" in text:
            if _TUPLE.sub("", text).strip():
                raise ValueError(f"{text[:40]!r} is no matrix such as (1,2)(3,4)")
            rows = [self.expressions(row.replace(",", " ")) for row in _TUPLE.findall(text)]
        else:
            cells = [cell for token in text.split() for cell in self.variables.expand(token)]
            self._take(len(cells))
            by_row: dict[str, list[Expression]] = {}
            for cell in cells:
                by_row.setdefault(cell.rpartition("[")[0], []).append(cell)
            rows = list(by_row.values())
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("a matrix takes rows that are equally long")
        return rows

    def one(self, text: str) -> Expression:
        """The one entry of a list."""
        found = self.expressions(text)
        if len(found) != 1:
            raise ValueError(f"{text[:40]!r} is {len(found)} entries; one is expected")
        return found[0]
