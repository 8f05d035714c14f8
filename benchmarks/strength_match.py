"""One match of the ring: who sits where, what they are given, and what comes of it.

Every player is treated alike: a new searcher for every match, the same CPU time for every move on
one thread, its tree kept from move to move, no thinking while others think, no thought about a move
that is the only one. Opening moves and luck depend on the round alone, so the matches of a round
differ in nothing but who sits where. Where something is hidden, players are shown what their role
has seen, and working out what may be is part of their CPU time. Before its first match of a game, a
player who rehearses, or looks for symmetries, has the start clock for it.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from result_lines import Record

from woodstock import Game
from woodstock.belief import Situation, believed
from woodstock.player import make_player
from woodstock.search import Limits
from woodstock.search.presets import REHEARSED
from woodstock.tune import EqualMatch, Preparation, Rehearsals, Think, Thought, shares_goal
from woodstock.tune.matches import OPENING_PLIES

OPENING_TRIES = 1000

UNSEARCHING = frozenset({"random", "legal"})
"""Players that do not think and take no time."""

START_SECONDS = 30.0
"""The start clock: what a player who rehearses or looks for symmetries may spend on it before its
first match of a game. It has a use for no other; what was found out stays known in a process."""

TakeSeat = Callable[[str, Game, str, int, float], Think]
"""Puts a player into a seat: name, game, role, seed, CPU seconds for a move."""


@dataclass(frozen=True)
class Match:
    """What a match depends on. `first` is the player whose score is kept, `second` the other."""

    game: str
    first: str
    second: str
    cpu: float
    opening: int
    round: int
    seating: int

    @property
    def id(self) -> str:
        """A name that no other match has, under which its result is kept."""
        setting = f"cpu={self.cpu:g}|opening={self.opening}"
        place = f"round={self.round}|seating={self.seating}"
        return f"{self.game}|{self.first}|{self.second}|{setting}|{place}"


@lru_cache(maxsize=2)
def load(name: str) -> Game:
    """A game of the library, or of a file; the last ones are kept."""
    return Game.load(name)


def default_opening(game: Game) -> int:
    """Random moves to begin with: none where luck already makes matches differ, or one plays."""
    return 0 if game.has_chance or len(game.players) == 1 else OPENING_PLIES


def seatings(game: Game) -> tuple[tuple[int, ...], ...]:
    """The distributions of the seats in a round: 0 is the first player, 1 the second.

    Where the goal is shared, or one plays alone, each plays for itself. Two players change places.
    Among three and more, everybody is once in every seat alone against the other.
    """
    count = len(game.players)
    if shares_goal(game):
        return (0,) * count, (1,) * count
    alone = [tuple(int(seat != one) for seat in range(count)) for one in range(count)]
    if count == 2:
        return tuple(alone)
    return (*alone, *(tuple(1 - who for who in seats) for seats in alone))


def score(seats: Sequence[int], goals: Sequence[int], scale: int = 100) -> float:
    """What a match is worth to the first player, from the goals of the seats.

    A player who sits alone wins by having more than everybody else, and half wins by having as much
    as the best; its loss is the other's win. Who has all seats gets the mean of their goals,
    divided by the `scale` of the game's goals.
    """
    if len(set(seats)) == 1:
        worth = math.fsum(goals) / len(goals) / scale
        return worth if seats[0] == 0 else 1 - worth
    lonely = 0 if seats.count(0) == 1 else 1
    own = goals[seats.index(lonely)]
    best = max(goal for who, goal in zip(seats, goals) if who != lonely)
    worth = 1.0 if own > best else 0.5 if own == best else 0.0
    return worth if lonely == 0 else 1 - worth


def take_seat(name: str, game: Game, role: str, seed: int, cpu: float) -> Think:
    """A player of the registry, its options behind a colon, as on the command line."""
    if name in UNSEARCHING:
        player = make_player(name, seed)
        return lambda situation: Thought(player.choose(situation, role, math.inf))
    preparation = Preparation(name, _rehearsals)
    if preparation.needed and name not in _prepared.setdefault(game, set()):
        _prepared[game].add(name)
        preparation.go_on(game, time.monotonic() + START_SECONDS)
    searcher = preparation.searcher(game, role, seed=seed)
    searcher.prepare(START_SECONDS)

    def think(situation: Situation) -> Thought:
        begun = time.thread_time()
        # By the clock it may take all of it: on a busy machine that is less than it seems.
        about = believed(situation, time.monotonic() + cpu)
        left = max(0.0, cpu - (time.thread_time() - begun))
        decision = searcher.think(about, limits=Limits(cpu_seconds=left))
        return Thought(decision.move, decision.simulations)

    return think


_prepared: WeakKeyDictionary[Game, set[str]] = WeakKeyDictionary()
"""Who has had the start clock for a game: each has it once in a process."""
_rehearsals = Rehearsals()


def play(match: Match, seat: TakeSeat = take_seat) -> Record:
    """Play a match to its end; its result as one flat JSON object."""
    game = load(match.game)
    distributions = seatings(game)
    seats = distributions[match.seating]
    names = (match.first, match.second)
    roles = game.players
    luck = random.Random(f"luck/{match.game}/{match.round}")
    seeds = random.Random(f"seeds/{match.id}")
    players = {
        role: seat(names[who], game, role, seeds.getrandbits(63), match.cpu)
        for role, who in zip(roles, seats)
    }
    table = EqualMatch(game, luck, seed=seeds.getrandbits(63))
    beginning = random.Random(f"opening/{game.name}/{match.opening}/{match.round}")
    if not table.open(match.opening, beginning, OPENING_TRIES):
        raise RuntimeError(f"{match.opening} random moves end {game.name}; ask for fewer")
    found = table.play(players)
    assert found is not None
    spent = [[found.spent[role] for role, who in zip(roles, seats) if who == one] for one in (0, 1)]
    rehearsed = {name.partition(":")[0] for name in names} & REHEARSED
    return {
        "id": match.id,
        **asdict(match),
        "seatings": len(distributions),
        "seats": seats,
        "goals": found.goals,
        "score": score(seats, found.goals, game.engine.goal_scale),
        "plies": found.plies,
        "rehearsed": str(_rehearsals.style(game)) if rehearsed else None,
        "thoughts": [sum(one.thoughts for one in own) for own in spent],
        "simulations": [sum(one.simulations for one in own) for own in spent],
        "cpu_spent": [round(sum(one.cpu_seconds for one in own), 4) for own in spent],
        "cpu_longest": [round(max((one.longest for one in own), default=0.0), 4) for own in spent],
        "illegal": [sum(one.illegal for one in own) for own in spent],
    }
