"""Matches between two installations: both sides are processes that answer in JSON lines.

A `Setting` says who sits on a side: the interpreter of an installation, a player, and the start
clock it prepares with. `side.py` runs there. Everything else is as in a ring:
the same CPU time for every move, a new tree for every match, openings and luck that depend on the
round alone, nobody asked about a move that is the only one.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from result_lines import Record
from side_match import OPENING_TRIES, Match, load, seatings

from woodstock.belief import Situation
from woodstock.tournament.results import pair_score
from woodstock.tune import EqualMatch, Think, Thought

SCRIPT = Path(__file__).resolve().parent / "side.py"


@dataclass(frozen=True)
class Setting:
    """Who sits on a side. `name` is what it is called in results."""

    name: str
    python: str
    player: str
    start: float = 0.0
    seed: int = 1

    @property
    def label(self) -> str:
        """A text that no other side has, in the results of one file.

        >>> Setting("new", "python", "woodstock", 20).label
        'new woodstock start=20 seed=1'
        """
        return f"{self.name} {self.player} start={self.start:g} seed={self.seed}"


class SideError(RuntimeError):
    """A side that died, or answered with an error."""


class Side:
    """The process of a side, from its first request to `close`."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._process = subprocess.Popen(
            [setting.python, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """The answer to a request; `SideError` where there is none."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        with suppress(BrokenPipeError):  # it has died; what follows says so
            sink.write(json.dumps({"do": do, **request}) + "\n")
            sink.flush()
        line = source.readline()
        if not line:
            raise SideError(f"{self._setting.label} ended with code {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SideError(f"{self._setting.label}: {answer['error']}")
        return answer

    def prepare(self, game: str, folder: Path | None = None) -> dict[str, Any]:
        """Let it spend its start clock on a game, or read what came of that the last time."""
        one = self._setting
        keep = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            words = f"{Path(game).stem} {one.label}"
            keep = str(folder / f"{''.join(c if c.isalnum() else '-' for c in words)}.json")
        wanted = {"player": one.player, "start": one.start, "seed": one.seed, "keep": keep}
        return self.ask("prepare", game=game, **wanted)

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@dataclass
class Effort:
    """What a side has spent on a match."""

    thoughts: int = 0
    simulations: int = 0
    cpu: float = 0.0
    longest: float = 0.0

    def add(self, answer: dict[str, Any]) -> None:
        """Note an answer."""
        self.thoughts += 1
        self.simulations += answer["simulations"]
        self.cpu += answer["cpu"]
        self.longest = max(self.longest, answer["cpu"])


@dataclass
class Sides:
    """Both sides of a game, prepared, for as many matches as are wanted.

    They are started with the first match; `found` is what came of their start clocks.
    """

    game: str
    settings: tuple[Setting, Setting]
    folder: Path | None = None
    found: list[dict[str, Any]] = field(default_factory=list)
    _sides: list[Side] = field(default_factory=list)

    def play(self, match: Match) -> Record:
        """Play a match to its end; its result as one flat JSON object."""
        self._start()
        game = load(self.game)
        distributions = seatings(game)
        seats = distributions[match.seating]
        seeds = random.Random(f"seeds/{match.id}")
        for who, side in enumerate(self._sides):
            roles = [role for role, one in zip(game.players, seats) if one == who]
            side.ask("match", roles=roles, seed=seeds.getrandbits(62))
        table = EqualMatch(game, random.Random(f"luck/{match.game}/{match.round}"), seed=1)
        opening = random.Random(f"opening/{game.name}/{match.opening}/{match.round}")
        if not table.open(match.opening, opening, OPENING_TRIES):
            raise RuntimeError(f"{match.opening} random moves end {game.name}; ask for fewer")
        efforts = Effort(), Effort()

        def thinker(role: str, who: int) -> Think:
            def think(situation: Situation) -> Thought:
                moves = [list(map(str, joint)) for joint in table.moves]
                answer = self._sides[who].ask("think", role=role, moves=moves, cpu=match.cpu)
                efforts[who].add(answer)
                return Thought(game.term(answer["move"]), answer["simulations"])

            return think

        found = table.play({role: thinker(role, who) for role, who in zip(game.players, seats)})
        assert found is not None
        illegal = [
            sum(found.spent[role].illegal for role, one in zip(game.players, seats) if one == who)
            for who in (0, 1)
        ]
        return {
            "id": match.id,
            **asdict(match),
            "seatings": len(distributions),
            "seats": seats,
            "goals": found.goals,
            "score": pair_score(seats, found.goals, game.engine.goal_scale),
            "plies": found.plies,
            "thoughts": [one.thoughts for one in efforts],
            "simulations": [one.simulations for one in efforts],
            "cpu_spent": [round(one.cpu, 4) for one in efforts],
            "cpu_longest": [round(one.longest, 4) for one in efforts],
            "illegal": illegal,
        }

    def _start(self) -> None:
        if self._sides:
            return
        for setting in self.settings:
            self._sides.append(Side(setting))
        self.found = [side.prepare(self.game, self.folder) for side in self._sides]

    def close(self) -> None:
        """End both processes."""
        for side in self._sides:
            side.close()
        self._sides.clear()


def goal_shares(records: Sequence[Record]) -> tuple[float, float]:
    """The mean goals of both sides over all seats.

    >>> goal_shares([{"seats": [0, 1, 1], "goals": [90, 20, 40]}])
    (90.0, 30.0)
    """
    own: tuple[list[int], list[int]] = ([], [])
    for record in records:
        for who, goal in zip(record["seats"], record["goals"]):
            own[who].append(goal)
    first, second = (sum(goals) / len(goals) if goals else 0.0 for goals in own)
    return first, second
