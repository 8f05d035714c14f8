"""What the state is kept in: a slot is a variable of the state, now and in the next one."""

from __future__ import annotations

from dataclasses import dataclass

from woodstock import _core
from woodstock.scsp.constraints import Value

__all__ = ["Slot", "fixed_fluents"]


@dataclass(frozen=True)
class Slot:
    """A variable of the state: `fluents[i]` holds where it has ``values[i]``; None: no fluent.

    Fluents are given by their index in the ground program.

    >>> Slot.boolean("control_x", 4)
    Slot(name='control_x', values=(False, True), fluents=(None, 4))
    """

    name: str
    values: tuple[Value, ...]
    fluents: tuple[int | None, ...]

    @classmethod
    def boolean(cls, name: str, fluent: int) -> Slot:
        """The slot of a fluent that stands alone."""
        return cls(name, (False, True), (None, fluent))


def fixed_fluents(program: _core.GroundProgram) -> frozenset[int]:
    """The fluents that hold in every state: they need no variable."""
    atoms = program.fluent_atoms()
    return frozenset(
        index
        for index in program.initial()
        if (after := atoms[index][1]) and program.is_fact(after)
    )
