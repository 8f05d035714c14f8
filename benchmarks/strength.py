"""The ring: players against each other with equal CPU time for every move, game by game.

``python benchmarks/strength.py --games connect-four,hex --pairs mac-ucb:uct,woodstock:uct
--cpu 0.05 --max-matches 200 --jobs 2 --out results.jsonl``

A pairing is FIRST:SECOND, and the score is the first one's; options of a player stand in brackets:
``uct[C=0.4]:uct``. Each game and pairing is played in rounds (the same opening and luck, every
distribution of the seats) until a sequential test has seen enough or ``--max-matches`` is reached;
`strength_verdict` says how. ``--cpu`` is the CPU time for a move; ``GAME=SECONDS`` gives a game
its own.

Each result is a line of the file, written when the match ends, under an id that says all it depends
on. Who starts the same command again goes on where it was broken off; ``strength_report.py`` reads
the file and writes the table. Progress goes to standard error, the pairings' results, one JSON
object, to standard output. The exit code is 1 when a match could not be played.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from result_lines import Record, ResultLines
from rich.console import Console
from strength_match import Match, default_opening, load, play, seatings
from strength_verdict import Verdict, verdict

from woodstock.tune import Summary

MATCHES, CPU = 200, 0.05

KEY = ("game", "first", "second", "cpu", "opening")
"""What the matches of a pairing have in common, and no others have."""


@dataclass
class Pairing:
    """Two players in one game, and the scores of their matches so far.

    All matches are played if it is to go `to_the_end`; otherwise the sequential test may stop it.
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

    def __str__(self) -> str:
        return f"{self.game}: {self.first} against {self.second}"

    @property
    def key(self) -> tuple[str, str, str, float, int]:
        """The values of `KEY`."""
        return self.game, self.first, self.second, self.cpu, self.opening

    def matches(self) -> Iterator[Match]:
        """All matches that may be played, in their order."""
        for number in range(-(-self.max_matches // self.seatings)):
            for seating in range(self.seatings):
                yield Match(*self.key, number, seating)

    def rounds(self) -> list[float]:
        """The scores of the rounds that are complete, up to the first that is not.

        What is decided on them does not depend on the order in which matches end.
        """
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
        return verdict(rounds, self.seatings, self.max_matches)

    def take(self, record: Record) -> None:
        """Note the result of one of its matches."""
        self.scores[record["round"], record["seating"]] = record["score"]

    def to_json(self) -> dict[str, Any]:
        """The result so far."""
        found = Summary.of(self.rounds(), self.seatings)
        return {
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "cpu": self.cpu,
            "matches": found.rounds * self.seatings,
            "score": round(found.mean, 4),
            "margin": round(found.margin, 4),
            "verdict": self.verdict(),
            "problem": self.problem,
        }


class Ring:
    """Plays pairings, some matches at a time, and keeps the results."""

    def __init__(
        self,
        pairings: Sequence[Pairing],
        store: ResultLines,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._pairings = pairings
        self._store = store
        self._tell = tell or (lambda text: None)
        by_key = {pairing.key: pairing for pairing in pairings}
        for record in store.records.values():
            known = by_key.get(tuple(record[name] for name in KEY))
            if known is not None:
                known.take(record)

    def run(
        self, executor: Callable[[], Executor], jobs: int, play: Callable[[Match], Record] = play
    ) -> None:
        """Play until every pairing has its verdict or has failed.

        A pairing in which something goes wrong is left where it is, the others go on. `executor`
        is asked for another one when a process of the last has died.
        """
        pool = executor()
        waiting = self._waiting()
        running: dict[Future[Record], tuple[Pairing, Match]] = {}
        while True:
            for pairing, match in itertools.islice(waiting, jobs - len(running)):
                running[pool.submit(play, match)] = pairing, match
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                pairing, match = running.pop(future)
                try:
                    self._note(pairing, future.result())
                except BrokenProcessPool:
                    # Nobody knows which of the matches it was: those pairings have failed.
                    for one, _ in [(pairing, match), *running.values()]:
                        one.problem = "the process died"
                        self._tell(f"{one}: {one.problem}")
                    running.clear()
                    pool.shutdown()
                    pool = executor()
                    break
                except Exception as problem:
                    pairing.problem = f"{type(problem).__name__}: {problem}"
                    self._tell(f"{match.id}: {pairing.problem}")
        pool.shutdown()

    def _waiting(self) -> Iterator[tuple[Pairing, Match]]:
        """Matches to be played, pairing by pairing; what is over meanwhile is left out."""
        for pairing in self._pairings:
            for match in pairing.matches():
                if pairing.problem or pairing.verdict():
                    break
                if (match.round, match.seating) not in pairing.scores:
                    yield pairing, match

    def _note(self, pairing: Pairing, record: Record) -> None:
        self._store.add(record)
        before = pairing.verdict()
        pairing.take(record)
        result = pairing.to_json()
        if result["verdict"] and not before:
            percent, margin = 100 * result["score"], 100 * result["margin"]
            shown = f"{percent:.1f} ± {margin:.1f} % in {result['matches']} matches"
            self._tell(f"{pairing}: {shown}, {result['verdict']}")


def pair(text: str) -> tuple[str, str]:
    """The players of FIRST:SECOND; a colon within brackets is a player's own.

    >>> pair("mac-ucb[order=depth]:uct")
    ('mac-ucb:order=depth', 'uct')
    """
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == ":" and depth == 0:
            first, second = (
                name.replace("[", ":").replace("]", "")
                for name in (text[:place], text[place + 1 :])
            )
            if first and second:
                return first, second
    raise argparse.ArgumentTypeError(f"{text!r} is no pairing; write FIRST:SECOND")


def split_pairs(text: str) -> list[tuple[str, str]]:
    """Pairings between commas; commas within brackets belong to a player's options."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [pair(part) for part in parts if part]


def make_pairing(
    game: str,
    players: tuple[str, str],
    *,
    cpu: float,
    max_matches: int,
    opening: int | None = None,
    to_the_end: bool = False,
) -> Pairing:
    """A pairing with what the game says about seats and openings."""
    rules = load(game)
    plies = default_opening(rules) if opening is None else opening
    return Pairing(game, *players, cpu, plies, len(seatings(rules)), max_matches, to_the_end)


def workers(jobs: int) -> Callable[[], Executor]:
    """Processes that start afresh, so that nothing is shared."""
    return lambda: ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def times(text: str) -> tuple[float, dict[str, float]]:
    """Seconds for a move: one number for all games, then GAME=SECONDS for some."""
    common, special = CPU, {}
    for part in text.split(","):
        game, _, seconds = part.rpartition("=")
        if game:
            special[game] = float(seconds)
        else:
            common = float(seconds)
    return common, special


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Play players against each other.")
    parser.add_argument("--games", required=True, help="names or files, between commas")
    parser.add_argument("--pairs", required=True, type=split_pairs, help="FIRST:SECOND,...")
    parser.add_argument("--cpu", type=times, default=(CPU, {}), help="CPU seconds for a move")
    parser.add_argument("--max-matches", "--max-games", type=int, default=MATCHES)
    parser.add_argument("--opening-plies", type=int, default=None, help="random moves to begin")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time")
    parser.add_argument("--out", type=Path, required=True, help="file of results")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play what is asked for; 1 when a pairing failed."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    common, special = options.cpu
    pairings = [
        make_pairing(
            game,
            players,
            cpu=special.get(game, common),
            opening=options.opening_plies,
            max_matches=options.max_matches,
        )
        for game in options.games.split(",")
        for players in options.pairs
    ]
    Ring(pairings, ResultLines(options.out), console.print).run(workers(options.jobs), options.jobs)
    print(json.dumps({"pairings": [pairing.to_json() for pairing in pairings]}))
    return int(any(pairing.problem for pairing in pairings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
