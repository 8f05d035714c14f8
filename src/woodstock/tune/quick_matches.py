"""Quick matches between two styles of `woodstock`, for rehearsals."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from woodstock import _core
from woodstock.belief import Belief, Situation, believed
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.search.decision import Limits
from woodstock.search.make import make_searcher
from woodstock.search.searcher import Searcher
from woodstock.search.styles import USUAL, Style
from woodstock.tune.matches import OPENING_PLIES, EqualMatch, Thought, shares_goal

__all__ = ["Contender", "QuickMatches"]

LEAST_SECONDS, MOST_SECONDS = 0.003, 0.02
"""CPU time for a move: as much as leaves time for `MATCHES`, within these bounds ..."""
MATCHES = 32
MOVE_SIMULATIONS = 4096
"""... or the time for so many simulations, if that is longer: fewer do not tell playouts apart. A
net has something to say at once."""
BELIEF_SECONDS = 0.05
"""The time for working out what may be, where something is hidden."""
LONGEST_MATCH = 0.2
"""The part of the time at hand that a match may take; where it takes longer nothing is tried."""
OPENING_TRIES = 8
PLAYOUTS = 64
"""Random games that tell how long one is."""
MEMORY_MB = 32


class Contender(NamedTuple):
    """A style, and the net that it searches with."""

    style: Style
    net: _core.ValueNet | None = None


class QuickMatches:
    """Matches of a game at equal CPU time, as long as there is time and nobody has `stopped` them.

    `longest` is the part of the time that one of them may take. The matches of a round are played
    on so many `threads` at a time; more of them leave more time for a move.

    >>> matches = QuickMatches(Game.load("nim"), random.Random(1), time.monotonic() + 60)
    >>> matches.round(Contender(USUAL), Contender(USUAL)) in (0.0, 0.25, 0.5, 0.75, 1.0)
    True
    """

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        until: float,
        stopped: Callable[[], bool] = lambda: False,
        *,
        longest: float = LONGEST_MATCH,
        threads: int = 1,
    ) -> None:
        self._game = game
        self._rng = rng
        self._until = until
        self._stopped = stopped
        self._seconds = max(0.0, until - time.monotonic())
        self._longest = longest
        self._threads = threads
        self._together = shares_goal(game)
        self._opening = 0 if game.has_chance else OPENING_PLIES
        self._move_seconds: dict[bool, float] = {}

    def round(self, old: Contender, new: Contender) -> float | None:
        """The score of the new one, from matches with the same beginning; None: no time.

        The new one has every seat once, alone against the old one. Where all players share the
        goal, or there is but one, each plays for itself. Of two players, half of the score is who
        is ahead, half is by how much.
        """
        seats = range(len(self._game.players))
        rows = (
            [[new for _ in seats], [old for _ in seats]]
            if self._together
            else [[new if seat == alone else old for seat in seats] for alone in seats]
        )
        seed = self._rng.getrandbits(32)
        by_net = old.style.needs_net or new.style.needs_net
        results = self._matches([partial(self._match, row, seed, by_net) for row in rows])
        if results is None:
            return None
        if self._together:
            gain = _mean(results[0]) - _mean(results[1])
        else:
            own = _mean([goals[seat] for seat, goals in enumerate(results)])
            every = _mean([goal for goals in results for goal in goals])
            gain = (own - every) * len(seats) / (len(seats) - 1)
        scale = self._game.engine.goal_scale
        by_goals = min(1.0, max(0.0, 0.5 + gain / (2 * scale)))
        if self._together or len(seats) != 2:
            return by_goals
        # Who is a little ahead in every match has won them all.
        return (by_goals + _mean([_won(goals, seat) for seat, goals in enumerate(results)])) / 2

    def _matches(self, matches: Sequence[Callable[[], list[int] | None]]) -> list[list[int]] | None:
        """The goals of all of them; None as soon as one has not come to its end."""
        results = []
        with ThreadPoolExecutor(max(1, min(self._threads, len(matches)))) as pool:
            waiting = [pool.submit(match) for match in matches]
            for one in waiting:
                goals = one.result()
                if goals is None:
                    pool.shutdown(cancel_futures=True)
                    return None
                results.append(goals)
        return results

    def _match(self, seats: Sequence[Contender], seed: int, by_net: bool) -> list[int] | None:
        luck = random.Random(seed)
        until = min(self._until, time.monotonic() + self._longest * self._seconds)
        match = EqualMatch(self._game, luck, seed=seed)
        if self._opening:
            match.open(self._opening, luck, OPENING_TRIES)
        players = {
            role: partial(self._think, role, self._searcher(role, one, luck), by_net, until)
            for role, one in zip(self._game.players, seats)
        }
        found = match.play(players, until, self._stopped)
        return None if found is None else found.goals

    def _think(
        self, role: str, searcher: Searcher, by_net: bool, until: float, situation: Situation
    ) -> Thought:
        about = believed(situation, time.monotonic() + BELIEF_SECONDS)
        return Thought(self._move(role, searcher, by_net, about, until - time.monotonic()))

    def _searcher(self, role: str, one: Contender, luck: random.Random) -> Searcher:
        return make_searcher(
            "woodstock",
            self._game,
            role,
            seed=luck.getrandbits(63),
            memory_mb=MEMORY_MB,
            rehearsed=one.style,
            net=one.net,
            solve_nodes=0,  # who solves the game has no style
        )

    def _move(
        self, role: str, searcher: Searcher, by_net: bool, about: State | Belief, left: float
    ) -> Term:
        cpu = self._move_seconds.get(by_net)
        if cpu is None:
            cpu = self._move_seconds[by_net] = self._time_of_a_move(role, by_net, about, left)
        limits = Limits(seconds=max(0.0, left), cpu_seconds=cpu)
        return searcher.think(about, limits=limits).move

    def _time_of_a_move(self, role: str, by_net: bool, about: State | Belief, left: float) -> float:
        if len(self._game.players) == 1 and isinstance(about, Belief):
            least = MOST_SECONDS  # there is nobody to wait for
        else:
            (random_games,) = self._game.playouts([self._game.initial_state()], [PLAYOUTS])
            plies = max(1.0, random_games.mean_length)
            seconds = self._seconds * min(self._threads, len(self._game.players))
            least = min(MOST_SECONDS, max(LEAST_SECONDS, seconds / MATCHES / plies))
        if by_net:
            return least
        # By the usual style, whoever is asked first.
        usual = self._searcher(role, Contender(USUAL), random.Random(0))
        first = Limits(seconds=max(0.0, left), simulations=MOVE_SIMULATIONS)
        return max(least, usual.think(about, limits=first).cpu_seconds)


def _won(goals: Sequence[int], seat: int) -> float:
    """1 for who is ahead of the other, and one half for a draw.

    >>> [_won([60, 40], 0), _won([60, 40], 1), _won([50, 50], 1)]
    [1.0, 0.0, 0.5]
    """
    return 0.5 + 0.5 * ((goals[seat] > goals[1 - seat]) - (goals[seat] < goals[1 - seat]))


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)
