"""Policies for one player against chance: what expectimax says, on states alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games_support import load
from plan_support import DICE
from woodstock import Game
from woodstock.errors import ArgumentError
from woodstock.game import State
from woodstock.plan import PlanError
from woodstock.plan.policy import policies, policy

TURNED = DICE.replace("(role she) (role random)", "(role random) (role she)")


def expected(state: State, turns: int) -> Fraction:
    if state.is_terminal:
        return Fraction(state.goal("she") or 0)
    if turns == 0:
        return Fraction(0)
    values = []
    for move in state.legal_moves("she"):
        draws = list(state.legal_moves("random"))
        after = [state.apply({"she": move, "random": draw}) for draw in draws]
        values.append(sum((expected(s, turns - 1) for s in after), Fraction(0)) / len(draws))
    return max(values)


@pytest.mark.parametrize("text", [DICE, TURNED])
def test_policies_expect_what_states_say(text: str) -> None:
    game = Game.from_text(text)
    for turns in (1, 2, 3, 4):
        found = policy(game, horizon=turns)
        assert found.value == expected(game.initial_state(), turns)
        assert found.proved == (turns == 4)


def test_a_policy_tells_what_to_do_whatever_chance_does() -> None:
    game = Game.from_text(DICE)
    found = policy(game, horizon=4)
    assert str(found.move()) == "roll"
    assert str(found.move(["noop"])) == "noop"
    moves = [str(found.move(["noop", f"(die {pip})"])) for pip in (1, 2, 3)]
    assert moves == ["roll", "roll", "stop"]


def test_policies_from_a_later_state() -> None:
    game = Game.from_text(DICE)
    state = game.initial_state().apply({"she": "roll", "random": "noop"})
    state = state.apply({"she": "noop", "random": "(die 3)"})
    assert policy(game, state, horizon=2).value == 60


def test_horizons_grow_until_all_is_proved() -> None:
    found = list(policies(Game.from_text(DICE), seconds=300))
    assert [one.horizon for one in found] == [1, 2, 3, 4]
    assert [one.value for one in found] == sorted(one.value for one in found)
    assert [one.proved for one in found] == [False, False, False, True]
    assert len(list(policies(Game.from_text(DICE), seconds=300, horizon=2))) == 2


def test_what_has_no_policy_is_told() -> None:
    with pytest.raises(PlanError, match="a plan is what you want"):
        policy(load("hunter"), horizon=1)
    with pytest.raises(PlanError, match="several players"):
        policy(load("kaseklau"), horizon=1)
    with pytest.raises(PlanError, match="hidden"):
        policy(load("monty-hall"), horizon=1)
    with pytest.raises(ArgumentError, match="at least one turn"):
        policy(Game.from_text(DICE), horizon=0)
