"""Lines of play written by hand: ``(mark 2 2) noop; noop (mark 1 1)``.

Joint moves are separated by ``;``, the moves of a joint move by blanks or commas. Where only some
roles have a choice, their moves alone are enough: ``(mark 2 2); (mark 1 1)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from woodstock.errors import IllegalMoveError
from woodstock.game import State
from woodstock.gdl.terms import Term

__all__ = ["play_line", "split_line", "split_terms"]

_PIECE = re.compile(r"[();,]|[^\s();,]+")


def split_terms(text: str) -> list[str]:
    """The terms that stand beside one another in a text, each as canonical KIF.

    >>> split_terms("( mark 2  2 ), noop")
    ['(mark 2 2)', 'noop']
    """
    steps = split_line(text)
    if len(steps) > 1:
        raise IllegalMoveError(f"';' does not belong into {text.strip()[:60]!r}")
    return steps[0] if steps else []


def split_line(text: str) -> list[list[str]]:
    """The joint moves of a line; empty ones are dropped.

    >>> split_line("(mark 2 2) noop; noop (mark 1 1);")
    [['(mark 2 2)', 'noop'], ['noop', '(mark 1 1)']]
    """
    steps: list[list[str]] = [[]]
    depth = 0
    words: list[str] = []
    for piece in _PIECE.findall(text):
        if piece == ";" and depth == 0:
            steps.append([])
        elif piece in ";,":
            if depth:
                raise IllegalMoveError(f"{piece!r} inside parentheses in {text.strip()[:60]!r}")
        else:
            words.append(piece)
            depth += (piece == "(") - (piece == ")")
            if depth < 0:
                break
            if depth == 0:
                term = " ".join(words).replace("( ", "(").replace(" )", ")")
                steps[-1].append(term)
                words = []
    if depth:
        raise IllegalMoveError(f"the parentheses do not match in {text.strip()[:60]!r}")
    return [step for step in steps if step]


def play_line(state: State, text: str) -> Iterator[tuple[tuple[Term, ...], State]]:
    """Play a line from a state: each joint move and the state it leads to.

    Raises `IllegalMoveError`, which says which step of the line is wrong.

    >>> from woodstock import Game
    >>> start = Game.from_library("tic-tac-toe").initial_state()
    >>> [[str(move) for move in moves] for moves, _ in play_line(start, "(mark 2 2); (mark 1 1)")]
    [['(mark 2 2)', 'noop'], ['noop', '(mark 1 1)']]
    """
    for number, step in enumerate(split_line(text), start=1):
        try:
            joint = _complete(state, step)
            state = state.apply(joint)
        except IllegalMoveError as problem:
            raise IllegalMoveError(f"step {number}, {' '.join(step)}: {problem}") from None
        yield joint, state


def _complete(state: State, step: list[str]) -> tuple[Term, ...]:
    """The joint move a step stands for: roles without a choice may have been left out."""
    moves = [state.game.term(text) for text in step]
    if len(moves) == len(state.roles):
        return tuple(moves)
    if state.is_terminal:
        raise IllegalMoveError("the game is over; no moves are possible")
    legal = {role: state.legal_moves(role) for role in state.roles}
    if any(not options for options in legal.values()):
        raise IllegalMoveError("a role has no legal move here")
    choosers = [role for role in state.roles if len(legal[role]) > 1]
    if len(moves) == len(choosers):
        chosen = dict(zip(choosers, moves, strict=True))
        return tuple(chosen.get(role, legal[role][0]) for role in state.roles)
    only = tuple(legal[role][0] for role in state.roles)
    if not choosers and len(moves) == 1 and moves[0] in only:
        return only
    needed = f"one move for each of {', '.join(state.roles)}"
    if 0 < len(choosers) < len(state.roles):
        needed += f", or for {', '.join(choosers)} alone"
    raise IllegalMoveError(f"{len(moves)} moves given; needed: {needed}")
