r"""XML read the careful way: elements with their place, and nothing that XML can do to a reader.

Document types are refused, and with them entities: neither expansion bombs nor files of others can
get in. Nesting is bounded, and bytes that are not UTF-8 are refused.

>>> root = parse_document('<instance>\n  <var id="x"> 0..2 </var>\n</instance>')
>>> var = root.children[0]
>>> var.tag, var.attributes, var.text, str(var.place)
('var', {'id': 'x'}, '0..2', '<text>:2:3')
>>> parse_document('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
Traceback (most recent call last):
    ...
woodstock.errors.Xcsp3Error: <text>:1:13: document types and entities are not accepted; take out
the <!DOCTYPE ...>
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from woodstock.errors import Xcsp3Error
from woodstock.scsp.values import printable

__all__ = ["Element", "Place", "parse_document"]

DEEPEST = 64
"""Elements within elements; XCSP3-core needs six, and blocks within blocks a few more."""


@dataclass(frozen=True)
class Place:
    """Where something stands: source, line and column, both from 1."""

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


@dataclass
class Element:
    """One element: attributes, the text that is its own (trimmed), and its children in order."""

    tag: str
    attributes: dict[str, str]
    place: Place
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def fail(self, message: str) -> NoReturn:
        """Raise the error that names this element and its place."""
        identity = self.attributes.get("id")
        # A name can be as long as the file; the message cannot.
        name = f"<{self.tag[:40]}" + (f' id="{identity[:60]}"' if identity else "") + ">"
        # The message goes to a terminal, and quotes a file of anybody.
        raise Xcsp3Error(f"{self.place}: {printable(f'{name}: {message}')}")

    def only(self, *attributes: str) -> None:
        """Fail if there are other attributes than these and those without a meaning."""
        for name in self.attributes:
            if name not in attributes and name not in ("id", "note", "class"):
                self.fail(f"the attribute {name[:40]!r} is not supported")

    def bare(self) -> str:
        """The text of an element that has no children."""
        if self.children:
            inner = self.children[0]
            inner.fail(f"no element is expected within <{self.tag[:40]}>")
        return self.text


def parse_document(text: str | bytes, source: str = "<text>") -> Element:
    """The root of a document; `Xcsp3Error` for everything that is not well-formed XML in UTF-8."""
    try:
        data = text.encode() if isinstance(text, str) else text
        data.decode("utf-8-sig")
    except UnicodeError as problem:
        raise Xcsp3Error(f"{source}:1:1: the file is not UTF-8 ({problem})") from None
    builder = _Builder(source)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as problem:
        place = Place(source, problem.lineno, problem.offset + 1)
        reason = expat.errors.messages.get(problem.code, "it is no XML")
        raise Xcsp3Error(f"{place}: not well-formed XML: {reason}") from None
    if builder.root is None:  # expat refuses a document without an element
        raise Xcsp3Error(f"{source}:1:1: there is no element")
    return builder.root


class _Builder:
    def __init__(self, source: str) -> None:
        self.source = source
        self.root: Element | None = None
        self.open: list[Element] = []
        self.texts: list[list[str]] = []
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.entity
        self.parser = parser

    def place(self) -> Place:
        return Place(
            self.source, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.place())
        if len(self.open) == DEEPEST:
            element.fail(f"elements are nested more than {DEEPEST} deep")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        self.open.pop().text = "".join(self.texts.pop()).strip()

    def characters(self, text: str) -> None:
        self.texts[-1].append(text)

    def doctype(self, *_: object) -> NoReturn:
        raise Xcsp3Error(
            f"{self.place()}: document types and entities are not accepted; "
            "take out the <!DOCTYPE ...>"
        )

    def entity(self, *_: object) -> NoReturn:
        self.doctype()
