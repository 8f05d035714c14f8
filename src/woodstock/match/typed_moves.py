"""Moves as people type them: by their number, their words, or as much of them as is clear.

Nothing is known of a game but the words of the moves that are open together. ``e2e4`` is
``(move e 2 e 4)`` where no other of them reads like that, and so is ``e4`` where nothing else has
to do with e4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from woodstock.errors import IllegalMoveError
from woodstock.gdl.terms import Term

__all__ = ["are_numbered", "complete_move", "find_move", "short_form"]

_SHOWN = 5
_SHORT = 2  # letters of words that are read well when they are written together
_NOISE = re.compile(r"[\s(),]+")
_INNER = re.compile(r"(?<=\w)[-–:](?=\w)")


def find_move(legal: Sequence[Term], text: str) -> Term:
    """The move that a person means; `IllegalMoveError` says what is wrong.

    Looked for in this order, until something fits: the whole text; all words without the first, or
    all of them, written together; the number in the list (see `are_numbered`); how the text
    begins; some words that follow each other, written together; some words in their order; letters
    that follow each other. Parentheses, commas, capitals and blanks do not matter.

    >>> moves = ("(mark 1 1)", "(mark 1 2)", "(move e 2 e 4)", "noop")
    >>> find_move(moves, "2"), find_move(moves, "MARK 1  1"), find_move(moves, "n")
    ('(mark 1 2)', '(mark 1 1)', 'noop')
    >>> find_move(moves, "e2-e4"), find_move(moves, "e4"), find_move(moves, "11")
    ('(move e 2 e 4)', '(move e 2 e 4)', '(mark 1 1)')
    >>> find_move(moves, "mark")
    Traceback (most recent call last):
    ...
    woodstock.errors.IllegalMoveError: 'mark' may be (mark 1 1) or (mark 1 2)
    """
    shown = text.strip()
    found = _meant(legal, text)
    if not found and (loose := _INNER.sub("", text)) != text:
        found = _meant(legal, loose)
    if len(found) == 1:
        return found[0]
    if not found:
        if shown.isdecimal() and are_numbered(legal):
            raise IllegalMoveError(f"there is no move {shown}; they go from 1 to {len(legal)}")
        raise IllegalMoveError(f"{shown!r} is no legal move")
    named = [*map(str, found[:_SHOWN]), *(["another"] if len(found) > _SHOWN else [])]
    raise IllegalMoveError(f"{shown!r} may be {', '.join(named[:-1])} or {named[-1]}")


def are_numbered(legal: Sequence[Term]) -> bool:
    """Whether a number means the place in the list: not where it may be the words of a move.

    >>> are_numbered(["(mark 1 1)", "(mark 1 2)"]), are_numbered(["(drop 3)", "(drop 5)"])
    (True, False)
    """
    digits = len(str(len(legal)))
    forms = (form for move in legal for form in _forms(_words(str(move))))
    return not any(form.isdecimal() and len(form) <= digits for form in forms)


def short_form(legal: Sequence[Term], move: Term) -> str:
    """A short text that a person may type for a move: its words but for the first.

    Where that means another move, or several, it is all words of the move.

    >>> moves = ["(move e 2 e 4)", "(move d 2 d 3)", "(drop left 1)", "pass"]
    >>> [short_form(moves, move) for move in moves]
    ['e2e4', 'd2d3', 'left 1', 'pass']
    """
    words = _words(str(move))
    between = "" if all(len(word) <= _SHORT for word in words[1:]) else " "
    form = between.join(words[1:])
    try:
        return form if form and find_move(legal, form) == move else " ".join(words)
    except IllegalMoveError:
        return " ".join(words)


def complete_move(legal: Sequence[Term], text: str) -> list[str]:
    """What a text may go on to be: moves with parentheses if it has one, else as words or short.

    >>> complete_move(["(mark 1 1)", "(mark 1 2)", "noop"], "mark 1")
    ['mark 1 1', 'mark 1 2']
    >>> complete_move(["(move e 2 e 4)", "(move e 2 e 3)"], "e2")
    ['e2e3', 'e2e4']
    >>> complete_move(["(mark 1 1)", "noop"], "(")
    ['(mark 1 1)']
    """
    wanted = " ".join(text.lower().split())
    spelled = [str(move) for move in legal]
    if wanted.startswith("("):
        return sorted(one for one in spelled if one.lower().startswith(wanted))
    plain = [" ".join(_words(one)) for one in spelled]
    found = {one for one in plain if one.startswith(wanted)}
    if not found and wanted:
        forms = (form for one in spelled for form in _forms(_words(one)))
        found = {form for form in forms if form.startswith(wanted)}
    return sorted(found)


def _meant(legal: Sequence[Term], text: str) -> list[Term]:
    """The moves that fit a text best."""
    typed = _words(text)
    together = "".join(typed)
    if not together:
        return []
    words = [_words(str(move)) for move in legal]
    numbered = together.isdecimal() and are_numbered(legal)
    ways: list[Callable[[tuple[str, ...]], bool]] = [
        lambda one: one == typed,
        lambda one: together in _forms(one),
    ]
    if not numbered:
        ways += [
            lambda one: " ".join(one).startswith(" ".join(typed)),
            lambda one: together in _runs(one),
            lambda one: _in_order(typed, one),
            lambda one: together in "".join(one),
        ]
    for fits in ways:
        found = [move for move, one in zip(legal, words) if fits(one)]
        if found:
            return found
    if numbered and 1 <= int(together) <= len(legal):
        return [legal[int(together) - 1]]
    return []


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_NOISE.sub(" ", text).lower().split())


def _forms(words: tuple[str, ...]) -> tuple[str, ...]:
    """A move written together, with its first word and without."""
    return ("".join(words), "".join(words[1:])) if len(words) > 1 else words


@lru_cache(maxsize=4096)
def _runs(words: tuple[str, ...]) -> frozenset[str]:
    """Words that follow each other, written together."""

    def runs() -> Iterator[str]:
        for first in range(len(words)):
            for end in range(first + 1, min(len(words), first + 12) + 1):
                yield "".join(words[first:end])

    return frozenset(runs())


def _in_order(typed: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words typed are some of a move's, each or the beginning of it, in their order."""
    rest = iter(words)
    return all(any(word.startswith(one) for word in rest) for one in typed)
