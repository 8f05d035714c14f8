"""Symmetries of the rules: automorphisms of the ground rule graph."""

from __future__ import annotations

import math
import time

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.ground.engine import PackedEngine
from woodstock.symmetry.graph import find_automorphisms
from woodstock.symmetry.symmetries import Points, Symmetries, Symmetry

__all__ = ["SymmetryError", "rule_symmetries"]


class SymmetryError(WoodstockError):
    """A game whose symmetries cannot be looked for."""


def rule_symmetries(
    game: Game,
    *,
    keep: State | None = None,
    since: State | None = None,
    exchange_roles: bool = False,
    seconds: float = math.inf,
    engine: str = "auto",
) -> Symmetries:
    """The symmetries of a game's rules, or those that take the state `keep` to itself.

    With `since` they are the symmetries of what is left of the game from that state on: fluents
    that can no longer change are put into the rules. They stay where they are, and what is left may
    have symmetries that the whole has not. Roles stay what they are unless `exchange_roles`; chance
    does in any case. Where the time is not enough, those that were found; `TimeoutError` where it
    is not enough to find out what is left.

    >>> game = Game.from_library("connect-four")
    >>> print(rule_symmetries(game).order)
    2
    >>> after = game.initial_state().apply({"red": "(drop 2)", "black": "noop"})
    >>> print(rule_symmetries(game, keep=after).order)
    1
    >>> middle = game.initial_state().apply({"red": "(drop 4)", "black": "noop"})
    >>> print(rule_symmetries(game, since=middle).order)
    2
    """
    packed = game.engine
    if not isinstance(packed, PackedEngine):
        raise SymmetryError(
            f"{game.name} runs on {packed.name}; its rules have not been ground, and only ground "
            "rules have a graph"
        )
    begun = time.monotonic()
    program = packed.grounding.program
    names = dict(zip(program.roles(), packed.grounding.roles))
    graph = _core.rule_graph(
        program,
        marked=None if keep is None else keep.position,
        since=None if since is None else since.position,
        exchange_roles=exchange_roles,
        chance=next((term for term, name in names.items() if name == RANDOM), None),
        seconds=seconds,
    )
    left = max(0.0, seconds - (time.monotonic() - begun))
    found = find_automorphisms(graph.colors, graph.edges, left, engine)
    points = Points(packed)
    nowhere = graph.NO_VERTEX
    point_of = {vertex: point for point, vertex in enumerate(graph.points) if vertex != nowhere}
    generators = []
    for generator in found.generators:
        moved = {point_of[v]: point_of[w] for v, w in generator.items() if v in point_of}
        if moved:
            generators.append(Symmetry(points, moved))
    idle = (packed.grounding.fluents[fluent] for fluent in graph.idle)
    return Symmetries(game, points, generators, found.complete, idle)
