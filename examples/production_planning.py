"""Plan the printing of a book under random demand: a stochastic network with no game in sight.

``python examples/production_planning.py [--theta 0.8]``. Each quarter sells between 100 and 105
copies, all equally likely; what is left of one quarter is sold in the next. First: how many copies
to print, if demand is to be met in both quarters with probability θ and all is decided beforehand?
Then: what is the most profit to expect, if all is decided beforehand, and if the second printing
waits for the sales of the first quarter? Production planning is a standard example of stochastic
constraint programming (Walsh 2002; Tarim, Manandhar and Walsh 2006); the prices are ours.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction

from woodstock.scsp import Hard, Network, Probability, Soft, Variable
from woodstock.scsp.exact import best
from woodstock.scsp.sfc import solve

DEMAND = range(100, 106)
PRICE, COST = 3, 2
HIGHEST = 2 * max(DEMAND) * (PRICE - COST)


def service(theta: float) -> Network:
    """The one-stage network: print x1 and x2, then demand is y1 and y2; meet it with θ.

    >>> len(list(solve(service(0.8))))
    6
    """
    x1, x2 = Variable("x1", DEMAND), Variable("x2", DEMAND)
    y1, y2 = (Variable(name, DEMAND, stochastic=True) for name in ("y1", "y2"))
    return Network(
        [x1, x2, y1, y2],
        [
            Hard.where([x1, y1], lambda x1, y1: x1 >= y1),
            Hard.where([x1, x2, y1, y2], lambda x1, x2, y1, y2: x1 + x2 >= y1 + y2),
        ],
        [Probability.uniform(y1), Probability.uniform(y2)],
        threshold=theta,
    )


def profit(waits: bool) -> Network:
    """The network of the profit, as a share of the highest; if it waits, x2 follows y1.

    >>> [len(profit(waits).stages) for waits in (False, True)]
    [1, 2]
    """
    x1, y1 = Variable("x1", DEMAND), Variable("y1", DEMAND, stochastic=True)
    stage = 2 if waits else 1
    x2 = Variable("x2", range(95, 106), stage=stage)
    y2 = Variable("y2", DEMAND, stochastic=True, stage=stage)

    def earned(x1: int, x2: int, y1: int, y2: int) -> Fraction:
        sold = min(x1, y1)
        sold += min(x1 + x2 - sold, y2)
        return Fraction(PRICE * sold - COST * (x1 + x2), HIGHEST)

    pay = Soft.where([x1, x2, y1, y2], earned)
    order = [x1, y1, x2, y2] if waits else [x1, x2, y1, y2]
    return Network(order, [pay], [Probability.uniform(y1), Probability.uniform(y2)], threshold=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(description="Plan production under random demand.")
    parser.add_argument("--theta", type=float, default=0.8, help="how sure to meet all demand")
    theta = parser.parse_args(arguments).theta

    print(f"Plans that meet all demand with probability {theta:.0%} at least:")
    for policy, (value,) in solve(service(theta)):
        x1, x2 = (int(str(copies)) for _, copies in policy.decisions)
        print(f"  print {x1}, then {x2}, {x1 + x2} in all: {float(value):.1%}")

    now, later = best(profit(waits=False)), best(profit(waits=True))
    assert now is not None
    assert later is not None
    plan = now.policy
    print(f"Most profit, all decided now: {float(now.value * HIGHEST):.2f}")
    print(f"  print {plan.decision('x1')}, then {plan.decision('x2')}")
    print(f"Most profit, the second printing decided later: {float(later.value * HIGHEST):.2f}")
    print(f"  print {later.policy.decision('x1')}")
    for sales in DEMAND:
        print(f"  when {sales} were asked for, print {later.policy.decision('x2', {'y1': sales})}")
    print(f"waiting is worth {float((later.value - now.value) * HIGHEST):.2f}")


if __name__ == "__main__":
    main()
