"""Boolean fluents: one variable a fluent, as Clark's completion has it.

>>> from woodstock import Game
>>> from woodstock.scsp.encode.ground_rules import grounding_of
>>> slots = boolean_slots(grounding_of(Game.from_library("tic-tac-toe")))
>>> len(slots), slots[0].name, slots[0].values
(29, 'cell_1_1_x', (False, True))
"""

from __future__ import annotations

from woodstock.ground.grounder import Grounding
from woodstock.scsp.encode.naming import name_of
from woodstock.scsp.encode.slots import Slot, fixed_fluents

__all__ = ["boolean_slots"]


def boolean_slots(grounding: Grounding) -> list[Slot]:
    """A Boolean slot for every fluent, in the order of the ground program."""
    fixed = fixed_fluents(grounding.program)
    return [
        Slot.boolean(name_of(fluent), index)
        for index, fluent in enumerate(grounding.fluents)
        if index not in fixed
    ]
