"""Workers of a Dask cluster: one on this machine, or any that a scheduler's address leads to.

Dask moves rounds and results about; what was played is kept by the driver, in the store. A worker
that dies takes its rounds with it: Dask gives them to another one, and after some deaths back.
"""

from __future__ import annotations

import asyncio
import importlib
import queue
import time
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.tournament.engines.contract import Finished, RoundEngine
from woodstock.tournament.playing import play_round
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["DaskEngine", "DaskError"]

WAIT_FOR_WORKERS = 60.0
ASK_AGAIN = 2.0
"""Seconds until the scheduler is asked again how many workers there are."""


class DaskError(WoodstockError):
    """Dask is not there, or nobody answers at the address."""


class DaskEngine(RoundEngine):
    """Rounds on the workers of a cluster; without an address, so many processes here.

    A worker should have one thread: players measure the CPU time of their process.
    """

    def __init__(self, address: str | None, jobs: int) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise DaskError("Dask is not there; pip install 'woodstock[dask]'") from None
        self._killed: type[Exception] = distributed.KilledWorker
        self._cluster: Any = None
        if address is None:
            self._cluster = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=None, processes=True
            )
        try:
            self._client: Any = distributed.Client(
                self._cluster if address is None else address, timeout=WAIT_FOR_WORKERS
            )
            self._client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS)
        except (OSError, TimeoutError, asyncio.TimeoutError, ValueError) as problem:
            self.close()
            raise DaskError(f"no Dask cluster answers at {address}: {problem}") from None
        self._threads, self._asked = 0, -ASK_AGAIN
        self._running: dict[str, tuple[Round, Any]] = {}
        self._done: queue.SimpleQueue[str] = queue.SimpleQueue()

    @property
    def slots(self) -> int:
        """Two for each thread of each worker: one is played, one is on its way."""
        if time.monotonic() >= self._asked + ASK_AGAIN:  # the scheduler is asked over the network
            self._asked = time.monotonic()
            self._threads = sum(self._client.nthreads().values())
        return 2 * self._threads

    def submit(self, round_: Round) -> None:
        """Hand a round to the scheduler."""
        future = self._client.submit(play_round, round_, key=round_.id, pure=False)
        self._running[round_.id] = round_, future
        future.add_done_callback(lambda one: self._done.put(one.key))

    def wait(self, seconds: float) -> list[Finished]:
        """What came back."""
        found: list[Finished] = []
        try:
            keys = [self._done.get(timeout=seconds)]
        except queue.Empty:
            return found
        while True:
            try:
                keys.append(self._done.get_nowait())
            except queue.Empty:
                break
        for key in keys:
            round_, future = self._running.pop(key)
            found.append(Finished(round_, self._result(future)))
            future.release()
        return found

    def _result(self, future: Any) -> RoundResult | None:
        if future.cancelled():
            return None
        try:
            result: RoundResult = future.result()
        except self._killed:
            return None
        except Exception as problem:  # whatever a worker far away has run into
            return RoundResult(problem=f"{type(problem).__name__}: {problem}")
        return result

    def close(self) -> None:
        """Leave the cluster; one of our own ends."""
        client = getattr(self, "_client", None)
        if client is not None:
            client.cancel([future for _, future in getattr(self, "_running", {}).values()])
            client.close()
        if self._cluster is not None:
            self._cluster.close()
