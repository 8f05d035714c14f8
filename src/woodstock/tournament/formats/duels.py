"""Duels to so many wins, and what is made of them: knockouts and double elimination."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.description import GameEntry
from woodstock.tournament.facts import GameFacts
from woodstock.tournament.formats.stages import Contest
from woodstock.tournament.participants import Participant
from woodstock.tournament.reading import DescriptionError
from woodstock.tournament.report.blocks import Block, Heading, ReportTable
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

__all__ = ["Duel", "double_elimination", "knockout"]

PATIENCE = 4
"""A duel is over after so many times as many matches as wins are needed, drawn as they may be."""

DuelGames = Sequence[tuple[GameEntry, GameFacts]]
Steps = Generator[Sequence[Contest], None, list[str]]


class Duel(Contest):
    """Two participants, game after game with changing seats, until one has enough wins.

    Where draws keep both from that, the sum of goals decides, and then who was placed better.
    """

    def __init__(
        self,
        title: str,
        both: tuple[Participant, Participant],
        games: DuelGames,
        clock: MoveClock,
        wins: int,
        seed: int,
    ) -> None:
        super().__init__()
        if not games:
            raise DescriptionError("duels need a game for two who are against each other")
        self.title = title
        self._both = both
        self._games = games
        self._clock = clock
        self._needed = wins
        self._seed = seed
        self.wins = [0, 0]
        self._goals = [0.0, 0.0]

    @property
    def over(self) -> bool:
        """Whether it is decided."""
        return max(self.wins) >= self._needed or len(self._results) >= PATIENCE * self._needed

    @property
    def winner(self) -> str:
        """The one who goes on."""
        return self._both[self._better()].name

    @property
    def loser(self) -> str:
        """The one who does not."""
        return self._both[1 - self._better()].name

    def _better(self) -> int:
        first = (self.wins[0], self._goals[0])
        second = (self.wins[1], self._goals[1])
        return int(second > first)

    def next(self) -> Round | None:
        """One match at a time: the next may not be needed."""
        if self.over or len(self._order) > len(self._results):
            return None
        number = len(self._order)
        entry, _ = self._games[number % len(self._games)]
        swapped = (number + number // len(self._games)) % 2
        made = Round(
            game=entry.source,
            participants=self._both,
            seatings=((1, 0) if swapped else (0, 1),),
            clock=self._clock,
            opening=entry.opening or 0,
            number=number,
            seed=self._seed,
            stage=self.title,
        )
        self._order.append(made)
        return made

    def take(self, round_: Round, result: RoundResult) -> None:
        """Count a match."""
        super().take(round_, result)
        for match in result.matches:
            got = [0.0, 0.0]
            for who, seat in zip(round_.seatings[0], match.seats):
                got[who] = seat.goal / match.scale
            for who in (0, 1):
                self.wins[who] += got[who] > got[1 - who]
                self._goals[who] += got[who]

    def blocks(self) -> list[Block]:
        """Match by match."""
        rows = []
        for round_, result in self.counted():
            for match in result.matches:
                goals = {seat.participant: str(seat.goal) for seat in match.seats}
                rows.append((round_.game.name, *(goals[one.name] for one in self._both)))
        rows.append(("wins", str(self.wins[0]), str(self.wins[1])))
        head = ("game", *(one.name for one in self._both))
        title = self.title[:1].upper() + self.title[1:]
        return [Heading(title, 3), ReportTable(head, tuple(rows))]


def _pairs(names: Sequence[Participant]) -> list[tuple[Participant, Participant]]:
    """Best against last, second against last but one; of an odd number the best is left out."""
    left = list(names[len(names) % 2 :])
    return [(left[place], left[-1 - place]) for place in range(len(left) // 2)]


class _Hall:
    """Where duels are held: what they have in common."""

    def __init__(
        self, title: str, games: DuelGames, clock: MoveClock, seed: int, who: Sequence[Participant]
    ) -> None:
        self._title, self._games, self._clock, self._seed = title, games, clock, seed
        self._who = {one.name: one for one in who}

    def duel(self, words: str, one: str, other: str, wins: int) -> Duel:
        title = f"{self._title}, {words}: {one} against {other}"
        both = (self._who[one], self._who[other])
        return Duel(title, both, self._games, self._clock, wins, self._seed)

    def round(
        self, words: str, names: Sequence[str], wins: int
    ) -> Generator[Sequence[Contest], None, tuple[list[str], list[str]]]:
        """A round of duels: who goes on, and who does not, both best first."""
        free = list(names[: len(names) % 2])
        duels = [
            self.duel(words, one.name, other.name, wins)
            for one, other in _pairs([self._who[name] for name in names])
        ]
        yield duels
        order = {name: place for place, name in enumerate(names)}
        going = sorted([*free, *(duel.winner for duel in duels)], key=order.__getitem__)
        return going, sorted((duel.loser for duel in duels), key=order.__getitem__)


def knockout(
    title: str,
    participants: Sequence[Participant],
    games: DuelGames,
    clock: MoveClock,
    wins: int,
    seed: int,
) -> Steps:
    """Who loses a duel is out; those of the last round but one also play for the third place."""
    hall = _Hall(title, games, clock, seed, participants)
    left = [one.name for one in participants]
    places: list[str] = []
    while len(left) > 2:
        left, out = yield from hall.round(f"last {len(left)}", left, wins)
        if len(left) == 2 and len(out) == 2:
            third = hall.duel("third place", out[0], out[1], wins)
            final = hall.duel("final", left[0], left[1], wins)
            yield [third, final]
            return [final.winner, final.loser, third.winner, third.loser, *places]
        places = [*out, *places]
    final = hall.duel("final", left[0], left[1], wins)
    yield [final]
    return [final.winner, final.loser, *places]


def double_elimination(
    title: str,
    winners: Sequence[Participant],
    losers: Sequence[Participant],
    games: DuelGames,
    clock: MoveClock,
    wins: int,
    final_wins: int,
    seed: int,
) -> Steps:
    """Who loses in the winners' pool goes on in the losers' pool; who loses there is out.

    The last of the winners' pool meets the last of the losers' pool in the final.
    """
    hall = _Hall(title, games, clock, seed, [*winners, *losers])
    upper, lower = [one.name for one in winners], [one.name for one in losers]
    places: list[str] = []
    while len(upper) > 1:
        size = len(upper)
        upper, fallen = yield from hall.round(f"winners' pool, last {size}", upper, wins)
        while len(lower) > max(1, len(fallen)):
            lower, out = yield from hall.round(f"losers' pool, last {len(lower)}", lower, wins)
            places = [*out, *places]
        if lower:
            duels = [
                hall.duel("losers' pool, after the fall", one, other, wins)
                for one, other in zip(fallen, lower)
            ]
            yield duels
            places = [*(duel.loser for duel in duels), *places]
            lower = [duel.winner for duel in duels]
        else:
            lower = fallen
    while len(lower) > 1:
        lower, out = yield from hall.round(f"losers' pool, last {len(lower)}", lower, wins)
        places = [*out, *places]
    if not lower:
        return [*upper, *places]
    final = hall.duel("final", upper[0], lower[0], final_wins)
    yield [final]
    return [final.winner, final.loser, *places]
