"""``woodstock solve``: the solutions of a constraint network in a file."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson
from woodstock.cli.progress import Working
from woodstock.errors import NetworkError

if TYPE_CHECKING:
    from woodstock.scsp import Network

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
    """Solve a constraint network: the first solution, all of them, or their number.

    Chance and soft constraints of a stochastic network are left aside: its hard part is solved.
    Solutions are printed as they are found.
    """
    from woodstock.scsp.solver import Solver
    from woodstock.scsp.xcsp3 import read_file

    if every and count:
        raise UsageError("--all and --count exclude one another")
    most = (limit or 0) if every or count or limit else 1
    try:
        with Working(f"Reading {file}") as line:
            network = read_file(file)
            wanted = _wanted(network, only)
            line.update(f"Solving {file}")
            begun = time.process_time()
            solver = Solver(network, propagation=propagation.value, heuristic=heuristic.value)
            stream = solver.stream(limit=most, project=wanted)
            if count:
                number = solver.count(limit=most) if wanted is None else sum(1 for _ in stream)
            else:
                # The line on the terminal has to go before solutions come.
                first = list(islice(stream, 1))
        if not count:
            show = _print_array if as_json else _print_lines
            number = show(chain(first, stream), file)
    except MemoryError:
        raise NetworkError(
            f"there is not enough memory for {file}; --limit, --count and --only take less"
        ) from None
    complete = not most or number < most
    if as_json:
        rest = {
            "satisfiable": number > 0,
            "count": number,
            "complete": complete,
            "statistics": dict(solver.statistics),
            "seconds": round(time.process_time() - begun, 4),
        }
        if count:
            print_json({"file": str(file), "solutions": None, **rest})
        else:
            sys.stdout.write(f", {json.dumps(rest)[1:]}\n")
        return
    if count:
        sys.stdout.write(f"{number:,} solution{'s' if number != 1 else ''}\n")
    elif not number:
        sys.stdout.write("no solution\n")
    if (count or every) and not complete:
        sys.stdout.write("there may be more: the limit was met\n")


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


def _print_lines(solutions: Iterable[Mapping[str, Any]], _: Path) -> int:
    """One line a solution, whatever names and values of the file are; how many there were."""
    from woodstock.scsp.values import printable

    number = 0
    for solution in solutions:
        number += 1
        text = ", ".join(f"{name} = {value}" for name, value in solution.items())
        sys.stdout.write(f"{printable(text)}\n")
        sys.stdout.flush()
    return number


def _print_array(solutions: Iterable[Mapping[str, Any]], file: Path) -> int:
    """The beginning of the JSON object up to its solutions; how many there were."""
    from woodstock.scsp.xcsp3.names import to_json

    sys.stdout.write(json.dumps({"file": str(file)})[:-1] + ', "solutions": [')
    number = 0
    for solution in solutions:
        number += 1
        plain = {name: to_json(value, name) for name, value in solution.items()}
        sys.stdout.write((", " if number > 1 else "") + json.dumps(plain))
    sys.stdout.write("]")
    return number
