"""Rehearsals: what wins is kept, what does not is left, and time is kept to."""

from __future__ import annotations

import gc
import logging
import random
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
from woodstock.search.presets import variants_of
from woodstock.tune import rehearsal
from woodstock.tune.rehearsal import Rehearsal, Rehearsals, Trial

FOR_EVER = 1e9


def soon(seconds: float) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def game() -> Game:
    """A game that nobody else has, so that nothing is known about it."""
    return Game.from_library("tic-tac-toe")


class Scores:
    """Stands in for matches: a style scores what its options are worth."""

    def __init__(self, worth: Mapping[tuple[str, float], float], seed: int = 1) -> None:
        self._worth: Mapping[Any, float] = worth
        self._rng = random.Random(seed)
        self.played: list[tuple[Mapping[str, object], Mapping[str, object]]] = []

    def __call__(self, game: Game, rng: random.Random, until: float) -> Scores:
        return self

    def round(self, old: Mapping[str, object], new: Mapping[str, object]) -> float:
        self.played.append((dict(old), dict(new)))
        changed = [item for item in new.items() if old.get(item[0]) != item[1]]
        chance = next((self._worth[item] for item in changed if item in self._worth), 0.5)
        return ((self._rng.random() < chance) + (self._rng.random() < chance)) / 2


def rehearse(found: Rehearsal, worth: Mapping[tuple[str, float], float], seed: int = 1) -> Scores:
    scores = Scores(worth, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "_Matches", scores)
        found.go_on(FOR_EVER)
    return scores


def test_what_wins_is_kept_and_what_follows_is_tried_on_top(game: Game) -> None:
    worth = {
        ("mast", 0.05): 0.9,
        ("exploration", 0.2): 0.2,
        ("exploration", 0.8): 0.2,
        ("exploration", 0.3): 0.2,
    }
    found = Rehearsal(game)
    scores = rehearse(found, worth)
    assert found.finished
    assert found.options == {"mast": 0.05}
    assert [trial.change for trial in found.trials] == list(variants_of(game))
    assert [trial.verdict for trial in found.trials] == [True, False, False, False]
    assert scores.played[0] == ({}, {"mast": 0.05})
    assert scores.played[-1] == ({"mast": 0.05}, {"mast": 0.05, "exploration": 0.3})
    before = list(found.trials)
    assert rehearse(found, {}).played == []  # there is nothing left to try
    assert found.trials == before


def test_a_later_change_of_the_same_option_replaces_it(game: Game) -> None:
    rehearsed = Rehearsal(game)
    rehearse(rehearsed, dict.fromkeys([("exploration", c) for c in (0.2, 0.8, 0.3)], 0.95))
    found = rehearsed.options
    assert (found["choice"], found["halving"], found["exploration"]) == ("grave", False, 0.3)


def test_errors_are_as_rare_as_they_should_be() -> None:
    taken = {0.5: 0, 0.75: 0}
    for worth in taken:
        for seed in range(200):
            rng = random.Random(f"{worth}/{seed}")
            trial = Trial({"mast": 0.05})
            while trial.verdict is None:
                trial.scores.append(float(rng.random() < worth))
            taken[worth] += trial.verdict
            assert len(trial.scores) <= rehearsal.MOST_ROUNDS
    assert taken[0.5] <= 10
    assert taken[0.75] >= 170


def test_a_change_that_leads_counts_until_it_is_decided(game: Game) -> None:
    found = Rehearsal(game)
    first, *_ = variants_of(game)
    found.trials[:] = [Trial(first, [1.0] * 3)]
    assert (found.trials[0].verdict, found.options) == (None, {})
    found.trials[:] = [Trial(first, [1.0] * 5)]
    assert (found.trials[0].verdict, found.options) == (None, dict(first))
    # It is not yet what others are tried on top of.
    scores = rehearse(found, {})
    assert scores.played[0] == ({}, dict(first))


@given(st.lists(st.floats(0, 1), max_size=80))
def test_a_verdict_agrees_with_the_score(scores: list[float]) -> None:
    trial = Trial({"mast": 0.05}, scores)
    if trial.verdict:
        assert trial.summary.mean > 0.5
    if trial.verdict is None:
        assert len(scores) < rehearsal.MOST_ROUNDS
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
    found = Rehearsal(game)
    found.go_on(soon(-1))
    assert not any(trial.scores for trial in found.trials)
    with found._lock:
        found.go_on(FOR_EVER)
    assert not any(trial.scores for trial in found.trials)


def test_a_style_gets_every_seat_and_the_same_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[object], int]] = []

    def match(self: Any, styles: list[Mapping[str, object]], seed: int) -> list[int]:
        seen.append(([style.get("mast") for style in styles], seed))
        return [100 if style else 0 for style in styles]

    monkeypatch.setattr(rehearsal._Matches, "_match", match)
    matches = rehearsal._Matches(load("tic-tac-toe"), random.Random(1), FOR_EVER)
    assert matches.round({}, {"mast": 0.05}) == 1.0
    assert [styles for styles, _ in seen] == [[0.05, None], [None, 0.05]]
    assert len({seed for _, seed in seen}) == 1
    seen.clear()
    team = rehearsal._Matches(load("orchard"), random.Random(1), FOR_EVER)
    assert team.round({}, {"mast": 0.05}) == 1.0
    assert [set(styles) for styles, _ in seen] == [{0.05}, {None}]


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
        searcher = make_searcher(name, game, "x", rehearsed={"mast": 0.05})
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
    monkeypatch.setattr(rehearsal._Matches, "_move", lambda *about: "nonsense")
    matches = rehearsal._Matches(load("hidden-matching-pennies"), random.Random(1), FOR_EVER)
    assert matches.round({}, {}) is not None


def test_a_rehearsal_that_fails_does_not_cost_the_search(
    game: Game, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*about: object) -> None:
        raise WoodstockError("no rehearsal")

    monkeypatch.setattr(Rehearsal, "go_on", fail)
    player = ThinkingPlayer(
        lambda game, role: make_searcher("woodstock", game, role),
        seed=1,
        rehearsals=Rehearsals(),
        clock=clock,
    )
    player.prepare(game, "x", clock.later())
    player.choose(game.initial_state(), "x", clock.later())
    assert player.last_answer is not None
    assert player.last_answer.reason == "search"
