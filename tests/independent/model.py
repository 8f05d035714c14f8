"""Models: whole games in plain Python, and how a rulesheet is held against one.

A `Model` may have chance, simultaneous moves and percepts; `Generator` (see `protocol`) is the
simpler contract for games in which one player moves at a time and all is seen.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from games_support import load, texts

Position = Any  # each model has its own hashable kind of position


class Model(Protocol):
    """The rules of a game, written without GDL. Moves, fluents and percepts are KIF texts."""

    @property
    def roles(self) -> tuple[str, ...]:
        """In the order of the rulesheet, `random` among them if chance takes part."""
        ...

    def initial(self) -> Position: ...

    def legal(self, position: Position) -> Mapping[str, Sequence[str]]:
        """All moves of every role."""
        ...

    def after(self, position: Position, moves: tuple[str, ...]) -> Position:
        """The position after these moves, one a role in the order of `roles`."""
        ...

    def scores(self, position: Position) -> tuple[int, ...] | None:
        """What every role gets if the game is over here (chance: 0), otherwise None."""
        ...

    def fluents(self, position: Position) -> set[str] | None:
        """The position as the rulesheet writes it; None where that would be artificial."""
        ...

    def percepts(self, position: Position) -> Mapping[str, set[str]]:
        """What each role perceives on entering the position; roles without percepts may lack."""
        ...


def model_counts(model: Model, depth: int) -> list[int]:
    """The numbers of joint-move sequences of length 0, 1, ..., depth."""
    layer: Counter[Hashable] = Counter([model.initial()])
    found = [1]
    for _ in range(depth):
        following: Counter[Hashable] = Counter()
        for position, number in layer.items():
            if model.scores(position) is None:
                legal = model.legal(position)
                for moves in itertools.product(*(legal[role] for role in model.roles)):
                    following[model.after(position, moves)] += number
        layer = following
        found.append(sum(layer.values()))
    return found


def hold_against(model: Model, name: str, seed: int, plies: int | None = None) -> int:
    """Play a random match on the library's game and the model side by side; gives its length."""
    game, rng = load(name), random.Random(seed)
    assert game.roles == model.roles
    state, position, played = game.initial_state(), model.initial(), 0
    while plies is None or played < plies:
        fluents = model.fluents(position)
        assert fluents is None or {str(fluent) for fluent in state.fluents} == fluents
        if played:
            percepts = model.percepts(position)
            for role in game.roles:
                assert set(texts(state.percepts(role))) == set(percepts.get(role, ()))
        scores = model.scores(position)
        assert state.is_terminal == (scores is not None)
        if scores is not None:
            assert tuple(state.goal(role) for role in game.roles) == scores
            break
        legal = model.legal(position)
        for role in game.roles:
            assert texts(state.legal_moves(role)) == sorted(legal[role])
        moves = tuple(rng.choice(sorted(legal[role])) for role in game.roles)
        state, position = state.apply(moves), model.after(position, moves)
        played += 1
    return played
