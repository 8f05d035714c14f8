"""Showing states and moves to a person."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from woodstock.belief import Belief
from woodstock.drawing import draw_text, last_move_board
from woodstock.game import State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term

__all__ = [
    "how_sure",
    "print_belief",
    "print_goals",
    "print_moves",
    "print_position",
    "print_state",
]

_DOUBTS = 8
"""Lines about what is not known."""


def print_state(
    console: Console,
    state: State | Belief,
    last: tuple[State, Sequence[Term]] | None = None,
) -> None:
    """Draw a state, or what is known of it, in colour where the console has colours.

    `last` is the state before and the moves made there: they are marked then.
    """
    color = console.is_terminal and not console.no_color
    columns = console.width if console.is_terminal else None
    if last is None or isinstance(state, Belief):
        drawn = state.draw(color=color, columns=columns)
    else:
        before, moves = last
        game = state.game
        board = last_move_board(
            before.fluents,
            state.fluents,
            moves,
            hints=game.drawing,
            domain=game.possible_fluents,
        )
        drawn = draw_text(board, color=color, columns=columns)
    console.print(Text.from_ansi(drawn), soft_wrap=True)


def print_belief(console: Console, belief: Belief) -> None:
    """Draw what is known, and say what may be."""
    print_state(console, belief)
    if not belief.doubts and belief.exact:
        return
    console.print(f"{how_sure(belief)}:" if belief.doubts else how_sure(belief), style="dim")
    for doubt in belief.doubts[:_DOUBTS]:
        console.print(_filled(str(doubt).split(", "), ", ", console.width), markup=False)
    if len(belief.doubts) > _DOUBTS:
        console.print(f"  and {len(belief.doubts) - _DOUBTS} more", style="dim")


def how_sure(belief: Belief) -> str:
    """How many positions are possible, in words."""
    count = len(belief.chances)
    some = "1 position" if count == 1 else f"{count:,} positions"
    return f"{some} possible" if belief.exact else f"a sample of {some}, more may be possible"


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
    goals = (f"{role} {_goal(state.goal(role))}" for role in state.game.players)
    console.print(f"The game is over: {', '.join(goals)}.", markup=False, style="bold")


def _paragraph(moves: Sequence[Term], width: int) -> str:
    """Moves side by side; no line breaks inside a move."""
    return _filled([str(move) for move in moves], "  ", width)


def _filled(texts: Sequence[str], between: str, width: int) -> str:
    """Texts in lines that are not too long, nor broken inside a text."""
    lines = textwrap.fill(
        between.join(text.replace(" ", "\N{NO-BREAK SPACE}") for text in texts),
        width - 1,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _goal(value: int | None) -> str:
    return "without a goal" if value is None else str(value)
