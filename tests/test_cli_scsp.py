"""The commands about constraint networks: ``woodstock scsp`` and ``woodstock solve``."""

from __future__ import annotations

from pathlib import Path

import pytest

from test_cli import answer, woodstock, write
from woodstock.scsp import Network, Variable, xcsp3
from woodstock.scsp.constraints import Hard

TWO = Network(
    [Variable("coat", ["thin", "thick"]), Variable("n", range(3))],
    [Hard(["coat", "n"], [("thin", 0), ("thick", 1), ("thick", 2)])],
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.xml"
    xcsp3.write_file(TWO, path)
    return path


@pytest.mark.parametrize("name", ["scsp", "solve"])
def test_help_has_an_example(name: str) -> None:
    assert name in woodstock("--help").stdout
    page = woodstock(name, "--help")
    assert page.exit_code == 0
    assert f"Example: woodstock {name}" in " ".join(page.stdout.split())


@pytest.mark.parametrize("encoding", ["boolean", "multivalued"])
def test_a_game_becomes_a_file_that_is_solved(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "turn.xml"
    found = answer(
        "scsp", "tic-tac-toe", "--encoding", encoding, "--after", "(mark 2 2)", "--xcsp3", path
    )
    assert found["game"] == "tic-tac-toe"
    assert found["encoding"] == encoding
    assert found["xcsp3"] == str(path)
    assert found["largest_domain"] == 11
    network = xcsp3.read_file(path)
    assert len(network.variables) == found["variables"]
    assert len(network.hard) == found["constraints"]
    assert answer("solve", path, "--count")["count"] == 8
    assert woodstock("solve", path, "--count").stdout == "8 solutions\n"


def test_the_network_of_any_turn_and_of_some(tmp_path: Path) -> None:
    one = answer("scsp", "nim")
    assert one["after"] is None
    assert one["xcsp3"] is None
    two = answer("scsp", "nim", "--stages", "2", "--after", "")
    assert two["stages"] == 2
    assert two["variables"] > one["variables"]
    few = woodstock("scsp", "nim")
    all_ = woodstock("scsp", "nim", "--stats")
    assert few.stdout.startswith("nim, multivalued encoding\n")
    assert len(all_.stdout.splitlines()) > len(few.stdout.splitlines())


def test_first_all_and_some(file: Path) -> None:
    first = answer("solve", file)
    assert first["satisfiable"] is True
    assert first["count"] == 1
    assert first["complete"] is False
    assert len(first["solutions"]) == 1
    every = answer("solve", file, "--all")
    assert every["count"] == 3
    assert every["complete"] is True
    assert {"coat": "thick", "n": 2} in every["solutions"]
    some = answer("solve", file, "--limit", "2", "--propagation", "str2", "--heuristic", "lex")
    assert some["count"] == 2
    assert some["complete"] is False
    assert "nodes" in some["statistics"]
    text = woodstock("solve", file, "--all").stdout
    assert sorted(text.splitlines()) == sorted(
        f"coat = {coat}, n = {n}" for coat, n in [("thin", 0), ("thick", 1), ("thick", 2)]
    )
    assert "there may be more" in woodstock("solve", file, "--all", "--limit", "1").stdout


def test_no_solution_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "none.xml"
    xcsp3.write_file(Network([Variable("x", (0, 1))], [Hard(["x"], [])]), path)
    result = woodstock("solve", path)
    assert result.exit_code == 0
    assert result.stdout == "no solution\n"
    found = answer("solve", path)
    assert (found["satisfiable"], found["count"], found["complete"]) == (False, 0, True)


def test_what_is_wrong(file: Path, tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.xml", "<instance>")
    assert answer("solve", broken, code=1)["error"].startswith(f"{broken}:1:11: not well-formed")
    assert "No such file" in answer("solve", tmp_path / "missing.xml", code=2)["error"]
    assert "exclude one another" in answer("solve", file, "--all", "--count", code=2)["error"]
    assert woodstock("solve", file, "--propagation", "magic").exit_code == 2
    assert woodstock("scsp", "no-such-game").exit_code == 2
    assert "Is a directory" in answer("scsp", "nim", "--xcsp3", tmp_path, code=2)["error"]
