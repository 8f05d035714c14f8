"""Processes of this machine, each with its own cores where the platform allows that.

A process that dies takes its round with it and nothing else; another one takes its place.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from woodstock.lifeline import hold_line, sheltered
from woodstock.tournament.engines.contract import Finished, RoundEngine
from woodstock.tournament.playing import play_round
from woodstock.tournament.rounds import Round

__all__ = ["LocalEngine", "core_shares"]

_PATIENCE = 5.0


def core_shares(cores: list[int], jobs: int) -> list[set[int]]:
    """The cores of each of some processes; empty sets where there are not enough of them.

    >>> core_shares([0, 1, 2, 3, 4], 2), core_shares([0], 2)
    ([{0, 2, 4}, {1, 3}], [set(), set()])
    """
    if len(cores) < jobs:
        return [set() for _ in range(jobs)]
    return [set(cores[number::jobs]) for number in range(jobs)]


@dataclass
class _Slot:
    """A process and the round that it plays."""

    process: SpawnProcess
    pipe: Connection
    round: Round | None = None


class LocalEngine(RoundEngine):
    """So many processes of this machine, started when they are needed."""

    def __init__(self, jobs: int) -> None:
        self._context = get_context("spawn")
        self._cores = core_shares(_available_cores(), jobs)
        self._slots: list[_Slot | None] = [None] * jobs

    @property
    def slots(self) -> int:
        """One for each process."""
        return len(self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes that there are."""
        return [slot.process.pid for slot in self._slots if slot and slot.process.pid]

    def submit(self, round_: Round) -> None:
        """Hand a round to a process that has none."""
        for number, slot in enumerate(self._slots):
            if slot is None:
                slot = self._slots[number] = self._start(number)
            if slot.round is None:
                # Should it have died meanwhile, that is seen by who waits for the answer.
                with suppress(OSError):
                    slot.pipe.send(round_)
                slot.round = round_
                return
        raise RuntimeError("there is no slot free")

    def _start(self, number: int) -> _Slot:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(theirs, self._cores[number]), daemon=True
        )
        with sheltered():
            process.start()
        theirs.close()
        return _Slot(process, ours)

    def wait(self, seconds: float) -> list[Finished]:
        """What has been answered, and what died."""
        busy = {slot.pipe: number for number, slot in enumerate(self._slots) if slot and slot.round}
        found = []
        for pipe in wait(list(busy), seconds):
            number = busy[pipe]  # type: ignore[index]
            slot = self._slots[number]
            assert slot is not None
            round_ = slot.round
            assert round_ is not None
            try:
                found.append(Finished(round_, slot.pipe.recv()))
                slot.round = None
            except (EOFError, OSError):
                self._drop(slot)
                self._slots[number] = None
                found.append(Finished(round_, None))
        return found

    def _drop(self, slot: _Slot) -> None:
        slot.pipe.close()
        slot.process.terminate()
        slot.process.join(_PATIENCE)
        if slot.process.is_alive():
            slot.process.kill()
            slot.process.join()
        slot.process.close()

    def close(self) -> None:
        """End all processes; those that think get a moment to come to an end."""
        for slot in self._slots:
            if slot is not None:
                slot.process.terminate()
        for number, slot in enumerate(self._slots):
            if slot is not None:
                self._drop(slot)
                self._slots[number] = None


def _available_cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return []


def _leave(*_: object) -> None:
    """End, and the programs that we started with it; a second request must not break that off."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _serve(pipe: Connection, cores: set[int]) -> None:
    """A process: plays what it is given until nobody is there any more."""
    # Nobody would hear of a match that is played for somebody who is gone.
    hold_line()
    signal.signal(signal.SIGTERM, _leave)
    if cores and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, cores)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(play_round(pipe.recv()))
