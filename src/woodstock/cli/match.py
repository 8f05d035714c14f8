"""``woodstock match``: players against one another, here and now."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock import search
from woodstock.cli.guard import UsageError
from woodstock.cli.log import LogOption, player_log
from woodstock.cli.matches import GamesOption, SwapOption, WatchOption, play_many, play_one
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working, errors
from woodstock.cli.results import Keeper
from woodstock.cli.watch import MatchView
from woodstock.match import MatchRecord, Turn, play_match, seat_players, split_names

__all__ = ["command"]


def command(
    game: GameArgument,
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help=f"One player a role, in the order of the roles: {', '.join(search.names())}. "
            "The role 'random' is chance and needs none. Options follow a colon: uct:C=0.4.",
        ),
    ],
    start_clock: Annotated[float, typer.Option(min=0, help="Seconds to prepare.")] = 5.0,
    play_clock: Annotated[float, typer.Option(min=0.01, help="Seconds for a move.")] = 1.0,
    games: GamesOption = None,
    swap: SwapOption = False,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Threads of each player's search.", show_default=False),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(min=1, help="Megabytes of each player's search.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="The same seed gives the same match again.", show_default=False),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Keep what was played: in a file, as JSON; with --games in a folder, one file a "
            "match, or in a file that ends in .jsonl, one line a match.",
        ),
    ] = None,
    watch: WatchOption = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds to wait between positions.")] = 0.0,
    log: LogOption = False,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Play a match between players and show how it goes, or many and show how they went."""
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    if swap and games is None:
        raise UsageError("--swap goes with --games")
    keeper = Keeper(record, many=games is not None)
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
    # With --json the match can be watched too, but not where the answer goes.
    console = errors if as_json else Console(highlight=False)
    shown = (games is None and not as_json) if watch is None else watch
    view = MatchView(console if shown else None, keeper, delay)
    clocks: dict[str, Any] = {"start_clock": start_clock, "play_clock": play_clock}
    given = {"threads": threads, "memory_mb": memory}
    options = {name: value for name, value in given.items() if value is not None}
    names = split_names(players)

    def play(
        called: Mapping[str, str], number: int, on_turn: Callable[[Turn], None]
    ) -> MatchRecord:
        seated = seat_players(loaded, list(called.values()), number, **options)
        return play_match(loaded, seated, seed=number, names=called, **clocks, on_turn=on_turn)

    with player_log(log):
        if games is None:
            roles = list(seat_players(loaded, names, seed, **options))
            called = dict(zip(roles, names, strict=True))
            play_one(loaded, called, seed, play, view, console, as_json)
        else:
            series = {"games": games, "swap": swap, **clocks, **options}
            play_many(loaded, names, seed, series, play, view, console, as_json)
