"""``woodstock view``: a recorded match, position by position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from woodstock.cli.board import print_goals, print_moves, print_position
from woodstock.cli.options import EngineChoice, EngineOption, complete_game
from woodstock.cli.progress import Working
from woodstock.cli.reading import line_editing
from woodstock.cli.targets import ForceOption, check_page
from woodstock.drawing import draw_text
from woodstock.files import write_whole
from woodstock.web.album import Album, Page, open_record
from woodstock.web.match_page import match_page

__all__ = ["MatchOption", "PlyOption", "RulesOption", "command", "print_page"]

KEYS = "Enter goes on, b back, a number to that position, q leaves."

PlyOption = Annotated[
    int | None,
    typer.Option("--ply", metavar="N", help="Show the position after N moves; -1 is the last."),
]
MatchOption = Annotated[
    int,
    typer.Option("--match", metavar="N", min=1, help="Which match of a file that holds several."),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="GAME",
        help="The rules, where the record does not say which: a file or a library name.",
        autocompletion=complete_game,
    ),
]


def command(
    record: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A recorded match: a JSON file.")
    ],
    ply: PlyOption = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write one HTML page with all positions instead."),
    ] = None,
    match: MatchOption = 1,
    rules: RulesOption = None,
    force: ForceOption = False,
    engine: EngineOption = EngineChoice.AUTO,
) -> None:
    """Look through a recorded match, here or as a page with boards and arrow keys."""
    check_page(html, force)
    with Working(f"Reading {record}"):
        album = open_record(record, match, rules, engine.value)
    console = Console(highlight=False)
    if html is not None:
        with Working(f"Drawing {len(album.pages)} positions"):
            text = match_page(album)
        write_whole(html, text)
        told = f"{html}: {len(album.pages)} positions; open it in a browser."
        console.print(told, markup=False, soft_wrap=True)
        return
    _print_head(console, album)
    if ply is not None:
        print_page(console, album, ply)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _look_through(console, album)
    else:
        for number in range(len(album.pages)):
            print_page(console, album, number, brief=True)


def print_page(console: Console, album: Album, ply: int, *, brief: bool = False) -> None:
    """A position: how it came about, the board, what players expect, what can be done."""
    number = album.number(ply)
    page = album.pages[number]
    console.print()
    if number:
        told = page.chosen or page.made
        print_moves(console, number, tuple(told), tuple(told.values()))
    else:
        console.print("At the start", style="bold")
    for role, error in page.errors.items():
        console.print(f"     {role}: {error}", markup=False, style="red")
    color = console.is_terminal and not console.no_color
    columns = console.width if console.is_terminal else None
    drawn = draw_text(page.board, color=color, columns=columns)
    console.print(Text.from_ansi(drawn), soft_wrap=True)
    _print_values(console, page)
    if not brief:
        print_position(console, page.state)
    elif page.state.is_terminal:
        print_goals(console, page.state)


def _print_head(console: Console, album: Album) -> None:
    who = ", ".join(f"{role} = {name}" for role, name in album.players.items())
    console.print(f"{album.game.name}: {who}", style="bold", markup=False, soft_wrap=True)
    moves = len(album.pages) - 1
    console.print(f"{moves} move{'s' if moves != 1 else ''}", style="dim")


def _print_values(console: Console, page: Page) -> None:
    if page.values:
        told = ", ".join(f"{role} {100 * value:.0f}" for role, value in page.values.items())
        console.print(f"expected here: {told}", markup=False, style="dim")


def _look_through(console: Console, album: Album) -> None:
    """Go through a match by what is typed."""
    last, number = len(album.pages) - 1, 0
    print_page(console, album, number, brief=True)
    console.print(KEYS, style="dim")
    with line_editing(lambda line: []):
        while True:
            try:
                said = input(f"{number}/{last}> ").strip().lower()
            except EOFError:
                console.print()
                return
            if said in ("q", "quit", "exit"):
                return
            wanted = number + 1 if not said else number - 1 if said in ("b", "back") else None
            if wanted is None and said.lstrip("-").isdecimal():
                wanted = int(said) if int(said) >= 0 else last + 1 + int(said)
            if wanted is None or not 0 <= wanted <= last:
                console.print(f"Positions go from 0 to {last}. {KEYS}", style="dim")
                continue
            number = wanted
            print_page(console, album, number, brief=True)
