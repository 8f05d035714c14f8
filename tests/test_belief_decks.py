"""Decks of cards on the lifted engine: many hands that others may hold, and little time."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from belief_support import match_of, memory_of, own_memories, past, seen_by
from woodstock import Game
from woodstock.belief import PlainParticleFilter
from woodstock.belief import plain_particle_filter as plain_module
from woodstock.belief.belief_tracker import Phase
from woodstock.belief.reinvigoration import Reinvigorated, Reinvigoration
from woodstock.engine import LiftedEngine
from woodstock.gdl import tabling
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.rules import Predicate
from woodstock.gdl.tabling import Stopped
from woodstock.gdl.terms import Term
from woodstock.search import Limits
from woodstock.search.plain_searcher import PlainSearcher

CARDS = 12
RULES = f"""
    (role random) (role she) (role he)
    {" ".join(f"(card {number})" for number in range(CARDS))}
    (other she he) (other he she) (init (turn random)) (init (round 0))
    {" ".join(f"(succ {number} {number + 1})" for number in range(8))}

    ; Who is not to move is dealt three cards, and shows one of them when it is.
    (<= (dealt she) (true (turn random)))
    (<= (dealt ?who) (true (turn ?other)) (other ?other ?who))
    (<= (legal random (deal ?who ?a ?b ?c)) (dealt ?who) (card ?a) (card ?b) (card ?c)
        (distinct ?a ?b) (distinct ?a ?c) (distinct ?b ?c))
    (<= (legal ?who (show ?card)) (true (turn ?who)) (true (holds ?who ?card)))
    (<= (legal ?who wait) (other ?who ?other) (not (true (turn ?who))))

    (<= (sees ?who (hand ?a ?b ?c)) (does random (deal ?who ?a ?b ?c)))
    (<= (sees ?who (shown ?card)) (other ?who ?other) (does ?any (show ?card)))

    (<= (next (holds ?who ?a)) (does random (deal ?who ?a ?b ?c)))
    (<= (next (holds ?who ?b)) (does random (deal ?who ?a ?b ?c)))
    (<= (next (holds ?who ?c)) (does random (deal ?who ?a ?b ?c)))
    (<= (next (turn ?who)) (dealt ?who))
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= terminal (true (round 8)))
    (goal she 50) (goal he 50) (goal random 0)
"""
TURNS = 7


@pytest.fixture
def game() -> Game:
    return Game.from_text(RULES, engine="lifted")


def find_nothing(*_: object, **__: object) -> Reinvigorated:
    return Reinvigorated([], False)


def follow(tracker: PlainParticleFilter, game: Game, seed: int, until: float) -> tuple[int, int]:
    """How often a tracker has to guess in a match, and how often it is wrong about legal moves."""
    guesses = mistakes = 0
    match = match_of(game, seed, TURNS)
    for (_, after), observation in zip(match, seen_by("she", match)):
        guesses += not tracker.advance(*observation, until)
        mistakes += tracker.belief.legal_moves() != after.legal_moves("she")
    return guesses, mistakes


def few(game: Game, seed: int) -> PlainParticleFilter:
    """A tracker that holds too few hands to expect any that another will show."""
    return PlainParticleFilter(game, "she", seed=seed, expanded=0, states=2, tries=2_500)


def test_a_belief_that_has_died_is_found_in_the_last_turns(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    for seed in range(3):
        assert follow(few(game, seed), game, seed, math.inf) == (0, 0)
    monkeypatch.setattr(PlainParticleFilter, "_rejuvenated", lambda *_: {})
    assert any(follow(few(game, seed), game, seed, math.inf)[0] for seed in range(3))


def test_going_back_agrees_with_every_turn_that_was_guessed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who had to guess for want of time finds back, and to what was told then."""
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    guessed = 0
    for seed in range(4):
        match = match_of(game, seed, 5)
        told = seen_by("she", match)
        tracker = few(game, seed)
        guessed += [tracker.advance(*observation, past()) for observation in told[:4]].count(False)
        assert tracker.advance(*told[4], math.inf)
        assert tracker.phase is not Phase.GUESSED
        memory = memory_of(game, "she", told)
        assert own_memories(tracker, game, "she") == {memory}
        assert tracker.belief.legal_moves() == match[-1][1].legal_moves("she")
    assert guessed


def test_moves_are_drawn_where_all_of_them_take_too_long(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance has over a thousand deals; what she is dealt is named by what she sees."""
    real, engine = game.engine.legal, game.engine

    def legal(position: Any, role: int) -> tuple[Term, ...]:
        if tabling._stop.get() is not None and role == 0:
            raise Stopped("too long")
        return real(position, role)

    drawn: list[int] = []
    some = engine.some_legal

    def some_legal(position: Any, role: int, count: int, rng: random.Random) -> Sequence[Term]:
        drawn.append(role)
        return some(position, role, count, rng)

    match = match_of(game, 1, TURNS)
    monkeypatch.setattr(Reinvigoration, "find", find_nothing)
    monkeypatch.setattr(engine, "legal", legal)
    monkeypatch.setattr(engine, "some_legal", some_legal)
    tracker = PlainParticleFilter(
        game, "she", seed=1, tries=80
    )  # a deal that is drawn would not do
    for (_, after), observation in zip(match, seen_by("she", match)):
        assert tracker.advance(*observation, math.inf)
        assert tracker.belief.legal_moves() == after.legal_moves("she")
    assert set(drawn) == {0}


def test_who_cannot_look_at_everything_in_time_leaves_time_for_a_sample(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that ticks whenever somebody looks at it: 1320 deals do not fit, 64 do."""
    ticks = itertools.count()
    monkeypatch.setattr(plain_module, "monotonic", lambda: float(next(ticks)))
    tracker = PlainParticleFilter(game, "he", seed=1)
    (observation,) = seen_by("he", match_of(game, 1, 1))
    observed = tracker._observed(observation)
    begun = next(ticks)
    assert tracker._all(observed, begun + 1_000) is None
    assert next(ticks) - begun < 100
    assert len(tracker._all(observed, math.inf) or ()) == CARDS * (CARDS - 1) * (CARDS - 2)


# What the engine does for that


def test_some_legal_moves_are_legal(game: Game) -> None:
    rng = random.Random(1)
    for _, state in match_of(game, 3, TURNS):
        for number, role in enumerate(game.roles):
            position, engine = state.position, LiftedEngine(game.rules)
            drawn = engine.some_legal(position, number, 2, rng)
            legal = set(state.legal_moves(role))
            assert set(drawn) <= legal
            assert len(drawn) == min(2, len(legal))
            assert set(engine.some_legal(position, number, len(legal) + 1, rng)) == legal


def test_drawn_moves_differ(game: Game) -> None:
    engine, rng = LiftedEngine(game.rules), random.Random(1)
    drawn = {engine.some_legal(engine.initial(), 0, 1, rng)[0] for _ in range(60)}
    assert len(drawn) > 40
    for place in (2, 3, 4):
        cards = {move[place] for move in drawn if isinstance(move, tuple)}
        assert len(cards) == CARDS


def test_states_share_answers_if_they_differ_in_what_does_not_matter(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = LiftedEngine(game.rules)
    asked: list[frozenset[Term]] = []
    view = engine._view

    def spy(position: frozenset[Term]) -> Any:
        asked.append(position)
        return view(position)

    monkeypatch.setattr(engine, "_view", spy)
    she, he = game.roles.index("she"), game.roles.index("he")
    texts = ["(turn she)", "(round 1)", "(holds she 1)", "(holds he 2)"]
    other = ["(turn she)", "(round 2)", "(holds she 1)", "(holds he 3)"]
    one, two = (engine.position(map(game.term, fluents)) for fluents in (texts, other))
    for role in (0, she, he):
        assert engine.legal(one, role) == engine.legal(two, role)
    assert engine.terminal(one) == engine.terminal(two)
    # What he holds may matter for him; of the rounds only the last one does, for the end.
    assert asked == [one, one, one, two, one]
    mine = engine.position(map(game.term, [*texts[:2], "(holds she 4)"]))
    assert [str(move) for move in engine.legal(mine, she)] == ["(show 4)"]
    over = engine.position(map(game.term, ["(turn she)", "(round 8)"]))
    assert engine.terminal(over)


@pytest.mark.parametrize(
    "name",
    ["tic-tac-toe", "nim", "monty-hall", "kuhn-poker", "mastermind", "wumpus", "connect-four"],
)
def test_shared_answers_are_those_of_the_interpreter(name: str) -> None:
    game = Game.from_library(name, engine="lifted")
    plain = Interpreter(game.rules)
    for seed in range(3):
        for _, state in match_of(game, seed, 8):
            view = plain.view(state.fluents)
            assert state.is_terminal == view.terminal()
            for role in game.roles:
                assert set(state.legal_moves(role)) == set(view.legal(role))


def test_a_plain_search_ends_within_a_question(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = PlainSearcher("she", seed=1)
    state = match_of(game, 1, 1)[-1][1]

    def endless(self: LiftedEngine, position: Any, moves: Sequence[Term]) -> None:
        searcher.stop()
        tabling._Question(None).go_on((Predicate("next", 1), (0,)))
        raise AssertionError("nobody has stopped it")

    monkeypatch.setattr(LiftedEngine, "next", endless)
    found = searcher.think(state, limits=Limits(simulations=5))
    assert found.move in state.legal_moves("she")
    assert found.simulations == 0
