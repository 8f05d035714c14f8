"""``woodstock games``: what the library holds."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from woodstock import games
from woodstock.cli.guard import print_json
from woodstock.cli.options import AsJson
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import normalise

__all__ = ["command"]

_NARROW = ("name", "roles", "kind", "board", "rules")
_WIDE = ("name", "title", "roles", "kind", "information", "turns", "board", "rules")
_WIDE_COLUMNS = 130


class GameKind(str, Enum):
    """What `--kind` may be."""

    deterministic = "deterministic"
    stochastic = "stochastic"
    hidden = "hidden"


def command(
    kind: Annotated[GameKind | None, typer.Option(help="Only games of this kind.")] = None,
    players: Annotated[
        int | None, typer.Option(min=1, help="Only games for so many players (chance not counted).")
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(help="Only games of papers whose name or table has this, e.g. 'IJCAI 2017'."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games of the library.

    Example: woodstock games --kind stochastic --players 2
    """
    names = [name for name in games.names() if _wanted(games.meta(name), kind, players, paper)]
    rows = [_row(name) for name in names]
    if as_json:
        print_json({"games": rows})
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe there is no width to fit into: one game stays one line.
        console = Console(highlight=False, width=200)
    if not rows:
        papers = sorted({p.paper for name in games.names() for p in games.meta(name).papers})
        console.print("No game is like that. The papers are:", *papers, sep="\n  ")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    keys = _WIDE if console.width >= _WIDE_COLUMNS else _NARROW
    for key in keys:
        table.add_column(key, style="cyan" if key == "name" else "", no_wrap=key == "name")
    for row in rows:
        table.add_row(*(_text(row[key]) for key in keys))
    console.print(table)
    console.print(f"\n{len(rows)} games; 'woodstock show NAME' draws one.")


def _wanted(
    meta: games.GameMeta, kind: GameKind | None, players: int | None, paper: str | None
) -> bool:
    return (
        (kind is None or meta.kind == kind.value)
        and (players is None or meta.players == players)
        and (paper is None or any(paper.lower() in str(p).lower() for p in meta.papers))
    )


def _text(value: str | int | list[str]) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _row(name: str) -> dict[str, Any]:
    """What is known of a game without grounding it."""
    rules, _ = normalise(read_text(games.rules_text(name)))
    meta = games.meta(name)
    keys = ("title", "summary", "players", "kind", "information", "turns", "board", "max_plies")
    about = {key: getattr(meta, key) for key in (*keys, "agrees_with", "source")}
    papers = [asdict(paper) for paper in meta.papers]
    sizes = {"roles": list(rules.roles), "rules": len(rules.sheet.clauses)}
    return {"name": name, **about, "papers": papers, **sizes}
