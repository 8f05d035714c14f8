"""Symmetries: what can be exchanged in a game without changing it.

* `rule_symmetries`: those of the rules, from the ground rule graph;
* `Symmetry` and `Symmetries`: one of them, and a group;
* `ColoredGraph`: any graph and its automorphisms.
"""

from __future__ import annotations

from woodstock.symmetry.graph import Automorphisms, ColoredGraph
from woodstock.symmetry.rules import SymmetryError, rule_symmetries
from woodstock.symmetry.symmetries import Point, Points, Symmetries, Symmetry

__all__ = [
    "Automorphisms",
    "ColoredGraph",
    "Point",
    "Points",
    "Symmetries",
    "Symmetry",
    "SymmetryError",
    "rule_symmetries",
]
