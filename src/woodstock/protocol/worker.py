"""The processes that know the rules: what a player's server asks, and how they answer.

The server itself evaluates nothing: rules come from strangers, and may need all the memory or time
there is, or find a mistake in native code. Each match has two processes instead. The *keeper* plays
the rules as they are and only says which moves are legal; the *thinker* grounds, compiles and
searches. Either may be late, or die, and is replaced; it is then told everything again.

All moments are readings of `time.monotonic`, which processes of a machine share.
"""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic
from typing import Literal, TypeAlias

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.protocol.belief import Belief, News
from woodstock.search import Player, make

__all__ = ["Answer", "Duty", "Heard", "Legal", "Ready", "Setup", "Told", "Trouble", "work"]

Duty = Literal["keeper", "thinker"]

BELIEF_SHARE = 0.2
"""The part of the time that finding states which agree with the percepts may take."""
THOUGHTS = 4
"""How many states that agree with the percepts are thought about, each for a share of the time."""


@dataclass(frozen=True)
class Setup:
    """A match to work for. `address_space` is what the process may use in all, in bytes."""

    duty: Duty
    rules: str
    role: str
    player: str
    seed: int
    until: float
    threads: int = 1
    memory_mb: int = 256
    address_space: int | None = None


@dataclass(frozen=True)
class Told:
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
    """The keeper's answer: our legal moves."""

    number: int
    moves: tuple[Term, ...]


@dataclass(frozen=True)
class Answer:
    """The thinker's answer, and a line about how it was found."""

    number: int
    move: Term
    news: News
    why: str
    simulations: int = 0
    value: float | None = None


@dataclass(frozen=True)
class Trouble:
    """Something went wrong; `fatal` when this match cannot be worked for at all."""

    text: str
    fatal: bool


Heard: TypeAlias = Ready | Legal | Answer | Trouble


def work(connection: Connection, setup: Setup) -> None:
    """What a worker process does until the other end hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to end
    _limit(setup.address_space)
    try:
        worker = _Keeper(setup) if setup.duty == "keeper" else _Thinker(setup)
        connection.send(Ready(worker.game.engine))
        while True:
            told = [connection.recv()]
            while connection.poll():
                told.append(connection.recv())
            connection.send(worker.hear(told))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except MemoryError:
        _tell(connection, Trouble("out of memory", fatal=True))
    except WoodstockError as problem:
        _tell(connection, Trouble(str(problem), fatal=True))
    except Exception as problem:
        _tell(connection, Trouble(f"{type(problem).__name__}: {problem}", fatal=False))


def _tell(connection: Connection, trouble: Trouble) -> None:
    try:
        connection.send(trouble)
    except OSError:
        return


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

    def __init__(self, setup: Setup) -> None:
        self.game = Game.from_text(setup.rules, engine="lifted")
        self._role = _role(self.game, setup.role)
        self._belief = Belief(self.game, self._role, random.Random(setup.seed), states=4)

    def hear(self, told: Sequence[Told]) -> Legal:
        for one in told:
            _hear(self._belief, one)
        state = self._belief.states[0]
        moves = () if state.is_terminal else state.legal_moves(self._role)
        return Legal(told[-1].number, moves)


class _Thinker:
    """Searches."""

    def __init__(self, setup: Setup) -> None:
        self.game = Game.from_text(setup.rules)
        self._role = _role(self.game, setup.role)
        self._rng = random.Random(setup.seed)
        self._belief = Belief(self.game, self._role, random.Random(setup.seed))
        self._player: Player = make(
            setup.player,
            setup.seed,
            threads=setup.threads,
            memory_mb=setup.memory_mb,
        )
        if monotonic() < setup.until:
            self._player.prepare(self.game, self._role, setup.until)

    def hear(self, told: Sequence[Told]) -> Answer:
        news = [_hear(self._belief, one) for one in told][-1]
        last = told[-1]
        states = self._belief.states
        until = monotonic() if last.until is None else last.until
        if len(states) == 1:
            move = self._think(states[0], until)
        else:
            move = self._vote(self._rng.sample(states, min(THOUGHTS, len(states))), until)
        answer = getattr(self._player, "last_answer", None)
        decision = None if answer is None else answer.decision
        return Answer(
            last.number,
            move,
            news,
            "no search" if answer is None else answer.reason,
            0 if decision is None else decision.simulations,
            None if decision is None else decision.value,
        )

    def _think(self, state: State, until: float) -> Term:
        return self._player.choose(state, self._role, until)

    def _vote(self, states: Sequence[State], until: float) -> Term:
        votes: Counter[Term] = Counter()
        for left, state in zip(range(len(states), 0, -1), states):
            now = monotonic()
            votes[self._think(state, now + (until - now) / left)] += 1
        return votes.most_common(1)[0][0]


def _hear(belief: Belief, told: Told) -> News:
    now = monotonic()
    until = now if told.until is None else now + BELIEF_SHARE * (told.until - now)
    return belief.hear(told.told, turn=told.turn, move=told.move, until=until)


def _role(game: Game, role: str) -> str:
    """The role in the spelling of the rules."""
    found = game.term(role)
    if found not in game.roles:
        raise WoodstockError(f"the rules have no role {role!r}: {', '.join(game.roles)}")
    return str(found)
