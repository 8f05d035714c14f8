"""The messages of the Game Communication Language, in both dialects of GDL-II.

A message is a list in KIF: ``( PLAY match.1 ( ( mark 2 1 ) noop ) )``. Keywords are read in any
case; everything else keeps its spelling. The text that comes in is whatever a stranger sends, so
reading it raises nothing but `MessageError`.

>>> read_message("( play match.1 ((mark 2 1) noop) )")
Play(match='match.1', told=(Compound(('mark', '2', '1')), 'noop'), turn=None, move=None)
>>> read_message("(PLAY match.1 3 noop ((did x (mark 1 1))))").turn
3
>>> str(Abort("match.1"))
'( ABORT match.1 )'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from woodstock.errors import WoodstockError
from woodstock.gdl.terms import Term, parse_term, to_kif

__all__ = [
    "Abort",
    "Info",
    "Message",
    "MessageError",
    "Ping",
    "Play",
    "Preview",
    "Start",
    "Stop",
    "read_message",
    "read_move",
    "spaced",
]


class MessageError(WoodstockError, ValueError):
    """A message that cannot be read."""


@dataclass(frozen=True)
class Info:
    """Asks who is there and whether he is free."""

    def __str__(self) -> str:
        return "( INFO )"


@dataclass(frozen=True)
class Ping:
    """The same question in newer notes."""

    def __str__(self) -> str:
        return "( PING )"


@dataclass(frozen=True)
class Preview:
    """Rules to look at before a match; `rules` is KIF without the outer parentheses."""

    rules: str
    clock: float

    def __str__(self) -> str:
        return f"( PREVIEW ({self.rules} ) {_number(self.clock)} )"


@dataclass(frozen=True)
class Start:
    """A match begins; clocks are seconds."""

    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float

    def __str__(self) -> str:
        clocks = f"{_number(self.start_clock)} {_number(self.play_clock)}"
        # A comment would hide what comes after it on its line.
        end = "\n" if ";" in self.rules else " "
        return f"( START {self.match} {self.role} ({self.rules}{end}) {clocks})"


@dataclass(frozen=True)
class _Told:
    """What happened in the last turn: `told` is None before the first.

    In GDL, `told` are the moves of all roles. In GDL-II they are our percepts; the final dialect
    also has the number of the turn and the move that was made for us. Which of the two a list is
    that comes alone, only the rules can say.
    """

    match: str
    told: tuple[Term, ...] | None
    turn: int | None = None
    move: Term | None = None

    def _written(self, keyword: str) -> str:
        told = "NIL" if self.told is None else _list(self.told)
        if self.turn is None:
            return f"( {keyword} {self.match} {told} )"
        move = "NIL" if self.move is None else spaced(self.move)
        return f"( {keyword} {self.match} {self.turn} {move} {told} )"


@dataclass(frozen=True)
class Play(_Told):
    """It is our turn."""

    def __str__(self) -> str:
        return self._written("PLAY")


@dataclass(frozen=True)
class Stop(_Told):
    """The match is over."""

    def __str__(self) -> str:
        return self._written("STOP")


@dataclass(frozen=True)
class Abort:
    """The match is broken off."""

    match: str

    def __str__(self) -> str:
        return f"( ABORT {self.match} )"


Message: TypeAlias = Info | Ping | Preview | Start | Play | Stop | Abort

MOST_SIGNS = 1 << 18
"""Moves and percepts in more signs than so many are not read."""
MOST_SECONDS = 1e6

_TOKEN = re.compile(r"[()]|;[^\n\r]*|[^\s();]+")
_NIL = "nil"


def read_message(text: str) -> Message:
    """The message that a text is; `MessageError` where it is none.

    >>> read_message("(PLAY m1 NIL)")
    Play(match='m1', told=None, turn=None, move=None)
    >>> read_message("(DANCE m1)")
    Traceback (most recent call last):
    ...
    woodstock.protocol.messages.MessageError: no message begins with 'DANCE'
    """
    items = _items(text)
    if len(items) == 1 and items[0].startswith("("):
        items = _items(items[0][1:-1])
    elif len(items) != 1:
        raise MessageError("a message is one list in parentheses")
    if not items:
        raise MessageError("a message without a word in it")
    keyword, arguments = items[0].lower(), items[1:]
    read = _READERS.get(keyword)
    if read is None:
        raise MessageError(f"no message begins with {items[0][:40]!r}")
    least, function = read
    if len(arguments) < least:
        raise MessageError(f"{keyword} needs {least} arguments, not {len(arguments)}")
    return function(arguments)


def read_move(text: str) -> Term:
    """The move that an answer is; `MessageError` where it is none.

    >>> read_move(" ( mark 2 1 )")
    Compound(('mark', '2', '1'))
    """
    items = _items(text)
    if len(items) != 1:
        raise MessageError("an answer is one term" if items else "an empty answer")
    return _term(items[0])


def spaced(term: Term) -> str:
    """A term as servers write it, with blanks around everything.

    >>> spaced(parse_term("(mark 2 1)")), spaced("noop")
    ('( mark 2 1 )', 'noop')
    """
    return to_kif(term).replace("(", "( ").replace(")", " )")


def _list(terms: Sequence[Term]) -> str:
    # Without a blank behind the parenthesis: that is how servers write lists of terms.
    return f"({' '.join(map(spaced, terms))} )"


def _items(text: str) -> list[str]:
    """The parts of a list, each as it was written."""
    found: list[str] = []
    depth, begin = 0, 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            if depth == 0:
                begin = match.start()
            depth += 1
        elif token == ")":
            depth -= 1
            if depth < 0:
                raise MessageError("')' closes nothing")
            if depth == 0:
                found.append(text[begin : match.end()])
        elif depth == 0 and token[0] != ";":
            found.append(token)
    if depth:
        raise MessageError("'(' is never closed")
    return found


def _term(text: str) -> Term:
    try:
        return parse_term(text)
    except ValueError as problem:
        raise MessageError(f"{text[:60]!r} is no term: {problem}") from None


def _inside(text: str) -> str:
    if not text.startswith("("):
        raise MessageError(f"{text[:40]!r} where a list should be")
    return text[1:-1]


def _word(text: str) -> str:
    if text.startswith("("):
        raise MessageError(f"{text[:40]!r} where a word should be")
    return text


def _clock(text: str) -> float:
    try:
        seconds = float(_word(text))
    except ValueError:
        raise MessageError(f"{text[:40]!r} is no clock; write seconds") from None
    if not 0 <= seconds <= MOST_SECONDS:
        raise MessageError(f"{text[:40]!r} is no clock; write seconds")
    return seconds


def _number(seconds: float) -> str:
    return str(int(seconds)) if seconds == int(seconds) else f"{seconds:g}"


def _told(text: str) -> tuple[Term, ...] | None:
    if text.lower() == _NIL:
        return None
    return tuple(map(_term, _items(_inside(text))))


def _preview(arguments: list[str]) -> Preview:
    return Preview(_inside(arguments[0]).strip(), _clock(arguments[1]))


def _start(arguments: list[str]) -> Start:
    match, role, rules, start, play = arguments[:5]
    return Start(_word(match), _word(role), _inside(rules).strip(), _clock(start), _clock(play))


def _turn(kind: type[Play] | type[Stop], arguments: list[str]) -> Play | Stop:
    match = _word(arguments[0])
    if sum(map(len, arguments)) > MOST_SIGNS:
        raise MessageError(f"more than {MOST_SIGNS} signs of moves or percepts")
    if len(arguments) < 4:
        return kind(match, _told(arguments[1]))
    try:
        turn = int(_word(arguments[1]))
    except ValueError:
        raise MessageError(f"{arguments[1][:40]!r} is no number of a turn") from None
    move = None if arguments[2].lower() == _NIL else _term(arguments[2])
    return kind(match, _told(arguments[3]), turn, move)


_READERS: dict[str, tuple[int, Callable[[list[str]], Message]]] = {
    "info": (0, lambda arguments: Info()),
    "ping": (0, lambda arguments: Ping()),
    "preview": (2, _preview),
    "start": (5, _start),
    "play": (2, lambda arguments: _turn(Play, arguments)),
    "stop": (2, lambda arguments: _turn(Stop, arguments)),
    "abort": (1, lambda arguments: Abort(_word(arguments[0]))),
}
