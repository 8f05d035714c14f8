"""Following a match by what one role does and perceives: Bayesian filtering.

Every state that was possible is played on with every joint move that the role's own move leaves
open, and what does not lead to the percepts is dropped. As long as that is not too much, the belief
is exact; after that it is a particle filter, a sample drawn by playing on with random moves. One
that dies out is reinvigorated from the beginning of the match on; see
`woodstock.belief.belief_tracker`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from woodstock.belief.belief import Belief
from woodstock.belief.plain_particle_filter import PlainParticleFilter
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["Tracker", "make_tracker"]


class Tracker(Protocol):
    """Keeps the belief of a role up to date."""

    @property
    def belief(self) -> Belief:
        """What is believed after the last turn."""

    def advance(self, move: Term | None, percepts: Collection[Term] | None, until: float) -> bool:
        """A turn has gone by, with this move of our own and these percepts; None: not known.

        From `until` on, a reading of `time.monotonic`, one state that agrees is enough. Whether
        states were found that agree; if not, the belief is a guess, and one turn later all the
        same.
        """


def make_tracker(game: Game, role: str, *, seed: int) -> Tracker:
    """The best tracker that there is for a game."""
    if game.engine.name == "circuit":
        # The native core is only loaded when it is wanted.
        from woodstock.belief.particle_filter import ParticleFilter

        return ParticleFilter(game, role, seed=seed)
    return PlainParticleFilter(game, role, seed=seed)
