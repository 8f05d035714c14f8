"""Matches by the clock of a competition: players of ours and programs behind HTTP, mixed.

Where all players are ours, they are asked one after the other, each with the whole machine of the
worker to itself; otherwise a game manager asks all at the same time, as in a competition.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from woodstock.belief import Situation
from woodstock.game import Game
from woodstock.gdl.terms import Term
from woodstock.match import MatchRecord, Turn, play_match
from woodstock.player import Player, make_player
from woodstock.protocol.hearing import sees_anything
from woodstock.protocol.hosted_players import (
    Address,
    Dialect,
    HostedPlayer,
    LocalPlayer,
    RemotePlayer,
)
from woodstock.protocol.manager import host_match
from woodstock.tournament.participants import Participant
from woodstock.tournament.programs import ProgramError, Programs, StartedProgram
from woodstock.tournament.results import SeatResult
from woodstock.tournament.rounds import Round
from woodstock.tournament.seats import rehearsals
from woodstock.tune.matches import MAX_PLIES

__all__ = ["WatchedPlayer", "play_hosted"]

ATTEMPTS = 4
"""How often a match is begun anew because a program that we started has died in it."""
MISTAKES = {"TO": "late", "IL": "illegal", "EX": "failed", "CE": "failed"}

_programs = Programs()


@dataclass
class _Effort:
    thoughts: int = 0
    simulations: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    longest: float = 0.0
    mistakes: dict[str, int] = field(default_factory=lambda: {"late": 0, "illegal": 0, "failed": 0})


class WatchedPlayer(Player):
    """A player of ours under observation: how long it thinks, and with how much processor.

    >>> from woodstock.player import LegalPlayer
    >>> state = Game.load("nim").initial_state()
    >>> watched = WatchedPlayer(LegalPlayer(1))
    >>> str(watched.choose(state, "player1", 0.0)), watched.effort.thoughts
    ('(reduce a 0)', 1)
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self.effort = _Effort()

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        """Let it prepare."""
        self._player.prepare(game, role, deadline)

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """Ask it, with a watch in the hand."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            return self._player.choose(situation, role, deadline)
        finally:
            took = time.perf_counter() - wall
            mine, told = self.effort, self._player.last_answer
            if told is None or told.reason != "only move":
                mine.thoughts += 1
                mine.wall += took
                mine.cpu += time.process_time() - cpu
                mine.longest = max(mine.longest, took)
            if told is not None and told.decision is not None:
                mine.simulations += told.decision.simulations

    def close(self) -> None:
        """It is no longer needed."""
        self._player.close()


def play_hosted(
    round_: Round, number: int, game: Game, seed: int
) -> tuple[tuple[SeatResult, ...], tuple[tuple[str, ...], ...]]:
    """A match by the clock; begun anew where a program that we started has died meanwhile."""
    who = {
        role: round_.participants[seat] for role, seat in zip(game.players, round_.seatings[number])
    }
    addresses = [one.text for one in who.values() if one.kind == "address"]
    if len(set(addresses)) < len(addresses):
        raise ProgramError(
            f"{addresses[0]} would have to sit in two seats, and plays one match at a time; start "
            "it by a command, or leave the game out"
        )
    for _ in range(ATTEMPTS):
        table = _Table(round_, number, game, who, seed)
        with suppress(_Died):
            record = table.play()
        if not table.died:
            break
    else:
        names = ", ".join(sorted({who[role].name for role in table.died}))
        raise ProgramError(f"{names} died in every one of {ATTEMPTS} attempts")
    if not record.is_completed:
        raise RuntimeError(record.problem or "the match was broken off")
    return table.seats(record), tuple(tuple(joint) for joint in record.moves)


class _Died(Exception):
    """A program that we started is gone."""


class _Table:
    """One match: its players, and what is noted about them."""

    def __init__(
        self, round_: Round, number: int, game: Game, who: Mapping[str, Participant], seed: int
    ) -> None:
        self._round, self._game, self._who, self._seed = round_, game, who, seed
        self._watched: dict[str, WatchedPlayer] = {}
        self._remote: dict[str, _Effort] = {}
        self._programs: dict[str, StartedProgram] = {}
        seeds = round_.seeds(number)
        self._seeds = {role: seeds.getrandbits(63) for role in who}

    @property
    def died(self) -> list[str]:
        """The roles whose program has died."""
        return [role for role, program in self._programs.items() if not program.alive]

    def play(self) -> MatchRecord:
        clock = self._round.clock
        names = {role: one.name for role, one in self._who.items()}
        if all(one.is_ours for one in self._who.values()):
            players = {role: self._watch(role, one) for role, one in self._who.items()}
            try:
                return play_match(
                    self._game,
                    players,
                    seed=self._seed,
                    names=names,
                    start_clock=clock.start,
                    play_clock=clock.move,
                    max_moves=MAX_PLIES,
                )
            finally:
                for player in players.values():
                    player.close()
        hosted = {
            role: self._hosted(role, seat, one)
            for seat, (role, one) in enumerate(self._who.items())
        }
        return asyncio.run(
            host_match(
                self._game,
                hosted,
                seed=self._seed,
                match_id=f"{self._game.name}.{self._seed}.{time.time_ns():x}",
                start_clock=clock.start,
                play_clock=clock.move,
                max_moves=MAX_PLIES,
                on_turn=self._note,
            )
        )

    def _watch(self, role: str, one: Participant) -> WatchedPlayer:
        made = make_player(one.text, self._seeds[role], rehearsals=rehearsals)
        self._watched[role] = WatchedPlayer(made)
        return self._watched[role]

    def _hosted(self, role: str, seat: int, one: Participant) -> HostedPlayer:
        if one.is_ours:
            watched = self._watch(role, one)
            return LocalPlayer(lambda: watched, one.name)
        self._remote[role] = _Effort(cpu=math.nan)
        if one.kind == "command":
            program = self._programs[role] = _programs.get(one.text, seat)
            address = program.address
        else:
            address = Address.parse(one.text)
        return RemotePlayer(address, _dialect(self._game, one.dialect), one.name)

    def _note(self, turn: Turn) -> None:
        """Programs are measured by how long their answers take."""
        for role, spent, error in zip(self._game.roles, turn.seconds, turn.errors):
            if role in self._remote:
                effort = self._remote[role]
                effort.thoughts += 1
                effort.wall += spent
                effort.longest = max(effort.longest, spent)
            # A program that cannot be reached may be about to be found dead.
            if error and role in self._programs:
                self._programs[role].settle()
        # A match in which a program has died is begun anew: the sooner the better.
        if self.died:
            raise _Died

    def seats(self, record: MatchRecord) -> tuple[SeatResult, ...]:
        """What came of it for everybody."""
        found = []
        for role, one in self._who.items():
            place = record.roles.index(role)
            effort = self._remote[role] if role in self._remote else self._watched[role].effort
            for joint in record.errors:
                if joint[place]:
                    effort.mistakes[MISTAKES[joint[place][:2]]] += 1
            found.append(
                SeatResult(
                    role=role,
                    participant=one.name,
                    goal=record.goal_values[place] or 0,
                    thoughts=effort.thoughts,
                    simulations=effort.simulations,
                    cpu=effort.cpu,
                    wall=effort.wall,
                    longest=effort.longest,
                    **effort.mistakes,
                )
            )
        return tuple(found)


def _dialect(game: Game, name: str) -> Dialect:
    if name == "gdl":
        return "gdl"
    if name == "gdl2-old":
        return "gdl2-old"
    return "gdl2" if name == "gdl2" or sees_anything(game) else "gdl"
