"""How strong MAC-UCB is when more or less of its time goes to solving instead of sampling.

``python benchmarks/sensitivity.py --games tic-tac-toe,kaseklau,othello --cpu 0.05 --jobs 2
--out sensitivity.jsonl --svg docs/images/sensitivity.svg``

plays `mac-ucb` with shares of solving time from 0 to 100 % against `uct` in the ring, and draws its
score over the share, a curve a game. It writes results and goes on where it was broken off as
``strength.py`` does; ``--max-matches 0`` draws what there is. Every point takes all its matches: a
curve is not to be bent by tests that stop early.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from result_lines import ResultLines
from rich.console import Console
from strength import CPU, Pairing, Ring, make_pairing, workers

from woodstock.tournament.report.line_plot import CurvePoint, line_plot
from woodstock.tune import Summary

SHARES = (0, 10, 25, 50, 75, 90, 100)
MATCHES = 60


def player(share: int) -> str:
    """MAC-UCB with so many per cent of its time for solving.

    Without any it would have nothing to sample: 0 stands for a thousandth.
    """
    return f"mac-ucb:solving_share={max(share / 100, 0.001):g}"


def curve(pairings: Sequence[Pairing], shares: Sequence[int]) -> list[CurvePoint]:
    """The points of one game; shares without a match have none."""
    points = []
    for pairing, share in zip(pairings, shares, strict=True):
        found = Summary.of(pairing.rounds(), pairing.seatings)
        if found.rounds:
            points.append(CurvePoint(share, 100 * found.mean, 100 * found.margin))
    return points


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Win rate over the share of solving time.")
    parser.add_argument("--games", required=True, help="names of the library, between commas")
    parser.add_argument("--against", default="uct", help="the opponent")
    parser.add_argument("--shares", default=",".join(map(str, SHARES)), help="per cent")
    parser.add_argument("--cpu", type=float, default=CPU, help="CPU seconds for a move")
    parser.add_argument("--max-matches", type=int, default=MATCHES, help="for every point")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time")
    parser.add_argument("--out", type=Path, required=True, help="file of results")
    parser.add_argument("--svg", type=Path, required=True, help="the picture to write")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play, then draw; 1 when a pairing failed."""
    options = parse(arguments)
    shares = [int(share) for share in options.shares.split(",")]
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    pairings = {
        game: [
            make_pairing(
                game,
                (player(share), options.against),
                cpu=options.cpu,
                max_matches=options.max_matches,
                to_the_end=True,
            )
            for share in shares
        ]
        for game in options.games.split(",")
    }
    everything = [pairing for points in pairings.values() for pairing in points]
    Ring(everything, ResultLines(options.out), console.print).run(
        workers(options.jobs), options.jobs
    )
    picture = line_plot(
        {game: curve(points, shares) for game, points in pairings.items()},
        title=f"mac-ucb against {options.against}, {1000 * options.cpu:g} ms a move",
        x_label="share of solving time, %",
        y_label="score, %",
        level=50,
    )
    options.svg.write_text(picture, encoding="utf-8")
    print(json.dumps({"pairings": [pairing.to_json() for pairing in everything]}))
    return int(any(pairing.problem for pairing in everything))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
