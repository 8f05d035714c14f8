"""``woodstock plan``: the moves to the end of a game, for one player or a team."""

from __future__ import annotations

import os
import time
from typing import Annotated

import typer
from rich.console import Console

from woodstock.cli.board import print_state
from woodstock.cli.guard import print_json
from woodstock.cli.options import (
    AfterOption,
    AsJson,
    EngineChoice,
    EngineOption,
    GameArgument,
    load_game,
)
from woodstock.cli.progress import Working, errors
from woodstock.game import Game, State
from woodstock.match import play_line
from woodstock.plan import MEMBERS, Plan
from woodstock.plan.policy import TurnPolicy, cannot_have_policy, policies
from woodstock.plan.portfolio import make_task, run

__all__ = ["command"]


def command(
    game: GameArgument,
    after: AfterOption = "",
    goal: Annotated[
        int | None,
        typer.Option(help="Be content with so much.", min=0, show_default="the highest"),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(help="Turns that a plan may take.", min=1, show_default="any number"),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to look.")] = 10.0,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Threads to work on.", show_default="one for each core"),
    ] = None,
    memory: Annotated[int, typer.Option(min=64, help="Megabytes that plans may use.")] = 1024,
    members: Annotated[
        str, typer.Option(help="Who looks for plans, names between commas.", show_default="all")
    ] = ",".join(MEMBERS),
    boards: Annotated[bool, typer.Option("--boards", help="Show every position.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="What random numbers begin with.")] = 0,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Find moves that lead to the best end, and say whether there is a better one.

    For games of one player, or of several with the same goals. Where one plays against chance, it
    is a policy of few turns: the first move, and what can be expected. Ctrl-C ends it early.
    """
    with Working(f"Preparing {game}"):
        loaded = load_game(game, engine)
        state = loaded.initial_state()
        for _, reached in play_line(state, after):
            state = reached
    if cannot_have_policy(loaded) is None:
        _policy(loaded, state, seconds, horizon, as_json)
        return
    begun, interrupted = time.monotonic(), False
    with Working(f"Planning {loaded.name}") as line:

        def tell(text: str) -> None:
            line.update(text, time.monotonic() - begun, seconds)
            if not errors.is_terminal:
                errors.print(f"{time.monotonic() - begun:5.1f} s  {text}", markup=False)

        wanted = [name.strip() for name in members.split(",") if name.strip()]
        task = make_task(
            loaded,
            state,
            seconds=seconds,
            goal=goal,
            horizon=horizon,
            threads=threads or os.cpu_count() or 1,
            memory_mb=memory,
            members=wanted,
            seed=seed,
            tell=tell,
        )
        try:
            run(task, wanted)
        except KeyboardInterrupt:
            interrupted = True
    found, spent = task.plan(), time.monotonic() - begun
    if as_json:
        plan = None if found is None else found.to_json()
        print_json(
            {
                "game": loaded.name,
                "bound": task.bound,
                "ceiling": task.ceiling,
                "seconds": round(spent, 3),
                "plan": plan,
            }
        )
    else:
        _show(Console(highlight=False), loaded, state, found, task.bound, spent, boards)
    if interrupted:
        raise KeyboardInterrupt("this is what was found so far" if found else "")
    if found is None:
        raise typer.Exit(1)


def _policy(game: Game, state: State, seconds: float, horizon: int | None, as_json: bool) -> None:
    """The best that can be expected against chance, for more and more turns."""
    found: TurnPolicy | None = None
    interrupted = False
    begun = time.monotonic()
    with Working(f"Planning {game.name}") as line:
        try:
            for found in policies(game, state, seconds=seconds, horizon=horizon):
                spent = time.monotonic() - begun
                line.update(f"{found.horizon} turns: {float(found.value):.2f}", spent, seconds)
        except KeyboardInterrupt:
            interrupted = True
    if found is None:
        raise KeyboardInterrupt
    _show_policy(game, found, spent, as_json)
    if interrupted:
        raise KeyboardInterrupt("this is what was found so far")


def _show_policy(game: Game, found: TurnPolicy, spent: float, as_json: bool) -> None:
    if as_json:
        print_json({"game": game.name, "seconds": round(spent, 3), "policy": found.to_json()})
        return
    turns = f"{found.horizon} turn{'s' if found.horizon != 1 else ''}"
    more = "no policy expects more" if found.proved else "games that take longer count as 0"
    said = f"{game.name}: expected goal {float(found.value):.2f} within {turns}; {more}."
    Console(highlight=False).print(f"{found.move()}\n{said}", markup=False, soft_wrap=True)


def _show(
    console: Console,
    game: Game,
    state: State,
    plan: Plan | None,
    bound: int,
    seconds: float,
    boards: bool,
) -> None:
    """The plan move by move, with the positions if they are wanted."""
    if plan is None:
        console.print(
            f"{game.name}: no plan was found in {seconds:.1f} s; give it more --seconds.",
            markup=False,
        )
        return
    if boards:
        print_state(console, state)
        console.print()
    shown = [role in game.players for role in game.roles]
    for turn, (joint, reached) in enumerate(zip(plan.moves, plan.states(state)[1:]), start=1):
        moves = " ".join(str(move) for move, wanted in zip(joint, shown) if wanted)
        console.print(f"{turn:3}  {moves}", markup=False, soft_wrap=True)
        if boards:
            console.print()
            print_state(console, reached)
            console.print()
    words = {
        "proved": "no plan reaches more",
        "bounded": f"no plan reaches more than {bound}",
        "unknown": "nobody knows whether there is more",
    }
    turns = f"{plan.horizon} turn{'s' if plan.horizon != 1 else ''}"
    console.print(
        f"{game.name}: goal {plan.goal} in {turns}, found by {plan.by} in {seconds:.1f} s; "
        f"{words[plan.proof]}.",
        markup=False,
        soft_wrap=True,
    )
