"""``woodstock show``: a position of a game, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock import games
from woodstock.cli.board import print_position, print_state
from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import (
    AfterOption,
    AsJson,
    EngineChoice,
    EngineOption,
    complete_game,
    load_game,
)
from woodstock.cli.progress import Working
from woodstock.cli.targets import ForceOption, check_picture
from woodstock.cli.view import MatchOption, PlyOption, RulesOption
from woodstock.files import write_whole
from woodstock.game import State
from woodstock.information import information_of
from woodstock.match import play_line
from woodstock.web.album import open_record

__all__ = ["command"]


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A game of the library, a file with rules, or a recorded match.",
            autocompletion=complete_game,
        ),
    ],
    after: AfterOption = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the board as an SVG picture.")
    ] = None,
    ply: PlyOption = None,
    match: MatchOption = 1,
    rules: RulesOption = None,
    force: ForceOption = False,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Draw a position and list the legal moves.

    Of a recorded match it is the last position, or the one that --ply tells.
    """
    if (ply is not None or rules is not None) and not _is_record(game):
        raise UsageError(f"--ply and --rules go with a recorded match, and {game} is none")
    check_picture(svg, force)
    with Working(f"Preparing {game}"):
        if _is_record(game):
            album = open_record(game, match, rules, engine.value)
            loaded, number = album.game, album.number(-1 if ply is None else ply)
            state, line = album.pages[number].state, album.match.line[:number]
        else:
            loaded = load_game(game, engine)
            state, line = loaded.initial_state(), []
    moves = [list(joint) for joint in line]
    last = None
    for joint, reached in play_line(state, after):
        moves.append([str(move) for move in joint])
        last = state, [move for role, move in zip(state.roles, joint) if role in state.turn]
        state = reached
    if last is None and moves:
        page = album.pages[number]
        assert page.before is not None
        last = page.before, [loaded.term(move) for move in page.chosen.values()]
    if svg is not None:
        write_whole(svg, state.svg())
    if as_json:
        print_json(_describe(state, moves))
        return
    console = Console(highlight=False)
    when = f"after {len(moves)} move{'s' if len(moves) != 1 else ''}" if moves else "at the start"
    console.print(f"{loaded.name} {when} ({loaded.engine.name} engine)", markup=False, style="bold")
    console.print(f"Information: {information_of(loaded)}", markup=False)
    for note in loaded.notes:
        console.print(f"Note: {note}", markup=False, style="yellow")
    console.print()
    print_state(console, state, last)
    console.print()
    print_position(console, state)


def _is_record(source: str) -> bool:
    """Whether a file is JSON: rules never begin like that."""
    path = Path(source)
    if source in games.names() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(200).lstrip()[:1] in (b"{", b"[")


def _describe(state: State, moves: list[list[str]]) -> dict[str, Any]:
    over = state.is_terminal
    return {
        "game": state.game.name,
        "engine": state.game.engine.name,
        "notes": list(state.game.notes),
        "information": state.game.information,
        "roles": list(state.roles),
        "moves": moves,
        "state": sorted(str(fluent) for fluent in state.fluents),
        "terminal": over,
        "legal": {} if over else {r: [str(m) for m in state.legal_moves(r)] for r in state.roles},
        "goals": state.goals() if over else None,
        "percepts": {r: [str(p) for p in state.percepts(r)] for r in state.roles},
    }
