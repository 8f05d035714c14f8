"""The operators of players' strategies as constraints of a network, for small games.

A network of T turns knows the rules; what players want is said by more tables, worked out backwards
from the last turn over all states that can be reached (IJCAI 2016, section 4.2). For a player p,
in turn t:

* ``u0_p`` over the state, the players' moves and a utility: what is to be expected of these moves,
  chance being drawn evenly;
* ``u_p`` over the state, the player's own move and a utility: ⊕ of that over the others' moves;
* ``u*_p`` over the state and a utility: the reward where the game is over, otherwise ⊗ over the own
  moves. In the last turn, what is not over is worth 0;
* the equality of ``u_p`` and ``u*_p``, which leaves no move that is not optimal.

IJCAI 2017, section 4.2, has two tables instead, V* and Q*, which share their utility: V* is u*, Q*
is u0, so that joint moves are left whose expected utility is that of the state. `form="vq"` makes
these. Where players choose at once there may be none.

>>> from woodstock import Game
>>> from woodstock.scsp.solver import Solver
>>> game = Game.from_library("cooperative-matching-pennies")
>>> network = strategy_network(game, turns=3)
>>> solver = Solver(network)
>>> solver.propagate(), [str(value) for value in solver.domain("u*_alice@1")]
(True, ['0'])
>>> solver = Solver(strategy_network(game, turns=3, plus=max))     # a team that agrees
>>> solver.propagate(), [str(value) for value in solver.domain("u*_alice@1")]
(True, ['1/2'])
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Literal, TypeAlias

from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.scsp.constraints import Hard, Variable
from woodstock.scsp.encode.recursion import EncodingError
from woodstock.scsp.encode.template import Template, template
from woodstock.scsp.network import Network
from woodstock.scsp.strategies import Operator
from woodstock.scsp.values import Value

__all__ = ["MOST_STATES", "Form", "strategy_network"]

Form: TypeAlias = Literal["u", "vq"]
"""``u``: the operators of IJCAI 2016; ``vq``: those of IJCAI 2017."""

MOST_STATES = 20_000
"""Of all turns together; larger games have no such network."""

Joint: TypeAlias = tuple[str, ...]
Utilities: TypeAlias = tuple[Fraction, ...]
Expected: TypeAlias = dict[State, dict[Joint, Utilities]]
"""Of each state in which the game goes on: what joint moves are worth, to each player."""


def strategy_network(
    game: Game,
    *,
    turns: int,
    state: State | None = None,
    plus: Operator = min,
    times: Operator = max,
    form: Form = "u",
) -> Network:
    """The network of so many turns from a state on, with the strategies of all players.

    A variable ``u*_p@t`` has what the state of turn t is worth to player p; the moves left in a
    solution are optimal. `plus` and `times` are ⊕ and ⊗: maximin unless told otherwise. Raises
    `EncodingError` where more than `MOST_STATES` states can be reached.
    """
    turn = template(game)
    start = game.initial_state() if state is None else state
    network = turn.unroll(turns, start)
    writer = _Writer(turn, plus, times, form)
    worth: dict[State, Utilities] = {}
    for number, states in reversed(list(enumerate(_reached(start, turns), 1))):
        expected: Expected = {}
        if number < turns:
            expected = {one: _expected(one, worth) for one in states if not one.is_terminal}
        worth = {one: writer.worth(one, expected) for one in states}
        writer.add(number, worth, expected)
    # Behind the variables of their stage, which they follow from.
    variables = sorted([*network.variables, *writer.variables], key=lambda one: one.stage)
    constraints = [*network.constraints, *writer.constraints]
    return Network.unchecked(variables, constraints, network.probabilities, network.threshold)


def _reached(start: State, turns: int) -> list[list[State]]:
    """The states of each turn."""
    levels = [[start]]
    total = 1
    while len(levels) < turns:
        after: dict[State, None] = {}
        for state in levels[-1]:
            followers = [state] if state.is_terminal else [one for _, one in _joint_moves(state)]
            after.update(dict.fromkeys(followers))
            if total + len(after) > MOST_STATES:
                raise EncodingError(
                    "size", f"more than {MOST_STATES:,} states can be reached; look at fewer turns"
                )
        levels.append(list(after))
        total += len(after)
    return levels


def _joint_moves(state: State) -> Iterable[tuple[Joint, State]]:
    """Every joint move, that of chance included: the moves of the players, and where it leads."""
    roles = state.roles
    for joint in product(*(state.legal_moves(role) for role in roles)):
        players = tuple(str(move) for role, move in zip(roles, joint) if role != RANDOM)
        yield players, state.apply(joint)


def _expected(state: State, worth: dict[State, Utilities]) -> dict[Joint, Utilities]:
    """u0: chance takes any of its moves with the same probability."""
    after: dict[Joint, list[Utilities]] = {}
    for joint, follower in _joint_moves(state):
        after.setdefault(joint, []).append(worth[follower])
    return {
        joint: tuple(sum(column, Fraction(0)) / len(found) for column in zip(*found))
        for joint, found in after.items()
    }


class _Writer:
    """Makes the variables and tables of one turn after the other."""

    def __init__(self, turn: Template, plus: Operator, times: Operator, form: Form) -> None:
        self._turn = turn
        self._plus, self._times, self._form = plus, times, form
        self._players = turn.game.players
        self.variables: list[Variable] = []
        self.constraints: list[Hard] = []

    def own(self, expected: dict[Joint, Utilities], player: int) -> dict[str, Fraction]:
        """u_p: ⊕ over the moves of the others."""
        found: dict[str, list[Fraction]] = {}
        for joint, utilities in expected.items():
            found.setdefault(joint[player], []).append(utilities[player])
        return {move: self._plus(worths) for move, worths in found.items()}

    def worth(self, state: State, expected: Expected) -> Utilities:
        """u*: the reward at the end, 0 where the horizon is reached, else ⊗ over own moves."""
        if state.is_terminal:
            utility = state.game.engine.utility
            goals = (state.goal(role) for role in self._players)
            return tuple(Fraction(utility(goal or 0)).limit_denominator(10_000) for goal in goals)
        if state not in expected:
            return (Fraction(0),) * len(self._players)
        players = range(len(self._players))
        return tuple(self._times(self.own(expected[state], p).values()) for p in players)

    def add(self, number: int, worth: dict[State, Utilities], expected: Expected) -> None:
        """The variables and tables of turn `number`."""
        scope = [f"{name}@{number}" for name in self._turn.fluents_now]
        actions = [f"{self._turn.actions[role]}@{number}" for role in self._players]
        rows = {state: tuple(self._turn.values(state).values()) for state in worth}
        for p, role in enumerate(self._players):
            # Where the game is over nobody moves.
            over = [(state, one[p]) for state, one in worth.items() if state.is_terminal]
            joints: list[tuple[Value, ...]] = [
                (*rows[state], *joint, utilities[p])
                for state, found in expected.items()
                for joint, utilities in found.items()
            ]
            joints += [(*rows[state], *["none"] * len(actions), value) for state, value in over]
            shared = [row[-1] for row in joints] if self._form == "vq" else []
            star = self._utility(f"u*_{role}", number, [*shared, *(u[p] for u in worth.values())])
            self._table("u*", [*scope, star], ((*rows[s], one[p]) for s, one in worth.items()))
            if not expected:
                continue
            if self._form == "vq":
                self._table("Q*", [*scope, *actions, star], joints)
                continue
            mine: list[tuple[Value, ...]] = [
                (*rows[state], move, value)
                for state, found in expected.items()
                for move, value in self.own(found, p).items()
            ]
            mine += [(*rows[state], "none", value) for state, value in over]
            zero = self._utility(f"u0_{role}", number, (row[-1] for row in joints))
            self._table("u0", [*scope, *actions, zero], joints)
            moved = self._utility(f"u_{role}", number, (row[-1] for row in mine))
            self._table("u", [*scope, actions[p], moved], mine)
            both = {one[p] for one in worth.values()}
            self._table("optimal", [star, moved], ((value, value) for value in sorted(both)))

    def _utility(self, name: str, number: int, values: Iterable[Value]) -> str:
        domain = sorted({value for value in values if isinstance(value, Fraction)})
        variable = Variable(f"{name}@{number}", domain, stage=number)
        self.variables.append(variable)
        return variable.name

    def _table(self, name: str, scope: list[str], rows: Iterable[tuple[Value, ...]]) -> None:
        self.constraints.append(Hard(scope, list(dict.fromkeys(rows)), name=name))
