"""What a role has done and perceived in a match, as a number.

The core does the same (`remember` in ``core/belief/hypotheses.h``, `percept_key` in
``core/circuit/simulator.h``), so the memories of a `woodstock.belief.Belief` mean the same whoever
found it: a tracker in Python or in the core, or a search for matches that agree.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b

from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["Memories", "percept_key", "remember"]

BITS = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15


def remember(memory: int, move: int, seen: int) -> int:
    """The memory of a role after the move with a number, and percepts with a key.

    Memories are numbers of 64 bits without a sign; that of the beginning is 0.

    >>> remember(0, 3, percept_key([1, 2])) == remember(0, 3, percept_key([2, 1]))
    True
    """
    return _scatter(_scatter(memory + (move + 1) * GOLDEN_GAMMA) + seen)


def percept_key(percepts: Collection[int]) -> int:
    """What stands for a set of percepts, given by their numbers.

    >>> percept_key([])
    0
    """
    key = 0
    for percept in {*percepts}:
        key ^= _scatter(~percept * GOLDEN_GAMMA)
    return key


class Memories:
    """Numbers the memories of a game's roles: equal numbers, equal memories.

    Moves and percepts count by their numbers in the ground program, or, on rules that are not
    ground, by their texts. So numbers are the same in every process.

    >>> game = Game.load("monty-hall")
    >>> memories = Memories(game)
    >>> one, two = (game.term(f"(choose {door})") for door in (1, 2))
    >>> memories.after("candidate", 0, one, []) == memories.after("candidate", 0, two, [])
    False
    """

    def __init__(self, game: Game) -> None:
        self._roles = {role: number for number, role in enumerate(game.roles)}
        self._numbering = game.engine.numbering

    def after(self, role: str, memory: int, move: Term, percepts: Collection[Term]) -> int:
        """The memory of a role one turn later. Raises `KeyError` for what is in no rules."""
        numbering, who = self._numbering, self._roles[role]
        if numbering is None:
            return remember(memory, _digest(move), percept_key([*map(_digest, percepts)]))
        seen = [numbering.percept_number(who, percept) for percept in percepts]
        return remember(memory, numbering.move_number(who, move), percept_key(seen))


def _scatter(number: int) -> int:
    """See ``core/util/random.h``."""
    number &= BITS
    number = (number ^ number >> 30) * 0xBF58_476D_1CE4_E5B9 & BITS
    number = (number ^ number >> 27) * 0x94D0_49BB_1331_11EB & BITS
    return number ^ number >> 31


@lru_cache(maxsize=1 << 16)
def _digest(term: Term) -> int:
    return int.from_bytes(blake2b(str(term).encode(), digest_size=8).digest(), "little")
