"""Never an illegal move, never late: many fast matches, and what went wrong in them.

``python benchmarks/fast_matches.py --folder FOLDER --store fast.sqlite`` holds a continuous ring
(`woodstock tournament`) by the real clock, with 0.05 to 1 s for a move, of all players over all
games of the library and a sample of the rulesheets in FOLDER (``*.kif``, ``*.gdl``, also in folders
below). What is in the store is not played again; ``woodstock tournament report`` shows the rest.

One JSON object with the figures goes to standard output, progress to standard error. On a machine
that has other work to do, an answer can be late through no fault of the player: `starved` counts
the late answers of players that had the processor for too little of their time. The exit code is 1
when an answer was late, illegal or failed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from woodstock import games
from woodstock.player import player_names
from woodstock.tournament import Description, ResultStore, make_engine, run_tournament
from woodstock.tournament.results import MatchResult

CLOCKS = (0.05, 0.1, 0.2, 0.5, 1.0)
SHEETS = (".kif", ".gdl")
COLUMNS = ("answers", "late", "starved", "illegal", "failed")


def describe(options: argparse.Namespace) -> Description:
    """The ring: everybody, everything, as it comes."""
    sources = [*(options.names or games.names())]
    if options.folder is not None:
        sheets = sorted(path for path in options.folder.rglob("*") if path.suffix in SHEETS)
        chosen = random.Random(options.seed).sample(sheets, min(options.sheets, len(sheets)))
        sources += [path.resolve().as_posix() for path in sorted(chosen)]
    text = f"""
        name = "Fast matches"
        format = "continuous"
        participants = {json.dumps(options.players.split(","))}
        games = {json.dumps(sources)}
        seed = {options.seed}
        clock = {{ kind = "real", start = 1, move = {options.clocks} }}
        continuous = {{ matches = {options.matches} }}
    """
    return Description.parse(text)


def summary(matches: Iterable[MatchResult]) -> dict[str, Any]:
    """How often something went wrong, for everybody and for all."""
    by_player: defaultdict[str, Counter[str]] = defaultdict(Counter)
    slowest = 0.0
    count = 0
    for match in matches:
        count += 1
        for seat in match.seats:
            one = by_player[seat.participant]
            one["answers"] += seat.thoughts
            one["late"] += seat.late
            one["starved"] += seat.late if seat.starved else 0
            one["illegal"] += seat.illegal
            one["failed"] += seat.failed
            slowest = max(slowest, seat.longest)
    totals = sum(by_player.values(), Counter[str]())
    return {
        "matches": count,
        **{name: totals[name] for name in COLUMNS},
        "slowest": round(slowest, 4),
        "by_player": {
            name: {column: one[column] for column in COLUMNS}
            for name, one in sorted(by_player.items())
        },
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="library games (default: all)")
    parser.add_argument("--matches", type=int, default=1_000, help="how many in all")
    parser.add_argument("--store", type=Path, required=True, help="file of finished matches")
    parser.add_argument("--folder", type=Path, help="folder of public rulesheets")
    parser.add_argument("--sheets", type=int, default=50, help="sheets to take of the folder")
    parser.add_argument("--players", default=",".join(player_names()), help="names, with commas")
    parser.add_argument("--clocks", default=[*CLOCKS], type=json.loads, help="seconds: [0.05, 1]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_intermixed_args(arguments)
    description = describe(options)
    with ResultStore(options.store) as store, make_engine("local", options.jobs) as engine:

        def tell(progress: Any) -> None:
            print(f"\r{progress.matches} matches", end="", file=sys.stderr, flush=True)

        schedule = run_tournament(description, store, engine, on_progress=tell).schedule
        found = summary(match for _, result in schedule.counted() for match in result.matches)
    print(file=sys.stderr)
    print(json.dumps(found, indent=1))
    return int(any(found[name] for name in ("late", "illegal", "failed")))


if __name__ == "__main__":
    sys.exit(main())
