"""When enough has been played, what that is worth, and how it is drawn."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from games_support import load
from woodstock.tournament.facts import GameFacts
from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tournament.results import pair_score
from woodstock.tournament.rounds import pair_seatings
from woodstock.tournament.verdicts import verdict
from woodstock.tune import Summary, shares_goal


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(1)
    for rounds, chance in ((10, 0.5), (20, 0.7), (50, 0.9), (100, 0.5)):
        held = 0
        for _ in range(1000):
            scores = [
                ((rng.random() < chance) + (rng.random() < chance)) / 2 for _ in range(rounds)
            ]
            found = Summary.of(scores, 2)
            held += abs(found.mean - chance) <= found.margin
        assert 0.91 <= held / 1000 <= 0.98
    assert 0.05 < Summary.of([1.0] * 20, 2).margin < 0.1
    assert Summary.of([], 2).margin == 0.5


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    """Players 5 % better are found, equal ones are not taken for better."""

    def ends(chance: float, seed: int) -> str:
        rng, scores = random.Random(seed), list[float]()
        while True:
            for _ in range(10):
                scores.append((rng.random() < chance) / 2 + (rng.random() < chance) / 2)
            found = verdict(scores, 2, 1_000_000)
            if found is not None:
                return found

    equal = [ends(0.5, seed) for seed in range(200)]
    better = [ends(0.55, seed) for seed in range(200)]
    assert sum(end in ("better", "clearly better") for end in equal) <= 0.08 * 200
    assert sum(end in ("not better", "clearly worse") for end in better) <= 0.08 * 200


def test_a_pair_is_over_when_it_is_clear_or_long_enough() -> None:
    assert verdict([1.0] * 9, 2, 200) is None
    assert verdict([1.0] * 10, 2, 200) == "better"
    assert verdict([0.0] * 10, 2, 200) == "not better"
    assert verdict([0.5, 0.5, 1.0] * 20, 2, 200) == "better"
    assert verdict([0.0, 1.0, 0.5, 0.5] * 10, 2, 200) is None
    assert verdict([0.0, 1.0, 0.5, 0.5] * 25, 2, 200) == "limit"
    assert verdict([1.0] * 2, 2, 4) == "limit"
    # The interval can be clear where the test, which knows nothing of margins, is not yet.
    assert verdict([0.5, 1.0, 0.5] * 6, 2, 200) is None
    assert verdict([0.5, 1.0, 0.5] * 7, 2, 200) == "clearly better"
    assert verdict([0.0, 0.0, 0.0, 1.0] * 5, 2, 200) == "clearly worse"


@pytest.mark.parametrize(
    ("seats", "goals", "worth"),
    [
        ((0, 1), (100, 0), 1),
        ((1, 0), (100, 0), 0),
        ((0, 1), (40, 40), 0.5),
        ((0, 1, 1), (50, 25, 49), 1),
        ((0, 1, 1), (50, 25, 50), 0.5),
        ((1, 0, 0), (50, 25, 50), 0.5),
        ((1, 0, 0), (60, 25, 50), 0),
        ((1, 1, 0), (10, 25, 20), 0),
        ((0, 0), (80, 40), 0.6),
        ((1, 1), (80, 40), 0.4),
    ],
)
def test_a_match_is_worth(seats: tuple[int, ...], goals: tuple[int, ...], worth: float) -> None:
    assert pair_score(seats, goals) == pytest.approx(worth)


def test_equal_players_get_one_half_of_a_round() -> None:
    """Whatever the seats are worth: the distributions of a round make up for it."""
    for name in ("nim", "chinese-checkers", "orchard"):
        game = load(name)
        distributions = pair_seatings(GameFacts(game.players, game.has_chance, shares_goal(game)))
        for goals in ((100, 0, 30), (30, 30, 20), (0, 70, 70)):
            worth = [pair_score(seats, goals[: len(seats)]) for seats in distributions]
            assert sum(worth) / len(worth) == pytest.approx(0.5)


def test_a_plot_has_its_curves_at_the_right_places() -> None:
    curves = {"nim": [CurvePoint(100, 75, 10), CurvePoint(0, 50)], "a & b": [CurvePoint(50, 0)]}
    text = line_plot(curves, title="t", x_label="x", y_label="y", level=50)
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    first = root.findall(f"{name}polyline")[0].attrib["points"].split()
    places = [tuple(map(float, point.split(","))) for point in first]
    assert places[0][0] < places[1][0]  # in the order of the axis, not of the list
    assert places[0][1] > places[1][1]  # more is higher
    assert len(root.findall(f"{name}circle")) == 3
    assert "a & b" in [element.text for element in root.findall(f"{name}text")]
