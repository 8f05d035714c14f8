"""How strength grows with the time of training, and how much it depends on luck.

``python benchmarks/learning_curve.py --cpu 0.02 --max-matches 20 --out curve.jsonl
--svg docs/learning-curve.svg``

For every game, time of training (CPU seconds, one thread) and seed, a net is trained, and the
player with it meets an opponent without: matches as in `versus.py`, all of them played. Nets are
kept in OUT.prepared, results in OUT; the same command goes on where it was broken off. Standard
output gets one JSON object: the score of every training, and for every game and time the mean over
the seeds with its 95 % interval and the spread between seeds. The picture shows the means.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from rich.console import Console
from sides import Setting
from versus import Cell, Contest

from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tune import Summary

GAMES = ("breakthrough", "reversi", "connect-four", "oware")
"""Won by fluents alone, by discs, only by patterns of the rules, and a large one with seeds."""
SECONDS = (2, 5, 10, 20, 60)
SEEDS = (1, 2, 3)
PLAYER, OPPONENT = "mac-ucb:values=net", "uct"

Trained = dict[tuple[str, float], dict[int, Cell]]
"""The cells of a game and a time of training, by seed."""


def play(options: argparse.Namespace, console: Console) -> tuple[Trained, dict[str, str]]:
    """Train and play everything; the cells, and what could not be played."""
    found: Trained = {}
    problems: dict[str, str] = {}
    for game in options.games.split(","):
        for seconds in map(float, options.seconds.split(",")):
            own = found.setdefault((game, seconds), {})
            for seed in map(int, options.seeds.split(",")):
                contest = Contest(
                    [game],
                    Setting("trained", sys.executable, options.player, seconds, seed),
                    Setting("opponent", sys.executable, options.against),
                    options.cpu,
                    options.max_matches,
                    options.out,
                    to_the_end=True,
                    tell=console.print,
                )
                contest.run(1)
                problems |= {
                    f"{game}, {seconds:g} s, seed {seed}": p for p in contest.problems.values()
                }
                for cell in contest.cells:
                    own[seed] = cell
    return found, problems


def summary(game: str, seconds: float, cells: Mapping[int, Cell]) -> dict[str, Any]:
    """What the trainings of a game are worth: each, all together, and how much they differ.

    The spread is the standard deviation between the scores of the seeds; chance in the matches is
    part of it, as large as `by_chance` if all nets are equally good.
    """
    scores = {seed: Summary.of(cell.rounds(), cell.seatings) for seed, cell in cells.items()}
    size = next(iter(cells.values())).seatings if cells else 1
    every = Summary.of([score for cell in cells.values() for score in cell.rounds()], size)
    means = [one.mean for one in scores.values()]
    return {
        "game": game,
        "seconds": seconds,
        "score": round(every.mean, 4),
        "margin": round(every.margin, 4),
        "matches": every.rounds * size,
        "seeds": {seed: round(one.mean, 4) for seed, one in scores.items()},
        "spread": round(stdev(means), 4) if len(means) > 1 else None,
        "by_chance": round(
            math.sqrt(fmean(one.variance / max(1, one.rounds) for one in scores.values())), 4
        )
        if scores
        else None,
    }


def picture(summaries: Sequence[Mapping[str, Any]], title: str) -> str:
    """Scores over the time of training, which is drawn by its logarithm."""
    curves: dict[str, list[CurvePoint]] = {}
    for one in summaries:
        point = CurvePoint(math.log2(one["seconds"]), 100 * one["score"], 100 * one["margin"])
        curves.setdefault(one["game"], []).append(point)
    times = sorted({one["seconds"] for one in summaries})
    return line_plot(
        curves,
        title=title,
        x_label="CPU seconds of training",
        y_label="score, %",
        x_range=(math.log2(times[0]) - 0.2, math.log2(times[-1]) + 0.2),
        x_marks={math.log2(time): f"{time:g}" for time in times},
        level=50,
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Strength over the time of training.")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seconds", default=",".join(map(str, SECONDS)), help="CPU, of training")
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--player", default=PLAYER, help="who is trained")
    parser.add_argument("--against", default=OPPONENT, help="the opponent")
    parser.add_argument("--cpu", type=float, default=0.02, help="CPU seconds for a move")
    parser.add_argument("--max-matches", type=int, default=20, help="for every training")
    parser.add_argument("--out", type=Path, required=True, help="file of results")
    parser.add_argument("--svg", type=Path, help="the picture to write")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Train, play, tell and draw; 1 when something could not be played."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    found, problems = play(options, console)
    summaries = [summary(*key, cells) for key, cells in found.items()]
    if options.svg is not None:
        title = f"{options.player} against {options.against}, {1000 * options.cpu:g} ms a move"
        options.svg.write_text(picture(summaries, title), encoding="utf-8")
    print(json.dumps({"trainings": summaries, "problems": problems}))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
