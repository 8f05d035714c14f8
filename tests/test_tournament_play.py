"""Rounds as they are played: equal means, clocks, seats, and what is noted of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from tournament_support import made_up
from woodstock.tournament import Description, ResultStore, collect, run_tournament
from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.engines.contract import Finished, RoundEngine
from woodstock.tournament.facts import GameFacts, GameSource, facts_of, load_game
from woodstock.tournament.participants import Participant
from woodstock.tournament.playing import play_round
from woodstock.tournament.results import MatchResult, RoundResult, SeatResult, pair_score
from woodstock.tournament.rounds import Round, pair_seatings, rotations

SIMULATIONS = MoveClock("simulations", 64)


def a_round(
    game: str, *players: str, clock: MoveClock = SIMULATIONS, number: int = 0, opening: int = 0
) -> Round:
    source = GameSource.find(game)
    seatings = pair_seatings(facts_of(source)) if len(players) == 2 else ((0,),)
    who = tuple(
        Participant(f"{place} {text}", "player", text) for place, text in enumerate(players)
    )
    return Round(source, who, seatings, clock, opening, number, seed=5)


@pytest.mark.parametrize("game", ["tic-tac-toe", "kaseklau", "kuhn-poker", "orchard"])
def test_a_round_is_the_same_again(game: str) -> None:
    """With simulations for a clock, whatever the game has: turns, luck, hidden cards, a team."""
    one, other = (play_round(a_round(game, "uct", "random")) for _ in range(2))
    assert not one.problem
    assert [(match.moves, match.goals) for match in one.matches] == [
        (match.moves, match.goals) for match in other.matches
    ]


def test_matches_of_a_round_have_the_same_opening_and_luck() -> None:
    round_ = a_round("connect-four", "random", "legal", opening=4)
    found = play_round(round_)
    openings = {match.moves[:4] for match in found.matches}
    assert len(openings) == 1
    others = {play_round(replace(round_, number=n)).matches[0].moves[:4] for n in range(1, 5)}
    assert others - openings, "other rounds have other openings"
    dice = play_round(a_round("kaseklau", "legal", "legal"))
    assert dice.matches[0].moves == dice.matches[1].moves, "equal players with equal luck"


def test_seats_are_noted_with_what_they_spent() -> None:
    found = play_round(a_round("tic-tac-toe", "uct", "random", clock=MoveClock("cpu", 0.002)))
    for match, first in zip(found.matches, ("0 uct", "1 random")):
        seats = {seat.participant: seat for seat in match.seats}
        assert match.seats[0].participant == first
        assert seats["0 uct"].simulations > 0
        assert seats["0 uct"].thoughts > 0
        assert seats["0 uct"].cpu > 0
        assert seats["1 random"].simulations == 0
        assert sum(match.goals) == 100


def test_by_the_clock_of_a_competition() -> None:
    found = play_round(a_round("nim", "uct", "legal", clock=MoveClock("real", 0.2, 0.2)))
    assert not found.problem
    assert all(sum(match.goals) == 100 for match in found.matches)
    assert all(seat.thoughts for match in found.matches for seat in match.seats)


def test_a_game_for_one() -> None:
    found = play_round(a_round("monty-hall", "random"))
    assert len(found.matches) == 1
    assert len(found.matches[0].seats) == 1


def test_what_goes_wrong_is_a_problem_and_no_exception() -> None:
    assert "fewer" in play_round(a_round("tic-tac-toe", "uct", "random", opening=9)).problem
    unknown = a_round("nim", "uct", "nobody")
    assert "nobody" in play_round(unknown).problem


def test_who_sits_where_among_three() -> None:
    facts = GameFacts(("a", "b", "c"), False, False)
    assert pair_seatings(facts) == (
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    )
    assert rotations(2) == ((0, 1), (1, 0))
    # Equal players get one half: what the one wins alone, the other wins in its place.
    goals = (100, 0, 0)
    assert sum(pair_score(one, goals) for one in pair_seatings(facts)) == 3


def test_a_player_without_the_processor_was_starved() -> None:
    good = SeatResult("x", "a", 100, cpu=0.95, wall=1.0)
    bad = SeatResult("o", "b", 0, cpu=0.5, wall=1.0)
    far = SeatResult("o", "b", 0, cpu=math.nan, wall=1.0)
    short = SeatResult("o", "b", 0, cpu=0.0, wall=0.01)
    assert [seat.starved for seat in (good, bad, far, short)] == [False, True, False, False]
    assert MatchResult(0, (good, bad)).starved
    assert not MatchResult(0, (good, far)).starved


class Disturbed(RoundEngine):
    """An engine that loses a round so many times, and starves the players of others."""

    slots = 1

    def __init__(self, losses: int = 0, starved: bool = False) -> None:
        self._losses = losses
        self._starved = starved
        self._round: Round | None = None

    def submit(self, round_: Round) -> None:
        self._round = round_

    def wait(self, seconds: float) -> list[Finished]:
        assert self._round is not None
        if self._losses:
            self._losses -= 1
            return [Finished(self._round, None)]
        result = play_round(self._round)
        if self._starved:
            share = 0.5
            matches = tuple(
                replace(
                    match,
                    seats=tuple(replace(seat, cpu=share, wall=1.0) for seat in match.seats),
                )
                for match in result.matches
            )
            result = RoundResult(matches)
        return [Finished(self._round, result)]

    def close(self) -> None:
        pass


RING = """
format = "ring"
participants = ["random", "legal"]
games = ["nim"]
[clock]
kind = "simulations"
move = 1
[ring]
matches = 12
stop = "never"
"""


def test_a_round_that_is_lost_is_played_again_and_not_for_ever() -> None:
    description = Description.parse(RING)
    with ResultStore() as store:
        found = run_tournament(description, store, Disturbed(losses=3))
        assert (found.matches, found.lost, found.problems) == (12, 3, 0)
    with ResultStore() as store:
        found = run_tournament(description, store, Disturbed(losses=10**6))
        assert found.matches == 0
        assert found.problems == 1
        assert "died" in next(iter(store.problems().values()))
        # What could not be played is tried again, and its reason is gone when it works.
        assert run_tournament(description, store, Disturbed()).matches == 12
        assert store.problems() == {}


class Crowded(RoundEngine):
    """Plays four rounds at a time, in their order, and sees who plays at the same time."""

    slots = 4

    def __init__(self) -> None:
        self.running: list[Round] = []
        self.most = 0

    def submit(self, round_: Round) -> None:
        self.running.append(round_)
        self.most = max(self.most, len(self.running))
        far = [one.name for other in self.running for one in other.participants if not one.is_ours]
        assert len(far) == len(set(far)), "a program plays one match at a time"

    def wait(self, seconds: float) -> list[Finished]:
        round_ = self.running.pop(0)
        return [Finished(round_, made_up(round_, lambda _, names: [100, 0]))]

    def close(self) -> None:
        pass


def test_a_program_at_an_address_plays_one_match_at_a_time() -> None:
    text = """
format = "round-robin"
participants = ["uct", "grave", "cfr", "localhost:1"]
games = ["nim", "tic-tac-toe"]
[clock]
kind = "real"
[round-robin]
rounds = 3
"""
    engine = Crowded()
    with ResultStore() as store:
        found = run_tournament(Description.parse(text), store, engine)
        assert store.counts() == (2 * 6 * 2 * 3, 0)
    assert found.matches == 72
    assert engine.most > 1, "others do not wait for it"


def test_a_program_at_an_address_does_not_sit_in_two_seats() -> None:
    far = Participant("far", "address", "127.0.0.1:1")
    source = GameSource.find("chinese-checkers")
    who = (Participant.of("legal"), far)
    round_ = Round(source, who, ((0, 1, 1),), MoveClock("real", 1, 1))
    assert "two seats" in play_round(round_).problem


def test_starved_rounds_are_marked_and_can_be_played_again(tmp_path: Path) -> None:
    description = Description.parse(RING)
    with ResultStore(tmp_path / "s.sqlite") as store:
        run_tournament(description, store, Disturbed(starved=True))
        marked = store.starved_rounds()
        assert len(marked) == 6
        schedule = collect(description, store)
        assert all(result.starved for _, result in schedule.counted())
        assert store.forget(marked) == 12
        assert store.counts() == (0, 0)
        run_tournament(description, store, Disturbed())
        assert store.starved_rounds() == []
        assert store.counts() == (12, 0)


def test_time_that_is_up_begins_nothing() -> None:
    description = Description.parse(RING)
    with ResultStore() as store:
        assert run_tournament(description, store, Disturbed(), seconds=0).matches == 0
        assert run_tournament(description, store, Disturbed(), seconds=600).matches == 12


def test_games_that_are_loaded_are_kept() -> None:
    source = GameSource.find("nim")
    assert load_game(source) is load_game(GameSource.find("nim"))
