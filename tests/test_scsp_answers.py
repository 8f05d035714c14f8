"""The best policy beside the threshold, also where constraints were taken apart."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli_support import answer, woodstock
from effort import effort
from scsp_support import networks, worth
from woodstock.errors import NetworkError
from woodstock.scsp import Hard, Network, Probability, Soft, Variable, best, reference, xcsp3
from woodstock.scsp.answers import answer_of, shortened
from woodstock.scsp.policy import Policy, value_of
from woodstock.scsp.xcsp3 import compiler, sums


@settings(max_examples=effort(60, 300), suppress_health_check=[HealthCheck.too_slow])
@given(networks())
def test_the_best_of_all_policies(network: Network) -> None:
    found = answer_of(network)
    every = [value for p in reference.policies(network) if (value := worth(network, p)) is not None]
    if not every:
        assert found is None
        return
    assert found is not None
    assert value_of(network, found.policy) == found.value
    reaching = [v for v in every if all(a >= b for a, b in zip(v, network.threshold))]
    assert found.reached == bool(reaching)
    highest = max(map(min, every))
    # With several players another policy may be preferred, since it reaches the threshold.
    assert min(found.value) == highest or (found.reached and network.players > 1)


def test_too_many_ways_of_chance() -> None:
    chance = [Variable(f"y{i}", range(10), stochastic=True) for i in range(6)]
    network = Network(chance, [], [Probability.uniform(y) for y in chance])
    with pytest.raises(NetworkError, match="chance has 1,000,000 ways"):
        answer_of(network)


# Constraints of XCSP3 on stochastic variables

X1, X2 = (Variable(name, range(4)) for name in ("x1", "x2"))
Y = Variable("y", range(4), stochastic=True)
Z = Variable("z", range(3), stage=2)
CHANCE = Probability.of(Y, {0: "1/8", 1: "1/8", 2: "1/4", 3: "1/2"})


def text(constraints: str) -> str:
    """The network over x1, x2, y and z with these constraints."""
    plain = xcsp3.write_text(Network([X1, X2, Y, Z], [], [CHANCE], "1/2"))
    return plain.replace("  </constraints>", f"{constraints}\n  </constraints>")


def total(sense: str, bound: int) -> str:
    return (
        "<sum> <list> x1 x2 y z </list> <coeffs> 1 1 -2 1 </coeffs>"
        f"<condition> ({sense},{bound}) </condition> </sum>"
    )


@pytest.mark.parametrize("apart", [False, True])
@given(
    bound=st.integers(-8, 10),
    limit=st.integers(0, 6),
    sense=st.sampled_from(["le", "ge", "eq"]),
)
@settings(max_examples=effort(25, 100), suppress_health_check=[HealthCheck.too_slow])
def test_chance_constraints_stay_chance_constraints(
    apart: bool, bound: int, limit: int, sense: str
) -> None:
    """Taken apart or not: satisfaction counts, and constraints on decisions have to hold."""
    test = {"le": int.__le__, "ge": int.__ge__, "eq": int.__eq__}[sense]
    wanted = Network(
        [X1, X2, Y, Z],
        [
            Hard.where([X1, X2, Y, Z], lambda a, b, y, z: test(a + b - 2 * y + z, bound), name="s"),
            Hard.where([X1, X2], lambda a, b: a * b + a <= limit),
        ],
        [CHANCE],
        "1/2",
    )
    limited = f"<intension> le(add(mul(x1,x2),x1),{limit}) </intension>"
    with pytest.MonkeyPatch.context() as patch:
        if apart:
            for module in (compiler, sums):
                patch.setattr(module, "SMALL_TABLE", 1)
            patch.setattr(sums, "_FEW", 0)
        network = xcsp3.read_text(text(total(sense, bound) + limited))
    assert apart or not network.auxiliary
    assert xcsp3.read_text(xcsp3.write_text(network)) == network
    ours, theirs = best(network), best(wanted)
    assert (ours and ours.value) == (theirs and theirs.value)
    found = answer_of(network)
    assert found is not None
    assert found.reached == (found.value >= (Fraction(1, 2),))


def test_taking_apart_makes_auxiliary_variables_of_the_last_stage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sums, "SMALL_TABLE", 1)
    monkeypatch.setattr(sums, "_FEW", 0)
    network = xcsp3.read_text(text(total("le", 2)))
    assert len(network.auxiliary) == 2
    assert all(v.stage == 2 and not v.stochastic for v in network.auxiliary)
    assert all(network.is_stochastic(constraint) for constraint in network.hard)


# Telling policies


def test_policies_are_told_shortly() -> None:
    branches = tuple((d, Policy((("extra", int(d > 1)),))) for d in (0, 1, 2))
    assert str(shortened(Policy((), "demand", branches))).splitlines() == [
        "demand",
        "├─ 0, 1: extra = 0",
        "└─ 2: extra = 1",
    ]
    same = tuple((d, Policy((("extra", 1),))) for d in (0, 1, 2))
    assert str(shortened(Policy((), "demand", same))).splitlines() == [
        "demand",
        "└─ whatever it is: extra = 1",
    ]
    assert shortened(Policy((), "demand", same), {"extra"}) == Policy(())


@pytest.fixture
def factory(tmp_path: Path) -> Path:
    machines = Variable("machines", [0, 1])
    demand = Variable("demand", [0, 1, 2], stochastic=True)
    extra = Variable("extra", [0, 1], stage=2)
    cost = Soft.where([machines, extra], lambda m, e: Fraction(5 - m - 2 * e, 5))
    network = Network(
        [machines, demand, extra],
        [Hard.where([machines, demand, extra], lambda m, d, e: m + e >= d), cost],
        [Probability.of(demand, {0: "1/6", 1: "1/2", 2: "1/3"})],
        threshold="1/2",
    )
    path = tmp_path / "factory.xml"
    xcsp3.write_file(network, path)
    return path


def test_solve_prints_the_best_policy(factory: Path) -> None:
    result = woodstock("solve", factory)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "expected utility 2/3 (66.7%); asked for: 1/2 (50.0%)",
        "the best policy, a solution:",
        "machines = 1",
        "└─ demand",
        "   ├─ 0, 1: extra = 0",
        "   └─ 2: extra = 1",
    ]
    found = answer("solve", factory)
    assert (found["value"], found["threshold"], found["satisfiable"]) == (["2/3"], ["1/2"], True)
    assert found["measure"] == "expected utility"
    assert found["policy"]["decisions"] == {"machines": 1}
    assert [b["then"]["decisions"]["extra"] for b in found["policy"]["branches"]] == [0, 0, 1]
    # The hard part can be asked for still.
    assert woodstock("solve", factory, "--count").stdout == "8 solutions\n"
    assert "demand" in woodstock("solve", factory, "--limit", "1").stdout


def test_solve_says_when_no_policy_is_enough(factory: Path, tmp_path: Path) -> None:
    high = tmp_path / "high.xml"
    xcsp3.write_file(xcsp3.read_file(factory).with_(threshold="3/4"), high)
    head = woodstock("solve", high).stdout.splitlines()
    assert head[0].endswith("asked for: 3/4 (75.0%)")
    assert head[1] == "no policy reaches that; the best one:"
    assert answer("solve", high)["satisfiable"] is False
    none = tmp_path / "none.xml"
    network = xcsp3.read_file(factory)
    never = Hard([network.variables[0]], [])
    xcsp3.write_file(network.with_(constraints=[*network.constraints, never]), none)
    assert "no policy satisfies" in woodstock("solve", none).stdout
    assert answer("solve", none)["policy"] is None


def test_a_long_policy_is_cut(tmp_path: Path) -> None:
    y = Variable("y", range(300), stochastic=True)
    x = Variable("x", range(300), stage=2)
    same = Hard([y, x], [(n, n) for n in range(300)])
    path = tmp_path / "long.xml"
    xcsp3.write_file(Network([y, x], [same], [Probability.uniform(y)]), path)
    lines = woodstock("solve", path).stdout.splitlines()
    assert lines[0] == "satisfaction 1; asked for: 1"
    assert lines[-1] == "… 101 more lines; --json has the whole policy"
    assert len(json.dumps(answer("solve", path)["policy"]["branches"])) > 10_000
