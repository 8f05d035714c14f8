"""What the ring makes of results: intervals, the sequential test, the table, the plot."""

from __future__ import annotations

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sensitivity
import strength_report
from result_lines import Record, ResultLines
from strength import Ring
from strength_match import Match, default_opening, score
from strength_papers import AT_30_SECONDS, BY_TIME, SECONDS
from strength_verdict import verdict

from games_support import load
from strength_support import fake, pairing, play_all
from woodstock import games
from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tune import Summary

# When it is enough.


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


def test_a_pairing_is_over_when_it_is_clear_or_long_enough() -> None:
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


# The report and the plot.


def test_the_table_stands_beside_the_papers(tmp_path: Path) -> None:
    store = ResultLines(tmp_path / "r.jsonl")
    pairings = [
        pairing("tic-tac-toe", "mac-ucb", "uct", max_matches=40, to_the_end=True),
        pairing("tic-tac-toe", "mac-ucb", "grave", max_matches=3, to_the_end=True),
        pairing("nim", "mac-ucb", "uct", max_matches=40, to_the_end=True),
    ]
    play_all(Ring(pairings, store), fake(lambda match: 1.0 if match.game == "nim" else 0.5))
    text = strength_report.page(store.records.values())
    lines = text.splitlines()
    assert "## mac-ucb" in lines
    assert "| game | kind | ms | against grave | against uct | uct, papers |" in lines
    row = next(line for line in lines if line.startswith("| [tic-tac-toe]"))
    assert "| deterministic | 100 |" in row
    assert "| 50.0 ± 6.3 (40) | 65.7 ± 0.9; 63.6 to 65.4 |" in row
    assert next(line for line in lines if line.startswith("| mean")).count("**") == 4
    assert "**75.0**" in text
    assert "took 1.10 and 1.20 of the time on average, 1.10 and 1.20 at most" in text


def test_games_played_for_oneself_show_both_goals(tmp_path: Path) -> None:
    store = ResultLines(tmp_path / "r.jsonl")
    both = pairing("orchard", "a", "b", max_matches=4, to_the_end=True)

    def play(match: Match) -> Record:
        seats = [match.seating] * 2
        goals = [100, 100] if match.seating == 0 else [40, 40]
        base: Record = fake(lambda match: score(seats, goals))(match)
        return {**base, "seats": seats, "goals": goals}

    play_all(Ring([both], store), play)
    assert both.rounds() == [pytest.approx(0.8)] * 2
    assert "goals 100.0 : 40.0 (4)" in strength_report.page(store.records.values())


def test_rounds_that_are_not_complete_are_left_out(tmp_path: Path) -> None:
    records = [fake(lambda match: 1.0)(match) for match in pairing(max_matches=4).matches()]
    (cell,) = strength_report.cells_of(records[:3]).values()
    assert cell.matches == 2
    assert strength_report.cells_of(records[:1]) == {}


def test_the_figures_of_the_papers_fit_each_other() -> None:
    against_uct = AT_30_SECONDS["mac-ucb", "uct"]
    assert {name: row[SECONDS.index(30)] for name, row in BY_TIME.items()} == {
        name: figure for name, (figure, _) in against_uct.items()
    }
    assert all(set(table) == set(BY_TIME) for table in AT_30_SECONDS.values())
    assert all(len(row) == len(SECONDS) for row in BY_TIME.values())
    assert set(BY_TIME) <= set(games.names())


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


def test_sensitivity_draws_what_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, picture = tmp_path / "s.jsonl", tmp_path / "s.svg"
    points = [
        pairing("nim", sensitivity.player(share), "uct", max_matches=4, to_the_end=True)
        for share in (0, 90)
    ]
    play_all(
        Ring(points, ResultLines(path)), fake(lambda match: 0.25 if "=0.9" in match.first else 1)
    )
    arguments = ["--games=nim", "--shares=0,90,100", "--cpu=0.1", "--max-matches=0"]
    store = ResultLines(path)
    for one in sensitivity.curve(points, [0, 90]):
        assert one.y == (25 if one.x == 90 else 100)
    opening = default_opening(load("nim"))
    moved = [{**record, "opening": opening} for record in store.records.values()]
    path.write_text("".join(json.dumps(record) + "\n" for record in moved), encoding="utf-8")
    assert sensitivity.main([*arguments, f"--out={path}", f"--svg={picture}"]) == 0
    assert picture.read_text(encoding="utf-8").count("<circle") == 2
    assert len(json.loads(capsys.readouterr().out)["pairings"]) == 3
