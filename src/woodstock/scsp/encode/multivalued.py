"""Multi-valued fluents: one variable for fluents of which a state holds one at most.

The papers read ``cell(1, 1, x)`` as a function ``cell_1_1 = x``. Here the function is proved first:
the groups are those of `woodstock.ground.mutex`. Fluents in no group stay Boolean.

>>> from woodstock import Game
>>> from woodstock.scsp.encode.ground_rules import grounding_of
>>> slots = multivalued_slots(grounding_of(Game.from_library("tic-tac-toe")))
>>> [(slot.name, slot.values) for slot in slots[:2]], len(slots)
([('cell_1_1', ('x', 'o', 'b')), ('cell_1_2', ('x', 'o', 'b'))], 10)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from woodstock.gdl.terms import Compound, Term
from woodstock.ground.grounder import Grounding
from woodstock.ground.mutex import find_groups
from woodstock.scsp.constraints import Value
from woodstock.scsp.encode.naming import common_name, name_of, none_for, varying
from woodstock.scsp.encode.slots import Slot, fixed_fluents

__all__ = ["multivalued_slots"]


def multivalued_slots(grounding: Grounding) -> list[Slot]:
    """Slots that hold every fluent once, in the order of their first fluents."""
    fixed = fixed_fluents(grounding.program)
    slots: list[Slot] = []
    held = set(fixed)
    for members, full in _partition(grounding, fixed):
        slots.append(_slot(grounding.fluents, members, full))
        held.update(members)
    slots.extend(
        Slot.boolean(name_of(fluent), index)
        for index, fluent in enumerate(grounding.fluents)
        if index not in held
    )
    return sorted(slots, key=lambda slot: min(f for f in slot.fluents if f is not None))


def _partition(
    grounding: Grounding, fixed: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Groups that do not overlap: (fluents, whether one of them always holds).

    The groups of one functor come in families, by the arguments that vary: a cell has one piece,
    a piece one cell. The family that leaves the fewest variables goes first.
    """
    families: dict[tuple[tuple[str, int], tuple[int, ...]], list[tuple[tuple[int, ...], bool]]] = {}
    for group in find_groups(grounding):
        members = tuple(f for f in group.fluents if f not in fixed)
        key = _family(_terms(grounding.fluents, group.fluents))
        full = group.exactly_one and len(members) == len(group.fluents)
        families.setdefault(key, []).append((members, full))

    def saved(key: tuple[tuple[str, int], tuple[int, ...]]) -> tuple[int, int]:
        found = families[key]
        return sum(len(members) - 1 for members, _ in found), sum(full for _, full in found)

    free = {f for f in range(len(grounding.fluents)) if f not in fixed}
    # Ties go to the family that varies later arguments, as in cell(x, y, piece).
    for key in sorted(families, key=lambda key: (saved(key), key[1]), reverse=True):
        for members, full in families[key]:
            left = tuple(f for f in members if f in free)
            if len(left) > 1:
                free.difference_update(left)
                yield left, full and left == members


def _family(fluents: Sequence[Compound]) -> tuple[tuple[str, int], tuple[int, ...]]:
    """Functor and number of arguments, and the places that vary among these fluents."""
    return (str(fluents[0][0]), len(fluents[0])), varying(fluents)


def _terms(terms: Sequence[Term], members: Sequence[int]) -> list[Compound]:
    """The fluents of a group: functions all of them, or there would be nothing to vary."""
    return [term for f in members if isinstance(term := terms[f], Compound)]


def _slot(terms: Sequence[Term], members: tuple[int, ...], full: bool) -> Slot:
    fluents = _terms(terms, members)
    open_places = varying(fluents)
    values: list[Value] = [" ".join(str(f[i]) for i in open_places) for f in fluents]
    places: list[int | None] = [*members]
    if not full:
        values.append(none_for(values))
        places.append(None)
    return Slot(common_name(fluents), tuple(values), tuple(places))
