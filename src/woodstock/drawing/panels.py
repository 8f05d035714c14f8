"""Panels from grids: which way up a board is seen, and which of its places are blank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from woodstock.drawing.cells import Cell, Edge, Panel
from woodstock.drawing.coordinates import Axis, read_coordinate
from woodstock.drawing.edges import Line, Wall, read_lines
from woodstock.drawing.grids import Grid, Group
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import BLANKS, side_of
from woodstock.drawing.relations import Row
from woodstock.drawing.sides import Sides, first_number, sides_of
from woodstock.drawing.terms import kif

# Single letters that mean blank only where every place of the board has a fluent.
_SHY_BLANKS = {"b", "e", "f", "open", "clear"}


def build_panels(group: Group, hints: Hints) -> list[Panel]:
    """The panels of a group of grids: one, or one a layer."""
    sides = sides_of(group, hints)
    blanks = blanks_of(group, hints)
    floor = _floors(group)
    filled: dict[tuple[str, ...], dict[tuple[int, int], list[tuple[str, int]]]] = {}
    known: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    floors: dict[tuple[tuple[str, ...], tuple[int, int]], str] = {}
    for grid in group.grids:
        for row in grid.relation.rows:
            place = grid.place(row)
            at = sides.locate(*place[1:])
            if at is not None:
                known.setdefault(place[0], set()).add(at)
        for row in grid.relation.state:
            place, content = grid.place(row), grid.content(row)
            at = sides.locate(*place[1:])
            if at is None or content in blanks or grid in floor or grid.shadow:
                continue
            if grid.relation.functor.lower() in hints.floor:
                floors[place[0], at] = content
                continue
            filled.setdefault(place[0], {}).setdefault(at, []).append((content, grid.count(row)))
    width = len(sides.x) * len(sides.block_x or "1")
    height = len(sides.y) * len(sides.block_y or "1")
    everywhere = {(i, j) for i in range(width) for j in range(height)}
    panels = []
    whole = _absent_is_blank(group, blanks)
    for layer in _layers(group):
        places = everywhere if whole else known.get(layer, set())
        if _only_dark_squares(places, everywhere):
            places = everywhere
        contents = filled.get(layer, {})
        cells = {
            at: Cell.of(contents.get(at, ()), floors.get((layer, at), "")) for at in sorted(places)
        }
        panel = _panel(group, sides, " ".join(layer), cells, hints)
        key = group.first.layout.key
        order = tuple(sorted(range(len(key)), key=lambda rank: key[rank]))
        panels.append(replace(panel, words=_words(sides, layer), order=order))
    return panels


def _words(sides: Sides, layer: tuple[str, ...]) -> dict[tuple[int, int], tuple[str, ...]]:
    """How the rules call each place, whatever way it lies in the picture."""
    words: dict[tuple[int, int], tuple[str, ...]] = {}
    blocks = [("", "")]
    if sides.block_x is not None and sides.block_y is not None:
        blocks = [(bx, by) for by in sides.block_y.labels for bx in sides.block_x.labels]
    for bx, by in blocks:
        for seen_x in sides.x.labels:
            for seen_y in sides.y.labels:
                x, y = (seen_y, seen_x) if sides.transposed else (seen_x, seen_y)
                at = sides.locate(bx, by, x, y)
                if at is not None:
                    block = (bx, by) if bx else ()
                    words[at] = (*layer, *block, x, y)
    return words


def blanks_of(group: Group, hints: Hints) -> set[str]:
    """The contents of a group of grids that mean an empty place."""
    contents = set().union(*(grid.contents() for grid in group.grids))
    if hints.blank is not None:
        return {content for content in contents if content.lower() in hints.blank}
    grid = group.telling
    # A telling word for blank leaves b free to be black, e an elephant and f a fox.
    blanks = {content for content in contents if content.lower() in BLANKS - _SHY_BLANKS}
    filled = 0.0 if grid.marker else _filled(grid)
    if not blanks and filled > 0.45:  # draughts has cells on half the squares
        blanks = {content for content in contents if content.lower() in _SHY_BLANKS}
    elif not blanks and "w" not in contents:
        # A lone b is a blank unless whites make it black.
        blanks = {content for content in contents if content.lower() == "b"}
    if blanks or filled < 1:
        return blanks
    counts = Counter(grid.content(row) for row in grid.relation.state)
    most, times = counts.most_common(1)[0]
    plain = side_of(most) is None and not most.isdecimal() and len(counts) > 1
    if most in hints.symbols or most in hints.colors:
        return set()  # what has a look of its own is there to be seen
    return {most} if plain and times >= 5 and times * 2 > counts.total() else set()


def _filled(grid: Grid) -> float:
    """The part of the board's places, seen or possible, for which the state has a fluent."""
    seen = grid.places(domain=False)
    if grid.relation.domain:
        return len(seen) / len(grid.places())
    boxes = [{place[i] for place in seen} for i in (0, 1, 2)]
    sides = [len(grid.axis(grid.layout.x)), len(grid.axis(grid.layout.y))]
    whole = sides[0] * sides[1]
    for box in boxes:
        whole *= max(1, len(box))
    return len(seen) / whole


def _floors(group: Group) -> list[Grid]:
    """Markers that hold on every place say where the board is, not what is on it."""
    if len(group.grids) < 2:
        return []
    places = group.places()
    return [
        g
        for g in group.grids
        if g.marker and not g.shadow and len(g.places(domain=False)) == len(places) > 8
    ]


def _absent_is_blank(group: Group, blanks: set[str]) -> bool:
    """Whether a place without a fluent is an empty cell rather than no cell."""
    if any(grid.relation.domain for grid in group.grids) or _floors(group):
        return False
    return not any(
        grid.content(row) in blanks for grid in group.grids for row in grid.relation.state
    )


def _only_dark_squares(places: set[tuple[int, int]], everywhere: set[tuple[int, int]]) -> bool:
    """Draughts is played on half the squares; a person still wants to see the others."""
    return len(places) * 2 == len(everywhere) and len({(i + j) % 2 for i, j in places}) == 1


def _layers(group: Group) -> list[tuple[str, ...]]:
    layers = {place[0] for place in group.places()}
    return sorted(layers, key=lambda layer: [(read_coordinate(s) or ("", 0), s) for s in layer])


def _panel(
    group: Group, sides: Sides, layer: str, cells: dict[tuple[int, int], Cell], hints: Hints
) -> Panel:
    name = group.first.relation.functor
    block = None
    columns, rows = sides.x.labels, sides.y.labels
    if sides.block_x is not None and sides.block_y is not None:
        block = (len(columns), len(rows))
        columns, rows = columns * len(sides.block_x), rows * len(sides.block_y)
    elif hints.blocks:
        block = hints.blocks
    elif (len(columns), len(rows)) == (9, 9) and _all_digits(cells):
        block = (3, 3)  # sudoku: the rules know the boxes, the fluents do not
    origin = tuple(first_number(axis) for axis in (sides.x, sides.y))
    return Panel(
        title=f"{name} {layer}".strip(),
        columns=columns,
        rows=rows[::-1] if sides.upward else rows,
        cells=cells,
        shape=hints.shape,
        block=block,
        origin=(origin[0], origin[1]),
        upward=sides.upward,
        transposed=sides.transposed,
    )


def _all_digits(cells: dict[tuple[int, int], Cell]) -> bool:
    contents = [content for cell in cells.values() for content in cell.contents]
    return bool(contents) and all(len(c) == 1 and c in "123456789" for c in contents)


def empty_panel(hints: Hints) -> Panel | None:
    """The board the hints alone describe, for a state with nothing on it yet.

    >>> empty_panel(Hints(columns=2, rows=("b", "a"))).columns
    ('1', '2')
    """
    if hints.columns is None or hints.rows is None:
        return None
    x, y = _plain_axis(hints.columns), _plain_axis(hints.rows)
    upward = isinstance(hints.rows, int) and hints.flip is not False
    upward = upward and (hints.shape != "hex" or hints.flip is True)
    return _whole_panel(x, y, upward, hints)


def line_panel(x: Axis, y: Axis, hints: Hints) -> Panel:
    """The boxes between dots, before anybody owns one."""
    return _whole_panel(x, y, hints.flip is not False, hints)


def _plain_axis(size: int | tuple[str, ...]) -> Axis:
    if isinstance(size, int):
        return Axis.named(str(i) for i in range(1, size + 1))
    return Axis.named(size)


def _whole_panel(x: Axis, y: Axis, upward: bool, hints: Hints) -> Panel:
    cells = {(i, j): Cell() for i in range(len(x)) for j in range(len(y))}
    rows = y.labels[::-1] if upward else y.labels
    origin = (first_number(x), first_number(y))
    panel = Panel("", x.labels, rows, cells, hints.shape, hints.blocks, origin, upward)
    words = {(i, j): (x.labels[i], rows[j]) for i, j in cells}
    row_first = -1 < hints.args.find("y") < hints.args.find("x")
    return replace(panel, words=words, order=(1, 0) if row_first else (0, 1))


def add_edges(panel: Panel, walls: list[Wall], lines: list[Line]) -> Panel | None:
    """A panel with walls and lines drawn in; None when they do not lie on it."""
    width, height = len(panel.columns), len(panel.rows)
    edges: set[Edge] = set(panel.edges)
    for wall in walls:
        column, row = _seen(panel, wall.x, wall.y)
        kind = "h" if wall.side in ("up", "down") else "v"
        column += wall.side == "right"
        row += wall.side == "down"
        edges.add((kind, column, row))
    edges |= {_edge(panel, line) for line in lines}
    fitting = {edge for edge in edges if _fits(panel, edge)}
    # Mazes wall in their border from outside; such a wall may lie off the first column.
    if len(fitting) * (2 if walls else 1) < len(edges):
        return None
    cells = dict(panel.cells)
    if walls:  # a maze has cells everywhere, also where nobody gets to
        cells |= {
            (i, j): Cell() for i in range(width) for j in range(height) if (i, j) not in cells
        }
    return replace(panel, edges=frozenset(fitting), cells=cells)


def with_crossings(panel: Panel, rows: Iterable[Row]) -> Panel:
    """A panel that knows by which words the rules speak of its lines between dots."""
    crossings: dict[tuple[str, ...], Edge] = {}
    for row in rows:
        for line in read_lines([row]) or ():
            edge = _edge(panel, line)
            if _fits(panel, edge):
                crossings[tuple(kif(word).lower() for word in row)] = edge
    return replace(panel, crossings=crossings)


def _edge(panel: Panel, line: Line) -> Edge:
    column, row = _seen(panel, line.x, line.y)
    # A dot is the lower counted corner of its cell.
    return ("h", column, row + panel.upward) if line.across else ("v", column, row)


def _fits(panel: Panel, edge: Edge) -> bool:
    kind, column, row = edge
    wide = 0 <= column < len(panel.columns) + (kind == "v")
    return wide and 0 <= row < len(panel.rows) + (kind == "h")


def _seen(panel: Panel, x: int, y: int) -> tuple[int, int]:
    if panel.transposed:
        x, y = y, x
    row = y - panel.origin[1]
    return x - panel.origin[0], len(panel.rows) - 1 - row if panel.upward else row
