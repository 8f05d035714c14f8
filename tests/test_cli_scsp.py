"""The commands about constraint networks: ``woodstock scsp`` and ``woodstock solve``."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest

from cli_support import answer, woodstock
from test_cli import write
from woodstock.scsp import Network, Variable, xcsp3
from woodstock.scsp.constraints import Hard
from woodstock.scsp.solver import Solver

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


MANY = [Variable(f"x{place}", range(4)) for place in range(30)]


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """More solutions than anybody can wait for."""
    path = tmp_path / "big.xml"
    xcsp3.write_file(
        Network(MANY, [Hard.where([a, b], lambda p, q: p != q) for a, b in pairwise(MANY)]), path
    )
    return path


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["lines", "json"])
def test_solutions_are_printed_as_they_are_found(options: list[str], big: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "woodstock", "solve", str(big), "--all", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        begin = process.stdout.read(100_000)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
    head = b"x0 = 1, x1 = 0" if not options else b'{"file": "'
    assert begin.startswith(head)
    assert len(set(begin.split(b"\n" if not options else b"}"))) > 100


def test_only_some_variables(file: Path, big: Path) -> None:
    assert woodstock("solve", file, "--all", "--only", "coat").stdout.splitlines() == [
        "coat = thin",
        "coat = thick",
    ]
    assert answer("solve", file, "--only", "n")["solutions"] == [{"n": 0}]
    pairs = answer("solve", big, "--all", "--only", "x0, x3", "--only", "x0")
    assert (pairs["count"], pairs["complete"]) == (16, True)
    assert pairs["solutions"][0].keys() == {"x0", "x3"}
    assert woodstock("solve", big, "--count", "--only", "x0,x3").stdout == "16 solutions\n"
    assert answer("solve", big, "--count", "--only", "x0,x3", "--limit", "9")["count"] == 9
    wrong = answer("solve", file, "--only", "coats", code=2)
    assert wrong["error"] == "--only: no variable is called 'coats'; did you mean 'coat'?"


def test_a_name_with_a_comma(tmp_path: Path) -> None:
    path = tmp_path / "comma.xml"
    xcsp3.write_file(Network([Variable("a,b", "x"), Variable("c", "y")]), path)
    assert woodstock("solve", path, "--only", "a,b").stdout == "a,b = x\n"


def test_a_file_cannot_move_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "escapes.xml"
    names = ["\x1b[31mred", "two\nlines"]
    xcsp3.write_file(Network([Variable(name, ["\x1b]0;t\x07"]) for name in names]), path)
    assert woodstock("solve", path).stdout == (
        "\\x1b[31mred = \\x1b]0;t\\x07, two\\nlines = \\x1b]0;t\\x07\n"
    )
    assert answer("solve", path)["solutions"] == [dict.fromkeys(names, "\x1b]0;t\x07")]


def test_when_memory_runs_out(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stream(*_: object, **__: object) -> NoReturn:
        raise MemoryError

    monkeypatch.setattr(Solver, "stream", stream)
    message = answer("solve", file, "--all", code=1)["error"]
    assert (
        message == f"there is not enough memory for {file}; --limit, --count and --only take less"
    )


def test_what_is_wrong(file: Path, tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.xml", "<instance>")
    assert answer("solve", broken, code=1)["error"].startswith(f"{broken}:1:11: not well-formed")
    assert "No such file" in answer("solve", tmp_path / "missing.xml", code=2)["error"]
    assert "exclude one another" in answer("solve", file, "--all", "--count", code=2)["error"]
    assert woodstock("solve", file, "--propagation", "magic").exit_code == 2
    assert woodstock("scsp", "no-such-game").exit_code == 2
    assert "Is a directory" in answer("scsp", "nim", "--xcsp3", tmp_path, code=2)["error"]


def test_the_encoding_by_atom_names_tells_its_size() -> None:
    found = answer("scsp", "tic-tac-toe", "--encoding", "atoms", "--stats")
    assert (found["names"], found["largest_domain"]) == (13, 27)
    assert found["variables"] == found["names"] + 2  # a line names three cells
    shown = woodstock("scsp", "tic-tac-toe", "--encoding", "atoms").stdout
    assert "atom names" in shown
    refused = woodstock("scsp", "tic-tac-toe", "--encoding", "atoms", "--after", "")
    assert refused.exit_code == 2
    assert "take another encoding" in refused.stderr


GOLDEN = Path(__file__).parent / "golden" / "xcsp3"


def test_named_variables_come_first(tmp_path: Path) -> None:
    path = tmp_path / "turn.xml"
    woodstock("scsp", "tic-tac-toe", "--after", "", "--xcsp3", path)
    network = xcsp3.read_file(path)
    assert len(network.auxiliary) > 5
    result = woodstock("solve", path)
    names = [part.partition(" = ")[0] for part in result.stdout.strip().split(", ")]
    assert names == [v.name for v in (*network.named, *network.auxiliary)]
    assert {"terminal", "action_x", "cell_1_1", "cell_1_1'"} <= {v.name for v in network.named}
    assert f"the last {len(network.auxiliary)} variables are auxiliary" in result.stderr
    assert "--only NAMES" in result.stderr
    assert woodstock("solve", path, "--only", "action_x").stderr == ""
    assert woodstock("solve", path, "--count").stderr == ""


def test_the_best_is_proved() -> None:
    path = GOLDEN / "knapsack.xml"
    lines = woodstock("solve", path, "--only", "x[0],x[7]").stdout.splitlines()
    assert lines[0] == "69 is the most that can be reached (proved)"
    assert lines[1].startswith("x[0] = ")
    found = answer("solve", path)
    assert found["objective"]["best"] == 69
    assert list(found["objective"]) == ["maximise", "best"]
    assert (found["satisfiable"], found["count"]) == (True, 1)
    assert woodstock("solve", GOLDEN / "fewest-colours.xml").stdout.startswith("3 is the least")
    none = woodstock("solve", GOLDEN / "no-way-at-all.xml", "--count")
    assert none.stdout == "0 solutions\n"
    assert woodstock("solve", GOLDEN / "no-way-at-all.xml").stdout == "no solution\n"
    assert answer("solve", GOLDEN / "no-way-at-all.xml")["objective"]["best"] is None


def test_all_that_are_best() -> None:
    path = GOLDEN / "photograph.xml"
    every = answer("solve", path, "--all")
    counted = answer("solve", path, "--count")
    assert every["complete"] is True
    assert every["count"] == counted["count"] == len(every["solutions"]) > 1
    assert counted["objective"] == every["objective"]
    pairs = [(0, 2), (1, 4), (2, 3), (3, 0), (4, 2), (1, 0)]
    for one in every["solutions"]:
        beside = [abs(one[f"x[{i}]"] - one[f"x[{j}]"]) == 1 for i, j in pairs]
        assert sum(beside) == every["objective"]["best"]


def test_an_interrupted_search_shows_the_best_so_far(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Solver.first

    def once(self: Solver) -> object:
        if getattr(self, "asked", False):
            raise KeyboardInterrupt
        self.asked = True  # type: ignore[attr-defined]
        return first(self)

    monkeypatch.setattr(Solver, "first", once)
    result = woodstock("solve", GOLDEN / "knapsack.xml", "--only", "x[0]")
    assert result.exit_code == 130
    lines = result.stdout.splitlines()
    assert lines[0].startswith("stopped; ")
    assert lines[0].endswith(" is the best so far, not proved")
    assert lines[1].startswith("x[0] = ")
