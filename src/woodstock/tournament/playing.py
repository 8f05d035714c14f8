"""Playing a round: in a process of this machine or of another one, the same in both."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable

from woodstock import __version__
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.search.presets import REHEARSED
from woodstock.tournament.facts import load_game
from woodstock.tournament.hosting import play_hosted
from woodstock.tournament.results import MatchResult, RoundResult, SeatResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.seats import rehearsals, take_seat
from woodstock.tune import EqualMatch

__all__ = ["play_match_of", "play_round"]

OPENING_TRIES = 1000

PlayOne = Callable[[Round, int, Game], MatchResult]


def play_round(round_: Round) -> RoundResult:
    """Play all matches of a round; what goes wrong is in the result.

    >>> from woodstock.tournament.clocks import MoveClock
    >>> from woodstock.tournament.facts import GameSource
    >>> from woodstock.tournament.participants import Participant
    >>> both = (Participant.of("legal"), Participant.of("random"))
    >>> clock = MoveClock("simulations", 1)
    >>> one = Round(GameSource.find("nim"), both, ((0, 1), (1, 0)), clock, seed=1)
    >>> [sum(match.goals) for match in play_round(one).matches]
    [100, 100]
    """
    try:
        game = load_game(round_.game)
        numbers = range(len(round_.seatings))
        return RoundResult(tuple(play_match_of(round_, number, game) for number in numbers))
    except (WoodstockError, OSError, ValueError, RuntimeError) as problem:
        return RoundResult(problem=f"{type(problem).__name__}: {problem}")


def play_match_of(round_: Round, number: int, game: Game) -> MatchResult:
    """Play one match of a round to its end."""
    begun, clock = time.time(), time.perf_counter()
    seed = round_.luck().getrandbits(62)  # the same for all matches of the round
    play = play_hosted if round_.clock.kind == "real" else _play_equal
    seats, moves = play(round_, number, game, seed)
    return MatchResult(
        number=number,
        seats=seats,
        moves=moves,
        scale=game.engine.goal_scale,
        seed=seed,
        begun=begun,
        seconds=time.perf_counter() - clock,
        place=f"{platform.node()}/{os.getpid()}",
        load=_load(),
        version=__version__,
        notes=_notes(round_, number, game),
    )


def _play_equal(
    round_: Round, number: int, game: Game, seed: int
) -> tuple[tuple[SeatResult, ...], tuple[tuple[str, ...], ...]]:
    """A match at equal CPU time, or with equal simulations, in this thread."""
    seating = round_.seatings[number]
    seeds = round_.seeds(number)
    who = {role: round_.participants[seat] for role, seat in zip(game.players, seating)}
    players = {
        role: take_seat(one.text, game, role, seeds.getrandbits(63), round_.clock)
        for role, one in who.items()
    }
    table = EqualMatch(game, round_.luck(), seed=seed)
    if not table.open(round_.opening, round_.beginning(), OPENING_TRIES):
        raise RuntimeError(f"{round_.opening} random moves end {game.name}; ask for fewer")
    found = table.play(players)
    assert found is not None, "nobody has stopped it"
    seats = tuple(
        SeatResult(
            role=role,
            participant=one.name,
            goal=goal,
            thoughts=found.spent[role].thoughts,
            simulations=found.spent[role].simulations,
            cpu=found.spent[role].cpu_seconds,
            wall=found.spent[role].seconds,
            longest=found.spent[role].longest,
            illegal=found.spent[role].illegal,
        )
        for (role, one), goal in zip(who.items(), found.goals)
    )
    return seats, tuple(tuple(map(str, joint)) for joint in table.moves)


def _notes(round_: Round, number: int, game: Game) -> tuple[str, ...]:
    """What was rehearsed, by those who do."""
    seated = {round_.participants[who].text for who in round_.seatings[number]}
    rehearsed = {text for text in seated if text.partition(":")[0] in REHEARSED}
    return tuple(f"{text} rehearsed {rehearsals.style(game)}" for text in sorted(rehearsed))


def _load() -> float:
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return 0.0
