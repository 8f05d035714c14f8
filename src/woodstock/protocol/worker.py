"""The processes that know the rules: what a player's server asks, and how they answer.

The server itself evaluates nothing: rules come from strangers, and may need all the memory or time
there is, or find a mistake in native code. Each match has two processes instead. The *keeper* plays
the rules as they are and only says which moves are legal; the *thinker* grounds, compiles and
searches. Either may be late, or die, and is replaced; it is then told everything again. Both end
when the server does, whatever they are doing.

All moments are readings of `time.monotonic`, which processes of a machine share.
"""

from __future__ import annotations

import math
import os
import queue
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from time import monotonic, process_time
from typing import Literal, TypeAlias

from woodstock.belief import PlainParticleFilter
from woodstock.belief.observation_histories import belief_until
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.tabling import Stopped, stopped_by
from woodstock.gdl.terms import Term
from woodstock.lifeline import hold_line
from woodstock.player import Player, make_player
from woodstock.protocol.hearing import Hearing, News
from woodstock.tune import Rehearsals

__all__ = [
    "Duty",
    "Heard",
    "Legal",
    "Ready",
    "Setup",
    "Trouble",
    "TurnReport",
    "WorkerReply",
    "work",
]

Duty = Literal["keeper", "thinker"]

PAST_SECONDS, LEAST_SECONDS = 0.1, 0.02
"""What finding states that agree with the percepts may take for a turn that is long past, and where
there is hardly any time left."""
KEPT_STATES, KEPT_MOVES = 4, 16
"""How many such states the keeper looks for, and of how many joint moves it tries all."""
LOOK_AHEAD = 4
"""How many turns the keeper plays for itself, to see what moves look like."""
DEAR = 0.1
"""CPU seconds that it takes to find all legal moves where finding one has to do."""
MOST_MOVES, MOST_TRIED = 10_000, 50
"""Of more legal moves than so many, the keeper names a part; how many of those that were legal
before it tries first."""
NICENESS = 5
"""By how much the thinker gives way to the keeper and the server where processors are scarce."""


@dataclass(frozen=True)
class Setup:
    """A match to work for. `address_space` is what the process may use in all, in bytes.

    `values` are ``auto``, ``none`` or a file, which is used where it is of these rules.
    """

    duty: Duty
    rules: str
    role: str
    player: str
    seed: int
    until: float
    threads: int = 1
    memory_mb: int = 256
    address_space: int | None = None
    values: str = "auto"
    cache: bool = False


@dataclass(frozen=True)
class TurnReport:
    """What a message said, with its number among those of the match, and when an answer is due.

    One without `until` is for information: it wants no answer.
    """

    number: int
    told: tuple[Term, ...] | None
    turn: int | None
    move: Term | None
    until: float | None


@dataclass(frozen=True)
class Ready:
    """The worker is prepared."""

    engine: str


@dataclass(frozen=True)
class Legal:
    """The keeper's answer: our legal moves; `sure` when there are no others."""

    number: int
    moves: tuple[Term, ...]
    sure: bool


@dataclass(frozen=True)
class WorkerReply:
    """The thinker's answer, and a line about how it was found."""

    number: int
    move: Term
    news: News
    why: str
    simulations: int = 0
    value: float | None = None


@dataclass(frozen=True)
class Trouble:
    """Something went wrong; `fatal` when this match cannot be worked for at all.

    With the `number` of a message, there will be no answer to that one.
    """

    text: str
    fatal: bool = False
    number: int | None = None


Heard: TypeAlias = Ready | Legal | WorkerReply | Trouble


def work(connection: Connection, setup: Setup) -> None:
    """What a worker process does until the other end hangs up."""
    hold_line()
    _limit(setup.address_space)
    if setup.duty == "thinker" and hasattr(os, "nice"):
        os.nice(NICENESS)
    inbox = _Inbox(connection)
    try:
        worker = _Keeper(setup, inbox) if setup.duty == "keeper" else _Thinker(setup, inbox)
    except MemoryError:
        _tell(connection, Trouble("out of memory", fatal=True))
        return
    except WoodstockError as problem:
        _tell(connection, Trouble(str(problem), fatal=True))
        return
    except Exception as problem:
        _tell(connection, Trouble(f"{type(problem).__name__}: {problem}"))
        return
    _tell(connection, Ready(worker.game.engine.name))
    told: list[TurnReport] = []
    while True:
        try:
            worker.rest()
            told = inbox.take()
            for said in worker.hear(told):
                _tell(connection, said)
        except MemoryError:
            _tell(connection, Trouble("out of memory"))
            return
        except Exception as problem:
            # It may be what was told; the next message may make sense again.
            text = f"{type(problem).__name__}: {problem}"
            _tell(connection, Trouble(text, number=told[-1].number if told else None))


class _Inbox:
    """What the server says, read on a thread of its own; without a server the process ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._queue: queue.SimpleQueue[TurnReport] = queue.SimpleQueue()
        self.on_first: Callable[[], None] = _nothing
        """Called, on that thread, when there is something to do."""
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def waiting(self) -> bool:
        """Whether there is something to do."""
        return not self._queue.empty()

    def take(self) -> list[TurnReport]:
        """Everything that was said since the last time, at least one message."""
        told = [self._queue.get()]
        while not self._queue.empty():
            told.append(self._queue.get())
        return told

    def _read(self) -> None:
        try:
            while True:
                self._queue.put(self._connection.recv())
                self.on_first()
        except (EOFError, OSError):
            os._exit(0)


def _tell(connection: Connection, said: Heard) -> None:
    try:
        connection.send(said)
    except OSError:
        os._exit(0)


def _limit(size: int | None) -> None:
    if size is None:
        return
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


class _Keeper:
    """Knows the rules as they are, and which moves they allow."""

    def __init__(self, setup: Setup, inbox: _Inbox) -> None:
        self._inbox = inbox
        self.game = Game.from_text(setup.rules, engine="lifted")
        self._role = _role(self.game, setup.role)
        self._rng = random.Random(setup.seed)
        tracker = partial(PlainParticleFilter, states=KEPT_STATES, expanded=KEPT_MOVES)
        self._hearing = Hearing(self.game, self._role, seed=setup.seed, make=tracker)
        self._only: dict[Term, None] = {}  # moves that were the only ones in earlier turns
        self._before: tuple[Term, ...] = ()  # moves that were legal when all were last found
        self._cost = 0.0  # CPU seconds that all legal moves of a state took
        self._waits = False  # somebody else is to move
        self._chosen = 0  # how often we had a choice since all legal moves were found

    def hear(self, told: Sequence[TurnReport]) -> Iterator[Legal]:
        _hear(self._hearing, told)
        number, state = told[-1].number, self._hearing.state
        # All legal moves may take a second where one that was legal before takes milliseconds.
        tried = self._rng.sample(self._before, min(MOST_TRIED, len(self._before)))
        found = next((m for m in [*self._only, *tried] if state.is_legal(self._role, m)), None)
        self._waits = found in self._only
        self._chosen += not self._waits
        if found is not None:
            yield Legal(number, (found,), sure=False)
            if self._cost > DEAR:
                return  # the next message would find us still at it
        moves = self._all_moves(state)
        yield Legal(number, moves[:MOST_MOVES], self._hearing.sure and len(moves) <= MOST_MOVES)

    def _all_moves(self, state: State) -> tuple[Term, ...]:
        begun = process_time()
        moves = state.legal_moves(self._role)
        if len(moves) == 1:
            self._only[moves[0]] = None
        else:
            self._before = moves
            self._chosen = 0
            self._cost = process_time() - begun
        return moves

    def rest(self) -> None:
        """Find out now what the next message would have to wait for."""
        if not self._before:
            self._look_ahead(self._hearing.state)
        elif self._waits and self._chosen:
            # While somebody else thinks, moves that were legal some turns ago can be renewed.
            with suppress(Stopped), stopped_by(lambda: self._inbox.waiting):
                self._look_ahead(self._hearing.state)

    def _look_ahead(self, state: State) -> None:
        """What we may have to choose from: otherwise all of it would have to be found then."""
        for _ in range(LOOK_AHEAD):
            if self._inbox.waiting:
                return
            if len(self._all_moves(state)) > 1:
                return
            if not all(map(state.legal_moves, state.roles)):
                return
            state = state.apply_unchecked(state.random_joint_move(self._rng))


class _Thinker:
    """Searches."""

    def __init__(self, setup: Setup, inbox: _Inbox) -> None:
        self.game = Game.from_text(setup.rules)
        self._role = _role(self.game, setup.role)
        self._hearing = Hearing(self.game, self._role, seed=setup.seed)
        self._player: Player = make_player(
            setup.player,
            setup.seed,
            threads=setup.threads,
            memory_mb=setup.memory_mb,
            rehearsals=Rehearsals.of_text(setup.values, cache=setup.cache),
        )
        if monotonic() < setup.until and not inbox.waiting:
            inbox.on_first = self._hurry
            self._player.prepare(self.game, self._role, setup.until)
            inbox.on_first = _nothing

    def _hurry(self) -> None:
        """A move is wanted before the start clock has ended."""
        self._player.close()

    def hear(self, told: Sequence[TurnReport]) -> Iterator[WorkerReply]:
        news, last = _hear(self._hearing, told), told[-1]
        until = monotonic() if last.until is None else last.until
        move = self._player.choose(self._hearing.situation, self._role, until)
        answer = self._player.last_answer
        decision = None if answer is None else answer.decision
        yield WorkerReply(
            last.number,
            move,
            news,
            "no search" if answer is None else answer.reason,
            0 if decision is None else decision.simulations,
            None if decision is None else decision.value,
        )

    def rest(self) -> None:
        """Nothing that could not wait."""


def _nothing() -> None:
    return


def _hear(hearing: Hearing, told: Sequence[TurnReport]) -> News:
    """Take in messages, all but the last of them from the past; what the last one was."""
    last = told[-1]
    end = math.inf if last.until is None else belief_until(last.until)
    for left, one in zip(range(len(told), 0, -1), told):
        now = monotonic()
        most = PAST_SECONDS if one is not last or last.until is None else math.inf
        until = now + max(LEAST_SECONDS, min(most, (end - now) / left))
        news = hearing.hear(one.told, turn=one.turn, move=one.move, until=until)
    return news


def _role(game: Game, role: str) -> str:
    """The role in the spelling of the rules."""
    found = game.term(role)
    if found not in game.roles:
        raise WoodstockError(f"the rules have no role {role!r}: {', '.join(game.roles)}")
    return str(found)
