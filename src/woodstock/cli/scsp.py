"""``woodstock scsp``: a game as a stochastic constraint network."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from woodstock.cli.guard import UsageError, print_json
from woodstock.cli.options import AsJson, GameArgument, load_game
from woodstock.cli.progress import Working
from woodstock.cli.tables import figure_table
from woodstock.cli.targets import ForceOption, check_network
from woodstock.match import play_line

if TYPE_CHECKING:
    from woodstock.scsp import Network

__all__ = ["command"]

_WORDS = {
    "names": "atom names",
    "variables": "variables",
    "stochastic": "of them stochastic",
    "largest_domain": "values in the largest domain",
    "constraints": "hard constraints",
    "soft": "soft constraints",
    "rows": "rows of hard constraints",
    "largest_table": "rows of the largest",
    "largest_scope": "variables of the largest",
    "stages": "stages",
    "seconds": "CPU seconds",
}
_FEW = ("names", "variables", "largest_domain", "constraints", "seconds")


class EncodingChoice(str, Enum):
    """The encodings of a game."""

    BOOLEAN = "boolean"
    MULTIVALUED = "multivalued"
    ATOMS = "atoms"


def command(
    game: GameArgument,
    encoding: Annotated[
        EncodingChoice,
        typer.Option(
            help="One Boolean variable a fluent, one variable a group of fluents, or, to compare "
            "sizes with the papers', one variable an atom name and one table a rule."
        ),
    ] = EncodingChoice.MULTIVALUED,
    after: Annotated[
        str | None,
        typer.Option(
            metavar="MOVES",
            help="Fix the state reached by these moves ('' is the first state). Without it, the "
            "network is that of any turn.",
        ),
    ] = None,
    percepts: Annotated[
        str | None,
        typer.Option(metavar="ROLE", help="With variables for what this role perceives."),
    ] = None,
    stages: Annotated[int, typer.Option(min=1, help="The network of so many turns in a row.")] = 1,
    stats: Annotated[bool, typer.Option("--stats", help="All figures.")] = False,
    xcsp3: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write the network as XCSP3.")
    ] = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Turn the rules of a game into a stochastic constraint network and say how large it is."""
    from woodstock.scsp.encode.atoms import atom_network
    from woodstock.scsp.encode.template import template
    from woodstock.scsp.encode.unroll import unroll
    from woodstock.scsp.xcsp3 import write_file

    check_network(xcsp3, force)
    with Working(f"Preparing {game}") as line:
        loaded = load_game(game)
        if percepts is not None and percepts not in loaded.roles:
            raise UsageError(f"no role {percepts!r}; there are {', '.join(loaded.roles)}")
        if encoding is EncodingChoice.ATOMS and (after is not None or percepts or stages != 1):
            raise UsageError(
                "atoms is an encoding of the rules, not of turns; leave out --after, --percepts "
                "and --stages, or take another encoding"
            )
        begun = time.process_time()
        line.update(f"Encoding {game}")
        more: dict[str, float] = {}
        if encoding is EncodingChoice.ATOMS:
            found = atom_network(loaded)
            network, more = found.network, {"names": len(found.names)}
            seconds = time.process_time() - begun
        else:
            turn = template(loaded, encoding.value, percepts=percepts)
            network = turn.network if stages == 1 else unroll(turn, stages)
            seconds = time.process_time() - begun
            if after is not None:
                state = loaded.initial_state()
                for _, reached in play_line(state, after):
                    state = reached
                network = turn.inject(state) if stages == 1 else unroll(turn, stages, state)
        figures: dict[str, float] = {**more, **_figures(network), "seconds": round(seconds, 3)}
        if xcsp3 is not None:
            line.update(f"Writing {xcsp3}")
            write_file(network, xcsp3)
    if as_json:
        head = {
            "game": loaded.name,
            "encoding": encoding.value,
            "percepts": percepts,
            "after": after,
        }
        print_json({**head, **figures, "xcsp3": None if xcsp3 is None else str(xcsp3)})
        return
    console = Console(highlight=False)
    seen = "" if percepts is None else f", percepts of {percepts}"
    console.print(f"{loaded.name}, {encoding.value} encoding{seen}", markup=False, style="bold")
    shown = _WORDS if stats else _FEW
    console.print(figure_table((_WORDS[key], figures[key]) for key in shown if key in figures))
    if xcsp3 is not None:
        console.print(f"written to {xcsp3}", markup=False)


def _figures(network: Network) -> dict[str, int]:
    return {
        "variables": len(network.variables),
        "stochastic": len(network.stochastic),
        "largest_domain": max((len(variable.domain) for variable in network.variables), default=0),
        "constraints": len(network.hard),
        "soft": len(network.soft),
        "rows": sum(len(constraint.rows) for constraint in network.hard),
        "largest_table": max((len(constraint.rows) for constraint in network.hard), default=0),
        "largest_scope": max((len(constraint.scope) for constraint in network.hard), default=0),
        "stages": len(network.stages),
    }
