"""Who sits at a game manager's table: players on the network, and players of this process.

Each is told what happens and asked for moves. Nothing a player does comes out as an
exception: an answer that is none is an error text, as match records have it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

from woodstock.belief import Situation
from woodstock.game import Game, State
from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Compound, Term, Variable
from woodstock.match.local import Turn, value_told
from woodstock.player import Player
from woodstock.protocol.hearing import sees_anything
from woodstock.protocol.http import HttpError, HttpLimits, read_reply, request
from woodstock.protocol.messages import (
    Abort,
    MessageError,
    Play,
    Start,
    Stop,
    read_move,
    spaced,
)
from woodstock.protocol.scramble import Scrambler

__all__ = [
    "Address",
    "Clocks",
    "Dialect",
    "HostedPlayer",
    "LocalPlayer",
    "MatchFacts",
    "RemotePlayer",
]

Dialect = Literal["gdl", "gdl2", "gdl2-old"]
"""``gdl``: all moves are told. ``gdl2``: percepts, with the number of the turn and the last move.
``gdl2-old``: percepts alone."""

CONNECT_SECONDS = 5.0
GRACE = 1.0
"""Seconds beyond the play clock in which an answer still counts, as servers have it."""
ABORT_SECONDS = 1.0

LATE, REFUSED = "TO", "CE"
MOST_SIGNS = 200
"""Of what is wrong with an answer so much is noted."""

_T = TypeVar("_T")

SEES_ALL = Clause(
    Compound(("sees", Variable("p"), Compound(("did", Variable("q"), Variable("m"))))),
    (Compound(("role", Variable("p"))), Compound(("does", Variable("q"), Variable("m")))),
)
"""What makes a GDL-II game of a GDL game: everybody perceives all moves."""


class Clocks(NamedTuple):
    """The seconds a role has to prepare, and for a move."""

    start: float
    play: float


@dataclass(frozen=True)
class MatchFacts:
    """What is settled before a match; `clocks` has those of every role that is played."""

    game: Game
    match: str
    clocks: Mapping[str, Clocks]
    scrambler: Scrambler | None = None

    def say(self, term: Term) -> Term:
        """A term as players hear it."""
        return term if self.scrambler is None else self.scrambler.term(term)

    def understand(self, term: Term) -> Term | None:
        """A term of a player, in the words of the rules; None where those have no word for it."""
        return term if self.scrambler is None else self.scrambler.unscramble(term)

    def rules(self, dialect: Dialect) -> str:
        """The rules as a START message carries them."""
        clauses = list(self.game.rules.sheet.clauses)
        if dialect != "gdl" and not sees_anything(self.game):
            clauses.append(SEES_ALL)
        if self.scrambler is not None:
            clauses = [self.scrambler.clause(clause) for clause in clauses]
        return " ".join(clause.to_kif().replace("(", "( ").replace(")", " )") for clause in clauses)


class HostedPlayer(Protocol):
    """A player at the table of one match; `expected` is what it hopes for, if it has just said."""

    name: str
    expected: float | None

    async def start(self, facts: MatchFacts, role: str) -> str:
        """Tell it that the match begins; what went wrong, or nothing."""

    async def play(
        self, state: State, shown: Situation, news: Turn | None
    ) -> tuple[Term | None, str]:
        """Ask for a move; the move, and what is wrong with it.

        `news` is the last turn, for those that are told of turns; others are shown something.
        """

    async def stop(self, news: Turn | None) -> None:
        """Tell it that the match is over."""

    async def abort(self) -> None:
        """Tell it that the match is broken off."""


@dataclass(frozen=True)
class Address:
    """Where a player listens.

    >>> Address.parse("localhost:9147")
    Address(host='localhost', port=9147)
    """

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """HOST:PORT, or PORT of this machine; `ValueError` for anything else."""
        host, _, port = text.rpartition(":")
        if not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"{text!r} is no address; write HOST:PORT")
        return cls(host.strip("[]") or "127.0.0.1", int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class RemotePlayer:
    """A player on the network."""

    def __init__(self, address: Address, dialect: Dialect = "gdl", name: str = "") -> None:
        self.name = name or str(address)
        self.expected: float | None = None  # there is no word for it in the protocol
        self._address = address
        self._dialect = dialect
        self._facts: MatchFacts | None = None
        self._role = ""

    async def start(self, facts: MatchFacts, role: str) -> str:
        """Tell it that the match begins; what it answers does not matter."""
        self._facts, self._role = facts, role
        said, clocks = str(facts.say(role)), facts.clocks[role]
        message = Start(facts.match, said, facts.rules(self._dialect), *clocks)
        _, error = await self._ask(str(message), clocks.start)
        return error

    async def play(
        self, state: State, shown: Situation, news: Turn | None
    ) -> tuple[Term | None, str]:
        """Ask for a move."""
        facts = self._known()
        seconds = facts.clocks[self._role].play + GRACE
        text, error = await self._ask(str(self._told(Play, news)), seconds)
        if error:
            return None, error
        try:
            said = read_move(text)
        except MessageError:
            return None, "IL null"
        # Servers compare letter by letter.
        move = facts.understand(said)
        if move is None or move not in state.legal_moves(self._role):
            return None, _illegal(said)
        return move, ""

    async def stop(self, news: Turn | None) -> None:
        """Tell it that the match is over."""
        await self._ask(str(self._told(Stop, news)), self._known().clocks[self._role].play)

    async def abort(self) -> None:
        """Tell it that the match is broken off."""
        if self._facts is not None:
            await self._ask(str(Abort(self._facts.match)), ABORT_SECONDS)

    def _known(self) -> MatchFacts:
        assert self._facts is not None, "the match has not begun"
        return self._facts

    def _told(self, kind: type[Play] | type[Stop], news: Turn | None) -> Play | Stop:
        facts = self._known()
        numbered = self._dialect == "gdl2"
        if news is None:
            return kind(facts.match, None, 0 if numbered else None)
        if self._dialect == "gdl":
            return kind(facts.match, tuple(map(facts.say, news.moves)))
        percepts = tuple(map(facts.say, self._percepts(news)))
        if not numbered:
            return kind(facts.match, percepts)
        own = news.moves[facts.game.roles.index(self._role)]
        return kind(facts.match, percepts, news.number, facts.say(own))

    def _percepts(self, news: Turn) -> tuple[Term, ...]:
        facts = self._known()
        if sees_anything(facts.game):
            return news.state.percepts(self._role)
        return tuple(
            Compound(("did", role, move)) for role, move in zip(facts.game.roles, news.moves)
        )

    async def _ask(self, message: str, seconds: float) -> tuple[str, str]:
        """The answer to a message, and what went wrong."""
        try:
            return await asyncio.wait_for(self._exchange(message, seconds), seconds), ""
        except asyncio.TimeoutError:
            return "", LATE
        except (OSError, ValueError, HttpError):  # a name that is none is a ValueError
            return "", REFUSED

    async def _exchange(self, message: str, seconds: float) -> str:
        connecting = asyncio.open_connection(self._address.host, self._address.port)
        try:
            reader, writer = await asyncio.wait_for(connecting, CONNECT_SECONDS)
        except asyncio.TimeoutError:
            raise OSError("no connection in time") from None
        try:
            writer.write(request(message, self._address.host, self.name))
            await writer.drain()
            return await read_reply(reader, HttpLimits(seconds=seconds, body_bytes=1 << 20))
        finally:
            writer.close()


class LocalPlayer:
    """A player of this process, asked on a thread of its own. It is never shown what is hidden.

    One that has not come back yet is not asked again: its turns are late until it does.
    """

    def __init__(self, make: Callable[[], Player], name: str) -> None:
        self.name = name
        self.expected: float | None = None
        self._make = make
        self._player: Player | None = None
        self._facts: MatchFacts | None = None
        self._role = ""
        self._busy = threading.Lock()

    async def start(self, facts: MatchFacts, role: str) -> str:
        """Let it prepare."""
        self._facts, self._role = facts, role
        clock = facts.clocks[role].start
        until = time.monotonic() + clock
        _, error = await self._ask(lambda: self._made().prepare(facts.game, role, until), clock)
        return error

    async def play(
        self, state: State, shown: Situation, news: Turn | None
    ) -> tuple[Term | None, str]:
        """Ask for a move."""
        assert self._facts is not None
        clock = self._facts.clocks[self._role].play
        until = time.monotonic() + clock
        before = None if self._player is None else self._player.last_answer
        move, error = await self._ask(
            lambda: self._made().choose(shown, self._role, until), clock + GRACE
        )
        self.expected = None
        if self._player is not None and not error:
            self.expected = value_told(self._player, before)
        if move is None or move not in state.legal_moves(self._role):
            return None, error or _illegal(move or "nil")
        return move, ""

    async def stop(self, news: Turn | None) -> None:
        """The match is over."""
        await self.abort()

    async def abort(self) -> None:
        """The match is broken off."""
        player, self._player = self._player, None
        if player is not None:
            # From outside: what is being thought ends then.
            await _in_thread(player.close, ABORT_SECONDS)

    def _made(self) -> Player:
        if self._player is None:
            self._player = self._make()
        return self._player

    async def _ask(self, work: Callable[[], _T], seconds: float) -> tuple[_T | None, str]:
        if not self._busy.acquire(blocking=False):
            await asyncio.sleep(seconds)
            return None, LATE

        def ask() -> _T:
            try:
                return work()
            finally:
                self._busy.release()

        return await _in_thread(ask, seconds)


async def _in_thread(work: Callable[[], _T], seconds: float) -> tuple[_T | None, str]:
    """What comes out of some work, or what went wrong with it.

    The thread is no longer waited for when the time is up, nor when the process ends.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[_T | None, str]] = loop.create_future()

    def settle(found: tuple[_T | None, str]) -> None:
        if not done.done():
            done.set_result(found)

    def run() -> None:
        found: tuple[_T | None, str]
        try:
            found = work(), ""
        except Exception as problem:
            found = None, f"EX {type(problem).__name__}: {problem}"[:MOST_SIGNS]
        with suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=run, daemon=True).start()
    try:
        return await asyncio.wait_for(done, seconds)
    except asyncio.TimeoutError:
        return None, LATE


def _illegal(said: Term) -> str:
    return f"IL {spaced(said)}"[:MOST_SIGNS]
