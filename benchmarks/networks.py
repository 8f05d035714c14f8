"""Hold constraint networks against the circuit, and measure them.

``python benchmarks/networks.py [--folder FOLDER] [NAME ...]`` makes the templates of the games
of the library, or of the public rulesheets ``games/NAME.kif`` in FOLDER, in both encodings. In
positions along random matches the solutions of the injected network are compared with what the
circuit says: joint moves, chance included, next states, the end, the scores. They are looked for

* by the template's own solver, with Compact-Table and with STR2;
* in the injected `Network`, and in the same after preprocessing, with both again.

One JSON object with sizes, seconds and results goes to standard output, progress to standard error;
the exit code is 1 when anything differs. Games that take too long, or whose rules cannot become a
network, are listed with the reason. ``--markdown FILE`` writes the sizes as a table.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from woodstock import Game, State, WoodstockError, games
from woodstock.ground.limits import GroundingLimits
from woodstock.scsp import Network
from woodstock.scsp.encode import Encoding, Template, TurnOutcome, template
from woodstock.scsp.preprocess import preprocess
from woodstock.scsp.solver import Solver

ENCODINGS: tuple[Encoding, ...] = ("boolean", "multivalued")
PROPAGATIONS = ("ct", "str2")
MAX_PLIES = 200
MAX_NODES = 100_000
"""Of the search with dom/ddeg, which guesses where the order of the network would not."""

Row = dict[str, Any]


def outcomes(state: State) -> set[TurnOutcome]:
    """What the engine says follows on a state."""
    scores = tuple(state.goal(role) for role in state.roles)
    if state.is_terminal:
        return {TurnOutcome((None,) * len(scores), state.fluents, True, scores)}
    return {TurnOutcome(joint, after.fluents, False, scores) for joint, after in state.successors()}


def width(state: State) -> int:
    """How many joint moves there are."""
    found = 1
    for role in state.roles:
        found *= len(state.legal_moves(role))
    return found


def match(game: Game, seed: int) -> list[State]:
    """The states of a random match, as far as it goes."""
    rng = random.Random(f"networks/{seed}")
    states = [game.initial_state()]
    while not states[-1].is_terminal and len(states) <= MAX_PLIES and width(states[-1]):
        states.append(states[-1].apply(states[-1].random_joint_move(rng)))
    return states


def spread(states: list[State], count: int) -> list[State]:
    """Some states of a match, the first and the last among them."""
    if len(states) <= count:
        return states
    places = {round(i * (len(states) - 1) / max(1, count - 1)) for i in range(count)}
    return [states[place] for place in sorted(places)]


def solved(turn: Template, network: Network, propagation: str) -> set[TurnOutcome]:
    """The outcomes of all solutions of a network."""
    names = [turn.turn.builder.names[variable] for variable in turn.columns]
    solver = Solver(network, propagation=propagation, heuristic="lex")
    return {turn.outcome(found) for found in solver.solutions(project=names)}


def found_outcomes(
    turn: Template, state: State, fast: dict[str, Any], whole: bool
) -> Iterator[tuple[str, set[TurnOutcome]]]:
    """The outcomes of a state by every road."""
    for propagation, solver in fast.items():
        yield f"template, {propagation}", solver.solutions(state)
    if whole:
        network = turn.inject(state)
        small = preprocess(network)
        for propagation in PROPAGATIONS:
            yield f"network, {propagation}", solved(turn, network, propagation)
            yield f"preprocessed, {propagation}", solved(turn, small, propagation)


def counted(turn: Template, state: State) -> int | None:
    """How many solutions the search with dom/ddeg finds; None where it does not get through."""
    solver = turn.solver(heuristic="dom/ddeg")
    try:
        if not solver.enter(state):
            return 0
        found = solver.solver.solve(max_nodes=MAX_NODES)
        return found.count if found.complete else None
    finally:
        solver.leave()


def difference(expected: set[TurnOutcome], found: set[TurnOutcome]) -> str:
    """What is wrong, in short."""
    missing, extra = expected - found, found - expected
    return f"{len(missing)} of {len(expected)} missing, {len(extra)} too many"


def compare(name: str, options: argparse.Namespace) -> Row:
    """One game: sizes, and all comparisons within the budget of CPU seconds."""
    row: Row = {"game": name, "positions": 0, "solutions": 0, "comparisons": 0, "skipped": []}
    limits = GroundingLimits(seconds=options.ground_seconds)
    try:
        source = Path(options.folder) / "games" / f"{name}.kif" if options.folder else name
        game = Game.load(source, engine="circuit", limits=limits)
    except WoodstockError as problem:
        row["refused"] = str(problem)
        return row
    for encoding in ENCODINGS:
        begun = time.process_time()
        try:
            turn = template(game, encoding)
        except WoodstockError as problem:
            row["refused"] = f"{encoding}: {problem}"
            return row
        seconds = time.process_time() - begun
        row[encoding] = {**turn.statistics, "seconds": round(seconds, 2)}
        hold(game, turn, row, options)
        if "difference" in row:
            break
    row["skipped"] = sorted(set(row["skipped"]))
    return row


def compare_in_time(name: str, options: argparse.Namespace) -> Row:
    """The same, but broken off after a number of CPU seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, options.limit)
    try:
        return compare(name, options)
    except TimeoutError:
        row: Row = {"game": name, "positions": 0, "solutions": 0, "comparisons": 0, "skipped": []}
        row["refused"] = f"not done within {options.limit:g} CPU seconds"
        return row
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def hold(game: Game, turn: Template, row: Row, options: argparse.Namespace) -> None:
    """Compare one template with the circuit along random matches."""
    begun = time.process_time()
    fast = {propagation: turn.solver(propagation=propagation) for propagation in PROPAGATIONS}
    for seed in range(options.matches):
        states = match(game, seed)
        whole = {id(state) for state in spread(states, options.whole)}
        for state in spread(states, options.positions):
            if time.process_time() - begun > options.seconds:
                row["skipped"].append(f"{turn.encoding}: out of time")
                return
            if width(state) > options.width:
                row["skipped"].append(f"{width(state):,} joint moves")
                continue
            expected = outcomes(state)
            row["positions"] += 1
            row["solutions"] += len(expected)
            count = counted(turn, state) if id(state) in whole else None
            if count is not None:
                row["comparisons"] += 1
                if count != len(expected):
                    row["difference"] = f"{turn.encoding}: {count} solutions by dom/ddeg"
                    return
            for road, found in found_outcomes(turn, state, fast, id(state) in whole):
                row["comparisons"] += 1
                if found != expected:
                    row["difference"] = f"{turn.encoding}, {road}: {difference(expected, found)}"
                    row["state"] = state.to_json()
                    return


def table(rows: list[Row]) -> str:
    """The sizes of the networks as a table in Markdown."""
    lines = [
        "# The games of the library as networks",
        "",
        "The template of a turn in both encodings, which [scsp-games.md](scsp-games.md) explains,",
        "and the CPU seconds to make it from the ground rules. Measured by",
        "",
        "    python benchmarks/networks.py --positions 0 --markdown docs/networks-table.md",
        "",
        "| game | encoding | variables | largest domain | constraints | largest table | seconds |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        for encoding in ENCODINGS:
            if encoding in row:
                figures = row[encoding]
                keys = ("variables", "largest_domain", "constraints", "largest_table")
                cells = [f"{figures[key]:,}" for key in keys]
                cells.append(f"{figures['seconds']:.2f}")
                lines.append(f"| {row['game']} | {encoding} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Parse the command line, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", help="public rulesheets instead of the library")
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--positions", type=int, default=20, help="of a match")
    parser.add_argument("--whole", type=int, default=3, help="of them, as networks too")
    parser.add_argument("--width", type=int, default=5000, help="most joint moves of a position")
    parser.add_argument("--seconds", type=float, default=30.0, help="for an encoding of a game")
    parser.add_argument("--limit", type=float, default=300.0, help="for a game, all in all")
    parser.add_argument("--ground-seconds", type=float, default=20.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    names = options.names
    if not names and options.folder:
        names = sorted(path.stem for path in (Path(options.folder) / "games").glob("*.kif"))
    names = names or list(games.names())
    rows = []
    with get_context("spawn").Pool(options.jobs, maxtasksperchild=8) as pool:
        for row in pool.imap_unordered(partial(compare_in_time, options=options), names):
            rows.append(row)
            verdict = row.get("difference") or row.get("refused") or "equal"
            print(
                f"{row['game']}: {row['positions']} positions, {verdict}",
                file=sys.stderr,
                flush=True,
            )
    rows.sort(key=lambda row: str(row["game"]))
    wrong = [row["game"] for row in rows if "difference" in row]
    summary = {
        "games": len(rows),
        "equal": sum(1 for row in rows if row["comparisons"] and "difference" not in row),
        "different": wrong,
        "refused": {row["game"]: row["refused"] for row in rows if "refused" in row},
        "solutions": sum(row["solutions"] for row in rows),
        "comparisons": sum(row["comparisons"] for row in rows),
    }
    print(json.dumps({"summary": summary, "rows": rows}, indent=1))
    if options.markdown:
        options.markdown.write_text(table(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
