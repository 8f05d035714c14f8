"""Showing what a search has found."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from woodstock.cli.tables import column_table
from woodstock.gdl.terms import Term
from woodstock.tune import wilson

if TYPE_CHECKING:
    from woodstock.search import Decision, MoveValue

__all__ = ["decision_json", "decision_table", "figures"]

_PLIES = 8
"""Joint moves of the best line that are shown."""


def decision_table(
    decision: Decision, roles: Sequence[str], width: int, rows: int | None = None
) -> Group:
    """The moves with their values, best first, `rows` at most, and the line that is expected."""
    table = column_table("move", "value", "±", "visits", "bounds", wrap=False)
    shown = decision.moves if rows is None else decision.moves[:rows]
    for number, one in enumerate(shown):
        table.add_row(
            Text(str(one.move), style="bold" if number == 0 else ""),
            f"{100 * one.value:.1f}",
            "" if one.proved else _spread(one),
            f"{one.visits:,}",
            _bounds(one),
        )
    parts: list[Any] = [table]
    hidden = len(decision.moves) - len(shown)
    if hidden:
        parts.append(Text(f"and {hidden:,} more", style="dim"))
    if decision.line:
        parts.append(Text(_wrapped(f"expected: {_line(decision.line, roles)}", width)))
    parts.append(Text(_wrapped(figures(decision), width), style="dim"))
    return Group(*parts)


def figures(decision: Decision) -> str:
    """What the search did for its answer, in one line."""
    rate = decision.simulations / decision.cpu_seconds if decision.cpu_seconds else 0.0
    parts = [
        f"{decision.simulations:,} simulations" + (f" ({rate:,.0f} a CPU second)" if rate else ""),
        f"{decision.nodes:,} nodes",
        f"depth {decision.depth}",
        f"{decision.seconds:.1f} s",
        *(["proved"] if decision.proved else []),
        *decision.notes,
    ]
    return ", ".join(parts)


def decision_json(decision: Decision) -> dict[str, Any]:
    """The decision as a JSON object."""
    return {
        "move": str(decision.move),
        "value": round(decision.value, 6),
        "values": {role: round(value, 6) for role, value in decision.values.items()},
        "proved": decision.proved,
        "moves": [
            {
                "move": str(one.move),
                "value": round(one.value, 6),
                "visits": one.visits,
                "lower": round(one.lower, 6),
                "upper": round(one.upper, 6),
                "proved": one.proved,
                "share": round(one.share, 6),
            }
            for one in decision.moves
        ],
        "line": [[str(move) for move in joint] for joint in decision.line],
        "nodes": decision.nodes,
        "simulations": decision.simulations,
        "depth": decision.depth,
        "seconds": round(decision.seconds, 3),
        "cpu_seconds": round(decision.cpu_seconds, 3),
        "bytes": decision.bytes,
        "notes": list(decision.notes),
    }


def _spread(one: MoveValue) -> str:
    """Half of the 95 % interval of the mean of so many samples."""
    if not one.visits:
        return "?"
    low, high = wilson(min(1.0, max(0.0, one.value)), one.visits)
    return f"{50 * (high - low):.1f}"


def _bounds(one: MoveValue) -> str:
    if one.proved:
        return "proved"
    if one.lower <= 0 and one.upper >= 1:
        return ""
    return f"{100 * one.lower:.0f} - {100 * one.upper:.0f}"


def _line(line: Sequence[Sequence[Term]], roles: Sequence[str]) -> str:
    """Expected play; a role that has nothing to do but ``noop`` is not worth its place."""
    steps = []
    for joint in line[:_PLIES]:
        moves = [f"{role} {move}" for role, move in zip(roles, joint) if move != "noop"]
        steps.append(", ".join(moves) or "noop")
    # No line breaks inside a step.
    steps = [step.replace(" ", "\N{NO-BREAK SPACE}") for step in steps]
    return "; ".join(steps) + (" ..." if len(line) > _PLIES else "")


def _wrapped(text: str, width: int) -> str:
    lines = textwrap.fill(text, max(20, width - 1), subsequent_indent="  ", break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")
