"""Where on a board a fluent is drawn, told from its arguments and the names along the board.

>>> from woodstock.gdl.terms import parse_term
>>> fluents = [parse_term(f"(cell {x} {y} {z})") for x in "12" for y in "12" for z in "xb"]
>>> board = Board.find([parse_term("(cell 1 1 x)")], fluents)
>>> fluent_places(board, fluents)[parse_term("(cell 2 1 x)")]
[(0, 0, 1)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Panel
from woodstock.drawing.marks import Place
from woodstock.gdl.terms import Compound, Term

__all__ = ["fluent_places"]


def fluent_places(board: Board, fluents: Iterable[Term]) -> dict[Term, list[Place]]:
    """The places of each fluent that has some.

    A relation lies on a panel where two of its arguments are always names of a column and a row
    of it, or one is always the name of a place. What cannot be told is left out.
    """
    relations: dict[tuple[str, int], list[Compound]] = {}
    for fluent in fluents:
        if isinstance(fluent, Compound):
            relations.setdefault((str(fluent[0]), len(fluent)), []).append(fluent)
    letters = board.hints.args
    found: dict[Term, list[Place]] = {}
    for rows in relations.values():
        named = letters if "z" in letters and len(letters) == len(rows[0]) - 1 else ""
        for number, panel in enumerate(board.panels):
            mine = rows
            if named:
                # One argument says on which panel it is.
                title, at = panel.title.lower().split(), named.index("z") + 1
                mine = [row for row in rows if str(row[at]).lower() in title[-1:]]
            row_first = panel.transposed or -1 < letters.find("y") < letters.find("x")
            for fluent, here in (_on(panel, mine, row_first) if mine else {}).items():
                found.setdefault(fluent, []).extend((number, *spot) for spot in here)
    return found


def _on(
    panel: Panel, rows: Sequence[Compound], row_first: bool
) -> Mapping[Compound, Sequence[tuple[int, int]]]:
    arity = len(rows[0]) - 1
    if panel.names:
        for at in range(1, arity + 1):
            if all(str(row[at]) in panel.spots for row in rows):
                return {row: panel.spots[str(row[at])] for row in rows}
        return {}
    columns = {name: place for place, name in enumerate(panel.columns)}
    lines = {name: place for place, name in enumerate(panel.rows)}
    for first, second in combinations(range(1, arity + 1), 2):
        x, y = (second, first) if row_first else (first, second)
        if not all(str(row[x]) in columns and str(row[y]) in lines for row in rows):
            continue
        here = {row: [(columns[str(row[x])], lines[str(row[y])])] for row in rows}
        used = {spot for (spot,) in here.values()}
        # A board is filled by what lies on it; two counters beside it are not.
        if used <= panel.cells.keys() and 2 * len(used) >= len(panel.cells):
            return here
    return {}
