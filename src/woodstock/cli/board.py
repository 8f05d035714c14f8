"""Showing states and moves to a person."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from woodstock.game import State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term

__all__ = ["print_goals", "print_moves", "print_position", "print_state"]


def print_state(console: Console, state: State) -> None:
    """Draw a state, in colour where the console has colours."""
    color = console.is_terminal and not console.no_color
    console.print(Text.from_ansi(state.draw(color=color)), soft_wrap=True)


def print_moves(
    console: Console,
    number: int,
    roles: Sequence[str],
    moves: Sequence[Term],
    seconds: Sequence[float] | None = None,
) -> None:
    """One line for a joint move, with the seconds it took if they are given."""
    line = Text(f"{number:>3}. ", style="bold")
    for index, (role, move) in enumerate(zip(roles, moves, strict=True)):
        line.append(f"{role} ", style="not bold dim")
        line.append(f"{move}", style="not bold cyan")
        if seconds is not None and role != RANDOM:
            line.append(f" {seconds[index]:.1f} s", style="not bold dim")
        line.append("   ")
    line.rstrip()
    console.print(line, soft_wrap=True)


def print_position(console: Console, state: State) -> None:
    """What can be done in a state, or how it ended, and what was perceived."""
    for role in state.roles:
        seen = state.percepts(role)
        if seen:
            console.print(f"{role} perceives {', '.join(map(str, seen))}", markup=False)
    if state.is_terminal:
        print_goals(console, state)
        return
    for role in state.roles:
        legal = state.legal_moves(role)
        if len(legal) == 1:
            console.print(f"{role}: {legal[0]}", markup=False, soft_wrap=True)
            continue
        count = f"{len(legal)} legal moves" if legal else "no legal move: the rules are wrong here"
        console.print(f"{role}: {count}", markup=False, style="bold")
        if legal:
            console.print(_paragraph(legal, console.width), markup=False, soft_wrap=True)


def print_goals(console: Console, state: State) -> None:
    """How a game has ended."""
    goals = (f"{role} {_goal(value)}" for role, value in state.goals().items() if role != RANDOM)
    console.print(f"The game is over: {', '.join(goals)}.", markup=False, style="bold")


def _paragraph(moves: Sequence[Term], width: int) -> str:
    """Moves side by side; no line breaks inside a move."""
    text = "  ".join(str(move).replace(" ", "\N{NO-BREAK SPACE}") for move in moves)
    lines = textwrap.fill(
        text,
        width - 1,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _goal(value: int | None) -> str:
    return "without a goal" if value is None else str(value)
