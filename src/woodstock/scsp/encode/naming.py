"""Names of variables and values, from terms.

>>> from woodstock.gdl.terms import parse_term
>>> name_of(parse_term("(cell 1 (pair 2 b))"))
'cell_1_pair_2_b'
"""

from __future__ import annotations

from collections.abc import Collection

from woodstock.gdl.terms import Term

__all__ = ["NONE", "name_of", "none_for"]

NONE = "none"
"""The value for "nothing of all this"."""


def name_of(term: Term) -> str:
    """The symbols of a term in a row, joined by ``_``."""
    if isinstance(term, tuple):
        return "_".join(map(name_of, term))
    return str(term)


def none_for(values: Collection[object]) -> str:
    """`NONE`, lengthened where these values hold it already.

    >>> none_for(["a", "none"])
    'none_'
    """
    found = NONE
    while found in values:
        found += "_"
    return found
