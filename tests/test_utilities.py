"""What goals are worth is one thing everywhere, also in rules that know goals above 100."""

from __future__ import annotations

from fractions import Fraction

import pytest

from woodstock import Game
from woodstock.game import EngineName
from woodstock.match import play_series, standings
from woodstock.scsp.encode import template
from woodstock.search import Limits, make_searcher
from woodstock.search.plain_searcher import PlainSearcher
from woodstock.solve.exact import solve
from woodstock.solve.game_tree import GameTree

RULES = """
(role robot)
(init start)
(<= (legal robot ?move) (worth ?move ?goal) (true start))
(<= (next (did ?move)) (does robot ?move))
(<= terminal (true (did ?move)))
(<= (goal robot 0) (true start))
"""


def game_of(engine: EngineName, *goals: int) -> Game:
    """A game of one move, which is worth one of some goals."""
    facts = " ".join(f"(worth m{goal} {goal})" for goal in goals)
    heads = " ".join(f"(<= (goal robot {goal}) (true (did m{goal})))" for goal in goals)
    return Game.from_text(f"{RULES} {facts} {heads}", engine=engine)


@pytest.mark.parametrize("goals", [(10, 50), (100, 30), (150, 50), (400, 100, 40)])
def test_all_agree(goals: tuple[int, ...]) -> None:
    scale = max(100, *goals)
    expected = {f"m{goal}": goal / scale for goal in goals}
    for engine in ("circuit", "ground", "lifted"):
        game = game_of(engine, *goals)
        assert game.engine.goal_scale == scale
        assert {f"m{goal}": game.engine.utility(goal) for goal in goals} == expected
        searched = PlainSearcher("robot", seed=1).think(
            game.initial_state(), limits=Limits(simulations=40)
        )
        assert {str(one.move): one.value for one in searched.moves} == pytest.approx(expected)
        soft = template(game).utilities("terminal", template(game).scores)
        worth = {key[1]: value for key, (value,) in soft[0].rows.items()}
        assert worth.items() >= {goal: Fraction(goal, scale) for goal in goals}.items()
    game = game_of("circuit", *goals)
    assert {str(k): v for k, v in solve(game, "robot").move_values().items()} == expected
    ends = GameTree(game, limit=100).ends
    assert sorted(value for _, (value,) in ends) == sorted(expected.values())
    found = make_searcher("uct", game, "robot").think(
        game.initial_state(), limits=Limits(simulations=2000)
    )
    assert found.proved
    assert {str(one.move): one.value for one in found.moves} == pytest.approx(expected)


def test_the_lifted_engine_knows_goals_that_stand_in_rules_alone() -> None:
    rules = f"{RULES} (worth m300 300) (<= (goal robot ?g) (true (did ?m)) (worth ?m ?g))"
    lifted, circuit = (Game.from_text(rules, engine=one) for one in ("lifted", "circuit"))
    assert (lifted.engine.goal_scale, circuit.engine.goal_scale) == (100, 300)
    assert lifted.engine.utility(300) == circuit.engine.utility(300) == 1


def test_standings_have_an_interval_for_goals_above_100() -> None:
    game = game_of("circuit", 300)
    (standing,) = standings(["legal"], play_series(game, ["legal"], games=4, seed=1))
    assert (standing.mean_goal, standing.goal_scale) == (300, 300)
    low, high = standing.to_json()["mean_goal_95"]
    assert 100 < low < high == 300
