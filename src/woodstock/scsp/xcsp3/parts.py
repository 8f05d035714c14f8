"""The parts of a constraint: the elements within its element, by their tags.

>>> from woodstock.scsp.xcsp3.document import parse_document
>>> found = parse_document("<sum> <list> x y </list> <condition> (le,2) </condition> </sum>")
>>> parts = parts_of(found, "list", "condition")
>>> needed(found, parts, "list"), parts["condition"][0].text
('x y', '(le,2)')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from woodstock.scsp.xcsp3.document import Element

__all__ = ["Parts", "needed", "parts_of", "single"]

Parts: TypeAlias = Mapping[str, list[Element]]

_ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "list": ("startIndex",),
    "matrix": ("startRowIndex", "startColIndex"),
    "values": ("closed",),
}


def parts_of(element: Element, *known: str) -> Parts:
    """The children of an element by tag; only these are expected, none with children."""
    found: dict[str, list[Element]] = {tag: [] for tag in known}
    for child in element.children:
        if child.tag not in known:
            child.fail(f"only {_names(known)} are supported in <{element.tag}>")
        child.only(*_ATTRIBUTES.get(child.tag, ()))
        child.bare()
        found[child.tag].append(child)
    if element.text and element.children:
        element.fail("there is text beside the elements")
    return found


def single(element: Element, parts: Parts, tag: str) -> str | None:
    """The text of the child of this tag, or `None`; two are a mistake."""
    if len(parts[tag]) > 1:
        parts[tag][1].fail("this element stands twice")
    if not parts[tag]:
        return None
    return parts[tag][0].text


def needed(element: Element, parts: Parts, tag: str) -> str:
    """The text of the child of this tag, which must be there."""
    found = single(element, parts, tag)
    if found is None:
        element.fail(f"it takes a <{tag}>")
    return found


def _names(tags: tuple[str, ...]) -> str:
    return ", ".join(f"<{tag}>" for tag in tags)
