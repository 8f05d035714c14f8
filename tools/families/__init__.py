"""Families of games that differ in size alone: one text with holes, several rulesheets.

``python tools/game_families.py`` writes the ``rules.kif`` of every member.
"""

from __future__ import annotations

from collections.abc import Mapping

from families import battle_of_numbers, buttons_and_lights, connect_four

__all__ = ["RULES"]

RULES: Mapping[str, str] = {
    **connect_four.RULES,
    **buttons_and_lights.RULES,
    **battle_of_numbers.RULES,
}
"""The rules of each member of a family, by its name in the library."""
