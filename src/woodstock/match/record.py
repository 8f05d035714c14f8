"""Match records: a match as JSON, with the field names the ggp.org servers use.

What those names have no room for (roles, engine, seed and so on) is under the key ``woodstock``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from woodstock import __version__, games
from woodstock.errors import TraceError
from woodstock.files import write_whole
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.notebook import html_table

__all__ = ["MatchRecord", "is_record"]


@dataclass
class MatchRecord:
    """A match so far: grows by `add_state` and `add_moves` while it is played.

    `errors` has for each joint move one text a role, empty where nothing went wrong: ``TO`` for a
    late answer, ``IL move`` for an illegal one, ``EX what`` for a player that failed.
    `problem` says why a match was aborted, if the rules are to blame. `clocks` has the start and
    play clock of roles that have their own, `start_errors` what went wrong while a role prepared.
    `values` has for each joint move what every role's player expected there, from 0 to 1, or None
    where it did not say. `people` are the roles that a person played. `rules` and `drawing` are
    those of a game that is not of the library: whoever gets the record can look at the match.

    >>> game = Game.from_library("nim")
    >>> record = MatchRecord.begin(game, ["random", "legal"], seed=7)
    >>> record.add_state(game.initial_state(), milliseconds=0)
    >>> record.to_json()["states"]
    ['((control player1) (heap a 1) (heap b 5) (heap c 4) (heap d 2))']
    """

    match_id: str
    random_token: str
    start_time: int
    game: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    engine: str
    seed: int
    start_clock: float
    play_clock: float
    states: list[str] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)
    state_times: list[int] = field(default_factory=list)
    errors: list[tuple[str, ...]] = field(default_factory=list)
    goal_values: tuple[int | None, ...] = ()
    is_completed: bool = False
    is_aborted: bool = False
    problem: str = ""
    scrambled: bool = False
    clocks: dict[str, tuple[float, float]] = field(default_factory=dict)
    start_errors: dict[str, str] = field(default_factory=dict)
    values: list[tuple[float | None, ...]] = field(default_factory=list)
    people: tuple[str, ...] = ()
    rules: str = ""
    drawing: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def begin(
        cls,
        game: Game,
        players: Sequence[str],
        *,
        seed: int,
        start_clock: float = 0,
        play_clock: float = 0,
        milliseconds: int = 0,
    ) -> MatchRecord:
        """The record of a match that is about to start; `players` has a name for every role."""
        own = not games.is_library_text(game.name, game.rules.sheet.source.text)
        return cls(
            # A match id is one word: servers and players send it around in KIF messages.
            match_id="".join(c if c.isalnum() or c in "-_." else "_" for c in game.name)
            + f".{seed}",
            random_token=f"{seed:032x}",
            start_time=milliseconds,
            game=game.name,
            roles=game.roles,
            players=tuple(players),
            engine=game.engine.name,
            seed=seed,
            start_clock=start_clock,
            play_clock=play_clock,
            rules=game.rules.sheet.source.text if own else "",
            drawing=dict(game.drawing or {}) if own else {},
        )

    def add_state(self, state: State, milliseconds: int) -> None:
        """Note the state the match is in now; a terminal one completes the record."""
        fluents = sorted(str(fluent) for fluent in state.fluents)
        self.states.append(f"({' '.join(fluents)})")
        self.state_times.append(milliseconds)
        if state.is_terminal:
            self.is_completed = True
            self.goal_values = tuple(state.goal(role) for role in state.roles)

    def add_moves(
        self, moves: Sequence[Term], errors: Sequence[str], values: Sequence[float | None] = ()
    ) -> None:
        """Note the joint move that was made, what the players did wrong, and what they expected."""
        self.moves.append(tuple(str(move) for move in moves))
        self.errors.append(tuple(errors))
        self.values.append(tuple(values) or (None,) * len(self.roles))

    def go_back(self, plies: int) -> None:
        """Forget all that came after so many joint moves.

        >>> game = Game.from_library("matching-pennies")
        >>> record = MatchRecord.begin(game, ["random", "legal"], seed=7)
        >>> for state in (game.initial_state(), game.initial_state()):
        ...     record.add_state(state, milliseconds=0)
        >>> record.add_moves(["(retourne face)", "(retourne pile)"], ["", ""])
        >>> record.go_back(0)
        >>> len(record.states), len(record.moves)
        (1, 0)
        """
        for kept in (self.states, self.state_times):
            del kept[plies + 1 :]
        for told in (self.moves, self.errors, self.values):
            del told[plies:]
        self.is_completed, self.is_aborted, self.goal_values = False, False, ()

    @property
    def silent(self) -> dict[str, str]:
        """The players that never answered, by role: whoever could not be reached at all turns.

        >>> game = Game.from_library("nim")
        >>> record = MatchRecord.begin(game, ["127.0.0.1:9", "legal"], seed=7)
        >>> record.add_moves(["(reduce a 0)", "noop"], ["CE", ""])
        >>> record.silent
        {'player1': '127.0.0.1:9'}
        """
        return {
            role: player
            for number, (role, player) in enumerate(zip(self.roles, self.players))
            if self.errors and all(joint[number] in ("CE", "TO") for joint in self.errors)
        }

    def _repr_html_(self) -> str:
        goals = self.goal_values or (None,) * len(self.roles)
        wrong = [sum(bool(joint[number]) for joint in self.errors) for number in range(len(goals))]
        rows = [
            (role, player, "-" if goal is None else goal, mistakes)
            for role, player, goal, mistakes in zip(self.roles, self.players, goals, wrong)
        ]
        caption = (
            f"{self.game}, {len(self.moves)} moves{': ' if self.problem else ''}{self.problem}"
        )
        return html_table(["role", "player", "goal", "mistakes"], rows, caption)

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object."""
        return {
            "matchId": self.match_id,
            "randomToken": self.random_token,
            "startTime": self.start_time,
            "gameMetaURL": self.game,
            "isCompleted": self.is_completed,
            "isAborted": self.is_aborted,
            "states": list(self.states),
            "moves": [list(joint) for joint in self.moves],
            "stateTimes": list(self.state_times),
            "errors": [list(joint) for joint in self.errors],
            "goalValues": list(self.goal_values),
            "previewClock": -1,
            "startClock": _seconds(self.start_clock),
            "playClock": _seconds(self.play_clock),
            "playerNamesFromHost": list(self.players),
            "isPlayerHuman": [role in self.people for role in self.roles],
            "tournamentNameFromHost": "",
            "scrambled": self.scrambled,
            "woodstock": {
                "version": __version__,
                "roles": list(self.roles),
                "engine": self.engine,
                "seed": self.seed,
                "problem": self.problem,
                "clocks": {
                    role: [_seconds(one) for one in clocks] for role, clocks in self.clocks.items()
                },
                "startErrors": dict(self.start_errors),
                "values": [list(map(_rounded, joint)) for joint in self.values],
                **({"rules": self.rules} if self.rules else {}),
                **({"drawing": dict(self.drawing)} if self.drawing else {}),
            },
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchRecord:
        """A record from what `to_json` gave; `TraceError` where it is none of ours.

        >>> record = MatchRecord.begin(Game.from_library("nim"), ["random", "legal"], seed=7)
        >>> MatchRecord.from_json(record.to_json()) == record
        True
        """
        try:
            return _from_json(data)
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise TraceError(f"this is no match record of woodstock: {problem!r}") from None

    @classmethod
    def read(cls, path: str | Path) -> MatchRecord:
        """The record of a file; `TraceError` where it holds something else."""
        try:
            data = json.loads(Path(path).read_bytes())
        except (ValueError, RecursionError) as problem:
            raise TraceError(f"{path} is no JSON file: {problem}") from None
        try:
            return cls.from_json(data)
        except TraceError as problem:
            raise TraceError(f"{path}: {problem}") from None

    def write(self, path: str | Path) -> None:
        """Write the record to a file, whole or not at all: a reader never meets half of one."""
        write_whole(path, json.dumps(self.to_json(), indent=1) + "\n")


def is_record(head: bytes) -> bool:
    """Whether a file that begins so is a record, or has one a line.

    >>> is_record(b'{"matchId": "nim.3", "random'), is_record(b"Dear diary")
    (True, False)
    """
    return head.lstrip().startswith(b"{") and b'"matchId"' in head


def _seconds(clock: float) -> float:
    """A clock as the servers write it: whole seconds as whole numbers."""
    return int(clock) if clock == int(clock) else clock


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _from_json(data: Mapping[str, Any]) -> MatchRecord:
    own, clocks = data["woodstock"], ("startClock", "playClock")
    roles = tuple(map(str, own["roles"]))
    values = own.get("values") or [[None] * len(roles) for _ in data["moves"]]
    return MatchRecord(
        match_id=str(data["matchId"]),
        random_token=str(data["randomToken"]),
        start_time=int(data["startTime"]),
        game=str(data["gameMetaURL"]),
        roles=roles,
        players=tuple(map(str, data["playerNamesFromHost"])),
        engine=str(own["engine"]),
        seed=int(own["seed"]),
        start_clock=float(data[clocks[0]]),
        play_clock=float(data[clocks[1]]),
        states=[str(state) for state in data["states"]],
        moves=[tuple(map(str, joint)) for joint in data["moves"]],
        state_times=[int(time) for time in data["stateTimes"]],
        errors=[tuple(map(str, joint)) for joint in data["errors"]],
        goal_values=tuple(data["goalValues"]),
        is_completed=bool(data["isCompleted"]),
        is_aborted=bool(data["isAborted"]),
        problem=str(own.get("problem", "")),
        scrambled=bool(data.get("scrambled", False)),
        clocks={role: (float(a), float(b)) for role, (a, b) in own.get("clocks", {}).items()},
        start_errors=dict(own.get("startErrors", {})),
        values=[tuple(None if v is None else float(v) for v in joint) for joint in values],
        people=tuple(role for role, person in zip(roles, data["isPlayerHuman"]) if person),
        rules=str(own.get("rules", "")),
        drawing=dict(own.get("drawing", {})),
    )
