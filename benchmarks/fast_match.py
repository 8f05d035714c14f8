"""One fast match under observation: who was late, by how much, and why moves were made.

Part of ``fast_matches.py``.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache

from result_lines import Record

from woodstock import Game
from woodstock.belief import Situation
from woodstock.gdl.terms import Term
from woodstock.match import Turn, play_match
from woodstock.player import Player, make_player
from woodstock.player.simple import RandomPlayer


@dataclass(frozen=True)
class Plan:
    """One match: who plays is decided when the roles are known, by `seed`.

    `opening` is the part of a random game's length after which the players begin to think.
    """

    id: str
    game: str
    play_clock: float
    opening: float
    seed: int


class ObservedPlayer(Player):
    """A player under observation: random moves in the opening, then its own, each noted."""

    def __init__(self, name: str, seed: int, opening: int, memory_mb: int) -> None:
        self.name = name
        self.answers = 0
        self.slowest = 0.0
        self.reasons: Counter[str] = Counter()
        self.late_start = 0
        self.late: list[tuple[float, float]] = []
        self._player = make_player(name, seed, memory_mb=memory_mb)
        self._random = RandomPlayer(seed)
        self._opening = opening

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        """Prepare the player, and see whether it is ready in time."""
        self._player.prepare(game, role, deadline)
        self.late_start = int(time.monotonic() > deadline)

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """A random move in the opening, later what the player says."""
        if self._opening > 0:
            self._opening -= 1
            return self._random.choose(situation, role, deadline)
        begun, begun_cpu = time.monotonic(), time.process_time()
        try:
            return self._player.choose(situation, role, deadline)
        finally:
            spent = time.monotonic() - begun
            self.answers += 1
            self.slowest = max(self.slowest, spent)
            if begun + spent > deadline:
                self.late.append((round(spent, 4), round(time.process_time() - begun_cpu, 4)))
            if self._player.last_answer is not None:
                self.reasons[self._player.last_answer.reason] += 1


@cache
def length_of(game: Game) -> float:
    """About how many moves a random game has; a few where finding out would take long."""
    if game.engine.name != "circuit":
        return 10.0
    return game.initial_state().playouts(100, seed=1, max_plies=500).mean_length


def play(
    plan: Plan, game: Game, players: Sequence[str], *, seconds: float, memory_mb: int
) -> Record:
    """Play a match between some of the players, with about so many seconds of thinking."""
    rng = random.Random(f"seats/{plan.seed}")
    roles = game.players
    # The first seat goes round over all players, so that each gets its share of matches.
    names = [players[plan.seed % len(players)]]
    names += rng.choices(players, k=len(roles) - 1)
    rng.shuffle(names)
    opening = round(plan.opening * length_of(game))
    seats = {
        role: ObservedPlayer(name, rng.getrandbits(63), opening, memory_mb)
        for role, name in zip(roles, names)
    }
    moves = max(2, min(40, round(seconds / plan.play_clock)))
    errors: list[tuple[str, str]] = []

    def note(turn: Turn) -> None:
        for role, error in zip(turn.state.roles, turn.errors):
            if error:
                errors.append((seats[role].name, error))

    start_clock = max(0.2, plan.play_clock)
    record = play_match(
        game,
        seats,
        seed=plan.seed,
        names={role: seat.name for role, seat in seats.items()},
        start_clock=start_clock,
        play_clock=plan.play_clock,
        max_moves=opening + moves,
        on_turn=note,
    )
    return {
        **asdict(plan),
        "engine": game.engine.name,
        "moves": len(record.moves),
        "completed": record.is_completed,
        "problem": "" if record.problem.startswith("cut") else record.problem,
        "errors": errors,
        "seats": [
            {
                "player": seat.name,
                "answers": seat.answers,
                "slowest": round(seat.slowest, 4),
                "late_start": seat.late_start,
                "late": seat.late,
                "reasons": dict(seat.reasons),
            }
            for seat in seats.values()
        ],
    }
