"""Searches about beliefs against exact values: known games, equilibria, guessing games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings

from conformance_folder import FOLDER
from games_support import load
from guessing_support import Guessing, Look, guessing_games
from test_extensive import ROCK
from woodstock import Game, State
from woodstock.belief import Belief, ObservationHistory
from woodstock.gdl.terms import Compound
from woodstock.search import Decision, Limits, make_searcher
from woodstock.solve.extensive import ExtensiveForm
from woodstock.solve.game_tree import InformationSet

EXACT = 1e-9
GUARD = 30.0
"""CPU seconds after which a search is stopped that does not end by itself."""


def think(
    player: str, about: State | Belief, role: str, *, seed: int = 1, simulations: int = 200_000
) -> Decision:
    searcher = make_searcher(player, about.game, role, seed=seed)
    return searcher.think(about, limits=Limits(simulations=simulations, cpu_seconds=GUARD))


def believed(game: Game, role: str, *turns: str) -> Belief:
    """What a role believes after moves and percepts of its own, by turns."""
    history = ObservationHistory(game, role, seed=1)
    for move, percept in zip(turns[::2], turns[1::2]):
        history.record(game.term(move), [game.term(percept)] if percept else [])
    belief = history.belief()
    assert belief.exact
    return belief


def values(found: Decision) -> dict[str, float]:
    return {str(one.move): one.value for one in found.moves}


# Known games.

KNOWN = [
    ("hidden-matching-pennies", "alice", (), {"noop": 3 / 4}),
    (
        "hidden-matching-pennies",
        "alice",
        ("noop", "(coins heads)"),
        {"(play heads)": 3 / 4, "(play tails)": 1 / 4},
    ),
    (
        "hidden-matching-pennies",
        "alice",
        ("noop", "(coins tails)"),
        {"(play heads)": 1 / 4, "(play tails)": 3 / 4},
    ),
    ("monty-hall", "candidate", (), {f"(choose {door})": 2 / 3 for door in (1, 2, 3)}),
    (
        "monty-hall",
        "candidate",
        ("(choose 1)", "", "noop", "(open 3)"),
        {"switch": 2 / 3, "stay": 1 / 3},
    ),
    ("guess-dice", "player", (), {"noop": 1 / 6}),
    ("guess-dice", "player", ("noop", "rattle"), {f"(guess {n})": 1 / 6 for n in range(1, 7)}),
]


@pytest.mark.parametrize(("name", "role", "turns", "exact"), KNOWN)
def test_mac_ucb_ii_proves_what_every_move_is_worth(
    name: str, role: str, turns: Sequence[str], exact: dict[str, float]
) -> None:
    found = think("mac-ucb-ii", believed(load(name), role, *turns), role)
    assert found.proved
    assert values(found) == pytest.approx(exact, abs=EXACT)
    assert found.value == pytest.approx(max(exact.values()), abs=EXACT)
    assert all(one.lower == one.upper for one in found.moves)


@pytest.mark.parametrize("player", ["uct", "grave", "cfr", "woodstock", "woodstock:solve_nodes=0"])
@pytest.mark.parametrize(("name", "role", "turns", "exact"), KNOWN)
def test_other_searches_come_near(
    name: str, role: str, turns: Sequence[str], exact: dict[str, float], player: str
) -> None:
    found = think(player, believed(load(name), role, *turns), role)
    assert found.value == pytest.approx(max(exact.values()), abs=0.02)
    assert exact[str(found.move)] == max(exact.values())


# Equilibria: what a search would do in each information set makes a strategy.


def situation(game: Game, where: InformationSet) -> State | Belief:
    """What the role is asked about there."""
    if game.information == "complete":
        state = game.initial_state()
        for joint in where.memory:
            assert isinstance(joint, tuple)
            state = state.apply(joint)
        return state
    history = ObservationHistory(game, where.role, seed=1)
    turns = iter(where.memory)
    for move, percepts in zip(turns, turns):
        assert isinstance(move, (str, Compound))
        assert isinstance(percepts, frozenset)
        history.record(move, percepts)
    return history.belief()


def strategy(
    player: str, tree: ExtensiveForm, *, simulations: int, before: int = 0
) -> list[list[float]]:
    """What a search does in each information set, after thinking about the beginning."""
    searchers = {role: make_searcher(player, tree.game, role, seed=1) for role in tree.players}
    for role, searcher in searchers.items():
        if before:
            start = ObservationHistory(tree.game, role, seed=1).belief()
            searcher.think(start, limits=Limits(simulations=before, cpu_seconds=GUARD))
    found = []
    limits = Limits(simulations=simulations, cpu_seconds=GUARD)
    for where in tree.sets:
        decision = searchers[where.role].think(situation(tree.game, where), limits=limits)
        shares = {one.move: one.share for one in decision.moves}
        assert sum(shares.values()) == pytest.approx(1)
        assert shares[decision.move] > 0
        found.append([shares[move] for move in where.moves])
    return found


@cache
def tree_of(name: str) -> ExtensiveForm:
    if name == "rock":
        return ExtensiveForm.of(Game.from_text(ROCK))
    path = FOLDER / "gdl2" / f"{name}.gdl"
    return ExtensiveForm.of(Game.from_file(path) if path.exists() else load(name))


AT_ONCE = [
    "matching-pennies",
    "rock",
    pytest.param(
        "scissor_paper_rock",
        marks=pytest.mark.skipif(not FOLDER.exists(), reason="the public rulesheets are not here"),
    ),
]


@pytest.mark.parametrize("player", ["cfr", "woodstock"])
@pytest.mark.parametrize("name", AT_ONCE)
def test_small_games_in_which_all_choose_at_once_are_mixed(name: str, player: str) -> None:
    tree = tree_of(name)
    assert tree.exploitability(strategy(player, tree, simulations=50_000)) < 1e-3


@pytest.mark.parametrize("name", AT_ONCE)
def test_sampled_regrets_mix_as_well(name: str) -> None:
    tree = tree_of(name)
    assert tree.exploitability(strategy("cfr:solve_nodes=0", tree, simulations=1_000_000)) < 0.02


@pytest.mark.parametrize("player", ["cfr", "woodstock"])
def test_poker_is_solved(player: str) -> None:
    tree = tree_of("kuhn-poker")
    assert tree.exploitability(strategy(player, tree, simulations=50_000)) < 1e-3


def test_sampled_regrets_come_near_an_equilibrium_of_poker() -> None:
    """By thinking about the beginning, where nobody has shown anything of his strategy yet."""
    tree = tree_of("kuhn-poker")
    near, nearer = (
        tree.exploitability(strategy("cfr:solve_nodes=0", tree, simulations=1, before=simulations))
        for simulations in (50_000, 2_000_000)
    )
    assert nearer < 0.01
    assert nearer < near / 2


def test_sampled_regrets_play_poker_well_from_any_belief() -> None:
    """A belief takes what the others did for luck, so no more than that can be asked for."""
    tree = tree_of("kuhn-poker")
    assert tree.exploitability(strategy("cfr:solve_nodes=0", tree, simulations=200_000)) < 0.05
    assert tree.exploitability(tree.uniform()) > 0.1


# Guessing games: what one may learn is worth something.


@given(guessing_games())
@settings(max_examples=60)
def test_guessing_games_are_proved_and_played_well(guessing: Guessing) -> None:
    game = guessing.game()
    start = believed(game, "player")
    found = think("mac-ucb-ii", start, "player")
    assert found.proved
    assert found.value == pytest.approx(guessing.value(), abs=EXACT)
    assert think("cfr", start, "player").value == pytest.approx(guessing.value(), abs=1e-3)
    for clue in set(guessing.clues):
        exact = guessing.exact(clue)
        best = max(exact.values())
        about = believed(game, "player", "noop", f"(clue {clue})")
        found = think("mac-ucb-ii", about, "player")
        assert found.proved
        assert found.value == pytest.approx(best, abs=EXACT)
        assert exact[str(found.move)] == pytest.approx(best, abs=EXACT)
        found = think("woodstock", about, "player")
        assert values(found) == pytest.approx(exact, abs=0.01)


SAME, FIRST, EVERY = (0, 0, 0), (1, 0, 0), (0, 1, 2)
"""What looks show of three values."""

RIGHT = ((100, 0, 0), (0, 100, 0), (0, 0, 100))
CAREFUL = ((90, 0, 40), (0, 90, 40), (0, 0, 40))
"""What answers pay; the last answer to the second is safe."""


# With more games a leaf, an end in the tree counts as if it had been seen as often.
@pytest.mark.parametrize(
    "player", ["uct:playouts=1", "woodstock:solve_nodes=0", "cfr:solve_nodes=0"]
)
@pytest.mark.parametrize(
    ("guessing", "best"),
    [
        (Guessing(SAME, RIGHT, ()), "(guess 1)"),
        (Guessing(SAME, RIGHT, (Look(EVERY, 50), Look(FIRST, 30))), "(look 1)"),
        (Guessing(SAME, RIGHT, (Look(EVERY, 50), Look(FIRST, 10))), "(look 2)"),
        (Guessing(SAME, CAREFUL, (Look(EVERY, 35),)), "(guess 2)"),
        (Guessing(SAME, CAREFUL, (Look(EVERY, 10), Look(SAME, 0))), "(look 1)"),
    ],
)
def test_sampling_comes_near(guessing: Guessing, best: str, player: str) -> None:
    exact = guessing.exact(0)
    assert exact[best] == max(exact.values())
    found = think(player, believed(guessing.game(), "player", "noop", "(clue 0)"), "player")
    assert exact[str(found.move)] == pytest.approx(exact[best], abs=0.04)
    assert found.value == pytest.approx(exact[best], abs=0.04)


TRAP = Guessing((0, 0), ((100, 0), (0, 100)), (Look((0, 1), 20), Look((0, 0), 10)))
"""Who looks for 20 knows the coin; who looks for 10 sees nothing."""


def test_who_takes_the_hidden_for_open_does_not_look() -> None:
    about = believed(TRAP.game(), "player", "noop", "(clue 0)")
    exact = TRAP.exact(0)
    assert exact == {"(guess 0)": 0.5, "(guess 1)": 0.5, "(look 1)": 0.8, "(look 2)": 0.45}
    for player in ("mac-ucb-ii", "woodstock", "woodstock:solve_nodes=0", "uct", "cfr"):
        found = think(player, about, "player")
        assert str(found.move) == "(look 1)"
        assert found.value == pytest.approx(0.8, abs=0.01)
    assert str(think("pimc", about, "player").move) != "(look 1)"
