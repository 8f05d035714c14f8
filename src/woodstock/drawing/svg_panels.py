"""Panels as SVG: cells, what lies below the pieces, the pieces, and lines between cells."""

from __future__ import annotations

from xml.sax.saxutils import escape

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.colors import mixed
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.looks import PIECES, Look
from woodstock.drawing.shapes import (
    CELL,
    WOOD,
    attribute,
    badge,
    ground,
    hexagon,
    label,
    num,
    piece,
    several,
)

LABELS = 24  # room for the labels at the left and on top
_LIGHT, _EDGE, _GRID = "#f5eddc", "#5b4a33", "#b7a583"
_STRIP = 12  # above the pieces, for the names of places
_FLAT = ("block", "fill")  # these fill their cell
_LOOSE = ("disc", "king", "icon", "letter", "glyph")  # these may stand side by side
_SMALL = {"dot", "pellet", "food", "crumb"}
_MARK = "#e08a00"
_GROUNDS = {"wall": "#57514b", "water": "#a9d0e8", "target": "#f8e3a8"}


def size_of(panel: Panel) -> tuple[float, float]:
    """Width and height of a panel with its labels.

    >>> size_of(Panel("", ("a", "b"), ("1",), {}))
    (114, 70)
    """
    columns, rows = len(panel.columns), len(panel.rows)
    if panel.shape == "hex":
        wide = panel.span[1] - panel.span[0]
        return _margin(panel) + wide * CELL + 2, _top(panel) + (rows * 0.87 + 0.35) * CELL
    return _margin(panel) + columns * CELL + 2, _top(panel) + rows * _tall(panel) + 2


def draw_panel(panel: Panel, board: Board, parts: list[str], number: int | None = None) -> None:
    """Add the picture of a panel to ``parts``; with a number, its cells say their places."""
    checkered = _is_checkered(panel, board)
    # The lower left corner is dark as on every chess board, unless all pieces avoid such squares.
    chess = any(look.kind in PIECES for look in board.looks.values())
    one = _one_parity(panel, at_least=12 if chess else 1)
    dark_parity = (len(panel.rows) - 1) % 2 if one is None else one
    _draw_labels(panel, parts)
    for (i, j), cell in panel.cells.items():
        box = _box(panel, i, j)
        if box is None:
            continue
        x, y, width, height = box
        dark = checkered and (i + j) % 2 == dark_parity
        looks = [board.looks[name] for name in cell.contents]
        if number is not None:
            name = attribute(clean(panel.place(i, j)))
            parts.append(f'<g data-place="{number},{i},{j}" data-name="{name}">')
        fill = _GROUNDS.get(cell.ground, WOOD if dark else _LIGHT)
        if cell.floor:
            fill = mixed(board.looks[cell.floor].fill, fill)
        fill = next((look.fill for look in looks if look.form in _FLAT), fill)
        if panel.shape == "hex":
            parts.append(hexagon(x, y, fill, _GRID))
        else:
            corner = f'x="{num(x - width / 2)}" y="{num(y - height / 2)}"'
            size = f'width="{num(width)}" height="{num(height)}"'
            parts.append(f'<rect {corner} {size} fill="{attribute(fill)}" stroke="{_GRID}"/>')
        parts.append(ground(cell.ground, x, y))
        if cell.last:
            parts.append(_last(panel, x, y, width, height))
        if panel.names and panel.shape != "hex":
            parts.append(_name(panel, i, j, x - width / 2 + 3, y - height / 2 + 10, "start"))
            y += _STRIP / 2
        elif panel.names and not looks:
            parts.append(_name(panel, i, j, x, y + 3, "middle"))
        if looks:
            title = f"{panel.place(i, j)}: {', '.join(_counted(cell))}"
            parts.append(f"<g><title>{escape(clean(title))}</title>")
            parts.append(_pieces(cell, looks, x, y))
            parts.append("</g>")
        if number is not None:
            parts.append("</g>")
    _draw_edges(panel, parts)
    if number is not None:
        _draw_crossings(panel, parts, number)


def _last(panel: Panel, x: float, y: float, width: float, height: float) -> str:
    """The mark of the last move: a frame inside the cell."""
    frame = f'fill="{_MARK}" fill-opacity="0.28" stroke="{_MARK}" stroke-width="3"'
    if panel.shape == "hex":
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(width / 2 - 2.5)}" {frame}/>'
    corner = f'x="{num(x - width / 2 + 2)}" y="{num(y - height / 2 + 2)}"'
    return f'<rect {corner} width="{num(width - 4)}" height="{num(height - 4)}" {frame}/>'


def _name(panel: Panel, i: int, j: int, x: float, y: float, anchor: str) -> str:
    return label(x, y, clean(panel.place(i, j)), 9.5, anchor=anchor, fill="#85765c")


def _tall(panel: Panel) -> float:
    """The height of a square cell; where places have names there is a strip for them."""
    return CELL + _STRIP if panel.names else CELL


def _margin(panel: Panel) -> float:
    if panel.names:
        return 2.0
    return max(LABELS, 12 + 7 * max((width_of(row) for row in panel.rows), default=1))


def _top(panel: Panel) -> float:
    return 2.0 if panel.names else LABELS


def _centre(panel: Panel, i: int, j: int) -> tuple[float, float]:
    x = _margin(panel) + (panel.at(i, j) + 0.5) * CELL
    if panel.shape == "hex":
        return x - panel.span[0] * CELL, _top(panel) + (j * 0.87 + 0.6) * CELL
    return x, _top(panel) + (j + 0.5) * _tall(panel)


def _box(panel: Panel, i: int, j: int) -> tuple[float, float, float, float] | None:
    """Centre and size of a cell; None for the further spots of one large place."""
    x, y = _centre(panel, i, j)
    name = panel.names.get((i, j))
    if name is None or panel.shape == "hex":
        return x, y, CELL, _tall(panel)
    spots = panel.spots[name]
    if (i, j) != spots[0]:
        return None
    right, low = max(column for column, _ in spots), max(row for _, row in spots)
    wide, tall = (right - i + 1) * CELL, (low - j + 1) * _tall(panel)
    return x + (wide - CELL) / 2, y + (tall - _tall(panel)) / 2, wide, tall


def _counted(cell: Cell) -> list[str]:
    return [f"{count} {name}" if count > 1 else name for name, count in cell.pieces()]


def _pieces(cell: Cell, looks: list[Look], x: float, y: float) -> str:
    """One piece large and others as badges, or some discs and things side by side."""
    pairs = [(look, count) for look, (_, count) in zip(looks, cell.pieces())]
    pairs = [pair for pair in pairs if pair[0].form not in _FLAT]
    large = [pair for pair in pairs if pair[0].kind not in _SMALL] or pairs
    badges = [look for look, _ in pairs if (look.kind in _SMALL) and large is not pairs]
    out = ""
    if 1 < len(large) <= 4 and all(look.form in _LOOSE for look, _ in large):
        for n, (look, count) in enumerate(large):
            dx = (n % 2 - 0.5) * CELL * 0.46
            dy = 0.0 if len(large) == 2 else (n // 2 - 0.5) * CELL * 0.46
            out += _scaled(several(look, 0, 0, count), x + dx, y + dy, 0.56)
    elif large:
        out += several(large[0][0], x, y, large[0][1])
        badges = [look for look, _ in large[1:]] + badges
    for n, look in enumerate(badges[:3]):
        spot = x + CELL * (0.3 - 0.3 * n), y + CELL * 0.3
        out += (
            _scaled(piece(look, 0, 0), *spot, 0.45) if look.form == "icon" else badge(look, *spot)
        )
    return out


def _scaled(drawn: str, x: float, y: float, factor: float) -> str:
    return f'<g transform="translate({num(x)} {num(y)}) scale({factor})">{drawn}</g>'


def _draw_labels(panel: Panel, parts: list[str]) -> None:
    if panel.names:
        return
    for i, name in enumerate(panel.columns):
        first = min((j for column, j in panel.cells if column == i), default=0)
        x, y = _centre(panel, i, 0)[0], LABELS - 8.0
        if panel.shape == "hex" and first:  # on the way the column would go on
            x, y = _centre(panel, i, first - 1)
            y += 16
        room = CELL * 1.7 / max(1, width_of(name))
        parts.append(label(x, y, clean(name), min(13, max(7, room))))
    for j, name in enumerate(panel.rows):
        first = min((i for i, row in panel.cells if row == j), default=0)
        x, y = _centre(panel, first, j)
        at = x - CELL / 2 - 7 if panel.shape == "hex" else _margin(panel) - 7
        parts.append(label(at, y + 5, clean(name), 13, anchor="end"))


def _is_checkered(panel: Panel, board: Board) -> bool:
    if board.hints.checkered is not None:
        return board.hints.checkered
    if panel.shape == "hex" or panel.block or panel.edges or panel.names or board.hints.background:
        return False
    if any(look.kind in PIECES or look.form == "king" for look in board.looks.values()):
        return True
    return _one_parity(panel, at_least=12) is not None


def _one_parity(panel: Panel, at_least: int) -> int | None:
    """The colour of the squares where all pieces stand, if it is one: draughts."""
    taken = [(i + j) % 2 for (i, j), cell in panel.cells.items() if cell.contents]
    return taken[0] if len(taken) >= at_least and len(set(taken)) == 1 else None


def _draw_crossings(panel: Panel, parts: list[str], number: int) -> None:
    """What a pointer meets on lines between dots, drawn or not; one does not see it."""
    tall, thick = float(_tall(panel)), 14.0
    for words, (side, i, j) in sorted(panel.crossings.items()):
        x, y = _margin(panel) + i * CELL, _top(panel) + j * tall
        if side == "h":
            left, top, width, height = x + thick / 2, y - thick / 2, CELL - thick, thick
        else:
            left, top, width, height = x - thick / 2, y + thick / 2, thick, tall - thick
        box = f'x="{num(left)}" y="{num(top)}" width="{num(width)}" height="{num(height)}"'
        name = attribute(clean(" ".join(words)))
        parts.append(f'<g data-place="{number},{i},{j},{side}" data-name="{name}">')
        parts.append(f'<rect {box} fill="{_EDGE}" fill-opacity="0"/></g>')


def _draw_edges(panel: Panel, parts: list[str]) -> None:
    if panel.shape == "hex":
        return
    left, top, tall = _margin(panel), _top(panel), _tall(panel)
    columns, rows = len(panel.columns), len(panel.rows)
    lines = set(panel.edges)
    if panel.block:
        width, height = panel.block
        lines |= {("v", i, j) for i in range(0, columns + 1, width) for j in range(rows)}
        lines |= {("h", i, j) for i in range(columns) for j in range(0, rows + 1, height)}
    path = []
    for kind, i, j in sorted(lines):
        x, y = left + i * CELL, top + j * tall
        path.append(f"M{num(x)} {num(y)}{f'h{CELL}' if kind == 'h' else f'v{num(tall)}'}")
    if path:
        style = f'stroke="{_EDGE}" stroke-width="3.5" stroke-linecap="round" fill="none"'
        parts.append(f'<path d="{"".join(path)}" {style}/>')
    if len(panel.cells) == columns * rows:
        size = f'width="{columns * CELL}" height="{num(rows * tall)}"'
        frame = f'fill="none" stroke="{_EDGE}" stroke-width="{1 if panel.edges else 2}"'
        parts.append(f'<rect x="{num(left)}" y="{num(top)}" {size} {frame}/>')
