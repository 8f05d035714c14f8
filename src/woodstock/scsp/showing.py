"""Networks as tables, in text and HTML, like the figures of the papers.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, y = Variable("x", range(2)), Variable("y", range(2), stochastic=True)
>>> print(Network([x, y], [Hard.where([x, y], max, name="c1")], [Probability.uniform(y)], "1/2"))
Variables and domains
 variable │ domain │ kind
──────────┼────────┼────────────
 x        │ {0, 1} │ decision
 y        │ {0, 1} │ stochastic
<BLANKLINE>
c1: allowed
 x │ y
───┼───
 0 │ 1
 1 │ 0
 1 │ 1
<BLANKLINE>
Probability of y
 0   │ 1
─────┼─────
 1/2 │ 1/2
<BLANKLINE>
θ = 1/2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice
from typing import NamedTuple

from woodstock.scsp.constraints import Constraint, Distribution, Hard, UniformOver
from woodstock.scsp.network import Network
from woodstock.scsp.values import printable

__all__ = ["ROWS", "TABLES", "TextTable", "html_of", "tables_of", "text_of"]

ROWS = 24
"""The most rows that are shown of a table."""

TABLES = 40
"""The most constraints, and the most probabilities, that are shown of a network."""

_STYLE = "display:inline-block;vertical-align:top;margin:0 1em 1em 0"


class TextTable(NamedTuple):
    """A table with a title; `left` is the number of rows that are left out."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: int = 0

    def text(self) -> str:
        """The table in text."""
        lines = [tuple(map(printable, line)) for line in (self.header, *self.rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.header))]
        drawn = [
            " │ ".join(f"{cell:{width}}" for cell, width in zip(line, widths)).rstrip()
            for line in lines
        ]
        rule = "─┼─".join("─" * width for width in widths) + "─"
        shown = [
            printable(self.title),
            f" {drawn[0]}",
            f"─{rule}",
            *(f" {line}" for line in drawn[1:]),
        ]
        if self.left:
            shown.append(f" … {self.left} more")
        return "\n".join(shown)

    def html(self) -> str:
        """The table in HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.header)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows
        )
        if self.left:
            body += f'<tr><td colspan="{len(self.header)}">… {self.left} more</td></tr>'
        return (
            f'<table style="{_STYLE}"><caption>{escape(self.title)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def tables_of(network: Network, rows: int = ROWS, tables: int = TABLES) -> Iterator[TextTable]:
    """The tables of a network: its variables, constraints and probabilities."""
    yield _variables(network, rows * 4)
    for place, constraint in enumerate(network.constraints[:tables], 1):
        yield _constraint(constraint, place, rows)
    if len(network.constraints) > tables:
        yield _count("Constraints", len(network.constraints) - tables)
    for found in network.probabilities[:tables]:
        yield _probability(network, found, rows)
    if len(network.probabilities) > tables:
        yield _count("Probabilities", len(network.probabilities) - tables)


def text_of(network: Network, rows: int = ROWS, tables: int = TABLES) -> str:
    """The tables of the network in text, and its threshold."""
    shown = [table.text() for table in tables_of(network, rows, tables)]
    return "\n\n".join([*shown, _threshold(network)])


def html_of(network: Network, rows: int = ROWS, tables: int = TABLES) -> str:
    """The tables of the network in HTML, and its threshold; notebooks show it."""
    shown = "".join(table.html() for table in tables_of(network, rows, tables))
    return f"<div>{shown}<p>{escape(_threshold(network))}</p></div>"


def _variables(network: Network, limit: int) -> TextTable:
    staged = len(network.stages) > 1
    header = ("variable", "domain", "kind") + (("stage",) if staged else ())
    rows = [
        (
            variable.name,
            _set(variable.domain),
            "stochastic" if variable.stochastic else "decision",
            *((str(variable.stage),) if staged else ()),
        )
        for variable in network.variables[:limit]
    ]
    return TextTable("Variables and domains", header, rows, max(0, len(network.variables) - limit))


def _constraint(constraint: Constraint, place: int, limit: int) -> TextTable:
    name = constraint.name or f"c{place}"
    left = max(0, len(constraint.rows) - limit)
    if isinstance(constraint, Hard):
        title = f"{name}: {'allowed' if constraint.allowed else 'forbidden'}"
        rows = [tuple(map(str, row)) for row in constraint.rows[:limit]]
        return TextTable(title, constraint.scope, rows, left)
    players = range(constraint.players)
    header = ("utility",) if len(players) == 1 else tuple(f"utility {p}" for p in players)
    soft = [
        (*map(str, row), *map(str, utilities))
        for row, utilities in islice(constraint.rows.items(), limit)
    ]
    return TextTable(f"{name}: utilities", (*constraint.scope, *header), soft, left)


def _probability(network: Network, found: Distribution, limit: int) -> TextTable:
    if isinstance(found, UniformOver):
        pairs = [(str(value), name) for value, name in islice(found.legal.items(), limit)]
        title = f"Probability of {found.variable}: uniform over the values that are legal"
        return TextTable(title, ("value", "legal"), pairs, max(0, len(found.legal) - limit))
    domain = network.variable(found.variable).domain
    rows = [
        (*map(str, given), *(str(row.get(value, 0)) for value in domain))
        for given, row in islice(found.rows.items(), limit)
    ]
    title = f"Probability of {found.variable}"
    if found.given:
        title += f" given {', '.join(found.given)}"
    return TextTable(
        title, (*found.given, *map(str, domain)), rows, max(0, len(found.rows) - limit)
    )


def _count(title: str, left: int) -> TextTable:
    return TextTable(title, ("",), [], left)


def _threshold(network: Network) -> str:
    numbers = ", ".join(map(str, network.threshold))
    shown = f"θ = {numbers if network.players == 1 else f'({numbers})'}"
    found = network.objective
    return shown if found is None else f"{found.word} {printable(found.variable)}"


def _set(values: Iterable[object]) -> str:
    shown = list(map(str, islice(values, 13)))
    return f"{{{', '.join([*shown[:12], '…'] if len(shown) > 12 else shown)}}}"
