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

__all__ = ["decision_table", "figures"]

_PLIES = 8
"""Joint moves of the best line that are shown."""


def decision_table(
    decision: Decision, roles: Sequence[str], width: int, rows: int | None = None
) -> Group:
    """The moves with their values, as they are advised, and the line that is expected.

    The first of them, which is marked, is what the player does; `rows` are shown at most.
    """
    table = column_table("  move", "value", "±", "visits", "bounds", wrap=False)
    shown = decision.moves if rows is None else decision.moves[:rows]
    for number, one in enumerate(shown):
        table.add_row(
            Text(f"* {one.move}", style="bold") if number == 0 else Text(f"  {one.move}"),
            f"{100 * one.value:.1f}",
            "" if one.proved else _spread(one),
            f"{one.visits:,}",
            one.bounds,
        )
    parts: list[Any] = [table]
    hidden = len(decision.moves) - len(shown)
    if hidden:
        parts.append(Text(f"and {hidden:,} more", style="dim"))
    if decision.line:
        parts.append(Text(_wrapped(f"expected: {_line(decision.line, roles)}", width)))
    parts.append(Text(_wrapped(f"* its choice; {figures(decision)}", width), style="dim"))
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


def _spread(one: MoveValue) -> str:
    """Half of the 95 % interval of the mean of so many samples."""
    if not one.visits:
        return "?"
    low, high = wilson(min(1.0, max(0.0, one.value)), one.visits)
    return f"{50 * (high - low):.1f}"


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
