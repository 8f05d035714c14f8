"""Writing a network as XCSP3-core with extension constraints and an objective.

The hard part is what every XCSP3 tool reads. All else (chance, stages, soft constraints, threshold,
names that are no identifiers, values that are no integers) is a JSON object, the text of
``<annotations>``, which other tools pass over. ``docs/xcsp3.md`` describes it.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3))
>>> print(write_text(Network([x, y], [Hard.where([x, y], lambda a, b: a > b)])), end="")
<instance format="XCSP3" type="CSP">
  <variables>
    <var id="x"> 0..2 </var>
    <var id="y"> 0..2 </var>
  </variables>
  <constraints>
    <extension>
      <list> x y </list>
      <supports> (1,0)(2,0)(2,1) </supports>
    </extension>
  </constraints>
  <annotations class="woodstock">
  {"woodstock": 1, "threshold": ["1"]}
  </annotations>
</instance>
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from woodstock.errors import Xcsp3Error
from woodstock.files import write_whole
from woodstock.scsp.constraints import (
    ANY,
    Distribution,
    Entry,
    Hard,
    Not,
    Soft,
    UniformOver,
    Value,
    Variable,
)
from woodstock.scsp.network import Network
from woodstock.scsp.objective import Objective
from woodstock.scsp.xcsp3.names import codes_of, fraction_text, identifiers, is_own_code, to_json
from woodstock.scsp.xcsp3.tables import STAR, Code, Except, ExtensionTable, Row, plain, row_text

__all__ = ["VERSION", "write_file", "write_text"]

VERSION = 1
"""The version of the annotation."""

Json = dict[str, Any]


def write_file(network: Network, path: str | Path, *, annotate: bool = True) -> None:
    """Write the network into a file; see `write_text`."""
    write_whole(path, write_text(network, annotate=annotate))


def write_text(network: Network, *, annotate: bool = True) -> str:
    """The network as XCSP3, ending with a line feed.

    With the annotation `woodstock.scsp.xcsp3.read_text` gives an equal network back; without it,
    one with the same solutions over identifiers and integers. `Xcsp3Error` where a value has no
    JSON, a number has more than 1,000 digits, or a table is too large once ``Not(...)`` is
    expanded.
    """
    try:
        return "\n".join(_Writer(network, annotate).lines()) + "\n"
    except (KeyError, RecursionError) as problem:
        # Only a network that was made unchecked gets here.
        raise Xcsp3Error(f"the network does not hold together: {problem!r:.200}") from None


class _Writer:
    def __init__(self, network: Network, annotate: bool) -> None:
        self.network = network
        self.annotate = annotate
        names = [variable.name for variable in network.variables]
        self.ids = dict(zip(names, identifiers(names)))
        self.codes: dict[str, dict[Value, int]] = {}
        # (True, 2) equals (1, 2) as a key, and has other codes.
        shared: dict[tuple[object, bool], dict[Value, int]] = {}
        for variable in network.variables:
            key = (variable.domain, is_own_code(variable.domain))
            if key not in shared:
                shared[key] = dict(zip(variable.domain, codes_of(variable.domain)))
            self.codes[variable.name] = shared[key]

    def lines(self) -> Iterator[str]:
        objective = self.network.objective
        yield f'<instance format="XCSP3" type="{"CSP" if objective is None else "COP"}">'
        yield "  <variables>"
        for variable in self.network.variables:
            domain = _domain_text(tuple(self.codes[variable.name].values()))
            yield f'    <var id="{self.ids[variable.name]}"> {domain} </var>'
        yield "  </variables>"
        notes: list[Json] = []
        yield "  <constraints>"
        for place, constraint in enumerate(self.network.constraints):
            if isinstance(constraint, Hard):
                yield from self.hard(constraint, place, notes)
            else:
                notes.append(self.soft(constraint, place))
        yield "  </constraints>"
        if objective is not None:
            tag = "maximize" if objective.maximise else "minimize"
            self.check_order(objective)
            yield "  <objectives>"
            yield f"    <{tag}> {self.ids[objective.variable]} </{tag}>"
            yield "  </objectives>"
        if self.annotate:
            yield '  <annotations class="woodstock">'
            yield from (f"  {escape(line)}" for line in self.annotation(notes))
            yield "  </annotations>"
        yield "</instance>"

    def check_order(self, objective: Objective) -> None:
        """Other tools compare the integers of the file: they must rise as the values do."""
        domain: Sequence[Any] = self.network.variable(objective.variable).domain
        if any(before > after for before, after in pairwise(domain)):
            raise Xcsp3Error(
                f"the values of {objective.variable!r}, the objective, do not rise; "
                "write its domain in rising order"
            )

    def hard(self, constraint: Hard, place: int, notes: list[Json]) -> Iterator[str]:
        ids = tuple(self.ids[name] for name in constraint.scope)
        codes = [self.codes[name] for name in constraint.scope]
        rows = [tuple(map(_code, row, codes)) for row in constraint.rows]
        tables = plain(ids, [list(found.values()) for found in codes], rows, constraint.allowed)
        label = constraint.name
        note = f" note={quoteattr(label)}" if label and _is_simple(label) else ""
        given = ExtensionTable(ids, tuple(rows), constraint.allowed)
        if not self.annotate or (tables == [given] and _is_simple(label)):
            for table in tables:
                yield from _extension(table, note)
            return
        names = [f"c{place}" + (f"_{part}" if part else "") for part in range(len(tables))]
        for name, table in zip(names, tables):
            yield from _extension(table, f' id="{name}"{note}')
        separator = " " if len(ids) == 1 else ""
        found: Json = {"ids": names, "list": " ".join(ids)}
        found["supports" if constraint.allowed else "conflicts"] = separator.join(
            map(row_text, rows)
        )
        notes.append({**found, "name": label} if label else found)

    def soft(self, constraint: Soft, place: int) -> Json:
        ids = [self.ids[name] for name in constraint.scope]
        rows = [
            [
                self.values(constraint.scope, row),
                [fraction_text(number, constraint.label) for number in utilities],
            ]
            for row, utilities in constraint.rows.items()
        ]
        found: Json = {"at": place, "list": " ".join(ids), "utilities": rows}
        return {**found, "name": constraint.name} if constraint.name else found

    def annotation(self, constraints: Sequence[Json]) -> Iterator[str]:
        """The lines of the JSON object: one entry a line."""
        threshold = [fraction_text(n, "the threshold") for n in self.network.threshold]
        head: Json = {"woodstock": VERSION, "threshold": threshold}
        parts: list[tuple[str, list[str]]] = [
            ("variables", [line for line in map(self.variable, self.network.variables) if line]),
            ("constraints", list(map(_dumps, constraints))),
            ("probabilities", [_dumps(self.chance(p)) for p in self.network.probabilities]),
        ]
        parts = [(name, lines) for name, lines in parts if lines]
        text = _dumps(head)
        if not parts:
            yield text
            return
        yield text[:-1] + ","
        for number, (name, lines) in enumerate(parts):
            opening, closing = "{}" if name == "variables" else "[]"
            yield f'"{name}": {opening}'
            yield from (f"  {line}," for line in lines[:-1])
            yield f"  {lines[-1]}"
            yield closing + ("," if number + 1 < len(parts) else "}")

    def variable(self, variable: Variable) -> str:
        found: Json = {}
        identity = self.ids[variable.name]
        if identity != variable.name:
            found["name"] = variable.name
        if not is_own_code(variable.domain):
            found["values"] = [to_json(value, variable.name) for value in variable.domain]
        if variable.stochastic:
            found["stochastic"] = True
        if variable.stage != 1:
            found["stage"] = variable.stage
        if variable.auxiliary:
            found["auxiliary"] = True
        return f'"{identity}": {_dumps(found)}' if found else ""

    def chance(self, distribution: Distribution) -> Json:
        codes = self.codes[distribution.variable]
        found: Json = {"variable": self.ids[distribution.variable]}
        if isinstance(distribution, UniformOver):
            legal = {str(codes[value]): self.ids[n] for value, n in distribution.legal.items()}
            return {**found, "legal": legal}
        return {
            **found,
            "given": " ".join(self.ids[name] for name in distribution.given),
            "rows": [
                [
                    self.values(distribution.given, row),
                    {
                        str(codes[value]): fraction_text(number, distribution.label)
                        for value, number in numbers.items()
                    },
                ]
                for row, numbers in distribution.rows.items()
            ],
        }

    def values(self, scope: Sequence[str], row: Sequence[Value]) -> list[int]:
        return [self.codes[name][value] for name, value in zip(scope, row)]


def _code(entry: Entry, codes: dict[Value, int]) -> Code:
    if entry is ANY:
        return STAR
    if isinstance(entry, Not):
        return Except(codes[entry.value])
    return codes[entry]


def _extension(table: ExtensionTable, attributes: str) -> Iterator[str]:
    kind = "supports" if table.supports else "conflicts"
    unary = len(table.scope) == 1
    rows: Sequence[Row] = table.rows
    yield f"    <extension{attributes}>"
    yield f"      <list> {' '.join(table.scope)} </list>"
    yield f"      <{kind}> {(' ' if unary else '').join(map(row_text, rows))} </{kind}>"
    yield "    </extension>"


def _domain_text(codes: Sequence[int]) -> str:
    if len(codes) > 2 and codes[-1] - codes[0] == len(codes) - 1:
        return f"{codes[0]}..{codes[-1]}"
    return " ".join(map(str, codes))


def _is_simple(text: str) -> bool:
    """Whether an attribute holds the text as it is."""
    return text.isprintable() and text == text.strip()


def _dumps(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
