"""Showing a match while it is played."""

from __future__ import annotations

import time

from rich.console import Console

from woodstock.cli.board import print_moves, print_state
from woodstock.cli.results import Keeper
from woodstock.game import Game, State
from woodstock.match import MatchRecord, Turn

__all__ = ["MatchView"]

_SAVE_SECONDS = 1.0


class MatchView:
    """Shows every turn on a console, if there is one, and keeps the record safe meanwhile."""

    def __init__(
        self,
        console: Console | None,
        keeper: Keeper,
        delay: float,
        *,
        save_always: bool = False,
        times: bool = False,
    ) -> None:
        self._times = times
        self._pause = 0.0 if save_always else _SAVE_SECONDS
        self.keeper = keeper
        self._console = console
        self._delay = delay
        self._saved = time.monotonic()
        self._played: MatchRecord | None = None
        self._state: State | None = None

    def save(self) -> None:
        """Keep what has been played of the running match."""
        if self._played is not None:
            self.keeper.running(self._played)
        self._saved = time.monotonic()

    def begin(self, game: Game, names: dict[str, str], seed: int) -> None:
        """A match begins."""
        self._played, self._state = None, game.initial_state()
        if self._console is None:
            return
        who = ", ".join(f"{role} = {name}" for role, name in names.items())
        self._console.print(f"{game.name}: {who}", markup=False, style="bold", soft_wrap=True)
        self._console.print(f"{game.engine.name} engine, seed {seed}", markup=False, style="dim")
        for note in game.notes:
            self._console.print(f"Note: {note}", markup=False, style="yellow")
        self._console.print()
        print_state(self._console, self._state)

    def turn(self, turn: Turn) -> None:
        """A joint move was made."""
        self._played = turn.record
        before, self._state = self._state, turn.state
        if time.monotonic() - self._saved > self._pause:
            self.save()
        if self._console is None:
            return
        if self._delay:
            time.sleep(self._delay)
        roles = turn.state.roles
        self._console.print()
        seconds = turn.seconds if self._times else None
        print_moves(self._console, turn.number, roles, turn.moves, seconds)
        if turn.number == 1:
            for role, error in turn.record.start_errors.items():
                self._console.print(f"start {role}: {error}", markup=False, style="red")
        for role, error in zip(roles, turn.errors, strict=True):
            if error:
                self._console.print(f"     {role}: {error}", markup=False, style="red")
        last = None
        if before is not None:
            chose = before.turn
            last = before, [move for role, move in zip(roles, turn.moves) if role in chose]
        print_state(self._console, turn.state, last)
        for role in roles:
            seen = turn.state.percepts(role)
            if seen:
                said = ", ".join(map(str, seen))
                self._console.print(f"{role} perceives {said}", markup=False, soft_wrap=True)
