"""Options that several commands share, and how they are read."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from woodstock import games
from woodstock.cli.reading import matching_files
from woodstock.errors import GdlError, GroundingError
from woodstock.game import Game
from woodstock.gdl.checker import check
from woodstock.gdl.rules import Rules
from woodstock.ground.limits import GroundingLimits
from woodstock.player import player_names

__all__ = [
    "AfterOption",
    "AsJson",
    "EngineChoice",
    "EngineOption",
    "GameArgument",
    "MemoryOption",
    "OptionalGameArgument",
    "SecondsOption",
    "complete_game",
    "complete_players",
    "limits",
    "load_game",
    "load_game_somehow",
    "load_rules",
]


class EngineChoice(str, Enum):
    """The engines a command can be told to use."""

    AUTO = "auto"
    CIRCUIT = "circuit"
    GROUND = "ground"
    LIFTED = "lifted"


def complete_game(incomplete: str) -> list[str]:
    """Games of the library, and files with rules, that a text may go on to be.

    >>> complete_game("tic-tac-t")
    ['tic-tac-toe']
    """
    named = [name for name in games.names() if name.startswith(incomplete)]
    return named + matching_files(incomplete, (".kif", ".gdl"))


def complete_players(incomplete: str) -> list[str]:
    """Lists of players that a text may go on to be: the last name of it is completed.

    >>> complete_players("uct,mac-ucb-s"), complete_players("uct:C=0.")
    (['uct,mac-ucb-sym', 'uct,mac-ucb-sym-paper'], [])
    """
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in player_names() if name.startswith(last)]


_GAME = typer.Argument(
    metavar="GAME",
    help="A game of the library, or a file with rules.",
    autocompletion=complete_game,
)
GameArgument = Annotated[str, _GAME]
OptionalGameArgument = Annotated[str | None, _GAME]
AfterOption = Annotated[
    str,
    typer.Option(
        metavar="MOVES",
        help="Moves made before: joint moves separated by ';', the moves of the roles by "
        "blanks. Roles without a choice may be left out.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
EngineOption = Annotated[
    EngineChoice,
    typer.Option(
        "--engine",
        help="auto: the circuit, or where it takes too much the ground engine or the lifted one.",
    ),
]
SecondsOption = Annotated[
    float, typer.Option("--seconds", min=1, help="CPU seconds that grounding may take.")
]
MemoryOption = Annotated[
    int, typer.Option("--memory-mb", min=64, help="Megabytes that grounding may take.")
]

limits = GroundingLimits()
"""The limits when none are given."""


def load_game(
    game: str, engine: EngineChoice = EngineChoice.AUTO, bounds: GroundingLimits = limits
) -> Game:
    """A game that is ready to be played."""
    return Game.load(game, engine=engine.value, limits=bounds)


def load_game_somehow(
    game: str, engine: EngineChoice, bounds: GroundingLimits = limits
) -> tuple[Game, list[str]]:
    """A game on the engine asked for or, where that is impossible, on the next best; notes."""
    if engine is not EngineChoice.GROUND:
        wanted = EngineChoice.AUTO if engine is EngineChoice.CIRCUIT else engine
        found = load_game(game, wanted, bounds)
        return found, list(found.notes)
    try:
        return load_game(game, engine, bounds), []
    except GroundingError as problem:
        lifted = load_game(game, EngineChoice.LIFTED, bounds)
        return lifted, [f"plays on the lifted engine: {problem}"]


def load_rules(game: str) -> tuple[str, Rules]:
    """The name and the checked rules of a game, for commands that do not play it."""
    name, sheet = games.read_sheet(game)
    rules, findings = check(sheet, thorough=False)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise GdlError(errors)
    return name, rules
