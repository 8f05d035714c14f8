"""Whoever is killed, whenever: no finished match is lost, none is there twice, all comes out equal.

Tournaments run in processes of their own and are disturbed in the middle of some hundred short
matches; what they come to is compared with what an undisturbed one came to.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from effort import effort
from tournament_support import count, finish, query, start, truth, wait_until
from woodstock.tournament import ResultStore

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are found as Linux shows them"
)

RING = """
format = "ring"
participants = ["random", "legal", "uct"]
games = ["tic-tac-toe"]
seed = 7
[clock]
kind = "simulations"
move = 100
[ring]
matches = {}
stop = "never"
"""
MATCHES = effort(300, 510)


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    path = tmp_path / "ring.toml"
    path.write_text(RING.format(MATCHES // 3))
    return path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[tuple[object, ...]], str]:
    """What an undisturbed run comes to: all matches, and the report."""
    path = tmp_path_factory.mktemp("undisturbed") / "ring.toml"
    path.write_text(RING.format(MATCHES // 3))
    code, _, err = finish(start("run", path))
    assert code == 0, err
    store = path.with_suffix(".sqlite")
    assert count(store) == MATCHES
    return truth(store), report(path)


def report(path: Path) -> str:
    code, out, err = finish(start("report", path, "--json"))
    assert code == 0, err
    return out


def workers_of(store: Path) -> list[int]:
    """The processes that have played, the latest first."""
    rows = query(store, "SELECT place FROM matches GROUP BY place ORDER BY max(begun) DESC")
    return [int(place.rpartition("/")[2]) for (place,) in rows]


def test_a_driver_that_is_killed_goes_on(
    ring: Path, undisturbed: tuple[list[tuple[object, ...]], str]
) -> None:
    store = ring.with_suffix(".sqlite")
    for least in (40, 150):
        process = start("run", ring, "--jobs", "2")
        wait_until(partial(has, store, least))
        process.send_signal(signal.SIGKILL)
        finish(process)
        assert count(store) < MATCHES, "it was over before it was killed"
        wait_until(lambda: not any(map(is_alive, workers_of(store))))
    kept = truth(store)
    code, out, err = finish(start("run", ring, "--jobs", "2", "--json"))
    assert code == 0, err
    assert json.loads(out)["played"] == MATCHES - len(kept) // 2
    assert set(kept) <= set(truth(store))
    assert truth(store) == undisturbed[0]
    assert report(ring) == undisturbed[1]


def test_a_worker_that_is_killed_takes_no_match_along(
    ring: Path, undisturbed: tuple[list[tuple[object, ...]], str]
) -> None:
    store = ring.with_suffix(".sqlite")
    process = start("run", ring, "--jobs", "2", "--json")
    killed: set[int] = set()
    for least in (40, 150):
        wait_until(partial(has, store, least))
        victim = next(pid for pid in workers_of(store) if pid not in killed)
        os.kill(victim, signal.SIGKILL)
        killed.add(victim)
    code, out, err = finish(process)
    assert code == 0, err
    assert 1 <= json.loads(out)["lost"] <= 2  # one may have been killed between two rounds
    assert truth(store) == undisturbed[0]
    assert report(ring) == undisturbed[1]


def test_a_full_disk_ends_the_run_with_a_reason(
    ring: Path, undisturbed: tuple[list[tuple[object, ...]], str]
) -> None:
    store = ring.with_suffix(".sqlite")

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    code, _, err = finish(start("run", ring, preexec_fn=little_room))
    assert code == 1
    assert "make room" in err
    assert "Traceback" not in err
    assert 0 < count(store) < MATCHES
    kept = truth(store)
    code, _, err = finish(start("run", ring))
    assert code == 0, err
    assert set(kept) <= set(truth(store))
    assert truth(store) == undisturbed[0]
    assert report(ring) == undisturbed[1]


def test_two_runs_do_not_share_a_store(ring: Path) -> None:
    with ResultStore(ring.with_suffix(".sqlite")) as store, store.running():
        code, _, err = finish(start("run", ring))
    assert code == 1
    assert "in use by another run" in err


PLAYER = """
format = "ring"
games = ["tic-tac-toe"]
participants = ["legal"]
[[participant]]
name = "program"
command = "{python} -m woodstock serve --port {{port}} --player legal --no-cache"
[clock]
kind = "real"
start = 20
move = 20
[ring]
matches = 6
stop = "never"
"""


def test_a_player_that_is_killed_is_started_again(tmp_path: Path) -> None:
    results = []
    for name in ("calm", "disturbed"):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'name = "it"\n{PLAYER.format(python=sys.executable)}')
        store = path.with_suffix(".sqlite")
        process = start("run", path)
        if name == "disturbed":
            wait_until(partial(has, store, 2))
            victims = programs_below(process.pid)
            assert victims
            os.kill(victims[0], signal.SIGKILL)
        code, _, err = finish(process)
        assert code == 0, err
        assert count(store) == 6
        assert query(store, "SELECT sum(late + illegal + failed) FROM seats") == [(0,)]
        wait_until(partial(ended, process.pid))
        results.append((truth(store), report(path)))
    assert results[0] == results[1]


def has(store: Path, least: int) -> bool:
    return count(store) >= least


def ended(pid: int) -> bool:
    return not programs_below(pid)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(") ")[2][0] != "Z"


def programs_below(pid: int) -> list[int]:
    """Processes ``woodstock serve`` that a process, or one that it started, has started."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(") ")[2].split()
            lines[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
            parents[int(folder.name)] = int(stat[1])
        except (OSError, ValueError):
            continue

    def below(one: int) -> bool:
        while one and one != pid:
            one = parents.get(one, 0)
        return one == pid

    return [
        one
        for one, line in lines.items()
        if "woodstock serve" in line and "leash" not in line and below(one)
    ]
