"""Preprocessing: smaller networks with the same solutions.

Each function takes a network and gives one over the same variables, in the same order. What is kept
is exactly the set of complete instantiations that satisfy all hard constraints; soft constraints,
probabilities and the threshold are kept, but for what they say of values that are gone. Domains and
scopes may shrink and hard constraints may go.

* `merge_scopes`: constraints over the same variables become one, their intersection;
* `project_unary`: a constraint on one variable becomes its domain;
* `drop_universal`: variables that a constraint says nothing about leave its scope;
* `consistent`: values that (singleton) arc consistency refutes leave the domains.

A value of a stochastic variable is only removed where its probability is 0 in all that is left:
otherwise chance could still take it, and policies would be judged wrongly.

Policies keep their value. With soft constraints, the feasible ones are the same. Without, those may
go that decide what is in no solution, on a path that counts 0 anyway: if all decisions come before
chance, they are worth 0, and `sfc` differs at θ = 0 alone; with several stages or recourse it may
find fewer at any θ. `best` keeps its value, but for one case: where no instantiation satisfies all
hard constraints, it may be 0 before and `None` after.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, y = Variable("x", range(3)), Variable("y", range(3))
>>> network = Network([x, y], [Hard([x], [(0,), (1,)]), Hard.where([x, y], lambda a, b: a > b)])
>>> small = preprocess(network)
>>> [variable.domain for variable in small.variables], small.constraints
([(1,), (0,)], ())
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Literal, TypeAlias

from woodstock.scsp.constraints import (
    ANY,
    Constraint,
    Distribution,
    Entry,
    Hard,
    Not,
    Probability,
    Soft,
    UniformOver,
    Value,
    Variable,
)
from woodstock.scsp.network import Network

__all__ = [
    "MAX_MERGED_ROWS",
    "consistent",
    "drop_universal",
    "merge_scopes",
    "preprocess",
    "project_unary",
]

MAX_MERGED_ROWS = 64
"""A merged table has no more rows: one machine word of the solver."""

Rows: TypeAlias = list[tuple[Entry, ...]]
Domains: TypeAlias = dict[str, tuple[Value, ...]]


def preprocess(network: Network, level: Literal["none", "ac", "sac"] = "sac") -> Network:
    """All of it: unary constraints, consistency, equal scopes, universal variables.

    Without any solution, `best` may be `None` where it was 0:

    >>> from woodstock.scsp import Hard, Network, Probability, Variable, best
    >>> x, y = Variable("x", range(2)), Variable("y", range(2), stochastic=True)
    >>> network = Network([x, y], [Hard([x, y], [])], [Probability.uniform(y)])
    >>> best(network).value, best(preprocess(network))
    (Fraction(0, 1), None)
    """
    small = project_unary(network)
    if level != "none":
        small = consistent(small, level)
    return drop_universal(merge_scopes(drop_universal(small)))


# Equal scopes


def merge_scopes(network: Network, max_rows: int = MAX_MERGED_ROWS) -> Network:
    """Constraints over the same variables become one where it has no more than `max_rows` rows.

    >>> from woodstock.scsp import Hard, Network, Variable
    >>> x, y = Variable("x", range(3)), Variable("y", range(3))
    >>> less, even = (lambda a, b: a < b), (lambda b, a: (a + b) % 2 == 0)
    >>> merged = merge_scopes(Network([x, y], [Hard.where([x, y], less), Hard.where([y, x], even)]))
    >>> [hard.rows for hard in merged.hard]
    [((0, 2),)]
    """
    domains = {variable.name: variable.domain for variable in network.variables}
    order = {variable.name: place for place, variable in enumerate(network.variables)}
    merged: list[Constraint] = []
    found: dict[tuple[str, ...], int] = {}
    for constraint in network.constraints:
        if not isinstance(constraint, Hard):
            merged.append(constraint)
            continue
        key = tuple(sorted(constraint.scope, key=order.__getitem__))
        place = found.get(key)
        if place is not None:
            before = merged[place]
            assert isinstance(before, Hard)
            both = _intersection(before, constraint, domains, max_rows)
            if both is not None:
                merged[place] = both
                continue
        found[key] = len(merged)
        merged.append(constraint)
    return _copy(network, constraints=merged)


def _intersection(left: Hard, right: Hard, domains: Domains, max_rows: int) -> Hard | None:
    places = [right.scope.index(name) for name in left.scope]
    other = [tuple(row[place] for place in places) for row in right.rows]
    name = left.name if left.name == right.name else ""
    if not left.allowed and not right.allowed:
        forbidden = dict.fromkeys([*left.rows, *other])
        return Hard(left.scope, forbidden, False, name) if len(forbidden) <= max_rows else None
    if left.allowed != right.allowed:
        return None
    if len(left.rows) * len(other) > max_rows * max_rows:
        return None
    rows: dict[tuple[Entry, ...], None] = {}
    scope_domains = [domains[name] for name in left.scope]
    for one in left.rows:
        for two in other:
            options = [_meet(a, b, d) for a, b, d in zip(one, two, scope_domains)]
            if all(options):
                rows.update(dict.fromkeys(product(*options)))
                if len(rows) > 4 * max_rows:
                    return None
    kept = _maximal(list(rows))
    return Hard(left.scope, kept, True, name) if len(kept) <= max_rows else None


def _meet(one: Entry, two: Entry, domain: tuple[Value, ...]) -> list[Entry]:
    """Entries for the values that fit both."""
    if one is ANY or one == two:
        return [two]
    if two is ANY:
        return [one]
    if isinstance(one, Not) and isinstance(two, Not):
        return [value for value in domain if value not in (one.value, two.value)]
    if isinstance(one, Not):
        return [] if one.value == two else [two]
    if isinstance(two, Not):
        return [] if two.value == one else [one]
    return []


def _maximal(rows: Rows) -> Rows:
    """The rows that no other one covers."""
    kept: Rows = []
    for row in sorted(rows, key=lambda row: -sum(entry is ANY for entry in row)):
        if not any(all(map(_covers, wide, row)) for wide in kept):
            kept.append(row)
    return kept


def _covers(wide: Entry, entry: Entry) -> bool:
    if wide is ANY or wide == entry:
        return True
    return isinstance(wide, Not) and not isinstance(entry, Not) and entry not in (ANY, wide.value)


# Domains


def project_unary(network: Network) -> Network:
    """Constraints on one decision variable become its domain; all tables lose dead rows.

    Where a domain would be empty, the network has no solution: it keeps its domains and gets a
    constraint that allows nothing.

    >>> from woodstock.scsp import Hard, Network, Not, Variable
    >>> x = Variable("x", "abc")
    >>> project_unary(Network([x], [Hard([x], [(Not("b"),)])])).variables[0].domain
    ('a', 'c')
    """
    left = {variable.name: variable.domain for variable in network.variables}
    kept: list[Constraint] = []
    for constraint in network.constraints:
        if not isinstance(constraint, Hard) or len(constraint.scope) != 1:
            kept.append(constraint)
            continue
        (name,) = constraint.scope
        if network.variable(name).stochastic:
            kept.append(constraint)
        left[name] = tuple(value for value in left[name] if constraint.permits((value,)))
        if not left[name]:
            return _impossible(network, name)
    return _restrict(network, left, kept)


def consistent(network: Network, level: Literal["ac", "sac"] = "sac") -> Network:
    """Remove the values that arc consistency, or singleton arc consistency, refutes.

    >>> from woodstock.scsp import Hard, Network, Variable
    >>> x, y = Variable("x", range(4)), Variable("y", range(4))
    >>> small = consistent(Network([x, y], [Hard.where([x, y], lambda a, b: a > 2 * b > 0)]))
    >>> [variable.domain for variable in small.variables]
    [(3,), (1,)]
    """
    from woodstock.scsp.solver import Solver

    solver = Solver(network)
    if not (solver.propagate() and (level == "ac" or solver.sac())):
        return _impossible(network, network.variables[0].name)
    left = {variable.name: solver.domain(variable.name) for variable in network.variables}
    return _restrict(network, left, network.constraints)


def _impossible(network: Network, name: str) -> Network:
    return _copy(network, constraints=[*network.constraints, Hard([name], [])])


def _restrict(network: Network, left: Domains, constraints: Iterable[Constraint]) -> Network:
    """The network over smaller domains; those of chance shrink by impossible values alone."""
    full = {variable.name: variable.domain for variable in network.variables}
    distributions = {found.variable: found for found in network.probabilities}
    for variable in network.variables:
        if variable.stochastic:
            kept = _possible(distributions[variable.name], left, variable.domain)
            left[variable.name] = tuple(
                value for value in variable.domain if value in kept or value in left[variable.name]
            )
    variables = [
        Variable(v.name, left[v.name], v.stochastic, v.stage, auxiliary=v.auxiliary)
        for v in network.variables
    ]
    smaller: list[Constraint] = []
    for constraint in constraints:
        if isinstance(constraint, Soft):
            smaller.append(_restrict_soft(constraint, left))
        else:
            smaller.append(_restrict_hard(constraint, full, left))
    probabilities = [_restrict_distribution(found, left) for found in network.probabilities]
    return Network.unchecked(
        variables, smaller, probabilities, network.threshold, network.objective
    )


def _restrict_hard(hard: Hard, full: Domains, left: Domains) -> Hard:
    if all(len(left[name]) == len(full[name]) for name in hard.scope):
        return hard
    sets = [frozenset(left[name]) for name in hard.scope]
    rows: dict[tuple[Entry, ...], None] = {}
    for row in hard.rows:
        new: list[Entry] = []
        for entry, values in zip(row, sets):
            if isinstance(entry, Not):
                if entry.value in values:
                    if len(values) == 1:
                        break
                    if len(values) == 2:
                        (entry,) = values - {entry.value}
                else:
                    entry = ANY
            elif entry is not ANY and entry not in values:
                break
            elif entry is not ANY and len(values) == 1:
                entry = ANY
            new.append(entry)
        else:
            rows[tuple(new)] = None
    return Hard(hard.scope, rows, hard.allowed, hard.name)


def _restrict_soft(soft: Soft, left: Domains) -> Soft:
    rows = {
        row: found
        for row, found in soft.rows.items()
        if all(value in left[name] for name, value in zip(soft.scope, row))
    }
    return soft if len(rows) == len(soft.rows) else Soft(soft.scope, rows, soft.name)


def _possible(found: Distribution, left: Domains, domain: Sequence[Value]) -> frozenset[Value]:
    """The values that chance may still take."""
    if isinstance(found, UniformOver):
        if all(False in left[name] for name in found.given):
            # Where no Boolean holds, chance may take any value.
            return frozenset(domain)
        return frozenset(value for value, name in found.legal.items() if True in left[name])
    return frozenset(
        value
        for row, distribution in found.rows.items()
        if all(value in left[name] for name, value in zip(found.given, row))
        for value, share in distribution.items()
        if share
    )


def _restrict_distribution(found: Distribution, left: Domains) -> Distribution:
    if isinstance(found, UniformOver):
        values = left[found.variable]
        return UniformOver(found.variable, {v: found.legal[v] for v in found.legal if v in values})
    rows: Mapping[tuple[Value, ...], Mapping[Value, object]] = {
        row: {v: share for v, share in distribution.items() if v in left[found.variable]}
        for row, distribution in found.rows.items()
        if all(value in left[name] for name, value in zip(found.given, row))
    }
    return Probability(found.variable, found.given, rows)  # type: ignore[arg-type]


# Universal variables


def drop_universal(network: Network) -> Network:
    """Variables that a table says nothing about leave its scope; tables that allow all go.

    A column goes where, for every choice of the other entries, the rows cover its whole domain.

    >>> from woodstock.scsp import ANY, Hard, Network, Variable
    >>> x, y = Variable("x", "ab"), Variable("y", "ab")
    >>> hard = Hard([x, y], [("a", "a"), ("a", "b")])
    >>> drop_universal(Network([x, y], [hard])).constraints[0].scope
    ('x',)
    """
    domains = {variable.name: variable.domain for variable in network.variables}
    kept: list[Constraint] = []
    for constraint in network.constraints:
        if not isinstance(constraint, Hard):
            kept.append(constraint)
            continue
        smaller = _without_universal(constraint, domains)
        if smaller is not None:
            kept.append(smaller)
    return _copy(network, constraints=kept)


def _without_universal(hard: Hard, domains: Domains) -> Hard | None:
    scope, rows = list(hard.scope), list(hard.rows)
    if not rows:
        return hard if hard.allowed else None
    column = 0
    while column < len(scope):
        shorter = _drop_column(rows, column, domains[scope[column]])
        if shorter is None:
            column += 1
            continue
        rows = shorter
        del scope[column]
    if len(scope) == len(hard.scope):
        return hard
    if not scope:
        # Every row has become the row without entries: it matches everything.
        return None if hard.allowed else Hard(hard.scope[:1], [], True, hard.name)
    return Hard(scope, rows, hard.allowed, hard.name)


def _drop_column(rows: Rows, column: int, domain: tuple[Value, ...]) -> Rows | None:
    if all(row[column] is ANY for row in rows):
        return list(dict.fromkeys(row[:column] + row[column + 1 :] for row in rows))
    if len(rows) < len(domain) and not any(isinstance(row[column], Not) for row in rows):
        return None
    groups: dict[tuple[Entry, ...], set[Value]] = {}
    for row in rows:
        covered = groups.setdefault(row[:column] + row[column + 1 :], set())
        entry = row[column]
        if entry is ANY:
            covered.update(domain)
        elif isinstance(entry, Not):
            covered.update(value for value in domain if value != entry.value)
        else:
            covered.add(entry)
    if all(len(covered) == len(domain) for covered in groups.values()):
        return list(groups)
    return None


def _copy(network: Network, constraints: Iterable[Constraint]) -> Network:
    return Network.unchecked(
        network.variables,
        constraints,
        network.probabilities,
        network.threshold,
        network.objective,
    )
