"""``woodstock analyse``: what the moves of a position are worth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.live import Live

from woodstock.belief import Belief, ObservationHistories
from woodstock.cli.board import how_sure, print_state
from woodstock.cli.decision import decision_table
from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import (
    AfterOption,
    AsJson,
    EngineChoice,
    EngineOption,
    GameArgument,
    complete_players,
    load_game,
)
from woodstock.cli.progress import Working, errors
from woodstock.cli.values import CacheOption, ValuesOption, check_values
from woodstock.game import State
from woodstock.match import play_line
from woodstock.tune import Preparation, Rehearsals

if TYPE_CHECKING:
    from woodstock.player import Question
    from woodstock.search import Decision

__all__ = ["command"]

_REFRESH = 0.25
_GRACE = 5.0
"""Seconds after its time in which a search may still answer."""


def command(
    game: GameArgument,
    after: AfterOption = "",
    role: Annotated[
        str | None,
        typer.Option(
            help="Whose moves to value; by default the first role that has a choice.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The search to use; 'woodstock players' lists them.",
            autocompletion=complete_players,
        ),
    ] = "woodstock",
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to think.")] = 5.0,
    threads: Annotated[int, typer.Option(min=1, help="Threads to think on.")] = 1,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes that the search may use.")] = 1024,
    seed: Annotated[int, typer.Option(min=0, help="What random numbers begin with.")] = 1,
    values: ValuesOption = "auto",
    cache: CacheOption = True,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Value all moves of a position; the values improve before your eyes. Ctrl-C ends it early."""
    from woodstock.player import Question

    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
        state, histories = loaded.initial_state(), ObservationHistories(loaded, seed=seed)
        for moves, reached in play_line(state, after):
            state = reached
            histories.see(moves, state)
        mine = _role(state, role)
        about = histories.believed(mine, state, time.monotonic() + seconds)
        check_values(loaded, player)
        prepared = Preparation(player, Rehearsals.of_text(values, cache=cache, game=loaded))
        searcher = prepared.searcher(loaded, mine, seed=seed, threads=threads, memory_mb=memory)
    console = errors if as_json else Console(highlight=False)
    if not as_json:
        console.print(f"{loaded.name}: the moves of {mine}", markup=False, style="bold")
        console.print()
        print_state(console, state)
        console.print()
        if isinstance(about, Belief):
            console.print(f"What {mine} knows: {how_sure(about)}.", markup=False)
            console.print()
    question = Question(lambda: searcher, about, time.monotonic() + seconds)
    decision, interrupted = _watch(question, time.monotonic() + seconds, player, state.roles)
    if as_json:
        print_json(
            {
                "game": loaded.name,
                "role": mine,
                "player": player,
                **decision.to_json(),
            }
        )
    else:
        console.print(decision_table(decision, state.roles, console.width))
    if interrupted:
        raise KeyboardInterrupt("this is what was found so far")


def _role(state: State, wanted: str | None) -> str:
    if state.is_terminal:
        raise UsageError("the game is over there; nobody has a move")
    roles = state.game.players
    if wanted is None:
        return next((role for role in roles if role in state.turn), roles[0])
    if wanted not in roles:
        raise UsageError(f"no role {wanted!r}; there are {', '.join(roles)}")
    return wanted


def _watch(
    question: Question, until: float, player: str, roles: Sequence[str]
) -> tuple[Decision, bool]:
    """Show what the search tells while it thinks; what it found in the end, or up to Ctrl-C."""
    interrupted = False
    with Live(console=errors, transient=True, auto_refresh=False) as live:
        try:
            while not question.wait(time.monotonic() + _REFRESH):
                if errors.is_terminal and question.latest is not None:
                    rows = max(3, errors.height - 8)
                    table = decision_table(question.latest, roles, errors.width, rows)
                    live.update(table, refresh=True)
                if time.monotonic() > until + _GRACE:
                    break
        except KeyboardInterrupt:
            interrupted = True  # what was found so far is worth showing
    question.stop(_GRACE)
    if question.problem is not None:
        raise question.problem
    found = question.decision or question.latest
    if found is None and interrupted:
        raise KeyboardInterrupt
    if found is None:
        raise UsageError(f"{player} has found nothing in this time; give it more")
    return found, interrupted
