"""No child outlives its parent, whatever kills it and whenever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from disturb import RING, processes

from effort import effort
from woodstock.lifeline import Child

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are found as Linux shows them"
)

LIMIT = 300.0
"""Seconds that only matter when something is wrong."""


def of_session(session: int) -> list[str]:
    """The command lines of all processes of a session."""
    return [words for _, found, words in processes() if found == session]


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < until, "nothing happens"
        time.sleep(0.02)


def kill_at(arguments: list[str], folder: Path, begun: Callable[[list[str]], bool]) -> None:
    """Run a command, kill it as soon as its session looks so, and see whether all are gone."""
    with subprocess.Popen(
        [sys.executable, "-m", "woodstock", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "WOODSTOCK_CACHE": "off"},
    ) as parent:
        try:
            wait_until(lambda: begun(of_session(parent.pid)) or parent.poll() is not None)
            assert parent.poll() is None, f"it has ended with {parent.returncode}"
            parent.kill()
            parent.wait(LIMIT)
            # A child that goes on would go on for minutes.
            until = time.monotonic() + 30
            while left := of_session(parent.pid):
                assert time.monotonic() < until, left
                time.sleep(0.02)
        finally:
            for pid, session, _ in processes():
                if session == parent.pid:
                    os.kill(pid, signal.SIGKILL)


def having(words: str, count: int = 1) -> Callable[[list[str]], bool]:
    """Whether so many processes have these words in their command lines."""
    return lambda found: sum(words in line for line in found) >= count


@pytest.mark.parametrize("delay", effort([0.0, 1.5], [0.0, 0.3, 1.0, 3.0]))
def test_grounding(tmp_path: Path, delay: float) -> None:
    child = having("woodstock.ground.child")
    seen: list[float] = []

    def late(found: list[str]) -> bool:
        if child(found):
            seen.append(time.monotonic())
        return bool(seen) and time.monotonic() - seen[0] >= delay

    # A sheet that takes a minute: without a parent it would go on till then.
    sheet = tmp_path / "large.kif"
    sheet.write_text(LARGE)
    kill_at(["ground", str(sheet), "--no-split", "--seconds", "600"], tmp_path, late)


LARGE = """
(role x) (init (at 1)) (legal x go) (goal x 100) (<= terminal (true (at 2)))
{numbers}
(<= (p ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (not (true (at ?a))))
(<= (next (at ?a)) (p ?a ?b ?c ?d))
""".format(numbers=" ".join(f"(n {i})" for i in range(1, 60)))


def test_planning(tmp_path: Path) -> None:
    arguments = ["plan", "eight-puzzle", "--seconds", "600", "--members", "clingo"]
    kill_at(arguments, tmp_path, having("woodstock.plan.asp_child"))


@pytest.mark.parametrize("moment", ["starting", "playing"])
def test_tournaments(tmp_path: Path, moment: str) -> None:
    (tmp_path / "ring.toml").write_text(RING)
    store = tmp_path / "ring.sqlite"

    def begun(found: list[str]) -> bool:
        workers = having("spawn_main", 2)(found)
        return workers and (moment == "starting" or (store.exists() and _matches(store) > 0))

    kill_at(["tournament", "run", "ring.toml", "--jobs", "2"], tmp_path, begun)


def _matches(store: Path) -> int:
    import sqlite3

    with sqlite3.connect(store) as db:
        try:
            return int(db.execute("SELECT count(*) FROM matches").fetchone()[0])
        except sqlite3.Error:
            return 0


@pytest.mark.parametrize("command", ["serve", "web"])
@pytest.mark.parametrize("moment", ["starting", "listening"])
def test_servers(tmp_path: Path, command: str, moment: str) -> None:
    more = ["--no-open", "--folder", "page"] if command == "web" else []
    count = 2 if moment == "starting" else 3
    kill_at([command, "--port", "0", *more], tmp_path, lambda found: len(found) >= count)


def test_other_programs(tmp_path: Path) -> None:
    program = (
        "import time; from woodstock.lifeline import Child\n"
        "child = Child('woodstock.lifeline', 'sleep', '600'); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as parent:
        wait_until(lambda: having("sleep 600")(of_session(parent.pid)))
        parent.kill()
        parent.wait(LIMIT)
        wait_until(lambda: not of_session(parent.pid))


def test_a_child_lives_as_long_as_its_parent_and_not_only_its_thread() -> None:
    import threading

    started: list[Child] = []

    def start() -> None:
        program = ("woodstock.lifeline", "cat")
        started.append(Child(*program, stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    with started[0] as child:
        out, _ = child.communicate(b"still here", timeout=LIMIT)
    assert (out, child.returncode) == (b"still here", 0)


def test_a_child_does_not_hear_the_terminal() -> None:
    program = "import time; time.sleep(1); print('done')"
    with Child(
        "woodstock.lifeline", sys.executable, "-c", program, stdout=subprocess.PIPE
    ) as child:
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=LIMIT)
    assert out == b"done\n"
