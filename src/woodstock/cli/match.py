"""``woodstock match``: players against one another, here and now."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from woodstock import search
from woodstock.cli.board import print_moves, print_state
from woodstock.cli.guard import WRONG, UsageError, print_json
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working, errors
from woodstock.game import Game
from woodstock.match import MatchRecord, Turn, play_match, seat_players

__all__ = ["command"]

_SAVE_SECONDS = 1.0


def command(
    game: GameArgument,
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help=f"One player a role, in the order of the roles: {', '.join(search.names())}. "
            "The role 'random' is chance and needs none.",
        ),
    ],
    start_clock: Annotated[int, typer.Option(min=0, help="Seconds to prepare.")] = 30,
    play_clock: Annotated[int, typer.Option(min=1, help="Seconds for a move.")] = 15,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same match again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep a record of the match, as JSON.")
    ] = None,
    watch: Annotated[
        bool | None, typer.Option("--watch/--no-watch", help="Show every position.")
    ] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds to wait between positions.")] = 0.0,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Play a match between players and show how it goes."""
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
    chosen = [name.strip() for name in players.split(",")]
    seated = seat_players(loaded, chosen, seed)
    names = dict(zip(seated, chosen, strict=True))
    # With --json the match can be watched too, but not where the answer goes.
    console = errors if as_json else Console(highlight=False)
    view = _View(console, not as_json if watch is None else watch, record, delay)
    view.begin(loaded, names, seed)
    try:
        played = play_match(
            loaded,
            seated,
            seed=seed,
            names=names,
            start_clock=start_clock,
            play_clock=play_clock,
            on_turn=view.turn,
        )
    except KeyboardInterrupt:
        view.save()
        raise
    if record is not None:
        played.write(record)
    if as_json:
        print_json(played.to_json())
    else:
        _show_result(console, played)
    if played.is_aborted:
        errors.print(f"woodstock: the match was broken off: {played.problem}", markup=False)
        raise typer.Exit(WRONG)


class _View:
    """Shows a match while it is played, and keeps its record safe."""

    def __init__(self, console: Console, watch: bool, record: Path | None, delay: float) -> None:
        self._console = console
        self._watch = watch
        self._record = record
        self._delay = delay
        self._saved = time.monotonic()
        self._played: MatchRecord | None = None

    def save(self) -> None:
        if self._record is not None and self._played is not None:
            self._played.write(self._record)
        self._saved = time.monotonic()

    def begin(self, game: Game, names: dict[str, str], seed: int) -> None:
        if self._record is not None and not self._record.parent.is_dir():
            raise UsageError(f"{self._record.parent}: there is no such folder")
        if not self._watch:
            return
        who = ", ".join(f"{role} = {name}" for role, name in names.items())
        self._console.print(f"{game.name}: {who}", markup=False, style="bold")
        self._console.print(f"{game.engine} engine, seed {seed}", markup=False, style="dim")
        for note in game.notes:
            self._console.print(f"Note: {note}", markup=False, style="yellow")
        self._console.print()
        print_state(self._console, game.initial_state())

    def turn(self, turn: Turn) -> None:
        self._played = turn.record
        if time.monotonic() - self._saved > _SAVE_SECONDS:
            self.save()
        if not self._watch:
            return
        if self._delay:
            time.sleep(self._delay)
        roles = turn.state.roles
        self._console.print()
        print_moves(self._console, turn.number, roles, turn.moves)
        for role, error in zip(roles, turn.errors, strict=True):
            if error:
                self._console.print(f"     {role}: {error}", markup=False, style="red")
        print_state(self._console, turn.state)
        for role in roles:
            seen = turn.state.percepts(role)
            if seen:
                said = ", ".join(map(str, seen))
                self._console.print(f"{role} perceives {said}", markup=False, soft_wrap=True)


def _show_result(console: Console, record: MatchRecord) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("role")
    table.add_column("player")
    table.add_column("goal", justify="right")
    table.add_column("mistakes", justify="right")
    goals = record.goal_values or tuple(None for _ in record.roles)
    for number, role in enumerate(record.roles):
        mistakes = sum(bool(joint[number]) for joint in record.errors)
        goal = "-" if goals[number] is None else str(goals[number])
        table.add_row(role, record.players[number], goal, str(mistakes or "-"))
    console.print()
    console.print(table)
    how = "broken off" if record.is_aborted else "over"
    console.print(f"The match is {how} after {len(record.moves)} moves (seed {record.seed}).")
