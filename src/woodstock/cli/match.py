"""``woodstock match``: players against one another, here and now."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock import search
from woodstock.cli.guard import WRONG, UsageError, print_json
from woodstock.cli.log import LogOption, player_log
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument, load_game
from woodstock.cli.progress import Working, errors
from woodstock.cli.results import Keeper, print_result, print_standings
from woodstock.cli.watch import View
from woodstock.game import Game
from woodstock.match import Played, Turn, play_match, play_series, seat_players, split_names
from woodstock.match import standings as standings_of

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
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Play so many matches and sum them up.", show_default=False),
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="Players move on by one role from match to match.")
    ] = False,
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
    watch: Annotated[
        bool | None,
        typer.Option("--watch/--no-watch", help="Show every position.", show_default=False),
    ] = None,
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
    view = View(console if shown else None, keeper, delay)
    clocks = {"start_clock": start_clock, "play_clock": play_clock}
    given = {"threads": threads, "memory_mb": memory}
    options = {name: value for name, value in given.items() if value is not None}
    names = split_names(players)
    with player_log(log):
        if games is None:
            _play_one(loaded, names, seed, clocks, options, view, console, as_json)
        else:
            series = {"games": games, "swap": swap, **clocks, **options}
            _play_many(loaded, names, seed, series, view, console, as_json)


def _play_one(
    game: Game,
    names: list[str],
    seed: int,
    clocks: dict[str, Any],
    options: dict[str, Any],
    view: View,
    console: Console,
    as_json: bool,
) -> None:
    seated = seat_players(game, names, seed, **options)
    called = dict(zip(seated, names, strict=True))
    view.begin(game, called, seed)
    try:
        played = play_match(game, seated, seed=seed, names=called, **clocks, on_turn=view.turn)
    except KeyboardInterrupt:
        view.save()
        raise
    view.keeper.finished(played)
    if as_json:
        print_json(played.to_json())
    else:
        print_result(console, played)
    if played.is_aborted:
        errors.print(f"woodstock: the match was broken off: {played.problem}", markup=False)
        raise typer.Exit(WRONG)


def _play_many(
    game: Game,
    names: list[str],
    seed: int,
    series: dict[str, Any],
    view: View,
    console: Console,
    as_json: bool,
) -> None:
    played: list[Played] = []
    total = series["games"]
    with Working(f"Playing {game.name}") as line:

        def begin(number: int, called: dict[str, str], one: int) -> None:
            line.update(f"Playing {game.name}: match {number + 1} of {total}", number, total)
            view.begin(game, called, one)

        def turn(turn: Turn) -> None:
            what = f"match {len(played) + 1} of {total}, move {turn.number}"
            line.update(f"Playing {game.name}: {what}", len(played), total)
            view.turn(turn)

        try:
            for one in play_series(game, names, seed=seed, **series, on_begin=begin, on_turn=turn):
                played.append(one)
                view.keeper.finished(one.record)
        except KeyboardInterrupt:
            # What has been played is worth showing; the code still says that it was not all.
            if played and not as_json:
                print_standings(console, standings_of(names, played))
            raise
    found = standings_of(names, played)
    if as_json:
        print_json(
            {
                "game": game.name,
                "engine": game.engine,
                "notes": list(game.notes),
                "players": names,
                "seed": seed,
                **series,
                "matches": [one.to_json() for one in played],
                "standings": [one.to_json() for one in found],
            }
        )
    else:
        print_standings(console, found)
        console.print(f"{len(played)} matches of {game.name} (seed {seed}).", markup=False)
    broken = [one.record.problem for one in played if one.record.is_aborted]
    if broken:
        errors.print(f"woodstock: {len(broken)} were broken off: {broken[0]}", markup=False)
        raise typer.Exit(WRONG)
