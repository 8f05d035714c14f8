"""Our solver against solvers nobody here wrote: ACE and OR-Tools' CP-SAT count the same."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings

from effort import effort
from woodstock import Game
from woodstock.scsp import ANY, Hard, Network, Not, Variable
from woodstock.scsp.encode.template import template
from woodstock.scsp.encode.unroll import unroll
from woodstock.scsp.outside import OutsideResult, ace, ace_output, cp_sat, has_ace, has_cp_sat
from woodstock.scsp.solver import Solver
from xcsp3_support import csps

needs_ace = pytest.mark.skipif(not has_ace(), reason="needs pycsp3 and Java")
needs_cp_sat = pytest.mark.skipif(not has_cp_sat(), reason="needs OR-Tools")


class Case(NamedTuple):
    """A network of a game: so many turns from a state after so many random moves."""

    game: str
    encoding: Any
    plies: int = 0
    turns: int = 1

    def network(self) -> Network:
        game = Game.from_library(self.game)
        rng = random.Random(self.plies)
        state = game.initial_state()
        for _ in range(self.plies):
            reached = state.apply(state.random_joint_move(rng))
            if reached.is_terminal:
                break
            state = reached
        found = template(game, self.encoding)
        return found.inject(state) if self.turns == 1 else unroll(found, self.turns, state)


POSITIONS = [
    ("tic-tac-toe", 0, 3),
    ("tic-tac-toe", 6, 1),
    ("connect-four", 9, 1),
    ("connect-four", 5, 2),
    ("nim", 2, 2),
    ("breakthrough", 12, 1),
    ("eight-puzzle", 7, 2),
    ("buttons-and-lights-3", 1, 3),
    ("matching-pennies", 0, 2),
    ("monty-hall", 1, 2),
    ("guess-dice", 0, 1),
    ("sheep-and-wolf", 3, 2),
]
CASES = [
    Case(game, encoding, plies, turns)
    for game, plies, turns in POSITIONS
    for encoding in ("boolean", "multivalued")
]


# Starting Java takes as long as all the rest.
FEW_CASES = [Case("connect-four", "boolean", 9, 1), Case("monty-hall", "multivalued", 1, 2)]
CASES_OF_ACE = effort(FEW_CASES, CASES)


@pytest.fixture(scope="module")
def networks() -> dict[Case, Network]:
    return {case: case.network() for case in CASES}


@pytest.fixture(scope="module")
def answers_of_ace(networks: dict[Case, Network]) -> dict[Case, OutsideResult]:
    with ThreadPoolExecutor(2) as pool:
        return dict(
            zip(
                CASES_OF_ACE,
                pool.map(lambda case: ace(networks[case], quick=True), CASES_OF_ACE),
            )
        )


@pytest.mark.parametrize("case", CASES_OF_ACE, ids=lambda case: "-".join(map(str, case)))
@needs_ace
def test_ace_counts_the_same_on_games(
    case: Case, networks: dict[Case, Network], answers_of_ace: dict[Case, OutsideResult]
) -> None:
    answer = answers_of_ace[case]
    assert answer.complete
    assert answer.count > 0
    assert answer.count == Solver(networks[case]).count()


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
@needs_cp_sat
def test_cp_sat_counts_the_same_on_games(case: Case, networks: dict[Case, Network]) -> None:
    network = networks[case]
    answer = cp_sat(network)
    assert answer.complete
    assert answer.count > 0
    assert answer.count == Solver(network, propagation="str2").count()


@settings(max_examples=effort(100, 300), suppress_health_check=[HealthCheck.too_slow])
@given(csps())
@needs_cp_sat
def test_cp_sat_counts_the_same_on_random_networks(network: Network) -> None:
    counts = {p: Solver(network, propagation=p).count() for p in ("ct", "str2", "str", "fc")}
    assert set(counts.values()) == {cp_sat(network).count}


NETWORKS_OF_ACE = effort(80, 240)


def joined(networks: Sequence[Network]) -> Network:
    """One network for many: `which` chooses one of them, and all others stand still.

    Starting Java takes a thousand times as long as counting the solutions of a small network.
    """
    which = Variable("which", range(len(networks)))
    variables, constraints = [which], []
    for place, network in enumerate(networks):
        renamed = {
            variable.name: Variable(f"n{place}_{variable.name}", variable.domain)
            for variable in network.variables
        }
        variables += renamed.values()
        for variable in renamed.values():
            still = [(place, ANY), (Not(place), variable.domain[0])]
            constraints.append(Hard([which, variable], still))
        for constraint in network.hard:
            scope = [which, *(renamed[name] for name in constraint.scope)]
            within = [(place, *row) for row in constraint.rows]
            beyond = [(Not(place), *(ANY for _ in constraint.scope))]
            rows = within + beyond if constraint.allowed else within
            constraints.append(Hard(scope, rows, constraint.allowed))
    return Network(variables, constraints)


@needs_ace
def test_ace_counts_the_same_on_random_networks() -> None:
    """Plain tables: with single values and stars ACE 2.6 miscounts (see docs/xcsp3.md)."""
    chosen: list[Network] = []

    @settings(
        max_examples=NETWORKS_OF_ACE,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(csps(plain=True))
    def choose(network: Network) -> None:
        chosen.append(network)

    choose()
    for begin in range(0, NETWORKS_OF_ACE, 80):
        part = chosen[begin : begin + 80]
        output = ace_output(joined(part), options=["-xe=true", "-xc=false"], quick=True)
        assert "d COMPLETE EXPLORATION" in output
        # Each solution is printed when it is found, and the last again at the end.
        values = set(re.findall(r"<values> *(\d+) ([^<]*)</values>", output))
        theirs = Counter(int(which) for which, _ in values)
        assert [theirs[place] for place in range(len(part))] == [
            Solver(network).count() for network in part
        ]


def test_counting_is_what_the_small_solvers_agree_on() -> None:
    x, y = Variable("x", range(3)), Variable("y", range(4))
    network = Network([x, y], [Hard.forbid([x, y], [(0, ANY), (ANY, 1)]), Hard([y], [(Not(3),)])])
    assert Solver(network).count() == 4
    if has_cp_sat():
        assert cp_sat(network).count == 4
    if has_ace():
        assert ace(network, quick=True).count == 4
    free = Network([x, y])
    assert Solver(free).count(limit=5) == 5
    if has_cp_sat():
        assert not cp_sat(free, limit=5).complete
        assert cp_sat(free).count == 12
    if has_ace():
        assert ace(free, limit=5, quick=True).count == 5
        assert ace(free, quick=True).count == 12
