"""The championship: groups, two pools, and duels, as at the IGGPC of 2016.

The papers (RIA 2017, Section 6.1) say that two groups of five played puzzles and games for two on
the first day, that the weighted sum of goals put the two best of each group into the winners' pool
and the next two into the losers' pool, and that duels to three wins, in the final to four, followed
on the second day. Who met whom in a group is not told: here tables are made as in a Swiss
tournament. The duels are a double elimination, which agrees with those that are told.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from woodstock.tournament.formats.duels import double_elimination
from woodstock.tournament.formats.stages import Contest, StagedSchedule
from woodstock.tournament.formats.swiss import SwissContest, swiss_games
from woodstock.tournament.participants import Participant

__all__ = ["ChampionshipSchedule"]


class ChampionshipSchedule(StagedSchedule):
    """Groups are drawn by the seed; what is played in duels is named, or all games for two.

    Games without weight are for duels alone.
    """

    def _play(self) -> Iterator[Sequence[Contest]]:
        description = self.description
        options = description.championship
        present = [description.participant(name) for name in self.present()]
        random.Random(f"groups/{description.seed}").shuffle(present)
        everything = swiss_games(description, self.facts)
        games = [one for one in everything if one[0].weight > 0]
        clock = description.clocks[0]
        groups = [
            SwissContest(
                f"group {number + 1}",
                present[number :: options.groups],
                games,
                clock,
                description.seed,
            )
            for number in range(options.groups)
        ]
        yield groups
        winners, losers, others = self._pools(groups)
        named = options.duel_games or tuple(entry.source.name for entry, _, _ in everything)
        chosen = [
            (entry, facts)
            for name in named
            for entry, facts, _ in everything
            if entry.source.name == name and facts.seats == 2 and not facts.shared
        ]
        order = yield from double_elimination(
            "duels",
            winners,
            losers,
            chosen,
            description.clocks[-1],
            options.wins,
            options.final_wins,
            description.seed,
        )
        self.ranking = [*order, *others]

    def _pools(
        self, groups: Sequence[SwissContest]
    ) -> tuple[list[Participant], list[Participant], list[str]]:
        """Who goes on where: those of one place side by side, so that groups meet each other."""
        options = self.description.championship
        points = {name: one.points[name] for one in groups for name in one.points}
        placed: list[list[str]] = []
        for place in range(max(len(one.ranking) for one in groups)):
            row = [one.ranking[place] for one in groups if place < len(one.ranking)]
            placed.append(sorted(row, key=lambda name: -points[name]))
        first = [name for row in placed[: options.winners] for name in row]
        second = [
            name
            for row in placed[options.winners : options.winners + options.losers]
            for name in row
        ]
        rest = [name for row in placed[options.winners + options.losers :] for name in row]
        find = self.description.participant
        return [find(name) for name in first], [find(name) for name in second], rest
