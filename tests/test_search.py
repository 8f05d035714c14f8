"""The contract of the searches: what they are made with, what they promise, how they end."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from typing import Any

import pytest

from effort import effort
from woodstock import Game, State
from woodstock.errors import CircuitError
from woodstock.search import (
    Decision,
    Limits,
    OptionError,
    SearchError,
    TreeOptions,
    UnknownSearchError,
    make_searcher,
    options_of,
)
from woodstock.search.presets import PRESETS, chosen_options, parse
from woodstock.solve.concepts import concept_of

SEARCHES = tuple(PRESETS)
QUICK = Limits(simulations=1000, nodes=1000)

NO_FLUENTS_CHANGE = """
(role a) (role b)
(init (at 0))
(<= (legal ?r (say ?x)) (role ?r) (word ?x))
(word yes) (word no)
(<= (next (at 1)) (true (at 0)))
(<= terminal (true (at 1)))
(<= (goal ?r 50) (role ?r))
"""

ROUND = """
(role a) (role b)
(init (at 0)) (init (turn a))
(<= (legal ?r stay) (true (turn ?r)))
(<= (legal ?r leave) (true (turn ?r)))
(<= (legal a wait) (true (turn b)))
(<= (legal b wait) (true (turn a)))
(<= (next (turn b)) (true (turn a)))
(<= (next (turn a)) (true (turn b)))
(<= (next (at 0)) (not gone))
(<= gone (does ?r leave))
(<= (next (left ?r)) (does ?r leave))
(<= over (true (left ?r)))
(<= terminal over)
(<= (goal ?r 0) (true (left ?r)))
(<= (goal ?r 100) (role ?r) over (not (true (left ?r))))
"""


def game_of(name: str) -> Game:
    return Game.from_library(name)


def timeless(decision: Decision) -> Decision:
    return dataclasses.replace(decision, seconds=0.0, cpu_seconds=0.0)


def check(decision: Decision, state: State, role: str) -> None:
    legal = set(state.legal_moves(role))
    assert decision.move in legal
    assert {one.move for one in decision.moves} == legal
    assert decision.moves[0].move == decision.move
    assert set(decision.values) == set(state.game.players)
    for one in decision.moves:
        assert 0 <= one.lower <= one.upper <= 1
        assert one.lower - 1e-6 <= one.value <= one.upper + 1e-6
        assert one.proved == (one.lower == one.upper)
    for turn in decision.line:
        assert len(turn) == len(state.game.roles)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "randomised-tic-tac-toe", "matching-pennies", "hunter", "orchard"]
)
def test_every_search_answers_with_a_legal_move(name: str, game: str) -> None:
    rules = game_of(game)
    state = rules.initial_state()
    for role in rules.roles:
        if role == "random":
            continue
        decision = make_searcher(name, rules, role, seed=3).think(state, limits=QUICK)
        check(decision, state, role)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        *itertools.product(SEARCHES, ["connect-four"]),
        # One game is enough for the table solver.
        *itertools.product([n for n in SEARCHES if n != "fc-ucb"], ["shmup", "kaseklau"]),
    ],
)
def test_equal_seeds_and_budgets_find_the_same(name: str, game: str) -> None:
    rules = game_of(game)
    role = rules.roles[0]
    state = rules.initial_state()
    limits = Limits(simulations=effort(1500, 4000), nodes=effort(600, 1500))
    found = []
    for _ in range(2):
        searcher = make_searcher(name, rules, role, seed=5)
        found.append([timeless(searcher.think(state, limits=limits)) for _ in range(2)])
    assert found[0] == found[1]
    other = make_searcher(name, rules, role, seed=6).think(state, limits=limits)
    assert timeless(other) != found[0][0]


def test_regret_matching_is_not_disturbed_by_the_clock() -> None:
    rules = game_of("shmup")
    state = rules.initial_state()
    limits = Limits(simulations=150_000)

    def think() -> Decision:
        searcher = make_searcher("cfr", rules, rules.roles[0], seed=1)
        return timeless(searcher.think(state, limits=limits))

    assert think() == think()


@pytest.mark.parametrize("name", ["uct", "grave", "cfr", "mac-ucb"])
def test_what_is_known_is_kept_from_move_to_move(name: str) -> None:
    rules = game_of("tic-tac-toe")
    searcher = make_searcher(name, rules, "x", seed=1)
    state = rules.initial_state()
    first = searcher.think(state, limits=Limits(simulations=400_000))
    after = state.apply([str(move) for move in first.line[0]])
    kept = searcher.think(after, limits=Limits(simulations=400_000))
    fresh = make_searcher(name, rules, "x", seed=1).think(after, limits=Limits(simulations=400_000))
    assert kept.nodes < fresh.nodes
    assert kept.value == pytest.approx(fresh.value, abs=0.02)


@pytest.mark.parametrize("name", ["uct", "grave", "cfr", "mac-ucb"])
@pytest.mark.parametrize("game", ["connect-four", "shmup"])
def test_memory_is_kept_to(name: str, game: str) -> None:
    rules = game_of(game)
    role = rules.roles[0]
    state = rules.initial_state()
    limits = Limits(nodes=effort(30_000, 60_000), simulations=effort(300_000, 600_000))
    found = []
    for _ in range(2):
        searcher = make_searcher(name, rules, role, seed=1, memory_mb=4, **_light(name))
        decision = searcher.think(state, limits=limits)
        assert decision.bytes <= 4 << 20
        check(decision, state, role)
        found.append(timeless(decision))
    assert found[0] == found[1]


def _light(name: str) -> dict[str, Any]:
    return {"samples": 64, "batch": 64} if name == "mac-ucb" else {"playouts": 1}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_can_be_stopped_from_another_thread(name: str) -> None:
    rules = game_of("connect-four")
    searcher = make_searcher(name, rules, "red", seed=1, memory_mb=32)
    searcher.stop()  # nobody thinks: nothing happens
    heard = threading.Event()
    found: list[Decision] = []

    def think() -> None:
        found.append(
            searcher.think(
                rules.initial_state(),
                limits=Limits(seconds=600),
                on_progress=lambda _: heard.set(),
            )
        )

    thread = threading.Thread(target=think)
    thread.start()
    assert heard.wait(500)
    searcher.stop()
    thread.join(500)
    assert not thread.is_alive()
    assert found[0].seconds < 500
    check(found[0], rules.initial_state(), "red")


@pytest.mark.parametrize("name", ["uct", "mac-ucb"])
def test_an_exception_of_the_listener_ends_the_search(name: str) -> None:
    class Enough(Exception):
        pass

    def listen(decision: Decision) -> None:
        check(decision, state, "red")
        raise Enough

    rules = game_of("connect-four")
    state = rules.initial_state()
    searcher = make_searcher(name, rules, "red", seed=1, memory_mb=32)
    with pytest.raises(Enough):
        searcher.think(state, limits=Limits(seconds=600), on_progress=listen)
    check(searcher.think(state, limits=QUICK), state, "red")


@pytest.mark.parametrize("name", ["uct", "grave", "cfr", "woodstock", "mac-ucb"])
def test_moves_at_once_that_prove_nothing_come_to_an_end(name: str) -> None:
    rules = game_of("matching-pennies")
    searcher = make_searcher(name, rules, rules.roles[0], seed=1)
    for limits in (Limits(simulations=20_000), Limits(nodes=1000)):
        decision = searcher.think(rules.initial_state(), limits=limits)
        check(decision, rules.initial_state(), rules.roles[0])


@pytest.mark.parametrize("name", ["uct", "grave", "cfr", "woodstock", "mac-ucb"])
def test_circles_come_to_an_end_and_prove_nothing(name: str) -> None:
    rules = Game.from_text(ROUND)
    options: dict[str, Any] = {} if name == "mac-ucb" else {"leaves": 4}
    searcher = make_searcher(name, rules, "a", seed=1, max_plies=200, **options)
    decision = searcher.think(rules.initial_state(), limits=Limits(simulations=500))
    assert not decision.proved
    assert str(decision.move) == "stay"


@pytest.mark.parametrize("name", ["uct", "mac-ucb"])
def test_a_proved_value_is_told_also_where_all_choose_at_once(name: str) -> None:
    rules = Game.from_text(NO_FLUENTS_CHANGE)
    searcher = make_searcher(name, rules, "a", seed=1, concept="maximin")
    decision = searcher.think(rules.initial_state(), limits=Limits(simulations=5000))
    assert decision.proved
    assert decision.value == 0.5


# --- names and options ----------------------------------------------------------------------------


def test_shrinking_takes_the_luck_out_of_many_moves_with_few_samples() -> None:
    # Forty tickets, all alike: two coins decide.
    lottery = [
        "(role p) (role random) (init start)",
        *(f"(ticket {number})" for number in range(40)),
        "(<= (legal p (take ?t)) (true start) (ticket ?t))",
        "(<= (legal p noop) (not (true start)))",
        "(legal random heads) (legal random tails)",
        "(<= (next (tossed one)) (true start))",
        "(<= (next (tossed two)) (true (tossed one)))",
        "(<= (next won) (true (tossed one)) (does random heads))",
        "(<= (next over) (true (tossed one)))",
        "(<= terminal (true over))",
        "(<= (goal p 100) (true won))",
        "(<= (goal p 0) (not (true won)))",
        "(<= (next (held ?t)) (does p (take ?t)))",
        "(<= (next (held ?t)) (true (held ?t)))",
    ]
    game = Game.from_text("\n".join(lottery))

    def worth(name: str, seed: int) -> float:
        search = make_searcher(name, game, "p", seed=seed)
        return search.think(game.initial_state(), limits=Limits(simulations=512)).value

    for seed in range(5):
        assert worth("mac-ucb:shrinking=no", seed) > 0.65
        assert abs(worth("mac-ucb", seed) - 0.5) < 0.1


def test_options_come_with_the_name_or_beside_it() -> None:
    assert parse("uct: C=0.5 , leaves=32") == ("uct", {"exploration": "0.5", "leaves": "32"})
    assert parse("uct") == ("uct", {})
    assert chosen_options("uct", {"halving": "yes"}) == TreeOptions(halving=True)
    assert chosen_options("uct", {"halving": "0"}) == TreeOptions(halving=False)
    assert chosen_options("uct", {"leaves": 32.0}) == TreeOptions(leaves=32)
    rules = game_of("tic-tac-toe")
    limits = Limits(simulations=1)
    state = rules.initial_state()
    text = make_searcher("uct:leaves=2,playouts=4", rules, "x").think(state, limits=limits)
    beside = make_searcher("uct", rules, "x", leaves=2, playouts=4).think(state, limits=limits)
    assert timeless(text) == timeless(beside)
    assert text.simulations == 8


def test_options_cannot_be_changed_in_passing() -> None:
    with pytest.raises(AttributeError):
        options_of("uct").leaves = 7  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("uct", {"leafs": 3}),
        ("uct", {"leaves": 0}),
        ("uct", {"leaves": 2.5}),
        ("uct", {"leaves": "many"}),
        ("uct", {"leaves": -1}),
        ("uct", {"leaves": 1 << 40}),
        ("uct", {"playouts": 3}),
        ("uct", {"exploration": -1.0}),
        ("uct", {"exploration": float("nan")}),
        ("uct", {"leaves": float("inf")}),
        ("uct", {"halving": "perhaps"}),
        ("uct", {"concept": "nonsense"}),
        ("uct", {"choice": "nonsense"}),
        ("uct", {"solver": "mac"}),
        ("mac-ucb", {"order": "nonsense"}),
        ("mac-ucb", {"solver": "nonsense"}),
        ("mac-ucb", {"solving_share": 1.5}),
        ("mac-ucb", {"samples": 0}),
        ("uct:leaves", {}),
        ("uct:leafs=2", {}),
        ("uct", {"memory_mb": 1}),
    ],
)
def test_options_without_sense_are_refused(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        make_searcher(name, game_of("tic-tac-toe"), "x", **options)


@pytest.mark.parametrize("rules", ["tic-tac-toe", "monty-hall"])
@pytest.mark.parametrize(
    "player",
    [
        "mac-ucb:order=nonsense",
        "mac-ucb-ii:hypotheses=0",
        "uct:concept=nonsense",
        "uct:mast=-5",
        "uct:others=nonsense",
        "uct:policy_prior=-1",
        "uct:risk_exponent=-2",
    ],
)
def test_nonsense_is_refused_also_where_the_game_does_not_need_the_option(
    rules: str, player: str
) -> None:
    game = game_of(rules)
    role = next(role for role in game.roles if role != "random")
    with pytest.raises(OptionError, match=player.partition(":")[0]):
        make_searcher(player, game, role)


def test_names_and_roles_that_are_none_are_refused() -> None:
    rules = game_of("cooperative-matching-pennies")
    with pytest.raises(UnknownSearchError):
        make_searcher("utc", rules, "alice")
    for role in ("nobody", "random"):
        with pytest.raises(SearchError, match=role):
            make_searcher("uct", rules, role)
    with pytest.raises(CircuitError, match="circuit"):
        make_searcher("uct", Game.from_library("nim", engine="lifted"), "player1")


@pytest.mark.parametrize("field", ["seconds", "cpu_seconds", "nodes", "simulations"])
def test_limits_are_not_negative(field: str) -> None:
    for value in (-1, float("nan")):
        with pytest.raises(ValueError, match=field):
            Limits(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    "limits", [Limits(seconds=0), Limits(cpu_seconds=0), Limits(nodes=0), Limits(simulations=0)]
)
def test_no_time_at_all_still_gets_an_answer(name: str, limits: Limits) -> None:
    rules = game_of("tic-tac-toe")
    state = rules.initial_state()
    check(make_searcher(name, rules, "x").think(state, limits=limits), state, "x")


@pytest.mark.parametrize("name", ["uct", "mac-ucb"])
def test_a_game_that_is_over_is_refused(name: str) -> None:
    rules = game_of("tic-tac-toe")
    searcher = make_searcher(name, rules, "x")
    state = rules.initial_state()
    over = state
    while not over.is_terminal:
        over = over.apply([str(over.legal_moves(role)[0]) for role in rules.roles])
    with pytest.raises(ValueError, match="over"):
        searcher.think(over, limits=QUICK)
    check(searcher.think(state, limits=QUICK), state, "x")
    with pytest.raises(ValueError, match="about"):
        searcher.think(game_of("nim").initial_state(), limits=QUICK)


def test_concepts_are_found() -> None:
    assert concept_of(game_of("cooperative-matching-pennies")) == "team"
    assert concept_of(game_of("chinese-checkers")) == "maxn"
    assert concept_of(game_of("free-for-all-2p")) == "difference"
    assert concept_of(game_of("connect-four")) == "maximin"
    assert concept_of(game_of("hunter")) == "maximin"


def test_a_team_gets_what_it_can_reach_together() -> None:
    rules = game_of("cooperative-matching-pennies")
    for concept, wanted in (("team", 0.5), ("maximin", 0.0)):
        searcher = make_searcher("mac-ucb", rules, "alice", seed=1, concept=concept)
        decision = searcher.think(rules.initial_state(), limits=Limits(nodes=10_000))
        assert decision.proved
        assert decision.value == wanted
