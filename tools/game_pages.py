"""Pages about the library: the list of games, a picture of each, and all pictures on one sheet.

``python tools/game_pages.py DOCS`` writes ``games.md`` (its table), ``contact-sheet.md``,
``images/games/NAME.svg`` and the facts at the top of ``games/NAME.md``; with ``--check`` it writes
nothing and says which files would change.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from written import write_changed

from woodstock import games
from woodstock.game import Game
from woodstock.web.pictures import picture

__all__ = ["contact_sheet", "facts", "listing", "main", "pages", "with_facts"]

_BEGIN, _END = "<!-- the list of games begins -->", "<!-- the list of games ends -->"
_FACTS = re.compile(r"<!-- facts -->\n.*?<!-- end of facts -->\n\n", re.DOTALL)
_COLUMNS = 4
_WIDTH = 230
_GAP = 22
"""Between two columns of the sheet, with their borders."""
_SMALLEST = 0.45
"""How small a picture may become before its cells and labels can no longer be read."""
_KINDS = {
    "deterministic": "Deterministic games",
    "stochastic": "Games of chance",
    "hidden": "Hidden information",
}


def listing(names: Sequence[str]) -> str:
    """A table with a line for each game.

    >>> print(listing(["nim"]).splitlines()[-1])
    | [nim](games/nim.md) | 2 | deterministic | alternating | none | 12 | `nim1` |
    """
    lines = [
        "| name | players | kind | turns | board | plies at most | same as the public |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in names:
        meta = games.meta(name)
        chance = " + chance" if Game.from_library(name, engine="lifted").has_chance else ""
        cells = [
            f"[{name}](games/{name}.md)",
            f"{meta.players}{chance}",
            meta.kind,
            meta.turns,
            meta.board,
            str(meta.max_plies or ""),
            f"`{meta.agrees_with}`" if meta.agrees_with else "",
        ]
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def facts(name: str) -> str:
    """What a page of a game says first: how to start it, roles, sizes, the rules.

    >>> print(facts("nim").splitlines()[2])
    | roles | player1, player2 |
    """
    meta, game = games.meta(name), Game.from_library(name, engine="lifted")
    roles = ", ".join(game.players) + ("; chance takes part" if game.has_chance else "")
    known = "" if meta.information == "complete" else f", {meta.information} information"
    folder = f"../../src/woodstock/games/{name}"
    rows = {
        "play it": f"`woodstock play {name}`",
        "roles": roles,
        "kind": f"{meta.kind}{known}; {meta.turns} moves".replace("single moves", "one player"),
        "size": f"board: {meta.board}; {meta.max_plies} plies at most; "
        f"{len(game.rules.rules)} rules ([more sizes](../library-table.md))",
        "rules": f"[rules.kif]({folder}/rules.kif)",
        "source": meta.source,
        "papers": "; ".join(map(str, meta.papers)),
    }
    lines = [f"| {key} | {value} |" for key, value in rows.items() if value]
    lines[1:1] = ["|---|---|"]
    return "\n".join(lines) + "\n"


def with_facts(page: str, table: str) -> str:
    r"""A page with this table below its picture, in the place of the one it has.

    >>> page = with_facts("# Nim\n\n![Nim](nim.svg)\n\nHeaps.\n", "| a | b |\n")
    >>> page.split("\n\n")[-1], with_facts(page, "| a | b |\n") == page
    ('Heaps.\n', True)
    """
    title, picture, text = _FACTS.sub("", page).split("\n\n", 2)
    block = f"<!-- facts -->\n{table}<!-- end of facts -->"
    return "\n\n".join([title, picture, block, text])


def contact_sheet(names: Sequence[str]) -> str:
    """A page with the pictures of these games, several in a row.

    >>> "images/games/nim.svg" in contact_sheet(["nim"])
    True
    """
    parts = [
        "# The games at a glance\n\n",
        "Each picture shows the middle of a game's recorded random match and leads to its page.\n"
        "`python tools/game_pages.py docs` draws this sheet.\n",
    ]
    for kind, title in _KINDS.items():
        found = [name for name in names if games.meta(name).kind == kind]
        parts.append(f"\n## {title}\n\n<table>\n" if found else "")
        for row in _rows(found):
            parts.append(f"<tr>\n{''.join(_frame(name, span) for name, span in row)}</tr>\n")
        parts.append("</table>\n" if found else "")
    return "".join(parts)


def _rows(names: Sequence[str]) -> list[list[tuple[str, int]]]:
    """Pictures in rows, each with the columns that it takes; who fits fills an earlier row."""
    rows: list[list[tuple[str, int]]] = []
    for name in names:
        span = _span(picture(name))
        free = [row for row in rows if sum(taken for _, taken in row) + span <= _COLUMNS]
        if free:
            free[0].append((name, span))
        else:
            rows.append([(name, span)])
    return rows


def _span(svg: str) -> int:
    """How many columns a picture needs to be read.

    >>> _span('<svg width="402" height="430"'), _span('<svg width="932" height="958"')
    (1, 2)
    """
    found = re.search(r'width="([\d.]+)"', svg)
    wide = float(found[1]) if found else 0.0
    spans = range(1, _COLUMNS)
    return next((span for span in spans if _wide(span) >= _SMALLEST * wide), _COLUMNS)


def _wide(span: int) -> int:
    return span * _WIDTH + (span - 1) * _GAP


def _frame(name: str, span: int) -> str:
    title = games.meta(name).title
    image = f'<img src="images/games/{name}.svg" width="{_wide(span)}" alt="{title}">'
    columns = f' colspan="{span}"' if span > 1 else ""
    return f'<td align="center"{columns}><a href="games/{name}.md">{image}<br>{title}</a></td>\n'


def pages(folder: Path) -> Mapping[str, str]:
    """All files by their path below the folder of the pages."""
    names = games.names()
    listed = (folder / "games.md").read_text(encoding="utf-8")
    before, begin, rest = listed.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"games.md needs a line {_BEGIN} and a line {_END}")
    files = {f"images/games/{name}.svg": picture(name) + "\n" for name in names}
    files["games.md"] = f"{before}{begin}\n\n{listing(names)}\n{end}{after}"
    files["contact-sheet.md"] = contact_sheet(names)
    for name in names:
        page = f"games/{name}.md"
        files[page] = with_facts((folder / page).read_text(encoding="utf-8"), facts(name))
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description="Write the list of games, their pictures and the contact sheet.",
        epilog="example: python tools/game_pages.py docs",
    )
    parser.add_argument("folder", type=Path, metavar="DOCS", help="the folder of the pages")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    options = parser.parse_args(arguments)
    changed = list(write_changed(options.folder, pages(options.folder), check=options.check))
    for file in changed:
        print(f"{file} {'differs' if options.check else 'written'}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
