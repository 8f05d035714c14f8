"""``woodstock plan``: plans on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_support import answer, woodstock
from plan_support import DICE, TRAP, WALK


@pytest.fixture
def walk(tmp_path: Path) -> str:
    file = tmp_path / "walk.kif"
    file.write_text(WALK, encoding="utf-8")
    return str(file)


def test_a_plan_move_by_move() -> None:
    result = woodstock("plan", "buttons-and-lights-3", "--seconds", "60")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == 7
    assert lines[0].startswith("  1  (press ")
    assert "goal 100 in 6 turns" in lines[-1]
    assert "no plan reaches more" in lines[-1]


def test_a_plan_as_json(walk: str) -> None:
    found = answer("plan", walk, "--seconds", "60", "--threads", "1")
    assert (found["bound"], found["ceiling"]) == (80, 100)
    assert found["plan"]["goal"] == 80
    assert found["plan"]["proof"] == "proved"
    assert found["plan"]["moves"] == [["right"]] * 4


def test_after_moves_with_less_and_with_boards(walk: str) -> None:
    result = woodstock("plan", walk, "--after", "stay", "--seconds", "60", "--boards")
    assert result.exit_code == 0, result.output
    assert "goal 30 in 3 turns" in result.stdout
    assert result.stdout.count("at") >= 4
    content = woodstock("plan", walk, "--goal", "30", "--members", "breadth", "--json")
    assert json.loads(content.stdout)["plan"]["goal"] >= 30


def test_no_plan_is_an_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "trap.kif"
    file.write_text(TRAP, encoding="utf-8")
    result = woodstock("plan", str(file), "--seconds", "60", "--members", "breadth")
    assert result.exit_code == 1
    assert "no plan" in result.stdout


def test_a_policy_against_chance(tmp_path: Path) -> None:
    file = tmp_path / "dice.kif"
    file.write_text(DICE, encoding="utf-8")
    result = woodstock("plan", str(file), "--seconds", "60")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "roll",
        "dice: expected goal 58.89 within 4 turns; no policy expects more.",
    ]
    found = answer("plan", str(file), "--horizon", "3")
    assert found["policy"]["exact"] == "100/3"
    assert not found["policy"]["proved"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["plan", "tic-tac-toe"], "share"),
        (["plan", "eight-puzzle", "--members", "nobody"], "breadth"),
        (["plan", "no-such-game"], "no-such-game"),
    ],
)
def test_mistakes_are_told(arguments: list[str], words: str) -> None:
    result = woodstock(*arguments)
    assert result.exit_code != 0
    assert words in result.output


STUCK = """
import sys
from woodstock import _core
from woodstock.cli import main
from woodstock.plan import portfolio

def stuck(task):
    search = _core.SpaceSearch(task.circuit.new_simulator(), task.start, task.role)
    while True:
        search.go_on(1000, 0.0001)

portfolio.MEMBERS["breadth"] = stuck
main(["plan", "hunter", "--members", "breadth", "--seconds", "0.1"])
"""


def test_a_member_that_does_not_end_does_not_keep_the_command_from_it() -> None:
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", STUCK], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, done.stderr
        assert "terminate" not in done.stderr
        assert "no plan was found" in done.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_a_child_ends_with_its_parent() -> None:
    asked = ["plan", "hunter", "--members", "parallel", "--seconds", "200"]
    with subprocess.Popen(
        [sys.executable, "-m", "woodstock", *asked],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as parent:
        until(lambda: bool(children_of(parent.pid)))
        (child,) = children_of(parent.pid)
        parent.kill()
    until(lambda: not Path(f"/proc/{child}").exists())


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text(encoding="ascii").split()]
