"""What is best among the solutions of a network, and the search for it.

>>> from woodstock.scsp import Hard, Network, Variable
>>> x, y = Variable("x", range(9)), Variable("y", range(9))
>>> network = Network(
...     [x, y], [Hard.where([x, y], lambda a, b: 2 * a + b == 11)], objective=Objective("y", False)
... )
>>> best_solution(network)
Optimum(value=1, solution={'x': 5, 'y': 1})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from woodstock.errors import NetworkError
from woodstock.scsp.values import Value

if TYPE_CHECKING:
    from woodstock.scsp.network import Network

__all__ = ["Objective", "Optimum", "best_solution", "optimal"]


@dataclass(frozen=True, slots=True)
class Objective:
    """The variable whose value is to be as small as can be, or as large if `maximise`.

    It is about the solutions of a network without chance; where there is chance, utilities are
    soft constraints.

    >>> Objective("cost", maximise=False).word
    'minimise'
    """

    variable: str
    maximise: bool

    @property
    def word(self) -> str:
        """What is done with the variable, in a word."""
        return "maximise" if self.maximise else "minimise"


class Optimum(NamedTuple):
    """The best value, and a solution that has it."""

    value: Value
    solution: Mapping[str, Value]


def best_solution(
    network: Network,
    *,
    on_better: Callable[[Optimum], None] | None = None,
    learning: bool = True,
) -> Optimum | None:
    """The proved best solution of the hard part, or `None` where there is none.

    Each solution that is found bounds the next, until there is no better one. `on_better` gets each
    as it comes. With `learning` one solver keeps what it has learned from one bound to the next.
    """
    from woodstock.scsp.solver import Solver

    objective = objective_of(network)
    solver = Solver(network, learning=learning, heuristic="activity" if learning else "dom/ddeg")
    left = sorted(_values(network, objective), reverse=objective.maximise)
    found: Optimum | None = None
    while left and solver.restrict(objective.variable, left):
        solution = solver.first()
        if solution is None:
            break
        found = Optimum(solution[objective.variable], solution)
        left = left[: left.index(found.value)]
        if on_better is not None:
            on_better(found)
    return found


def optimal(network: Network, value: Value) -> Network:
    """The network in which the objective has this value: its solutions are the best ones.

    >>> from woodstock.scsp import Network, Variable
    >>> network = Network([Variable("x", range(3))], objective=Objective("x", maximise=True))
    >>> len(optimal(network, best_solution(network).value).hard)
    1
    """
    from woodstock.scsp.constraints import Hard

    fixed = Hard([objective_of(network).variable], [(value,)], name="objective")
    return network.with_(constraints=[*network.constraints, fixed])


def objective_of(network: Network) -> Objective:
    """The objective of the network; `NetworkError` where it has none."""
    if network.objective is None:
        raise NetworkError("the network has no objective; make it with objective=Objective(...)")
    return network.objective


def _values(network: Network, objective: Objective) -> tuple[Any, ...]:
    return network.variable(objective.variable).domain
