"""Finding what may have happened by constraint solving: against brute force and by replay."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belief_support import KRIEG, hidden, match_of, played
from effort import effort
from games_support import load
from woodstock import Game, State
from woodstock.belief import reinvigoration as reinvigoration_module
from woodstock.belief import stages as stages_module
from woodstock.belief.evidence import Seeing
from woodstock.belief.memory import Memories
from woodstock.belief.observation import Observation
from woodstock.belief.reinvigoration import (
    Reinvigorated,
    Reinvigoration,
    Trajectory,
    Way,
    reinvigorate,
)
from woodstock.belief.stages import StageWalk
from woodstock.belief.walks import Leaves
from woodstock.gdl.terms import Term

WAYS: tuple[Way, ...] = ("network", "stages")
SMALL = ["guess-dice", "hidden-matching-pennies", "kuhn-poker", "monty-hall"]

Joints = tuple[tuple[Term, ...], ...]


lifted = partial(hidden, engine="lifted")


def agreeing(state: State, role: str, observations: Sequence[Observation]) -> Iterator[Joints]:
    """All joint moves that agree with observations, by plain play."""
    if not observations:
        yield ()
        return
    move, percepts = observations[0]
    own = state.roles.index(role)
    for joint, after in state.successors():
        if move in (None, joint[own]) and percepts in (None, frozenset(after.percepts(role))):
            for rest in agreeing(after, role, observations[1:]):
                yield (joint, *rest)


def assert_agrees(
    game: Game, role: str, observations: Sequence[Observation], found: Trajectory, on: Game
) -> None:
    """Replay a trajectory that was found on a game, on any engine."""
    own = game.roles.index(role)
    state = game.initial_state()
    numbered, memories = Memories(on), (0,) * len(game.roles)
    for (move, percepts), joint in zip(observations, found.moves, strict=True):
        assert move in (None, joint[own])
        state = state.apply(joint)
        seen = [state.percepts(one) for one in game.roles]
        assert percepts in (None, frozenset(seen[own]))
        memories = tuple(map(numbered.after, game.roles, memories, joint, seen))
    assert memories == found.memories


def histories(name: str, role: str) -> Iterator[list[Observation]]:
    """Matches as a role saw them, from no turn to all; some with a turn that nobody told of."""
    for seed in range(4):
        observations = played(lifted(name), role, seed, 9)
        for length in range(len(observations) + 1):
            yield observations[:length]
        yield [Observation(None, None), *observations[1:]]
        yield [Observation(None, percepts) for _, percepts in observations]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SMALL)
def test_everything_that_agrees_is_found(name: str, way: Way) -> None:
    game = load(name)
    for role in game.players:
        finder = Reinvigoration(game, role)
        for observations in histories(name, role):
            expected = set(agreeing(lifted(name).initial_state(), role, observations))
            found = finder.find(observations, count=10_000, seed=1, until=math.inf, way=way)
            assert found.complete
            assert len(found.trajectories) == len(expected)
            assert {one.moves for one in found.trajectories} == expected
            for one in found.trajectories:
                assert_agrees(lifted(name), role, observations, one, game)
                engine = game.engine
                after = lifted(name).initial_state()
                for joint in one.moves:
                    after = after.apply(joint)
                assert engine.fluents(one.position) == after.fluents


@pytest.mark.parametrize(
    ("name", "turns", "way"),
    [
        ("mastermind", 4, "network"),
        ("schnappt-hubi", 20, "network"),
        ("wumpus", 20, "network"),
        ("wumpus", 8, "stages"),
        ("sheep-and-wolf-hidden", 15, "network"),
        ("sheep-and-wolf-hidden", 15, "stages"),
        ("pacman-hidden", 8, "stages"),
    ],
)
def test_what_is_found_in_larger_games_agrees(name: str, turns: int, way: Way) -> None:
    game = load(name)
    role = game.players[0]
    observations = played(game, role, 3, turns)
    found = Reinvigoration(game, role).find(observations, count=5, seed=1, until=math.inf, way=way)
    assert 1 <= len(found.trajectories) <= 5
    assert len({one.moves for one in found.trajectories}) == len(found.trajectories)
    for one in found.trajectories:
        assert_agrees(lifted(name), role, observations, one, game)


@pytest.mark.parametrize(("way", "turns"), [("network", 14), ("stages", 6)])
def test_kriegspiel_is_followed(way: Way, turns: int) -> None:
    """Who tries an occupied cell learns of a move that was made long ago."""
    game = hidden(KRIEG)
    for role in game.players:
        for seed in range(3):
            observations = played(game, role, seed, turns)
            found = Reinvigoration(game, role).find(
                observations, count=8, seed=2, until=math.inf, way=way
            )
            assert found.trajectories
            for one in found.trajectories:
                assert_agrees(game, role, observations, one, game)


def test_the_chances_of_trajectories_are_those_of_random_moves() -> None:
    """Monty Hall: the host surely opens door 3 if the car is behind 2, else half of the time."""
    game = load("monty-hall")
    observations = [
        Observation(game.term("(choose 1)"), frozenset()),
        Observation("noop", frozenset({game.term("(open 3)")})),
    ]
    found = Reinvigoration(game, "candidate").find(observations, count=9, seed=1, until=math.inf)
    weights = {str(one.moves[0][1]): w for one, w in zip(found.trajectories, found.weights)}
    assert weights == pytest.approx({"(hide 1)": 0.5, "(hide 2)": 1.0})
    assert Reinvigorated([], True).weights == []


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_have_been_is_not_found(way: Way) -> None:
    game = load("monty-hall")
    finder = Reinvigoration(game, "candidate")
    door = game.term("(choose 1)")
    for impossible in (
        [Observation(door, frozenset()), Observation("noop", frozenset({game.term("(open 1)")}))],
        [Observation(door, frozenset({game.term("(open 7)")}))],
        [Observation("switch", None)],
        [Observation("nonsense", None)],
        [Observation(None, None)] * 4,  # the match has three turns
    ):
        found = finder.find(impossible, count=5, seed=1, until=math.inf, way=way)
        assert found == Reinvigorated([], True)


def test_no_time_finds_nothing() -> None:
    observations = played(load("mastermind"), "player", 1, 3)
    past = monotonic() - 1
    for way in (None, *WAYS):
        found = Reinvigoration(load("mastermind"), "player").find(
            observations, count=5, seed=1, until=past, way=way
        )
        assert found == Reinvigorated([], False)
    assert (
        reinvigorate(load("mastermind"), "player", observations, count=5, seed=1, until=past) == []
    )


def test_as_many_as_asked_for_and_the_same_again() -> None:
    game = load("mastermind")
    observations = played(game, "player", 1, 2)
    finder = Reinvigoration(game, "player")

    def found(count: int, seed: int) -> list[Joints]:
        made = finder.find(observations, count=count, seed=seed, until=math.inf)
        assert not made.complete
        return [one.moves for one in made.trajectories]

    assert len(found(7, 1)) == len(set(found(7, 1))) == 7
    assert found(7, 1) == found(7, 1) != found(7, 2)
    pairs = reinvigorate(game, "player", observations, count=7, seed=1, until=math.inf)
    assert len({position for position, _ in pairs}) == 7
    assert all(len(memories) == len(game.roles) for _, memories in pairs)


def test_too_large_for_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that are not ground, and networks that are not made, are searched turn by turn."""
    game, role = load("monty-hall"), "candidate"
    observations = played(game, role, 2, 2)
    expected = set(agreeing(game.initial_state(), role, observations))

    def moves(game: Game, way: Way | None = None) -> set[Joints]:
        found = Reinvigoration(game, role).find(
            observations, count=99, seed=1, until=math.inf, way=way
        )
        return {one.moves for one in found.trajectories}

    assert moves(lifted("monty-hall")) == expected
    assert moves(lifted("monty-hall"), "network") == set()
    for name in ("RULES", "ENTRIES", "CHOICES"):
        with monkeypatch.context() as patch:
            patch.setattr(reinvigoration_module, name, 0)
            assert moves(game) == expected


def test_a_sample_of_joint_moves_is_never_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages_module, "JOINT_MOVES", 2)
    game = load("monty-hall")
    observations = played(game, "candidate", 2, 2)
    found = Reinvigoration(game, "candidate").find(
        observations, count=99, seed=1, until=math.inf, way="stages"
    )
    assert not found.complete
    for one in found.trajectories:
        assert_agrees(game, "candidate", observations, one, game)


def test_a_turn_of_many_moves_is_left_when_time_is_up() -> None:
    game, rng = lifted("monty-hall"), random.Random(1)
    observations = played(game, "candidate", 2, 2)
    for until, thorough in ((monotonic() - 1, False), (math.inf, True)):
        walk = StageWalk(game, "candidate", observations, Seeing(game.rules), rng, until)
        assert bool(walk.options()) == walk.thorough == thorough


@pytest.mark.parametrize("name", SMALL)
def test_engines_count_the_same_choices(name: str) -> None:
    counts = []
    for game in (load(name), lifted(name)):
        states = [after for seed in range(3) for _, after in match_of(game, seed, 9)]
        counts.append(game.engine.choices([state.position for state in states]))
        for state, found in zip(states, counts[-1]):
            assert found == [len(state.legal_moves(role)) for role in game.roles]
    assert counts[0] == counts[1]


# Walks


class Tree:
    """A walk in a tree of tuples: a number is a leaf, an empty tuple a dead end."""

    def __init__(self, tree: object) -> None:
        self.path = [tree]
        self.barren: list[object] = []

    def options(self) -> Sequence[int] | None:
        here = self.path[-1]
        return range(len(here)) if isinstance(here, tuple) else None

    def enter(self, choice: int) -> bool:
        here = self.path[-1]
        assert isinstance(here, tuple)
        if here[choice] == "closed":
            return False
        self.path.append(here[choice])
        return True

    def leave(self, barren: bool) -> None:
        gone = self.path.pop()
        if barren:
            self.barren.append(gone)


def leaves_of(tree: object) -> list[object]:
    if isinstance(tree, tuple):
        return [leaf for below in tree for leaf in leaves_of(below)]
    return [] if tree == "closed" else [tree]


trees = st.recursive(
    st.one_of(st.integers(), st.just("closed"), st.just(())),
    lambda below: st.lists(below, max_size=4).map(tuple),
    max_leaves=40,
)


@settings(max_examples=effort(80, 200), derandomize=True, database=None)
@given(st.lists(trees, max_size=4).map(tuple), st.integers(0, 99))
def test_walks_come_to_every_leaf_once(tree: tuple[object, ...], seed: int) -> None:
    walk = Tree(tree)
    walks = Leaves(walk, random.Random(seed), lambda: True)
    found = [walk.path[-1] for _ in walks]
    assert walks.complete
    assert sorted(found, key=str) == sorted(leaves_of(tree), key=str)
    assert not any(leaves_of(gone) for gone in walk.barren)
    short = Leaves(Tree(tree), random.Random(seed), iter([True, False]).__next__)
    assert len(list(short)) <= 1
