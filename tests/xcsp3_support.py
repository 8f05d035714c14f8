"""Random networks and small files for the tests of XCSP3 and of other solvers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from hypothesis import strategies as st

from woodstock.scsp import (
    ANY,
    Distribution,
    Hard,
    Network,
    Not,
    Probability,
    Soft,
    UniformOver,
    Variable,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]

_NAMES = st.sampled_from(["x", "y", "z", "x 1", "x_1", "x(1)", "cell 1 1", "é", "", "1", "c0"])
_VALUES = (
    st.integers(-5, 5)
    | st.booleans()
    | st.none()
    | st.text(max_size=3)
    | st.fractions(max_denominator=5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.tuples(st.text(max_size=2), st.integers())
    | st.integers()
)
_LABELS = st.sampled_from(["", "next", "legal <x> & \"y'", " a ", "\n\0", "\ud800"])


def tables(
    draw: Draw, variables: list[Variable], allowed: bool, most: int = 6
) -> list[tuple[Any, ...]]:
    """Rows over these variables, with any value and, if allowed, any but one."""
    columns = []
    for variable in variables:
        values = st.sampled_from(variable.domain)
        entries = [values, values, st.just(ANY)]
        columns.append(st.one_of(*entries, values.map(Not)) if allowed else st.one_of(*entries))
    found: list[tuple[Any, ...]] = draw(st.lists(st.tuples(*columns), max_size=most))
    return found


@st.composite
def csps(draw: Draw, plain: bool = False) -> Network:
    """Small networks of tables over integers, every variable in a constraint.

    In plain ones, every domain has two values at least, tables have two variables and a row at
    least, and rows have values alone.
    """
    sizes = draw(st.lists(st.integers(1 + plain, 4), min_size=1 + plain, max_size=6))
    variables = [Variable(f"x{i}", range(size)) for i, size in enumerate(sizes)]
    constraints = []
    for first in variables:
        others = draw(st.lists(st.sampled_from(variables), max_size=3))
        scope = list(dict.fromkeys([first, *others]))
        allowed = draw(st.booleans())
        if plain:
            scope = scope if len(scope) > 1 else variables[:2]
            tuples = list(product(*(variable.domain for variable in scope)))
            number = draw(st.integers(1, len(tuples)))
            rows = draw(st.permutations(tuples))[:number]
        else:
            rows = tables(draw, scope, allowed, 12)
        constraints.append(Hard(scope, rows, allowed))
    return Network(variables, constraints)


@st.composite
def networks(draw: Draw) -> Network:
    """Networks with everything: odd names and values, stages, chance, soft constraints."""
    players = draw(st.integers(1, 3))
    variables: list[Variable] = []
    chance: list[Distribution] = []
    stage = 1
    for name in draw(st.lists(_NAMES | st.text(max_size=4), unique=True, max_size=5)):
        stage += draw(st.integers(0, 1))
        stochastic = draw(st.booleans())
        domain = draw(
            st.just((False, True))
            | st.lists(_VALUES, min_size=1, max_size=4, unique=True)
            | st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True).map(sorted)
        )
        variable = Variable(name, domain, stochastic, stage)
        if stochastic:
            chance.append(draw(distributions(variable, variables)))
        variables.append(variable)
    constraints: list[Hard | Soft] = []
    for _ in range(draw(st.integers(0, 4)) if variables else 0):
        scope = draw(st.lists(st.sampled_from(variables), min_size=1, max_size=3, unique=True))
        label = draw(_LABELS)
        if draw(st.integers(0, 3)):
            allowed = draw(st.booleans())
            constraints.append(Hard(scope, tables(draw, scope, allowed), allowed, label))
        else:
            numbers = st.fractions(0, 1, max_denominator=9)
            utilities = st.lists(numbers, min_size=players, max_size=players)
            rows = st.tuples(*(st.sampled_from(variable.domain) for variable in scope))
            constraints.append(
                Soft(scope, draw(st.dictionaries(rows, utilities, max_size=4)), label)
            )
    threshold = draw(st.lists(st.fractions(0, 1), min_size=players, max_size=players))
    return Network(variables, constraints, draw(st.permutations(chance)), threshold)


@st.composite
def distributions(draw: Draw, variable: Variable, before: list[Variable]) -> Distribution:
    """Any distribution over variables that come before."""
    booleans = [other for other in before if set(other.domain) <= {False, True}]
    if booleans and draw(st.booleans()):
        return UniformOver(
            variable, {value: draw(st.sampled_from(booleans)) for value in variable.domain}
        )
    given = draw(st.lists(st.sampled_from(before), max_size=2, unique=True)) if before else []
    rows = {}
    for row in product(*(other.domain for other in given)):
        weights = draw(
            st.lists(
                st.integers(0, 3),
                min_size=len(variable.domain),
                max_size=len(variable.domain),
            ).filter(any)
        )
        rows[row] = {v: Fraction(w, sum(weights)) for v, w in zip(variable.domain, weights)}
    return Probability(variable, given, rows)


def brute_force(network: Network) -> int:
    """The number of solutions of the hard part, by trying everything."""
    assert prod(len(variable.domain) for variable in network.variables) <= 10**5
    names = [variable.name for variable in network.variables]
    count = 0
    for values in product(*(variable.domain for variable in network.variables)):
        found = dict(zip(names, values))
        count += all(c.permits(tuple(found[n] for n in c.scope)) for c in network.hard)
    return count
