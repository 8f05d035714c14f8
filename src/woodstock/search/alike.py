"""Which solutions of a stage are alike: the symmetries that the papers search with.

A stage is a state and all joint moves in it. Its microstructure says what they do in this turn; of
what comes later there are the nogoods of UCB, joint moves that were sampled and found to be worth
less than the threshold (Koriche, Lagrue, Piette and Tabary, JFPC 2016, section 4; RIA 2017,
section 6). Solutions that an automorphism takes to each other are searched once.

That is less than a proof: moves that do alike in a turn may differ in the next. The other sources
of `woodstock.search.symmetry` keep values; this one keeps to the papers.

>>> from woodstock import Game
>>> from woodstock.gdl.terms import Compound
>>> game = Game.from_library("tic-tac-toe")
>>> alike = Alike(game)
>>> engine = game.circuit()
>>> start = engine.initial()
>>> moves = [engine.numbering.move_number(0, move) for move in engine.legal(start, 0)]
>>> noop = engine.numbering.move_number(1, "noop")
>>> joints = [number for move in moves for number in (move, noop)]
>>> alike(start, joints, [False] * 9, 60.0)      # each marks a cell, that is all
[0, 0, 0, 0, 0, 0, 0, 0, 0]
>>> alike(start, joints, [move == 4 for move in range(9)], 60.0)   # the centre is a nogood
[0, 0, 0, 0, 4, 0, 0, 0, 0]
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import cached_property

from woodstock.background import in_background
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.scsp.encode import Template, TemplateSolver, template
from woodstock.scsp.values import Value
from woodstock.state import State
from woodstock.symmetry.literal_graph import Literal
from woodstock.symmetry.microstructure import symmetries_of
from woodstock.symmetry.stage_graph import stage_graph

__all__ = ["Alike"]

MOST_JOINTS = 4096
"""Stages with more joint moves are not looked at."""


class Alike:
    """Tells a native search which solutions of a stage are alike; see the module."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._engine = game.circuit()
        self._seconds = 0.0  # that a stage takes, about
        self._given_up = False
        try:
            # Now, and not in the time of a move: it takes far longer than any stage.
            self._solver, self._literals  # noqa: B018
        except WoodstockError:
            self._given_up = True  # too large a game for a network

    @cached_property
    def _template(self) -> Template:
        with in_background():
            return template(self._game)

    @cached_property
    def _solver(self) -> TemplateSolver:
        return self._template.solver()

    @cached_property
    def _literals(self) -> Mapping[int, Literal]:
        """The literal behind each move, by its number."""
        turn = self._template.turn
        found: dict[int, Literal] = {}
        for role, (action, moves) in enumerate(zip(turn.actions, turn.moves)):
            for value, move in zip(turn.builder.domains[action], moves):
                if move is not None:
                    number = self._engine.numbering.move_number(role, move)
                    found[number] = turn.builder.names[action], value
        return found

    def __call__(
        self, state: bytes, moves: Sequence[int], nogoods: Sequence[bool], seconds: float
    ) -> list[int]:
        """For each joint move the number of the first that it is alike; empty: nobody knows.

        `moves` has one for each role, joint move after joint move; `nogoods` says which of these
        are below the threshold. Where it is likely to take more than `seconds`, it is left.
        """
        if self._given_up or len(nogoods) > MOST_JOINTS:
            return []
        if self._seconds > seconds:
            self._seconds *= 0.9  # the next may be smaller
            return []
        begun = time.monotonic()
        try:
            return self._find(state, moves, nogoods, seconds)
        except (TimeoutError, WoodstockError):
            return []  # too large a stage, or somebody has no move in it
        finally:
            self._seconds = max(self._seconds / 2, time.monotonic() - begun)

    def _find(
        self, state: bytes, moves: Sequence[int], nogoods: Sequence[bool], seconds: float
    ) -> list[int]:
        roles = len(self._engine.roles)
        joints = [tuple(moves[at : at + roles]) for at in range(0, len(moves), roles)]
        # Who has no choice takes no part in a nogood.
        choosers = [role for role in range(roles) if len({one[role] for one in joints}) > 1]
        forbidden: list[dict[str, Value]] = []
        for joint, bad in zip(joints, nogoods):
            if bad:
                forbidden.append(dict(self._literals[joint[role]] for role in choosers))
        graph = stage_graph(
            self._template,
            State(self._game, state),
            nogoods=forbidden,
            solver=self._solver,
        )
        limit = seconds if math.isfinite(seconds) else math.inf
        numbers = {literal: number for number, literal in self._literals.items()}
        stands = list(range(len(joints)))
        places = {joint: place for place, joint in enumerate(joints)}

        def first(place: int) -> int:
            while stands[place] != place:
                stands[place] = place = stands[stands[place]]
            return place

        for generator in symmetries_of(graph, seconds=limit).generators:
            moved = {numbers[a]: numbers[b] for a, b in generator.items() if a in numbers}
            for place, joint in enumerate(joints):
                image = places.get(tuple(moved.get(move, move) for move in joint))
                if image is not None:
                    one, other = sorted((first(place), first(image)))
                    stands[other] = one
        return [first(place) for place in range(len(joints))]
