"""Figures of the papers' tables that need no match: sizes of networks, numbers of symmetries.

Each is measured in a process of its own, which may take a while and no longer, and is kept in the
store.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from woodstock import __version__
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.lifeline import hold_line, sheltered
from woodstock.scsp.encode import template
from woodstock.symmetry import rule_symmetries
from woodstock.tournament.facts import GameSource
from woodstock.tournament.store import ResultStore

__all__ = ["measured", "network_sizes", "symmetry_count"]

SECONDS = 300.0
"""How long a measurement may take."""


def network_sizes(game: str) -> list[float]:
    """Variables, largest domain, constraints and CPU seconds of the network of a turn.

    >>> network_sizes("tic-tac-toe")[:3]
    [46, 11, 75]
    """
    loaded = Game.load(game)
    begun = time.process_time()
    network = template(loaded, "multivalued").network
    seconds = time.process_time() - begun
    largest = max((len(variable.domain) for variable in network.variables), default=0)
    return [len(network.variables), largest, len(network.hard), round(seconds, 2)]


def symmetry_count(game: str) -> list[float]:
    """The number of symmetries of the rules, but for doing nothing.

    >>> symmetry_count("tic-tac-toe")
    [7]
    """
    return [rule_symmetries(Game.load(game), seconds=SECONDS / 2).order - 1]


def measured(
    store: ResultStore, name: str, measure: Callable[[str], list[float]], game: str, play: bool
) -> list[float] | str | None:
    """A measurement as the store has it; measured now if it is missing and `play` says so.

    A text is the reason why there is none, None that nobody has tried.
    """
    key = f"{name}|{GameSource.find(game).key}|{__version__}"
    known = store.measure(key)
    if known is None and play:
        known = _apart(measure, game)
        store.keep_measure(key, known)
    return known  # type: ignore[no-any-return]


def _apart(measure: Callable[[str], list[float]], game: str) -> list[float] | str:
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_measure, args=(measure, game, theirs), daemon=True)
    with sheltered():
        child.start()
    theirs.close()
    try:
        if not ours.poll(SECONDS):
            return f"it took longer than {SECONDS:.0f} s"
        found: Any = ours.recv()
    except EOFError:
        return "the process that measured it died"
    finally:
        child.kill()
        child.join()
    return found  # type: ignore[no-any-return]


def _measure(measure: Callable[[str], list[float]], game: str, answer: Connection) -> None:
    hold_line()
    try:
        answer.send(measure(game))
    except (WoodstockError, ValueError, MemoryError) as problem:
        answer.send(f"{type(problem).__name__}: {str(problem).splitlines()[0]}")
