"""Moves that can be made together: none of them makes another illegal or changes what it does.

Wherever each of such moves is legal, they can be made one after the other, in any order, and lead
to the same state.
"""

from __future__ import annotations

from collections.abc import Iterable

from woodstock.plan.effects import CHANGES, Effects
from woodstock.plan.expressions import bits

__all__ = ["Independence"]


class Independence:
    """Which moves keep each other from being made in one stage, fluent by fluent.

    Moves that look at clocks are not among `moves`.
    """

    def __init__(self, effects: Effects) -> None:
        self.moves = [n for n, e in effects.moves.items() if not e.reads & effects.clocks]
        self.effects = [effects.moves[n] for n in self.moves]
        self._by: dict[str, dict[int, int]] = {}
        """For each way of having to do with a fluent: the places of the moves that do."""
        for way in (*CHANGES, "rises", "falls", "pro", "contra", "looks", "changes"):
            users = self._by[way] = {}
            for place, effect in enumerate(self.effects):
                for fluent in bits(getattr(effect, way)):
                    users[fluent] = users.get(fluent, 0) | 1 << place
        self.clashes = list(dict.fromkeys(self._clashes()))
        """Pairs of sets of places: no two different moves of the one and of the other."""

    def of(self, way: str, fluent: int) -> list[int]:
        """The places of the moves that have to do with a fluent in a way."""
        return bits(self._by[way].get(fluent, 0))

    def _clashes(self) -> Iterable[tuple[int, int]]:
        pairs = [("rises", "contra"), ("falls", "pro"), ("changes", "looks"), ("other", "changes")]
        pairs += [("set", "cleared"), ("set", "flipped"), ("cleared", "flipped")]
        for first, second in pairs:
            others = self._by[second]
            for fluent, places in self._by[first].items():
                if fluent in others and places | others[fluent] != places & -places:
                    yield places, others[fluent]

    def groups(self) -> list[list[int]]:
        """Places of moves that exclude each other, each in one group; few groups, if it is lucky.

        A game is worth stages like these where there are several groups.
        """
        against = [0] * len(self.moves)
        for first, second in self.clashes:
            for place in bits(first):
                against[place] |= second
            for place in bits(second):
                against[place] |= first
        left, found = list(range(len(self.moves))), []
        while left:
            group, common, rest = [left[0]], against[left[0]], []
            for place in left[1:]:
                if common >> place & 1:
                    group.append(place)
                    common &= against[place]
                else:
                    rest.append(place)
            found.append(group)
            left = rest
        return found
