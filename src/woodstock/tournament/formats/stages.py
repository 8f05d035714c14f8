"""Tournaments in stages: contests side by side, and what follows when all of them are over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from woodstock.tournament.description import Description
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.formats.contract import Schedule
from woodstock.tournament.report.blocks import Block, Heading, ReportTable
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["Contest", "StagedSchedule"]


class Contest(ABC):
    """A part of a tournament that has its own rounds and comes to an end."""

    title: str

    def __init__(self) -> None:
        self._order: list[Round] = []
        self._results: dict[str, RoundResult] = {}

    @abstractmethod
    def next(self) -> Round | None:
        """The next round, once; None where nothing can begin before more results are there."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it has come to its end."""

    @abstractmethod
    def blocks(self) -> list[Block]:
        """What came of it, for reports."""

    def take(self, round_: Round, result: RoundResult) -> None:
        """What came of a round."""
        self._results[round_.id] = result

    def counted(self) -> Iterator[tuple[Round, RoundResult]]:
        """The rounds that were played, in order."""
        for round_ in self._order:
            result = self._results.get(round_.id)
            if result is not None and not result.problem:
                yield round_, result

    def problems(self) -> list[tuple[str, str]]:
        """Rounds that could not be played, and why."""
        return [(key, one.problem) for key, one in self._results.items() if one.problem]


class StagedSchedule(Schedule):
    """Runs the contests of a script: those of a step side by side, the steps one by one."""

    def __init__(self, description: Description, facts: Callable[[GameSource], GameFacts]) -> None:
        super().__init__(description, facts)
        self.contests: list[Contest] = []
        """All that have begun, in order."""
        self.ranking: list[str] = []
        """The final order, best first, once there is one."""
        self._by_id: dict[str, Contest] = {}
        self._script = self._play()
        self._current: Sequence[Contest] = ()

    @abstractmethod
    def _play(self) -> Iterator[Sequence[Contest]]:
        """The steps; each is asked for when the one before is over."""

    def next(self) -> Round | None:
        """A round of a contest that goes on."""
        while True:
            for contest in self._current:
                found = contest.next()
                if found is not None:
                    self._by_id[found.id] = contest
                    return found
            if not all(contest.over for contest in self._current):
                return None
            following = next(self._script, None)
            if following is None:
                self._current = ()
                return None
            self._current = following
            self.contests.extend(following)

    def take(self, round_: Round, result: RoundResult) -> None:
        """Tell the contest."""
        self._by_id[round_.id].take(round_, result)

    def counted(self) -> Iterator[tuple[Round, RoundResult]]:
        """Contest by contest."""
        for contest in self.contests:
            yield from contest.counted()

    def reasons(self) -> list[tuple[str, str]]:
        """Rounds that could not be played, too."""
        return [*super().reasons(), *(one for c in self.contests for one in c.problems())]

    @property
    def expected(self) -> int | None:
        """Nobody can say before it is over."""
        return None

    def blocks(self) -> list[Block]:
        """The final order first, where there is one, and then what came of each contest."""
        rows = tuple((str(place), name) for place, name in enumerate(self.ranking, 1))
        order: list[Block] = []
        if rows:
            order = [Heading("Final order", 3), ReportTable(("", "participant"), rows, words=2)]
        return [*order, *(block for contest in self.contests for block in contest.blocks())]
