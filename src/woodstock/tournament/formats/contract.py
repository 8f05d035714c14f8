"""The contract of formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.description import Description, GameEntry
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.report.blocks import Block
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["ListedSchedule", "Schedule"]


class Schedule(ABC):
    """The rounds of a tournament, in the order in which they are to be begun.

    Whoever plays asks for the `next` round as long as there are hands free, and tells with `take`
    what came of each, in any order.
    """

    def __init__(self, description: Description, facts: Callable[[GameSource], GameFacts]) -> None:
        self.description = description
        self._facts = facts
        self.missing = {
            one.name: reason
            for one in description.participants
            if (reason := one.missing) is not None
        }
        """Who cannot take part, and why; the others play without them."""

    @abstractmethod
    def next(self) -> Round | None:
        """The next round, once; None where nothing can begin before more results are there."""

    @abstractmethod
    def take(self, round_: Round, result: RoundResult) -> None:
        """What came of a round that was handed out; a problem is a result without matches."""

    @abstractmethod
    def counted(self) -> Iterator[tuple[Round, RoundResult]]:
        """The rounds that count, in the order of the schedule."""

    @property
    @abstractmethod
    def expected(self) -> int | None:
        """How many rounds there are at most; None where nobody can say yet."""

    def reasons(self) -> list[tuple[str, str]]:
        """What is missing from the tournament, and why."""
        return list(self.missing.items())

    def blocks(self) -> list[Block]:
        """What only this format has to tell, for reports."""
        return []

    def present(self) -> list[str]:
        """The names of those who take part."""
        names = (one.name for one in self.description.participants)
        return [name for name in names if name not in self.missing]

    def facts(self, game: GameEntry) -> GameFacts:
        """What a game is like."""
        return self._facts(game.source)

    def opening(self, game: GameEntry, clock: MoveClock) -> int:
        """Random moves to begin with; by the clock of a competition there are none."""
        if clock.kind == "real":
            return 0
        return self.facts(game).opening if game.opening is None else game.opening


class ListedSchedule(Schedule):
    """A schedule in which no round depends on what came of another: a list, made as it goes on."""

    def __init__(self, description: Description, facts: Callable[[GameSource], GameFacts]) -> None:
        super().__init__(description, facts)
        self._waiting = self._all()
        self._order: list[Round] = []
        self._results: dict[str, RoundResult] = {}
        self._problems: dict[str, str] = {}
        self._total: int | None = None

    @abstractmethod
    def _all(self) -> Iterator[Round]:
        """All rounds in their order."""

    def next(self) -> Round | None:
        """The next of the list."""
        found = next(self._waiting, None)
        if found is not None:
            self._order.append(found)
        return found

    def take(self, round_: Round, result: RoundResult) -> None:
        """Note it."""
        if result.problem:
            self._problems[round_.id] = result.problem
        else:
            self._results[round_.id] = result

    def counted(self) -> Iterator[tuple[Round, RoundResult]]:
        """All that were played."""
        for round_ in self._order:
            if round_.id in self._results:
                yield round_, self._results[round_.id]

    def reasons(self) -> list[tuple[str, str]]:
        """Rounds that could not be played, too."""
        return [*super().reasons(), *self._problems.items()]

    @property
    def expected(self) -> int | None:
        """The length of the list."""
        if self._total is None:
            self._total = sum(1 for _ in self._all())
        return self._total
