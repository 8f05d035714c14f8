"""What it costs to follow a match, in joint moves that are tried: bounded, in each turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from belief_support import KINDS, KRIEG, AnyTracker, hidden, own_memories, past, played, sampling
from woodstock import Game
from woodstock.belief import reinvigoration as reinvigoration_module
from woodstock.belief import stages as stages_module
from woodstock.belief.observation import Observation
from woodstock.belief.particle_filter import ParticleFilter
from woodstock.belief.plain_particle_filter import LEAST_TRIES
from woodstock.belief.reinvigoration import Reinvigoration
from woodstock.belief.widening import FEW


class Work:
    """Counts what trackers do with a game, one after the other."""

    def __init__(self, game: Game, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.clear()
        engine = game.engine
        self._spy(engine, "next", lambda found, _: self._add("steps", 1))
        self._spy(engine, "successors", lambda found, _: self._add("steps", len(found)))
        self._spy(
            reinvigoration_module._NetworkWalk, "enter", lambda found, _: self._add("choices", 1)
        )
        self._spy(Reinvigoration, "find", lambda found, _: self._add("reinvigorations", 1))

    def watch(self, tracker: AnyTracker) -> None:
        """Count what its native filter is allowed to do, if it has one."""
        if isinstance(tracker, ParticleFilter):
            real = tracker._filter
            spy = SimpleNamespace(
                all=real.all, some=real.some, forget=real.forget, rejuvenate=real.rejuvenate
            )
            self._spy(spy, "all", lambda _, asked: self._add("moves", asked["most_moves"]))
            self._spy(spy, "some", self._sampled)
            self._spy(spy, "rejuvenate", lambda _, asked: self._add("rejuvenated", 1))
            self._patch.setattr(tracker, "_filter", spy)

    def clear(self) -> None:
        self.steps = self.moves = self.choices = self.reinvigorations = 0
        self.samples = self.hasty = self.rejuvenated = 0

    def _sampled(self, _: object, asked: Mapping[str, Any]) -> None:
        self.moves += asked["tries"]
        self.samples += 1
        self.hasty += asked["seconds"] == asked["hopeless"] == 0

    def _add(self, what: str, count: int) -> None:
        setattr(self, what, getattr(self, what) + count)

    def _spy(self, owner: object, name: str, count: Callable[[Any, Any], None]) -> None:
        real = getattr(owner, name)

        def counted(*args: Any, **asked: Any) -> Any:
            found = real(*args, **asked)
            count(found, asked)
            return found

        self._patch.setattr(owner, name, counted)


def lies_about(game: Game, role: str, turns: int) -> list[Observation]:
    """What a role did in one match, and perceived in another."""
    pairs = zip(played(game, role, 1, turns), played(game, role, 2, turns))
    return [Observation(mine.move, other.percepts) for mine, other in pairs]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["mastermind", "sheep-and-wolf-hidden", "schnappt-hubi"])
def test_the_work_of_a_turn_is_bounded(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the match is, and however little of what is told can be true."""
    expanded, count, tries, choices, tried, joints = 200, 8, 50, 40, 60, 32
    monkeypatch.setattr(reinvigoration_module, "CHOICES", choices)
    monkeypatch.setattr(stages_module, "TRIED", tried)
    monkeypatch.setattr(stages_module, "JOINT_MOVES", joints)
    game = hidden(name)
    role = game.players[0]
    tracker = sampling(kind, game, role, count, tries, expanded=expanded)
    work = Work(game, monkeypatch)
    work.watch(tracker)
    guessed = reinvigorations = 0
    for turn, observation in enumerate(lies_about(game, role, 12), 1):
        work.clear()
        guessed += not tracker.advance(*observation, math.inf)
        reinvigorations += work.reinvigorations
        assert work.reinvigorations <= 2
        assert work.choices <= 2 * choices
        assert work.rejuvenated <= 2
        trying = 2 * expanded + 4 * tries
        reinvigorating = 2 * (stages_module.TOGETHER * (tried + joints) + count * turn)
        assert work.moves <= trying
        assert work.steps <= reinvigorating + (trying if kind == "plain" else 0)
    assert guessed
    assert reinvigorations


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["mastermind", "wumpus", "schnappt-hubi", "latent-tic-tac-toe-10x10", KRIEG]
)
def test_a_turn_is_a_turn_without_any_time(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is believed is a turn later, and little is done for it, whatever was told."""
    game = hidden(name)
    work = Work(game, monkeypatch)
    for role in game.players:
        for told in (played(game, role, 1, 6), lies_about(game, role, 6)):
            tracker = sampling(kind, game, role, 2, 4, expanded=200)
            work.watch(tracker)
            for turn, observation in enumerate(told, 1):
                before = own_memories(tracker, game, role)
                over = all(state.is_terminal for state in tracker.belief.states)
                work.clear()
                tracker.advance(*observation, past())
                assert tracker.belief.turn == turn
                assert over or before.isdisjoint(own_memories(tracker, game, role))
                assert work.steps <= 4 * LEAST_TRIES
                assert work.hasty == work.samples <= 4
                assert not work.choices


def test_a_small_sample_is_reinvigorated_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, role = hidden("wumpus"), "hunter"
    work = Work(game, monkeypatch)
    tracker = sampling("native", game, role, 80, 40)
    for observation in played(game, role, 1, 8):
        assert tracker.advance(*observation, math.inf)
        assert len(tracker.belief.positions) >= 80 // FEW
    assert 1 <= work.reinvigorations <= 3  # not all the time
