"""The worked examples of the papers on stochastic constraint networks and games."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from woodstock.scsp import (
    ANY,
    Hard,
    Network,
    Policy,
    Probability,
    Soft,
    Value,
    Variable,
    reference,
)
from woodstock.scsp.exact import best
from woodstock.scsp.policy import (
    expected_utility,
    is_feasible,
    is_solution,
    leaves,
    probability,
    satisfaction,
)
from woodstock.scsp.sfc import fc, raise_threshold, sfc, solve
from woodstock.scsp.solver import PROPAGATIONS, Solver
from woodstock.scsp.split import (
    chance_part,
    decompose,
    feasibility_constraint,
    hard_part,
    solve_split,
)

HALF = Fraction(1, 2)


def named(variables: tuple[Variable, ...]) -> list[str]:
    return [variable.name for variable in variables]


# Revue d'intelligence artificielle 2017, Examples 2 and 3


@pytest.fixture
def two_levels() -> Network:
    xd1, xs1 = Variable("xd1", range(3)), Variable("xs1", range(3), stochastic=True)
    xd2, xs2 = Variable("xd2", range(3), stage=2), Variable("xs2", range(3), True, stage=2)
    return Network(
        [xd1, xs1, xd2, xs2],
        [
            Hard.where([xd1, xd2], lambda a, b: a == b, name="c1"),
            Hard.where([xd1, xs1], lambda a, b: a + b > 1, name="c2"),
            Hard.where([xd2, xs2], lambda a, b: a + b > 1, name="c3"),
        ],
        [Probability.uniform(xs1), Probability.uniform(xs2)],
        threshold="1/3",
    )


def test_the_policy_of_example_2_has_satisfaction_4_9(two_levels: Network) -> None:
    policy = Policy.of(two_levels, {"xd1": 1, "xd2": 1})
    found = list(leaves(two_levels, policy))
    assert [leaf.utility is not None for leaf in found] == [
        *(False, False, False),
        *(False, True, True),
        *(False, True, True),
    ]
    assert {leaf.probability for leaf in found} == {Fraction(1, 9)}
    assert found[0].path == {"xd1": 1, "xs1": 0, "xd2": 1, "xs2": 0}
    assert satisfaction(two_levels, policy) == Fraction(4, 9)
    assert is_solution(two_levels, policy)
    assert not is_solution(two_levels.with_(threshold="1/2"), policy)
    # It is no certainty: not every scenario satisfies the constraints.
    assert not is_feasible(two_levels, policy)


def test_example_2_is_solved(two_levels: Network) -> None:
    policies = [Policy.of(two_levels, {"xd1": x, "xd2": x}) for x in (1, 2)]
    assert list(sfc(two_levels)) == policies
    assert list(fc(two_levels)) == policies[1:]
    assert [value for _, value in solve(two_levels)] == [(Fraction(4, 9),), (Fraction(1),)]
    assert best(two_levels) == (Fraction(1), policies[1])
    given = best(two_levels, given={"xd1": 1})
    assert given == (Fraction(4, 9), policies[0])


def test_example_3_has_two_levels(two_levels: Network) -> None:
    assert [(named(x), named(y)) for x, y in two_levels.stages] == [
        (["xd1"], ["xs1"]),
        (["xd2"], ["xs2"]),
    ]
    first, second = decompose(two_levels)
    assert (named(first.variables), [c.name for c in first.constraints]) == (
        ["xd1", "xs1", "xd2"],
        ["c1", "c2"],
    )
    assert (named(second.variables), [c.name for c in second.constraints]) == (
        ["xd2", "xs2"],
        ["c3"],
    )
    assert len(first.stages) == len(second.stages) == 1


# Revue d'intelligence artificielle 2017, Figure 3


def test_the_network_of_matching_pennies() -> None:
    """Figure 3, with two rows that its text adds.

    The table of `terminal` lacks the position where no coin is turned, and those of `goal` the
    positions before the end, of which the text says that the score is 0 there.
    """
    sides, coin = ("F", "P"), ("F", "P", "I")
    places = [(a, b) for a in coin for b in coin]
    over = [(a, b) for a in sides for b in sides]
    now = [Variable(f"piece_{j},t", coin) for j in ("j1", "j2")]
    flip = [Variable(f"retourne_{j},t", sides) for j in ("j1", "j2")]
    then = [Variable(f"piece_{j},t+1", coin) for j in ("j1", "j2")]
    score = [Variable(f"score_{j},t", (0, 50, 100)) for j in ("j1", "j2")]
    terminal = Variable("terminal_t", ("V", "W"))

    def goals(player: int) -> list[tuple[Value, ...]]:
        rows = [(a, b, 100 if (a == b) == (player == 0) else 0) for a, b in over]
        return [*rows, *((a, b, 0) for a, b in places if (a, b) not in over)]

    network = Network(
        [*now, terminal, *score, *flip, *then],
        [
            Hard([*now, terminal], [(a, b, "W" if "I" in (a, b) else "V") for a, b in places]),
            *(Hard([*now, score[p]], goals(p), name="goal") for p in range(2)),
            *(Hard([now[p], flip[p]], [("I", "P"), ("I", "F")], name="legal") for p in range(2)),
            *(
                Hard([now[p], flip[p], then[p]], [("I", "F", "F"), ("I", "P", "P")], name="next")
                for p in range(2)
            ),
        ],
    )
    start = {"piece_j1,t": "I", "piece_j2,t": "I"}
    for propagation in PROPAGATIONS:
        found = list(Solver(network, propagation=propagation).solutions(given=start))
        assert sorted((i["piece_j1,t+1"], i["piece_j2,t+1"]) for i in found) == over
        assert {(i["terminal_t"], i["score_j1,t"], i["score_j2,t"]) for i in found} == {("W", 0, 0)}
    # In the end there is nothing to do: no coin is left to turn.
    assert Solver(network).count(given={"piece_j1,t": "F", "piece_j2,t": "F"}) == 0
    assert Solver(network).count() == len(list(reference.solutions(network))) == 4


# Constraints 2016, Example 2 and Figure 2


@pytest.fixture
def cooperative_pennies() -> Network:
    sides = ("H", "T")
    x1a, x1b = Variable("x1a", sides), Variable("x1b", sides)
    y1 = Variable("y1", ("U",), stochastic=True)
    x2a, x2b = Variable("x2a", sides, stage=2), Variable("x2b", sides, stage=2)
    y2 = Variable("y2", sides, stochastic=True, stage=2)
    return Network(
        [x1a, x1b, y1, x2a, x2b, y2],
        [
            Hard.where([x1a, x2a], lambda a, b: a == b, name="ca"),
            Hard.where([x1b, x2b], lambda a, b: a == b, name="cb"),
            Soft([x2a, x2b, y2], {("H", "H", "H"): 1, ("T", "T", "T"): 1}, name="cs"),
        ],
        [Probability.uniform(y1), Probability.uniform(y2)],
        threshold="1/2",
    )


def test_both_show_heads_and_win_half_of_the_time(cooperative_pennies: Network) -> None:
    policy = Policy.of(cooperative_pennies, dict.fromkeys(("x1a", "x1b", "x2a", "x2b"), "H"))
    assert [leaf.utility for leaf in leaves(cooperative_pennies, policy)] == [
        (Fraction(1),),
        (Fraction(0),),
    ]
    assert expected_utility(cooperative_pennies, policy) == (HALF,)
    assert is_feasible(cooperative_pennies, policy)
    assert is_solution(cooperative_pennies, policy)
    tails = Policy.of(cooperative_pennies, dict.fromkeys(("x1a", "x1b", "x2a", "x2b"), "T"))
    assert list(sfc(cooperative_pennies)) == [policy, tails]
    assert best(cooperative_pennies) == (HALF, policy)


def test_policies_that_do_not_reach_the_threshold(cooperative_pennies: Network) -> None:
    differ = Policy.of(cooperative_pennies, {"x1a": "H", "x2a": "H", "x1b": "T", "x2b": "T"})
    assert expected_utility(cooperative_pennies, differ) == (Fraction(0),)
    assert is_feasible(cooperative_pennies, differ)
    assert not is_solution(cooperative_pennies, differ)
    # A decision that is changed in the second round: −∞ in the paper.
    change = Policy.of(cooperative_pennies, {"x1a": "H", "x2a": "T", "x1b": "T", "x2b": "T"})
    assert expected_utility(cooperative_pennies, change) is None
    assert not is_feasible(cooperative_pennies, change)
    assert len(list(fc(cooperative_pennies))) == 4


def test_the_threshold_goes_up_from_nothing(cooperative_pennies: Network) -> None:
    found = list(raise_threshold(cooperative_pennies))
    assert [value for _, value in found] == [(HALF,)]
    # From the other end of the domains the first policy found is a bad one.
    worse_first = cooperative_pennies.with_(
        constraints=[
            *cooperative_pennies.hard,
            Soft(["x1a", "x2b", "y2"], {("T", "T", "T"): 1, ("H", "T", "H"): "1/4"}),
        ]
    )
    assert [value for _, value in raise_threshold(worse_first)] == [
        (Fraction(0),),
        (Fraction(1, 8),),
        (HALF,),
    ]


# Constraints 2016, Example 3


def test_the_split_of_example_3() -> None:
    """The text gives domains, θ, what FC finds, c_s, and what MAC finds; Figure 4 is not in it.

    The tables of c1, c2 and c3 are made here so that all of that holds.
    """
    x1, x2 = Variable("x1", (1, 2, 3)), Variable("x2", (0, 1, 2))
    y = Variable("y", (0, 1, 2), stochastic=True)
    network = Network(
        [x1, x2, y],
        [
            Hard([x1, y], [(1, 0), (1, 1), (2, ANY), (3, 1), (3, 2)], name="c1"),
            Hard([x2, y], [(0, 0), (0, 1), (1, ANY), (2, ANY)], name="c2"),
            Hard.where([x1, x2], lambda a, b: a <= b, name="c3"),
        ],
        [Probability.uniform(y)],
        threshold="3/4",
    )
    chance, hard = chance_part(network), hard_part(network)
    assert [c.name for c in chance.constraints] == ["c1", "c2"]
    assert (named(chance.variables), chance.threshold) == (["x1", "x2", "y"], (Fraction(3, 4),))
    assert ([c.name for c in hard.constraints], named(hard.variables)) == (["c3"], ["x1", "x2"])
    pi2, pi1 = (Policy.of(chance, {"x1": 2, "x2": x}) for x in (1, 2))
    assert list(sfc(chance)) == list(fc(chance)) == [pi2, pi1]
    feasible = feasibility_constraint(network)
    assert (feasible.scope, feasible.rows) == (("x1", "x2"), ((2, 1), (2, 2)))
    with_it = hard.with_(constraints=[*hard.constraints, feasible])
    for propagation in PROPAGATIONS:
        assert list(Solver(with_it, propagation=propagation).solutions()) == [{"x1": 2, "x2": 2}]
        assert list(solve_split(network, propagation=propagation)) == [pi1]
    assert list(sfc(network)) == [pi1]


# IJCAI 2016, Figures 2 and 3

GOALS = {
    ("H", "HH"): 100,
    ("T", "TT"): 100,
    ("H", "HT"): 50,
    ("H", "TH"): 50,
    ("T", "HT"): 50,
    ("T", "TH"): 50,
    ("H", "TT"): 0,
    ("T", "HH"): 0,
}


@pytest.fixture
def hidden_pennies() -> Network:
    """Figure 2: a round of Hidden Matching Pennies.

    The figure lists rows of `terminal` with HU and UH, which the domain that it gives for the coins
    does not have; they are left out. Its table of `goal` lacks the positions before the end: the
    score is 0 there. `play` stands before the coins, because alice does not see them.
    """
    side, pair = ("H", "T", "U"), ("HH", "TT", "HT", "TH", "UU")
    roles = ("alice", "random")
    percept = Variable("percept", ("coins(H)", "coins(T)"))
    coin, play = Variable("coin", side), Variable("play", ("H", "T", "noop"))
    control = Variable("control", roles)
    coins = Variable("coins", pair, stochastic=True)
    choose = Variable("choose", ("HH", "TT", "HT", "TH", "noop"), stochastic=True)
    terminal, score = Variable("terminal", (True, False)), Variable("score", (0, 50, 100))
    coin1, coins1 = Variable("coin'", side), Variable("coins'", pair)
    control1 = Variable("control'", roles)
    position = list(product(side, pair))
    quarter, quarters = Fraction(1, 4), ("HH", "HT", "TH", "TT")
    return Network(
        [percept, control, coin, play, coins, choose, terminal, score, coin1, coins1, control1],
        [
            Hard(
                [coin, coins, terminal],
                [(c, cs, c != "U" and cs != "UU") for c, cs in position],
                name="terminal",
            ),
            Hard(
                [coin, coins, score],
                [(c, cs, GOALS.get((c, cs), 0)) for c, cs in position],
                name="goal",
            ),
            Hard(
                [control, play], [("alice", "H"), ("alice", "T"), ("random", "noop")], name="legal"
            ),
            Hard([control, control1], [("random", "alice")], name="next"),
            Hard(
                [coins, choose, coins1],
                [
                    *((pair, "noop", pair) for pair in ("HH", "TT", "HT", "TH")),
                    *(("UU", pair, pair) for pair in ("HH", "TT", "HT", "TH")),
                ],
                name="next",
            ),
            Hard(
                [coin, play, coin1],
                [("U", "noop", "U"), ("U", "H", "H"), ("U", "T", "T")],
                name="next",
            ),
        ],
        [
            Probability(
                coins,
                [percept],
                {("coins(H)",): {"HH": HALF, "HT": HALF}, ("coins(T)",): {"TH": HALF, "TT": HALF}},
            ),
            Probability(
                choose,
                [control],
                {("random",): dict.fromkeys(quarters, quarter), ("alice",): {"noop": 1}},
            ),
        ],
    )


def test_the_tables_of_hidden_matching_pennies(hidden_pennies: Network) -> None:
    network = hidden_pennies
    assert named(network.stochastic) == ["coins", "choose"]
    assert named(network.recourse) == ["terminal", "score", "coin'", "coins'", "control'"]
    sizes = {variable.name: len(variable.domain) for variable in network.variables}
    assert sizes == {
        "percept": 2,
        "control": 2,
        "coin": 3,
        "play": 3,
        "coins": 5,
        "choose": 5,
        "terminal": 2,
        "score": 3,
        "coin'": 3,
        "coins'": 5,
        "control'": 2,
    }
    terminal, goal = network.hard[0], network.hard[1]
    assert [row[:2] for row in terminal.rows if row[2] is True] == list(
        product("HT", terminal_pairs())
    )
    assert {row[:2]: row[2] for row in goal.rows if row[2]} == {k: v for k, v in GOALS.items() if v}
    # Both conditional probability tables, row by row.
    for side, pairs in {"H": ("HH", "HT"), "T": ("TH", "TT")}.items():
        for pair in network.variable("coins").domain:
            found = probability(network, {"percept": f"coins({side})", "coins": pair})
            assert found == (HALF if pair in pairs else 0)
    for move in network.variable("choose").domain:
        for role, waits in {"random": 0, "alice": 1}.items():
            found = probability(network, {"control": role, "choose": move})
            assert found == (waits if move == "noop" else Fraction(1 - waits, 4))


def terminal_pairs() -> list[str]:
    return ["HH", "TT", "HT", "TH"]


def test_the_first_round_of_hidden_matching_pennies(hidden_pennies: Network) -> None:
    start = {"control": "random", "coin": "U", "coins": "UU"}
    for propagation in PROPAGATIONS:
        found = list(Solver(hidden_pennies, propagation=propagation).solutions(given=start))
        # Four moves of chance; the percept of a round that begins with unset coins is open.
        assert sorted({str(i["coins'"]) for i in found}) == ["HH", "HT", "TH", "TT"]
        assert len(found) == 8
        assert {
            (i["play"], i["coin'"], i["control'"], i["terminal"], i["score"]) for i in found
        } == {("noop", "U", "alice", False, 0)}


def test_what_alice_sees_is_worth_75_against_25(hidden_pennies: Network) -> None:
    """Figure 3, from the tables of Figure 2: alice moves, and the goal table values what comes.

    The figure has no row for the player after alice; nobody is needed there.
    """
    goal = Soft(["coin'", "coins'"], {row: Fraction(n, 100) for row, n in GOALS.items()}, "goal'")
    keep = [c for c in hidden_pennies.hard if c.scope != ("control", "control'")]
    network = hidden_pennies.with_(constraints=[*keep, goal], threshold="3/4")
    for seen in "HT":
        turn = {"percept": f"coins({seen})", "control": "alice", "coin": "U"}
        for side in "HT":
            found = best(network, given={**turn, "play": side})
            assert found is not None
            assert found.value * 100 == (75 if side == seen else 25)
        chosen = best(network, given=turn)
        assert chosen is not None
        assert chosen.value * 100 == 75
        assert chosen.policy.decision("play") == seen


def test_alice_plays_the_side_that_chance_reveals() -> None:
    """Figure 3 as a network of its own: chance shows R1, alice plays A, chance reveals R2."""
    r1, r2 = Variable("R1", "HT", True), Variable("R2", "HT", True, stage=2)
    a = Variable("A", "HT", stage=2)
    pay = {(x, y, z): Fraction(GOALS[y, x + z], 100) for x, y, z in product("HT", repeat=3)}
    network = Network(
        [r1, a, r2],
        [Soft([r1, a, r2], pay)],
        [Probability.uniform(r1), Probability.uniform(r2)],
        threshold="3/4",
    )
    values = {
        policy.decision("A", {"R1": "H"}) + policy.decision("A", {"R1": "T"}): value  # type: ignore[operator]
        for policy, value in solve(network.with_(threshold=0))
    }
    assert values == {
        "HT": (Fraction(3, 4),),
        "HH": (HALF,),
        "TT": (HALF,),
        "TH": (Fraction(1, 4),),
    }
    (solution,) = sfc(network)
    assert [solution.decision("A", {"R1": side}) for side in "HT"] == ["H", "T"]
    assert best(network) == (Fraction(3, 4), solution)
