"""Families of games that differ in size alone: one text with holes, several rulesheets.

``python -m woodstock.games.families`` writes the ``rules.kif`` of every member; ``--check`` only
says which files would change.
"""

from __future__ import annotations

from collections.abc import Mapping

from woodstock.games.families import battle_of_numbers, buttons_and_lights, connect_four

__all__ = ["RULES"]

RULES: Mapping[str, str] = {
    **connect_four.RULES,
    **buttons_and_lights.RULES,
    **battle_of_numbers.RULES,
}
"""The rules of each member of a family, by its name in the library."""
