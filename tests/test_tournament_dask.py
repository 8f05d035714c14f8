"""The same tournament on a Dask cluster: two workers of this machine, one of which is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tournament_support import truth
from woodstock.tournament import Description, Progress, ResultStore, make_engine, run_tournament
from woodstock.tournament.engines.dask import DaskEngine, DaskError
from woodstock.tournament.engines.local import LocalEngine

distributed = pytest.importorskip("distributed")

TEXT = """
format = "ring"
participants = ["random", "legal"]
games = ["tic-tac-toe", "nim"]
seed = 3
[clock]
kind = "simulations"
move = 1
[ring]
matches = 100
stop = "never"
"""


@pytest.fixture(scope="module")
def cluster() -> Any:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        yield cluster


def test_a_cluster_comes_to_what_processes_come_to(cluster: Any, tmp_path: Path) -> None:
    """Also when a worker is killed in the middle: Dask gives its rounds to the other one."""
    description = Description.parse(TEXT)
    here, there = tmp_path / "here.sqlite", tmp_path / "there.sqlite"
    with ResultStore(here) as store, LocalEngine(1) as engine:
        run_tournament(description, store, engine)
    victims = [worker.pid for worker in cluster.workers.values()][:1]

    def disturb(progress: Progress) -> None:
        if progress.matches > 40 and victims:
            os.kill(victims.pop(), signal.SIGKILL)

    with ResultStore(there) as store, DaskEngine(cluster.scheduler_address, 1) as engine:
        found = run_tournament(description, store, engine, on_progress=disturb)
        assert found.matches == 200
        assert store.counts() == (200, 0)
    assert not victims
    assert truth(here) == truth(there)


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.tournament.engines.dask.WAIT_FOR_WORKERS", 0.5)
    with pytest.raises(DaskError, match="no Dask cluster answers"):
        make_engine("dask=tcp://127.0.0.1:1", 1)
