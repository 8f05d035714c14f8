"""Ratings, held against values that are known or worked out by hand."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from woodstock.tournament.ratings import (
    AgonRating,
    agon_intervals,
    elo_of_score,
    normalised_elo,
    rate_agon,
    rate_elo,
)
from woodstock.tournament.results import MatchResult, SeatResult


def match(*seats: tuple[str, int], late: int = 0) -> MatchResult:
    made = [
        SeatResult(f"r{number}", name, goal, late=late) for number, (name, goal) in enumerate(seats)
    ]
    return MatchResult(0, tuple(made))


def test_agon_by_hand() -> None:
    """One match of two: each plays its seat, and in between they play each other."""
    rating = AgonRating()
    rating.add("g", ["x", "o"], ["a", "b"], [100, 0])
    # a beats its seat (both at 0), then b; b, now below, loses to its own seat.
    first = 0.5
    second = first + 1 - 1 / (1 + 10 ** (-0.5 / 400))
    loser = -(1 - 1 / (1 + 10 ** (-0.5 / 400)))
    expected = 1 / (1 + 10 ** (-loser / 400))
    assert rating.skills == pytest.approx({"a": second, "b": loser - expected})
    assert rating.difficulties == pytest.approx({("g", "x"): -0.5, ("g", "o"): expected})


def test_agon_of_a_puzzle() -> None:
    rating = AgonRating()
    for _ in range(2000):
        rating.add("p", ["robot"], ["a"], [75])
    gap = rating.skills["a"] - rating.difficulties["p", "robot"]
    assert gap == pytest.approx(elo_of_score(0.75), rel=0.02)
    assert rating.skills["a"] == pytest.approx(-rating.difficulties["p", "robot"])


def test_agon_compares_players_only_where_goals_add_up() -> None:
    rating = AgonRating()
    rating.add("g", ["x", "o"], ["a", "b"], [100, 100])
    assert rating.skills == {"a": 0.5, "b": 0.5}


def test_agon_leaves_out_matches_with_mistakes() -> None:
    good, bad = match(("a", 100), ("b", 0)), match(("a", 0), ("b", 100), late=1)
    assert rate_agon([("g", good), ("g", bad)]).skills == rate_agon([("g", good)]).skills


def test_agon_has_intervals() -> None:
    rng = random.Random(1)
    rounds = []
    for _ in range(200):
        goal = 100 if rng.random() < 0.7 else 0
        rounds.append(("g", [match(("a", goal), ("b", 100 - goal))]))
    found = agon_intervals(rounds, seed=1)
    skills = rate_agon((game, one) for game, played in rounds for one in played).skills
    assert found["a"][0] < skills["a"] < found["a"][1]
    assert found["b"][1] < found["a"][0]
    assert agon_intervals(rounds, seed=1) == found


def test_agon_depends_on_the_order() -> None:
    one, other = match(("a", 100), ("b", 0)), match(("a", 0), ("c", 100))
    there = rate_agon([("g", one)] * 50 + [("g", other)] * 50).skills["c"]
    back = rate_agon([("g", other)] * 50 + [("g", one)] * 50).skills["c"]
    assert there != pytest.approx(back, abs=1e-6)


def test_elo_of_known_chances_is_found() -> None:
    truth = {"a": 200.0, "b": 0.0, "c": -200.0}
    rng = random.Random(1)
    rounds = []
    for _ in range(1500):
        one, other = rng.sample(sorted(truth), 2)
        chance = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
        goal = 100 if rng.random() < chance else 0
        rounds.append([match((one, goal), (other, 100 - goal))])
    found = rate_elo(rounds, resamples=100)
    assert [one.name for one in found] == ["a", "b", "c"]
    for rated in found:
        assert rated.elo == pytest.approx(truth[rated.name], abs=25)
        assert rated.low < rated.elo < rated.high
        assert rated.low - 10 <= truth[rated.name] <= rated.high + 10


def test_a_clean_sweep_has_a_finite_rating() -> None:
    found = rate_elo([[match(("a", 100), ("b", 0))]] * 20)
    assert 400 < found[0].elo - found[1].elo < 1500


def test_two_players_have_the_elo_of_their_score() -> None:
    """In closed form, but for the draws that are added: they pull it in by a known little."""
    rounds = [[match(("a", 100), ("b", 0))]] * 640 + [[match(("a", 0), ("b", 100))]] * 360
    found = {one.name: one.elo for one in rate_elo(rounds, resamples=0)}
    assert found["a"] - found["b"] == pytest.approx(elo_of_score(0.64), abs=0.5)


def test_three_at_a_table_are_compared_pair_by_pair() -> None:
    found = rate_elo([[match(("a", 100), ("b", 50), ("c", 0))]] * 10)
    assert [(one.name, one.games) for one in found] == [("a", 20), ("b", 20), ("c", 20)]
    assert found[1].elo == pytest.approx(0, abs=1e-6)


def test_alone_nobody_is_rated() -> None:
    assert rate_elo([[match(("a", 100))]]) == []
    assert rate_elo([[match(("a", 100), ("a", 100))]]) == []


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=60))
def test_normalised_elo_has_the_sign_of_the_score(scores: list[float]) -> None:
    found, margin = normalised_elo(scores)
    mean = sum(scores) / len(scores)
    if len(set(scores)) == 1:
        assert math.isnan(found)
    else:
        assert margin > 0
        assert (found > 1e-9) == (mean > 0.5 + 1e-12)


def test_normalised_elo_of_single_matches_is_that_of_wins_and_losses() -> None:
    """Without draws a match at 64 % has a standard deviation of 0.48."""
    found, _ = normalised_elo([1.0] * 64 + [0.0] * 36, size=1)
    assert found == pytest.approx(800 / math.log(10) * 0.14 / 0.48)
