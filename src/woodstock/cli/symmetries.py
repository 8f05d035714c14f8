"""``woodstock symmetries``: what can be exchanged in a game without changing it."""

from __future__ import annotations

import itertools
import string
import textwrap
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AfterOption, AsJson, EngineChoice, GameArgument, load_game
from woodstock.cli.progress import Working
from woodstock.cli.targets import ForceOption, check_picture
from woodstock.drawing import draw_svg, draw_text
from woodstock.drawing.board import Board
from woodstock.drawing.marks import Place, changed_cells, marked
from woodstock.files import write_whole
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.match import play_line

if TYPE_CHECKING:
    from woodstock.symmetry import Symmetries

__all__ = ["command"]

MOST_DRAWN = 400
"""Moves whose effect on the board is looked at."""
MOST_LINES = 3
"""Lines of text for a generator or an orbit."""


class GraphChoice(str, Enum):
    """The graphs whose automorphisms are asked for."""

    RULES = "rules"
    TEMPLATE = "template"
    STAGE = "stage"
    REST = "rest"


_MEANING = {
    GraphChoice.RULES: "graph of the ground rules",
    GraphChoice.TEMPLATE: "microstructure of a turn",
    GraphChoice.STAGE: "microstructure of this one turn",
    GraphChoice.REST: "graph of the rules that are left",
}


def command(
    game: GameArgument,
    after: AfterOption = "",
    graph: Annotated[
        GraphChoice,
        typer.Option(
            help="rules: the ground rules; template: the constraint network of any turn; stage: "
            "that of the turn at hand, later turns do not count; rest: the rules, with what can "
            "no longer change put in."
        ),
    ] = GraphChoice.RULES,
    exchange_roles: Annotated[
        bool, typer.Option("--exchange-roles", help="Players may be exchanged (rules, rest).")
    ] = False,
    seconds: Annotated[
        float, typer.Option(min=0.01, help="How long to look; what was found so far is shown.")
    ] = 30.0,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the board with the orbits as an SVG picture."),
    ] = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Find the symmetries of a game, and which moves of a position are equal by them."""
    if exchange_roles and graph not in (GraphChoice.RULES, GraphChoice.REST):
        raise UsageError("networks know their players by name: use --graph rules or rest")
    check_picture(svg, force)
    with Working(f"Preparing {game}"):
        loaded = load_game(game, EngineChoice.AUTO)
    state = loaded.initial_state()
    for _, reached in play_line(state, after):
        state = reached
    with Working(f"Looking for symmetries of {loaded.name}"):
        whole, here = _find(state, graph, exchange_roles, seconds)
        orbits = {} if state.is_terminal else _orbits(state, here)
        board = _board(state)
        marks = _marks(state, board, orbits)
    if svg is not None:
        write_whole(svg, draw_svg(marked(board, marks)))
    if as_json:
        print_json(_describe(state, graph, whole, here, orbits))
        return
    console = Console(highlight=False)
    _print(console, state, graph, whole, here, orbits)
    if marks:
        color = console.is_terminal and not console.no_color
        console.print()
        picture = draw_text(marked(board, marks), color=color)
        console.print(Text.from_ansi(picture), soft_wrap=True)
    _print_generators(console, whole)


def _find(
    state: State, graph: GraphChoice, exchange_roles: bool, seconds: float
) -> tuple[Symmetries, Symmetries]:
    """All symmetries, and those that keep the position."""
    from woodstock.symmetry import rule_symmetries

    game = state.game
    if graph in (GraphChoice.RULES, GraphChoice.REST):
        since = state if graph is GraphChoice.REST else None
        whole, here = (
            rule_symmetries(
                game, keep=keep, since=since, exchange_roles=exchange_roles, seconds=seconds
            )
            for keep in (None, state)
        )
        return whole, here
    from woodstock.scsp.encode import template
    from woodstock.symmetry.stage_graph import stage_symmetries, template_symmetries

    turn = template(game)
    if graph is GraphChoice.STAGE:
        found = stage_symmetries(turn, state, seconds=seconds)
        return found, found
    whole, here = (template_symmetries(turn, keep=keep, seconds=seconds) for keep in (None, state))
    return whole, here


def _orbits(state: State, here: Symmetries) -> dict[str, list[list[Term]]]:
    """The moves of each player with a choice, those together that are equal."""
    legal = {role: state.legal_moves(role) for role in state.game.players}
    return {role: here.orbits(role, moves) for role, moves in legal.items() if len(moves) > 1}


def _board(state: State) -> Board:
    game = state.game
    return Board.find(state.fluents, game.possible_fluents, game.drawing)


def _marks(state: State, board: Board, orbits: dict[str, list[list[Term]]]) -> dict[Place, str]:
    """The letters of the orbits on the cells that their moves change, for the first chooser."""
    found: dict[Place, str] = {}
    role = next(iter(orbits), None)
    if role is None or sum(map(len, orbits[role])) > MOST_DRAWN or len(orbits[role]) > 26:
        return found
    others = {one: state.legal_moves(one)[0] for one in state.roles if one != role}
    for name, orbit in zip(_names(), orbits[role]):
        for move in orbit:
            after = state.apply({**others, role: move})
            for place in changed_cells(board, _board(after)):
                letters = found.get(place, "")
                if name not in letters:
                    found[place] = letters + name if len(letters) < 3 else letters
    return found


def _names() -> Iterator[str]:
    """Letters, then pairs of letters, and so on."""
    for size in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_lowercase, repeat=size))


def _describe(
    state: State,
    graph: GraphChoice,
    whole: Symmetries,
    here: Symmetries,
    orbits: dict[str, list[list[Term]]],
) -> dict[str, Any]:
    return {
        "game": state.game.name,
        "graph": graph.value,
        "order": whole.order,
        "order_here": here.order,
        "complete": whole.complete and here.complete,
        "generators": [
            [[str(point) for point in cycle] for cycle in one.cycles()] for one in whole.generators
        ],
        "orbits": {role: [[str(m) for m in orbit] for orbit in o] for role, o in orbits.items()},
        "idle": sorted(map(str, whole.idle)),
    }


def _print(
    console: Console,
    state: State,
    graph: GraphChoice,
    whole: Symmetries,
    here: Symmetries,
    orbits: dict[str, list[list[Term]]],
) -> None:
    least = "" if whole.complete and here.complete else "at least "
    console.print(
        f"{state.game.name}: {least}{_count(whole.order, 'symmetry', 'symmetries')} "
        f"({_MEANING[graph]})",
        markup=False,
        style="bold",
    )
    if whole.idle:
        few = ", ".join(sorted(map(str, whole.idle))[:5])
        more = ", …" if len(whole.idle) > 5 else ""
        console.print(f"Nothing depends on {few}{more}.", markup=False)
    if here.order != whole.order:
        console.print(f"{least}{here.order} of them keep this position.".capitalize())
    for role, groups in orbits.items():
        moves = sum(map(len, groups))
        console.print()
        console.print(
            f"{role}: {_count(moves, 'move', 'moves')}, {len(groups)} up to symmetry",
            markup=False,
            style="bold",
        )
        for name, orbit in itertools.islice(zip(_names(), groups), 40):
            console.print(_lines(f"  {name:<2} ", map(str, orbit), console.width), markup=False)
        if len(groups) > 40:
            console.print(f"  … and {len(groups) - 40} others", markup=False)


def _print_generators(console: Console, whole: Symmetries) -> None:
    if not whole.generators:
        return
    console.print()
    console.print("They are made of", style="bold")
    for number, generator in enumerate(itertools.islice(whole.generators, 12), 1):
        cycles = (" → ".join(map(str, (*cycle, cycle[0]))) for cycle in generator.cycles())
        if all(len(cycle) == 2 for cycle in generator.cycles()):
            cycles = (" ↔ ".join(map(str, cycle)) for cycle in generator.cycles())
        console.print(_lines(f"  {number:<2} ", cycles, console.width, ", "), markup=False)
    if len(whole.generators) > 12:
        console.print(f"  … and {len(whole.generators) - 12} others")


def _count(number: int, one: str, many: str) -> str:
    digits = len(str(number))
    shown = f"{number:,}" if digits < 16 else f"{str(number)[0]}.{str(number)[1:3]}·10^{digits - 1}"
    return f"{shown} {one if number == 1 else many}"


def _lines(head: str, words: Iterator[str] | Sequence[str], width: int, gap: str = "  ") -> str:
    """Words side by side on a few lines; what has no room is left out."""
    text = gap.join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)
    filled = textwrap.fill(
        text,
        max(40, width - 1),
        initial_indent=head,
        subsequent_indent=" " * len(head),
        max_lines=MOST_LINES,
        placeholder=" …",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace("\N{NO-BREAK SPACE}", " ")
