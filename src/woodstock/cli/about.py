"""``woodstock about``: a game in the words of a person."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock import games
from woodstock.cli.guard import print_json
from woodstock.cli.how_to_play import filled, first_moves, moves_read
from woodstock.cli.options import (
    AsJson,
    EngineChoice,
    EngineOption,
    GameArgument,
    load_game,
)
from woodstock.cli.progress import Working
from woodstock.cli.tables import figure_table
from woodstock.game import Game
from woodstock.information import information_of

__all__ = ["command"]

_SIZES = {
    "rules": "rules",
    "fluents": "facts that may hold",
    "moves": "moves",
    "ground_rules": "rules without variables",
    "gates": "gates of the circuit",
}

_TURNS = {
    "alternating": "players take turns",
    "simultaneous": "all move at the same time",
    "single": "one player",
}


def command(
    game: GameArgument,
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the text of the rules and nothing else.")
    ] = False,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Tell what a game is about, how its moves read, and how to play it."""
    if rules and not as_json:
        sys.stdout.write(games.read_sheet(game)[1].source.text.rstrip() + "\n")
        return
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
    found = _describe(loaded, game)
    if as_json:
        more = {"text": loaded.rules.sheet.source.text} if rules else {}
        print_json({**found, **more})
        return
    _print(loaded, found)


def _describe(game: Game, source: str) -> dict[str, Any]:
    title, summary = games.words_about(game.name, game.rules.sheet)
    role, legal = first_moves(game)
    # A file may be called like a game of the library, and is named as it was.
    command = ["woodstock", "play", source]
    found: dict[str, Any] = {
        "game": game.name,
        "title": title,
        "summary": summary,
        "roles": list(game.roles),
        "players": list(game.players),
        "information": game.information,
        "sizes": _sizes(game),
        "moves": {"role": role, "read": moves_read(legal)},
        "command": shlex.join(command),
        "notes": list(game.notes),
    }
    if games.is_library_text(game.name, game.rules.sheet.source.text):
        meta = games.meta(game.name)
        about = {"kind": meta.kind, "turns": meta.turns, "board": meta.board}
        found |= {**about, "max_plies": meta.max_plies, "source": meta.source}
    return found


def _sizes(game: Game) -> dict[str, int]:
    """How large a game is; all but the rules themselves only where they have been grounded."""
    found = {"rules": len(game.rules.sheet.clauses)}
    statistics = getattr(game.engine, "statistics", {})
    grounding = getattr(game.engine, "grounding", None)
    if grounding is not None:
        ground = {"ground_rules": grounding.statistics["rules"]}
        statistics = {**grounding.statistics, **statistics, **ground, **found}
    return found | {key: int(statistics[key]) for key in _SIZES if key in statistics}


def _print(game: Game, found: dict[str, Any]) -> None:
    console = Console(highlight=False)
    width = console.width
    console.print(found["title"], style="bold", markup=False)
    if found["summary"]:
        console.print(filled(found["summary"], width), markup=False)
    console.print()
    chance = ", and chance (random)" if game.has_chance else ""
    console.print(filled(f"Players: {', '.join(found['players'])}{chance}.", width), markup=False)
    console.print(filled(f"Information: {information_of(game)}", width), markup=False)
    if "kind" in found:
        plies = f", at most {found['max_plies']:,} moves" if found["max_plies"] else ""
        board = "" if found["board"] == "none" else f", board {found['board']}"
        words = f"{found['kind']}, {_TURNS[found['turns']]}{board}{plies}"
        console.print(filled(f"Kind: {words}.", width), markup=False)
    for note in game.notes:
        console.print(filled(f"Note: {note}", width), markup=False, style="yellow")
    console.print("\nSizes", style="bold")
    console.print(figure_table((_SIZES[key], size) for key, size in found["sizes"].items()))
    console.print(f"\nHow moves of {found['moves']['role']} read at the start", style="bold")
    for line in found["moves"]["read"] or ["there are none: the game is over at once"]:
        console.print(filled(line, width, "  "), markup=False)
    console.print()
    console.print("Play it: ", style="bold", end="")
    console.print(found["command"], markup=False, soft_wrap=True)
    more = found["command"].removeprefix("woodstock play ")
    console.print(f"The rules: woodstock about {more} --rules", markup=False, soft_wrap=True)
