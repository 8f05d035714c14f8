"""The page of the papers' tables: what people wrote above a mark stays, and so do other tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from woodstock.files import check_target, write_whole
from woodstock.tournament.papers.tables import table_ids
from woodstock.tournament.report.blocks import Block
from woodstock.tournament.report.markdown import markdown_blocks

__all__ = ["check_page", "write_page"]

MARK = "<!-- Below this line `woodstock reproduce` writes: each table replaces itself. -->"
_SECTION = re.compile(r"^## (\S+): ", re.MULTILINE)


def check_page(path: str | Path, *, force: bool = False) -> None:
    """Complain where a file is there that `write_page` has not written."""
    path = Path(path)
    check_target(
        path,
        "page of the papers' tables",
        lambda _: MARK.encode() in path.read_bytes(),
        force=force,
    )


def write_page(path: str | Path, tables: Mapping[str, Sequence[Block]]) -> None:
    """Write tables, by their ids, to a page below its mark, in their order.

    Those that the page has already are replaced, others stay. Curves go to a folder beside it.
    """
    path = Path(path)
    head, sections = "# The papers' tables", dict[str, str]()
    if path.exists():
        text, mark, below = path.read_text(encoding="utf-8").partition(MARK)
        if mark:
            head, sections = text, _sections(below)
    folder = path.with_suffix(".pictures")
    for name, blocks in tables.items():
        sections[name] = "\n".join(markdown_blocks(blocks, folder, name))
    known = [name for name in table_ids() if name in sections]
    body = "\n\n".join(sections[name].strip() for name in known)
    write_whole(path, f"{head.rstrip()}\n\n{MARK}\n\n{body}\n")


def _sections(text: str) -> dict[str, str]:
    """The tables of a page, by their ids."""
    found = list(_SECTION.finditer(text))
    ends = [one.start() for one in found[1:]] + [len(text)]
    return {one[1]: text[one.start() : end] for one, end in zip(found, ends)}
