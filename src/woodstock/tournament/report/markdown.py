"""Reports as Markdown. Pictures are files beside it, or named in words where there is no folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from woodstock.files import write_whole
from woodstock.tournament.report.blocks import (
    Block,
    Heading,
    Paragraph,
    Picture,
    Replays,
    ReportTable,
)

__all__ = ["markdown_blocks", "markdown_page", "markdown_table"]


def markdown_page(title: str, blocks: Sequence[Block], folder: Path | None = None) -> str:
    """The whole page.

    >>> print(markdown_page("Ring", [Paragraph("Few matches.")]), end="")
    # Ring
    <BLANKLINE>
    Few matches.
    """
    lines = markdown_blocks(blocks, folder)
    return "\n".join([f"# {title}", "", *lines]).rstrip() + "\n"


def markdown_blocks(
    blocks: Sequence[Block], folder: Path | None = None, name: str = "curve"
) -> Iterator[str]:
    """The lines of some blocks, each with an empty one behind it; matches are left out.

    Pictures are written to a `folder` beside the page, if one is given, under a `name` and a
    number.
    """
    pictures = 0
    for block in blocks:
        if isinstance(block, Heading):
            yield f"{'#' * block.level} {block.text}"
        elif isinstance(block, Paragraph):
            yield block.text
        elif isinstance(block, ReportTable):
            yield from markdown_table(block)
        elif isinstance(block, Picture):
            pictures += 1
            if folder is None:
                yield f"*{block.text}*"
            else:
                folder.mkdir(parents=True, exist_ok=True)
                file = folder / f"{name}-{pictures}.svg"
                write_whole(file, block.svg)
                yield f"![{block.text}]({folder.name}/{file.name})"
        elif isinstance(block, Replays):
            yield f"{len(block.entries) + block.more} matches; the HTML report has their moves."
        yield ""


def markdown_table(table: ReportTable) -> Iterator[str]:
    r"""The lines of a table; marked cells are bold.

    >>> print(*markdown_table(ReportTable(("game", "%"), (("nim", "50"),))), sep="\n")
    | game | % |
    |---|--:|
    | nim | 50 |
    """
    yield f"| {' | '.join(map(_cell, table.head))} |"
    yield f"|{'---|' * table.words}{'--:|' * (len(table.head) - table.words)}"
    for number, row in enumerate(table.rows):
        cells = [
            f"**{_cell(cell)}**" if (number, column) in table.marks else _cell(cell)
            for column, cell in enumerate(row)
        ]
        yield f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
