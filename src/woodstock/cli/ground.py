"""``woodstock ground``: how large the ground rules of a game are."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console

from woodstock.cli.guard import WRONG, print_json
from woodstock.cli.options import (
    AsJson,
    GameArgument,
    MemoryOption,
    SecondsOption,
    limits,
    load_rules,
)
from woodstock.cli.progress import Working
from woodstock.cli.tables import figure_table
from woodstock.errors import CircuitError, GroundingError

__all__ = ["command"]

_WORDS = {
    "rules": "ground rules",
    "atoms": "atoms",
    "literals": "literals in bodies",
    "fluents": "fluents",
    "moves": "moves",
    "components": "strongly connected components",
    "recursive_components": "recursive components",
    "largest_recursive_component": "atoms in the largest recursive one",
    "depth": "depth",
    "mutex_groups": "groups of fluents that exclude one another",
    "mutex_exactly_one": "of them with exactly one at any time",
    "instances": "rules the grounder wrote",
    "bytes": "bytes held",
    "seconds": "CPU seconds",
    "memory_mb": "megabytes at most",
    "gates": "gates of the circuit",
    "gate_inputs": "inputs of gates",
    "gate_depth": "gates on the longest path",
    "recursions": "parts that run to a fixpoint",
    "instructions": "instructions for a step of play",
    "operands": "their operands",
    "guarded": "operands skipped where a guard sleeps",
    "guards": "guards",
    "runs": "runs of like instructions",
    "slots": "vectors held for a batch",
    "lanes": "games in a batch",
    "circuit_bytes": "bytes of the circuit",
    "compile_seconds": "CPU seconds of compiling",
}


def command(
    game: GameArgument,
    stats: Annotated[
        bool, typer.Option("--stats", help="All figures, also those of the circuit.")
    ] = False,
    no_split: Annotated[
        bool, typer.Option("--no-split", help="Ground the rules as they stand, unsplit.")
    ] = False,
    mutex: Annotated[
        bool, typer.Option("--mutex", help="Also find fluents that exclude one another.")
    ] = False,
    seconds: SecondsOption = limits.seconds,
    memory_mb: MemoryOption = limits.memory_mb,
    as_json: AsJson = False,
) -> None:
    """Ground the rules of a game and say what comes of it.

    Exit code 1 when a limit is met; the lifted engine still plays such a game.
    """
    from woodstock.circuit.engine import CircuitEngine
    from woodstock.ground.grounder import ground_rules
    from woodstock.ground.mutex import find_groups

    name, rules = load_rules(game)
    try:
        with Working(f"Grounding {game}"):
            bounds = replace(limits, seconds=seconds, memory_mb=memory_mb)
            grounding = ground_rules(rules, bounds, split=not no_split)
    except GroundingError as problem:
        message = f"{name}: {problem}; the lifted engine still plays it"
        if as_json:
            answer = {"game": name, "ok": False, "split": not no_split}
            print_json({**answer, "reason": problem.reason, "error": message})
        else:
            Console(highlight=False, soft_wrap=True).print(message, markup=False, style="red")
        raise typer.Exit(WRONG) from None
    figures = grounding.statistics
    notes = []
    if stats:
        try:
            with Working(f"Compiling {game}"):
                figures |= CircuitEngine(grounding, rules.roles).statistics
        except CircuitError as problem:
            notes.append(f"there is no circuit: {problem}")
    groups = find_groups(grounding) if mutex else []
    if mutex:
        figures["mutex_groups"] = len(groups)
        figures["mutex_exactly_one"] = sum(group.exactly_one for group in groups)
    if as_json:
        found = [{"pattern": g.pattern, "exactly_one": g.exactly_one} for g in groups]
        answer = {"game": name, "ok": True, "split": not no_split, "notes": notes, **figures}
        print_json({**answer, "mutexes": found} if mutex else answer)
        return
    few = ("rules", "atoms", "fluents", "moves", "recursive_components", "seconds", "memory_mb")
    shown = [
        (_WORDS.get(key, key.replace("_", " ")), figures[key])
        for key in sorted(figures, key=_order)
        if stats or key in few or key.startswith("mutex")
    ]
    console = Console(highlight=False)
    console.print(f"{name}, {'not split' if no_split else 'split'}", markup=False, style="bold")
    for note in notes:
        console.print(f"Note: {note}", markup=False, style="yellow")
    console.print(figure_table(shown))


def _order(key: str) -> int:
    known = list(_WORDS)
    return known.index(key) if key in known else len(known)
