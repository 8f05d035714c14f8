"""Rehearsals that learn: values come first, what is hopeless is left, what is known is used."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from games_support import load
from player_support import Fake, SimulatedClock, reason_of
from woodstock import Game
from woodstock.learn import Training, Values, ValuesCache, train
from woodstock.player import ThinkingPlayer, make_player
from woodstock.search.styles import NET_STYLE, USUAL, Style, candidates_of
from woodstock.tune import Preparation, Rehearsal, Rehearsals, Trial, promise, rehearsal
from woodstock.tune.quick_matches import Contender

FOR_EVER = 1e9


@pytest.fixture
def game() -> Game:
    """A game that nobody else has, so that nothing is known about it."""
    return Game.from_library("tic-tac-toe")


@pytest.fixture(scope="module")
def learned() -> Values:
    return train(load("tic-tac-toe"), positions=1000)


class Scores:
    """Stands in for matches, in which styles with a net get a certain score."""

    def __init__(self, by_net: float) -> None:
        self.by_net = by_net
        self.played: list[tuple[Contender, Contender]] = []

    def __call__(self, *about: object, **more: object) -> Scores:
        return self

    def round(self, old: Contender, new: Contender) -> float:
        self.played.append((old, new))
        return self.by_net if new.style.needs_net and not old.style.needs_net else 0.0


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning takes a tenth of a second, however much time there is."""
    monkeypatch.setattr(rehearsal, "LEAST_LEARNING", 0.0)
    monkeypatch.setattr(rehearsal, "MOST_LEARNING", 0.1)


def rehearse(found: Rehearsal, by_net: float, until: float = FOR_EVER) -> Scores:
    scores = Scores(by_net)
    with pytest.MonkeyPatch.context() as patch:
        for module in (rehearsal, promise):
            patch.setattr(module, "QuickMatches", scores)
        found.go_on(until)
    return scores


@pytest.mark.usefixtures("short")
def test_a_net_that_wins_is_searched_with(game: Game) -> None:
    found = Rehearsal(game)
    assert found.learns
    scores = rehearse(found, by_net=1.0)
    assert found.finished
    assert found.values is not None
    assert found.values.fits(game)
    assert str(found.style) == NET_STYLE
    # After it has won, trees are not tried any more.
    assert {str(new.style) for _, new in scores.played} == {
        NET_STYLE,
        f"{NET_STYLE},answer=followed",
    }
    assert all(one.net is found.values.net for one in scores.played[-1])


def test_a_net_that_wins_learns_on(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "LEAST_LEARNING", 0.0)
    asked: list[float] = []
    real = Training.go_on

    def go_on(self: Training, *, until: float, **more: Any) -> Any:
        asked.append(until - time.monotonic())
        return real(self, positions=1000)

    monkeypatch.setattr(Training, "go_on", go_on)
    monkeypatch.setattr(rehearsal, "MOST_LEARNING", 1000.0)
    for by_net, calls in ((1.0, 2), (0.3, 1)):
        asked.clear()
        found = Rehearsal(game)
        rehearse(found, by_net)
        assert len(asked) == calls
        assert found.values is not None
        assert found.values.about.positions >= calls * 1000


@pytest.mark.usefixtures("short")
def test_a_hopeless_net_costs_a_few_rounds(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promise, "LOOK_AFTER", 0.0)
    monkeypatch.setattr(rehearsal, "MOST_LEARNING", 1000.0)
    found = Rehearsal(game)
    scores = rehearse(found, by_net=0.0)  # ends long before that
    assert found.finished
    assert found.style == USUAL
    by_net = [str(new.style) for _, new in scores.played if new.style.needs_net]
    assert by_net.count(NET_STYLE) == promise.LOOK_ROUNDS
    assert [trial.change for trial in found.trials] == [
        one.change for one in candidates_of(game, net="little") if one.base == "woodstock"
    ]


def test_a_short_clock_is_for_rehearsing(game: Game) -> None:
    found = Rehearsal(game)
    rehearse(found, 1.0, time.monotonic() + 0.5)
    assert found.values is None
    assert found.learns  # another time
    assert str(found.trials[0].change) == "woodstock:mast=0.05"


@pytest.mark.parametrize("name", ["kuhn-poker", "monty-hall"])
def test_what_is_hidden_is_rehearsed_as_before(name: str) -> None:
    game = load(name)
    found = Rehearsal(game)
    assert not found.learns
    rehearse(found, 1.0)
    assert [trial.change for trial in found.trials] == [one.change for one in candidates_of(game)]


def test_no_values_no_learning(game: Game) -> None:
    found = Rehearsal(game, values="none")
    assert not found.learns
    rehearse(found, 1.0)
    assert found.values is None
    assert not any(trial.change.needs_net for trial in found.trials)


def test_what_is_undecided_is_no_judgement(game: Game, learned: Values) -> None:
    found = Rehearsal(game, values=learned.tried("woodstock"))
    net = Style.parse(NET_STYLE)
    for scores, judgement in (([1.0, 0.5], ""), ([1.0] * 9, NET_STYLE), ([0.0] * 9, "woodstock")):
        found.trials[:] = [Trial(net, scores)]
        assert found.judgement == judgement


def test_given_values_are_used_at_once(game: Game, learned: Values) -> None:
    found = Rehearsal(game, values=learned)
    assert (found.values, str(found.style), found.learns) == (learned, NET_STYLE, False)
    best = f"{NET_STYLE},answer=followed"
    assert str(Rehearsal(game, values=learned.tried(best)).style) == best
    assert Rehearsal(game, values=learned.tried("woodstock")).style == USUAL
    # A style that nobody knows here.
    assert str(Rehearsal(game, values=learned.tried("dream:depth=3")).style) == NET_STYLE


def test_values_of_another_game_are_not_used(
    learned: Values, caplog: pytest.LogCaptureFixture
) -> None:
    found = Rehearsal(load("connect-four"), values=learned)
    assert found.values is None
    assert found.learns
    assert "of other rules" in caplog.text


@pytest.mark.usefixtures("short")
def test_what_is_learned_is_kept_and_found_again(game: Game, tmp_path: Path) -> None:
    cache = ValuesCache(tmp_path)
    first = Rehearsal(game, cache=cache)
    rehearse(first, by_net=1.0)
    kept = cache.find(game)
    assert kept is not None
    assert kept.about.style == NET_STYLE
    again = Rehearsal(Game.from_library("tic-tac-toe"), cache=cache)
    assert again.values is not None
    assert str(again.style) == NET_STYLE


@pytest.mark.usefixtures("short")
def test_kept_values_that_did_not_help_are_learned_anew(game: Game, tmp_path: Path) -> None:
    cache = ValuesCache(tmp_path)
    rehearse(Rehearsal(game, cache=cache), by_net=0.0)
    kept = cache.find(game)
    assert kept is not None
    assert kept.about.style == "woodstock"
    again = Rehearsal(game, cache=cache)
    assert (again.values, again.learns, again.style) == (None, True, USUAL)


def test_kept_values_are_replaced_by_a_longer_training_alone(
    game: Game, learned: Values, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "LEAST_LEARNING", 0.0)
    cache = ValuesCache(tmp_path)
    cache.keep(learned)
    trained = learned.about.cpu_seconds
    for most, new in ((trained, False), (10 * trained + 1, True)):
        monkeypatch.setattr(rehearsal, "MOST_LEARNING", most)
        found = Rehearsal(game, cache=cache)
        rehearse(found, by_net=1.0)
        assert found.values is not None
        assert (found.values.about != learned.about) == new
        assert not found.learns


def test_learning_can_be_stopped(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    real = Training.go_on

    def go_on(self: Training, **limits: Any) -> Any:
        begun.set()
        return real(self, **limits)

    monkeypatch.setattr(Training, "go_on", go_on)
    found = Rehearsal(game)
    thread = threading.Thread(target=found.go_on, args=(time.monotonic() + 1e6,))
    thread.start()
    assert begun.wait(60)
    while thread.is_alive():  # a stop that comes before the training begins is lost
        found.stop()
        thread.join(0.01)
    assert not thread.is_alive()
    assert found.learns  # there is more to learn


@pytest.mark.usefixtures("short")
def test_players_share_what_was_learned(game: Game) -> None:
    rehearsals = Rehearsals()
    preparation = Preparation("mac-ucb:values=net", rehearsals)
    preparation.go_on(game, time.monotonic() + 60)
    values = rehearsals.of(game).values
    assert values is not None
    assert not rehearsals.of(game).trials
    assert preparation.searcher(game, "x") is not None
    Preparation("mac-ucb:values=blend", rehearsals).go_on(game, time.monotonic() + 60)
    assert rehearsals.of(game).values is values


def test_who_has_no_net_plays_without(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "woodstock.player")
    assert Preparation("mac-ucb:values=net").searcher(game, "x") is not None
    assert "no values for tic-tac-toe" in caplog.text


def test_files_belong_to_who_names_them(game: Game, learned: Values, tmp_path: Path) -> None:
    path = tmp_path / "my.values"
    learned.save(path)
    rehearsals = Rehearsals()
    Preparation(f"woodstock:values={path}", rehearsals).searcher(game, "x")
    assert rehearsals.of(game).values is None
    mine = rehearsals.with_values(Values.load(path))
    assert mine is rehearsals.with_values(Values.load(path))
    assert mine.of(game).values is not None
    assert Preparation("woodstock:values=playouts", rehearsals).needed
    assert not rehearsals.with_values("none").of(game).learns


def test_a_player_in_a_hurry_ends_what_it_learns(game: Game) -> None:
    player = make_player("woodstock", seed=1)
    thread = threading.Thread(target=player.prepare, args=(game, "x", time.monotonic() + 3000))
    thread.start()
    while thread.is_alive():
        player.close()
        thread.join(0.05)
    state = game.initial_state()
    assert player.choose(state, "x", time.monotonic() + 60) in state.legal_moves("x")
    assert player.last_answer is not None
    assert player.last_answer.reason == "search"


def test_styles_are_written_like_players() -> None:
    for name in ("tic-tac-toe", "kuhn-poker", "wumpus"):
        for one in candidates_of(load(name), net="much"):
            assert Style.parse(str(one.change)) == one.change


def test_pauses_of_a_match_are_for_learning(game: Game, clock: SimulatedClock) -> None:
    """With `ponder`, and a net that is searched with; a search that knows too little goes."""
    made: list[Fake] = []
    learned = threading.Event()

    class Pauses:
        """Stands in for a preparation: there is something to learn in the first pause."""

        needed = True
        renewed = 0
        stopped = threading.Event()

        def can_study(self, game: Game) -> bool:
            return not learned.is_set()

        def study(self, game: Game) -> None:
            learned.set()
            clock.wait(self.stopped, float("inf"))

        def stop(self, game: Game) -> None:
            self.stopped.set()

        def renew(self, game: Game) -> bool:
            self.renewed += 1
            return True

    def make(game: Game, role: str) -> Fake:
        made.append(Fake(role))
        return made[-1]

    pauses = Pauses()
    preparation: Any = pauses
    player = ThinkingPlayer(make, seed=1, ponder=True, preparation=preparation, clock=clock)
    state = game.initial_state()
    player.choose(state, "x", clock.soon())
    assert learned.wait(60)
    assert len(made[0].asked) == 1  # it does not think ahead meanwhile
    player.choose(state, "x", clock.soon())
    assert pauses.stopped.is_set()
    assert pauses.renewed == 1
    assert len(made) == 2
    player.close()
    assert reason_of(player) == "search"


@pytest.mark.usefixtures("short")
def test_values_are_renewed_when_much_was_learned(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Rehearsal(game)
    assert not found.can_study
    rehearse(found, by_net=1.0)
    assert found.can_study
    first = found.values
    assert first is not None
    assert not found.renew()  # nothing new
    monkeypatch.setattr(rehearsal, "MOST_STUDY", 3 * first.about.seconds)
    found.study()
    assert not found.can_study  # enough
    assert found.renew()
    assert found.values is not None
    assert found.values.about.games > first.about.games
    assert found.values.about.style == first.about.style
    assert not found.renew()


@pytest.mark.usefixtures("short")
def test_nothing_is_studied_where_the_net_does_not_win(game: Game) -> None:
    found = Rehearsal(game)
    rehearse(found, by_net=0.0)
    assert not found.can_study
