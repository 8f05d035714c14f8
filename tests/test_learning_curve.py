"""Strength over the time of training: what is made of results, and the speed of training."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import learning_curve
import pytest
import training_speed
from learning_curve import picture, summary
from versus import Cell

from games_support import load


def cell(scores: list[float]) -> Cell:
    """A cell with rounds that scored so."""
    made = Cell("nim", "a", "b", 0.02, 2, 2, 60)
    for number, score in enumerate(scores):
        for seating in (0, 1):
            made.take({"round": number, "seating": seating, "score": score})
    return made


def test_seeds_are_summed_up_and_told_apart() -> None:
    found = summary("nim", 5, {1: cell([1.0] * 10), 2: cell([0.5] * 10), 3: cell([1.0] * 10)})
    assert found["score"] == pytest.approx(2.5 / 3, abs=1e-4)
    assert found["seeds"] == {1: 1.0, 2: 0.5, 3: 1.0}
    assert found["matches"] == 60
    assert found["spread"] > 2 * found["by_chance"]
    alike = summary("nim", 5, {1: cell([1.0, 0.0] * 5), 2: cell([0.0, 1.0] * 5)})
    assert alike["spread"] == 0
    assert alike["by_chance"] > 0.1
    assert summary("nim", 5, {})["matches"] == 0


def test_times_are_marked_where_their_logarithms_are() -> None:
    summaries = [
        {"game": "nim", "seconds": seconds, "score": 0.5, "margin": 0.1} for seconds in (2, 8, 32)
    ]
    root = ElementTree.fromstring(picture(summaries, "title"))
    marks = {
        node.text: float(node.attrib["x"]) for node in root.iter() if node.text in ("2", "8", "32")
    }
    assert marks["8"] - marks["2"] == pytest.approx(marks["32"] - marks["8"], abs=0.2)


def test_the_command_plays_every_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, svg = tmp_path / "r.jsonl", tmp_path / "curve.svg"
    words = ["--games=nim", "--seconds=1,2", "--seeds=1,2", "--player=random", "--against=legal"]
    assert learning_curve.main([*words, "--max-matches=2", f"--out={out}", f"--svg={svg}"]) == 0
    found = json.loads(capsys.readouterr().out)["trainings"]
    assert [(one["seconds"], one["matches"]) for one in found] == [(1, 4), (2, 4)]
    assert len(out.read_text(encoding="utf-8").splitlines()) == 8
    assert svg.exists()


def test_speed_is_that_of_the_positions_after_the_first_fit() -> None:
    found = training_speed.speed(load("tic-tac-toe"), 1, 0.2, 1)
    assert all(found[name] > 0 for name in training_speed.SPEEDS)
    assert found["positions_per_cpu_second"] > found["games_per_cpu_second"]
