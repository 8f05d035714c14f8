"""``woodstock solve``: the solutions, or the best policy, of a constraint network in a file."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working
from woodstock.cli.solutions import answer_json, print_answer, print_array, print_lines, tell_only
from woodstock.errors import NetworkError

if TYPE_CHECKING:
    from woodstock.scsp import Network, Objective, Optimum

__all__ = ["command"]


class Propagation(str, Enum):
    """The propagators of tables."""

    CT = "ct"
    STR2 = "str2"
    STR = "str"
    FC = "fc"


class Heuristic(str, Enum):
    """How the next variable is chosen."""

    DOM_DDEG = "dom/ddeg"
    DOM_WDEG = "dom/wdeg"
    DOM = "dom"
    LEX = "lex"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A network in XCSP3.")],
    every: Annotated[
        bool, typer.Option("--all", help="All solutions, not only the first.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only how many solutions there are.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Stop at so many solutions.", show_default=False)
    ] = None,
    propagation: Annotated[
        Propagation,
        typer.Option(help="Compact-Table, simple tabular reduction, or forward checking alone."),
    ] = Propagation.CT,
    heuristic: Annotated[
        Heuristic, typer.Option(help="The variable to choose first.")
    ] = Heuristic.DOM_DDEG,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Only these variables, with commas between them: solutions that agree on them "
            "are one.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a constraint network: its solutions, the best of them, or the best policy.

    Without chance: the first solution, all of them, or their number; where the file minimises or
    maximises, those that are proved to be best. With chance: the best policy and its value; --all,
    --count, --limit and --only look at the solutions of the hard part instead. Solutions are
    printed as they are found.
    """
    from woodstock.scsp.xcsp3 import read_file

    if every and count:
        raise UsageError("--all and --count exclude one another")
    policy = not (every or count or limit or only)
    most = (limit or 0) if every or count or limit else 1
    asked = _Asked(file, every, count, most, as_json, propagation.value, heuristic.value)
    try:
        with Working(f"Reading {file}"):
            network = read_file(file)
        asked.only = _wanted(network, only)
        if policy and network.stochastic:
            _show_policy(network, asked)
            return
        _show_solutions(network, asked)
    except MemoryError:
        raise NetworkError(
            f"there is not enough memory for {file}; --limit, --count and --only take less"
        ) from None


@dataclass
class _Asked:
    """What was asked for."""

    file: Path
    every: bool
    count: bool
    most: int
    as_json: bool
    propagation: str
    heuristic: str
    only: list[str] | None = None


def _show_policy(network: Network, asked: _Asked) -> None:
    from woodstock.scsp.answers import answer_of

    begun = time.process_time()
    with Working(f"Looking for the best policy of {asked.file}"):
        answer = answer_of(network)
    if not asked.as_json:
        print_answer(network, answer)
        return
    seconds = round(time.process_time() - begun, 4)
    print_json({"file": str(asked.file), **answer_json(network, answer), "seconds": seconds})


def _show_solutions(network: Network, asked: _Asked) -> None:
    from woodstock.scsp.objective import optimal
    from woodstock.scsp.solver import Solver
    from woodstock.scsp.xcsp3.names import to_json

    begun = time.process_time()
    objective = network.objective
    with Working(f"Solving {asked.file}") as line:
        best = None if objective is None else _best(network, asked, line)
        solver = Solver(
            network if best is None else optimal(network, best.value),
            propagation=asked.propagation,
            heuristic=asked.heuristic,
        )
        none = objective is not None and best is None
        stream: Iterator[Mapping[str, Any]]
        if none:
            stream = iter([])
        elif best is not None and asked.most == 1:
            stream = iter([best.solution])  # found on the way to the proof
        else:
            stream = solver.stream(limit=asked.most, project=asked.only)
        if asked.count:
            whole = asked.only is None and not none
            number = solver.count(limit=asked.most) if whole else sum(1 for _ in stream)
        else:
            # The line on the terminal has to go before solutions come.
            first = list(islice(stream, 1))
    if not asked.as_json and objective is not None:
        _print_best(objective, best)
    if not asked.count:
        found = (_ordered(network, asked, one) for one in chain(first, stream))
        number = print_array(found, asked.file) if asked.as_json else print_lines(found)
    rest: dict[str, Any] = {
        "satisfiable": number > 0,
        "count": number,
        "complete": not asked.most or number < asked.most,
        "statistics": dict(solver.statistics),
        "seconds": round(time.process_time() - begun, 4),
    }
    if objective is not None:
        value = None if best is None else to_json(best.value, objective.variable)
        rest["objective"] = {objective.word: objective.variable, "best": value}
    _finish(asked, number, rest)
    if number and not asked.as_json and not asked.count and asked.only is None:
        tell_only(network)


def _ordered(network: Network, asked: _Asked, solution: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be shown of a solution: the variables that somebody has named come first."""
    names = asked.only or [v.name for v in (*network.named, *network.auxiliary)]
    return {name: solution[name] for name in names}


def _finish(asked: _Asked, number: int, rest: dict[str, Any]) -> None:
    """What comes after the solutions: the rest of the JSON object, or their number."""
    if asked.as_json:
        if asked.count:
            print_json({"file": str(asked.file), "solutions": None, **rest})
        else:
            sys.stdout.write(f", {json.dumps(rest)[1:]}\n")
        return
    if asked.count:
        sys.stdout.write(f"{number:,} solution{'s' if number != 1 else ''}\n")
    elif not number:
        sys.stdout.write("no solution\n")
    if (asked.count or asked.every) and not rest["complete"]:
        sys.stdout.write("there may be more: the limit was met\n")


def _best(network: Network, asked: _Asked, line: Working) -> Optimum | None:
    """The best solution; the line tells how far the search has come, also when it is stopped."""
    from woodstock.scsp.objective import best_solution

    found: list[Optimum] = []

    def tell(better: Optimum) -> None:
        found.append(better)
        line.update(f"Solving {asked.file}: {better.value} is found, looking for better")

    try:
        return best_solution(network, on_better=tell)
    except KeyboardInterrupt:
        if found and not asked.as_json:
            sys.stdout.write(f"stopped; {found[-1].value} is the best so far, not proved\n")
            print_lines([_ordered(network, asked, found[-1].solution)])
        raise


def _print_best(objective: Objective, best: Optimum | None) -> None:
    if best is not None:
        word = "most" if objective.maximise else "least"
        sys.stdout.write(f"{best.value} is the {word} that can be reached (proved)\n")


def _wanted(network: Network, only: list[str] | None) -> list[str] | None:
    """The names of the variables to show; a name with a comma in it can stand alone."""
    if only is None:
        return None
    parts = ([text] if text in network else text.split(",") for text in only)
    names = list(dict.fromkeys(name.strip() for part in parts for name in part))
    for name in names:
        try:
            network.index(name)
        except NetworkError as problem:
            raise UsageError(f"--only: {problem}") from None
    return names
