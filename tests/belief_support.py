"""What the tests of beliefs share: games that hide something, and matches as a role sees them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from time import monotonic

import pytest

from conformance_folder import FOLDER
from games_support import load
from test_scsp_encode import game_of
from woodstock import Game, State, games
from woodstock.belief import PlainParticleFilter
from woodstock.belief.memory import Memories
from woodstock.belief.observation import Observation
from woodstock.belief.particle_filter import ParticleFilter
from woodstock.errors import GdlError
from woodstock.gdl.terms import Term

LIBRARY = [name for name in games.names() if "(sees" in games.rules_text(name)]
SHEETS = sorted(path.name for path in (FOLDER / "gdl2").glob("*.*"))
TOO_LARGE = "small_dominion.gdl"
"""What cannot be ground."""
KRIEG = "kriegTTT_5x5.gdl"
HIDDEN = [*LIBRARY, *SHEETS]

Joint = tuple[Term, ...]
Turn = tuple[Joint, State]
"""A joint move and where it led."""

AnyTracker = ParticleFilter | PlainParticleFilter
KINDS = ("native", "plain")


@cache
def hidden(name: str, engine: str = "circuit") -> Game:
    """A game that hides something, of the library or a public rulesheet."""
    sheet = "." in name
    if sheet and name not in SHEETS:
        pytest.skip("no conformance folder beside the project")
    text = (FOLDER / "gdl2" / name).read_text() if sheet else games.rules_text(name)
    try:
        rules = Game.from_text(text, engine="lifted")
    except GdlError:
        pytest.skip("the reader refuses these rules")
    if engine == "lifted" or name == TOO_LARGE:
        return rules
    game = game_of(text) if sheet else load(name)
    if game.information == "complete":
        pytest.skip("nothing is hidden")
    return game


def match_of(game: Game, seed: int, most: int) -> list[Turn]:
    """A random match, or so many turns of it."""
    rng = random.Random(seed)
    state = game.initial_state()
    turns: list[Turn] = []
    while not state.is_terminal and len(turns) < most:
        joint = state.random_joint_move(rng)
        state = state.apply(joint)
        turns.append((joint, state))
    return turns


def seen_by(role: str, turns: Sequence[Turn]) -> list[Observation]:
    """What a role sees of a match."""
    return [
        Observation(joint[after.roles.index(role)], frozenset(after.percepts(role)))
        for joint, after in turns
    ]


def played(game: Game, role: str, seed: int, most: int) -> list[Observation]:
    """What a role sees of a random match."""
    return seen_by(role, match_of(game, seed, most))


def options(state: State, role: str, move: Term | None) -> Iterator[Joint]:
    """The joint moves that may be made with one of a role."""
    if not state.is_terminal and (move is None or move in state.legal_moves(role)):
        fixed = None if move is None else (move,)
        yield from product(
            *(fixed if who == role and fixed else state.legal_moves(who) for who in state.roles)
        )


def memory_of(game: Game, role: str, observations: Sequence[Observation]) -> int:
    """The number for what a role did and perceived."""
    memories, memory = Memories(game), 0
    for move, percepts in observations:
        assert move is not None
        assert percepts is not None
        memory = memories.after(role, memory, move, percepts)
    return memory


def sampling(
    kind: str, game: Game, role: str, count: int, tries: int, seed: int = 1, expanded: int = 0
) -> AnyTracker:
    """A tracker that never looks at everything, or seldom, and rejuvenates nothing."""
    if kind == "native":
        return ParticleFilter(
            game, role, seed=seed, expanded=expanded, particles=count, tries=tries, steps=0
        )
    return PlainParticleFilter(game, role, seed=seed, expanded=expanded, states=count, tries=tries)


def own_memories(tracker: AnyTracker, game: Game, role: str) -> set[int]:
    """What a role remembers in the hypotheses of a tracker of its own."""
    return {memories[game.roles.index(role)] for memories in tracker.belief.memories}


def past() -> float:
    return monotonic() - 1
