"""Laws of stochastic networks: solvers find what the definitions say, on small random networks."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import scsp_support as support
from effort import effort
from woodstock.errors import NetworkError
from woodstock.scsp import ANY, Hard, Network, Policy, Probability, Soft, Variable, reference
from woodstock.scsp.exact import Best, best
from woodstock.scsp.forward import ForwardChecking
from woodstock.scsp.policy import (
    expected_utility,
    is_feasible,
    is_globally_consistent,
    is_solution,
    leaves,
    satisfaction,
    value_of,
)
from woodstock.scsp.sfc import Found, fc, raise_threshold, sfc, solve
from woodstock.scsp.solver import HEURISTICS, PROPAGATIONS, Solver
from woodstock.scsp.split import chance_part, decompose, hard_part, solve_split
from woodstock.scsp.strategies import Maximin, maximin

repeatable = settings(
    max_examples=effort(100, 250),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def reaches(value: Iterable[Fraction] | None, network: Network) -> bool:
    return value is not None and all(a >= b for a, b in zip(value, network.threshold))


def by_text(policies: Iterable[Policy]) -> list[str]:
    return sorted(map(repr, policies))


@repeatable
@given(support.networks(), st.data())
def test_the_value_of_a_policy_is_a_sum_over_instantiations(
    network: Network, data: st.DataObject
) -> None:
    def decide(variable: Variable, _: object) -> object:
        return data.draw(st.sampled_from(variable.domain))

    policy = Policy.of(network, decide)
    value = support.worth(network, policy)
    assert value_of(network, policy) == value
    assert is_solution(network, policy) == reaches(value, network)
    paths = [i for i in support.instantiations(network) if support.follows(network, policy, i)]
    assert list(policy.paths()) == paths
    good = [i for i in paths if support.satisfies(list(network.hard), i)]
    assert satisfaction(network, policy) == sum(support.chance_of(network, i) for i in good)
    assert is_feasible(network, policy) == (len(good) == len(paths))
    assert (expected_utility(network, policy) is None) == (len(good) != len(paths))
    assert [leaf.utility is not None for leaf in leaves(network, policy)] == [
        i in good for i in paths
    ]


@repeatable
@given(support.networks())
def test_sfc_finds_exactly_the_solution_policies(network: Network) -> None:
    every = list(reference.policies(network))
    assert len(every) == len(set(every))
    wanted = [policy for policy in every if reaches(support.worth(network, policy), network)]
    assert by_text(sfc(network)) == by_text(wanted)
    for policy, value in solve(network):
        assert value == support.worth(network, policy)


def test_a_loss_is_bounded_by_the_best_of_what_is_open() -> None:
    """x1 takes a value of y before x2 says how likely it was."""
    x1, x2, y = Variable("x1", (0, 1)), Variable("x2", (0, 1)), Variable("y", (0, 1), True)
    same = Probability(y, [x2], {(0,): {0: 1}, (1,): {1: 1}})
    network = Network([x1, x2, y], [Hard([x1, y], [(0, 1), (1, 0)])], [same])
    assert [dict(policy.decisions) for policy in sfc(network)] == [
        {"x1": 0, "x2": 1},
        {"x1": 1, "x2": 0},
    ]


@repeatable
@given(support.networks())
def test_fc_finds_exactly_the_feasible_policies(network: Network) -> None:
    assert by_text(fc(network)) == by_text(reference.feasible_policies(network))


@repeatable
@given(support.networks())
def test_the_raised_threshold_ends_at_the_best_of_the_least(network: Network) -> None:
    values = [support.worth(network, policy) for policy in reference.policies(network)]
    least = [min(value) for value in values if value is not None]
    found = [min(value) for _, value in raise_threshold(network)]
    assert found == sorted(set(found))
    assert found[-1:] == sorted(least)[-1:]


STEPS = [Variable(f"x{place}", range(3)) for place in range(8)]


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        (Hard(["x0", "y"], [(0, 1), (1, 2), (2, ANY)]), ["1/4", "1"]),
        (Hard(["x7", "y"], [(0, 1), (1, 2), (2, ANY)]), ["1/4", "1"]),
        (Soft.where([STEPS[0]], lambda x: Fraction(max(1, x), 2)), ["1/2", "1"]),
        (Soft.where([STEPS[0], Variable("y", range(4))], lambda x, y: x == 2), ["0", "1"]),
        (Soft.where([STEPS[0]], lambda x: 0), ["0"]),
    ],
    ids=["early", "late", "utility", "utility by chance", "all the same"],
)
def test_a_raised_threshold_spares_work(
    constraint: Hard | Soft, values: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """6,561 ways to decide: a search that only leaves out what it has found goes along all."""
    assigned = 0
    assign = ForwardChecking.assign

    def counted(self: ForwardChecking, place: int, value: object) -> bool:
        nonlocal assigned
        assigned += 1
        return assign(self, place, value)

    monkeypatch.setattr(ForwardChecking, "assign", counted)
    y = Variable("y", range(4), stochastic=True)
    network = Network([*STEPS, y], [constraint], [Probability.uniform(y)], 0)
    assert [str(value) for _, (value,) in raise_threshold(network)] == values
    assert assigned < 100


def test_what_utilities_cannot_reach_is_left_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[int] = []
    assign = ForwardChecking.assign

    def noted(self: ForwardChecking, place: int, value: object) -> bool:
        places.append(place)
        return assign(self, place, value)

    monkeypatch.setattr(ForwardChecking, "assign", noted)
    pay = [Soft.where([v], lambda x: Fraction(x, 16)) for v in STEPS]
    (found,) = sfc(Network(STEPS, pay, threshold=1))
    assert dict(found.decisions) == {v.name: 2 for v in STEPS}
    assert len(places) == 3 * len(STEPS)


def test_chance_may_have_very_many_values() -> None:
    """Nothing goes deeper with each of them."""
    many = range(1200)
    x, y = Variable("x", range(2)), Variable("y", many, stochastic=True)
    odd = Hard.forbid([x, y], [(0, value) for value in many[::2]])
    network = Network([x, y], [odd], [Probability.uniform(y)], "1/2")
    wanted = [Policy.of(network, {"x": value}) for value in range(2)]
    assert list(sfc(network)) == wanted
    assert sorted(solve_split(network), key=wanted.index) == wanted
    assert list(solve_split(network.with_(threshold=1))) == wanted[1:]
    found = best(network)
    assert found is not None
    assert (found.value, found.policy) == (Fraction(1), wanted[1])


def test_networks_may_be_very_long() -> None:
    """Nothing goes deeper with each decision."""
    free = [Variable(f"x{place}", (0, 1)) for place in range(600)]
    apart = [Hard.forbid([a, b], [(1, 1)]) for a, b in pairwise(free)]
    found = best(Network(free, apart))
    assert found is not None
    assert found.value == 1
    assert dict(found.policy.decisions) == {variable.name: 0 for variable in free}
    move = Variable("move", (0, 1))
    pay = Soft.where([move], lambda value: value)
    after = maximin(Network([*free, move], [*apart, pay]), {"move": 0})
    assert after is not None
    assert (after.values, after.moves) == ((Fraction(1),), {})
    before = maximin(Network([move, *free], [*apart, pay]), {"move": 0})
    assert before is not None
    assert before.values == (Fraction(1),)
    assert before.moves == {"move": {0: Fraction(0), 1: Fraction(1)}}
    fixed = [Hard([v], [(0,)]) for v in free[:-1]]
    with pytest.raises(NetworkError, match="'x599' is no player's move"):
        maximin(Network(free, [*fixed, Soft.where([free[-1]], lambda value: value)]), {})


def test_a_network_without_variables_has_one_policy() -> None:
    empty, nothing, sure = Network([]), Policy(()), Fraction(1)
    assert list(reference.solutions(empty)) == [{}]
    assert list(Solver(empty).solutions()) == list(Solver(empty).stream()) == [{}]
    assert Solver(empty).count() == 1
    for find in (reference.policies, reference.solution_policies, sfc, fc, solve_split):
        assert list(find(empty)) == [nothing]
    assert list(solve(empty)) == list(raise_threshold(empty)) == [Found(nothing, (sure,))]
    assert best(empty) == Best(sure, nothing)
    assert value_of(empty, nothing) == (sure,)
    assert maximin(empty, {}) == Maximin((Fraction(0),), {})


@repeatable
@given(support.networks(stages=1))
def test_the_split_with_the_feasibility_constraint_keeps_the_solutions(network: Network) -> None:
    wanted = by_text(reference.solution_policies(network))
    assert by_text(solve_split(network)) == wanted


@repeatable
@given(support.networks(stages=1, recourse=False))
def test_the_parts_are_those_of_the_algorithms(network: Network) -> None:
    chance = {variable.name for variable in network.stochastic}
    hard, risky = hard_part(network), chance_part(network)
    assert list(hard.constraints) == [c for c in network.hard if not chance & {*c.scope}]
    assert {v.name for v in hard.variables} == {n for c in hard.constraints for n in c.scope}
    assert list(risky.hard) == [c for c in network.hard if chance & {*c.scope}]
    assert risky.soft == network.soft
    assert risky.probabilities == network.probabilities


@repeatable
@given(support.networks(most_policies=200))
def test_the_exact_solver_finds_the_best_of_all_policies(network: Network) -> None:
    values = [(support.worth(network, policy), policy) for policy in reference.policies(network)]
    for player in range(network.players):
        found = best(network, player=player)
        reachable = [value[player] for value, _ in values if value is not None]
        assert (found is None) == (not reachable)
        if found is not None:
            assert found.value == max(reachable)
            worth = support.worth(network, found.policy)
            assert worth is not None
            assert worth[player] == found.value


@repeatable
@given(support.networks(most_policies=200), st.data())
def test_the_exact_solver_goes_on_from_any_beginning(network: Network, data: st.DataObject) -> None:
    """What is given is what the first variables are: the best is the best among such policies."""
    place = data.draw(st.integers(0, len(network.variables)))
    start = {v.name: data.draw(st.sampled_from(v.domain)) for v in network.variables[:place]}
    sure = [
        Probability.of(table.variable, {start[table.variable]: 1})
        if table.variable in start
        else table
        for table in network.probabilities
    ]
    fixed = [
        Hard([n], [(value,)]) for n, value in start.items() if not network.variable(n).stochastic
    ]
    same = network.with_(constraints=[*network.constraints, *fixed], probabilities=sure)
    found, wanted = best(network, given=start), best(same)
    assert (found and found.value) == (wanted and wanted.value)


@repeatable
@given(support.networks(stages=3))
def test_solver_and_reference_find_the_same_solutions(network: Network) -> None:
    wanted = list(reference.solutions(network))
    assert wanted == [
        found
        for found in support.instantiations(network)
        if support.satisfies(list(network.hard), found)
    ]
    for propagation in PROPAGATIONS:
        for heuristic in HEURISTICS:
            solver = Solver(network, propagation=propagation, heuristic=heuristic)
            assert sorted(map(repr, solver.solutions())) == sorted(map(repr, wanted))
            assert solver.count() == len(wanted)
    first = network.variables[0]
    learner = Solver(network, learning=True, heuristic="activity")
    for value in first.domain:
        possible = any(found[first.name] == value for found in wanted)
        some = learner.first(given={first.name: value})
        assert (some is not None and some in wanted and some[first.name] == value) == possible
        assert is_globally_consistent(network, {first.name: value}) == possible
    # What was learned takes no solution away.
    assert sorted(map(repr, learner.solutions())) == sorted(map(repr, wanted))


@repeatable
@given(support.networks(stages=2))
def test_the_stages_of_a_network_hold_all_its_constraints(network: Network) -> None:
    try:
        parts = decompose(network)
    except NetworkError:
        assume(False)
    assert [c for part in parts for c in part.constraints] == sorted(
        network.constraints, key=lambda c: min(network.variable(name).stage for name in c.scope)
    )
    assert all(len(part.stages) <= 1 for part in parts)
    joined: list[dict[str, object]] = [{}]
    for part in parts:
        found = list(reference.solutions(part))
        joined = [
            {**left, **right}
            for left in joined
            for right in found
            if all(left[name] == right[name] for name in left.keys() & right.keys())
        ]
    assert sorted(repr(sorted(i.items())) for i in joined) == sorted(
        repr(sorted(i.items())) for i in reference.solutions(network)
    )


# Games of two players


def game_of(seed: int) -> Network:
    """Two stages: both move at once, chance moves, both move again."""
    dice = random.Random(seed)
    a, b = Variable("a1", "xy"), Variable("b1", "xyz")
    chance = Variable("r", (0, 1), stochastic=True)
    c, d = Variable("a2", "xy", stage=2), Variable("b2", "xy", stage=2)
    share = Fraction(dice.randint(0, 3), 3)
    everything = [a, b, chance, c, d]
    pay = Soft.where(everything, lambda *_: [Fraction(dice.randint(0, 3), 3) for _ in range(2)])
    return Network(everything, [pay], [Probability.of(chance, {0: share, 1: 1 - share})], [0, 0])


@settings(repeatable, max_examples=20)
@given(st.integers(0, 10**9).map(game_of), st.sampled_from([(min, max), (max, max), (min, min)]))
def test_maximin_is_what_the_operators_say(
    network: Network, operators: tuple[object, object]
) -> None:
    plus, times = operators
    assert plus in (min, max)
    assert times in (min, max)
    fold = {min: min, max: max}
    plus_of, times_of = fold[plus], fold[times]
    pay = network.soft[0]
    chances = network.probability("r").distribution(())

    def state(values: tuple[object, ...], player: int, first: str, second: str) -> Fraction:
        own, other = (first, second) if player == 0 else (second, first)

        def after(move: str, reply: str) -> Fraction:
            joint = (move, reply) if player == 0 else (reply, move)
            if len(values) == 3:
                return pay.utility((*values, *joint))[player]
            return sum(
                (p * state((*joint, r), player, "xy", "xy") for r, p in chances.items() if p),
                Fraction(0),
            )

        return times_of(plus_of(after(move, reply) for reply in other) for move in own)

    owners = {"a1": 0, "b1": 1, "a2": 0, "b2": 1}
    found = maximin(network, owners, plus=plus_of, times=times_of)
    assert found is not None
    assert found.values == tuple(state((), player, "xy", "xyz") for player in range(2))
    assert times_of(found.moves["a1"].values()) == found.values[0]
    assert times_of(found.moves["b1"].values()) == found.values[1]


def test_maximin_says_what_is_wrong() -> None:
    x, y = Variable("x", "ab"), Variable("y", "ab", stochastic=True)
    z = Variable("z", "ab")
    free = Network([x, z], [Soft.where([z], lambda value: value == "a")])
    with pytest.raises(NetworkError, match="'z' is no player's move"):
        maximin(free, {"x": 0})
    with pytest.raises(NetworkError, match="two moves in stage 1"):
        maximin(free, {"x": 0, "z": 0})
    late = Network([x, y, z], [], [Probability.uniform(y)], [0, 0])
    with pytest.raises(NetworkError, match="put moves before chance"):
        maximin(late, {"x": 0, "z": 1})
    with pytest.raises(NetworkError, match="cannot be a move of player 1"):
        maximin(free, {"x": 1})
    with pytest.raises(NetworkError, match="no player 3"):
        best(free, player=3)
    assert maximin(Network([x], [Hard(["x"], [])]), {"x": 0}) is None
