"""Names of variables and values, from terms.

>>> from woodstock.gdl.terms import parse_term
>>> name_of(parse_term("(cell 1 (pair 2 b))"))
'cell_1_pair_2_b'
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from woodstock.gdl.terms import Compound, Term

__all__ = ["NONE", "common_name", "name_of", "none_for", "varying"]

NONE = "none"
"""The value for "nothing of all this"."""


def name_of(term: Term) -> str:
    """The symbols of a term in a row, joined by ``_``."""
    if isinstance(term, tuple):
        return "_".join(map(name_of, term))
    return str(term)


def varying(terms: Sequence[Compound]) -> tuple[int, ...]:
    """The places in which terms of one functor differ."""
    return tuple(i for i in range(1, len(terms[0])) if len({term[i] for term in terms}) > 1)


def common_name(terms: Sequence[Compound]) -> str:
    """The name of what terms of one functor have in common.

    >>> common_name([Compound(("cell", "1", "x")), Compound(("cell", "1", "o"))])
    'cell_1'
    """
    places = varying(terms)
    return "_".join(name_of(part) for i, part in enumerate(terms[0]) if i not in places)


def none_for(values: Collection[object]) -> str:
    """`NONE`, lengthened where these values hold it already.

    >>> none_for(["a", "none"])
    'none_'
    """
    found = NONE
    while found in values:
        found += "_"
    return found
