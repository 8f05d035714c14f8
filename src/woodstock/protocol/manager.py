"""The game manager: hosts a match between players anywhere, and finishes it whatever they do."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from woodstock.belief import ObservationHistories
from woodstock.errors import EvaluationError, StateError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.match.local import Turn
from woodstock.match.record import MatchRecord
from woodstock.protocol.hosted_players import Clocks, HostedPlayer, MatchFacts
from woodstock.protocol.scramble import Scrambler

__all__ = ["Waiting", "host_match"]


@dataclass
class Waiting:
    """Whom a manager is waiting for, since when, and who has answered after how many seconds.

    `number` is that of the turn, 0 for the start clock; `seconds` what each role may use. Times
    are readings of `time.monotonic`.
    """

    number: int
    seconds: Mapping[str, float]
    since: float = field(default_factory=time.monotonic)
    answered: dict[str, float] = field(default_factory=dict)

    def hear(self, role: str) -> float:
        """Note that a role has answered; after so many seconds."""
        self.answered[role] = time.monotonic() - self.since
        return self.answered[role]


async def host_match(
    game: Game,
    players: Mapping[str, HostedPlayer],
    *,
    seed: int,
    match_id: str | None = None,
    start_clock: float = 30,
    play_clock: float = 15,
    clocks: Mapping[str, Clocks] | None = None,
    scramble: bool = False,
    max_moves: int | None = None,
    on_turn: Callable[[Turn], None] | None = None,
    on_wait: Callable[[Waiting], None] | None = None,
) -> MatchRecord:
    """Play a match to its end and return its record.

    `players` has one for each role but chance, whose moves are drawn here. All players are asked at
    the same time. An answer that is late, illegal, garbage or refused is noted and replaced by a
    random legal move, drawn beforehand, and the match goes on; so it does when a player never
    answers at all. Where something is hidden, nobody is told more than the rules let it perceive,
    as far as dialects allow. Cancelling it tells the players that the match is aborted.

    `clocks` has the clocks of roles that have their own. `on_wait` is told whenever the players
    are asked; what it is given goes on changing as they answer.
    """
    needed = game.players
    if set(players) != set(needed):
        raise ValueError(f"players are needed for exactly {', '.join(needed)}")
    called = [players[role].name if role in players else RANDOM for role in game.roles]
    record = MatchRecord.begin(
        game,
        called,
        seed=seed,
        start_clock=start_clock,
        play_clock=play_clock,
        milliseconds=_now(),
    )
    # Players tell matches apart by their name: an equal one may have been broken off before.
    record.match_id = match_id or f"{record.match_id}.{record.start_time:x}"
    record.scrambled = scramble
    own = dict(clocks or {})
    record.clocks.update(own)
    everybody = {role: own.get(role, Clocks(start_clock, play_clock)) for role in needed}
    facts = MatchFacts(game, record.match_id, everybody, Scrambler(seed) if scramble else None)

    def wait(number: int, seconds: Mapping[str, float]) -> Waiting:
        waiting = Waiting(number, seconds)
        if on_wait is not None:
            on_wait(waiting)
        return waiting

    luck = random.Random(f"manager/{seed}")
    state, histories = game.initial_state(), ObservationHistories(game, seed=seed)
    news: Turn | None = None
    try:
        record.add_state(state, _now())
        waiting = wait(0, {role: clock.start for role, clock in everybody.items()})
        record.start_errors = await _start_all(facts, players, waiting)
        play_clocks = {role: clock.play for role, clock in everybody.items()}
        while not state.is_terminal and (max_moves is None or len(record.moves) < max_moves):
            # Drawn for everybody, beforehand: one player's mistake must not change another's luck,
            # and what takes us long must not count as their time.
            spare = state.random_joint_move(luck)
            waiting = wait(len(record.moves) + 1, play_clocks)
            moves, errors, seconds = await _ask_all(state, histories, players, news, spare, waiting)
            state = state.apply(moves)
            histories.see(moves, state)
            told = [players[role].expected if role in players else None for role in game.roles]
            record.add_moves(moves, errors, told)
            record.add_state(state, _now())
            news = Turn(len(record.moves), moves, errors, seconds, state, record)
            if on_turn is not None:
                on_turn(news)
    except (EvaluationError, StateError) as problem:
        record.is_aborted, record.problem = True, str(problem)
    except BaseException:
        record.is_aborted = not record.is_completed
        await _abort(players)
        raise
    if state.is_terminal:
        await asyncio.gather(*(player.stop(news) for player in players.values()))
    else:
        if not record.is_aborted:
            record.is_aborted, record.problem = True, f"cut after {max_moves} moves"
        await _abort(players)
    return record


async def _start_all(
    facts: MatchFacts, players: Mapping[str, HostedPlayer], waiting: Waiting
) -> dict[str, str]:
    """Tell everybody that the match begins; what went wrong, by role."""

    async def start(role: str) -> tuple[str, str]:
        error = await players[role].start(facts, role)
        waiting.hear(role)
        return role, error

    found = await asyncio.gather(*map(start, players))
    return {role: error for role, error in found if error}


async def _ask_all(
    state: State,
    histories: ObservationHistories,
    players: Mapping[str, HostedPlayer],
    news: Turn | None,
    spare: tuple[Term, ...],
    waiting: Waiting,
) -> tuple[tuple[Term, ...], tuple[str, ...], tuple[float, ...]]:
    async def ask(role: str) -> tuple[Term | None, str, float]:
        if role == RANDOM:
            return None, "", 0.0
        move, error = await players[role].play(state, histories.situation(role, state), news)
        return move, error, waiting.hear(role)

    found = await asyncio.gather(*(ask(role) for role in state.roles))
    moves = tuple(drawn if move is None else move for drawn, (move, _, _) in zip(spare, found))
    return moves, tuple(error for _, error, _ in found), tuple(spent for _, _, spent in found)


async def _abort(players: Mapping[str, HostedPlayer]) -> None:
    telling = asyncio.gather(
        *(player.abort() for player in players.values()), return_exceptions=True
    )
    with suppress(asyncio.CancelledError):
        await asyncio.shield(telling)


def _now() -> int:
    return time.time_ns() // 1_000_000
