"""What a game is worth to its players, by operators ⊕ and ⊗ that say how they play.

>>> from woodstock.scsp import Network, Soft, Variable
>>> a, b = Variable("a", "HT"), Variable("b", "HT")
>>> pay = Soft.where([a, b], lambda x, y: (x == y, x != y))
>>> network = Network([a, b], [pay], threshold=[0, 0])
>>> found = maximin(network, {"a": 0, "b": 1})
>>> found.values, found.moves["a"]
((Fraction(0, 1), Fraction(0, 1)), {'H': Fraction(0, 1), 'T': Fraction(0, 1)})
>>> maximin(network, {"a": 0, "b": 1}, plus=max).values
(Fraction(1, 1), Fraction(1, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from woodstock.errors import NetworkError
from woodstock.scsp.constraints import Value
from woodstock.scsp.mac_walk import Call, MacWalk, finish
from woodstock.scsp.network import Instantiation, Network

__all__ = ["Maximin", "Operator", "maximin"]

Operator: TypeAlias = Callable[[Iterable[Fraction]], Fraction]
"""How utilities of several moves become one: `min`, `max`, or another."""

Vector: TypeAlias = tuple[Fraction, ...]
Outcomes: TypeAlias = dict[tuple[Value, ...], Vector]


class Maximin(NamedTuple):
    """What each player can make sure of, and what each first move is worth to the one who makes it.

    `moves` has the variables of the first moves. It is empty where something open comes before
    them: chance, or a variable that is no move and still has several values.
    """

    values: Vector
    moves: Mapping[str, Mapping[Value, Fraction]]


def maximin(
    network: Network,
    owners: Mapping[str, int],
    *,
    plus: Operator = min,
    times: Operator = max,
    given: Instantiation | None = None,
) -> Maximin | None:
    """What a game is worth to each player, by the operators ⊕ and ⊗ of players' strategies.

    `owners` tells which decision variable is a move of which player, at most one a stage each. The
    moves of a stage are made at once and before chance. The utility of a move is ⊕ (`plus`) over
    the moves of the others, of the expected utility of what follows; the utility of a state is ⊗
    (`times`) over the player's own moves. Other decision variables have to be determined by the
    constraints. `given` fixes variables, as for `best`. `None` where no move leads to the end.

    """
    for name, player in owners.items():
        if network.variable(name).stochastic or not 0 <= player < network.players:
            raise NetworkError(
                f"{name!r} cannot be a move of player {player}; "
                f"moves are decision variables, and players are numbered from 0"
            )
    game = _Game(network, given or {}, owners, plus, times)
    values = finish(game.below(0))
    return None if values is None else Maximin(values, game.moves)


class _Game(MacWalk):
    """The utilities of states and moves of a game with several players."""

    def __init__(
        self,
        network: Network,
        given: Instantiation,
        owners: Mapping[str, int],
        plus: Operator,
        times: Operator,
    ) -> None:
        super().__init__(network, given, strict=True)
        self.players = network.players
        self.plus, self.times = plus, times
        self.owner = {network.index(name): player for name, player in owners.items()}
        self.moves: dict[str, dict[Value, Fraction]] = {}
        self.known: dict[object, Vector | None] = {}
        self.first = True

    def below(self, place: int) -> Call[Vector | None]:
        """The utilities of the state after the variables before `place`."""
        if not self.possible:
            return None
        key = (place, self.key(place))
        if key not in self.known:
            self.known[key] = yield from self._below(place)
        return self.known[key]

    def _below(self, place: int) -> Call[Vector | None]:
        start, gained = place, (Fraction(0),) * self.players
        while place < len(self.variables) and self._is_determined(place):
            self.values.append(self.choices(place)[0])
            gained = _add(gained, self.order.gain(place, self.values))
            place += 1
        found: Vector | None
        if place == len(self.variables):
            found = (Fraction(0),) * self.players
        elif self.variables[place].stochastic:
            found = yield from self._chance(place)
        elif place in self.owner:
            found = yield from self._stage(place)
        else:
            self.first = False
            outcomes = []
            for value in self.choices(place):
                outcomes.append((yield from self._after(place, value)))
            found = self._agreed(place, outcomes)
        del self.values[start:]
        return None if found is None else _add(gained, found)

    def _is_determined(self, place: int) -> bool:
        variable = self.variables[place]
        free = variable.stochastic or place in self.owner
        return not free and len(self.choices(place)) == 1

    def _after(self, place: int, value: Value) -> Call[Vector | None]:
        with self.step(place, value) as consistent:
            if not consistent:
                return None
            found: Vector | None = yield self.below(place + 1)
            return None if found is None else _add(found, self.order.gain(place, self.values))

    def _chance(self, place: int) -> Call[Vector | None]:
        self.first = False
        total = (Fraction(0),) * self.players
        for value, share in self.chances(place):
            found = yield from self._after(place, value)
            if found is None:
                return None
            total = _add(total, tuple(share * utility for utility in found))
        return total

    def _agreed(self, place: int, outcomes: Iterable[Vector | None]) -> Vector | None:
        found = {outcome for outcome in outcomes if outcome is not None}
        if len(found) > 1:
            raise NetworkError(
                f"variable {self.variables[place].name!r} is no player's move, and the constraints "
                "do not determine it; name its owner or constrain it"
            )
        return next(iter(found), None)

    def _stage(self, place: int) -> Call[Vector | None]:
        """The state before the moves of a stage: ⊗ over own moves of ⊕ over those of the others."""
        stage = self.variables[place].stage
        own = [p for p in sorted(self.owner) if p >= place and self.variables[p].stage == stage]
        if len({self.owner[p] for p in own}) < len(own):
            raise NetworkError(
                f"a player has two moves in stage {stage}; join them, or part the stage in two"
            )
        first, self.first = self.first, False
        outcomes: Outcomes = yield self._joint(place, own)
        if not outcomes:
            return None
        result = [self.plus([u[p] for u in outcomes.values()]) for p in range(self.players)]
        for at, p in enumerate(own):
            player = self.owner[p]
            table: dict[Value, list[Fraction]] = {}
            for joint, utilities in outcomes.items():
                table.setdefault(joint[at], []).append(utilities[player])
            worth = {move: self.plus(found) for move, found in table.items()}
            result[player] = self.times(list(worth.values()))
            if first:
                self.moves[self.variables[p].name] = worth
        return tuple(result)

    def _joint(self, place: int, own: list[int]) -> Call[Outcomes]:
        """What each joint move leads to, from `place` on."""
        if not own:
            found: Vector | None = yield self.below(place)
            return {} if found is None else {(): found}
        if self.variables[place].stochastic:
            raise NetworkError(
                f"{self.variables[place].name!r} comes before the move "
                f"{self.variables[own[0]].name!r} of its stage; put moves before chance"
            )
        mine = place == own[0]
        outcomes: Outcomes = {}
        for value in self.choices(place):
            below: Outcomes = {}
            with self.step(place, value) as consistent:
                if consistent:
                    below = yield self._joint(place + 1, own[mine:])
                gain = self.order.gain(place, self.values)
            for rest, utilities in below.items():
                joint = (value, *rest) if mine else rest
                total = _add(utilities, gain)
                agreed = self._agreed(place, [total, outcomes.get(joint)])
                outcomes[joint] = agreed or total
        return outcomes


def _add(left: Vector, right: Vector) -> Vector:
    return tuple(a + b for a, b in zip(left, right))
