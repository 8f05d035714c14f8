"""``woodstock symmetries``: orders, orbits and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_support import answer, woodstock


def test_orbits_on_the_board(tmp_path: Path) -> None:
    picture = tmp_path / "orbits.svg"
    result = woodstock("symmetries", "tic-tac-toe", "--after", "(mark 1 1)", "--svg", picture)
    assert result.exit_code == 0
    assert "tic-tac-toe: 8 symmetries" in result.stdout
    assert "2 of them keep this position" in result.stdout
    assert "o: 8 moves, 5 up to symmetry" in result.stdout
    assert "1 │ x │ a │ b │" in result.stdout
    assert "3 │ b │ d │ e │" in result.stdout
    text = picture.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert text.count(">a<") == text.count(">b<") == 2


@pytest.mark.parametrize(
    ("graph", "order", "orbits"),
    [("rules", 8, 3), ("template", 8, 3), ("rest", 8, 3), ("stage", 362880, 1)],
)
def test_every_graph(graph: str, order: int, orbits: int) -> None:
    found = answer("symmetries", "tic-tac-toe", "--graph", graph)
    assert (found["order"], found["graph"], found["complete"]) == (order, graph, True)
    assert len(found["orbits"]["x"]) == orbits
    assert sum(map(len, found["orbits"]["x"])) == 9
    assert found["generators"]


def test_generators_are_told_in_words() -> None:
    text = woodstock("symmetries", "connect-four").stdout
    assert "(cell 1 1 red) ↔ (cell 7 1 red)" in text
    assert "d  (drop 4)" in text


def test_roles_may_be_exchanged() -> None:
    assert answer("symmetries", "tic-tac-toe", "--exchange-roles")["order"] == 16
    result = woodstock("symmetries", "tic-tac-toe", "--exchange-roles", "--graph", "template")
    assert result.exit_code == 2
    assert "rules or rest" in result.stderr


def test_the_end_of_a_game_has_no_orbits() -> None:
    line = "(mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3)"
    assert answer("symmetries", "tic-tac-toe", "--after", line)["orbits"] == {}
