"""Matches between players of this process.

The manager asks every role for a move, plays the role ``random`` itself, and never stops for a
player's mistake: a late, illegal or failed answer is noted and a random legal move made instead,
as the field's game servers do.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from woodstock.errors import EvaluationError, StateError, WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.match.record import MatchRecord
from woodstock.search import Player, make

__all__ = ["SeatError", "Turn", "play_match", "player_roles", "seat_players"]


class SeatError(WoodstockError, ValueError):
    """Too many or too few players for a game."""


@dataclass(frozen=True)
class Turn:
    """One joint move of a running match and where it led."""

    number: int
    moves: tuple[Term, ...]
    errors: tuple[str, ...]
    state: State
    record: MatchRecord


def player_roles(game: Game) -> tuple[str, ...]:
    """The roles that need a player: all but chance.

    >>> player_roles(Game.from_library("cooperative-matching-pennies"))
    ('alice', 'bob')
    """
    return tuple(role for role in game.roles if role != RANDOM)


def seat_players(game: Game, names: Sequence[str], seed: int) -> dict[str, Player]:
    """New players for the roles of a game, by name and in role order, chance left out.

    Each gets a seed of its own, drawn from `seed` and its role.

    >>> list(seat_players(Game.from_library("nim"), ["random", "legal"], seed=1))
    ['player1', 'player2']
    """
    roles = player_roles(game)
    if len(names) != len(roles):
        needed = f"{len(roles)} player{'s' if len(roles) != 1 else ''} ({', '.join(roles)})"
        raise SeatError(f"{game.name} needs {needed}, not {len(names)}")
    seeds = (random.Random(f"{role}/{seed}").getrandbits(63) for role in roles)
    players = map(make, names, seeds)
    return dict(zip(roles, players, strict=True))


def play_match(
    game: Game,
    players: Mapping[str, Player],
    *,
    seed: int,
    names: Mapping[str, str] | None = None,
    start_clock: int = 30,
    play_clock: int = 15,
    on_turn: Callable[[Turn], None] | None = None,
) -> MatchRecord:
    """Play a match to its end and return its record.

    `players` has one player for each role but chance, `names` what to call them in the record.
    Clocks are in seconds. `on_turn` hears of every joint move. The same seed and players give the
    same match, but for times. Rules that leave a role without a move end the match: the record is
    then marked as aborted. So it is, where it can still be seen, when `on_turn` or the user
    interrupts.
    """
    needed = player_roles(game)
    if set(players) != set(needed):
        raise ValueError(f"players are needed for exactly {', '.join(needed)}")
    called = {**{role: type(p).__name__ for role, p in players.items()}, **(names or {})}
    manager = random.Random(f"manager/{seed}")
    record = MatchRecord.begin(
        game,
        [called.get(role, RANDOM) for role in game.roles],
        seed=seed,
        start_clock=start_clock,
        play_clock=play_clock,
        milliseconds=_now(),
    )
    for role in needed:
        try:
            players[role].prepare(game, role, time.monotonic() + start_clock)
        except Exception:
            # Seen again, and noted, when the player is asked for its first move.
            continue
    state = game.initial_state()
    record.add_state(state, _now())
    try:
        while not state.is_terminal:
            moves, errors = _ask_all(state, players, manager, play_clock)
            state = state.apply(moves)
            record.add_moves(moves, errors)
            record.add_state(state, _now())
            if on_turn is not None:
                on_turn(Turn(len(record.moves), moves, errors, state, record))
    except (EvaluationError, StateError) as problem:
        record.is_aborted = True
        record.problem = str(problem)
    except BaseException:
        record.is_aborted = not record.is_completed
        raise
    return record


def _ask_all(
    state: State, players: Mapping[str, Player], manager: random.Random, play_clock: int
) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    # Drawn for everybody, beforehand: one player's mistake must not change another's luck.
    spare = state.random_joint_move(manager)
    moves: list[Term] = []
    errors: list[str] = []
    for role, drawn in zip(state.roles, spare, strict=True):
        if role == RANDOM:
            move, error = drawn, ""
        else:
            move, error = _ask(state, role, players[role], play_clock)
        moves.append(drawn if error else move)
        errors.append(error)
    return tuple(moves), tuple(errors)


def _ask(state: State, role: str, player: Player, play_clock: int) -> tuple[Term, str]:
    """A player's move, and what is wrong with it."""
    deadline = time.monotonic() + play_clock
    try:
        move = state.game.term(player.choose(state, role, deadline))
    except Exception as problem:
        return "", f"EX {type(problem).__name__}: {problem}"
    if time.monotonic() > deadline:
        return move, "TO"
    return move, "" if move in state.legal_moves(role) else f"IL {move}"


def _now() -> int:
    return time.time_ns() // 1_000_000
