"""A look at a training: whether it promises anything, before most of the time has gone by."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from woodstock import _core
from woodstock.game import Game
from woodstock.learn import Training
from woodstock.search.styles import NET_STYLE, USUAL, Style
from woodstock.tune.quick_matches import Contender, QuickMatches

__all__ = ["Promise"]

LOOK_AFTER, LOOK_SHARE, LOOK_ROUNDS = 0.4, 0.2, 3
"""When a look is taken whether it is worth it, in parts of the time for learning, how much of that
the look may take, and how many rounds without a point are enough to leave it."""


class Promise:
    """Listens to a training that ends then, and tells whether it is hopeless.

    It is not as soon as the net has won or drawn one of a few matches.
    """

    def __init__(
        self,
        game: Game,
        training: Training,
        rng: random.Random,
        end: float,
        stopped: Callable[[], bool],
    ) -> None:
        now = time.monotonic()
        self._game = game
        self._training = training
        self._rng = rng
        self._stopped = stopped
        self._at = now + LOOK_AFTER * (end - now)
        self._until = self._at + LOOK_SHARE * (end - now)
        self._done = False
        self.hopeless = False

    def hear(self, progress: _core.TrainingProgress) -> bool:
        """Whether to go on; False where the training is hopeless."""
        if not self._done and time.monotonic() >= self._at:
            self._done = True
            self.hopeless = self._loses()
        return not self.hopeless

    def _loses(self) -> bool:
        until = max(self._until, time.monotonic() + LOOK_SHARE * (self._until - self._at))
        matches = QuickMatches(self._game, self._rng, until, self._stopped, longest=1.0)
        net = Contender(Style.parse(NET_STYLE), self._training.values.net)
        for _ in range(LOOK_ROUNDS):
            score = matches.round(Contender(USUAL), net)
            if score is None or score > 0:
                return False
        return True
