"""The ring of the benchmarks: seats, scores, matches, stopping and resuming."""

from __future__ import annotations

import json
import math
import random
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
import strength
import strength_match
from result_lines import Record, ResultLines
from strength import Ring, pair, split_pairs, times
from strength_match import Match, play, score, seatings

from games_support import load
from strength_support import fake, pairing, play_all
from woodstock import Game
from woodstock.belief import ObservationHistory, Situation, believed
from woodstock.player import legal_moves, make_player
from woodstock.tune import EqualMatch, Think, Thought


@pytest.fixture(autouse=True)
def _no_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games come from the tests' own store."""
    monkeypatch.setattr(strength_match, "load", load)
    monkeypatch.setattr(strength, "load", load)


# Seats and scores.


def test_seats_are_changed_and_shared_goals_are_played_for_alone() -> None:
    assert seatings(load("nim")) == ((0, 1), (1, 0))
    assert seatings(load("orchard")) == ((0, 0), (1, 1))
    assert seatings(load("buttons-and-lights-3")) == ((0,), (1,))
    three = seatings(load("chinese-checkers"))
    assert three == ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))


@pytest.mark.parametrize(
    ("seats", "goals", "worth"),
    [
        ((0, 1), (100, 0), 1),
        ((1, 0), (100, 0), 0),
        ((0, 1), (40, 40), 0.5),
        ((0, 1, 1), (50, 25, 49), 1),
        ((0, 1, 1), (50, 25, 50), 0.5),
        ((1, 0, 0), (50, 25, 50), 0.5),
        ((1, 0, 0), (60, 25, 50), 0),
        ((1, 1, 0), (10, 25, 20), 0),
        ((0, 0), (80, 40), 0.6),
        ((1, 1), (80, 40), 0.4),
    ],
)
def test_a_match_is_worth(seats: tuple[int, ...], goals: tuple[int, ...], worth: float) -> None:
    assert score(seats, goals) == pytest.approx(worth)


def test_equal_players_get_one_half_of_a_round() -> None:
    """Whatever the seats are worth: the distributions of a round make up for it."""
    for game in ("nim", "chinese-checkers", "orchard"):
        distributions = seatings(load(game))
        for goals in ((100, 0, 30), (30, 30, 20), (0, 70, 70)):
            worth = [score(seats, goals[: len(seats)]) for seats in distributions]
            assert sum(worth) / len(worth) == pytest.approx(0.5)


# A match.


class Recorder:
    """Seats players that move at random, and keeps what they were asked."""

    def __init__(self) -> None:
        self.seated: list[tuple[str, str, int, float]] = []
        self.asked: list[tuple[str, Situation]] = []

    def __call__(self, name: str, game: Game, role: str, seed: int, cpu: float) -> Think:
        self.seated.append((name, role, seed, cpu))
        rng = random.Random(seed)

        def think(situation: Situation) -> Thought:
            self.asked.append((name, situation))
            legal = legal_moves(believed(situation), role)
            assert len(legal) > 1
            return Thought(rng.choice(legal), 7)

        return think


def test_a_match_is_the_same_again_and_asks_only_where_there_is_a_choice() -> None:
    match = Match("tic-tac-toe", "good", "bad", 0.25, 2, 3, 1)
    recorder = Recorder()
    record = play(match, recorder)
    again = play(match, Recorder())
    times = ("cpu_spent", "cpu_longest")
    assert {k: v for k, v in record.items() if k not in times} == {
        k: v for k, v in again.items() if k not in times
    }
    assert record["id"] == "tic-tac-toe|good|bad|cpu=0.25|opening=2|round=3|seating=1"
    assert [seat[:2] + seat[3:] for seat in recorder.seated] == [
        ("bad", "x", 0.25),
        ("good", "o", 0.25),
    ]
    assert recorder.seated[0][2] != recorder.seated[1][2]
    assert record["seats"] == (1, 0)
    asked = [sum(name == who for name, _ in recorder.asked) for who in ("good", "bad")]
    assert record["thoughts"] == asked
    assert record["simulations"] == [7 * number for number in asked]
    # x begins and the opening is two plies; the last of nine marks is the only move there is.
    assert sum(asked) == min(record["plies"], 8) - 2
    assert record["score"] == score((1, 0), record["goals"])
    json.dumps(record)


def test_the_matches_of_a_round_begin_alike_and_those_of_others_do_not() -> None:
    def beginning(number: int, seating: int) -> Situation:
        recorder = Recorder()
        play(Match("connect-four", "a", "b", 0.1, 2, number, seating), recorder)
        return recorder.asked[0][1]

    assert beginning(0, 0) == beginning(0, 1)
    assert len({beginning(number, 0) for number in range(8)}) > 4


def test_luck_is_the_same_for_all_seats() -> None:
    """Players with one way to move are carried by chance alone: to the same end."""

    def first(name: str, game: Game, role: str, seed: int, cpu: float) -> Think:
        player = make_player("legal", seed)
        return lambda situation: Thought(player.choose(situation, role, math.inf))

    ends = [
        play(Match("orchard", "a", "b", 0.1, 0, number, seating), first)
        for number in range(6)
        for seating in range(2)
    ]
    assert [r["plies"] for r in ends[::2]] == [r["plies"] for r in ends[1::2]]
    assert len({r["plies"] for r in ends}) > 1


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
    with pytest.raises(RuntimeError, match="ask for fewer"):
        play(Match("nim", "a", "b", 0.1, 13, 0, 0), Recorder())


def test_who_may_not_see_the_state_is_not_shown_it() -> None:
    recorder = Recorder()
    record = play(Match("pacman-hidden", "a", "b", 0.1, 2, 0, 0), recorder)
    assert sum(record["thoughts"]) == len(recorder.asked) > 0
    # The opening moves are part of what was seen.
    seen = [
        shown.observations for _, shown in recorder.asked if isinstance(shown, ObservationHistory)
    ]
    assert list(map(len, seen)) == [record["plies"]] * len(recorder.asked)


def test_openings_are_random_where_nothing_else_is() -> None:
    wanted = {"connect-four": 2, "orchard": 0, "buttons-and-lights-3": 0}
    assert {name: strength_match.default_opening(load(name)) for name in wanted} == wanted


def test_players_that_do_not_think_can_be_seated() -> None:
    record = play(Match("nim", "random", "legal", 0.01, 0, 0, 0))
    assert record["goals"] in ([100, 0], [0, 100])


# The ring.


def test_the_ring_stops_where_it_has_seen_enough(tmp_path: Path) -> None:
    pairings = [pairing(), pairing("tic-tac-toe")]
    told: list[str] = []
    ring = Ring(pairings, ResultLines(tmp_path / "r.jsonl"), told.append)
    play_all(ring, fake(lambda match: 1.0 if match.game == "nim" else match.round % 2))
    assert [one.to_json()["matches"] for one in pairings] == [20, 200]
    assert [one.verdict() for one in pairings] == ["better", "limit"]
    assert pairings[1].to_json()["score"] == 0.5
    assert [line.split(":")[0] for line in told] == ["nim", "tic-tac-toe"]


def test_nothing_is_lost_and_nothing_is_played_twice(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    seen: list[str] = []

    def broken_off(match: Match) -> Record:
        if len(seen) == 11:
            raise KeyboardInterrupt
        record: Record = fake(lambda match: 0.5, seen)(match)
        return record

    whole = pairing(max_matches=30)
    with pytest.raises(KeyboardInterrupt):
        play_all(Ring([whole], ResultLines(path)), broken_off)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "nim|go')
    again = pairing(max_matches=30)
    play_all(Ring([again], ResultLines(path)), fake(lambda match: 0.5, seen))
    assert len(seen) == len(set(seen)) == 30
    assert again.verdict() == "limit"
    assert len(ResultLines(path).records) == 30
    # Another time for a move is another pairing.
    Ring([other := pairing(cpu=0.2)], ResultLines(path))
    assert other.rounds() == []


def test_a_verdict_does_not_depend_on_which_match_ends_first() -> None:
    one = pairing()
    for number in (0, 2, 3):
        for seating in (0, 1):
            one.take({"round": number, "seating": seating, "score": 1.0})
    assert one.rounds() == [1.0]
    one.take({"round": 1, "seating": 1, "score": 0.0})
    assert one.rounds() == [1.0]
    one.take({"round": 1, "seating": 0, "score": 1.0})
    assert one.rounds() == [1.0, 0.5, 1.0, 1.0]


def test_a_pairing_that_fails_does_not_keep_the_others(tmp_path: Path) -> None:
    def play(match: Match) -> Record:
        if match.game == "nim" and match.round == 1:
            raise ValueError("a bad move")
        record: Record = fake(lambda match: 1.0)(match)
        return record

    pairings = [pairing(), pairing("tic-tac-toe")]
    play_all(Ring(pairings, ResultLines(tmp_path / "r.jsonl")), play)
    assert pairings[0].problem == "ValueError: a bad move"
    assert pairings[0].rounds() == [1.0]
    assert pairings[1].verdict() == "better"


class Dying(ThreadPoolExecutor):
    """A pool that breaks at its third match."""

    matches = 0

    def submit(self, *args: Any, **more: Any) -> Future[Any]:
        Dying.matches += 1
        if Dying.matches == 3:
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool("gone"))
            return future
        return super().submit(*args, **more)


def test_the_death_of_a_process_ends_a_pairing_not_the_ring(tmp_path: Path) -> None:
    pairings = [pairing(), pairing("tic-tac-toe")]
    ring = Ring(pairings, ResultLines(tmp_path / "r.jsonl"))
    ring.run(lambda: Dying(1), 1, fake(lambda match: 1.0))
    assert pairings[0].problem == "the process died"
    assert pairings[1].verdict() == "better"


def test_the_command_plays_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.jsonl"
    arguments = ["--games=nim,tic-tac-toe", "--pairs=random:legal", "--max-games=4", "--jobs=2"]
    assert strength.main([*arguments, f"--out={path}"]) == 0
    found = json.loads(capsys.readouterr().out)["pairings"]
    assert [(one["game"], one["matches"]) for one in found] == [("nim", 4), ("tic-tac-toe", 4)]
    assert len(ResultLines(path).records) == 8


def test_pairs_and_times_are_read() -> None:
    assert split_pairs("a:b,mac-ucb[order=depth,solving_share=0.9]:uct[C=0.4]") == [
        ("a", "b"),
        ("mac-ucb:order=depth,solving_share=0.9", "uct:C=0.4"),
    ]
    with pytest.raises(Exception, match="FIRST:SECOND"):
        pair("uct[C=1:2]")
    assert times("0.05,chess=0.2") == (0.05, {"chess": 0.2})
