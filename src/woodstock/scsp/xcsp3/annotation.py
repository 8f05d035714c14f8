"""What XCSP3 does not know, read from the text of ``<annotations class="woodstock">``.

``docs/xcsp3.md`` describes the JSON object. Annotations of other tools are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from woodstock.errors import NetworkError, Xcsp3Error
from woodstock.scsp.constraints import (
    ANY,
    Constraint,
    Distribution,
    Entry,
    Hard,
    Not,
    Probability,
    Soft,
    UniformOver,
    Value,
    Variable,
)
from woodstock.scsp.network import Network
from woodstock.scsp.objective import Objective
from woodstock.scsp.values import printable
from woodstock.scsp.xcsp3.document import Element
from woodstock.scsp.xcsp3.names import from_json, read_fraction
from woodstock.scsp.xcsp3.rows import parse_rows
from woodstock.scsp.xcsp3.tables import STAR, Code, Except, ExtensionTable, Row, plain
from woodstock.scsp.xcsp3.writer import VERSION

if TYPE_CHECKING:
    from woodstock.scsp.xcsp3.reader import Extension

__all__ = ["Annotation"]

LAST_STAGE = 100_000

T = TypeVar("T")


class Annotation:
    """The annotation of a file, or none; it makes the network of the constraints that were read."""

    def __init__(self, element: Element | None, domains: Mapping[str, tuple[int, ...]]) -> None:
        self._domains = domains
        self._element = element
        self._data: dict[str, Any] = {}
        if element is not None and element.attributes.get("class") == "woodstock":
            self._data = self._guarded(lambda: _parse(element.bare()))
        self._variables: dict[str, Variable] = self._guarded(self._read_variables)
        self._values: dict[str, dict[int, Value]] = {}
        self._know_values()

    def _know_values(self) -> None:
        for identity, domain in self._domains.items():
            if identity not in self._values:
                self._values[identity] = dict(zip(domain, self._variables[identity].domain))

    @property
    def chance(self) -> list[str]:
        """The ids of the stochastic variables."""
        return [identity for identity, found in self._variables.items() if found.stochastic]

    @property
    def names(self) -> set[str]:
        """The names that the variables have."""
        return {found.name for found in self._variables.values()}

    def network(
        self,
        found: Sequence[Extension],
        auxiliary: Mapping[str, tuple[int, ...]],
        objective: Objective | None = None,
    ) -> Network:
        """The network; `Xcsp3Error` where the annotation and the constraints do not fit.

        The auxiliary variables come last: what chance does is known then.
        """
        last = max((variable.stage for variable in self._variables.values()), default=1)
        for name, domain in auxiliary.items():
            self._variables[name] = Variable(name, domain, stage=last, auxiliary=True)
        self._domains = {**self._domains, **auxiliary}
        self._know_values()
        constraints = self._guarded(lambda: self._constraints(found))
        chance = self._guarded(
            lambda: [self._chance(_object(e)) for e in _list(self._data.get("probabilities", []))]
        )
        threshold = self._guarded(
            lambda: [read_fraction(n) for n in _list(self._data.get("threshold", ["1"]))]
        )
        if objective is not None:
            objective = Objective(self._name(objective.variable), objective.maximise)
        return Network(self._variables.values(), constraints, chance, threshold, objective)

    def _guarded(self, work: Callable[[], T]) -> T:
        """The result of reading a part; what goes wrong is told with the place."""
        try:
            return work()
        except Xcsp3Error:
            raise
        except RecursionError:
            problem = "it is nested too deeply"
        except ValueError as error:  # also a NetworkError
            problem = str(error)
        if self._element is not None:
            self._element.fail(problem)
        raise Xcsp3Error(printable(problem))

    # Variables

    def _read_variables(self) -> dict[str, Variable]:
        notes = _object(self._data.get("variables", {}))
        unknown = notes.keys() - self._domains.keys()
        if unknown:
            raise ValueError(f"no variable is called {min(unknown)[:60]!r}")
        return {
            identity: self._variable(identity, domain, _object(notes.get(identity, {})))
            for identity, domain in self._domains.items()
        }

    def _variable(self, identity: str, domain: tuple[int, ...], note: dict[str, Any]) -> Variable:
        _only(note, "name", "values", "stochastic", "stage", "auxiliary")
        values: Sequence[Value] = domain
        if "values" in note:
            values = [from_json(value) for value in _list(note["values"])]
            if len(values) != len(domain):
                raise ValueError(
                    f"{identity!r} has {len(values)} values here and {len(domain)} in its domain"
                )
        stochastic, stage = note.get("stochastic", False), note.get("stage", 1)
        auxiliary = note.get("auxiliary", False)
        for key, truth in (("stochastic", stochastic), ("auxiliary", auxiliary)):
            if not isinstance(truth, bool):
                raise ValueError(f"{key!r} of {identity!r} must be true or false")
        if type(stage) is not int or not 1 <= stage <= LAST_STAGE:
            raise ValueError(f"'stage' of {identity!r} must be between 1 and {LAST_STAGE:,}")
        name = _text(note.get("name", identity))
        return Variable(name, values, stochastic, stage, auxiliary=auxiliary)

    def _ids(self, found: Any) -> tuple[str, ...]:
        ids = tuple(_text(found).split())
        for identity in ids:
            self._known(identity)
        return ids

    def _known(self, identity: Any) -> str:
        if not isinstance(identity, str) or identity not in self._variables:
            raise ValueError(f"no variable is called {str(identity)[:60]!r}")
        return identity

    def _name(self, identity: Any) -> str:
        return self._variables[self._known(identity)].name

    def _value(self, identity: str, code: Any) -> Value:
        if type(code) is not int or code not in self._values[identity]:
            raise ValueError(f"{str(code)[:40]!r} is not in the domain of {identity!r}")
        return self._values[identity][code]

    def _row(self, ids: Sequence[str], found: Any) -> tuple[Value, ...]:
        row = _list(found)
        if len(row) != len(ids):
            raise ValueError(f"a row has {len(row)} entries for {len(ids)} variables")
        return tuple(map(self._value, ids, row))

    # Constraints

    def _constraints(self, found: Sequence[Extension]) -> list[Constraint]:
        soft: dict[int, Soft] = {}
        stands: dict[str, tuple[tuple[str, ...], Hard, list[ExtensionTable]]] = {}
        for entry in map(_object, _list(self._data.get("constraints", []))):
            if "at" in entry:
                place = entry["at"]
                if type(place) is not int or place < 0 or place in soft:
                    raise ValueError("'at' of a soft constraint must be a place of its own")
                soft[place] = self._soft(entry)
                continue
            ids = tuple(map(_text, _list(entry.get("ids", []))))
            if not ids or any(identity in stands for identity in ids):
                raise ValueError("'ids' of a constraint must name extensions that no other names")
            hard, tables = self._hard(entry)
            stands |= dict.fromkeys(ids, (ids, hard, tables))
        constraints: list[Constraint] = []
        read: dict[str, ExtensionTable] = {}
        for extension in found:
            identity = extension.element.attributes.get("id", "")
            if identity not in stands:
                constraints.append(self._plain(extension))
                continue
            if identity in read:
                extension.element.fail("the annotation names an id that stands twice")
            if not any(one in read for one in stands[identity][0]):
                constraints.append(stands[identity][1])
            read[identity] = extension.table
        for ids, hard, tables in stands.values():
            if any(identity not in read for identity in ids):
                raise ValueError(f"there is no <extension> for {' '.join(ids)[:60]!r}")
            if [_canonical(read[identity]) for identity in ids] != tables:
                raise ValueError(
                    f"the rows of {hard.label[:100]} differ from those of {' '.join(ids)[:60]!r}"
                )
        total = len(constraints) + len(soft)
        if any(place >= total for place in soft):
            raise ValueError("'at' of a soft constraint is beyond the last constraint")
        rest = iter(constraints)
        return [soft[place] if place in soft else next(rest) for place in range(total)]

    def _plain(self, extension: Extension) -> Hard:
        table = extension.table
        try:
            return Hard(
                [self._variables[identity].name for identity in table.scope],
                self._entries(table.scope, table.rows),
                table.supports,
                extension.element.attributes.get("note", ""),
            )
        except NetworkError as problem:
            extension.element.fail(str(problem))

    def _hard(self, entry: dict[str, Any]) -> tuple[Hard, list[ExtensionTable]]:
        allowed = "supports" in entry
        _only(entry, "ids", "list", "supports" if allowed else "conflicts", "name")
        ids = self._ids(entry.get("list", ""))
        if not ids:
            raise ValueError("'list' of a constraint is empty")
        domains = [self._domains[identity] for identity in ids]
        raw = parse_rows(_text(entry.get("supports" if allowed else "conflicts")), len(ids))
        rows: list[Row] = []
        for row in raw:
            for part, identity in zip(row, ids):
                code = part.code if isinstance(part, Except) and allowed else part
                if code is not STAR and code not in self._values[identity]:
                    raise ValueError(f"{str(part)[:40]!r} is not in the domain of {identity!r}")
            rows.append(row)  # type: ignore[arg-type]
        names = [self._variables[identity].name for identity in ids]
        hard = Hard(names, self._entries(ids, rows), allowed, _text(entry.get("name", "")))
        return hard, plain(ids, domains, rows, allowed)

    def _entries(self, ids: Sequence[str], rows: Sequence[Row]) -> list[tuple[Entry, ...]]:
        values = [self._values[identity] for identity in ids]

        def entry(code: Code, known: dict[int, Value]) -> Entry:
            if isinstance(code, int):
                return known[code]
            return ANY if code is STAR else Not(known[code.code])

        return [tuple(map(entry, row, values)) for row in rows]

    def _soft(self, entry: dict[str, Any]) -> Soft:
        _only(entry, "at", "list", "utilities", "name")
        ids = self._ids(entry.get("list", ""))
        rows: dict[tuple[Value, ...], list[Fraction]] = {}
        for found in _list(entry.get("utilities", [])):
            row, utilities = _pair(found)
            rows[self._row(ids, row)] = [read_fraction(number) for number in _list(utilities)]
        names = [self._variables[identity].name for identity in ids]
        return Soft(names, rows, _text(entry.get("name", "")))

    # Chance

    def _chance(self, entry: dict[str, Any]) -> Distribution:
        identity = self._known(entry.get("variable"))
        name = self._variables[identity].name

        def value(code: str) -> Value:
            digits = code.removeprefix("-")
            short = digits.isascii() and digits.isdigit() and len(digits) < 19
            return self._value(identity, int(code) if short else code)

        if "legal" in entry:
            _only(entry, "variable", "legal")
            legal = _object(entry["legal"])
            return UniformOver(name, {value(code): self._name(b) for code, b in legal.items()})
        _only(entry, "variable", "given", "rows")
        given = self._ids(entry.get("given", ""))
        rows = {}
        for found in _list(entry.get("rows", [])):
            row, numbers = _pair(found)
            rows[self._row(given, row)] = {
                value(code): read_fraction(number) for code, number in _object(numbers).items()
            }
        return Probability(name, [self._variables[one].name for one in given], rows)


def _canonical(table: ExtensionTable) -> ExtensionTable:
    """The table as `plain` would write it: its rows sorted, each once."""
    rows = plain(table.scope, [()] * len(table.scope), table.rows, True)[0].rows
    return ExtensionTable(table.scope, rows, table.supports)


def _parse(text: str) -> dict[str, Any]:
    try:
        data = _object(json.loads(text))
    except json.JSONDecodeError as problem:
        raise ValueError(f"its text is no JSON: {problem}") from None
    if data.get("woodstock") != VERSION:
        raise ValueError(f"version {str(data.get('woodstock'))[:40]} of the annotation is unknown")
    _only(data, "woodstock", "threshold", "variables", "constraints", "probabilities")
    return data


def _only(found: dict[str, Any], *names: str) -> None:
    for name in found:
        if name not in names:
            raise ValueError(f"{name[:40]!r} is unknown here; there are {', '.join(names)}")


def _object(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError(f"{str(found)[:40]!r} should be a JSON object")
    return found


def _list(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise ValueError(f"{str(found)[:40]!r} should be a JSON list")
    return found


def _pair(found: Any) -> list[Any]:
    if len(_list(found)) != 2:
        raise ValueError(f"{str(found)[:40]!r} should be a list of two")
    return _list(found)


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise ValueError(f"{str(found)[:40]!r} should be a text")
    return found
