"""``woodstock match``: players against one another, here and now."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from woodstock.cli.log import LogOption, player_log
from woodstock.cli.matches import (
    GamesOption,
    Matches,
    RecordOption,
    SwapOption,
    WatchOption,
)
from woodstock.cli.options import (
    AsJson,
    EngineChoice,
    EngineOption,
    GameArgument,
    complete_players,
)
from woodstock.cli.targets import ForceOption
from woodstock.cli.values import CacheOption, ValuesOption, check_values
from woodstock.match import MatchRecord, Turn, play_match, seat_players, split_names
from woodstock.tune import Rehearsals

__all__ = ["command"]


def command(
    game: GameArgument,
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="One player a role, in the order of the roles; 'woodstock players' lists them. "
            "The role 'random' is chance and needs none. Options follow a colon: uct:C=0.4; "
            "'woodstock players uct' lists those of one.",
            autocompletion=complete_players,
        ),
    ],
    start_clock: Annotated[float, typer.Option(min=0, help="Seconds to prepare.")] = 5.0,
    play_clock: Annotated[float, typer.Option(min=0.01, help="Seconds for a move.")] = 1.0,
    games: GamesOption = None,
    swap: SwapOption = False,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Threads of each player's search.",
            show_default="1; alone, one for each core",
        ),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(min=1, help="Megabytes of each player's search.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="The same seed gives the same match again.", show_default=False),
    ] = None,
    record: RecordOption = None,
    force: ForceOption = False,
    watch: WatchOption = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds to wait between positions.")] = 0.0,
    log: LogOption = False,
    values: ValuesOption = "auto",
    cache: CacheOption = True,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Play a match between players and show how it goes, or many and show how they went."""
    matches = Matches(
        game,
        engine,
        games=games,
        swap=swap,
        seed=seed,
        record=record,
        watch=watch,
        as_json=as_json,
        force=force,
    )
    view = matches.view(delay)
    clocks: dict[str, Any] = {"start_clock": start_clock, "play_clock": play_clock}
    if threads is None and len(matches.game.players) == 1:
        threads = os.cpu_count()  # there is nobody to be fair to
    given = {"threads": threads, "memory_mb": memory}
    limits = {name: value for name, value in given.items() if value is not None}
    check_values(matches.game, players)
    options = {**limits, "rehearsals": Rehearsals.of_text(values, cache=cache, game=matches.game)}
    names = split_names(players)

    def play(
        called: Mapping[str, str], number: int, on_turn: Callable[[Turn], None]
    ) -> MatchRecord:
        seated = seat_players(matches.game, list(called.values()), number, **options)
        return play_match(
            matches.game, seated, seed=number, names=called, **clocks, on_turn=on_turn
        )

    with player_log(log):
        if games is None:
            roles = list(seat_players(matches.game, names, matches.seed, **options))
            matches.one(dict(zip(roles, names, strict=True)), play, view)
        else:
            matches.many(names, play, view, {**clocks, **limits, "values": values})
