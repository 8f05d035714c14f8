"""The driver: asks the schedule for rounds, has them played, and keeps what comes of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from woodstock.tournament.description import Description
from woodstock.tournament.engines.contract import Finished, RoundEngine
from woodstock.tournament.facts import GameFacts, GameSource, facts_of
from woodstock.tournament.formats import Schedule, make_schedule
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.store import ResultStore

__all__ = ["Progress", "collect", "known_facts", "run_tournament"]

LOST = 4
"""How often a round may take down who plays it before it is left."""
WAIT_SECONDS = 1.0
MOST_WAITING = 1000
"""Rounds that may wait for a program at an address."""
FAR_AHEAD = 5000
"""Rounds in a row that were not played: a schedule without an end is not looked at any further."""


@dataclass
class Progress:
    """How far a run has come: rounds of the schedule, and what was played in this run."""

    schedule: Schedule
    found: int = 0
    played: int = 0
    matches: int = 0
    lost: int = 0
    problems: int = 0
    running: int = 0
    begun: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Matches a second in this run."""
        passed = time.monotonic() - self.begun
        return self.matches / passed if passed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how long it still takes; None where nobody can say."""
        total = self.schedule.expected
        if total is None or not self.played:
            return None
        left = max(0, total - self.found - self.played)
        return left * (time.monotonic() - self.begun) / self.played


def known_facts(store: ResultStore) -> Callable[[GameSource], GameFacts]:
    """What games are like, as the store has it; what it has not is found out and kept."""
    kept: dict[str, GameFacts] = {}

    def facts(source: GameSource) -> GameFacts:
        known = kept.get(source.key) or store.facts(source.key)
        if known is None:
            known = facts_of(source)
            store.keep_facts(source.key, known)
        kept[source.key] = known
        return known

    return facts


def run_tournament(
    description: Description,
    store: ResultStore,
    engine: RoundEngine,
    *,
    seconds: float | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    schedule: Schedule | None = None,
) -> Progress:
    """Play what the schedule wants and the store has not, until there is no more, or time is up.

    Rounds that are being played then are waited for. Whatever ends this process, the same call goes
    on where it was.
    """
    wanted = schedule or make_schedule(description, known_facts(store))
    progress = Progress(wanted)
    with store.running():
        queue = _Queue(wanted, store, progress)
        lost: Counter[str] = Counter()
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            while progress.running < max(1, engine.slots) and not _is_up(until):
                round_ = queue.pick()
                if round_ is None:
                    break
                engine.submit(round_)
                progress.running += 1
            if not progress.running:
                break
            finished = engine.wait(WAIT_SECONDS)
            progress.running -= len(finished)
            settled = [one for one in finished if one.result is not None]
            for one in finished:
                queue.release(one.round)
            for round_ in (one.round for one in finished if one.result is None):
                lost[round_.id] += 1
                progress.lost += 1
                if lost[round_.id] < LOST:
                    queue.again(round_)
                else:
                    words = f"who played it died, {LOST} times"
                    settled.append(Finished(round_, RoundResult(problem=words)))
            _settle(settled, store, wanted, progress)
            on_progress(progress)
    on_progress(progress)
    return progress


class _Queue:
    """Rounds to be played: what is in the store is told to the schedule instead.

    A program at an address plays one match at a time: its rounds wait for each other.
    """

    def __init__(self, schedule: Schedule, store: ResultStore, progress: Progress) -> None:
        self._schedule = schedule
        self._store = store
        self._progress = progress
        self._known = store.rounds()
        self._waiting: list[Round] = []
        self._busy: Counter[str] = Counter()

    def pick(self) -> Round | None:
        """A round that can begin now; None where there is none."""
        for place, round_ in enumerate(self._waiting):
            if self._is_free(round_):
                del self._waiting[place]
                return self._begin(round_)
        while len(self._waiting) < MOST_WAITING:
            found = self._schedule.next()
            if found is None:
                return None
            stored = self._store.round(found.id) if found.id in self._known else None
            if stored is not None:
                self._schedule.take(found, stored)
                self._progress.found += 1
            elif self._is_free(found):
                return self._begin(found)
            else:
                self._waiting.append(found)
        return None

    def again(self, round_: Round) -> None:
        """A round is to be played once more, before others."""
        self._waiting.insert(0, round_)

    def release(self, round_: Round) -> None:
        """A round is over, in one way or another."""
        self._busy.subtract(_addresses(round_))

    def _is_free(self, round_: Round) -> bool:
        return not any(self._busy[address] > 0 for address in _addresses(round_))

    def _begin(self, round_: Round) -> Round:
        self._busy.update(_addresses(round_))
        return round_


def _addresses(round_: Round) -> set[str]:
    return {one.text for one in round_.participants if one.kind == "address"}


def _is_up(until: float | None) -> bool:
    return until is not None and time.monotonic() >= until


def _settle(
    settled: list[Finished], store: ResultStore, wanted: Schedule, progress: Progress
) -> None:
    """Keep results first, and act on them then."""
    results = [(one.round, one.result) for one in settled if one.result is not None]
    if results:
        store.add(results)
    for round_, result in results:
        wanted.take(round_, result)
        progress.played += 1
        progress.matches += len(result.matches)
        progress.problems += bool(result.problem)


def collect(description: Description, store: ResultStore) -> Schedule:
    """The schedule with all that was played of it, and nothing else; nobody plays."""
    schedule = make_schedule(description, known_facts(store))
    known, problems = store.rounds(), store.problems()
    missed = 0
    while missed < FAR_AHEAD and (round_ := schedule.next()) is not None:
        result = store.round(round_.id) if round_.id in known else None
        if result is not None:
            schedule.take(round_, result)
            missed = 0
        elif round_.id in problems:
            schedule.take(round_, RoundResult(problem=problems[round_.id]))
        else:
            missed += 1
    return schedule
