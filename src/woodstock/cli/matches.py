"""Playing matches on the command line: one that is watched, or many that are summed up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.guard import WRONG, print_json
from woodstock.cli.progress import Working, errors
from woodstock.cli.results import print_result, print_standings
from woodstock.cli.watch import MatchView
from woodstock.game import Game
from woodstock.match import MatchRecord, Played, Turn, play_series
from woodstock.match import standings as standings_of

__all__ = ["GamesOption", "PlayMatch", "SwapOption", "WatchOption", "play_many", "play_one"]

GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games", min=1, help="Play so many matches and sum them up.", show_default=False
    ),
]
SwapOption = Annotated[
    bool, typer.Option("--swap", help="Players move on by one role from match to match.")
]
WatchOption = Annotated[
    bool | None,
    typer.Option("--watch/--no-watch", help="Show every position.", show_default=False),
]

PlayMatch = Callable[[Mapping[str, str], int, Callable[[Turn], None]], MatchRecord]
"""Plays a match between players of these names, by role; somebody hears of every turn."""


def play_one(
    game: Game,
    called: Mapping[str, str],
    seed: int,
    play: PlayMatch,
    view: MatchView,
    console: Console,
    as_json: bool,
) -> None:
    """One match, shown while it is played."""
    view.begin(game, dict(called), seed)
    try:
        played = play(called, seed, view.turn)
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


def play_many(
    game: Game,
    names: list[str],
    seed: int,
    series: dict[str, Any],
    play: PlayMatch,
    view: MatchView,
    console: Console,
    as_json: bool,
) -> None:
    """A series of matches; `series` has `games`, `swap` and what else the answer should tell."""
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
            for one in play_series(
                game,
                names,
                seed=seed,
                games=total,
                swap=series["swap"],
                on_begin=begin,
                play=lambda called, number: play(called, number, turn),
            ):
                played.append(one)
                view.keeper.finished(one.record)
        except KeyboardInterrupt:
            view.save()
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
