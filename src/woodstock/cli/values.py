"""Options about learned values that several commands share, and how they are read."""

from __future__ import annotations

from typing import Annotated

import typer

from woodstock.game import Game
from woodstock.learn import Values
from woodstock.match import split_names
from woodstock.search import search_names
from woodstock.search.written import written

__all__ = ["CacheOption", "ValuesOption", "check_values"]

ValuesOption = Annotated[
    str,
    typer.Option(
        "--values",
        metavar="FILE|auto|none",
        help="Values learned from self-play: those of a file that 'woodstock train' wrote; auto: "
        "those that were kept, or learned in the start clock; none: play without.",
    ),
]
CacheOption = Annotated[
    bool,
    typer.Option(
        "--cache/--no-cache",
        help="Keep what is learned for the next time, and use what was kept. WOODSTOCK_CACHE is "
        "the folder, or off.",
    ),
]


def check_values(game: Game, players: str) -> None:
    """`ValuesError` or `OSError` for files behind players' names that are not of this game."""
    for name in split_names(players):
        if name.partition(":")[0].strip() in search_names():
            file = written(name).file
            if file is not None:
                Values.load(file, game)
