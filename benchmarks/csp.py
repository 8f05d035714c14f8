"""Hold our MAC against ACE and CP-SAT: all solutions of the same networks, in one run.

``python benchmarks/csp.py [--markdown docs/csp-table.md] [NAME ...]`` measures networks of games
and standard instances of table constraints, which it generates. Times are CPU seconds of the
search alone: no start of a process or of Java, no reading, no building of a model. Each solver
stops after ``--seconds``, and its rate is what it found until then. Numbers of solutions must
agree where two solvers have found all.

``python benchmarks/csp.py --agree 5000 [--seed 1]`` compares numbers of solutions on so many small
random networks instead, and times nothing.

Needs ``pip install 'woodstock[solvers]'``; a solver that is not there is left out. One JSON object
goes to standard output, progress to standard error; the exit code is 1 when numbers differ or a
ratio is below its bar.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shlex
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from csp_instances import Instance, game_instances, random_small, table_instances
from rich.console import Console

from woodstock import WoodstockError
from woodstock._core import CspSolver
from woodstock.scsp import Network
from woodstock.scsp.outside import OutsideResult, SolverError, ace, cp_sat, has_ace, has_cp_sat
from woodstock.scsp.solver import Solver, problem_of
from woodstock.scsp.xcsp3 import write_file

BAR = 10
"""How many times the rate of others ours has to be on the networks of games."""

OURS = ("ct", "str2", "fc")
OTHERS = ("ace", "cp-sat")
REPEATED = 0.2  # CPU seconds over which a short search of ours is repeated

Row = dict[str, Any]
log = Console(stderr=True, highlight=False, soft_wrap=True)


def ours(network: Network, propagation: str, limit: int, seconds: float) -> OutsideResult:
    """Our solver; short searches are repeated by fresh solvers, and the median counts.

    The first propagation is part of the search; building the solver is not.
    """
    problem = problem_of(network)
    times: list[float] = []
    count, late = 0, threading.Event()
    while not late.is_set() and (not times or sum(times) < REPEATED):
        solver = CspSolver(problem, propagation=propagation)

        def stop(running: CspSolver = solver) -> None:
            late.set()
            running.stop()

        timer = threading.Timer(seconds, stop)
        timer.start()
        begun = time.process_time()
        count = solver.count(limit)
        times.append(time.process_time() - begun)
        timer.cancel()
    return OutsideResult(
        count, not late.is_set() and not (limit and count >= limit), statistics.median(times)
    )


def theirs(solver: str, network: Network, path: Path, limit: int, seconds: float) -> OutsideResult:
    """One of the solvers of others."""
    if solver == "cp-sat":
        return cp_sat(network, limit=limit, timeout=seconds)
    return ace(path, limit=limit, timeout=seconds + 120, options=[f"-t={seconds:.0f}s"])


def measure(instance: Instance, solvers: Sequence[str], seconds: float) -> Row:
    """All solvers on one network."""
    network = instance.make()
    row: Row = {
        "name": instance.name,
        "group": instance.group,
        "variables": len(network.variables),
        "constraints": len(network.hard),
        "limit": instance.limit,
        "seconds": {},
        "solutions": {},
        "complete": {},
        "rate": {},
        "problems": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.xml"
        if "ace" in solvers:
            write_file(network, path, annotate=False)
        for solver in solvers:
            try:
                if solver in OURS:
                    found = ours(network, solver, instance.limit, seconds)
                else:
                    found = theirs(solver, network, path, instance.limit, seconds)
            except SolverError as problem:
                row["problems"].append(f"{solver}: {problem}")
                continue
            spent = max(found.seconds, 1e-3 if solver == "ace" else 1e-7)  # ACE has milliseconds
            row["seconds"][solver] = spent
            row["solutions"][solver] = found.count
            row["complete"][solver] = found.complete
            # A network without solutions is solved once: the proof counts as one.
            row["rate"][solver] = max(found.count, int(found.complete)) / spent
    counts = {row["solutions"][s] for s, complete in row["complete"].items() if complete}
    if len(counts) > 1:
        row["problems"].append(f"numbers of solutions differ: {row['solutions']}")
    row["ratio"] = {
        solver: row["rate"]["ct"] / row["rate"][solver] if row["rate"][solver] else None
        for solver in solvers
        if solver != "ct" and solver in row["rate"]
    }
    return row


def attempt(instance: Instance, solvers: Sequence[str], seconds: float) -> Row:
    """The same; what goes wrong is part of the answer, and what comes out is told."""
    try:
        row = measure(instance, solvers, seconds)
    except WoodstockError as problem:
        row = {"name": instance.name, "group": instance.group, "ratio": {}}
        row["problems"] = [f"{type(problem).__name__}: {problem}"]
    told = ", ".join(f"{s} {t:.3g} s" for s, t in row.get("seconds", {}).items())
    log.print(f"{row['name']}: {told} {'; '.join(row['problems'])}", markup=False)
    return row


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def stopped(row: Row, solver: str) -> bool:
    """Whether the time was over before the solver had found all it was to find."""
    if solver not in row.get("complete", {}):
        return False
    met = row["limit"] and row["solutions"][solver] >= row["limit"]
    return not row["complete"][solver] and not met


def summary(rows: Sequence[Row]) -> Row:
    """For each group and solver, the least and the mean ratio of our rate to theirs."""
    found: Row = {}
    for group in dict.fromkeys(row["group"] for row in rows):
        members = [row for row in rows if row["group"] == group]
        found[group] = {"networks": len(members)}
        for solver in dict.fromkeys(s for row in members for s in row["ratio"]):
            ratios = {row["name"]: row["ratio"].get(solver) for row in members}
            known = {name: ratio for name, ratio in ratios.items() if ratio}
            if known:
                least = min(known, key=lambda name: known[name])
                found[group][solver] = {
                    "networks": len(known),
                    "stopped": sum(stopped(row, solver) for row in members),
                    "mean": round(mean(list(known.values())), 2),
                    "least": round(known[least], 2),
                    "where": least,
                }
    return found


PAGE = """# All solutions, by ours and by others

CPU seconds of the search for all solutions of the same networks, on one thread, by our MAC with
Compact-Table (CT) and with STR2, by forward checking (FC), by ACE and by OR-Tools' CP-SAT. Nobody's
start counts: no process, no Java, no reading, no building of a model. Measured in one run by

    {command}

*Turns* are lines of play of a game from a position, unrolled; *any state* is one turn from any
state whatever, of which everybody finds {limit:,}. A time with > is where a solver was stopped; its
rate is that of the solutions it had by then. *ACE / CT* is the rate of CT divided by that of ACE,
and so on; – where nothing was found in time. Searches of ours shorter than {repeated} s are
repeated, and the median counts; Java compiles while ACE searches, which makes its short searches
slower than its long ones. The time to stop is by the clock, so a solver that is stopped on a busy
machine has had less than it seems, and looks worse than it is.

{summary}

| network | variables | constraints | solutions | CT | STR2 | FC | ACE | CP-SAT | \
ACE / CT | CP-SAT / CT | STR2 / CT | FC / CT |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def markdown(rows: Sequence[Row], found: Row, command: str) -> str:
    """The measurements as a page."""
    lines = []
    for group, figures in found.items():
        for solver in (*OTHERS, "str2", "fc"):
            if solver in figures:
                one = figures[solver]
                lines.append(
                    f"* {group}, {solver.upper()}: {one['mean']:.3g} times in the mean, "
                    f"{one['least']:.3g} times at least ({one['where']}); {one['networks']} of "
                    f"{figures['networks']} networks compared, {one['stopped']} times stopped"
                )
    page = PAGE.format(
        command=command,
        limit=max(row["limit"] for row in rows),
        repeated=REPEATED,
        summary="\n".join(lines),
    )
    for row in rows:
        times = []
        for solver in ("ct", "str2", "fc", "ace", "cp-sat"):
            if solver not in row["seconds"]:
                times.append("–")
                continue
            late = "> " if stopped(row, solver) else ""
            times.append(f"{late}{row['seconds'][solver]:.3g}")
        ratios = [row["ratio"].get(solver) for solver in ("ace", "cp-sat", "str2", "fc")]
        cells = [
            row["name"],
            *(f"{row[key]:,}" for key in ("variables", "constraints")),
            f"{row['solutions']['ct']:,}",
            *times,
            *("–" if ratio is None else f"{ratio:.3g}" for ratio in ratios),
        ]
        page += f"| {' | '.join(cells)} |\n"
    return page


def agree(number: int, seed: int, solvers: Sequence[str]) -> int:
    """Numbers of solutions on small random networks; the exit code."""
    rng = random.Random(seed)
    differ = []
    for place in range(number):
        network = random_small(rng)
        counts = {solver: Solver(network, propagation=solver).count() for solver in OURS}
        if "cp-sat" in solvers:
            counts["cp-sat"] = cp_sat(network).count
        if len(set(counts.values())) > 1:
            differ.append({"place": place, "counts": counts})
        if (place + 1) % 500 == 0:
            log.print(f"{place + 1:,} of {number:,} networks, {len(differ)} differ")
    print(json.dumps({"networks": number, "seed": seed, "solvers": solvers, "differ": differ}))
    return int(bool(differ))


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="networks with this in their name")
    parser.add_argument("--seconds", type=float, default=30, help="time for a solver on a network")
    parser.add_argument("--solvers", default="ct,str2,fc,ace,cp-sat", help="who takes part")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write a page")
    parser.add_argument("--agree", type=int, metavar="N", help="compare numbers on N random ones")
    parser.add_argument("--seed", type=int, default=1, help="for --agree")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = options_of(arguments)
    missing = {s for s, there in (("ace", has_ace()), ("cp-sat", has_cp_sat())) if not there}
    solvers = [s for s in options.solvers.split(",") if s not in missing]
    for solver in sorted(missing):
        log.print(f"{solver} is not installed")
    if options.agree:
        return agree(options.agree, options.seed, solvers)
    chosen = [
        instance
        for instance in (*game_instances(), *table_instances())
        if not options.names or any(name in instance.name for name in options.names)
    ]
    rows: list[Row] = []
    try:
        for instance in chosen:
            rows.append(attempt(instance, solvers, options.seconds))
    except KeyboardInterrupt:
        log.print(f"interrupted after {len(rows)} of {len(chosen)} networks")
    found = summary(rows)
    bars = [found.get("games", {}).get(s, {}).get("least", BAR) >= BAR for s in OTHERS]
    print(json.dumps({"bar": BAR, "bar_met": all(bars), "summary": found, "rows": rows}, indent=1))
    if options.markdown:
        command = shlex.join(["python", "benchmarks/csp.py", *(arguments or sys.argv[1:])])
        measured = [row for row in rows if "rate" in row]
        options.markdown.write_text(markdown(measured, found, command), encoding="utf-8")
    return int(not all(bars) or any(row["problems"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
