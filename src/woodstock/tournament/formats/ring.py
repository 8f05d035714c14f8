"""The ring: pairs of players, game by game, in rounds of swapped seats."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.description import Description, GameEntry
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.formats.contract import Schedule
from woodstock.tournament.results import RoundResult, pair_score
from woodstock.tournament.rounds import Round, pair_seatings
from woodstock.tournament.verdicts import Verdict, verdict
from woodstock.tune import Summary

__all__ = ["Pairing", "RingSchedule"]


@dataclass
class Pairing:
    """Two participants in one game at one clock, and their rounds so far."""

    game: GameEntry
    first: str
    second: str
    clock: MoveClock
    matches: int
    sequential: bool
    results: dict[int, tuple[Round, RoundResult]] = field(default_factory=dict)
    problem: str = ""
    handed: int = 0
    _decided: tuple[int, Verdict] | None = None
    _scores: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.game.source.name}: {self.first} against {self.second}, {self.clock}"

    def take(self, round_: Round, result: RoundResult) -> None:
        """Note a round. What is decided does not depend on the order in which rounds end."""
        if result.problem:
            self.problem = result.problem
            return
        self.results[round_.number] = round_, result
        size = len(round_.seatings)
        while self._decided is None and len(self._scores) in self.results:
            self._scores.append(round_score(*self.results[len(self._scores)]))
            played = len(self._scores)
            if self.sequential:
                found = verdict(self._scores, size, self.matches)
            else:
                found = "limit" if played * size >= self.matches else None
            if found is not None:
                self._decided = played, found

    @property
    def verdict(self) -> Verdict | None:
        """Why no more rounds are needed, if that is so."""
        return None if self._decided is None else self._decided[1]

    @property
    def scores(self) -> list[float]:
        """The scores of the rounds that count: whole ones, up to the one that decided."""
        return list(self._scores)

    def counted(self) -> list[tuple[Round, RoundResult]]:
        """The rounds that count."""
        return [self.results[number] for number in range(len(self._scores))]

    def summary(self, size: int) -> Summary:
        """The first one's score."""
        return Summary.of(self._scores, size)


def round_score(round_: Round, result: RoundResult) -> float:
    """What a round is worth to the first of its two participants, between 0 and 1."""
    total = sum(
        pair_score(seating, match.goals, match.scale)
        for seating, match in zip(round_.seatings, result.matches)
    )
    return total / len(round_.seatings)


class RingSchedule(Schedule):
    """All pairs in all games at all clocks; those that are decided are left."""

    def __init__(self, description: Description, facts: Callable[[GameSource], GameFacts]) -> None:
        super().__init__(description, facts)
        options = description.ring
        names = [one.name for one in description.participants]
        pairs = options.pairs or tuple(itertools.combinations(names, 2))
        self.pairings = [
            Pairing(game, *pair, clock, game.matches or options.matches, options.stop == "sprt")
            for game in description.games
            for pair in pairs
            for clock in description.clocks
        ]
        self._by_id: dict[str, Pairing] = {}
        for pairing in self.pairings:
            for name in (pairing.first, pairing.second):
                if name in self.missing:
                    pairing.problem = self.missing[name]
        self._waiting = self._all()

    def next(self) -> Round | None:
        """The next round of a pair that is not decided."""
        return next(self._waiting, None)

    def _all(self) -> Iterator[Round]:
        for block in itertools.count(1):
            left = False
            for pairing in self.pairings:
                while pairing.handed < block * self.description.ring.block and not self._over(
                    pairing
                ):
                    yield self._round(pairing)
                left = left or not self._over(pairing)
            if not left:
                return

    def _over(self, pairing: Pairing) -> bool:
        if pairing.problem or pairing.verdict:
            return True
        size = len(pair_seatings(self.facts(pairing.game)))
        return pairing.handed * size >= pairing.matches

    def _round(self, pairing: Pairing) -> Round:
        both = (pairing.first, pairing.second)
        made = Round(
            game=pairing.game.source,
            participants=tuple(self.description.participant(name) for name in both),
            seatings=pair_seatings(self.facts(pairing.game)),
            clock=pairing.clock,
            opening=self.opening(pairing.game, pairing.clock),
            number=pairing.handed,
            seed=self.description.seed,
        )
        pairing.handed += 1
        self._by_id[made.id] = pairing
        return made

    def take(self, round_: Round, result: RoundResult) -> None:
        """Note a round with its pair."""
        self._by_id[round_.id].take(round_, result)

    def counted(self) -> Iterator[tuple[Round, RoundResult]]:
        """Pair by pair."""
        for pairing in self.pairings:
            yield from pairing.counted()

    def reasons(self) -> list[tuple[str, str]]:
        """Pairs that were not played to their end, and why."""
        own = [(str(one), one.problem) for one in self.pairings if one.problem]
        return [(text, reason) for text, reason in own] if own else super().reasons()

    @property
    def expected(self) -> int | None:
        """What is needed where no test stops a pair before."""
        total = 0
        for pairing in self.pairings:
            if pairing.verdict or pairing.problem:
                total += len(pairing.scores)
            else:
                size = len(pair_seatings(self.facts(pairing.game)))
                total += -(-pairing.matches // size)
        return total
