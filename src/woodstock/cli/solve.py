"""``woodstock solve``: the solutions of a constraint network in a file."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working

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
    as_json: AsJson = False,
) -> None:
    """Solve a constraint network: the first solution, all of them, or their number.

    Chance and soft constraints of a stochastic network are left aside: its hard part is solved.
    """
    from woodstock.scsp.solver import Solver
    from woodstock.scsp.xcsp3 import read_file

    if every and count:
        raise UsageError("--all and --count exclude one another")
    most = (limit or 0) if every or count or limit else 1
    with Working(f"Reading {file}") as line:
        network = read_file(file)
        line.update(f"Solving {file}")
        begun = time.process_time()
        solver = Solver(network, propagation=propagation.value, heuristic=heuristic.value)
        solutions: list[Mapping[str, Any]] = []
        if count:
            number = solver.count(limit=most)
        else:
            solutions = list(solver.solutions(limit=most))
            number = len(solutions)
        seconds = time.process_time() - begun
    complete = not most or number < most
    if as_json:
        print_json(
            {
                "file": str(file),
                "satisfiable": number > 0,
                "count": number,
                "complete": complete,
                "solutions": None if count else [_plain(solution) for solution in solutions],
                "statistics": dict(solver.statistics),
                "seconds": round(seconds, 4),
            }
        )
        return
    console = Console(highlight=False, soft_wrap=True)
    for text in _texts(solutions):
        console.print(text, markup=False)
    if count:
        console.print(f"{number:,} solution{'s' if number != 1 else ''}", markup=False)
    elif not number:
        console.print("no solution")
    if (count or every) and not complete:
        console.print("there may be more: the limit was met")


def _texts(solutions: list[Mapping[str, Any]]) -> Iterator[str]:
    for solution in solutions:
        yield ", ".join(f"{name} = {value}" for name, value in solution.items())


def _plain(solution: Mapping[str, Any]) -> dict[str, Any]:
    from woodstock.scsp.xcsp3.names import to_json

    return {name: to_json(value, name) for name, value in solution.items()}
