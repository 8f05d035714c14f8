"""``woodstock serve``: a player that game servers can reach."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.guard import UsageError
from woodstock.cli.log import player_log
from woodstock.cli.options import complete_players
from woodstock.cli.progress import errors
from woodstock.cli.values import CacheOption, ValuesOption
from woodstock.player import make_player
from woodstock.protocol.crew import warm_up
from woodstock.protocol.our_seat import SeatOptions, default_address_space
from woodstock.protocol.server import PlayerServer, ServerOptions
from woodstock.tune import Rehearsals

__all__ = ["command"]


def command(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets everybody in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 9147,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who plays; 'woodstock players' lists them.",
            autocompletion=complete_players,
        ),
    ] = "woodstock",
    name: Annotated[str, typer.Option(help="What to call itself, in one word.")] = "WoodStock",
    threads: Annotated[int, typer.Option(min=1, help="Threads of the search.")] = 1,
    memory: Annotated[int, typer.Option(min=4, help="Megabytes of the search.")] = 256,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Seconds kept free for the way of an answer. By default a fifth of the clock, two "
            "at most.",
            show_default=False,
        ),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches at a time.")] = 1,
    values: ValuesOption = "auto",
    cache: CacheOption = True,
    log_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep what is said in every match, and take up matches again after a restart.",
        ),
    ] = None,
) -> None:
    """Listen for game servers and play the matches they begin (Ctrl-C ends it)."""
    if not name.isascii() or not name.isprintable() or set(name) & set(" ()"):
        raise UsageError(f"{name!r} is not one word")
    make_player(player, 0)  # a name that is none is told now
    Rehearsals.of_text(values)  # and so is a file
    options = ServerOptions(
        host=host,
        port=port,
        name=name,
        matches=matches,
        log_dir=log_dir,
        seat=SeatOptions(
            player=player,
            threads=threads,
            memory_mb=memory,
            margin=margin,
            address_space=default_address_space(),
            values=values,
            cache=cache,
        ),
    )
    with player_log(True, "woodstock.protocol"):
        asyncio.run(_serve(options))


async def _serve(options: ServerOptions) -> None:
    warm_up()
    server = PlayerServer(options)
    try:
        await server.open()
    except OSError as problem:
        raise UsageError(f"cannot listen on {options.host}:{options.port}: {problem}") from None
    errors.print(
        f"{options.name} ({options.seat.player}) listens on {options.host}:{server.port}.",
        markup=False,
    )
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        task.cancel()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        await server.serve()
    except asyncio.CancelledError:
        logging.getLogger("woodstock.protocol").info("no longer listening")
    if interrupted:
        raise KeyboardInterrupt
