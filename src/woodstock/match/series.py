"""Many matches of the same players: who sits where, and what came of it.

>>> from woodstock import Game
>>> game = Game.from_library("nim")
>>> played = list(play_series(game, ["random", "legal"], games=4, swap=True, seed=1))
>>> [one.seats for one in played]
[(0, 1), (1, 0), (0, 1), (1, 0)]
>>> for one in standings(["random", "legal"], played):
...     print(one.player, one.games, one.wins + one.draws + one.losses)
random 4 4
legal 4 4
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from woodstock.game import Game
from woodstock.gdl.keywords import players_of
from woodstock.match.local import Turn, play_match, seat_players
from woodstock.match.record import MatchRecord
from woodstock.notebook import html_table
from woodstock.tune import Rehearsals, wilson

__all__ = ["PlayOne", "Played", "Standing", "Standings", "play_series", "standings"]

PlayOne: TypeAlias = Callable[[Mapping[str, str], int], MatchRecord]
"""Plays a match: the players' names by role, and a seed."""

MISTAKES = {"TO": "late", "IL": "illegal", "EX": "failed", "CE": "failed"}
"""What the marks in a record's errors stand for."""


@dataclass(frozen=True)
class Played:
    """A match of a series. `seats` has for each role, chance left out, the number of its player."""

    number: int
    seats: tuple[int, ...]
    record: MatchRecord
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The result, without the moves."""
        record = self.record
        return {
            "match": record.match_id,
            "seed": record.seed,
            "players": dict(zip(record.roles, record.players)),
            "seats": list(self.seats),
            "goals": dict(zip(record.roles, record.goal_values)) or None,
            "moves": len(record.moves),
            "mistakes": {
                role: [joint[number] for joint in record.errors if joint[number]]
                for number, role in enumerate(record.roles)
                if any(joint[number] for joint in record.errors)
            },
            "completed": record.is_completed,
            "problem": record.problem,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Standing:
    """How a player has done in a series.

    `games` are those that came to an end; `mean_goal` is over them (nan of none), and `goal_scale`
    is 100, or the highest goal of anybody in them where that is higher. A player wins a
    game when its goal is higher than that of everybody else, and draws when it shares the highest
    goal; alone it does neither. `late`, `illegal` and `failed` count the mistakes in all games,
    finished or not.
    """

    player: str
    games: int
    wins: int
    draws: int
    losses: int
    mean_goal: float
    late: int
    illegal: int
    failed: int
    goal_scale: int = 100

    @property
    def score(self) -> float:
        """The win rate: wins and half of the draws, of all games; nan without games or rivals."""
        rated = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / rated if rated else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: see `wilson`."""
        return wilson(self.score, self.games)

    @property
    def goal_interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean goal."""
        low, high = wilson(self.mean_goal / self.goal_scale, self.games)
        return low * self.goal_scale, high * self.goal_scale

    @property
    def mistakes(self) -> int:
        """All mistakes together."""
        return self.late + self.illegal + self.failed

    def to_json(self) -> dict[str, Any]:
        """The standing as a JSON object; null stands for what no games can tell."""
        low, high = self.interval
        goal_low, goal_high = self.goal_interval
        return {
            "player": self.player,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": _rounded(self.score),
            "win_rate_95": [_rounded(low), _rounded(high)],
            "mean_goal": _rounded(self.mean_goal),
            "mean_goal_95": [_rounded(goal_low), _rounded(goal_high)],
            "mistakes": {"late": self.late, "illegal": self.illegal, "failed": self.failed},
        }


def play_series(
    game: Game,
    names: Sequence[str],
    *,
    games: int,
    swap: bool = False,
    seed: int,
    start_clock: float = 30,
    play_clock: float = 15,
    max_moves: int | None = None,
    on_begin: Callable[[int, dict[str, str], int], None] | None = None,
    on_turn: Callable[[Turn], None] | None = None,
    play: PlayOne | None = None,
    **options: Any,
) -> Iterator[Played]:
    """Play match after match between new players of these names, each as soon as it is asked for.

    Match k has the seed ``seed + k``. With `swap` the players move on by one role from match to
    match, so that after as many matches as there are roles each has sat everywhere. `on_begin`
    hears the number, the names by role and the seed of each match that begins. `options` go to the
    players, see `seat_players`; what they rehearse is kept for the whole series. With `play`,
    matches are played by that instead.
    """
    roles = game.players
    options.setdefault("rehearsals", Rehearsals())

    def play_here(by_role: Mapping[str, str], one: int) -> MatchRecord:
        return play_match(
            game,
            seat_players(game, list(by_role.values()), one, **options),
            seed=one,
            names=by_role,
            start_clock=start_clock,
            play_clock=play_clock,
            max_moves=max_moves,
            on_turn=on_turn,
        )

    if len(names) != len(roles):
        seat_players(game, names, seed)  # says what is wrong
    for number in range(games):
        shift = number % len(roles) if swap else 0
        seats = tuple((place + shift) % len(roles) for place in range(len(roles)))
        by_role = {role: names[seat] for role, seat in zip(roles, seats)}
        if on_begin is not None:
            on_begin(number, by_role, seed + number)
        begun = time.perf_counter()
        record = (play or play_here)(by_role, seed + number)
        yield Played(number, seats, record, time.perf_counter() - begun)


class Standings(tuple[Standing, ...]):
    """The standings of all players of a series; in notebooks a table."""

    def _repr_html_(self) -> str:
        titles = ["player", "games", "wins", "draws", "losses", "win rate", "goal", "mistakes"]
        rows = [
            (
                one.player,
                one.games,
                one.wins,
                one.draws,
                one.losses,
                _percent(one.score),
                "-" if math.isnan(one.mean_goal) else f"{one.mean_goal:.1f}",
                one.mistakes,
            )
            for one in self
        ]
        return html_table(titles, rows)


def standings(names: Sequence[str], played: Iterable[Played]) -> Standings:
    """The standing of every player, in the order of their names."""
    matches = list(played)
    return Standings(_standing(number, name, matches) for number, name in enumerate(names))


def _standing(number: int, name: str, matches: Sequence[Played]) -> Standing:
    results = [0, 0, 0]
    goals: list[int] = []
    highest = 100
    mistakes = dict.fromkeys(MISTAKES.values(), 0)
    for one in matches:
        everybody = one.record.roles
        roles = [everybody.index(role) for role in players_of(everybody)]
        mine = roles[one.seats.index(number)]
        for joint in one.record.errors:
            if joint[mine]:
                mistakes[MISTAKES[joint[mine][:2]]] += 1
        if not one.record.is_completed:
            continue
        # Rules that give a role no goal at the end give it nothing.
        values = {role: one.record.goal_values[role] or 0 for role in roles}
        goals.append(values[mine])
        highest = max(highest, *values.values())
        others = [value for role, value in values.items() if role != mine]
        if others:
            best = max(others)
            results[0 if values[mine] > best else 1 if values[mine] == best else 2] += 1
    return Standing(
        player=name,
        games=len(goals),
        wins=results[0],
        draws=results[1],
        losses=results[2],
        mean_goal=sum(goals) / len(goals) if goals else math.nan,
        goal_scale=highest,
        **mistakes,
    )


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)
