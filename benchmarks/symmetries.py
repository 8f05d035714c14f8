"""The symmetries of every game, and what they save.

``python benchmarks/symmetries.py [--folder FOLDER] [NAME ...]`` looks at the games of the library,
or at the rulesheets in FOLDER (``*.kif``, also in folders below). For each game:

* the order of the group of the rules, and of the subgroup that keeps the initial state, from the
  graph of the ground rules; the same from the microstructure of a turn, as far as the time reaches;
* whether nauty, or BLISS through python-igraph, finds the same order in the same graph;
* how many states there are to some depth, and how many up to symmetry: `saved` is the share of the
  tree (without transpositions) that need not be searched;
* how often, in positions of random matches, the rules that are left have more symmetries than those
  of the whole game that keep the position.

One JSON object goes to standard output, progress to standard error; ``--markdown FILE`` writes a
table. The exit code is 1 when two engines differ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rich.progress import Progress

from woodstock import Game, State, WoodstockError, _core, games
from woodstock.ground.limits import GroundingLimits
from woodstock.symmetry import Symmetries, rule_symmetries

SECONDS = 20.0
"""For one group."""
STATES = 20_000
"""The tree is looked at to the depth at which it has more states than so many."""
POSITIONS = 6
BLISS_LIMIT = 10**6
"""BLISS has no limit of time: it is asked about groups up to this order."""

PUBLISHED = {
    "amazons-torus-10x10": 84.5,
    "battlebrushes": 77.01,
    "breakthrough-suicide": 84.54,
    "chess": 83.97,
    "connect-four-20x20": 91.02,
    "connect-four-simultaneous": 65.16,
    "copolymer-pie": 70.24,
    "dots-and-boxes-suicide": 59.68,
    "english-draughts": 82.6,
    "free-for-all-2p": 19.35,
    "hex": 71.18,
    "knight-through": 71.35,
    "majorities": 75.85,
    "pentago": 15.97,
    "quarto": 12.28,
    "shmup": 33.33,
    "skirmish-zero-sum": 83.02,
    "tic-tac-chess-2p": 76.64,
    "ttcc4-2p": 86.61,
    "reversi-suicide": 61.36,
    "backgammon": 88.4,
    "cant-stop": 89.06,
    "kaseklau": 58.68,
    "pickomino": 84.5,
    "yahtzee": 91.48,
    "guess-dice": 0.0,
    "mastermind": 0.0,
    "monty-hall": 0.0,
    "vacuum-cleaner-random": 83.79,
    "wumpus": 78.95,
    "pacman-hidden": 20.63,
    "schnappt-hubi": 94.1,
    "sheep-and-wolf-hidden": 61.0,
    "latent-tic-tac-toe-10x10": 79.23,
    "war": 56.8,
}
"""The share of the tree that MAC-UCB-SYM saved, in per cent (Koriche, Lagrue, Piette and Tabary,
JFPC 2016, Table 2, column Ame)."""

Row = dict[str, Any]


def orders(game: Game, row: Row) -> Symmetries:
    """The groups of the rules, and whether others find the same."""
    begun = time.process_time()
    whole = rule_symmetries(game, seconds=SECONDS)
    row["seconds"] = round(time.process_time() - begun, 3)
    kept = rule_symmetries(game, keep=game.initial_state(), seconds=SECONDS)
    row["rules"], row["kept"] = text(whole.order), text(kept.order)
    row["complete"] = whole.complete and kept.complete
    row["idle"] = len(whole.idle)
    confirmed = []
    if "nauty" in _core.automorphism_engines():
        found = rule_symmetries(game, seconds=SECONDS, engine="nauty")
        if found.complete and whole.complete:
            row["nauty"] = found.order == whole.order
            confirmed.append(row["nauty"])
    if find_spec("igraph") is not None and whole.complete and whole.order < BLISS_LIMIT:
        row["bliss"] = by_bliss(game) == raw_order(game)
        confirmed.append(row["bliss"])
    row["confirmed"] = all(confirmed) if confirmed else None
    return kept


def graph_of(game: Game) -> Any:
    """The graph of a game's rules."""
    engine = game.circuit()
    return _core.rule_graph(engine.grounding.program)


def by_bliss(game: Game) -> int:
    """The order that BLISS finds, with percepts and all that is in the graph."""
    graph = graph_of(game)
    edges = list(zip(graph.edges[::2], graph.edges[1::2]))
    other = import_module("igraph").Graph(n=len(graph.colors), edges=edges)
    return int(other.count_automorphisms(color=list(graph.colors)))


def raw_order(game: Game) -> int:
    """The same of our own engine."""
    graph = graph_of(game)
    return int(_core.automorphisms(graph.colors, graph.edges, seconds=SECONDS).order)


def text(order: int) -> int | str:
    """An order, or its size where it has too many digits to be read."""
    return order if order < 10**9 else f"10^{len(str(order)) - 1}"


def template_order(game: Game, row: Row) -> Symmetries | None:
    """The same from the network of a turn."""
    from woodstock.scsp.encode import template
    from woodstock.symmetry.stage_graph import template_symmetries

    begun = time.process_time()
    try:
        turn = template(game)
        whole = template_symmetries(turn, seconds=SECONDS)
        kept = template_symmetries(turn, keep=game.initial_state(), seconds=SECONDS)
    except WoodstockError as problem:
        row["template"] = f"none: {type(problem).__name__}"
        return None
    row["template"], row["template_kept"] = text(whole.order), text(kept.order)
    row["template_seconds"] = round(time.process_time() - begun, 3)
    return kept


def effect(game: Game, found: Symmetries, row: Row) -> None:
    """States and states up to symmetry, layer by layer."""
    engine = game.circuit()
    fold = found.quotient(256)
    stages = _core.CompiledStages(engine.simulator())
    layer, folded = {engine.initial()}, {fold.representative(engine.initial())}
    states = up_to = 1
    depth = 0
    begun = time.process_time()
    while layer and time.process_time() - begun < SECONDS:
        following = {after for state in layer for after in successors(stages, state)}
        if states + len(following) > STATES and depth > 0:
            break
        folded = {fold.representative(after) for after in following}
        layer, depth = following, depth + 1
        states += len(layer)
        up_to += len(folded)
    row |= {"depth": depth, "states": states, "states_up_to_symmetry": up_to}
    row["saved"] = round(1 - up_to / states, 4)


def successors(stages: _core.StageSolver, state: bytes) -> Iterable[bytes]:
    """The states that follow; none where they are too many."""
    solutions = stages.solve(state, 20_000)
    return [] if solutions is None else (after for _, after, _ in solutions)


def later(game: Game, row: Row) -> None:
    """Positions of random matches in which what is left has more symmetries."""
    rng = random.Random("later")
    more = tried = fewer_moves = 0
    for _ in range(POSITIONS):
        line = [game.initial_state()]
        while not line[-1].is_terminal and len(line) < 300:
            line.append(line[-1].apply(line[-1].random_joint_move(rng)))
        state = rng.choice(line[:-1] or line)
        if state.is_terminal:
            continue
        kept = rule_symmetries(game, keep=state, seconds=SECONDS)
        left = rule_symmetries(game, since=state, keep=state, seconds=SECONDS)
        tried += 1
        more += left.order > kept.order
        fewer_moves += count(state, left) < count(state, kept)
    row |= {"positions": tried, "more_symmetries": more, "fewer_moves": fewer_moves}


def count(state: State, found: Symmetries) -> int:
    """Moves up to symmetry."""
    return sum(len(found.orbits(role, state.legal_moves(role))) for role in state.roles)


def examine(where: Connection, name: str, whole: bool) -> None:
    """All about a game; what is known is sent piece by piece."""
    row: Row = {"game": Path(name).stem}
    try:
        limits = GroundingLimits(seconds=60)
        game = Game.load(name, engine="circuit", limits=limits)
        kept = orders(game, row)
        where.send(row)
        other = template_order(game, row) if whole else None
        where.send(row)
        effect(game, kept if other is None or other.order <= kept.order else other, row)
        where.send(row)
        if whole:
            later(game, row)
    except WoodstockError as problem:
        row["problem"] = f"{type(problem).__name__}: {str(problem).splitlines()[0][:100]}"
    except TimeoutError as problem:
        row["problem"] = str(problem)
    where.send(row)


def row_of(name: str, seconds: float, whole: bool) -> Row:
    """What a process of its own finds out in its time."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=examine, args=(there, name, whole), daemon=True)
    process.start()
    there.close()
    row: Row = {"game": Path(name).stem}
    until = time.monotonic() + seconds
    try:
        while here.poll(max(0.0, until - time.monotonic())):
            row = here.recv()
    except EOFError:
        pass
    else:
        row["problem"] = row.get("problem", "out of time")
    process.kill()
    process.join()
    return row


COLUMNS = {
    "game": "Game",
    "rules": "Rules",
    "kept": "of them keep the start",
    "template": "Turn",
    "template_kept": "keep the start",
    "confirmed": "Confirmed",
    "depth": "Depth",
    "states": "States",
    "states_up_to_symmetry": "up to symmetry",
    "saved": "Saved",
    "published": "Saved, papers",
    "more_symmetries": "Positions with more",
    "seconds": "Seconds",
}


def markdown(rows: list[Row]) -> str:
    """The table."""
    lines = [f"| {' | '.join(COLUMNS.values())} |", f"|{'---|' * len(COLUMNS)}"]
    for row in rows:
        cells = []
        for key in COLUMNS:
            value = row.get(key, "")
            if key == "saved" and value != "":
                value = f"{100 * value:.1f} %"
            if key == "published" and row["game"] in PUBLISHED:
                value = f"{PUBLISHED[row['game']]:.1f} %"
            if key == "confirmed":
                value = {True: "yes", False: "NO"}.get(value, "")
            if key == "more_symmetries" and value != "":
                value = f"{value} of {row['positions']}"
            cells.append(f"{value:,}" if isinstance(value, int) else str(value))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Look at all games."""
    parser = argparse.ArgumentParser(description="Symmetries of games and what they save.")
    parser.add_argument("names", nargs="*", help="games of the library; all of them by default")
    parser.add_argument("--folder", type=Path, help="rulesheets to look at as well")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each game")
    parser.add_argument("--quick", action="store_true", help="no networks, no later positions")
    parser.add_argument("--markdown", type=Path, help="write a table here")
    given = parser.parse_args()
    names = list(given.names or (games.names() if given.folder is None else ()))
    if given.folder is not None:
        names += sorted(map(str, given.folder.rglob("*.kif")))
    rows = []
    with Progress(transient=True) as progress:
        task = progress.add_task("games", total=len(names))
        for name in names:
            progress.update(task, description=Path(name).stem)
            rows.append(row_of(name, given.seconds, not given.quick))
            progress.advance(task)
    print(json.dumps({"games": rows}, indent=1))
    if given.markdown is not None:
        given.markdown.write_text(markdown(rows), encoding="utf-8")
    return 1 if any(row.get("confirmed") is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
