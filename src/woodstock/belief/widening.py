"""When a sample of particles is made larger: it has degenerated, and looking for more may help.

A particle filter that only plays on loses particles from turn to turn, and those that are left
come from ever fewer ancestors: what chance did long ago is then the same in all of them (path
degeneracy). Two remedies have costs of their own, so neither is tried all the time.
"""

from __future__ import annotations

__all__ = ["FEW", "Widening"]

CONTENT = 5
"""For how many turns a sample is left alone that could not be made larger by rejuvenation."""
FEW = 8
"""Of what part of the matches that are looked for a sample is too small."""


class Widening:
    """Knows since when a sample only shrinks, and until when it is not worth looking for more.

    `wanted` is how many matches a reinvigoration looks for. Turns are numbered from 1 on.

    >>> widening = Widening(wanted=80)
    >>> widening.needs_rejuvenation(ancestors=20, turn=3)
    True
    >>> widening.rejuvenated(ancestors=20, size=30, turn=3)  # not even twice as many
    >>> widening.needs_rejuvenation(ancestors=20, turn=7), widening.needs_reinvigoration(9, turn=7)
    (False, True)
    """

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self._drawn = 0  # the turn in which the sample was last drawn from all that may be
        self._rejuvenate_from = 0
        self._reinvigorate_from = 0

    def drawn(self, turn: int) -> None:
        """What is believed since this turn is not the offspring of a smaller sample."""
        self._drawn = turn

    def age(self, turn: int) -> int:
        """For how many turns there has been nothing but offspring."""
        return turn - self._drawn

    def died_out(self) -> None:
        """No particle is left: what there was no more of may be found in other places now."""
        self._rejuvenate_from = 0

    def needs_rejuvenation(self, ancestors: int, turn: int) -> bool:
        """Whether particles of so many ancestors are too much alike."""
        # Not the effective sample size, which looks at weights alone: equal weights of particles
        # that share their past would pass for a good sample.
        return ancestors < self.wanted and turn >= self._rejuvenate_from

    def rejuvenated(self, ancestors: int, size: int, turn: int) -> None:
        """It was tried, and there are so many particles now."""
        if size < 2 * ancestors:
            # There may be no more of them; to look again at once would find the same.
            self._rejuvenate_from = turn + CONTENT

    def needs_reinvigoration(self, size: int, turn: int) -> bool:
        """Whether so few particles are about to die out."""
        return size < self.wanted // FEW and turn >= self._reinvigorate_from

    def reinvigorated(self, turn: int) -> None:
        """It was tried."""
        # The longer a match is, the more it takes: few particles have to do for a while.
        self._reinvigorate_from = turn * 5 // 4 + 1
