"""Moves of one player that may as well be made in the other order, and which order is enough.

All states must agree on which moves commute, so it is read off their effects. The state between
two moves is another one when they are swapped, and the game must not end there. It does not, where
it is never over while such moves are legal. Nor does it, if the game is not over after both of
them, and all that they do can only bring its end nearer; then two moves are swapped only where the
game goes on after both.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from woodstock import _core
from woodstock.plan.effects import CHANGES, Effect, Effects
from woodstock.plan.expressions import NotKnown, Way, bits

__all__ = ["MoveOrder", "order_of"]


@dataclass(frozen=True)
class MoveOrder:
    """In which order moves that commute are made: by their places in `rank`.

    Moves without a place commute with none; `apart` has, for each place, the later places whose
    moves may have to come first: they do not commute with it, and leave it legal.
    """

    rank: dict[int, int]
    apart: list[list[int]]
    strict: bool = False
    """Whether moves may be swapped also where the game ends after both."""

    @functools.cached_property
    def cuts(self) -> frozenset[int]:
        """Places such that no move below has to come after one that is not."""
        found, reach = [], -1
        for place, others in enumerate(self.apart):
            if reach < place:
                found.append(place)
            reach = max(reach, *others, -1)
        return frozenset(found)

    @property
    def size(self) -> int:
        """The number of pairs."""
        places = len(self.apart)
        return places * (places - 1) // 2 - sum(map(len, self.apart))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Moves of which the second need not come right before the first."""
        moves = list(self.rank)
        for first, others in enumerate(self.apart):
            kept = set(others)
            for second in range(first + 1, len(moves)):
                if second not in kept:
                    yield moves[first], moves[second]


def order_of(
    program: _core.GroundProgram, relevant: Iterable[int], fluents: Iterable[int]
) -> MoveOrder | None:
    """The order of the moves of a game with one role; None: no two moves are known to commute.

    `relevant` are the atoms that have a say in plans, all that they depend on among them;
    `fluents` hold at first.
    """
    try:
        return _order_of(program.terminal_atom, Effects(program, relevant, fluents))
    except NotKnown:
        return None


def _order_of(ends: int, found: Effects) -> MoveOrder | None:
    effects, clocks, rules = found.moves, found.clocks, found.expressions
    # While moves are made, the game is not over: what alone would end it does not hold.
    absent = rules.enough_for(ends) if ends else 0
    for effect in effects.values():
        effect.falls &= ~absent
    rises, falls = rules.signs(rules.base(ends)) if ends else (0, 0)
    changing = clocks
    for effect in effects.values():
        changing |= effect.changes
    parts = rules.parts(ends) if ends else []
    timeless = {move: effect for move, effect in effects.items() if not effect.reads & clocks}
    lasting = {move: effect for move, effect in timeless.items() if not effect.set & absent}
    if _go_on(lasting.values(), parts):
        return _ranked(lasting, strict=True)
    reads = [part.reads for part in parts]
    clear_cut = all(not part & clocks or not part & changing & ~clocks for part in reads)
    free = {}
    for move, effect in timeless.items():
        calm = not effect.changes & (rises | falls)
        nearer = not effect.rises & falls and not effect.falls & rises
        if move not in lasting:
            # It ends the game: no move comes after it, so that any place will do.
            free[move] = Effect()
        elif calm or (nearer and clear_cut):
            free[move] = effect
    return _ranked(free, strict=False)


def _go_on(effects: Iterable[Effect], parts: Iterable[Way]) -> bool:
    """Whether no swap of two of these moves can end the game between them.

    Each way for the game to end is one that they have no influence on, or one that is not open
    while the second of them is still legal.
    """
    every = list(effects)
    touched = functools.reduce(operator.or_, (e.rises | e.falls for e in every), 0)
    return all(
        effect.needs & part.bars or effect.bars & part.needs
        for part in parts
        if part.reads & touched
        for effect in every
    )


def _ranked(effects: dict[int, Effect], *, strict: bool) -> MoveOrder | None:
    writers: dict[int, int] = {}
    for effect in effects.values():
        for fluent in bits(effect.changes):
            writers[fluent] = writers.get(fluent, 0) + 1

    def place(move: int) -> tuple[int, int]:
        # Moves that fill the same place come together: by the fluent that most of them change.
        shared = max(
            bits(effects[move].changes), key=lambda fluent: (writers[fluent], -fluent), default=-1
        )
        return shared, move

    ordered = sorted(effects, key=place)
    rank = {move: number for number, move in enumerate(ordered)}
    ways: dict[str, dict[int, int]] = {way: {} for way in (*CHANGES, "reads")}
    for move, number in rank.items():
        for way, users in ways.items():
            for fluent in bits(getattr(effects[move], way)):
                users[fluent] = users.get(fluent, 0) | 1 << number
    apart = []
    for number, move in enumerate(ordered):
        effect, clash = effects[move], 0
        for fluent in bits(effect.reads):
            for way in CHANGES:
                clash |= ways[way].get(fluent, 0)
        for mine in CHANGES:
            for fluent in bits(getattr(effect, mine)):
                for way in ways:
                    if way != mine or mine == "other":
                        clash |= ways[way].get(fluent, 0)
        # What the other move makes illegal cannot come right after it anyway.
        for fluent in bits(effect.bars):
            clash &= ~ways["set"].get(fluent, 0)
        for fluent in bits(effect.needs):
            clash &= ~ways["cleared"].get(fluent, 0)
        apart.append([other for other in bits(clash) if other > number])
    if all(len(others) == len(ordered) - 1 - i for i, others in enumerate(apart)):
        return None
    return MoveOrder(rank, apart, strict)
