"""How often one player alone reaches its goal, beside the figures of the papers.

``python benchmarks/success.py --players woodstock,uct --matches 400 --cpu 0.05 --jobs 2 --out F``

Plays the one-player games with hidden information of the papers' tables (IJCAI 2016, Table 2; JFPC
2016, Table 2). ``--cpu`` is the CPU time for a move, in which the belief is worked out as well;
``GAME=SECONDS`` gives a game its own. Mean goals have the 95 % interval of a mean, the share of
matches with the full goal has Wilson's. Each match is a line of the file, and who starts again goes
on where it was broken off. Prints one JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

from result_lines import Record, ResultLines
from rich.console import Console
from rich.progress import track
from strength import CPU, times, workers
from strength_match import Match, play

from woodstock.match import split_names
from woodstock.tune import NORMAL_95, wilson

PAPERS = {
    "guess-dice": {"MAC-UCB-II": 15.0, "UCT": 15.7, "CFR": 16.0, "GRAVE": 16.5},
    "mastermind": {"MAC-UCB-II": 67.8, "UCT": 53.8, "CFR": 68.1, "GRAVE": 60.1},
    "monty-hall": {"MAC-UCB-II": 65.2, "UCT": 62.2, "CFR": 63.1, "GRAVE": 64.3},
    "vacuum-cleaner-random": {
        "MAC-UCB-SYM": 74.8,
        "MAC-UCB-II": 61.5,
        "UCT": 34.0,
        "CFR": 46.0,
        "GRAVE": 58.8,
    },
    "wumpus": {"MAC-UCB-SYM": 71.2, "MAC-UCB-II": 32.1, "UCT": 40.1, "CFR": 44.1, "GRAVE": 51.2},
}
"""Per cent of the matches, by player."""


def main(arguments: list[str] | None = None) -> int:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(PAPERS))
    parser.add_argument("--players", default="woodstock,mac-ucb-ii,uct,grave,cfr")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--cpu", type=times, default=(CPU, {}))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    usual, clocks = given.cpu
    wanted = [
        Match(game, player, player, clocks.get(game, usual), 0, number, 0)
        for game in given.games.split(",")
        for player in split_names(given.players)
        for number in range(given.matches)
    ]
    known = ResultLines(given.out)
    todo = [match for match in wanted if match.id not in known.records]
    # A process keeps a game and what it has rehearsed of it.
    with workers(given.jobs)() as pool:
        played = as_completed([pool.submit(play, match) for match in todo])
        shown = track(played, "matches", len(todo), console=Console(stderr=True))
        for future in shown:
            known.add(future.result())
    print(json.dumps(summary([known.records[match.id] for match in wanted]), indent=1))
    return 0


def summary(records: list[Record]) -> dict[str, Any]:
    """Means and intervals, game by game and player by player."""
    found: dict[str, Any] = {}
    for record in records:
        cell = found.setdefault(record["game"], {"papers": PAPERS.get(record["game"], {})})
        cell.setdefault(record["first"], []).append(record)
    for cell in found.values():
        for player, played in cell.items():
            if player != "papers":
                cell[player] = _rates([goal for one in played for goal in one["goals"]], played)
    return found


def _rates(goals: list[int], played: list[Record]) -> dict[str, Any]:
    count = len(goals)
    spread = NORMAL_95 * statistics.pstdev(goals) / math.sqrt(count)
    solved = sum(goal == 100 for goal in goals) / count
    low, high = wilson(solved, count)
    return {
        "matches": count,
        "cpu_seconds_a_move": played[0]["cpu"],
        "mean_goal": round(statistics.fmean(goals), 2),
        "plus_minus": round(spread, 2),
        "solved": round(100 * solved, 1),
        "solved_95": [round(100 * low, 1), round(100 * high, 1)],
        "illegal": sum(sum(one["illegal"]) for one in played),
    }


if __name__ == "__main__":
    sys.exit(main())
