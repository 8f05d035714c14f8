"""Training: self-play in bulk that makes values, in native code, and can be gone on with."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from woodstock import _core
from woodstock.background import Stoppable
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.learn.digest import rules_digest
from woodstock.learn.features import feature_kinds, rule_features, value_symmetries
from woodstock.learn.values import Values, ValuesRecord
from woodstock.solve.concepts import concept_of

__all__ = ["OnTraining", "Training", "TrainingError", "cannot_learn", "train"]

OnTraining: TypeAlias = Callable[[_core.TrainingProgress], bool | None]
"""Hears on the way how far a training has come; it ends the training by False or an exception."""


SYMMETRY_SECONDS = 2.0
"""What the search for symmetries may take; all games of the library take less than 0.1."""


class TrainingError(WoodstockError, ValueError):
    """A game whose values cannot be learned; the message says why."""


def cannot_learn(game: Game) -> str:
    """Why no values can be learned for a game; empty where they can.

    Self-play is played on the circuit, and a net values states: where something is hidden, players
    do not know them.

    >>> cannot_learn(Game.load("breakthrough"))
    ''
    >>> cannot_learn(Game.load("monty-hall"))
    'something is hidden in it, and a net values states that are seen'
    >>> cannot_learn(Game.load("nim", engine="lifted"))
    'it has no circuit to play against itself on; it plays on the lifted engine'
    """
    if game.engine.name != "circuit":
        return (
            "it has no circuit to play against itself on; it plays on the "
            f"{game.engine.name} engine"
        )
    if game.information != "complete":
        return "something is hidden in it, and a net values states that are seen"
    if game.initial_state().is_terminal:
        return "it is over before it begins"
    return ""


class Training:
    """The training of one game's values, as far as it has come.

    One thread at a time trains; `stop` is for the others. Equal seeds, threads and numbers of
    positions give equal nets. Raises `TrainingError` where there is nothing to learn.

    >>> training = Training(Game.load("tic-tac-toe"), seed=1)
    >>> training.go_on(positions=1000).positions >= 1000
    True
    >>> before = training.values.about.games
    >>> training.go_on(positions=1000).games > before
    True
    """

    def __init__(self, game: Game, *, seed: int = 0, threads: int = 1) -> None:
        reason = cannot_learn(game)
        if reason:
            raise TrainingError(f"{game.name}: there is nothing to learn: {reason}")
        begun = time.process_time()
        options = _core.TrainerOptions()
        options.seed = seed
        options.threads = threads
        options.chance = game.roles.index(RANDOM) if RANDOM in game.roles else None
        options.difference = concept_of(game) == "difference"
        try:
            options.check()
            features = rule_features(game)
            self._trainer = _core.Trainer(
                game.circuit().circuit,
                features,
                options,
                [
                    *value_symmetries(game, seconds=SYMMETRY_SECONDS),
                    # What is learned of one side, the other need not learn again.
                    *value_symmetries(game, seconds=SYMMETRY_SECONDS, exchange_roles=True),
                ],
                feature_kinds(game, features),
            )
        except ValueError as problem:
            raise TrainingError(f"{game.name}: {problem}") from None
        self._name = game.name
        self._digest = rules_digest(game)
        self._seed = seed
        self._threads = threads
        self._work = Stoppable("this training is going on")
        self.making_seconds = time.process_time() - begun
        """CPU seconds that it took to find what the net looks at."""

    def go_on(
        self,
        *,
        until: float | None = None,
        seconds: float | None = None,
        cpu_seconds: float | None = None,
        positions: int | None = None,
        on_progress: OnTraining | None = None,
    ) -> _core.TrainingProgress:
        """Play and learn until one of the limits, or until `stop`; how far it has come.

        `until` is a reading of `time.monotonic`, `seconds` and CPU seconds of this thread are
        counted from now, `positions` are those of this call. Steps get smaller over the first call,
        and stay small in later ones. Raises `RuntimeError` while another thread trains.
        """
        if until is not None:
            left = max(0.0, until - time.monotonic())
            seconds = left if seconds is None else min(left, seconds)
        if seconds is None and cpu_seconds is None and positions is None:
            raise TrainingError("say how long to train: seconds, cpu_seconds, until or positions")
        heard = None if on_progress is None else lambda now: on_progress(now) is not False
        with self._work.begun() as stop:
            return self._trainer.go_on(
                stop,
                seconds=seconds,
                cpu_seconds=cpu_seconds,
                positions=positions,
                progress=heard,
            )

    def stop(self) -> None:
        """Let a `go_on` on another thread return soon; else do nothing."""
        self._work.stop()

    @property
    def progress(self) -> _core.TrainingProgress:
        """How far it has come."""
        return self._trainer.progress

    @property
    def values(self) -> Values:
        """What has been learned so far; not for other threads while one trains."""
        net, progress = self._trainer.net, self._trainer.progress
        if net is None:
            raise TrainingError(f"{self._name}: nothing has been learned yet; train for longer")
        about = ValuesRecord(
            game=self._name,
            seed=self._seed,
            threads=self._threads,
            seconds=progress.seconds,
            cpu_seconds=progress.cpu_seconds,
            games=progress.games,
            positions=progress.positions,
            loss=progress.loss,
            patterns=net.patterns,
            hidden=net.hidden,
        )
        return Values(net, self._digest, about)


def train(
    game: Game,
    seconds: float | None = None,
    *,
    positions: int | None = None,
    seed: int = 0,
    threads: int = 1,
    on_progress: OnTraining | None = None,
) -> Values:
    """Values of a game, learned in so many seconds (20 unless told) or from so many positions.

    >>> train(Game.load("hidden-matching-pennies"))
    Traceback (most recent call last):
    ...
    woodstock.learn.training.TrainingError: hidden-matching-pennies: there is nothing to learn: ...
    """
    if seconds is None and positions is None:
        seconds = 20.0
    training = Training(game, seed=seed, threads=threads)
    training.go_on(seconds=seconds, positions=positions, on_progress=on_progress)
    return training.values
