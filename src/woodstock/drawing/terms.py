"""The little that drawing needs to know about terms.

Drawing takes terms of the GDL package as well as plain strings and tuples, and must not fail on
anything else either; so it spells terms itself.

>>> kif(("cell", "1", ("piece", "white", "king")))
'(cell 1 (piece white king))'
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class HasFluents(Protocol):
    """Anything that holds fluents, such as a state of a game."""

    @property
    def fluents(self) -> frozenset[object]:
        """The ground terms that hold."""


def kif(term: object) -> str:
    """A term in KIF; anything else in its own words.

    >>> kif("b"), kif(7), kif(())
    ('b', '7', '()')
    """
    if isinstance(term, str):
        return str(term)
    if not isinstance(term, tuple):
        return str(term)
    # An explicit stack: rulesheets nest lists deeper than one would think.
    out: list[str] = []
    stack: list[object] = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, _Raw):
            out.append(item.text)
        elif isinstance(item, tuple):
            stack.append(_CLOSE)
            for index in range(len(item) - 1, -1, -1):
                stack.append(item[index])
                if index:
                    stack.append(_BLANK)
            stack.append(_OPEN)
        else:
            out.append(str(item))
    return "".join(out)


class _Raw:
    """A piece of spelling on the stack of `kif`."""

    def __init__(self, text: str) -> None:
        self.text = text


_OPEN, _CLOSE, _BLANK = _Raw("("), _Raw(")"), _Raw(" ")


def words_of(row: tuple[object, ...]) -> str:
    """Arguments side by side, without parentheses around them all.

    >>> words_of(("black", ("piece", "king")))
    'black (piece king)'
    """
    return " ".join(kif(item) for item in row)
