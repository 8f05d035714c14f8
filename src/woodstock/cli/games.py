"""``woodstock games``: what the library holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

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


def command(as_json: AsJson = False) -> None:
    """List the games of the library."""
    rows = [_row(name) for name in games.names()]
    if as_json:
        print_json({"games": rows})
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe there is no width to fit into: one game stays one line.
        console = Console(highlight=False, width=200)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    wide = console.width >= _WIDE_COLUMNS
    keys = _WIDE if wide else _NARROW
    for key in keys:
        table.add_column(key, style="cyan" if key == "name" else "", no_wrap=key == "name")
    for row in rows:
        texts = {key: _text(row[key]) for key in keys}
        if not wide and row["information"] != "complete":
            texts["kind"] += f", {row['information']}"
        table.add_row(*texts.values())
    console.print(table)
    console.print(f"\n{len(rows)} games; 'woodstock show NAME' draws one.")


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
