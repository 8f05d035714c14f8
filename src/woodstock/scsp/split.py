"""The split of a one-stage network into a hard part and a chance part, and its solving by MAC.

The chance part is small and is solved by stochastic forward checking. What it allows becomes one
more hard constraint, the feasibility constraint c_f, and MAC solves the hard part with it.

>>> from woodstock.scsp import Hard, Network, Probability, Variable
>>> x, z = Variable("x", range(3)), Variable("z", range(3))
>>> y = Variable("y", range(3), stochastic=True)
>>> network = Network(
...     [x, z, y],
...     [Hard.where([x, z], lambda a, b: a < b), Hard.where([x, y], lambda a, b: a + b > 1)],
...     [Probability.uniform(y)],
...     threshold="2/3",
... )
>>> feasibility_constraint(network).rows
((1,), (2,))
>>> [dict(policy.decisions) for policy in solve_split(network)]
[{'x': 1, 'z': 2}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import Constraint, Hard, Soft, Value, Variable
from woodstock.scsp.network import Network
from woodstock.scsp.policy import Policy
from woodstock.scsp.sfc import sfc
from woodstock.scsp.solver import Solver

__all__ = ["chance_part", "decompose", "feasibility_constraint", "hard_part", "solve_split"]


def hard_part(network: Network) -> Network:
    """P': the hard constraints without chance, and the variables they name (Algorithm 1).

    Variables that take their value after chance has spoken, such as the fluents of the next state,
    depend on it: constraints that name them belong to the chance part.
    """
    later = _after_chance(network)
    kept = [c for c in network.hard if not later.intersection(c.scope)]
    return Network(_named_in(network, kept), kept, (), network.threshold)


def chance_part(network: Network) -> Network:
    """P'': the constraints with chance, and the variables they name (Algorithm 2).

    Besides those of the algorithm, it has what the probabilities depend on, all stochastic
    variables and those that follow them, because a policy branches on them, and all soft
    constraints, because the threshold is for their sum.
    """
    later = _after_chance(network)
    kept = [c for c in network.constraints if isinstance(c, Soft) or later.intersection(c.scope)]
    names = later.union(*(found.given for found in network.probabilities))
    named = _named_in(network, kept, names)
    return Network(named, kept, network.probabilities, network.threshold)


def feasibility_constraint(network: Network) -> Hard:
    """c_f: the decisions before chance that a solution policy of the chance part takes.

    Its scope is empty where chance does not depend on any decision.
    """
    return _feasibility(chance_part(network), sfc(chance_part(network)))


def solve_split(
    network: Network, *, propagation: str = "ct", heuristic: str = "dom/ddeg"
) -> Iterator[Policy]:
    """All solution policies of a one-stage network: SFC on the chance part, then MAC with c_f.

    What arc consistency of the hard part removes, such as all but the values of an injected state,
    is removed from the chance part first. The options are those of `Solver`.
    """
    later = _after_chance(network)
    before = [variable for variable in network.decisions if variable.name not in later]
    hard = hard_part(network).constraints
    solver = Solver(Network(before, hard), propagation=propagation, heuristic=heuristic)
    if not solver.propagate():
        return
    left = [Hard([v], [(value,) for value in solver.domain(v.name)]) for v in before]
    chance = chance_part(network)
    known = [constraint for constraint in left if constraint.scope[0] in chance]
    below: dict[tuple[Value, ...], list[Policy]] = {}
    if chance.variables:
        for policy in sfc(chance.with_(constraints=[*chance.constraints, *known])):
            below.setdefault(tuple(value for _, value in policy.decisions), []).append(policy)
        if not below:
            return
    feasible = _feasibility(chance, (policy for found in below.values() for policy in found))
    joined = [*hard, *([feasible] if feasible.scope else [])]
    solver = Solver(Network(before, joined), propagation=propagation, heuristic=heuristic)
    for found in solver.solutions():
        decisions = tuple((variable.name, found[variable.name]) for variable in before)
        if not chance.variables:
            yield Policy(decisions)
        for policy in below.get(tuple(found[name] for name in feasible.scope), ()):
            yield Policy(decisions, policy.chance, policy.branches)


def decompose(network: Network) -> tuple[Network, ...]:
    """The sequence of one-stage networks μSCSP_1, ..., μSCSP_T of a T-stage network.

    Each has the variables of its stage, and after them the decision variables of the next stage
    that share a constraint with it. Raises `NetworkError` where a constraint reaches further.
    """
    made = []
    stages = range(1, len(network.stages) + 1)
    first = {
        id(c): min(network.variable(name).stage for name in c.scope) for c in network.constraints
    }
    for stage in stages:
        kept = [c for c in network.constraints if first[id(c)] == stage]
        tables = [p for p in network.probabilities if network.variable(p.variable).stage == stage]
        named = {name for c in kept for name in c.scope}
        for table in tables:
            named.update(table.given)
        far = [
            v.name
            for v in map(network.variable, named)
            if not stage <= v.stage <= stage + (not v.stochastic)
        ]
        if far:
            raise NetworkError(
                f"stage {stage} shares a constraint or a probability with {min(far)!r} of stage "
                f"{network.variable(min(far)).stage}; a one-stage network reaches the decisions of "
                "the next stage at most: carry the value along by a variable of each stage"
            )
        within = [v for v in network.variables if v.stage == stage or v.name in named]
        variables = [
            Variable(v.name, v.domain, v.stochastic, auxiliary=v.auxiliary) for v in within
        ]
        made.append(Network(variables, kept, tables, network.threshold))
    return tuple(made)


def _after_chance(network: Network) -> set[str]:
    """The stochastic variables, and the decision variables that follow one of them."""
    if len(network.stages) > 1:
        raise NetworkError(
            f"the network has {len(network.stages)} stages; split one stage at a time: "
            "decompose(network) gives them"
        )
    return {variable.name for variable in (*network.stochastic, *network.recourse)}


def _named_in(
    network: Network, constraints: Iterable[Constraint], more: Iterable[str] = ()
) -> list[Variable]:
    names = {name for constraint in constraints for name in constraint.scope}.union(more)
    return [variable for variable in network.variables if variable.name in names]


def _feasibility(chance: Network, policies: Iterable[Policy]) -> Hard:
    later = _after_chance(chance)
    scope = [variable.name for variable in chance.decisions if variable.name not in later]
    rows = dict.fromkeys(tuple(value for _, value in policy.decisions) for policy in policies)
    return Hard(scope, rows, name="c_f")
