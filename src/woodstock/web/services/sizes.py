"""How large a game is once it is ground and compiled, and how fast it plays.

>>> from woodstock import Game
>>> found = sizes_of(Game.from_library("nim").initial_state(), seconds=0.05)
>>> found["engine"], found["figures"]["moves"] > 0, found["playouts_per_second"] > 0
('circuit', True, True)
"""

from __future__ import annotations

import random
import time
from typing import Any

from woodstock.circuit.engine import CircuitEngine
from woodstock.game import State
from woodstock.ground.engine import PackedEngine

__all__ = ["sizes_of"]

SECONDS = 0.5
"""How long the speed of play is measured."""

WORDS = {
    "atoms": "atoms of the ground rules",
    "rules": "ground rules",
    "literals": "literals in their bodies",
    "fluents": "fluents",
    "moves": "moves",
    "components": "strongly connected components",
    "recursive_components": "recursive components",
    "depth": "depth of the ground rules",
    "gates": "gates of the circuit",
    "gate_inputs": "inputs of gates",
    "gate_depth": "gates on the longest path",
    "instructions": "instructions for a step of play",
    "lanes": "games in a batch",
    "circuit_bytes": "bytes of the circuit",
    "seconds": "CPU seconds of grounding",
    "compile_seconds": "CPU seconds of compiling",
    "memory_mb": "megabytes while grounding",
}
"""The figures that are shown, in order."""


def sizes_of(state: State, *, seconds: float = SECONDS) -> dict[str, Any]:
    """The engine, its figures, and its speed from this state on (from the first, if it is over)."""
    game = state.game
    engine = game.engine
    figures: dict[str, int | float] = {}
    if isinstance(engine, PackedEngine):
        figures |= engine.grounding.statistics
    if isinstance(engine, CircuitEngine):
        figures |= engine.statistics
    clauses = game.rules.sheet.clauses
    start = game.initial_state() if state.is_terminal else state
    return {
        "engine": engine.name,
        "notes": list(game.notes),
        "warnings": [str(warning) for warning in game.warnings[:20]],
        "rules": {"clauses": len(clauses), "rules": sum(bool(clause.body) for clause in clauses)},
        "information": game.information,
        "figures": {key: figures[key] for key in WORDS if key in figures},
        "words": {key: WORDS[key] for key in WORDS if key in figures},
        **_speed(start, seconds),
    }


def _speed(state: State, seconds: float) -> dict[str, Any]:
    if state.game.engine.name == "circuit":
        return _batches(state, seconds)
    return _one_by_one(state, seconds)


def _batches(state: State, seconds: float) -> dict[str, Any]:
    """Whole calls of growing numbers of playouts, so that long games count as short ones do."""
    count, done, plies, spent = 64, 0, 0.0, 0.0
    seed = 0
    while spent < seconds:
        begun = time.perf_counter()
        found = state.playouts(count, seed=seed)
        took = time.perf_counter() - begun
        seed += 1
        spent += took
        done += found.count
        plies += found.mean_length * found.count
        if took < seconds / 8:
            count *= 2
    return _rates(done, plies, spent)


def _one_by_one(state: State, seconds: float) -> dict[str, Any]:
    """Random play until the time is over, in the middle of a match if need be."""
    rng = random.Random(0)
    begun = time.perf_counter()
    done, plies, here = 0, 0, state
    while time.perf_counter() - begun < seconds:
        if here.is_terminal or not all(map(here.legal_moves, here.roles)):
            done += 1
            here = state
            continue
        here = here.apply_unchecked(here.random_joint_move(rng))
        plies += 1
    return _rates(done, plies, time.perf_counter() - begun)


def _rates(done: int, plies: float, spent: float) -> dict[str, Any]:
    return {
        "playouts_per_second": round(done / spent, 1),
        "plies_per_second": round(plies / spent, 1),
        "mean_length": round(plies / done, 1) if done else None,
        "measured_seconds": round(spent, 2),
        "threads": 1,
    }
