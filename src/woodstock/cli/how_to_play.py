"""What a game is about and how its moves read, for somebody who is new to it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from rich.console import Console

from woodstock import games
from woodstock.game import Game
from woodstock.gdl.terms import Term
from woodstock.match import MoveShape, are_numbered, move_shapes, short_form

__all__ = ["filled", "first_moves", "moves_read", "print_how_to_play"]

_TERM, _HARD = re.compile(r"\([^()]*\)"), "\N{NO-BREAK SPACE}"
_KINDS = 8
"""Kinds of moves that are told of."""


def print_how_to_play(console: Console, game: Game, legal: Sequence[Term]) -> None:
    """The summary of a game, its roles, and how the moves read that are open now."""
    title, summary = games.words_about(game.name, game.rules.sheet)
    console.print(title, style="bold", markup=False)
    if summary:
        console.print(filled(summary, console.width), markup=False)
    who = ", ".join(game.players) + (" and chance" if game.has_chance else "")
    console.print(filled(f"Who plays: {who}.", console.width), markup=False)
    if legal:
        console.print("How moves read:", markup=False)
        for line in moves_read(legal):
            console.print(filled(line, console.width, "  "), markup=False)
    if games.is_library_text(game.name, game.rules.sheet.source.text):
        about = f"'woodstock about {game.name} --rules' prints the rules."
        console.print(about, style="dim", markup=False)


def moves_read(legal: Sequence[Term]) -> list[str]:
    """A line for each kind of moves.

    >>> moves_read([f"(mark {x} {y})" for x in "123" for y in "123"])
    ["mark 1-3 1-3: 9 moves such as (mark 2 2); '22' is enough, and so is its number"]
    """
    shapes = move_shapes(legal)
    lines = [_reads(shape, legal) for shape in shapes[:_KINDS]]
    if len(shapes) > _KINDS:
        lines.append(f"and {len(shapes) - _KINDS} kinds more")
    return lines


def _reads(shape: MoveShape, legal: Sequence[Term]) -> str:
    if shape.count == 1:
        return str(shape.example)
    short = short_form(legal, shape.example)
    number = ", and so is its number" if are_numbered(legal) else ""
    return (
        f"{shape.pattern}: {shape.count} moves such as {shape.example}; {short!r} is enough{number}"
    )


def first_moves(game: Game) -> tuple[str, Sequence[Term]]:
    """The first player that has a choice at the start, and its moves; of the others the first."""
    state = game.initial_state()
    if state.is_terminal:
        return game.players[0], ()
    roles = [role for role in state.turn if role in game.players] or list(game.players)
    return roles[0], state.legal_moves(roles[0])


def filled(text: str, width: int, indent: str = "") -> str:
    """A paragraph in lines that fit, not broken inside of terms.

    Where there is an indent, all lines but the first are further right.

    >>> print(filled("one two three four five", 21))
    one two three four
    five
    """
    lines = textwrap.fill(
        _TERM.sub(lambda term: term.group().replace(" ", _HARD), text),
        max(20, width - 1),
        initial_indent=indent,
        subsequent_indent=indent + "  " if indent else "",
        break_on_hyphens=False,
        break_long_words=False,
    )
    return lines.replace(_HARD, " ")
