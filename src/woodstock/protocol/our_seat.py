"""Our seat in a match that somebody hosts: two workers, a clock, and a move in the end."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from woodstock.gdl.terms import Term
from woodstock.protocol.crew import Worker
from woodstock.protocol.journal import Entry
from woodstock.protocol.messages import Abort, Play, Start, Stop
from woodstock.protocol.worker import (
    Duty,
    Heard,
    Legal,
    Ready,
    Setup,
    Trouble,
    TurnReport,
    WorkerReply,
)

__all__ = ["OurSeat", "SeatOptions", "default_address_space", "default_margin"]

RESTARTS = 3
"""How often a worker that died is replaced in a match."""
RESERVE = 0.5
"""The part of the margin that is left when the thinker is given up."""

_log = logging.getLogger("woodstock.protocol")


def default_margin(clock: float) -> float:
    """What is kept free for the way of an answer over the network, in seconds.

    >>> default_margin(15), default_margin(1)
    (2.0, 0.2)
    """
    return min(2.0, clock / 5)


def default_address_space() -> int | None:
    """What a worker may use in all, in bytes: four fifths of the memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 4 // 5
    except (AttributeError, OSError, ValueError):
        return None


@dataclass(frozen=True)
class SeatOptions:
    """How a player plays its matches."""

    player: str = "woodstock"
    threads: int = 1
    memory_mb: int = 256
    margin: float | None = None
    address_space: int | None = None
    seed: int | None = None
    values: str = "auto"
    cache: bool = False


@dataclass
class _Turn:
    """What is known about one message that wants a move."""

    told: TurnReport
    changed: asyncio.Event
    legal: Legal | None = None
    answer: WorkerReply | None = None
    failed: bool = False  # the thinker has no answer
    over: bool = False  # somebody has been answered


class OurSeat:
    """One match. Made in a running loop, which its workers report to.

    `journal` hears of every message and answer, for who wants to keep them.
    """

    def __init__(
        self,
        start: Start,
        options: SeatOptions,
        *,
        begun: float | None = None,
        journal: Callable[[str, Entry], None] | None = None,
    ) -> None:
        self.start = start
        self.turns: list[tuple[Play, Term | None]] = []
        """What we were told, and what we answered."""
        self.last_heard = monotonic() if begun is None else begun
        self._options = options
        self._rng = random.Random(options.seed)
        self._told: list[TurnReport] = []
        self._turn: _Turn | None = None
        self._last_move: Term | None = None
        self._engine = "none"
        self._restarts: dict[Duty, int] = {"keeper": RESTARTS, "thinker": RESTARTS}
        self._ready = asyncio.Event()  # the thinker is, or will never be
        self._journal = journal or (lambda kind, what: None)
        margin = self._margin(start.start_clock)
        self._prepared_by = self.last_heard + start.start_clock - margin
        self._setup = Setup(
            duty="thinker",
            rules=start.rules,
            role=start.role,
            player=options.player,
            seed=self._rng.getrandbits(63),
            until=self._prepared_by,
            threads=options.threads,
            memory_mb=options.memory_mb,
            address_space=options.address_space,
            values=options.values,
            cache=options.cache,
        )
        self._workers: dict[Duty, Worker] = {}
        try:
            for duty in self._restarts:
                self._hire(duty)
        except BaseException:
            self.close()
            raise

    async def prepare(self) -> None:
        """Wait until the thinker is ready, but no longer than the start clock allows."""
        margin = self._margin(self.start.start_clock)
        await _wait(self._ready, self._prepared_by + (1 - RESERVE) * margin)

    async def answer(self, message: Play, arrived: float) -> Term | None:
        """A move for a PLAY that came in at `arrived`; None where nobody knows a legal one."""
        self.last_heard = arrived
        until = arrived + self.start.play_clock
        turn = self._turn
        if turn is None or turn.over or not _same(turn.told, message):
            turn = self._ask(message, until)
        margin = self._margin(self.start.play_clock)
        while self._is_open(turn) and await _wait(turn.changed, until - RESERVE * margin):
            turn.changed.clear()
        move = self._choose(turn)
        turn.over = True
        self.turns[turn.told.number] = message, move
        self._last_move = move
        self._journal("answer", move)
        _log.info("%s", self._line(turn, move, monotonic() - arrived))
        return move

    def end(self, message: Stop | Abort) -> None:
        """The match is over, or broken off."""
        self.close()
        self._journal("stop" if isinstance(message, Stop) else "abort", message)

    def close(self) -> None:
        """End the workers at once."""
        for worker in list(self._workers.values()):
            worker.close()
        self._workers.clear()
        self._ready.set()
        self._wake()

    def catch_up(self, message: Play, move: Term | None) -> None:
        """Take in a turn that is long past, and what we answered."""
        self._note(message, None)
        self.turns[-1] = message, move
        self._last_move = move

    def _ask(self, message: Play, until: float) -> _Turn:
        self._journal("play", message)
        told = self._note(message, until - self._margin(self.start.play_clock))
        self._turn = _Turn(told, asyncio.Event())
        return self._turn

    def _note(self, message: Play, until: float | None) -> TurnReport:
        move = message.move if message.turn is not None else self._last_move
        told = TurnReport(len(self._told), message.told, message.turn, move, until)
        self._told.append(told)
        self.turns.append((message, None))
        for worker in list(self._workers.values()):
            worker.tell(told)
        return told

    def _is_open(self, turn: _Turn) -> bool:
        """Whether there is anything to wait for."""
        if turn.answer is not None or not self._workers:
            return False
        return ("thinker" in self._workers and not turn.failed) or turn.legal is None

    def _wake(self) -> None:
        if self._turn is not None:
            self._turn.changed.set()

    def _choose(self, turn: _Turn) -> Term | None:
        """The thinker's move, unless the keeper knows better."""
        legal = () if turn.legal is None else turn.legal.moves
        if turn.answer is not None:
            wrong = legal and turn.legal is not None and turn.legal.sure
            if not wrong or turn.answer.move in legal:
                return turn.answer.move
            _log.error("%s: %s is not legal", self.start.match, turn.answer.move)
        return self._rng.choice(legal) if legal else None

    def _hire(self, duty: Duty) -> None:
        setup = replace(self._setup, duty=duty)
        self._workers[duty] = Worker(setup, lambda heard: self._hear(duty, heard))
        worker = self._workers[duty]
        for told in list(self._told):
            worker.tell(told)

    def _hear(self, duty: Duty, heard: Heard | None) -> None:
        turn = self._turn
        if isinstance(heard, Ready):
            if duty == "thinker":
                self._engine = heard.engine
                self._ready.set()
        elif isinstance(heard, Trouble):
            _log.warning("%s: the %s: %s", self.start.match, duty, heard.text)
            if heard.fatal:
                self._restarts[duty] = 0
            if turn is not None and heard.number == turn.told.number and duty == "thinker":
                turn.failed = True
                self._wake()
        elif heard is None:
            self._replace(duty)
        elif turn is not None and heard.number == turn.told.number:
            if isinstance(heard, Legal):
                turn.legal = heard
            else:
                turn.answer = heard
            self._wake()

    def _replace(self, duty: Duty) -> None:
        self._workers.pop(duty, None)
        if duty == "thinker":
            self._ready.set()  # there is nothing to wait for
        if self._restarts[duty] > 0:
            self._restarts[duty] -= 1
            _log.warning("%s: the %s has died; there is a new one", self.start.match, duty)
            self._hire(duty)
        self._wake()

    def _margin(self, clock: float) -> float:
        margin = self._options.margin
        return min(default_margin(clock) if margin is None else margin, clock / 2)

    def _line(self, turn: _Turn, move: Term | None, seconds: float) -> str:
        answer = turn.answer
        parts = [f"match={self.start.match}", f"turn={turn.told.number}", f"move={move}"]
        parts.append(f"seconds={seconds:.3f}")
        if answer is None:
            return " ".join([*parts, "why=fallback"])
        parts += [f"engine={self._engine}", f"why={answer.why.replace(' ', '-')}"]
        parts.append(f"simulations={answer.simulations}")
        if answer.value is not None:
            parts.append(f"value={answer.value:.3f}")
        if answer.news != "told":
            parts.append(f"news={answer.news}")
        return " ".join(parts)


def _same(told: TurnReport, message: Play) -> bool:
    return told.told == message.told and told.turn == message.turn


async def _wait(event: asyncio.Event, until: float) -> bool:
    """Whether something happened until then."""
    try:
        await asyncio.wait_for(event.wait(), max(0.0, until - monotonic()))
    except asyncio.TimeoutError:
        return False
    return True
