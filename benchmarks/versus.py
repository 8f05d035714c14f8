"""Two installations against each other, game by game: what a change of the project has brought.

``python benchmarks/versus.py --old OLD/.venv/bin/python --cpu 0.02 --start 20 --max-matches 60
--sheets FOLDER --out versus.jsonl``

The new side is `--new`, by default the interpreter that runs this; the score is the new one's. The
same interpreter on both sides with two `--players` compares players. Both sides spend the start
clock (CPU seconds) once for each game; what came of it is kept in the folder OUT.prepared, for
later runs with other times for a move. Matches are those of `woodstock tournament`: equal CPU time
for every move, two random opening plies where there is no chance, every distribution of the
seats; with three players and more, the new one sits alone against old ones and the other way
round. A game ends before ``--max-matches`` only when a sequential test *and* the interval are
clear.

Each result is a line of the file; who starts the same command again goes on where it was broken
off. Progress goes to standard error, the table as Markdown to standard output. The exit code is 1
when a game could not be played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from result_lines import Record, ResultLines
from rich.console import Console
from side_match import Match, default_opening, load, seatings
from sides import Setting, Sides, goal_shares

from woodstock.tournament.verdicts import Verdict, verdict
from woodstock.tune import Summary

LIBRARY = (
    # Where a net is expected to help: races, captures, discs, sowing, lines, men.
    "breakthrough", "knight-through", "reversi", "connect-four", "oware", "skirmish", "chess",
    "pentago",
    # Where it may not: draws, connections, traits, graded goals.
    "checkers", "hex", "quarto", "free-for-all-2p",
    # Dice: a race with contact, two that ask when to stop, one of categories.
    "backgammon", "cant-stop", "kaseklau", "yahtzee",
    # Three players; two who move at once; four who move at once.
    "chinese-checkers", "connect-four-simultaneous", "battlebrushes",
)  # fmt: skip
"""Games of the library, of every kind that is played with open cards."""

SHEETS = (
    "madBishops",  # captures by long moves
    "pawnWhopping",  # a race of pawns
    "merrills",  # placing, then moving; mills; draws
    "connectFourSuicide_7x7",  # lines to avoid
    "connect5",  # lines on a board without gravity
    "atariGo_7x7",  # groups and liberties, by recursion
    "othelloHoles",  # discs on a board with holes
    "checkersBarrelNoKings",  # draughts on a cylinder, graded goals
)
"""Public rulesheets of games that the library does not have, each of another kind."""


@dataclass
class Cell:
    """A game between both sides. A close one is played to its last match.

    All matches are played if it is to go `to_the_end`.
    """

    game: str
    first: str
    second: str
    cpu: float
    opening: int
    seatings: int
    max_matches: int
    to_the_end: bool = False
    scores: dict[tuple[int, int], float] = field(default_factory=dict)
    problem: str | None = None

    @property
    def key(self) -> tuple[str, str, str, float, int]:
        """What its matches have in common, and no others have."""
        return self.game, self.first, self.second, self.cpu, self.opening

    def matches(self) -> Iterator[Match]:
        """All matches that may be played, in their order."""
        for number in range(-(-self.max_matches // self.seatings)):
            for seating in range(self.seatings):
                yield Match(*self.key, number, seating)

    def rounds(self) -> list[float]:
        """The scores of the rounds that are complete, up to the first that is not."""
        found: list[float] = []
        while True:
            round_ = [(len(found), seating) for seating in range(self.seatings)]
            if not all(match in self.scores for match in round_):
                return found
            found.append(sum(self.scores[match] for match in round_) / self.seatings)

    def verdict(self) -> Verdict | None:
        """Why no more matches are needed, if that is so."""
        rounds = self.rounds()
        if self.to_the_end:
            return "limit" if len(rounds) * self.seatings >= self.max_matches else None
        found = verdict(rounds, self.seatings, self.max_matches)
        if found in (None, "limit"):
            return found
        return found if is_clear(rounds, self.seatings) else None

    def take(self, record: Record) -> None:
        """Note the result of one of its matches."""
        self.scores[record["round"], record["seating"]] = record["score"]

    def run(self, store: ResultLines, play: Callable[[Match], Record]) -> None:
        """Play what the store has not until there is a verdict, or something goes wrong."""
        for match in self.matches():
            known = store.records.get(match.id)
            if known is not None:
                self.take(known)
        for match in self.matches():
            if self.verdict():
                return
            if (match.round, match.seating) in self.scores:
                continue
            try:
                record = play(match)
            except Exception as problem:
                self.problem = f"{type(problem).__name__}: {problem}"
                return
            store.add(record)
            self.take(record)


def is_clear(rounds: Sequence[float], size: int) -> bool:
    """Whether one half is outside of the interval.

    >>> is_clear([1.0] * 10, 2), is_clear([1.0, 0.0] * 5, 2)
    (True, False)
    """
    found = Summary.of(rounds, size)
    return abs(found.mean - 0.5) > found.margin


@dataclass
class Contest:
    """The cells of all games, and where their results are kept."""

    games: Sequence[str]
    new: Setting
    old: Setting
    cpu: float
    max_matches: int
    out: Path
    opening: int | None = None
    to_the_end: bool = False
    tell: Callable[[str], None] = print
    cells: list[Cell] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)

    def run(self, jobs: int) -> None:
        """Play all games, some at a time, each with two processes of its own."""
        with ThreadPoolExecutor(jobs) as pool:
            for cell in pool.map(self._play, self.games):
                if cell is not None:
                    self.cells.append(cell)

    def _play(self, game: str) -> Cell | None:
        try:
            cell = self._cell(game)
        except Exception as problem:
            self.problems[game] = f"{type(problem).__name__}: {problem}"
            self.tell(f"{game}: {self.problems[game]}")
            return None
        sides = Sides(game, (self.new, self.old), self.out.with_suffix(".prepared"))
        store = ResultLines(self.out)

        def play(match: Match) -> Record:
            first = not sides.found
            record = sides.play(match)
            if first:
                for setting, found in zip((self.new, self.old), sides.found):
                    told = [*(found["trials"] or ()), found["learned"], found["style"]]
                    words = "; ".join(filter(None, told))
                    self.tell(f"{game}, {setting.name}: prepared for {found['cpu']:.1f} s: {words}")
            record["styles"] = [found["style"] for found in sides.found]
            if match.seating == 0 and match.round:
                scored = Summary.of(cell.rounds(), cell.seatings)
                shown = f"{100 * scored.mean:.1f} ± {100 * scored.margin:.1f} %"
                self.tell(f"{game}: {shown} in {scored.rounds * cell.seatings} matches so far")
            return record

        try:
            cell.run(store, play)
        finally:
            sides.close()
        if cell.problem:
            self.problems[game] = cell.problem
            self.tell(f"{game}: {cell.problem}")
        return cell

    def _cell(self, game: str) -> Cell:
        rules = load(game)
        plies = default_opening(rules) if self.opening is None else self.opening
        size = len(seatings(rules))
        who = (self.new.label, self.old.label)
        return Cell(game, *who, self.cpu, plies, size, self.max_matches, self.to_the_end)


def table(cells: Sequence[Cell], records: Sequence[Record]) -> Iterator[str]:
    """The lines of a table: a row for each game, the mean of all of them."""
    yield "| game | score | matches | goals | simulations a move | chosen |"
    yield "|---|--:|--:|--:|--:|---|"
    for cell in cells:
        own = [one for one in records if _key(one) == cell.key]
        found = Summary.of(cell.rounds(), cell.seatings)
        if not found.rounds:
            yield f"| {Path(cell.game).stem} | none: {cell.problem} | | | | |"
            continue
        goals = goal_shares(own)
        yield (
            f"| {Path(cell.game).stem} | {100 * found.mean:.1f} ± {100 * found.margin:.1f} "
            f"| {found.rounds * cell.seatings} | {goals[0]:.1f} : {goals[1]:.1f} "
            f"| {_simulations(own, 0)} : {_simulations(own, 1)} | {_chosen(own)} |"
        )
    scores = [Summary.of(cell.rounds(), cell.seatings) for cell in cells if cell.rounds()]
    if scores:
        mean = sum(one.mean for one in scores) / len(scores)
        margin = sum(one.margin**2 for one in scores) ** 0.5 / len(scores)
        count = sum(len(cell.rounds()) * cell.seatings for cell in cells)
        shown = f"**{100 * mean:.1f}** ± {100 * margin:.1f}"
        yield f"| mean of {len(scores)} | {shown} | {count} | | | |"


def _key(record: Record) -> tuple[str, str, str, float, int]:
    return (
        record["game"],
        record["first"],
        record["second"],
        record["cpu"],
        record["opening"],
    )


def _simulations(records: Sequence[Record], side: int) -> str:
    moves = sum(one["thoughts"][side] for one in records)
    return f"{sum(one['simulations'][side] for one in records) / max(1, moves):,.0f}"


def _chosen(records: Sequence[Record]) -> str:
    """What the new side found out in its start clock; several where it did so several times."""
    return "; ".join(sorted({one["styles"][0] or "" for one in records}))


def chosen_games(names: str | None, sheets: Path | None) -> list[str]:
    """The games to be played: those that are named, else the folder's, else the library's.

    A name that is a sheet of the folder is played from there.
    """
    usual = LIBRARY if sheets is None else SHEETS
    found = []
    for name in usual if names is None else names.split(","):
        file = None if sheets is None else sheets / f"{name}.kif"
        found.append(str(file) if file is not None and file.exists() else name)
    return found


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Play two installations against each other.")
    parser.add_argument("--old", default=sys.executable, help="interpreter of the old installation")
    parser.add_argument("--new", default=sys.executable, help="interpreter of the new installation")
    parser.add_argument("--old-player", default="woodstock")
    parser.add_argument("--new-player", default="woodstock")
    parser.add_argument("--games", help="names or files, between commas; default: see LIBRARY")
    parser.add_argument(
        "--sheets", type=Path, help="folder of rulesheets; alone, plays those of SHEETS"
    )
    parser.add_argument("--cpu", type=float, default=0.02, help="CPU seconds for a move")
    parser.add_argument("--start", type=float, default=20.0, help="CPU seconds of the start clock")
    parser.add_argument("--seed", type=int, default=1, help="of the preparation")
    parser.add_argument("--max-matches", type=int, default=60)
    parser.add_argument("--to-the-end", action="store_true", help="play all matches")
    parser.add_argument("--opening-plies", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--out", type=Path, required=True, help="file of results")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play what is asked for; 1 when a game failed."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    contest = Contest(
        chosen_games(options.games, options.sheets),
        Setting("new", options.new, options.new_player, options.start, options.seed),
        Setting("old", options.old, options.old_player, options.start, options.seed),
        options.cpu,
        options.max_matches,
        options.out,
        options.opening_plies,
        options.to_the_end,
        console.print,
    )
    contest.run(options.jobs)
    records = [*ResultLines(options.out).records.values()]
    print("\n".join(table(contest.cells, records)))
    return int(bool(contest.problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
