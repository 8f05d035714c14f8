"""``woodstock show``: a position of a game, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.board import print_position, print_state
from woodstock.cli.guard import print_json
from woodstock.cli.options import (
    AfterOption,
    AsJson,
    EngineChoice,
    EngineOption,
    GameArgument,
    load_game,
)
from woodstock.cli.progress import Working
from woodstock.cli.targets import ForceOption, check_picture
from woodstock.files import write_whole
from woodstock.game import State
from woodstock.information import information_of
from woodstock.match import play_line

__all__ = ["command"]


def command(
    game: GameArgument,
    after: AfterOption = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the board as an SVG picture.")
    ] = None,
    force: ForceOption = False,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Draw a position and list the legal moves."""
    check_picture(svg, force)
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
    state = loaded.initial_state()
    moves = []
    for joint, reached in play_line(state, after):
        moves.append([str(move) for move in joint])
        state = reached
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
    print_state(console, state)
    console.print()
    print_position(console, state)


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
