"""``woodstock play``: a person at the terminal against players."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from woodstock import games
from woodstock.cli.desk import Desk
from woodstock.cli.guard import UsageError
from woodstock.cli.log import LogOption, player_log
from woodstock.cli.options import (
    EngineChoice,
    EngineOption,
    OptionalGameArgument,
    complete_players,
    load_game,
)
from woodstock.cli.progress import Working
from woodstock.cli.values import CacheOption, ValuesOption, check_values
from woodstock.game import Game
from woodstock.gdl.reader import read_text
from woodstock.match import MatchRecord, Session, split_names
from woodstock.player import make_player
from woodstock.tune import Rehearsals

__all__ = ["command"]

PLAYER, PLAY_CLOCK = "woodstock", 2.0
"""Who plays against you if you do not say, and how many seconds it has for a move."""


def command(
    game: OptionalGameArgument = None,
    role: Annotated[
        str | None,
        typer.Option("--as", metavar="ROLE", help="Your role; the first one by default."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who plays the other roles: one player for all, or one for each, separated by "
            "commas. 'woodstock players' lists them.",
            show_default=PLAYER,
            autocompletion=complete_players,
        ),
    ] = None,
    play_clock: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Seconds that the others have for a move.", show_default=f"{PLAY_CLOCK}"
        ),
    ] = None,
    start_clock: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Seconds that they have to get ready: woodstock learns in them. By default as "
            "many as for a move.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Decides what chance does.", show_default=False)
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the game in a file, turn by turn."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on with a game that was kept or saved."),
    ] = None,
    values: ValuesOption = "auto",
    cache: CacheOption = True,
    log: LogOption = False,
    engine: EngineOption = EngineChoice.AUTO,
) -> None:
    """Play a game at the terminal. '?' tells what can be said there."""
    kept = None if resume is None else _kept(resume)
    loaded = _load(game, kept, engine)
    mine = _role(loaded, role, kept)
    called = _called(loaded, mine, against, kept)
    if play_clock is None:
        play_clock = PLAY_CLOCK if kept is None else kept.play_clock or PLAY_CLOCK
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32) if kept is None else kept.seed
    for name in called.values():
        check_values(loaded, name)
    shared = Rehearsals.of_text(values, cache=cache, game=loaded)
    players = {
        other: make_player(name, seed + i, rehearsals=shared)
        for i, (other, name) in enumerate(called.items())
    }
    session = Session(loaded, mine, players, seed=seed, play_clock=play_clock, names=called)
    if kept is not None:
        session.resume(kept)
    adviser = make_player(next(iter(called.values()), PLAYER), seed, rehearsals=shared)
    desk = Desk(
        Console(highlight=False),
        session,
        adviser,
        play_clock,
        file=record or resume,
        keep=record is not None,
    )
    with player_log(log):
        with Working("The others get ready"):
            session.prepare(play_clock if start_clock is None else start_clock)
        desk.run()


def _kept(path: Path) -> MatchRecord:
    """A game that can be gone on with."""
    record = MatchRecord.read(path)
    if record.is_completed:
        raise UsageError(f"{path}: this game is over; 'woodstock view {path}' shows it")
    return record


def _load(game: str | None, kept: MatchRecord | None, engine: EngineChoice) -> Game:
    if game is None and kept is None:
        raise UsageError("which game? 'woodstock games' lists them; 'woodstock play tic-tac-toe'")
    with Working(f"Preparing {game or kept.game if kept else game}"):
        if game is not None:
            return load_game(game, engine)
        assert kept is not None
        if kept.rules:
            sheet = read_text(kept.rules, f"{kept.game}.kif")
            return Game(sheet, name=kept.game, engine=engine.value, drawing=kept.drawing)
        if kept.game not in games.names():
            raise UsageError(f"where are the rules of {kept.game}? name their file, too")
        return load_game(kept.game, engine)


def _role(game: Game, role: str | None, kept: MatchRecord | None) -> str:
    """Who the person is."""
    if role is not None and role not in game.players:
        raise UsageError(f"no role {role!r} in {game.name}; there are {', '.join(game.players)}")
    seated = [one for one in kept.people if one in game.players] if kept is not None else []
    return role or (seated or game.players)[0]


def _called(game: Game, mine: str, against: str | None, kept: MatchRecord | None) -> dict[str, str]:
    """Who plays which of the other roles."""
    others = [role for role in game.players if role != mine]
    if against is None and kept is not None:
        before = dict(zip(kept.roles, kept.players))
        return {
            role: PLAYER if role in kept.people else before.get(role, PLAYER) for role in others
        }
    given = split_names(against or PLAYER)
    if len(given) == 1:
        given = given * len(others)
    if len(given) != len(others):
        needed = f"one player for all or {len(others)} ({', '.join(others)})"
        raise UsageError(f"--against takes {needed}, not {len(given)}")
    return dict(zip(others, given, strict=True))
