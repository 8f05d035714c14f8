"""Games in extensive form: exact values, mixed play, and CFR as others have it."""

from __future__ import annotations

import pytest

from games_support import load
from woodstock import Game, WoodstockError
from woodstock.solve.extensive import ExtensiveForm, TooLargeError
from woodstock.solve.regret import RegretMinimiser

ROCK = """(role a) (role b) (thing rock) (thing paper) (thing scissors) (init begin)
(beats rock scissors) (beats paper rock) (beats scissors paper)
(<= (legal ?p ?t) (role ?p) (thing ?t) (true begin))
(<= (next (shown ?p ?t)) (does ?p ?t))
(<= terminal (not (true begin)))
(<= (goal ?p 100) (true (shown ?p ?x)) (true (shown ?q ?y)) (distinct ?p ?q) (beats ?x ?y))
(<= (goal ?p 0) (true (shown ?p ?x)) (true (shown ?q ?y)) (distinct ?p ?q) (beats ?y ?x))
(<= (goal ?p 50) (role ?p) (true (shown a ?x)) (true (shown b ?x)))"""


def solved(game: Game, rounds: int) -> tuple[ExtensiveForm, list[list[float]]]:
    tree = ExtensiveForm.of(game)
    solver = RegretMinimiser(tree)
    solver.run(rounds)
    return tree, solver.average()


@pytest.mark.parametrize(
    ("name", "role", "value"),
    [
        ("monty-hall", "candidate", 2 / 3),
        ("guess-dice", "player", 1 / 6),
        ("hidden-matching-pennies", "alice", 0.75),
        ("kuhn-poker", "alice", 0.5 - 0.25 / 18),
    ],
)
def test_values(name: str, role: str, value: float) -> None:
    tree, strategy = solved(load(name), 300)
    assert tree.values(strategy)[role] == pytest.approx(value, abs=1e-3)
    assert tree.exploitability(strategy) == pytest.approx(0, abs=1e-3)


def test_who_sees_a_head_plays_heads() -> None:
    """The figure of the paper: 75 for playing what was seen, 25 for the other side."""
    tree, strategy = solved(load("hidden-matching-pennies"), 200)
    assert len(tree.sets) == 2
    for one, shares in zip(tree.sets, strategy):
        seen = str(one.memory[-1])
        chosen = str(one.moves[shares.index(max(shares))])
        assert ("heads" in seen) == ("heads" in chosen)
    wrong = [shares[::-1] for shares in strategy]
    assert tree.values(wrong)["alice"] == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("rules", ["matching-pennies", "rock"])
def test_coins_and_hands_are_mixed_evenly(rules: str) -> None:
    tree, strategy = solved(Game.from_text(ROCK) if rules == "rock" else load(rules), 500)
    assert len(tree.sets) == 2
    for shares in strategy:
        assert shares == pytest.approx([1 / len(shares)] * len(shares), abs=0.02)
    assert tree.exploitability(strategy) < 0.01


def test_poker_is_bluffed_as_often_as_it_should_be() -> None:
    tree, strategy = solved(load("kuhn-poker"), 2000)
    assert len(tree.sets) == 12
    shares = {}
    for one, chances in zip(tree.sets, strategy):
        card = next(str(x) for x in one.memory if "hand" in str(x))
        last = str(one.memory[-1])
        for move, chance in zip(one.moves, chances):
            shares[one.role, card.split("'")[3], "check" in last, "bet" in last, str(move)] = chance
    assert shares["bob", "jack", True, False, "bet"] == pytest.approx(1 / 3, abs=0.03)
    assert shares["bob", "queen", False, True, "call"] == pytest.approx(1 / 3, abs=0.03)
    assert shares["bob", "king", False, True, "call"] == pytest.approx(1)
    # What alice does with the king is up to her, but her bluffs go with it.
    bluff = shares["alice", "jack", False, False, "bet"]
    assert shares["alice", "king", False, False, "bet"] == pytest.approx(3 * bluff, abs=0.05)


def test_a_best_response_sees_no_more_than_it_may() -> None:
    tree = ExtensiveForm.of(load("kuhn-poker"))
    uniform = tree.uniform()
    assert tree.values(uniform)["alice"] < tree.best_response(uniform, "alice") < 0.75
    assert tree.best_response(uniform, "bob") == pytest.approx(0.5 + 0.25 * 5 / 12)


@pytest.mark.parametrize("plus", [False, True])
def test_the_same_as_open_spiel(plus: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    theirs = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    poker = pyspiel.load_game("kuhn_poker")
    other = (cfr.CFRPlusSolver if plus else cfr.CFRSolver)(poker)
    tree = ExtensiveForm.of(load("kuhn-poker"))
    ours = RegretMinimiser(tree, plus=plus)
    for _ in range(30):
        other.evaluate_and_update_policy()
        ours.run(1)
        # A coin is a quarter of the scale.
        wanted = theirs.exploitability(poker, other.average_policy())
        assert 4 * tree.exploitability(ours.average()) == pytest.approx(wanted, abs=1e-9)


def test_large_games_are_refused() -> None:
    with pytest.raises(TooLargeError, match="more than 1,000 nodes"):
        ExtensiveForm.of(load("tic-tac-toe"), limit=1000)


def test_moves_that_cannot_be_known() -> None:
    hidden = """(role a) (role random) (init begin) (<= (legal random ?x) (true begin) (side ?x))
    (side l) (side r) (<= (legal random wait) (not (true begin)))
    (<= (legal a wait) (true begin)) (<= (legal a (take ?x)) (true (at ?x)))
    (<= (legal a stay) (not (true begin)))
    (<= (next (at ?x)) (does random ?x) (side ?x)) (<= (next over) (not (true begin)))
    (<= terminal (true over)) (goal a 50) (<= (sees a never) (true never))"""
    with pytest.raises(WoodstockError, match="cannot know which moves"):
        ExtensiveForm.of(Game.from_text(hidden))
