"""``woodstock serve`` and ``woodstock host``: processes that talk to each other."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli_support import answer, woodstock
from games_support import load
from woodstock.cli import log, progress
from woodstock.match import read_trace, replay

QUICK = ("--start-clock", "60", "--play-clock", "60")


class Served:
    """A player in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "woodstock", "serve", "--memory", "16", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        found = re.search(r"listens on 127\.0\.0\.1:(\d+)\.", first)
        assert found, first
        self.port = int(found[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    player = Served("--port", "0", *arguments)
    try:
        yield player
    finally:
        player.kill()


def test_a_match_over_the_network(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    with served("--player", "uct") as player:
        found = woodstock(
            *("host", "tic-tac-toe", "--player", f"x=localhost:{player.port}"),
            *("--player", "o=random", "--seed", "2", "--record", file, *QUICK),
        )
    assert found.exit_code == 0, found.stderr
    assert "mark" in found.stdout
    assert re.search(r"^ +1\. x \(mark \d \d\) \d\.\d s", found.stdout, re.MULTILINE)
    record = json.loads(file.read_text())
    assert record["isCompleted"]
    assert not any(map(any, record["errors"]))
    assert record["goalValues"][0] >= 50
    replay(load("tic-tac-toe"), read_trace(file))


def test_clocks_and_dialects_of_their_own() -> None:
    with served("--player", "legal") as player:
        found = answer(
            *("host", "tic-tac-toe", "--player", f"x=:{player.port}/gdl2-old"),
            *("--player", "o=legal", *QUICK, "--play-clock", "o=50", "--games", "2", "--swap"),
        )
    assert (found["play_clock"], found["clocks"]) == (60.0, {"o": [60.0, 50.0]})
    for one in found["matches"]:
        assert not any(map(any, one["mistakes"].values())), one


def test_local_players_have_their_own_luck() -> None:
    both = ("--player", "j1=random", "--player", "j2=random")
    found = answer("host", "matching-pennies", *both, *QUICK, "--games", "8", "--seed", "1")
    goals = {tuple(one["goals"].values()) for one in found["matches"]}
    assert len(goals) == 2


def test_a_log_that_nobody_reads_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: object, **options: object) -> None:
        raise SystemExit(1)  # what Rich makes of a broken pipe

    monkeypatch.setattr(progress.errors, "print", gone)
    with log.player_log(True):
        logging.getLogger("woodstock.player").info("hello")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--player", "x=uct"), "nobody plays o"),
        (("--player", "x=uct", "--player", "x=uct"), "x has two players"),
        (("--player", "z=uct"), "no player 'z'"),
        (("--player", "uct"), "names no player"),
        (("--player", "x=utc", "--player", "o=uct"), "did you mean uct?"),
        (("--player", "x=localhost:1/gdl3", "--player", "o=uct"), "'gdl3' is no dialect"),
        (("--play-clock", "soon"), "'soon' is no time"),
        (("--play-clock", "0"), "0.01 seconds at least"),
        (("--start-clock", "nan"), "'nan' is no time"),
        (("--start-clock", "z=3"), "no player 'z'"),
        (("--swap",), "--swap goes with --games"),
    ],
)
def test_what_is_wrong_is_told_before_anybody_is_asked(
    arguments: tuple[str, ...], said: str
) -> None:
    both = () if "--player" in arguments else ("--player", "x=legal", "--player", "o=legal")
    found = woodstock("host", "tic-tac-toe", *both, *arguments)
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())


def test_a_player_that_nobody_reaches_is_told(tmp_path: Path) -> None:
    """Moves are drawn for it, and may even win: the code and a line say that it counts nothing."""
    dead = ("--player", "x=127.0.0.1:1", "--player", "o=legal", *QUICK, "--no-watch")
    found = woodstock("host", "tic-tac-toe", *dead, "--record", tmp_path / "match.json")
    assert found.exit_code == 1
    said = " ".join(found.stderr.split())
    assert "woodstock: 127.0.0.1:1 (x) never answered; moves were drawn for it" in said
    assert json.loads((tmp_path / "match.json").read_text())["isCompleted"]
    many = woodstock("host", "tic-tac-toe", *dead, "--games", "2")
    assert many.exit_code == 1
    assert "never answered in 2 of 2 matches" in " ".join(many.stderr.split())
    assert answer("host", "tic-tac-toe", *dead, code=1)["isCompleted"]


def test_a_port_that_is_taken_and_a_name_that_is_none() -> None:
    with served("--player", "legal") as player:
        taken = woodstock("serve", "--port", str(player.port))
    assert taken.exit_code == 2
    assert "cannot listen" in taken.stderr
    assert woodstock("serve", "--name", "two words").exit_code == 2


def _turns(file: Path) -> int:
    return len(json.loads(file.read_text())["moves"]) if file.exists() else 0


def test_a_player_is_killed_and_comes_back_and_so_is_the_manager(tmp_path: Path) -> None:
    file, logs = tmp_path / "match.json", tmp_path / "logs"
    player = Served("--port", "0", "--player", "legal", "--log-dir", str(logs))
    # The other side takes its time, and the game many turns, so that there is time to kill.
    other = Served("--port", "0", "--player", "uct")
    manager = subprocess.Popen(
        [
            *(sys.executable, "-m", "woodstock", "host", "reversi", "--no-watch"),
            *("--player", f"black=:{player.port}", "--player", f"white=:{other.port}"),
            *("--start-clock", "60", "--start-clock", "white=1"),
            *("--play-clock", "60", "--play-clock", "white=0.5", "--record", str(file)),
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        _until(lambda: _turns(file) >= 2)
        player.kill()
        player = Served("--port", str(player.port), "--player", "legal", "--log-dir", str(logs))
        here = _turns(file)
        _until(lambda: _turns(file) >= here + 6)
    finally:
        manager.kill()
        manager.wait(60)
        player.kill()
        other.kill()
    record = json.loads(file.read_text())
    assert not record["isCompleted"]
    errors = [joint[record["woodstock"]["roles"].index("black")] for joint in record["errors"]]
    # It has missed its own moves of some turns, which nobody tells again, and may repeat them.
    assert "CE" in errors
    assert all(error == "" or error.startswith("IL ") for error in errors[-3:]), errors
    replay(load("reversi"), read_trace(file))


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not true():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.05)
