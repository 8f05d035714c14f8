"""Tables without lines, for figures."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

__all__ = ["column_table", "figure_table"]


def column_table(first: str, *titles: str, wrap: bool = True) -> Table:
    """A table with a column of words, which is folded, and columns of figures.

    >>> [column.justify for column in column_table("game", "plies").columns]
    ['left', 'right']
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=not wrap)
    return table


def figure_table(rows: Iterable[tuple[str, float]]) -> Table:
    """Figures one below the other, with what they are of.

    >>> figure_table([("atoms", 1000)]).row_count
    1
    """
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for words, figure in rows:
        table.add_row(words, f"{figure:,}")
    return table
