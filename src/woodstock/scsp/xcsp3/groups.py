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

__all__ = ["PARAMETER", "filled", "length", "parameters", "texts_of"]

PARAMETER: Final = re.compile(r"%([0-9]{1,6}|\.\.\.)")


def parameters(texts: Iterator[str]) -> int:
    """How many arguments the texts name by their number: ``%...`` is all that follow."""
    used = (number for text in texts for number in PARAMETER.findall(text) if number != "...")
    return max(map(int, used), default=-1) + 1


def filled(template: Element, arguments: Sequence[str], most: int = 10**6) -> Element:
    """The constraint with its arguments; `ValueError` where one is missing, or it gets too long."""
    rest = " ".join(arguments[parameters(texts_of(template)) :])

    longest = max(map(len, [rest, *arguments]))
    if longest * sum(len(PARAMETER.findall(text)) for text in texts_of(template)) > most:
        raise ValueError(f"the groups of the file get longer than {most:,} letters")

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


def length(element: Element) -> int:
    """How many letters the texts of an element have, and one for each element."""
    return sum(len(text) + 1 for text in texts_of(element))


def texts_of(element: Element) -> Iterator[str]:
    """The texts of an element and of all that are within."""
    yield element.text
    for child in element.children:
        yield from texts_of(child)
