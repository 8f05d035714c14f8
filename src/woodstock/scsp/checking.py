"""Whether a network holds together: what `Network` checks when it is made."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import (
    ANY,
    Constraint,
    Entry,
    Hard,
    Not,
    Probability,
    Soft,
    UniformOver,
    Value,
)

if TYPE_CHECKING:
    from woodstock.scsp.network import Network

__all__ = ["check"]


def check(network: Network) -> None:
    """Raise `NetworkError` if the network does not hold together."""
    _check_variables(network)
    if not network.threshold:
        raise NetworkError("the threshold is empty; give one number a player")
    for number in network.threshold:
        if not 0 <= number <= 1:
            raise NetworkError(f"the threshold {number} is outside [0, 1]; utilities are within")
    domains = {variable.name: frozenset(variable.domain) for variable in network.variables}
    for constraint in network.constraints:
        _check_constraint(network, constraint, domains)
    _check_probabilities(network, domains)
    _check_objective(network)


def _check_variables(network: Network) -> None:
    if len(network._index) != len(network.variables):
        names = [variable.name for variable in network.variables]
        twice = next(name for name in names if names.count(name) > 1)
        raise NetworkError(f"two variables are called {twice!r}; rename one")
    for before, after in zip(network.variables, network.variables[1:]):
        if before.stage > after.stage:
            raise NetworkError(
                f"variable {after.name!r} of stage {after.stage} follows {before.name!r} of stage "
                f"{before.stage}; order the variables by stage"
            )


def _check_objective(network: Network) -> None:
    found = network.objective
    if found is None:
        return
    if found.variable not in network:
        _unknown(network, "the objective", found.variable)
    if network.stochastic or network.soft:
        raise NetworkError(
            "an objective is for networks without chance and soft constraints; "
            "state what is wanted as a soft constraint"
        )
    for value in network.variable(found.variable).domain:
        if not isinstance(value, int | float | Fraction):
            raise NetworkError(
                f"{value!r} in the domain of {found.variable!r} is no number; the objective "
                "needs a variable of numbers"
            )


Domains: TypeAlias = dict[str, frozenset[Value]]


def _check_constraint(network: Network, constraint: Constraint, domains: Domains) -> None:
    if not constraint.scope:
        raise NetworkError(f"{constraint.label} has an empty scope; name a variable at least")
    for name in constraint.scope:
        if name not in domains:
            _unknown(network, constraint.label, name)
    allowed = [domains[name] for name in constraint.scope]
    for row in constraint.rows:
        for name, domain, entry in zip(constraint.scope, allowed, row):
            if entry not in domain:
                _check_entry(constraint, name, domain, row, entry)
    if isinstance(constraint, Soft) and constraint.rows and constraint.players != network.players:
        raise NetworkError(
            f"{constraint.label} has utilities for {constraint.players} players, the threshold is "
            f"for {network.players}; give as many"
        )


def _check_entry(
    constraint: Constraint,
    name: str,
    domain: frozenset[Value],
    row: tuple[Entry, ...],
    entry: Entry,
) -> None:
    if isinstance(constraint, Hard):
        if entry is ANY:
            return
        if isinstance(entry, Not) and entry.value in domain:
            return
    raise NetworkError(
        f"row {row!r} of {constraint.label} has {entry!r}, which is not in the domain of {name!r}; "
        "add it to the domain or remove the row"
    )


def _unknown(network: Network, label: str, name: str) -> None:
    try:
        network.index(name)
    except NetworkError as error:
        raise NetworkError(f"{label}: {error}") from None


def _check_probabilities(network: Network, domains: Domains) -> None:
    seen: set[str] = set()
    for found in network.probabilities:
        if found.variable not in domains:
            _unknown(network, found.label, found.variable)
        if found.variable in seen:
            raise NetworkError(f"{found.label} is given twice; give it once")
        seen.add(found.variable)
        variable = network.variable(found.variable)
        if not variable.stochastic:
            raise NetworkError(
                f"{found.label} is given, but it is a decision variable; make it stochastic"
            )
        for name in found.given:
            if name not in domains:
                _unknown(network, found.label, name)
            if network.index(name) >= network.index(found.variable):
                raise NetworkError(
                    f"{found.label} depends on {name!r}, which does not come before it; "
                    "order the variables so that chance comes after what it depends on"
                )
        if isinstance(found, Probability):
            _check_table(found, domains)
        else:
            _check_uniform(found, domains)
    for variable in network.stochastic:
        if variable.name not in seen:
            raise NetworkError(
                f"stochastic variable {variable.name!r} has no probability; "
                "add Probability.uniform(...) or another"
            )


def _check_table(found: Probability, domains: Domains) -> None:
    for row, distribution in found.rows.items():
        for value in distribution:
            if value not in domains[found.variable]:
                raise NetworkError(
                    f"{found.label} names {value!r}, which is not in its domain; add it there"
                )
        for name, value in zip(found.given, row):
            if value not in domains[name]:
                raise NetworkError(
                    f"row {row!r} of {found.label} has {value!r}, which is not in the domain of "
                    f"{name!r}; add it to the domain or remove the row"
                )
    if len(found.rows) != math.prod(len(domains[name]) for name in found.given):
        raise NetworkError(
            f"{found.label} lacks rows: it has {len(found.rows)}; "
            f"give one for each tuple of ({', '.join(found.given)})"
        )


def _check_uniform(found: UniformOver, domains: Domains) -> None:
    missing = sorted(map(repr, domains[found.variable] ^ found.legal.keys()))
    if missing:
        raise NetworkError(
            f"{found.label} and its domain differ in {', '.join(missing[:3])}; "
            "name one Boolean variable for each value of the domain"
        )
    for name in found.given:
        if not domains[name] <= {False, True}:
            raise NetworkError(
                f"{found.label} depends on {name!r}, which is not Boolean; "
                "give it a domain of False and True"
            )
