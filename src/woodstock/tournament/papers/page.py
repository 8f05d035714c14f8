"""The page of the papers' tables: what people wrote above a mark stays, what follows is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from woodstock.tournament.report.blocks import Block
from woodstock.tournament.report.markdown import markdown_blocks

__all__ = ["MARK", "write_page"]

MARK = "<!-- Written by `woodstock reproduce`: what is below this line will be replaced. -->"


def write_page(path: str | Path, blocks: Sequence[Block]) -> None:
    """Write blocks to a file, below the mark if it has one, or as the whole of it.

    Curves go to a folder beside it.
    """
    path = Path(path)
    head = "# The papers' tables\n\n"
    if path.exists():
        text, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
        head = text if mark else head
    folder = path.with_suffix(".pictures")
    body = "\n".join(markdown_blocks(blocks, folder, folder.name)).rstrip()
    path.write_text(f"{head.rstrip()}\n\n{MARK}\n\n{body}\n", encoding="utf-8")
