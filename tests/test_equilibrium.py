"""Games that are solved: how the search keeps to limits, draws lots, and where it gives way."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest

from games_support import load
from test_extensive import ROCK
from test_hidden_values import situation
from test_search import check, timeless
from woodstock import Game
from woodstock.belief import Belief, ObservationHistory
from woodstock.search import Decision, Limits, make_searcher
from woodstock.search.equilibrium import EquilibriumSearcher
from woodstock.solve import equilibrium
from woodstock.solve.extensive import ExtensiveForm
from woodstock.solve.game_tree import TooLargeError
from woodstock.solve.regret import RegretMinimiser

LADDER = """
(role a) (role random)
(init (at 0))
(<= (legal a up) (true (at ?x)) (succ ?x ?y))
(<= (legal a leave) (true (at ?x)))
(<= (legal random (toss ?s)) (true (at 0)) (side ?s)) (side l) (side r)
(<= (legal random noop) (not (true (at 0))))
(<= (next (at ?y)) (does a up) (true (at ?x)) (succ ?x ?y))
(<= (next left) (does a leave))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= terminal (true left))
(<= top (true (at ?x)) (not (rung ?x)))
(<= terminal top)
(<= (goal a 100) top)
(<= (goal a 50) (true left) (true (coin l)))
(<= (goal a 0) (true left) (true (coin r)))
(<= (sees a never) (true never))
"""
"""Climbing to the top is best; whoever leaves does not know what he gets."""


def ladder(rungs: int) -> Game:
    steps = " ".join(f"(succ {n} {n + 1}) (rung {n})" for n in range(rungs))
    return Game.from_text(LADDER + steps)


def belief_of(game: Game, role: str, *turns: tuple[str, list[str]]) -> Belief:
    history = ObservationHistory(game, role, seed=1)
    for move, percepts in turns:
        history.record(game.term(move), [game.term(one) for one in percepts])
    return history.belief()


def bobs_queen() -> Belief:
    """Bob has the queen, and alice has bet: he calls one time in three."""
    turns = ("noop", ["(hand queen)"]), ("noop", ["(did alice bet)"])
    return belief_of(load("kuhn-poker"), "bob", *turns)


def shares(found: Decision) -> dict[str, float]:
    return {str(one.move): one.share for one in found.moves}


# Which games are solved.


@pytest.mark.parametrize("player", ["cfr", "woodstock"])
@pytest.mark.parametrize(
    ("name", "options", "solved"),
    [
        ("kuhn-poker", {}, True),
        ("kuhn-poker", {"solve_nodes": 55}, True),
        ("kuhn-poker", {"solve_nodes": 54}, False),
        ("kuhn-poker", {"solve_nodes": 0}, False),
        ("monty-hall", {}, True),
        ("matching-pennies", {}, True),
        # Nobody needs luck where all is seen and one moves at a time.
        ("nim", {"solve_nodes": 10_000_000}, False),
        ("cooperative-matching-pennies", {}, False),
        ("latent-tic-tac-toe-10x10", {}, False),
        ("war", {}, False),
    ],
)
def test_small_games_are_solved(
    name: str, options: dict[str, Any], solved: bool, player: str
) -> None:
    game = load(name)
    made = make_searcher(player, game, game.roles[0], **options)
    assert isinstance(made, EquilibriumSearcher) == solved


@pytest.mark.parametrize("player", ["uct", "grave", "mac-ucb-ii", "pimc", "pimc:inner=woodstock"])
def test_who_does_not_solve_games_does_not(player: str) -> None:
    assert not isinstance(make_searcher(player, load("kuhn-poker"), "bob"), EquilibriumSearcher)


# What it finds.


def test_numbers_of_memories_are_those_of_beliefs() -> None:
    for name in ("kuhn-poker", "monty-hall", "hidden-matching-pennies"):
        game = load(name)
        tree = ExtensiveForm.of(game)
        for where in tree.sets:
            belief = situation(game, where)
            assert isinstance(belief, Belief)
            place = game.roles.index(where.role)
            assert {memories[place] for memories in belief.memories} == {where.key}
            for position in belief.positions:
                assert tree.find(where.role, position, where.key) == [where]


def test_a_strategy_is_drawn_from() -> None:
    drawn = Counter(
        str(
            make_searcher("cfr", load("kuhn-poker"), "bob", seed=seed)
            .think(bobs_queen(), limits=Limits(simulations=5000))
            .move
        )
        for seed in range(100)
    )
    # Five standard deviations from a third of 100.
    assert 9 < drawn["call"] < 57
    assert drawn["call"] + drawn["fold"] == 100


def test_equal_seeds_and_budgets_find_the_same() -> None:
    def think(seed: int) -> Decision:
        searcher = make_searcher("cfr", load("kuhn-poker"), "bob", seed=seed)
        return timeless(searcher.think(bobs_queen(), limits=Limits(simulations=5000)))

    assert think(1) == think(1)


def test_values_are_those_of_the_moves() -> None:
    game = load("kuhn-poker")
    belief = belief_of(game, "alice", ("noop", ["(hand king)"]))
    found = make_searcher("cfr", game, "alice", seed=1).think(belief, limits=Limits())
    # A coin is a quarter of the scale; the king wins one coin, and half of the time another
    # from a jack that is bet or a queen that calls, a third of either.
    assert found.value == pytest.approx(0.5 + 0.25 * (1 + 1 / 6), abs=0.01)
    assert sum(found.values.values()) == pytest.approx(1)
    assert found.values["alice"] == pytest.approx(found.value, abs=0.01)
    check(found, belief.likeliest, "alice")


def test_a_beginning_without_a_choice_has_the_value_of_the_game() -> None:
    game = load("kuhn-poker")
    start = belief_of(game, "bob")
    found = make_searcher("cfr", game, "bob", seed=1).think(start, limits=Limits())
    assert shares(found) == {"noop": 1.0}
    assert found.value == pytest.approx(0.5 + 0.25 / 18, abs=1e-3)
    assert "CFR+" in found.notes[0]


def test_what_is_learned_stays() -> None:
    game = load("kuhn-poker")
    searcher = make_searcher("cfr", game, "bob", seed=1)
    first = searcher.think(belief_of(game, "bob"), limits=Limits())
    again = searcher.think(bobs_queen(), limits=Limits())
    assert first.simulations > 0
    assert again.simulations == 0
    assert shares(again)["call"] == pytest.approx(1 / 3, abs=0.02)


def test_also_what_is_never_played_is_played_well() -> None:
    """Who has left the best plan all the same, makes the best of it."""
    game = ladder(4)
    tree = ExtensiveForm.of(game)
    searcher = make_searcher("cfr", game, "a", seed=1)
    for where in tree.sets:
        found = searcher.think(situation(game, where), limits=Limits())
        assert str(found.move) == "up"
        assert shares(found)["up"] > 0.98
        assert found.value == pytest.approx(1, abs=0.02)
    poker = load("kuhn-poker")
    king = belief_of(
        poker,
        "bob",
        ("noop", ["(hand king)"]),
        ("noop", ["(did alice bet)"]),
    )
    found = make_searcher("cfr", poker, "bob", seed=1).think(king, limits=Limits())
    assert shares(found)["call"] > 0.99


def test_the_concept_says_what_the_others_want() -> None:
    game = Game.from_text(ROCK.replace("(goal ?p 0)", "(goal ?p 50)"))
    start = game.initial_state()
    values = {}
    for concept in ("maximin", "maxn"):
        searcher = make_searcher("cfr", game, "a", seed=1, concept=concept)
        assert isinstance(searcher, EquilibriumSearcher)
        values[concept] = searcher.think(start, limits=Limits(simulations=10_000)).values
    # Against us, the other one loses what we win; for himself, he wins as often as we do.
    assert sum(values["maximin"].values()) == pytest.approx(1)
    assert values["maxn"] == pytest.approx({"a": 2 / 3, "b": 2 / 3}, abs=0.01)


# Limits.


def test_limits_are_kept() -> None:
    game = load("kuhn-poker")
    for limits in (Limits(simulations=1000), Limits(nodes=1000)):
        found = make_searcher("cfr", game, "bob", seed=1).think(bobs_queen(), limits=limits)
        assert 0 < found.simulations <= 1000
        assert found.simulations % 55 == 0
    for limits in (Limits(simulations=0), Limits(seconds=0), Limits(cpu_seconds=0)):
        found = make_searcher("cfr", game, "bob", seed=1).think(bobs_queen(), limits=limits)
        assert found.simulations == 0
        assert shares(found) == {"call": 0.5, "fold": 0.5}


class Enough(Exception):
    pass


def test_it_can_be_stopped_and_tells_of_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equilibrium, "CLOSE", -1.0)  # never close enough
    game = load("matching-pennies")
    searcher = make_searcher("cfr", game, "j1", seed=1)
    assert isinstance(searcher, EquilibriumSearcher)
    searcher.stop()  # nobody thinks: nothing happens
    heard = threading.Event()
    found: list[Decision] = []

    def listen(decision: Decision) -> None:
        check(decision, game.initial_state(), "j1")
        heard.set()

    def think() -> None:
        limits = Limits(seconds=600)
        found.append(searcher.think(game.initial_state(), limits=limits, on_progress=listen))

    thread = threading.Thread(target=think)
    thread.start()
    assert heard.wait(500)
    with pytest.raises(RuntimeError, match="another thread"):
        searcher.think(game.initial_state(), limits=Limits(seconds=1))
    searcher.stop()
    thread.join(500)
    assert not thread.is_alive()
    assert found[0].seconds < 500

    def refuse(decision: Decision) -> None:
        raise Enough

    with pytest.raises(Enough):
        searcher.think(game.initial_state(), limits=Limits(seconds=600), on_progress=refuse)


# Where it gives way to the search that samples.


def test_a_guess_is_left_to_sampling() -> None:
    game = load("kuhn-poker")
    unheard_of = belief_of(game, "bob", ("noop", ["(hand queen)", "(hand king)"]))
    assert not unheard_of.exact
    found = make_searcher("cfr", game, "bob", seed=1).think(
        unheard_of, limits=Limits(simulations=1000)
    )
    assert found.simulations >= 1000
    assert not found.notes


def test_a_state_is_not_taken_for_the_beginning() -> None:
    """Who is shown a state remembers nothing, but it is no decision at the beginning either."""
    game = load("monty-hall")
    state = game.initial_state()
    for moves in (["(choose 1)", "(hide 2)"], ["noop", "(open 3)"]):
        state = state.apply(moves)
    found = make_searcher("cfr", game, "candidate", seed=1).think(
        state, limits=Limits(simulations=10_000)
    )
    assert not found.notes
    check(found, state, "candidate")


def test_other_games_and_ends_are_refused() -> None:
    game = load("matching-pennies")
    searcher = make_searcher("cfr", game, "j1", seed=1)
    other = load("monty-hall").initial_state()
    with pytest.raises(ValueError, match="is about matching-pennies, not monty-hall"):
        searcher.think(other, limits=Limits(seconds=1))
    end = game.initial_state().apply(["(retourne face)", "(retourne face)"])
    with pytest.raises(ValueError, match="over"):
        searcher.think(end, limits=Limits(seconds=1))


# Trees.


def test_long_games_are_solved_as_well() -> None:
    game = ladder(1500)
    tree = ExtensiveForm.of(game)
    assert (tree.turns, len(tree.sets)) == (1500, 1500)
    solver = RegretMinimiser(tree)
    solver.run(3)
    assert tree.best_response(tree.uniform(), "a") == 1
    assert 0 < tree.exploitability(solver.average()) < 1
    assert len(tree.sets[-1].memory) == 2 * 1499


def test_games_without_an_end_are_too_large() -> None:
    for_ever = (
        "(role a) (init on) (legal a wait) (next on) (<= terminal (not (true on))) (goal a 0)"
    )
    with pytest.raises(TooLargeError):
        ExtensiveForm.of(Game.from_text(for_ever), limit=100)
