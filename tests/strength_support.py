"""What the tests of the ring share: matches that are made up."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

from result_lines import Record
from strength import Pairing, Ring
from strength_match import Match


def pairing(game: str = "nim", first: str = "good", second: str = "bad", **more: Any) -> Pairing:
    settings: dict[str, Any] = {"cpu": 0.1, "opening": 0, "seatings": 2, "max_matches": 200}
    return Pairing(game, first, second, **settings | more)


def fake(scores: Callable[[Match], float], seen: list[str] | None = None) -> Any:
    """Instead of a match, a number."""

    def play(match: Match) -> Record:
        if seen is not None:
            seen.append(match.id)
        found = {"id": match.id, **asdict(match), "score": scores(match), "seatings": 2}
        found |= {"seats": [match.seating, 1 - match.seating], "goals": [50, 50]}
        return {**found, "cpu_longest": [0.11, 0.12]}

    return play


def play_all(ring: Ring, play: Callable[[Match], Record]) -> None:
    ring.run(lambda: ThreadPoolExecutor(1), 1, play)
