"""What a role can tell of a turn: its move is decided, percepts and the next state are chance.

The moves of chance and of the others, who are taken to move at random, are summed out. What is left
are conditional probability tables, by the chain rule: of each percept, and of each part of the next
state given the percepts. A table asks only for what it depends on, so that the product of all is
the exact probability of what is perceived and of what follows.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.from_library("hidden-matching-pennies")
>>> network = template(game, percepts="alice").observed(game.initial_state())
>>> coins = network.probability("coins'")
>>> coins.given
('percept',)
>>> for side in ("heads", "tails"):
...     found = coins.distribution((f"(coins {side})",))
...     print(side, {value: str(share) for value, share in found.items() if share})
heads {'heads tails': '1/2', 'heads heads': '1/2'}
tails {'tails tails': '1/2', 'tails heads': '1/2'}
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from woodstock.errors import StateError
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.constraints import Hard, Probability, Value, Variable
from woodstock.scsp.encode.recursion import EncodingError
from woodstock.scsp.network import Network

if TYPE_CHECKING:
    from woodstock.scsp.encode.template import Template

__all__ = ["MAX_JOINT_MOVES", "MAX_TABLE", "observed"]

MAX_JOINT_MOVES = 20_000
"""Joint moves of a state beyond which nothing is summed."""

MAX_TABLE = 5_000
"""Rows of a conditional probability table."""

MAX_READ = 200_000
"""Entries that are read at a time to find what a table depends on."""

Row: TypeAlias = tuple[int, ...]
Chances: TypeAlias = dict[Row, Fraction]


def observed(template: Template, state: State | Iterable[Term]) -> Network:
    """The turn from this state as the observer of a template sees it.

    Variables are the observer's action, which is a decision, its percepts and the fluents of the
    next state, which are stochastic. Rows of tables for what cannot be are uniform. The threshold
    is 0. Raises `EncodingError` where there are too many joint moves or a table gets too large,
    `StateError` where somebody cannot move.
    """
    if template.observer is None:
        raise ValueError("this template has no percepts; make it with template(..., percepts=ROLE)")
    builder = template.turn.builder
    action = template.turn.actions[template.game.roles.index(template.observer)]
    after = [variable for _, variable in template.turn.slots]
    numbers = [action, *(variable for variable, _ in template.turn.percepts), *after]
    chances = _chances(template, state, numbers)
    variables = [
        Variable(builder.names[number], builder.domains[number], stochastic=number != action)
        for number in numbers
    ]
    tables = [_table(variables, place, chances) for place in range(1, len(variables))]
    moves = [(variables[0].domain[value],) for value in sorted({row[0] for row in chances})]
    legal = Hard([variables[0]], moves, name="legal")
    return Network(variables, [legal], tables, [0] * max(1, len(template.players)))


def _chances(template: Template, state: State | Iterable[Term], numbers: Sequence[int]) -> Chances:
    """The values of these variables after each joint move, given the first, and their chances."""
    turn = template.turn
    others = [action for action in turn.actions if action != numbers[0]]
    solver = template.solver()
    if not solver.enter(state):
        raise StateError("a role has no legal move here; the rules do not say what follows")
    legal = [solver.solver.domain(action) for action in others]
    found = solver.solver.solve(limit=MAX_JOINT_MOVES, project=[*numbers, *others])
    if not found.complete:
        raise EncodingError("size", f"{MAX_JOINT_MOVES:,} joint moves are the limit for a sum")
    share = Fraction(1, math.prod(map(len, legal)))
    chances: Chances = {}
    for row in found.rows():
        key = tuple(row[: len(numbers)])
        chances[key] = chances.get(key, Fraction(0)) + share
    return chances


def _table(variables: Sequence[Variable], place: int, chances: Chances) -> Probability:
    """The table of a variable given as few of those before it as say the same as all of them."""
    name, domain = variables[place].name, variables[place].domain
    given = [v for v in range(place) if len({row[v] for row in chances}) > 1]
    if len(given) * len(chances) > MAX_READ:
        raise EncodingError("size", f"{name} may depend on too much: {len(given):,} variables")
    full = _conditional(chances, given, place)
    # The later ones go first: percepts stay where they are as good.
    for one in reversed(given):
        fewer = [v for v in given if v != one]
        found = _conditional(chances, fewer, place)
        at = [given.index(v) for v in fewer]
        if all(found[tuple(row[i] for i in at)] == shares for row, shares in full.items()):
            given, full = fewer, found
    size = math.prod(len(variables[v].domain) for v in given)
    if size > MAX_TABLE:
        raise EncodingError("size", f"the probability of {name} needs a table of {size:,} rows")
    uniform = dict.fromkeys(range(len(domain)), Fraction(1, len(domain)))
    rows: dict[tuple[Value, ...], dict[Value, Fraction]] = {}
    for row in product(*(range(len(variables[v].domain)) for v in given)):
        values = tuple(variables[v].domain[value] for v, value in zip(given, row))
        rows[values] = {domain[v]: share for v, share in full.get(row, uniform).items()}
    return Probability(name, [variables[v].name for v in given], rows)


def _conditional(
    chances: Chances, given: Sequence[int], place: int
) -> dict[Row, Mapping[int, Fraction]]:
    """The distribution of one variable for each combination of values of some others."""
    found: dict[Row, dict[int, Fraction]] = {}
    for row, chance in chances.items():
        shares = found.setdefault(tuple(row[v] for v in given), {})
        shares[row[place]] = shares.get(row[place], Fraction(0)) + chance
    return {
        key: {value: share / sum(shares.values()) for value, share in shares.items()}
        for key, shares in found.items()
    }
