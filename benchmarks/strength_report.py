"""The table of the ring: reads results of ``strength.py`` and writes Markdown.

``python benchmarks/strength_report.py results.jsonl [...] [--markdown docs/strength-table.md]``

One table for each first player: a row for each game and time, a column for each opponent, and
beside it what the papers have. Only rounds that are complete count. Games in which both play for
themselves, alone or as a team, show the mean goals of both; they count in the mean of a column with
1/2 + their difference / 200, as in the sequential test.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from result_lines import Record, ResultLines
from strength_papers import (
    AT_30_SECONDS,
    BY_TIME,
    SECONDS,
    SOURCE,
    SYMMETRY_SOURCE,
    WITH_SYMMETRY,
)

from woodstock import games
from woodstock.tune import Summary

PUBLISHED = {**AT_30_SECONDS, **WITH_SYMMETRY}

Key = tuple[str, str, str, float]
"""First player, second player, game, CPU seconds for a move."""


@dataclass
class Cell:
    """The matches of two players in one game."""

    records: dict[int, list[Record]] = field(default_factory=lambda: defaultdict(list))

    def rounds(self) -> list[list[Record]]:
        """The rounds in which every distribution of the seats has been played."""
        return [one for one in self.records.values() if len(one) == one[0]["seatings"]]

    @property
    def matches(self) -> int:
        """How many count."""
        return sum(map(len, self.rounds()))

    def summary(self) -> Summary:
        """The first player's score."""
        rounds = self.rounds()
        scores = [sum(match["score"] for match in one) / len(one) for one in rounds]
        return Summary.of(scores, len(rounds[0]) if rounds else 1)

    def shared(self) -> tuple[float, float] | None:
        """The mean goals of both players where they do not meet; else None."""
        found: tuple[list[float], list[float]] = ([], [])
        for match in (match for one in self.rounds() for match in one):
            if len(set(match["seats"])) > 1:
                return None
            found[match["seats"][0]].append(sum(match["goals"]) / len(match["goals"]))
        first, second = (sum(goals) / len(goals) for goals in found)
        return first, second

    def text(self) -> str:
        """What stands in the table."""
        found = self.summary()
        shared = self.shared()
        if shared is not None:
            return f"goals {shared[0]:.1f} : {shared[1]:.1f} ({self.matches})"
        return f"{100 * found.mean:.1f} ± {100 * found.margin:.1f} ({self.matches})"


def cells_of(records: Iterable[Record]) -> dict[Key, Cell]:
    """Matches sorted into the cells of the tables; those without a complete round are left out."""
    cells: dict[Key, Cell] = defaultdict(Cell)
    for record in records:
        key = (record["first"], record["second"], record["game"], record["cpu"])
        cells[key].records[record["round"]].append(record)
    return {key: cell for key, cell in cells.items() if cell.rounds()}


def paper(first: str, second: str, game: str) -> str:
    """What the papers have for a pairing, nothing if they have nothing."""
    found = PUBLISHED.get((first, second), {}).get(game)
    if found is None:
        return ""
    text = f"{found[0]:.1f} ± {found[1]:.1f}"
    if (first, second) == ("mac-ucb", "uct"):
        text += f"; {BY_TIME[game][0]:.1f} to {BY_TIME[game][-1]:.1f}"
    return text


def row(*parts: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(parts)} |"


def mean(cells: Sequence[Cell]) -> str:
    """The mean over games, each as heavy as the other, and its own margin."""
    found = [cell.summary() for cell in cells]
    middle = sum(one.mean for one in found) / len(found)
    margin = sum(one.margin**2 for one in found) ** 0.5 / len(found)
    return f"**{100 * middle:.1f}** ± {100 * margin:.1f}"


def punctuality(cells: Iterable[Cell]) -> str:
    """How well both sides kept their time, from the longest thought of each match."""
    records = [record for cell in cells for one in cell.rounds() for record in one]
    pairs = [[longest / one["cpu"] for longest in one["cpu_longest"]] for one in records]
    # A side that did not sit in a match has not thought at all.
    sides = [[longest for longest in side if longest] or [0.0] for side in zip(*pairs)]
    means = " and ".join(f"{sum(side) / len(side):.2f}" for side in sides)
    worst = " and ".join(f"{max(side):.2f}" for side in sides)
    return (
        f"The longest thought of a match took {means} of the time on average, {worst} at most "
        "(first player and opponents)."
    )


def tables(cells: dict[Key, Cell]) -> Iterator[str]:
    """The lines of all tables."""
    groups: dict[str, dict[tuple[str, str, float], Cell]] = defaultdict(dict)
    for (first, second, game, cpu), cell in cells.items():
        groups[first][second, game, cpu] = cell
    for first, group in sorted(groups.items()):
        opponents = sorted({second for second, _, _ in group})
        published = {other for other in opponents if (first, other) in PUBLISHED}
        head, last = ["game", "kind", "ms"], ["mean", "", ""]
        for other in opponents:
            head += [f"against {other}"] + [f"{other}, papers"] * (other in published)
            met = [cell for (who, _, _), cell in group.items() if who == other]
            last += [mean(met)] + [""] * (other in published)
        yield f"## {first}"
        yield ""
        yield row(*head)
        yield f"|{'---|' * 2}{'--:|' * (len(head) - 2)}"
        for game, cpu in sorted({(game, cpu) for _, game, cpu in group}):
            line = [f"[{game}](games/{game}.md)", games.meta(game).kind, f"{1000 * cpu:g}"]
            for other in opponents:
                here = group.get((other, game, cpu))
                line.append(here.text() if here else "")
                line += [paper(first, other, game)] * (other in published)
            yield row(*line)
        yield row(*last)
        yield ""
        yield punctuality(group.values())
        yield ""


def page(records: Iterable[Record]) -> str:
    """The whole page."""
    shortest, longest = SECONDS[0], SECONDS[-1]
    head = f"""# Players in the ring

Scores of the first player in per cent, a draw counting one half, with 95 % intervals and the number
of matches: equal CPU time for every move (*ms*), one thread, seats changed, stopped by a sequential
test. [strength.md](strength.md) explains how. Measured by

    python benchmarks/strength.py --games ... --pairs ... --out results.jsonl
    python benchmarks/strength_report.py results.jsonl --markdown docs/strength-table.md

*Papers*: {SOURCE}; per cent of matches won at 30 s a move ± σ, then from {shortest} s to
{longest} s a move; for mac-ucb-sym {SYMMETRY_SOURCE}, 15 s a move. *Goals*: the
players do not meet, each has its mean goal.

"""
    return head + "\n".join(tables(cells_of(records))).rstrip() + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the page, to a file or to standard output."""
    parser = argparse.ArgumentParser(description="Turn results of the ring into a table.")
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--markdown", type=Path, help="the file to write")
    options = parser.parse_args(arguments)
    records = [record for path in options.results for record in ResultLines(path).records.values()]
    text = page(records)
    if options.markdown is None:
        print(text, end="")
    else:
        options.markdown.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
