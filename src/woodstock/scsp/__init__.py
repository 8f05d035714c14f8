"""Stochastic constraint networks: state one, look at it, solve it; no game is needed.

>>> from woodstock.scsp import Hard, Network, Probability, Variable, best
>>> x, y = Variable("x", range(3)), Variable("y", range(3), stochastic=True)
>>> network = Network(
...     [x, y], [Hard.where([x, y], lambda a, b: a + b > 1)], [Probability.uniform(y)], "1/3"
... )
>>> best(network).policy.decision("x"), best(network).value
(2, Fraction(1, 1))
"""

from __future__ import annotations

from woodstock.errors import NetworkError
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
from woodstock.scsp.exact import best
from woodstock.scsp.network import Instantiation, Network, Stage
from woodstock.scsp.objective import Objective, Optimum, best_solution
from woodstock.scsp.policy import Policy
from woodstock.scsp.solver import Solver
from woodstock.scsp.strategies import maximin

__all__ = [
    "ANY",
    "Constraint",
    "Distribution",
    "Entry",
    "Hard",
    "Instantiation",
    "Network",
    "NetworkError",
    "Not",
    "Objective",
    "Optimum",
    "Policy",
    "Probability",
    "Soft",
    "Solver",
    "Stage",
    "UniformOver",
    "Value",
    "Variable",
    "best",
    "best_solution",
    "maximin",
]
