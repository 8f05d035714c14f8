"""The microstructures of a game: that of its template, and those of single stages.

Literals have the colours of Koriche, Lagrue, Piette and Tabary (IJCAI 2017, section 4.2): the stage
of a fluent, the stage and value of the terminal variable, the stage and role of a move, the stage,
role and value of a score. "No move" and auxiliary variables have colours of their own. Chance takes
any legal move with the same probability, and the tables join its moves to the variables that say
which are legal, so that nothing more has to be said of it.

* `template_graph` is for all states. A value now and the same value in the next state are tied, so
  its automorphisms are symmetries of the rules, however these are written.
* `stage_graph` is for one state. What the state settles is left out, and symmetries show that the
  rules as a whole do not have. They say which moves are alike in what they do in so many turns.
  What comes later is not in the graph: nogoods are for what is known of it.

What players perceive is in neither.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.from_library("tic-tac-toe")
>>> rules = template(game)
>>> template_symmetries(rules).order
8
>>> found = symmetries_of(stage_graph(rules, game.initial_state()))
>>> [len(orbit) for orbit in found.orbits("action_x")]  # each move marks a cell, that is all
[9]
>>> bad = [{"action_x": "(mark 2 2)"}]
>>> found = symmetries_of(stage_graph(rules, game.initial_state(), nogoods=bad))
>>> sorted(len(orbit) for orbit in found.orbits("action_x"))
[1, 8]
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain

from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.ground.engine import PackedEngine
from woodstock.scsp.encode import Template, TemplateSolver
from woodstock.scsp.values import Value
from woodstock.symmetry.literal_graph import (
    MAX_VERTICES,
    Literal,
    LiteralGraph,
    Microstructure,
    MicrostructureError,
)
from woodstock.symmetry.microstructure import symmetries_of
from woodstock.symmetry.relation import Values
from woodstock.symmetry.symmetries import Point, Points, Symmetries, Symmetry
from woodstock.symmetry.turns import Turns

__all__ = ["stage_graph", "stage_symmetries", "template_graph", "template_symmetries"]


def template_graph(
    template: Template,
    *,
    keep: State | Iterable[Term] | None = None,
    flips: bool = True,
    max_vertices: int = MAX_VERTICES,
) -> Microstructure:
    """The microstructure of a template with the values of now and of the next state tied.

    Its automorphisms take turns to turns: legal moves, what follows from them, the end and the
    scores. With `keep` they take this state to itself. Without `flips` they permute the fluents;
    with them, "f holds" may also become "g does not hold", as in the papers, where that is a
    symmetry of the rules. Fluents that nothing depends on are left out.
    """
    turns = Turns.of(template)
    domains = [range(len(domain)) for domain in turns.domains]
    after = dict(template.turn.slots)
    elimination = turns.without_auxiliary(turns.tables, domains)
    parts = elimination.needed([*turns.roots, *turns.legal.values()], after)
    named = set(turns.roots).union(turns.legal.values(), *(part.variables for part in parts))
    graph = LiteralGraph(max_vertices)
    marks = _marks(template, keep, flips)
    for variable in sorted(named):
        colors = list(zip(turns.colors[variable], marks.get(variable, turns.colors[variable])))
        graph.variable(variable, turns.names[variable], turns.domains[variable], colors)
    graph.relations(parts)
    for now, following in after.items():
        if now in named and len(domains[now]) > 1:
            for place in domains[now]:
                values: Values = (True, frozenset((place,)))
                graph.vertex("tie", [graph.entry(now, values), graph.entry(following, values)])
    return graph.done()


def _marks(
    template: Template, keep: State | Iterable[Term] | None, flips: bool
) -> dict[int, list[Hashable]]:
    """What tells apart the values of the state's variables beside their stage."""
    kept = None if keep is None else template.places(keep)
    found: dict[int, list[Hashable]] = {}
    for number, (slot, (now, after)) in enumerate(zip(template.slots, template.turn.slots)):
        holds = [flips or fluent is not None for fluent in slot.fluents]
        found[after] = list(holds)
        found[now] = [
            (mark, kept is not None and kept[number] == place) for place, mark in enumerate(holds)
        ]
    return found


def stage_graph(
    template: Template,
    state: State | Iterable[Term],
    *,
    turns: int = 1,
    nogoods: Iterable[Mapping[str, Value]] = (),
    solver: TemplateSolver | None = None,
    max_vertices: int = MAX_VERTICES,
) -> Microstructure:
    """The microstructure of a stage: the state is injected and what follows from it left out.

    So many `turns` are looked at; with more than one, names have their turn behind an ``@``. Each
    of the `nogoods` has values of some variables that are not to be taken together: moves that were
    found to be worth less than the threshold. A `solver` of the template, for one turn, saves
    making another. `MicrostructureError` where somebody has no move.

    >>> from woodstock import Game
    >>> from woodstock.scsp.encode import template
    >>> game = Game.from_library("connect-four")
    >>> len(stage_graph(template(game), game.initial_state()).literals)
    21
    """
    sheet = Turns.of(template, turns)
    domains = _left(sheet, template.places(state), solver if turns == 1 else None)
    free = {variable for variable, left in enumerate(domains) if len(left) > 1}
    tables = [table for table in sheet.tables if not free.isdisjoint(table.scope)]
    elimination = sheet.without_auxiliary(tables, domains)
    forbidden = [_box(sheet, nogood) for nogood in nogoods]
    states = [found[slot] for found in sheet.states for slot in sheet.relevant]
    wanted = free & {*sheet.roots, *sheet.legal.values(), *states, *chain(*forbidden)}
    parts = elimination.needed(wanted)
    named = wanted.union(*(part.variables for part in parts))
    graph = LiteralGraph(max_vertices)
    for variable, left in enumerate(domains):
        if variable in named or variable not in free:
            graph.variable(
                variable,
                sheet.names[variable],
                sheet.domains[variable],
                sheet.colors[variable],
                left,
            )
    graph.relations(parts)
    for nogood in forbidden:
        graph.nogood(nogood)
    return graph.done()


def _left(turns: Turns, places: Sequence[int], solver: TemplateSolver | None) -> list[list[int]]:
    """The places left in each domain once the state is injected, by arc consistency."""
    found = None
    if solver is None:
        found = turns.left(places)
    else:
        core = solver.solver
        core.push()
        try:
            if core.assign(turns.states[0], list(places)) and core.propagate():
                found = [core.domain(variable) for variable in range(len(turns.names))]
        finally:
            core.pop()
    if found is None:
        raise MicrostructureError(
            "the stage of this state has no solution: a role has no legal move in it, or comes "
            "to have none; look at fewer turns"
        )
    return found


def _box(turns: Turns, nogood: Mapping[str, Value]) -> dict[int, Values]:
    found: dict[int, Values] = {}
    for name, value in nogood.items():
        if name not in turns.names:
            raise MicrostructureError(
                f"no variable is called {name!r}; see the literals of a stage"
            )
        variable = turns.names.index(name)
        if variable in turns.auxiliary:
            raise MicrostructureError(f"{name!r} follows from others; forbid values of those")
        if value not in turns.domains[variable]:
            raise MicrostructureError(f"{value!r} is not in the domain of {name!r}")
        found[variable] = (True, frozenset((turns.domains[variable].index(value),)))
    return found


# In the words of the game


def template_symmetries(
    template: Template,
    *,
    keep: State | Iterable[Term] | None = None,
    seconds: float = math.inf,
    engine: str = "auto",
) -> Symmetries:
    """The symmetries of a template as permutations of fluents and moves.

    `MicrostructureError` where the game does not run on ground rules.
    """
    found = symmetries_of(
        template_graph(template, keep=keep, flips=False), seconds=seconds, engine=engine
    )
    return _in_words(template, found.generators, found.complete)


def stage_symmetries(
    template: Template,
    state: State | Iterable[Term],
    *,
    nogoods: Iterable[Mapping[str, Value]] = (),
    solver: TemplateSolver | None = None,
    seconds: float = math.inf,
    engine: str = "auto",
) -> Symmetries:
    """The symmetries of a state's stage as permutations of moves; the state stays as it is.

    >>> from woodstock import Game
    >>> from woodstock.scsp.encode import template
    >>> game = Game.from_library("tic-tac-toe")
    >>> found = stage_symmetries(template(game), game.initial_state())
    >>> [len(orbit) for orbit in found.orbits("x", game.initial_state().legal_moves("x"))]
    [9]
    """
    graph = stage_graph(template, state, nogoods=nogoods, solver=solver)
    found = symmetries_of(graph, seconds=seconds, engine=engine)
    return _in_words(template, found.generators, found.complete)


def _in_words(
    template: Template, generators: Iterable[Mapping[Literal, Literal]], complete: bool
) -> Symmetries:
    packed = template.game.engine
    if not isinstance(packed, PackedEngine):
        raise MicrostructureError(
            f"{template.game.name} runs on {packed.name}; load it with the circuit or ground engine"
        )
    points = Points(packed)
    number = _numbers(template, points)
    found = []
    for generator in generators:
        moved = {number[a]: number[b] for a, b in generator.items() if a in number}
        if moved:
            found.append(Symmetry(points, moved))
    return Symmetries(template.game, points, found, complete)


def _numbers(template: Template, points: Points) -> dict[Literal, int]:
    """The point behind each literal of a state's variable or of a move."""
    names = template.turn.builder.names
    found: dict[Literal, int] = {}
    for slot, (now, _) in zip(template.slots, template.turn.slots):
        for value, fluent in zip(slot.values, slot.fluents):
            if fluent is not None:
                found[names[now], value] = fluent
    turn = template.turn
    for role, action, moves in zip(template.game.roles, turn.actions, turn.moves):
        for value, move in zip(turn.builder.domains[action], moves):
            if move is not None:
                found[names[action], value] = points.number[Point("move", role, move)]
    return found
