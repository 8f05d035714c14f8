"""Reading XCSP3: what we write, and most of XCSP3-core that others write.

>>> network = read_text('''
... <instance format="XCSP3" type="CSP">
...   <variables> <array id="x" size="[3]"> 0..2 </array> </variables>
...   <constraints>
...     <group>
...       <extension> <list> %0 %1 </list> <supports> (0,1)(1,*) </supports> </extension>
...       <args> x[0..1] </args>
...       <args> x[1] x[2] </args>
...     </group>
...   </constraints>
... </instance>''')
>>> [constraint.label for constraint in network.hard]
['constraint(x[0], x[1])', 'constraint(x[1], x[2])']

What is not supported is named, with its place:

>>> read_text('''<instance format="XCSP3" type="CSP">
...   <variables> <var id="x"> 0 1 </var> </variables>
...   <constraints> <circuit> x </circuit> </constraints>
... </instance>''')
Traceback (most recent call last):
    ...
woodstock.errors.Xcsp3Error: <text>:3:17: <circuit>: this constraint is not supported; there are
extension, intension, allDifferent, allEqual, ordered, instantiation, sum, count, cardinality,
maximum, minimum, element, group, block
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from woodstock.errors import NetworkError, Xcsp3Error
from woodstock.scsp.network import Network
from woodstock.scsp.values import printable
from woodstock.scsp.xcsp3.annotation import Annotation
from woodstock.scsp.xcsp3.compiler import Compiler
from woodstock.scsp.xcsp3.document import Element, parse_document
from woodstock.scsp.xcsp3.expressions import text_of
from woodstock.scsp.xcsp3.global_constraints import KINDS, compile_constraint
from woodstock.scsp.xcsp3.groups import PARAMETER, filled, length, parameters, texts_of
from woodstock.scsp.xcsp3.lists import Lists
from woodstock.scsp.xcsp3.objectives import compile_objective
from woodstock.scsp.xcsp3.rows import RawRow, fit_rows, parse_rows
from woodstock.scsp.xcsp3.tables import MOST_ENTRIES, ExtensionTable, Row
from woodstock.scsp.xcsp3.variables import Variables

__all__ = ["Extension", "read_file", "read_text"]

MOST_TEXT: Final = 50_000_000
"""The most letters that the constraints of all groups may have together, arguments filled in."""


def read_file(path: str | Path) -> Network:
    """The network that a file holds; `Xcsp3Error` where it does not hold one."""
    return read_text(Path(path).read_bytes(), str(path))


def read_text(text: str | bytes, source: str = "<text>") -> Network:
    """The network that a text holds; `source` is its name in messages.

    With our annotation it is the network that was written. Without, variables are called by their
    ids, values are integers, and everything is one stage without chance.
    """
    root = parse_document(text, source)
    parts = _parts(root)
    variables = Variables(parts["variables"])
    annotation = Annotation(parts.get("annotations"), variables.domains)
    compiler = Compiler(variables.domains, annotation.chance, annotation.names)
    constraints = _Constraints(variables, compiler)
    found: list[Extension] = []
    if "constraints" in parts:
        found = list(constraints.read(parts["constraints"]))
    objective = None
    if "objectives" in parts:
        element = parts["objectives"]
        objective = compile_objective(element, constraints.lists, compiler)
        found += [Extension(element, table) for table in compiler.take()]
    try:
        return annotation.network(found, compiler.auxiliary, objective)
    except NetworkError as problem:
        raise Xcsp3Error(f"{root.place}: <instance>: {printable(str(problem))}") from None


def _parts(root: Element) -> dict[str, Element]:
    """The parts of the instance by their tags."""
    if root.tag != "instance" or root.attributes.get("format", "XCSP3") != "XCSP3":
        root.fail('the root must be <instance format="XCSP3" type="CSP">')
    kind = root.attributes.get("type", "CSP")
    if kind not in ("CSP", "COP"):
        root.fail(f"instances of type {kind[:40]!r} are not supported, only CSP and COP")
    parts: dict[str, Element] = {}
    for child in root.children:
        if child.tag not in ("variables", "constraints", "objectives", "annotations"):
            child.fail(
                "only <variables>, <constraints>, <objectives> and <annotations> are supported"
            )
        if child.tag in parts:
            child.fail("this element stands twice")
        parts[child.tag] = child
    if "variables" not in parts:
        root.fail("there is no <variables>")
    if ("objectives" in parts) != (kind == "COP"):
        root.fail(f"an instance of type {kind} has {'one' if kind == 'COP' else 'no'} <objectives>")
    return parts


@dataclass(frozen=True)
class Extension:
    """A constraint as it was read: the element it comes from, and its table."""

    element: Element
    table: ExtensionTable


class _Constraints:
    def __init__(self, variables: Variables, compiler: Compiler) -> None:
        self.variables = variables
        self.compiler = compiler
        self.lists = Lists(variables)
        self.room = MOST_ENTRIES
        self.text = MOST_TEXT

    def read(self, parent: Element) -> Iterator[Extension]:
        """The constraints within an element, in their order."""
        for child in parent.children:
            if child.tag == "extension":
                child.only("type")
                yield from self.extensions(child, None)
            elif child.tag == "group":
                child.only()
                yield from self.group(child)
            elif child.tag == "block":
                child.only()
                yield from self.read(child)
            else:
                yield from self.compiled(child)

    def compiled(self, element: Element) -> Iterator[Extension]:
        """The tables of a constraint that is no table."""
        if element.tag not in KINDS:
            known = ", ".join(["extension", *KINDS, "group", "block"])
            element.fail(f"this constraint is not supported; there are {known}")
        try:
            compile_constraint(element, self.lists, self.compiler)
            chance = self.lists.chance_in(texts_of(element), self.compiler.chance)
        except Xcsp3Error:
            raise
        except ValueError as problem:
            element.fail(str(problem))
        for table in self.compiler.take(chance):
            yield Extension(element, table)

    def group(self, element: Element) -> Iterator[Extension]:
        template, *arguments = element.children or [element]
        if template.tag not in ("extension", *KINDS):
            template.fail(f"a <group> begins with a constraint: {', '.join(['extension', *KINDS])}")
        for child in arguments:
            child.only()
            if child.tag != "args":
                child.fail("after the constraint of a <group> only <args> are supported")
        if template.tag == "extension":
            template.only("type")
            yield from self.extensions(template, arguments)
            return
        for child in arguments:
            try:
                tokens = list(map(text_of, self.lists.expressions(child.bare())))
                constraint = filled(template, tokens, self.text)
            except Xcsp3Error:
                raise
            except ValueError as problem:
                child.fail(str(problem))
            # Mistakes are shown at the arguments, which differ.
            constraint.place = child.place
            self.text -= length(constraint)
            if self.text < 0:
                child.fail(f"the groups of the file get longer than {MOST_TEXT:,} letters")
            yield from self.compiled(constraint)

    def extensions(
        self, element: Element, arguments: Sequence[Element] | None
    ) -> Iterator[Extension]:
        """The constraint, or one for each arguments of its group."""
        parts = {child.tag: child for child in element.children}
        kinds = parts.keys() - {"list"}
        if len(parts) != len(element.children) or "list" not in parts or len(kinds) != 1:
            element.fail("it takes one <list> and either <supports> or <conflicts>")
        kind = kinds.pop()
        if kind not in ("supports", "conflicts"):
            parts[kind].fail("only <supports> and <conflicts> are supported in <extension>")
        for part in parts.values():
            part.only()
            part.bare()
        raw: list[RawRow] | None = None
        fitted: dict[tuple[int, ...], tuple[Row, ...]] = {}
        for given in [None] if arguments is None else arguments:
            where = parts["list"] if given is None else given
            try:
                scope = self.scope(parts["list"].text, None if given is None else given.bare())
            except Xcsp3Error:
                raise
            except ValueError as problem:
                where.fail(str(problem))
            domains = [self.variables.domains[name] for name in scope]
            alike = tuple(map(id, domains))  # cells of an array share theirs
            try:
                if raw is None:
                    raw, arity = parse_rows(parts[kind].text, len(scope)), len(scope)
                if len(scope) != arity:
                    where.fail(f"it names {len(scope)} variables for {arity} columns")
                if alike not in fitted:
                    fitted[alike] = self.fit(raw, domains, kind == "supports")
            except Xcsp3Error:
                raise
            except ValueError as problem:
                parts[kind].fail(str(problem))
            self.charge(where, len(scope) * (1 + len(fitted[alike])))
            yield Extension(
                element, ExtensionTable(tuple(scope), fitted[alike], kind == "supports")
            )

    def fit(
        self, raw: list[RawRow], domains: Sequence[tuple[int, ...]], supports: bool
    ) -> tuple[Row, ...]:
        most = self.room // max(1, len(domains))
        rows = []
        for row in fit_rows(raw, domains, supports):
            rows.append(row)
            if len(rows) > most:
                raise ValueError(f"the tables of the file have more than {MOST_ENTRIES:,} entries")
        return tuple(rows)

    def charge(self, element: Element, entries: int) -> None:
        self.room -= entries
        if self.room < 0:
            element.fail(f"the tables of the file have more than {MOST_ENTRIES:,} entries")

    def scope(self, text: str, arguments: str | None) -> list[str]:
        """The variables of a list, with the parameters of a group filled in."""
        if arguments is None:
            names = self.variables.expand(text)
        else:
            names = self.filled(text, self.variables.expand(arguments))
        if not names:
            raise ValueError("the list is empty")
        if len(set(names)) != len(names):
            raise ValueError("the list names a variable twice")
        return names

    def filled(self, text: str, arguments: list[str]) -> list[str]:
        rest = parameters(iter([text]))
        names: list[str] = []
        for token in text.split():
            parameter = PARAMETER.fullmatch(token)
            if parameter is None:
                names += self.variables.expand(token)
            elif parameter[1] == "...":
                names += arguments[rest:]
            elif int(parameter[1]) < len(arguments):
                names.append(arguments[int(parameter[1])])
            else:
                raise ValueError(f"there is no argument for {token}")
            if len(names) > len(self.variables.domains):
                raise ValueError("the list names a variable twice")
        return names
