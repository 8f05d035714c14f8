"""Asking native searches, and their answers in words."""

from __future__ import annotations

import time
from collections.abc import Callable

from woodstock import _core
from woodstock.circuit.engine import CircuitEngine
from woodstock.search.decision import Decision, Limits, MoveValue

__all__ = ["ask", "in_words", "left"]


def left(limit: float | None, spent: float) -> float | None:
    """What is left of a limit; None where there is none.

    >>> left(1.0, 0.25), left(1.0, 2.0), left(None, 2.0)
    (0.75, 0.0, None)
    """
    return None if limit is None else max(0.0, limit - spent)


def ask(
    think: Callable[..., _core.Decision],
    engine: CircuitEngine,
    limits: Limits,
    on_progress: Callable[[Decision], None] | None,
    *,
    wall: float,
    cpu: float,
    samples: bool = False,
) -> Decision:
    """What a native search finds within limits that count from those readings of the clocks.

    One that `samples` moves ranks them by visits, which is no order for people to read them in.
    """

    def told(found: _core.Decision) -> Decision:
        said = in_words(engine, found)
        return said.advising() if samples else said

    found = think(
        seconds=left(limits.seconds, time.monotonic() - wall),
        cpu_seconds=left(limits.cpu_seconds, time.thread_time() - cpu),
        nodes=limits.nodes,
        simulations=limits.simulations,
        progress=None if on_progress is None else lambda d: on_progress(told(d)),
    )
    return told(found)


def in_words(engine: CircuitEngine, found: _core.Decision) -> Decision:
    """What a native search found, with moves as terms."""
    roles = len(engine.roles)
    line = tuple(map(engine.numbering.move, found.line))
    return Decision(
        move=engine.numbering.move(found.move),
        value=found.value,
        values={player: found.values[engine.roles.index(player)] for player in engine.players},
        moves=tuple(
            MoveValue(
                engine.numbering.move(one.move),
                one.value,
                one.visits,
                one.lower,
                one.upper,
                one.lower == one.upper,
                one.share,
            )
            for one in found.moves
        ),
        line=tuple(line[i : i + roles] for i in range(0, len(line), roles)),
        nodes=found.nodes,
        simulations=found.simulations,
        depth=found.depth,
        proved=found.proved,
        seconds=found.seconds,
        cpu_seconds=found.cpu_seconds,
        bytes=found.bytes,
    )
