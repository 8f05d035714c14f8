"""The player's server: answers every message, whatever else is going on."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from woodstock.gdl.terms import Term
from woodstock.protocol.http import HttpError, HttpLimits, Request, read_request, reply
from woodstock.protocol.journal import Journal, read_journal
from woodstock.protocol.messages import (
    Info,
    MessageError,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    read_message,
    spaced,
)
from woodstock.protocol.our_seat import OurSeat, SeatOptions

__all__ = ["PlayerServer", "ServerOptions"]

FORGOTTEN, PATIENCE = 60.0, 3600.0
"""Seconds beyond both clocks after which a match that nobody mentions any more gives way, and how
much of those clocks counts at most."""
LONG = 1 << 16
"""Messages of more signs are read on another thread."""
STATUSES = {
    400: "Bad Request",
    408: "Request Timeout",
    413: "Content Too Large",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}

_log = logging.getLogger("woodstock.protocol")


@dataclass(frozen=True)
class ServerOptions:
    """Where a player listens and how it plays."""

    host: str = "127.0.0.1"
    port: int = 9147
    name: str = "WoodStock"
    matches: int = 1
    connections: int = 64
    """How many may be sending a message at a time; four times as many may wait for an answer."""
    log_dir: Path | None = None
    seat: SeatOptions = field(default_factory=SeatOptions)
    limits: HttpLimits = field(default_factory=HttpLimits)


class PlayerServer:
    """Plays the matches that game servers ask it to play.

    Messages and what becomes of them:

    * START of a match that is being played: the same answer again, and before the first turn
      nothing else. Later, it may be a server that begins anew, or a message that comes twice: the
      match is prepared from the beginning, and what was known of it is remembered in case that
      the next PLAY is not the first. For another role or other rules: ``busy``. START of another
      match: ``busy``, unless there is room, or the match before was forgotten.
    * PLAY and STOP of an unknown match: ``busy``; with a folder of journals, a match that was
      broken off there is taken up again.
    * PLAY before the answer to START: is thought about as soon as the workers are there.
    """

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self._seats: dict[str, OurSeat] = {}
        self._server: asyncio.Server | None = None
        self._reading: dict[asyncio.Task[Request], None] = {}  # the oldest first
        self._connections = 0
        self._earlier: dict[str, list[tuple[Play, Term | None]]] = {}  # of matches begun anew

    @property
    def port(self) -> int:
        """Where it listens; interesting where the system chose."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(
            self._connected, self._options.host, self._options.port, limit=1 << 17
        )

    async def serve(self) -> None:
        """Listen until cancelled."""
        if self._server is None:
            await self.open()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            # Not `serve_forever`, which would wait for those that wait for an answer.
            self.close()

    def close(self) -> None:
        """End all matches and listen no more."""
        for seat in self._seats.values():
            seat.close()
        self._seats.clear()
        if self._server is not None:
            self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        try:
            writer.write(await self._reply(reader, writer))
            await asyncio.wait_for(writer.drain(), self._options.limits.seconds)
        except (OSError, asyncio.TimeoutError):
            _log.info("a client went away before its answer")
        finally:
            self._connections -= 1
            writer.close()

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        try:
            request = await self._read(reader, writer)
            arrived = monotonic()
            if request.message is None:
                return reply("")
            return reply(await self.answer(request.message, arrived))
        except HttpError as problem:
            status = f"{problem.status} {STATUSES.get(problem.status, 'Error')}"
            return reply(str(problem), status)
        except MessageError as problem:
            return reply(str(problem), "400 Bad Request")
        except Exception:
            _log.exception("a message could not be answered")
            return reply("nil")

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request:
        """A request. Where too many come at a time, the one that takes longest is given up."""
        if self._connections > 4 * self._options.connections:
            raise HttpError(503, "too many connections at a time")
        if len(self._reading) >= self._options.connections:
            next(iter(self._reading)).cancel()
        task = asyncio.ensure_future(read_request(reader, writer, self._options.limits))
        self._reading[task] = None
        try:
            return await task
        except asyncio.CancelledError:
            if not task.cancelled() or self._server is None:
                raise
            raise HttpError(503, "too many requests at a time") from None
        finally:
            self._reading.pop(task, None)

    async def answer(self, text: str, arrived: float | None = None) -> str:
        """The answer to a message; `MessageError` for what is none."""
        now = monotonic() if arrived is None else arrived
        if len(text) > LONG:
            message = await asyncio.to_thread(read_message, text)
        else:
            message = read_message(text)
        if isinstance(message, Info):
            status = "available" if self._has_room(now) else "busy"
            return f"( ( name {self._options.name} ) ( status {status} ) )"
        if isinstance(message, Ping):
            return "ready" if self._has_room(now) else "busy"
        if isinstance(message, Preview):
            return "ready"
        if isinstance(message, Start):
            return await self._start(message, now)
        seat = self._seats.get(message.match)
        if isinstance(message, Play):
            seat = seat or self._rejoin(message.match)
            if seat is not None:
                self._remember(seat, message)
            return "busy" if seat is None else _written(await seat.answer(message, now))
        if seat is None:
            return "busy"
        del self._seats[message.match]
        self._earlier.pop(message.match, None)
        seat.end(message)
        return "done" if isinstance(message, Stop) else "aborted"

    async def _start(self, message: Start, arrived: float) -> str:
        seat = self._seats.get(message.match)
        if seat is not None and seat.start != message:
            return "busy"
        if seat is not None and seat.turns:
            _log.warning("match=%s begins anew", message.match)
            self._earlier[message.match] = seat.turns
            self._seats.pop(message.match).close()
            seat = None
        if seat is None:
            if not self._has_room(arrived):
                return "busy"
            seat = self._sit_down(message, arrived)
            _log.info("match=%s start role=%s", message.match, message.role)
        await seat.prepare()
        return "ready"

    def _remember(self, seat: OurSeat, message: Play) -> None:
        """Whether a match really began anew, its first PLAY tells."""
        earlier = self._earlier.pop(seat.start.match, [])
        if earlier and message.told is not None and not seat.turns:
            _log.warning("match=%s goes on after %d turns", seat.start.match, len(earlier))
            for play, move in earlier:
                seat.catch_up(play, move)

    def _sit_down(self, message: Start, begun: float, *, again: bool = False) -> OurSeat:
        folder = self._options.log_dir
        write = None if folder is None else Journal(folder, message, again=again).write
        seat = OurSeat(message, self._options.seat, begun=begun, journal=write)
        self._seats[message.match] = seat
        return seat

    def _rejoin(self, match: str) -> OurSeat | None:
        folder = self._options.log_dir
        past = None if folder is None else read_journal(folder, match)
        if past is None or not self._has_room(monotonic()):
            return None
        _log.warning("match=%s taken up again after %d turns", match, len(past.turns))
        begun = monotonic() - past.start.start_clock
        seat = self._sit_down(past.start, begun, again=True)
        for play, move in past.turns:
            seat.catch_up(play, move)
        return seat

    def _has_room(self, now: float) -> bool:
        for match, seat in list(self._seats.items()):
            clocks = min(seat.start.start_clock + seat.start.play_clock, PATIENCE)
            if now - seat.last_heard > clocks + FORGOTTEN:
                _log.warning("match=%s forgotten: nobody mentions it any more", match)
                self._seats.pop(match).close()
                self._earlier.pop(match, None)
        return len(self._seats) < self._options.matches


def _written(move: Term | None) -> str:
    return "nil" if move is None else spaced(move)
