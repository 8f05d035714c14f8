"""How many moves throw away value, in positions whose exact value is known.

``python benchmarks/blunders.py --old OLD/.venv/bin/python --cpu 0.02,0.2 --start 20 --positions 100
--out blunders.jsonl``

Two installations (or two players of one) are asked for their move in the same positions, with the
same CPU times and an empty tree. A move is a blunder when its exact value is less than that of the
best. Positions are those of `exact_positions`, those in which nothing can be thrown away left out.
They are kept in the folder OUT.positions, what the start clocks brought in OUT.prepared; each
answer is a line of the file, and the same command goes on where it was broken off. Standard output
gets the table as Markdown: the share of blunders in per cent with Wilson's 95 % interval, in
brackets the mean value thrown away, in hundredths. Moves whose value nobody can prove are not
counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from exact_positions import CONNECT_FOUR, Known, known_positions, small_breakthrough, worth
from result_lines import Record, ResultLines
from rich.console import Console
from side_match import load
from sides import Setting, Side

from woodstock import Game
from woodstock.tune import wilson

GAMES = (
    CONNECT_FOUR,
    # Ends of games: traits, lines, discs, connections, points for captures, draughts.
    "quarto", "pentago", "reversi", "hex", "free-for-all-2p", "checkers",
)  # fmt: skip
SMALL_BREAKTHROUGH = "breakthrough-5x5"
"""A sheet that is written here."""


def answer(side: Side, name: str, game: Game, known: Known, number: int, cpu: float) -> Record:
    """What a side does in a position; what is `lost` by it is None where nobody knows."""
    side.ask("match", roles=[known.role], seed=number)
    found = side.ask("think", role=known.role, moves=known.moves, cpu=cpu)
    value = worth(game, known, found["move"])
    return {
        "id": f"{name}|cpu={cpu:g}|position={number}",
        "name": name,
        "cpu": cpu,
        "position": number,
        "plies": len(known.moves),
        "best": known.best,
        "lost": None if value is None else round(known.best - value, 6),
        "move": found["move"],
        "proved": found["proved"],
        "simulations": found["simulations"],
        "spent": round(found["cpu"], 4),
    }


def ask_all(
    game: str,
    setting: Setting,
    positions: Sequence[Known],
    times: Sequence[float],
    store: ResultLines,
    prepared: Path,
) -> str:
    """Ask a side for all moves that are not known yet; how it is called in the results."""
    name = f"{Path(game).stem}|{setting.label}|{len(positions)} positions"
    wanted = [
        (cpu, number)
        for cpu in times
        for number in range(len(positions))
        if f"{name}|cpu={cpu:g}|position={number}" not in store.records
    ]
    if wanted:
        side, rules = Side(setting), load(game)
        try:
            side.prepare(game, prepared)
            for cpu, number in wanted:
                store.add(answer(side, name, rules, positions[number], number, cpu))
        finally:
            side.close()
    return name


def share(records: Sequence[Record]) -> str:
    """The share of blunders among these answers, as it stands in the table.

    >>> share([{"lost": 0.5}, {"lost": 0}, {"lost": 0}, {"lost": 0}])
    '25.0 [4.6, 69.9] (12.5)'
    """
    known = [one["lost"] for one in records if one["lost"] is not None]
    if not known:
        return ""
    part = sum(lost > 0 for lost in known) / len(known)
    low, high = wilson(part, len(known))
    lost = 100 * sum(known) / len(known)
    return f"{100 * part:.1f} [{100 * low:.1f}, {100 * high:.1f}] ({lost:.1f})"


def table(
    names: Sequence[tuple[str, str, str]], times: Sequence[float], records: Sequence[Record]
) -> Iterator[str]:
    """A row for each game, given with its names in the results, and one for all of them."""
    columns = [(cpu, side) for cpu in times for side in (0, 1)]
    head = [f"{('new', 'old')[side]}, {1000 * cpu:g} ms" for cpu, side in columns]
    yield f"| game | positions | {' | '.join(head)} |"
    yield f"|---|--:|{'--:|' * len(head)}"
    every: list[list[Record]] = [[] for _ in columns]
    for game, *both in names:
        cells = [
            [one for one in records if one["name"] == both[side] and one["cpu"] == cpu]
            for cpu, side in columns
        ]
        for own, all_ in zip(cells, every):
            all_.extend(own)
        yield f"| {game} | {len(cells[0])} | {' | '.join(map(share, cells))} |"
    yield f"| all | {len(every[0])} | {' | '.join(map(share, every))} |"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Count moves that throw away value.")
    parser.add_argument("--old", default=sys.executable, help="interpreter of the old installation")
    parser.add_argument("--new", default=sys.executable, help="interpreter of the new installation")
    parser.add_argument("--old-player", default="woodstock")
    parser.add_argument("--new-player", default="woodstock")
    parser.add_argument("--games", default=",".join((*GAMES, SMALL_BREAKTHROUGH)))
    parser.add_argument("--cpu", default="0.02,0.2", help="CPU seconds for a move, between commas")
    parser.add_argument("--start", type=float, default=20.0, help="CPU seconds of the start clock")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=100, help="of each game")
    parser.add_argument("--out", type=Path, required=True, help="file of results")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Ask for all moves and print the table."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    times = [float(part) for part in options.cpu.split(",")]
    settings = [
        Setting("new", options.new, options.new_player, options.start, options.seed),
        Setting("old", options.old, options.old_player, options.start, options.seed),
    ]
    store = ResultLines(options.out)
    folder = options.out.with_suffix(".positions")
    names = []
    for game in options.games.split(","):
        source = small_breakthrough(folder) if game == SMALL_BREAKTHROUGH else game
        file = folder / f"{game}-{options.positions}-{options.seed}.json"
        positions = known_positions(source, options.positions, options.seed, file)
        console.print(f"{game}: {len(positions)} positions")
        own = []
        for setting in settings:
            prepared = options.out.with_suffix(".prepared")
            own.append(ask_all(source, setting, positions, times, store, prepared))
            for cpu in times:
                answers = [
                    one
                    for one in store.records.values()
                    if one["name"] == own[-1] and one["cpu"] == cpu
                ]
                console.print(f"  {setting.name}, {1000 * cpu:g} ms: {share(answers)}")
        names.append((game, own[0], own[1]))
    print("\n".join(table(names, times, [*store.records.values()])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
