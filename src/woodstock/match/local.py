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
from typing import Any, NamedTuple

from woodstock.belief import ObservationHistories, Situation
from woodstock.errors import EvaluationError, StateError, WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.match.record import MatchRecord
from woodstock.player import Answer, Player, make_player
from woodstock.tune import Rehearsals

__all__ = [
    "SeatError",
    "Step",
    "Turn",
    "ask_all",
    "play_match",
    "seat_players",
    "seat_seed",
    "split_names",
    "value_told",
]


class SeatError(WoodstockError, ValueError):
    """Too many or too few players for a game."""


class Step(NamedTuple):
    """What the roles did at the same time, in role order.

    `errors` is empty where nothing went wrong, `seconds` how long the answer took, 0 for chance.
    `values` is what each player expects, from 0 to 1, None where it does not say.
    """

    moves: tuple[Term, ...]
    errors: tuple[str, ...]
    seconds: tuple[float, ...]
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Turn:
    """One joint move of a running match, as in `Step`, and where it led."""

    number: int
    moves: tuple[Term, ...]
    errors: tuple[str, ...]
    seconds: tuple[float, ...]
    state: State
    record: MatchRecord


def split_names(text: str) -> list[str]:
    """The names in a list of players; a part that is only an option goes with the name before it.

    >>> split_names("uct:C=0.4,leaves=32, random")
    ['uct:C=0.4,leaves=32', 'random']
    """
    names: list[str] = []
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if names and value and ":" not in name:
            names[-1] += f",{part.strip()}"
        else:
            names.append(part.strip())
    return names


def seat_players(game: Game, names: Sequence[str], seed: int, **options: Any) -> dict[str, Player]:
    """New players for the roles of a game, by name and in role order, chance left out.

    Each gets a seed of its own, drawn from `seed` and its role. `options` are those of
    `woodstock.player.make_player`, for all of them; what they rehearse, they share.

    >>> list(seat_players(Game.from_library("nim"), ["random", "legal"], seed=1))
    ['player1', 'player2']
    """
    roles = game.players
    if len(names) != len(roles):
        needed = f"{len(roles)} player{'s' if len(roles) != 1 else ''} ({', '.join(roles)})"
        raise SeatError(f"{game.name} needs {needed}, not {len(names)}")
    options.setdefault("rehearsals", Rehearsals())
    players = (
        make_player(name, seat_seed(role, seed), **options) for role, name in zip(roles, names)
    )
    return dict(zip(roles, players, strict=True))


def seat_seed(role: str, seed: int) -> int:
    """The seed of a role's player in a match: equal players have luck of their own.

    >>> seat_seed("x", 1) == seat_seed("o", 1)
    False
    """
    return random.Random(f"{role}/{seed}").getrandbits(63)


def play_match(
    game: Game,
    players: Mapping[str, Player],
    *,
    seed: int,
    names: Mapping[str, str] | None = None,
    start_clock: float = 30,
    play_clock: float = 15,
    max_moves: int | None = None,
    on_turn: Callable[[Turn], None] | None = None,
) -> MatchRecord:
    """Play a match to its end and return its record.

    `players` has one player for each role but chance, `names` what to call them in the record.
    Where something is hidden, players are shown what their role has seen, and never the state.
    Clocks are in seconds, and fractions of them are fine. `on_turn` hears of every joint move. The
    same seed and players give the same match, but for times and for players whom the clock cuts
    short. Rules that leave a role without a move end the match: the record is then marked as
    aborted. So it is after `max_moves` joint moves, and, where it can still be seen, when `on_turn`
    or the user interrupts.
    """
    needed = game.players
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
    histories = ObservationHistories(game, seed=seed)
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
            if max_moves is not None and len(record.moves) >= max_moves:
                record.is_aborted = True
                record.problem = f"cut after {max_moves} moves"
                break
            step = ask_all(state, histories, players, manager, play_clock)
            state = state.apply(step.moves)
            histories.see(step.moves, state)
            record.add_moves(step.moves, step.errors, step.values)
            record.add_state(state, _now())
            if on_turn is not None:
                on_turn(Turn(len(record.moves), *step[:3], state, record))
    except (EvaluationError, StateError) as problem:
        record.is_aborted = True
        record.problem = str(problem)
    except BaseException:
        record.is_aborted = not record.is_completed
        raise
    return record


def ask_all(
    state: State,
    histories: ObservationHistories,
    players: Mapping[str, Player],
    manager: random.Random,
    play_clock: float,
) -> Step:
    """Ask every player for a move; the manager draws those of chance and of players who fail.

    Players are asked one after the other, each with the full clock, and none sees the others'
    answers, nor more of the state than `histories` have for it.

    >>> from woodstock.player import make_player
    >>> game = Game.from_library("matching-pennies")
    >>> start, histories = game.initial_state(), ObservationHistories(game, seed=1)
    >>> players = {role: make_player("legal", 1) for role in start.roles}
    >>> print(*ask_all(start, histories, players, random.Random(1), play_clock=1).moves)
    (retourne face) (retourne face)
    """
    # Drawn for everybody, beforehand: one player's mistake must not change another's luck.
    spare = state.random_joint_move(manager)
    moves: list[Term] = []
    errors: list[str] = []
    seconds: list[float] = []
    values: list[float | None] = []
    for role, drawn in zip(state.roles, spare, strict=True):
        if role == RANDOM:
            move, error, spent, value = drawn, "", 0.0, None
        else:
            shown = histories.situation(role, state)
            before = players[role].last_answer
            move, error, spent = _ask(state, shown, role, players[role], play_clock)
            value = None if error else value_told(players[role], before)
        moves.append(drawn if error else move)
        errors.append(error)
        seconds.append(spent)
        values.append(value)
    return Step(tuple(moves), tuple(errors), tuple(seconds), tuple(values))


def _ask(
    state: State, shown: Situation, role: str, player: Player, play_clock: float
) -> tuple[Term, str, float]:
    """A player's move, what is wrong with it, and how long it took."""
    begun = time.monotonic()
    try:
        answer = player.choose(shown, role, begun + play_clock)
        spent = time.monotonic() - begun
        move = state.game.term(answer)
    except Exception as problem:
        return "", f"EX {type(problem).__name__}: {problem}", time.monotonic() - begun
    if spent > play_clock:
        return move, "TO", spent
    return move, "" if move in state.legal_moves(role) else f"IL {move}", spent


def value_told(player: Player, before: Answer | None) -> float | None:
    """What a player expects, from 0 to 1, by its last answer; None where that is the one before.

    >>> value_told(make_player("legal", 1), None) is None
    True
    """
    told = player.last_answer
    return None if told is None or told is before or not told.decision else told.decision.value


def _now() -> int:
    return time.time_ns() // 1_000_000
