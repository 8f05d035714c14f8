"""The application: every command under its name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from woodstock import __version__
from woodstock.cli import (
    about,
    analyse,
    bench,
    check,
    games,
    ground,
    host,
    match,
    perft,
    plan,
    play,
    players,
    replay,
    reproduce,
    scsp,
    serve,
    show,
    solve,
    symmetries,
    tournament,
    train,
    view,
    web,
)
from woodstock.cli.guard import guarded, leave_threads_behind, prepare_streams
from woodstock.cli.help_pages import PlainCommand, PlainGroup
from woodstock.cli.interrupts import INTERRUPTED, InterruptedExit, tell_interrupted

__all__ = ["app", "run"]

app = typer.Typer(
    name="woodstock",
    cls=PlainGroup,
    help="Give WoodStock the rules of any game, and it plays.",
    epilog="GAME is always a name that 'woodstock games' lists, or a file with rules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"woodstock {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Give WoodStock the rules of any game, and it plays."""


def _add(name: str, function: Callable[..., Any], example: str, to: typer.Typer = app) -> None:
    to.command(name, cls=PlainCommand, epilog=f"Example: {example}")(guarded(function))


_add("games", games.command, "woodstock games")
_add("about", about.command, "woodstock about connect-four")
_add("players", players.command, "woodstock players mac-ucb")
_add("check", check.command, "woodstock check my-game.kif --seconds 5")
_add("show", show.command, "woodstock show tic-tac-toe --after '(mark 2 2); (mark 1 1)'")
_add("play", play.command, "woodstock play connect-four --as black --play-clock 1")
_add("match", match.command, "woodstock match connect-four --players uct,random --games 10 --swap")
_add("analyse", analyse.command, "woodstock analyse tic-tac-toe --after '(mark 2 2)' --seconds 2")
_add("plan", plan.command, "woodstock plan eight-puzzle --seconds 20 --boards")
_add("train", train.command, "woodstock train breakthrough --seconds 20 --out breakthrough.values")
_add("serve", serve.command, "woodstock serve --port 9147 --player woodstock")
_add(
    "host", host.command, "woodstock host nim --player player1=localhost:9147 --player player2=uct"
)
_add("web", web.command, "woodstock web --records records")
_add("view", view.command, "woodstock view match.json --html match.html")
_add("replay", replay.command, "woodstock replay trace.json --rules game.kif --engine lifted")
_add("reproduce", reproduce.command, "woodstock reproduce 002-T3 --scale 0.01 --clock 1 --hours 2")
_add("perft", perft.command, "woodstock perft tic-tac-toe --depth 6")
_add("ground", ground.command, "woodstock ground reversi --seconds 10")
_add("scsp", scsp.command, "woodstock scsp tic-tac-toe --after '' --xcsp3 tic-tac-toe.xml")
_add("symmetries", symmetries.command, "woodstock symmetries tic-tac-toe --after '(mark 1 1)'")
_add("solve", solve.command, "woodstock solve tic-tac-toe.xml --count")

_bench = typer.Typer(
    cls=PlainGroup,
    help="Measure how fast games are played and searched.",
    epilog="Example: woodstock bench playouts hex reversi --seconds 5",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(_bench, name="bench")
_add("search", bench.search, "woodstock bench search hex reversi --player uct", to=_bench)
_add("playouts", bench.playouts, "woodstock bench playouts hex reversi --seconds 5", to=_bench)

_tournament = typer.Typer(
    cls=PlainGroup,
    help="Play tournaments from a description: rings, Swiss pairings, championships and others.",
    epilog="Example: woodstock tournament run ring.toml --jobs 2",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(_tournament, name="tournament")
_add("run", tournament.run, "woodstock tournament run ring.toml --jobs 2", to=_tournament)
_add("status", tournament.status, "woodstock tournament status ring.toml", to=_tournament)
_add("watch", tournament.watch, "woodstock tournament watch ring.toml", to=_tournament)
_add("export", tournament.export, "woodstock tournament export ring.toml --out tables", _tournament)
_add(
    "report", tournament.report, "woodstock tournament report ring.toml --html r.html", _tournament
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the application with these arguments, or with those of the process."""
    prepare_streams()
    try:
        app(list(sys.argv[1:] if arguments is None else arguments), prog_name="woodstock")
    except SystemExit as leaving:
        # Who reads the arguments takes interrupts too, without a word.
        if leaving.code == INTERRUPTED and not isinstance(leaving, InterruptedExit):
            tell_interrupted()
        leave_threads_behind(leaving.code)
        raise
    return 0
