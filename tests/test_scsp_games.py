"""Games as networks, solved as networks: what comes out is what the game's own tree says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

import pytest

from woodstock import Game, State
from woodstock.scsp import Network, best, maximin
from woodstock.scsp.encode import template
from woodstock.scsp.sfc import fc
from woodstock.scsp.split import decompose, solve_split

Encoding: TypeAlias = Literal["boolean", "multivalued"]
Fold: TypeAlias = Callable[[Iterable[Fraction]], Fraction]


def outcomes(state: State) -> dict[tuple[str, ...], list[State]]:
    """The states that each joint move of the players leads to, one for each move of chance."""
    roles = state.game.players
    found: dict[tuple[str, ...], list[State]] = {}
    for joint in product(*(state.legal_moves(role) for role in state.game.roles)):
        moves = dict(zip(state.game.roles, joint))
        decided = tuple(str(moves[role]) for role in roles)
        found.setdefault(decided, []).append(state.apply(joint))
    return found


def tree_value(state: State, fold: Callable[..., tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    """The value of a state for each player, where `fold` joins the values of joint moves."""
    roles = state.game.players

    @cache
    def value(state: State) -> tuple[Fraction, ...]:
        if state.is_terminal:
            goals = state.goals()
            return tuple(Fraction(goals[role] or 0, 100) for role in roles)
        means = {}
        for joint, after in outcomes(state).items():
            below = [value(found) for found in after]
            means[joint] = tuple(sum(column) / len(below) for column in zip(*below))
        return fold(means)

    return value(state)


def fold_by(plus: Fold, times: Fold) -> Callable[..., tuple[Fraction, ...]]:
    def fold(means: dict[tuple[str, ...], tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
        count = len(next(iter(means.values())))
        return tuple(
            times(
                plus(value[p] for joint, value in means.items() if joint[p] == own)
                for own in {joint[p] for joint in means}
            )
            for p in range(count)
        )

    return fold


def owners(network: Network, game: Game) -> dict[str, int]:
    return {
        variable.name: player
        for variable in network.variables
        for player, role in enumerate(game.players)
        if variable.name.startswith(f"action_{role}@")
    }


SMALL = [
    ("cooperative-matching-pennies", 3),
    ("matching-pennies", 2),
    ("guess-dice", 3),
    ("monty-hall", 4),
]


@pytest.mark.parametrize("encoding", ["boolean", "multivalued"])
@pytest.mark.parametrize(("name", "turns"), SMALL)
def test_exact_values_of_unrolled_games(name: str, turns: int, encoding: Encoding) -> None:
    game = Game.from_library(name)
    start = game.initial_state()
    network = template(game, encoding).unroll(turns, start)
    assert len(network.stages) == turns
    for plus, times in [(min, max), (max, max), (max, min)]:
        found = maximin(network, owners(network, game), plus=plus, times=times)
        assert found is not None
        assert found.values == tree_value(start, fold_by(plus, times))
    # A policy decides for all players: the best for one is what all together can do for them.
    for player in range(len(game.players)):
        policy = best(network, player=player)
        assert policy is not None

        def together(
            means: dict[tuple[str, ...], tuple[Fraction, ...]], player: int = player
        ) -> tuple[Fraction, ...]:
            return max(means.values(), key=lambda values: values[player])

        assert policy.value == tree_value(start, together)[player]


@pytest.mark.parametrize("encoding", ["boolean", "multivalued"])
@pytest.mark.parametrize("name", [name for name, _ in SMALL])
def test_feasible_policies_of_a_turn_are_the_joint_moves(name: str, encoding: Encoding) -> None:
    game = Game.from_library(name)
    encoded = template(game, encoding)
    state = game.initial_state()
    while not state.is_terminal:
        network = encoded.inject(state)
        policies = list(fc(network))
        assert set(policies) == set(solve_split(network))
        after = outcomes(state)
        assert len(policies) == len(after)
        assert sorted(sum(1 for _ in p.paths()) for p in policies) == sorted(
            map(len, after.values())
        )
        paths = [encoded.outcome(path) for policy in policies for path in policy.paths()]
        assert set(paths) == encoded.solutions(state)
        assert len(paths) == sum(map(len, after.values()))
        state = next(iter(after.values()))[-1]


def test_the_stages_of_an_unrolled_game_are_its_turns() -> None:
    game = Game.from_library("cooperative-matching-pennies")
    network = template(game, "multivalued").unroll(3, game.initial_state())
    turns = decompose(network)
    assert len(turns) == 3
    assert [[v.name for v in turn.stochastic] for turn in turns] == [
        ["action_random@1"],
        ["action_random@2"],
        ["action_random@3"],
    ]
