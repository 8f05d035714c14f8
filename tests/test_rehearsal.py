"""Rehearsals: what wins is kept, what does not is left, and time is kept to."""

from __future__ import annotations

import gc
import logging
import random
import threading
import time
import weakref
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load
from player_support import SimulatedClock
from woodstock import Game
from woodstock.errors import WoodstockError
from woodstock.player import ThinkingPlayer, make_player
from woodstock.search import Limits, TreeOptions, make, make_searcher
from woodstock.search.styles import USUAL, Style, candidates_of
from woodstock.tune import Preparation, Rehearsal, Rehearsals, Trial, rehearsal
from woodstock.tune.quick_matches import Contender, QuickMatches
from woodstock.tune.trials import MOST_ROUNDS

FOR_EVER = 1e9
MAST = Style("woodstock", {"mast": 0.05})


def soon(seconds: float) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def game() -> Game:
    """A game that nobody else has, so that nothing is known about it."""
    return Game.from_library("tic-tac-toe")


class Scores:
    """Stands in for matches: a style scores what it is worth against the one before it."""

    def __init__(self, worth: Mapping[str, float], seed: int = 1) -> None:
        self._worth = worth
        self._rng = random.Random(seed)
        self.played: list[tuple[str, str]] = []

    def __call__(
        self, game: Game, rng: random.Random, until: float, stopped: Any, **more: Any
    ) -> Scores:
        return self

    def round(self, old: Contender, new: Contender) -> float:
        self.played.append((str(old.style), str(new.style)))
        chance = next((self._worth[part] for part in self._worth if part in str(new.style)), 0.5)
        return ((self._rng.random() < chance) + (self._rng.random() < chance)) / 2


def rehearse(found: Rehearsal, worth: Mapping[str, float], seed: int = 1) -> Scores:
    scores = Scores(worth, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "QuickMatches", scores)
        found.go_on(FOR_EVER)
    return scores


def test_what_wins_is_kept_and_what_follows_is_tried_on_top(game: Game) -> None:
    found = Rehearsal(game, values="none")
    worth = {"exploration": 0.0, "mac-ucb": 0.0, "symmetry": 0.0, "mast": 0.9}
    scores = rehearse(found, worth)
    assert found.finished
    assert str(found.style) == "woodstock:mast=0.05"
    assert [trial.change for trial in found.trials] == [one.change for one in candidates_of(game)]
    assert [trial.verdict for trial in found.trials] == [True, False, False, False, False, False]
    assert scores.played[0] == ("woodstock", "woodstock:mast=0.05")
    assert scores.played[-1] == ("woodstock:mast=0.05", "woodstock:mast=0.05,symmetry=rules")
    assert ("woodstock:mast=0.05", "mac-ucb") in scores.played
    before = list(found.trials)
    assert rehearse(found, {}).played == []  # there is nothing left to try
    assert found.trials == before


def test_a_later_change_of_the_same_option_replaces_it(game: Game) -> None:
    rehearsed = Rehearsal(game, values="none")
    rehearse(rehearsed, {"mac-ucb": 0.1, "exploration": 0.95})
    found = rehearsed.style.options
    assert (found["choice"], found["halving"], found["exploration"]) == ("grave", False, 0.3)


def test_another_search_that_wins_is_no_tree_any_more(game: Game) -> None:
    found = Rehearsal(game, values="none")
    scores = rehearse(found, {"mac-ucb": 0.95})
    assert str(found.style) == "mac-ucb"
    assert scores.played[-1][1] == "mac-ucb"
    assert found.finished


def test_what_promises_little_waits_until_all_was_tried(game: Game) -> None:
    class Even(Scores):
        def round(self, old: Contender, new: Contender) -> float:
            super().round(old, new)
            if "grave" in str(new.style) and "grave" not in str(old.style):
                return 1.0
            return 0.5 if "mast" in str(new.style) else 0.0

    scores = Even({})
    found = Rehearsal(game, values="none")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "QuickMatches", scores)
        found.go_on(FOR_EVER)
    assert found.finished
    assert str(found.style) == "woodstock:choice=grave,exploration=0.2,halving=false"
    first = [new for _, new in scores.played[:6]]
    tries = first.index(str(found.style))
    assert first[:tries] == ["woodstock:mast=0.05"] * tries
    assert 0 < tries < 4  # an even score does not promise much for long
    assert set(first[tries:]) == {str(found.style)}
    # It is tried once more on top of what has won since, from the beginning.
    again = next(trial for trial in found.trials if trial.change == MAST)
    assert (again.base, again.verdict) == (found.style, False)
    assert len(again.scores) <= MOST_ROUNDS
    assert (str(found.style), str(found.style.with_change(MAST))) in scores.played


def test_errors_are_as_rare_as_they_should_be() -> None:
    taken = {0.5: 0, 0.75: 0}
    for worth in taken:
        for seed in range(200):
            rng = random.Random(f"{worth}/{seed}")
            trial = Trial(MAST)
            while trial.verdict is None:
                trial.scores.append(float(rng.random() < worth))
            taken[worth] += trial.verdict
            assert len(trial.scores) <= MOST_ROUNDS
    assert taken[0.5] <= 10
    assert taken[0.75] >= 170


def test_a_change_that_leads_counts_until_it_is_decided(game: Game) -> None:
    found = Rehearsal(game, values="none")
    first = candidates_of(game)[0].change
    found.trials[:] = [Trial(first, [1.0])]
    assert (found.trials[0].verdict, found.style) == (None, USUAL)
    found.trials[:] = [Trial(first, [1.0] * 5)]
    assert (found.trials[0].verdict, found.style) == (None, first)
    # It is not yet what others are tried on top of.
    scores = rehearse(found, {})
    assert scores.played[0] == ("woodstock", str(first))


@given(st.lists(st.floats(0, 1), max_size=80))
def test_a_verdict_agrees_with_the_score(scores: list[float]) -> None:
    trial = Trial(MAST, scores)
    if trial.verdict:
        assert trial.summary.mean > 0.5
    if trial.verdict is None:
        assert len(scores) < MOST_ROUNDS
    assert str(len(scores)) in str(trial)


@pytest.mark.parametrize("name", ["tic-tac-toe", "matching-pennies", "orchard", "kaseklau"])
def test_rehearsals_of_real_games_end_in_time(name: str) -> None:
    game = Game.from_library(name)
    found = Rehearsal(game)
    found.go_on(soon(0.3))
    assert all(0 <= score <= 1 for trial in found.trials for score in trial.scores)
    rounds = sum(len(trial.scores) for trial in found.trials)
    found.go_on(soon(0.3))  # goes on where it was
    assert found.finished or sum(len(trial.scores) for trial in found.trials) >= rounds


def test_no_time_tries_nothing_and_one_at_a_time_tries(game: Game) -> None:
    found = Rehearsal(game, values="none")
    found.go_on(soon(-1))
    assert not any(trial.scores for trial in found.trials)
    with found._lock:
        found.go_on(FOR_EVER)
    assert not any(trial.scores for trial in found.trials)


def test_a_style_gets_every_seat_and_the_same_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[object], int]] = []

    def match(self: Any, seats: list[Contender], seed: int, by_net: bool) -> list[int]:
        seen.append(([one.style.options.get("mast") for one in seats], seed))
        return [100 if one.style.options else 0 for one in seats]

    monkeypatch.setattr(QuickMatches, "_match", match)
    old, new = Contender(USUAL), Contender(MAST)
    matches = QuickMatches(load("tic-tac-toe"), random.Random(1), FOR_EVER)
    assert matches.round(old, new) == 1.0
    assert [styles for styles, _ in seen] == [[0.05, None], [None, 0.05]]
    assert len({seed for _, seed in seen}) == 1
    seen.clear()
    team = QuickMatches(load("orchard"), random.Random(1), FOR_EVER)
    assert team.round(old, new) == 1.0
    assert [set(styles) for styles, _ in seen] == [{0.05}, {None}]


def test_the_matches_of_a_round_are_played_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=60)

    def match(self: Any, seats: list[Contender], seed: int, by_net: bool) -> list[int]:
        both.wait()  # alone, it would wait for ever
        return [100 if one.style.options else 0 for one in seats]

    monkeypatch.setattr(QuickMatches, "_match", match)
    matches = QuickMatches(load("tic-tac-toe"), random.Random(1), FOR_EVER, threads=2)
    assert matches.round(Contender(USUAL), Contender(MAST)) == 1.0
    monkeypatch.setattr(QuickMatches, "_match", lambda *about: None)
    assert matches.round(Contender(USUAL), Contender(MAST)) is None


def test_what_is_known_goes_into_woodstock_alone(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []
    native_options = vars(make)["native_options"]

    def spy(kind: Any, options: TreeOptions, **more: Any) -> Any:
        made.append(options.mast)
        return native_options(kind, options, **more)

    monkeypatch.setattr(make, "native_options", spy)
    for name in ("woodstock", "woodstock:mast=0", "uct"):
        searcher = make_searcher(name, game, "x", rehearsed=MAST)
        searcher.think(game.initial_state(), limits=Limits(simulations=600))
    make_searcher("woodstock", game, "x")
    assert made == [0.05, 0.0, 0.0, 0.0]


def test_a_player_rehearses_in_the_start_clock(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "woodstock.player")
    rehearsals = Rehearsals()
    player = make_player("woodstock", seed=1, rehearsals=rehearsals)
    player.prepare(game, "x", soon(1.5))
    assert rehearsals.of(game).trials
    assert "rehearsed" in caplog.text
    assert player.choose(game.initial_state(), "x", soon(0.3)) is not None
    plain = make_player("uct", seed=1, rehearsals=rehearsals)
    assert isinstance(plain, ThinkingPlayer)
    other = Game.from_library("tic-tac-toe")
    plain.prepare(other, "x", soon(0.3))
    assert not rehearsals.of(other).trials


def test_a_game_without_a_circuit_is_played_without_rehearsal() -> None:
    game = Game.from_library("nim", engine="lifted")
    rehearsals = Rehearsals()
    player = make_player("woodstock", seed=1, rehearsals=rehearsals)
    player.prepare(game, "player1", soon(1.2))
    assert rehearsals.of(game).finished
    assert not rehearsals.of(game).trials
    state = game.initial_state()
    assert player.choose(state, "player1", soon(0.5)) in state.legal_moves("player1")


def test_a_rehearsal_does_not_keep_its_game_alive() -> None:
    game = Game.from_library("nim")
    found = Rehearsal(game)
    found.go_on(soon(0.2))
    alive = weakref.ref(game)
    del game
    gc.collect()
    assert alive() is None
    found.go_on(FOR_EVER)  # nothing to play any more
    assert isinstance(found, Rehearsal)


def test_who_is_wrong_about_its_moves_makes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuickMatches, "_move", lambda *about: "nonsense")
    matches = QuickMatches(load("hidden-matching-pennies"), random.Random(1), FOR_EVER)
    assert matches.round(Contender(USUAL), Contender(USUAL)) is not None


def test_a_rehearsal_that_fails_does_not_cost_the_search(
    game: Game, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*about: object) -> None:
        raise WoodstockError("no rehearsal")

    monkeypatch.setattr(Rehearsal, "go_on", fail)
    player = ThinkingPlayer(
        lambda game, role: make_searcher("woodstock", game, role),
        seed=1,
        preparation=Preparation("woodstock"),
        clock=clock,
    )
    player.prepare(game, "x", clock.later())
    player.choose(game.initial_state(), "x", clock.later())
    assert player.last_answer is not None
    assert player.last_answer.reason == "search"
