"""Random playouts: the statistics are right, and odd endings have a meaning on every engine.

Seeds are fixed, so nothing here fails by chance; bounds are five standard deviations, so a change
of the random numbers does not break them either.
"""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from math import sqrt

import pytest

from circuit_support import Exact, Pair, assert_plausible, exact_play
from games_support import load
from woodstock import Game, games
from woodstock.errors import StateError
from woodstock.game import EngineName
from woodstock.playouts import PlainTally, Playouts

ENGINES: tuple[EngineName, ...] = ("circuit", "ground", "lifted")
every_engine = pytest.mark.parametrize("engine", ENGINES)

# The first move decides: over at once for nothing, or over after sixty moves for everything.
SHORT_OR_LONG = (
    " ".join(f"(succ {i} {i + 1})" for i in range(1, 60))
    + """
(role walker) (init (at start))
(<= (legal walker short) (true (at start)))
(<= (legal walker long) (true (at start)))
(<= (legal walker go) (not (true (at start))))
(<= (next (at over)) (does walker short))
(<= (next (at 1)) (does walker long))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= terminal (true (at over)))
(<= terminal (true (at 60)))
(<= (goal walker 0) (true (at over)))
(<= (goal walker 100) (true (at 60)))
"""
)

# Two coins are thrown twenty times: the goal of a role is the number of its heads.
COINS = (
    " ".join(f"(succ {i} {i + 1})" for i in range(20))
    + """
(role left) (role random)
(init (step 0)) (init (heads left 0)) (init (heads random 0))
(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (heads ?r ?n)) (does ?r heads) (true (heads ?r ?m)) (succ ?m ?n))
(<= (next (heads ?r ?n)) (does ?r tails) (true (heads ?r ?n)))
(<= terminal (true (step 20)))
(<= (goal ?r ?n) (true (heads ?r ?n)))
"""
)


@cache
def game_of(text: str, engine: EngineName) -> Game:
    return Game.from_text(text, engine=engine)


@cache
def pair_of(name: str) -> Pair:
    return Pair.of_kif(games.rules_text(name))


# --- against exact enumeration --------------------------------------------------------------------


def test_tic_tac_toe_is_what_everybody_found() -> None:
    exact = exact_of("tic-tac-toe")
    (first, _), (second, _) = exact.goals
    assert first == pytest.approx(58.49 + 12.70 / 2, abs=0.01)
    assert second == pytest.approx(28.81 + 12.70 / 2, abs=0.01)
    assert exact.length[0] == pytest.approx(7.63, abs=0.01)
    assert (exact.shortest, exact.longest, exact.stuck, exact.unclear) == (5, 9, 0, 0)


@cache
def exact_of(name: str) -> Exact:
    pair = pair_of(name)
    exact = exact_play(pair, pair.initial, max_plies=1000, limit=100_000)
    assert exact is not None
    return exact


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "matching-pennies",  # simultaneous
        "cooperative-matching-pennies",  # chance, hidden information
        "hidden-matching-pennies",
        "nim",
    ],
)
@pytest.mark.parametrize("count", [100_000, 513, 1])
def test_playouts_agree_with_exact_enumeration(name: str, count: int) -> None:
    for seed in range(4):
        assert_plausible(
            pair_of(name).play(pair_of(name).initial, count, seed=seed), exact_of(name)
        )


def test_playouts_of_many_states_agree_with_exact_enumeration() -> None:
    pair = pair_of("tic-tac-toe")
    states = pair.random_states(random.Random(8), 60)
    budgets = [100 + 37 * i for i in range(len(states))]
    tallies = pair.simulator.playouts(b"".join(states), budgets, 3)
    for state, budget, tally in zip(states, budgets, tallies, strict=True):
        exact = exact_play(pair, state, max_plies=1000)
        assert exact is not None
        assert tally.playouts == budget
        assert_plausible(Playouts.of(pair.roles, tally), exact)


@every_engine
def test_playouts_of_chance_on_every_engine(engine: EngineName) -> None:
    game = Game.from_library("randomised-tic-tac-toe", engine=engine)
    found = game.initial_state().playouts(400, seed=1)
    reference = load("randomised-tic-tac-toe").initial_state().playouts(200_000, seed=1)
    for role, error in found.goal_errors.items():
        assert abs(found.mean_goals[role] - reference.mean_goals[role]) <= 5 * error
    assert abs(found.mean_length - reference.mean_length) <= 5 * found.length_error
    assert found.unclear == 0
    text = games.rules_text("randomised-tic-tac-toe").replace("(goal random 0)", "")
    without = Game.from_text(text, engine=engine).initial_state().playouts(100, seed=1)
    assert without.unclear == 100  # chance has no goal


# --- no favour for short games --------------------------------------------------------------------


def is_fair(found: Sequence[Playouts]) -> bool:
    """Whether half of all playouts were long, within five standard deviations."""
    count = sum(one.count for one in found)
    long = sum(one.count * one.mean_goals["walker"] / 100 for one in found if one.count)
    return abs(long - count / 2) <= 5 * sqrt(count / 4)


def first_finished(budget: int, lanes: int, seed: int) -> Playouts:
    """The rule that must not be: lanes begin anew, and the first results are taken."""
    rng = random.Random(seed)
    tally = PlainTally.of_roles(1)
    left = [rng.choice((1, 60)) for _ in range(lanes)]
    started = list(left)
    while True:
        for lane in range(lanes):
            left[lane] -= 1
            if left[lane] == 0:
                tally.add(started[lane], [(0 if started[lane] == 1 else 100,)])
                if tally.playouts == budget:
                    return Playouts.of(["walker"], tally)
                left[lane] = started[lane] = rng.choice((1, 60))


def test_the_wrong_rule_would_be_noticed() -> None:
    assert not is_fair([first_finished(3000, 512, seed) for seed in range(3)])


def play_short_or_long(calls: Sequence[tuple[Sequence[int], int]]) -> list[Playouts]:
    game = game_of(SHORT_OR_LONG, "circuit")
    start = game.initial_state()
    found = []
    for budgets, seed in calls:
        found += game.playouts([start] * len(budgets), budgets, seed=seed)
        assert [one.count for one in found[-len(budgets) :]] == list(budgets)
    return found


@pytest.mark.parametrize(
    "calls",
    [
        [([100_000], 1)],
        [([count], seed) for count in (513, 700, 2049, 3001, 8193) for seed in range(20)],
        [([7], seed) for seed in range(2000)],
        [([64] * 100, seed) for seed in range(10)],
        [([1] * 5000, seed) for seed in range(3)],
        [([1, 900, 0, 3, 5000, 77], seed) for seed in range(20)],
    ],
    ids=["one call", "odd budgets", "few", "many states", "one each", "mixed"],
)
def test_short_games_have_no_advantage(calls: list[tuple[list[int], int]]) -> None:
    found = play_short_or_long(calls)
    assert is_fair(found)
    assert all(one.stuck == one.cut == one.unclear == 0 for one in found)
    large = [one for one in found if one.count > 100]
    for one in large:
        assert (one.shortest, one.longest) == (1, 60)
        long = one.mean_goals["walker"] / 100
        assert one.mean_length == pytest.approx(1 + 59 * long)


def test_short_games_have_no_advantage_among_other_states() -> None:
    """Lanes of one state run beside those of another whose games are all long, or all over."""
    game = game_of(SHORT_OR_LONG, "circuit")
    start = game.initial_state()
    others = [game.state(["(at 5)"]), game.state(["(at 59)"]), game.state(["(at over)"])]
    states = [start, others[0], start, others[1], others[2], start]
    found = game.playouts(states, [3000] * len(states), seed=3, threads=2)
    assert is_fair([found[0], found[2], found[5]])
    assert [found[i].mean_length for i in (1, 3, 4)] == [55.0, 1.0, 0.0]
    assert [found[i].mean_goals["walker"] for i in (1, 3, 4)] == [100.0, 100.0, 0.0]


# --- independence ---------------------------------------------------------------------------------


def wins(count: int, seeds: Sequence[int], states: int = 1) -> list[int]:
    """How often the first role of matching pennies won in each call, and for each state of it."""
    game = load("matching-pennies")
    start = game.initial_state()
    found = []
    for seed in seeds:
        results = game.playouts([start] * states, [count] * states, seed=seed)
        found += [round(one.mean_goals["j1"] * count / 100) for one in results]
    return found


def scores(found: Sequence[int], count: int) -> list[float]:
    """Numbers of wins as deviations from the mean of fair and independent coins."""
    return [(won - count / 2) / sqrt(count / 4) for won in found]


SAMPLES: dict[str, Callable[[], tuple[int, list[int]]]] = {
    "seeds in a row": lambda: (1000, wins(1000, range(1000))),
    "a lane each": lambda: (1, wins(1, range(4000))),
    "few lanes": lambda: (10, wins(10, range(2000))),
    "more than a batch": lambda: (5000, wins(5000, range(400))),
    "seeds far apart": lambda: (1000, wins(1000, [i << 54 for i in range(500)])),
    "many states": lambda: (50, wins(50, range(4), states=400)),
    "one for each state": lambda: (1, wins(1, [1], states=5000)),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_lanes_are_independent(sample: str) -> None:
    """Calls spread as independent coins do.

    Lanes that repeat one another make calls differ more, seeds that share their numbers less, and
    neighbours that share a part are correlated.
    """
    count, found = SAMPLES[sample]()
    deviations = scores(found, count)
    number = len(deviations)
    # Of a sum of squares of that many normal numbers, 2 n is the variance; fewer for single coins.
    spread = sum(z * z for z in deviations)
    variance = 2 * number * (1 - 1 / count)
    assert abs(spread - number) <= 5 * sqrt(variance) + 1e-6
    assert abs(sum(deviations)) <= 5 * sqrt(number)
    for lag in (1, 2, 8, 64):
        together = sum(a * b for a, b in zip(deviations, deviations[lag:]))
        assert abs(together) <= 5 * sqrt(number - lag), lag


def test_moves_and_roles_are_independent() -> None:
    """The heads of twenty throws are binomial, and the two coins know nothing of each other."""
    found = game_of(COINS, "circuit").initial_state().playouts(200_000, seed=2)
    for role, mean in found.mean_goals.items():
        assert abs(mean - 10) <= 5 * sqrt(5 / found.count)
        variance = found.goal_errors[role] ** 2 * found.count
        # The fourth central moment of the binomial distribution gives the error of the variance.
        fourth = 5 * (1 + 3 * 18 / 4)
        assert abs(variance - 5) <= 5 * sqrt((fourth - 25) / found.count)
    # Matching pennies: who wins depends on both roles, and neither could win more if they agreed.
    pennies = load("matching-pennies").initial_state().playouts(200_000, seed=2)
    assert abs(pennies.mean_goals["j1"] - 50) <= 5 * 50 / sqrt(pennies.count)


def test_every_move_is_as_likely_as_any_other() -> None:
    """Moves of all places in the tree of counts, for numbers that are no power of two."""
    for moves in (2, 3, 7, 8, 9, 13, 100, 257):
        text = (
            " ".join(f"(n {i})" for i in range(moves))
            + """
            (role x) (init start)
            (<= (legal x (take ?n)) (n ?n) (true start))
            (<= (next (taken ?n)) (does x (take ?n)))
            (<= terminal (true (taken ?n)))
            (<= (goal x ?n) (true (taken ?n)))"""
        )
        count = 50_000
        found = Game.from_text(text).initial_state().playouts(count, seed=moves)
        mean, variance = (moves - 1) / 2, (moves**2 - 1) / 12
        assert abs(found.mean_goals["x"] - mean) <= 5 * sqrt(variance / count)
        measured = found.goal_errors["x"] ** 2 * count
        fourth = (moves**2 - 1) * (3 * moves**2 - 7) / 240
        bound = 5 * sqrt(max(0.0, fourth - variance**2) / count) + 0.001 * variance
        assert abs(measured - variance) <= bound


# --- odd endings ----------------------------------------------------------------------------------

PLAIN = "(role x) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
WALK = "(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))"

ODD = {
    "stuck": (
        f"{PLAIN} (role y) (legal y noop) {WALK} (<= (legal x go) (not (true (at 2))))"
        "(<= terminal (true (at 3))) (goal x 40) (<= (goal y 70) (true (at 2)))",
        {"mean_goals": {"x": 40, "y": 70}, "mean_length": 2, "stuck": 10},
    ),
    "no goal": (
        f"{PLAIN} (legal x go) {WALK} (<= terminal (true (at 2))) (<= (goal x 9) (true (at 1)))",
        {"mean_goals": {"x": 0}, "mean_length": 2, "unclear": 10},
    ),
    "no goal at all": (
        f"{PLAIN} (legal x go) {WALK} (<= terminal (true (at 2))) (<= (goal x 9) (true (at 9)))",
        {"mean_goals": {"x": 0}, "mean_length": 2, "unclear": 10},
    ),
    "several goals": (
        f"{PLAIN} (legal x go) {WALK} (<= terminal (true (at 2))) (goal x 30) (goal x 5)"
        "(<= (goal x 80) (true (at 1)))",
        {"mean_goals": {"x": 30}, "mean_length": 2, "unclear": 10},
    ),
    "goals that are no numbers": (
        f"{PLAIN} (legal x go) {WALK} (<= terminal (true (at 2))) (goal x much) (goal x 7)"
        "(goal x (s 9)) (goal x -3)",
        {"mean_goals": {"x": 7}, "mean_length": 2},
    ),
    "goals of nobody": (
        f"{PLAIN} (legal x go) (legal nobody go) {WALK} (<= terminal (true (at 2)))"
        "(goal x 7) (goal nobody 100)",
        {"mean_goals": {"x": 7}, "mean_length": 2},
    ),
    "no end": (
        "(role x) (init (at 0)) (legal x go) (<= (next (at 1)) (true (at 0)))"
        "(<= (next (at 0)) (true (at 1))) (<= terminal (true (at 2)))"
        "(<= (goal x 20) (true (at 1))) (<= (goal x 90) (true (at 0)))",
        {"mean_goals": {"x": 20}, "mean_length": 37, "cut": 10},
    ),
    "no fluents": (
        "(role x) (legal x go) (<= terminal (true nothing)) (goal x 55)",
        {"mean_goals": {"x": 55}, "mean_length": 37, "cut": 10},
    ),
    "no fluents after the first move": (
        "(role x) (init a) (legal x go) (<= terminal (not (true a))) (goal x 55)",
        {"mean_goals": {"x": 55}, "mean_length": 1},
    ),
    "over from the start": (
        "(role x) (init a) (legal x go) terminal (goal x 100)",
        {"mean_goals": {"x": 100}, "mean_length": 0},
    ),
    "over and stuck": (
        f"{PLAIN} {WALK} (<= (legal x go) (not (true (at 2)))) (<= terminal (true (at 2)))"
        "(goal x 60)",
        {"mean_goals": {"x": 60}, "mean_length": 2},
    ),
    "over at the limit": (
        " ".join(f"(succ {i} {i + 1})" for i in range(37)) + f"{WALK} (role x) (init (at 0))"
        "(legal x go) (<= terminal (true (at 37))) (goal x 60)",
        {"mean_goals": {"x": 60}, "mean_length": 37},
    ),
}


@every_engine
@pytest.mark.parametrize("name", ODD)
def test_odd_endings(name: str, engine: EngineName) -> None:
    """What these games give does not depend on chance: it is told exactly."""
    text, told = ODD[name]
    found = game_of(text, engine).initial_state().playouts(10, seed=1, max_plies=37)
    length = told["mean_length"]
    assert found == Playouts(
        count=10,
        mean_goals=told["mean_goals"],  # type: ignore[arg-type]
        goal_errors=dict.fromkeys(found.mean_goals, 0.0),
        mean_length=length,  # type: ignore[arg-type]
        length_error=0.0,
        shortest=length,  # type: ignore[arg-type]
        longest=length,  # type: ignore[arg-type]
        stuck=told.get("stuck", 0),  # type: ignore[arg-type]
        cut=told.get("cut", 0),  # type: ignore[arg-type]
        unclear=told.get("unclear", 0),  # type: ignore[arg-type]
    )


@every_engine
def test_no_playouts_and_a_single_one(engine: EngineName) -> None:
    start = game_of(SHORT_OR_LONG, engine).initial_state()
    none = start.playouts(0)
    assert (none.count, none.shortest, none.longest, none.cut) == (0, 0, 0, 0)
    assert math.isnan(none.mean_goals["walker"])
    assert math.isnan(none.mean_length)
    one = start.playouts(1, seed=3)
    assert one.mean_goals["walker"] in (0, 100)
    assert math.isnan(one.goal_errors["walker"])
    assert start.game.playouts([], []) == []


@every_engine
def test_a_limit_of_plies(engine: EngineName) -> None:
    start = game_of(SHORT_OR_LONG, engine).initial_state()
    found = start.playouts(200, seed=1, max_plies=10)
    assert (found.shortest, found.longest) == (1, 10)
    assert 0 < found.cut == found.unclear < 200
    assert found.mean_goals == {"walker": 0}


# --- the face -------------------------------------------------------------------------------------


@every_engine
def test_same_seed_same_result(engine: EngineName) -> None:
    game = game_of(COINS, engine)
    start = game.initial_state()
    states = [start, *[after for _, after in start.successors()]]
    budgets = [20, 0, 3, 30, 5]
    first = game.playouts(states, budgets, seed=4)
    assert game.playouts(states, budgets, seed=4) == first
    assert game.playouts(states, budgets, seed=4, threads=2) == first
    assert game.playouts(states, budgets, seed=5) != first
    assert [one.count for one in first] == budgets
    # The same state at another place of the list plays other games.
    one, other = game.playouts([start, start], [200, 200], seed=4)
    assert one != other


@every_engine
@pytest.mark.parametrize(
    ("budgets", "options"),
    [
        ([1, 2], {}),
        ([], {}),
        ([-1], {}),
        ([1], {"seed": -1}),
        ([1], {"seed": 2**64}),
        ([1], {"max_plies": 0}),
        ([1], {"max_plies": 2**32}),
    ],
)
def test_bad_arguments(engine: EngineName, budgets: list[int], options: dict[str, int]) -> None:
    game = game_of(COINS, engine)
    with pytest.raises(ValueError, match=r"budget|seed|max_plies"):
        game.playouts([game.initial_state()], budgets, **options)  # type: ignore[arg-type]


def test_bad_arguments_of_the_circuit() -> None:
    start = game_of(COINS, "circuit").initial_state()
    with pytest.raises(ValueError, match="no instruction set 'steam' here; there are auto, "):
        start.playouts(1, isa="steam")
    with pytest.raises(ValueError, match="0 threads"):
        start.playouts(1, threads=0)
    assert start.playouts(1, seed=2**64 - 1).count == 1


def test_states_of_another_copy_and_of_another_game() -> None:
    ours, theirs = game_of(COINS, "circuit"), game_of(COINS, "lifted")
    state = theirs.initial_state().successors()[1][1]
    (found,) = ours.playouts([state], [50], seed=1)
    assert found == ours.initial_state().successors()[1][1].playouts(50, seed=1)
    with pytest.raises(StateError, match="a state of nim is none of"):
        ours.playouts([load("nim").initial_state()], [1])


def test_an_interrupt_ends_a_long_call() -> None:
    program = (
        "from woodstock import Game\n"
        "start = Game.from_library('hex').initial_state()\n"
        "print('ready', flush=True)\n"
        "start.playouts(10**9, threads=2)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background may have the signal ignored.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.send_signal(signal.SIGINT)
        try:
            _, errors = child.communicate(timeout=600)
        finally:
            child.kill()
    assert b"KeyboardInterrupt" in errors
    assert child.returncode != 0
