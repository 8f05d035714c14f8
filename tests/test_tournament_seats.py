"""Who is asked what in a match with equal means: only where there is a choice, and what it sees."""

from __future__ import annotations

import random

import pytest

from games_support import load
from woodstock import Game
from woodstock.belief import ObservationHistory, Situation, believed
from woodstock.player import legal_moves
from woodstock.tournament import playing
from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.facts import GameSource, facts_of
from woodstock.tournament.participants import Participant
from woodstock.tournament.playing import play_round
from woodstock.tournament.rounds import Round, pair_seatings
from woodstock.tune import EqualMatch, Think, Thought

CLOCK = MoveClock("cpu", 0.25)


class Recorder:
    """Seats players that move at random, and keeps what they were asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seated: list[tuple[str, str, int, MoveClock]] = []
        self.asked: list[tuple[str, Situation]] = []
        monkeypatch.setattr(playing, "take_seat", self.take_seat)
        monkeypatch.setattr(playing, "load_game", lambda source: load(source.name))

    def take_seat(self, name: str, game: Game, role: str, seed: int, clock: MoveClock) -> Think:
        self.seated.append((name, role, seed, clock))
        rng = random.Random(seed)

        def think(situation: Situation) -> Thought:
            self.asked.append((name, situation))
            legal = legal_moves(believed(situation), role)
            assert len(legal) > 1
            return Thought(rng.choice(legal), 7)

        return think


def a_round(game: str, opening: int = 2, number: int = 0) -> Round:
    both = (Participant("good", "player", "good"), Participant("bad", "player", "bad"))
    source = GameSource.find(game)
    seatings = pair_seatings(facts_of(source, lambda one: load(one.name)))
    return Round(source, both, seatings, CLOCK, opening, number)


def test_nobody_is_asked_where_there_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(monkeypatch)
    found = play_round(a_round("tic-tac-toe", number=3))
    assert not found.problem
    sat = [seat[:2] + seat[3:] for seat in recorder.seated]
    assert sat == [
        ("good", "x", CLOCK),
        ("bad", "o", CLOCK),
        ("bad", "x", CLOCK),
        ("good", "o", CLOCK),
    ]
    assert len({seat[2] for seat in recorder.seated}) == 4
    for match in found.matches:
        thoughts = {seat.participant: seat.thoughts for seat in match.seats}
        assert all(seat.simulations == 7 * seat.thoughts for seat in match.seats)
        # x begins and the opening is two plies; the last of nine marks is the only move there is.
        assert sum(thoughts.values()) == min(len(match.moves), 8) - 2


def test_who_may_not_see_the_state_is_not_shown_it(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(monkeypatch)
    found = play_round(a_round("pacman-hidden"))
    asked = sum(seat.thoughts for match in found.matches for seat in match.seats)
    assert asked == len(recorder.asked) > 0
    # The opening moves are part of what was seen.
    seen = [
        shown.observations for _, shown in recorder.asked if isinstance(shown, ObservationHistory)
    ]
    assert len(seen) == len(recorder.asked)
    assert set(map(len, seen)) == {len(match.moves) for match in found.matches}


def test_an_opening_never_ends_the_game() -> None:
    # Every second move of this length ends a random game of nim.
    game = load("nim")
    for number in range(20):
        table = EqualMatch(game, random.Random(1), seed=1)
        assert table.open(6, random.Random(number), tries=1000)
        assert table.plies == 6
        assert not table.state.is_terminal
    assert not table.open(13, random.Random(0), tries=50)
    assert table.state == game.initial_state()
    assert table.moves == []


def test_openings_are_random_where_nothing_else_is() -> None:
    wanted = {"connect-four": 2, "orchard": 0, "buttons-and-lights-3": 0}
    found = {name: facts_of(GameSource.find(name)).opening for name in wanted}
    assert found == wanted
