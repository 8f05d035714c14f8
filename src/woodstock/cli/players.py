"""``woodstock players``: who plays, and with which options."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from woodstock.cli.guard import print_json
from woodstock.cli.options import AsJson, complete_players
from woodstock.player import about_player, player_names
from woodstock.search import options_of, search_names

__all__ = ["command"]

_WHERE = {"always": "", "seen": "all seen", "hidden": "hidden", "alone": "hidden, alone"}


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Show the options of this player.",
            autocompletion=complete_players,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the players, or the options of one: what they are for, and what they may be.

    Options are written behind the name: --players uct:exploration=0.3,mast=0.05
    """
    if name is None:
        rows = [{"name": one, "about": about_player(one)} for one in player_names()]
        if as_json:
            print_json({"players": rows})
            return
        _print(rows, ("name", "about"))
        typer.echo("\n'woodstock players NAME' shows the options of one.")
        return
    about = about_player(name)
    options = _options(name) if name in search_names() else []
    if as_json:
        print_json({"name": name, "about": about, "options": options})
        return
    typer.echo(f"{name}: {about}\n")
    if options:
        _print(options, ("option", "default", "range", "games", "about"))
    else:
        typer.echo("It has no options.")


def _options(name: str) -> list[dict[str, Any]]:
    return [
        {
            "option": key,
            "default": value,
            "range": option.range,
            "games": _WHERE[option.applies],
            "about": option.about,
        }
        for key, option, value in options_of(name).described()
    ]


def _print(rows: list[dict[str, Any]], keys: tuple[str, ...]) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe there is no width to fit into: one player stays one line.
        console = Console(highlight=False, width=200)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for key in keys:
        table.add_column(key, style="cyan" if key == keys[0] else "", no_wrap=key == keys[0])
    for row in rows:
        table.add_row(*(_text(row[key]) for key in keys))
    console.print(table)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
