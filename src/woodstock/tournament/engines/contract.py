"""The contract of engines that play rounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import NamedTuple

from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["Finished", "RoundEngine"]


class Finished(NamedTuple):
    """A round and what came of it; None where who played it is gone and took it along."""

    round: Round
    result: RoundResult | None


class RoundEngine(ABC):
    """Plays rounds, some at a time. Closing it ends whatever is still being played."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """How many rounds it can play at a time, as of now."""

    @abstractmethod
    def submit(self, round_: Round) -> None:
        """Begin a round; not more of them at a time than there are slots."""

    @abstractmethod
    def wait(self, seconds: float) -> list[Finished]:
        """Rounds that are over; at once if there are some, or else when one is, or time is up."""

    @abstractmethod
    def close(self) -> None:
        """End everything."""

    def __enter__(self) -> RoundEngine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
