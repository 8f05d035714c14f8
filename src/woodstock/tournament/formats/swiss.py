"""Swiss pairing with weights: who did equally well so far meet, and rarely the same twice.

As the Tiltyard Open had it (RIA 2017, Section 5.1; the pairing is that of Alex Landau's
ggp-tournament, which ran it): tables are made of those with similar points, first in the game that
is played, then in the tournament, and a hundred points are taken off for every time two have met.
A match is worth its goal times the weight of the game. Who is left over gets what the best of the
round got where players are against each other, and what all got on average elsewhere.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from woodstock.tournament.clocks import MoveClock
from woodstock.tournament.description import Description, GameEntry
from woodstock.tournament.facts import GameFacts
from woodstock.tournament.formats.duels import knockout
from woodstock.tournament.formats.stages import Contest, StagedSchedule
from woodstock.tournament.participants import Participant
from woodstock.tournament.report.blocks import Block, Heading, ReportTable
from woodstock.tournament.rounds import Round

__all__ = ["SwissContest", "SwissSchedule", "swiss_tables"]

MEETING = 100.0
"""Points that are taken off for every time two have met."""


def swiss_tables(
    names: Sequence[str],
    size: int,
    here: Counter[str] | dict[str, float],
    total: Counter[str] | dict[str, float],
    met_here: Counter[frozenset[str]],
    met: Counter[frozenset[str]],
) -> list[list[str]]:
    """Tables of `size`, from the points and meetings in this game and in all; `names` by seed.

    >>> points = {"a": 200.0, "b": 100.0, "c": 100.0, "d": 0.0}
    >>> swiss_tables("abcd", 2, {}, points, Counter(), Counter())
    [['a', 'b'], ['c', 'd']]
    >>> swiss_tables("abcd", 2, {}, points, Counter(), Counter([frozenset("ab")]))
    [['a', 'c'], ['b', 'd']]
    """
    left = list(names)
    tables = []

    def worth(name: str, table: Sequence[str]) -> tuple[float, float, int]:
        share = MEETING / max(1, len(table))
        pairs = [frozenset((name, other)) for other in table]
        return (
            -(here.get(name, 0.0) - share * sum(met_here[pair] for pair in pairs)),
            -(total.get(name, 0.0) - share * sum(met[pair] for pair in pairs)),
            names.index(name),
        )

    while len(left) >= size:
        table: list[str] = []
        while len(table) < size:
            best = min(left, key=lambda name: worth(name, table))
            table.append(best)
            left.remove(best)
        tables.append(table)
    return tables


class SwissContest(Contest):
    """Games one after the other, each for some rounds of tables, among some participants."""

    def __init__(
        self,
        title: str,
        participants: Sequence[Participant],
        games: Sequence[tuple[GameEntry, GameFacts, int]],
        clock: MoveClock,
        seed: int,
    ) -> None:
        super().__init__()
        self.title = title
        self._who = {one.name: one for one in participants}
        self._games = games
        self._clock = clock
        self._seed = seed
        self.points: dict[str, float] = {one.name: 0.0 for one in participants}
        """What everybody has by now."""
        self.by_game: dict[tuple[str, str], float] = {}
        """The same by participant and game."""
        self._met: Counter[frozenset[str]] = Counter()
        self._steps = [
            (entry, facts, number) for entry, facts, matches in games for number in range(matches)
        ]
        self._step = -1
        self._waiting: list[Round] = []
        self._tables: list[Round] = []
        self._met_here: Counter[frozenset[str]] = Counter()
        self._sat: Counter[tuple[str, str, int]] = Counter()

    @property
    def over(self) -> bool:
        """Whether all tables of all games are done."""
        return self._step >= len(self._steps)

    @property
    def ranking(self) -> list[str]:
        """Who leads, by points; those who were named first before others with as many."""
        order = list(self._who)
        return sorted(order, key=lambda name: (-self.points[name], order.index(name)))

    def next(self) -> Round | None:
        """A table of the round that is played; the next round waits for all of them."""
        while not self._waiting:
            if self.over or not all(one.id in self._results for one in self._tables):
                return None
            if self._step >= 0:
                self._count()
            self._step += 1
            if self.over:
                return None
            self._tables = list(self._pair())
            self._waiting = list(self._tables)
            self._order.extend(self._tables)
        return self._waiting.pop(0)

    def _pair(self) -> Iterator[Round]:
        entry, facts, number = self._steps[self._step]
        game = entry.source.name
        if number == 0:
            self._met_here.clear()
        if facts.shared:
            tables = [[name] for name in self._who]
        else:
            here = {name: self.by_game.get((name, game), 0.0) for name in self._who}
            size = min(facts.seats, len(self._who))
            tables = swiss_tables(
                list(self._who), size, here, self.points, self._met_here, self._met
            )
        for table in tables:
            seated = self._seat(game, table)
            yield Round(
                game=entry.source,
                participants=tuple(self._who[name] for name in seated),
                seatings=(tuple(seat % len(seated) for seat in range(facts.seats)),),
                clock=self._clock,
                opening=entry.opening or 0,
                number=number,
                seed=self._seed,
                stage=self.title,
            )

    def _seat(self, game: str, table: Sequence[str]) -> list[str]:
        """The order in which nobody sits where it has sat more often than others."""

        def worn(order: Iterable[str]) -> int:
            return sum(self._sat[name, game, seat] ** 2 for seat, name in enumerate(order))

        return list(min(itertools.permutations(table), key=worn))

    def _count(self) -> None:
        """Count a round of tables when all of them are done."""
        entry, _, _ = self._steps[self._step]
        game = entry.source.name
        got: dict[str, float] = {}
        fixed = True
        for table in self._tables:
            names = [one.name for one in table.participants]
            for seat, name in enumerate(names):
                self._sat[name, game, seat] += 1
            for pair in itertools.combinations(names, 2):
                self._met[frozenset(pair)] += 1
                self._met_here[frozenset(pair)] += 1
            for match in self._results[table.id].matches:
                fixed = fixed and sum(match.goals) == match.scale
                sat = Counter(one.participant for one in match.seats)
                for one in match.seats:
                    worth = 100 * one.goal / match.scale * entry.weight
                    name = one.participant
                    got[name] = got.get(name, 0.0) + worth / sat[name]
        seated = {one.name for table in self._tables for one in table.participants}
        values = list(got.values())
        bye = 0.0
        if values:
            bye = max(values) if fixed else sum(values) / len(values)
        for name in self._who:
            worth = got.get(name, 0.0) if name in seated else bye
            self.points[name] += worth
            self.by_game[name, game] = self.by_game.get((name, game), 0.0) + worth

    def blocks(self) -> list[Block]:
        """Points by game."""
        games = [entry.source.name for entry, _, _ in self._games]
        weights = [
            f"{name} (× {entry.weight:g})" for name, (entry, _, _) in zip(games, self._games)
        ]
        rows = [
            (
                str(place),
                name,
                f"{self.points[name]:.3f}".rstrip("0").rstrip("."),
                *(f"{self.by_game.get((name, game), 0.0):g}" for game in games),
            )
            for place, name in enumerate(self.ranking, 1)
        ]
        head = ("", "participant", "points", *weights)
        return [Heading(self.title.capitalize(), 3), ReportTable(head, tuple(rows), words=2)]


class SwissSchedule(StagedSchedule):
    """A qualification by Swiss pairing, and duels of the best of it if a final is wanted."""

    def _play(self) -> Iterator[Sequence[Contest]]:
        description = self.description
        present = [description.participant(name) for name in self.present()]
        clock = description.clocks[0]
        contest = SwissContest(
            "qualification",
            present,
            swiss_games(description, self.facts),
            clock,
            description.seed,
        )
        yield [contest]
        self.ranking = contest.ranking
        if description.swiss.final > 1:
            best = contest.ranking[: description.swiss.final]
            games = [(entry, self.facts(entry)) for entry in description.games]
            order = yield from knockout(
                "knockout",
                [description.participant(name) for name in best],
                [(entry, facts) for entry, facts in games if facts.seats == 2 and not facts.shared],
                description.clocks[-1],
                description.swiss.wins,
                description.seed,
            )
            self.ranking = [*order, *(name for name in self.ranking if name not in order)]


def swiss_games(
    description: Description, facts: Callable[[GameEntry], GameFacts]
) -> list[tuple[GameEntry, GameFacts, int]]:
    """The games of a description with how often each is played."""
    return [(entry, facts(entry), entry.matches or 1) for entry in description.games]
