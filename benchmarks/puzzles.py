"""How far a player comes alone: every rulesheet of one role, at a start clock and a play clock.

``python benchmarks/puzzles.py --sheets FOLDER --start 20 --play 2 --out puzzles.jsonl``

Without ``--sheets`` the puzzles of the library are played. Each game is a match of `--player` by
itself, in real time on ``--threads`` threads: goal, turns, who found the last plan, what was proved
of the first one, the longest answer. ``--long SECONDS`` asks the portfolio of plans for so long in
place of playing: what anybody ever reached is what others are measured by, and ``--known FILE``
takes it from the results of such runs. ``--list`` only lists the games.

Each result is a line of the file; who starts the same command again goes on where it was broken
off. Progress goes to standard error, the table as Markdown to standard output.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from result_lines import Record, ResultLines
from rich.console import Console

from woodstock import Game
from woodstock.errors import WoodstockError
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import normalise
from woodstock.plan import cannot_plan, plan
from woodstock.player import make_player

LIBRARY = (
    "vectorracer", "eight-puzzle", "hunter", "untwisty", "joint-buttons-and-lights-25", "sudoku",
    "buttons-and-lights-3", "buttons-and-lights-7", "buttons-and-lights-10",
)  # fmt: skip
"""The puzzles of the competition that WoodStock won, as the library has them."""


def one_role_sheets(folder: Path) -> list[str]:
    """The rulesheets of a folder in which there is one role."""
    found = []
    for file in sorted(folder.glob("*.kif")):
        rules, _ = normalise(read_text(file.read_text(encoding="utf-8", errors="replace")))
        if len(rules.roles) == 1:
            found.append(str(file))
    return found


def play(game: Game, player_text: str, start: float, clock: float, threads: int) -> Record:
    """A match of one player alone."""
    role = game.players[0]
    player = make_player(player_text, seed=1, threads=threads)
    begun = time.monotonic()
    player.prepare(game, role, begun + start)
    prepared = time.monotonic() - begun
    state, turns, longest, by, proof = game.initial_state(), 0, 0.0, "", ""
    while not state.is_terminal and state.legal_moves(role):
        asked = time.monotonic()
        state = state.apply([player.choose(state, role, asked + clock)])
        longest = max(longest, time.monotonic() - asked)
        turns += 1
        decision = player.last_decision
        for note in () if decision is None else decision.notes:
            match = re.match(r"a plan of .* by ([\w-]+), (\w+)", note)
            if match:
                by = match[1]
                proof = proof or match[2]
    player.close()
    return {
        "goal": state.goal(role) or 0,
        "turns": turns,
        "by": by,
        "proof": proof,
        "prepared": round(prepared, 2),
        "longest": round(longest, 3),
    }


def look(game: Game, seconds: float, threads: int) -> Record:
    """What the portfolio finds in a long time."""
    why = cannot_plan(game)
    if why is not None:
        return {"goal": 0, "by": "", "proof": why}
    begun = time.monotonic()
    found = plan(game, seconds=seconds, threads=threads, memory_mb=4096)
    spent = round(time.monotonic() - begun, 2)
    if found is None:
        return {"goal": 0, "by": "", "proof": "", "seconds": spent}
    return {
        "goal": found.goal,
        "turns": found.horizon,
        "by": found.by,
        "proof": found.proof,
        "seconds": spent,
    }


def table(records: Sequence[Record], known: dict[str, int]) -> Iterator[str]:
    """The lines of a table: a row for each game, and how many reach the most."""
    yield "| game | goal | best known | turns | plan by | proof |"
    yield "|---|--:|--:|--:|---|---|"
    reached = 0
    for one in records:
        best = max(known.get(one["game"], 0), one["goal"])
        reached += one["goal"] >= best
        yield (
            f"| {one['game']} | {one['goal']} | {best} | {one.get('turns', '')} "
            f"| {one['by']} | {one['proof']} |"
        )
    yield f"| {reached} of {len(records)} reach the best known | | | | | |"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Let a player solve puzzles.")
    parser.add_argument("--sheets", type=Path, help="folder of rulesheets")
    parser.add_argument("--games", help="names or files, between commas")
    parser.add_argument("--player", default="woodstock")
    parser.add_argument("--start", type=float, default=20.0, help="seconds of the start clock")
    parser.add_argument("--play", type=float, default=2.0, help="seconds of the play clock")
    parser.add_argument("--long", type=float, help="plan for so many seconds, and do not play")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--known", type=Path, action="append", default=[], help="other results")
    parser.add_argument("--list", action="store_true", help="list the games, and play none")
    parser.add_argument("--out", type=Path, help="file of results")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play what is asked for; 1 when a game could not be played."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    games = [*LIBRARY] if options.sheets is None else one_role_sheets(options.sheets)
    if options.games:
        wanted = options.games.split(",")
        games = [one for one in games if Path(one).stem in wanted] if options.sheets else wanted
    if options.list:
        print("\n".join(Path(one).stem for one in games))
        return 0
    if options.out is None:
        print("say where results go: --out FILE", file=sys.stderr)
        return 2
    store = ResultLines(options.out)
    failed = False
    rows = []
    what = f"long={options.long:g}" if options.long else f"{options.start:g}/{options.play:g}"
    for name in games:
        stem = Path(name).stem
        key = f"{stem} {options.player} {what} threads={options.threads}"
        if key not in store.records:
            try:
                game = Game.load(name)
                found = (
                    look(game, options.long, options.threads)
                    if options.long
                    else play(game, options.player, options.start, options.play, options.threads)
                )
            except WoodstockError as problem:
                console.print(f"{stem}: {problem}")
                failed = True
                continue
            store.add({"id": key, "game": stem, **found})
        rows.append(store.records[key])
        console.print(f"{stem}: {rows[-1]}")
    known: dict[str, int] = {}
    for file in [options.out, *options.known]:
        for one in ResultLines(file).records.values():
            known[one["game"]] = max(known.get(one["game"], 0), one["goal"])
    print("\n".join(table(rows, known)))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
