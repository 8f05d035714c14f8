"""Groups: one constraint with parameters, and the arguments that stand for them.

>>> from woodstock.scsp.xcsp3.document import parse_document
>>> template = parse_document("<intension> ne(%0,add(%1,1)) </intension>")
>>> filled(template, ["x[0]", "x[1]"]).text
'ne(x[0],add(x[1],1))'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from woodstock.scsp.xcsp3.document import Element

__all__ = ["PARAMETER", "filled", "parameters"]

PARAMETER: Final = re.compile(r"%([0-9]{1,6}|\.\.\.)")


def parameters(texts: Iterator[str]) -> int:
    """How many arguments the texts name by their number: ``%...`` is all that follow."""
    used = (number for text in texts for number in PARAMETER.findall(text) if number != "...")
    return max(map(int, used), default=-1) + 1


def filled(template: Element, arguments: Sequence[str]) -> Element:
    """The constraint with its arguments; `ValueError` where one is missing."""
    rest = " ".join(arguments[parameters(_texts(template)) :])

    def argument(found: re.Match[str]) -> str:
        if found[1] == "...":
            return rest
        if int(found[1]) >= len(arguments):
            raise ValueError(f"there is no argument for {found[0]}")
        return arguments[int(found[1])]

    def copy(element: Element) -> Element:
        return Element(
            element.tag,
            element.attributes,
            element.place,
            PARAMETER.sub(argument, element.text),
            list(map(copy, element.children)),
        )

    return copy(template)


def _texts(element: Element) -> Iterator[str]:
    yield element.text
    for child in element.children:
        yield from _texts(child)
