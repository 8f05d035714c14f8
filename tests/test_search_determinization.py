"""Perfect information Monte Carlo: states are drawn by weight, and their values averaged."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games_support import load
from player_support import Fake, decision
from woodstock import State
from woodstock.belief import Belief, ObservationHistory
from woodstock.player import make_player
from woodstock.search import Decision, Limits, OptionError, make_searcher
from woodstock.search.determinization import Determinization
from woodstock.search.state_searcher import StateSearcher


def monty() -> Belief:
    """Two doors are left; the car is twice as likely behind the one that was not chosen."""
    game = load("monty-hall")
    history = ObservationHistory(game, "candidate", seed=1)
    history.record(game.term("(choose 1)"), [])
    history.record("noop", [game.term("(open 3)")])
    return history.belief()


class Oracle(Fake):
    """Knows what every move is worth in a state."""

    def answer(self, situation: State | Belief) -> Decision:
        assert isinstance(situation, State)
        chosen = "(car 1)" in map(str, situation.fluents)
        return decision(*(("stay", "switch") if chosen else ("switch", "stay")), value=1.0)


def test_few_states_weigh_what_they_weigh() -> None:
    oracle = Oracle("candidate")
    pimc = Determinization(oracle, "candidate", determinizations=2, seed=1)
    found = pimc.think(monty(), limits=Limits())
    assert len(oracle.asked) == 2
    # Right in two states of three, and half as good in the other, says this oracle.
    assert [one.move for one in found.moves] == ["switch", "stay"]
    assert found.moves[1].value == pytest.approx(1 / 3 + 1 / 3)
    assert (found.move, found.proved) == ("switch", False)
    assert found.value == pytest.approx(5 / 6)


def test_many_states_are_drawn_by_weight() -> None:
    oracle = Oracle("candidate")
    belief = monty()
    heavy = [0.9, 0.1] if belief.weights[0] > belief.weights[1] else [0.1, 0.9]
    counts: Counter[State | Belief] = Counter()
    for seed in range(40):
        oracle.asked.clear()
        many = Belief(
            belief.game,
            belief.role,
            belief.turn,
            [belief.positions[i % 2] for i in range(20)],
            [heavy[i % 2] / 10 for i in range(20)],
            [belief.memories[i % 2] for i in range(20)],
            exact=True,
        )
        Determinization(oracle, "candidate", determinizations=1, seed=seed).think(
            many, limits=Limits()
        )
        counts.update(oracle.asked)
    assert counts.most_common(1)[0][1] > 28


def test_limits_are_shared_among_determinizations() -> None:
    oracle = Oracle("candidate")
    pimc = Determinization(oracle, "candidate", determinizations=8, seed=1)
    pimc.think(monty(), limits=Limits(seconds=50.0, cpu_seconds=20.0, simulations=1000))
    first, second = oracle.limits
    assert first.seconds == pytest.approx(25, abs=1)
    assert first.cpu_seconds == pytest.approx(10, abs=1)
    assert (first.simulations, second.simulations) == (500, 800)
    assert second.seconds == pytest.approx(50, abs=2)


def test_progress_is_told_one_by_one_and_can_be_stopped() -> None:
    class Stopping(Oracle):
        def answer(self, situation: State | Belief) -> Decision:
            pimc.stop()
            return super().answer(situation)

    oracle = Oracle("candidate")
    told: list[Decision] = []
    pimc = Determinization(oracle, "candidate", determinizations=8, seed=1)
    pimc.think(monty(), limits=Limits(), on_progress=told.append)
    assert [one.notes for one in told] == [("1 determinization",)]
    stopping = Stopping("candidate")
    pimc = Determinization(stopping, "candidate", determinizations=8, seed=1)
    assert pimc.think(monty(), limits=Limits()).notes == ("1 determinization",)


def test_the_search_finds_out_where_the_car_may_be() -> None:
    belief = monty()
    found = [
        make_searcher("pimc", belief.game, "candidate", seed=1).think(
            belief, limits=Limits(simulations=2000)
        )
        for _ in range(2)
    ]
    assert found[0].moves == found[1].moves
    assert found[0].move == "switch"
    assert found[0].value == pytest.approx(2 / 3)


def test_where_nothing_is_hidden_there_is_one_determinization() -> None:
    searcher = make_searcher("pimc:inner=grave", load("tic-tac-toe"), "x")
    assert isinstance(searcher, StateSearcher)
    assert isinstance(make_searcher("pimc", load("monty-hall"), "candidate"), Determinization)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "pimc:determinizations=0",
            "determinizations cannot be '0'; give",
        ),
        ("pimc:determinizations=many", "determinizations cannot be 'many'"),
        ("pimc:inner=nobody", "inner cannot be 'nobody'; there are cfr, "),
        ("pimc:inner=pimc", "inner cannot be 'pimc'"),
        ("pimc:determinization=3", "did you mean determinizations?"),
        ("pimc:leaves=3", "there are determinizations, inner"),
    ],
)
def test_wrong_options_are_told_at_once(text: str, said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        make_player(text, 1)
