"""SVG: a board as a standalone picture.

The result needs no style sheet and no script, scales to any size and tells, when the pointer rests
on a piece, what the rules call it and where it stands. Notebooks show it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape

from woodstock.drawing.board import Board, board_of
from woodstock.drawing.facts import Fact, coin_side
from woodstock.drawing.looks import PIECES, SIDES, Look, ink_on, side_of
from woodstock.drawing.panels import Panel
from woodstock.drawing.shapes import CELL, FONT, INK, attribute, hexagon, label, num, piece
from woodstock.drawing.text import clean, fact_lines, width_of

_LABELS = 24  # room for the labels at the left and on top
_GAP = 26  # between small boards
_MARGIN = 12
_LINE = 22  # height of a line of facts
_MAX_CARDS = 40
_MAX_ROW = 900  # small boards stand side by side up to this width
_LIGHT, _DARK, _EDGE, _GRID = "#f5eddc", "#ddc7a2", "#5b4a33", "#b7a583"


def draw_svg(
    state: object,
    *,
    hints: Mapping[str, object] | None = None,
    domain: Iterable[object] | None = None,
) -> str:
    """Draw a state, or a set of fluents, as an SVG document.

    ``hints`` and ``domain`` are those of `draw_text`. Never raises on ground terms.

    >>> "<circle" in draw_svg([("cell", "1", "1", "white"), ("cell", "2", "2", "black"),
    ...                        ("cell", "2", "1", "white")])
    True
    """
    board = board_of(state, hints, domain)
    parts: list[str] = []
    width, height = _draw_panels(board, parts)
    for draw in (_draw_legend, _draw_facts):
        right, height = draw(board, parts, height, max(width, 320.0))
        width = max(width, right)
    width, height = width + _MARGIN, height + _MARGIN
    size = f'width="{num(width)}" height="{num(height)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {num(width)} {num(height)}"'
    )
    return "".join(
        [
            f'{head} font-family="{FONT}" role="img">',
            f'<rect {size} rx="8" fill="#fdfbf7"/>',
            *parts,
            "</svg>",
        ]
    )


def _draw_panels(board: Board, parts: list[str]) -> tuple[float, float]:
    """Small boards in rows; gives the right and the lower end."""
    x = y = float(_MARGIN)
    right, below = x, y
    per_row = board.hints.panels_per_row
    if per_row is None and len(board.panels) == 4 and len(board.panels[0].columns) <= 3:
        per_row = 2  # four quarters make a square
    in_row = 0
    for panel in board.panels:
        width, height = _size(panel)
        top = 20 if len(board.panels) > 1 else 0
        if in_row and (in_row == per_row or (per_row is None and x + width > _MAX_ROW)):
            x, y, in_row = float(_MARGIN), below + _GAP / 2, 0
        if top:
            parts.append(label(x + _LABELS, y + 12, clean(panel.title), 13, anchor="start"))
        parts.append(f'<g transform="translate({num(x)} {num(y + top)})">')
        _draw_panel(panel, board, parts)
        parts.append("</g>")
        x, in_row = x + width + _GAP, in_row + 1
        right, below = max(right, x - _GAP), max(below, y + top + height)
    return right, below


def _margin(panel: Panel) -> float:
    return max(_LABELS, 12 + 7 * max((width_of(row) for row in panel.rows), default=1))


def _size(panel: Panel) -> tuple[float, float]:
    columns, rows = len(panel.columns), len(panel.rows)
    if panel.shape == "hex":
        return _margin(panel) + (columns + rows / 2) * CELL, _LABELS + (rows * 0.87 + 0.4) * CELL
    return _margin(panel) + columns * CELL + 2, _LABELS + rows * CELL + 2


def _centre(panel: Panel, i: int, j: int) -> tuple[float, float]:
    if panel.shape == "hex":
        shifted = i + panel.shift(j) / 2 + 0.5
        return _margin(panel) + shifted * CELL, _LABELS + (j * 0.87 + 0.6) * CELL
    return _margin(panel) + (i + 0.5) * CELL, _LABELS + (j + 0.5) * CELL


def _draw_panel(panel: Panel, board: Board, parts: list[str]) -> None:
    checkered = _is_checkered(panel, board)
    # The lower left corner is dark as on every chess board, unless all pieces avoid such squares.
    chess = any(look.kind in PIECES for look in board.looks.values())
    one = _one_parity(panel, at_least=12 if chess else 1)
    dark_parity = (len(panel.rows) - 1) % 2 if one is None else one
    for i, name in enumerate(panel.columns):
        parts.append(label(_centre(panel, i, 0)[0], _LABELS - 8, clean(name), 13))
    for j, name in enumerate(panel.rows):
        x, y = _centre(panel, 0, j)
        at = x - CELL / 2 - 7 if panel.shape == "hex" else _margin(panel) - 7
        parts.append(label(at, y + 5, clean(name), 13, anchor="end"))
    for (i, j), cell in panel.cells.items():
        x, y = _centre(panel, i, j)
        dark = checkered and (i + j) % 2 == dark_parity
        looks = [board.looks[name] for name in cell.contents]
        fill = _DARK if dark else _LIGHT
        if looks and looks[0].form in ("block", "fill"):
            fill = looks[0].fill
        parts.append(_cell(panel, x, y, fill))
        if looks:
            place = f"{panel.columns[i]} {panel.rows[j]}: {', '.join(cell.contents)}"
            parts.append(f"<g><title>{escape(clean(place))}</title>")
            parts.append(piece(looks[0], x, y))
            for n, look in enumerate(looks[1:4]):
                parts.append(_badge(look, x + CELL * (0.3 - 0.3 * n), y + CELL * 0.3))
            parts.append("</g>")
    _draw_edges(panel, parts)


def _cell(panel: Panel, x: float, y: float, fill: str) -> str:
    if panel.shape == "hex":
        return hexagon(x, y, fill, _GRID)
    corner = f'x="{num(x - CELL / 2)}" y="{num(y - CELL / 2)}"'
    size = f'width="{CELL}" height="{CELL}"'
    return f'<rect {corner} {size} fill="{attribute(fill)}" stroke="{_GRID}"/>'


def _badge(look: Look, x: float, y: float) -> str:
    circle = (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="8" fill="{attribute(look.fill)}" stroke="{INK}"/>'
    )
    return circle + label(x, y + 4, clean(look.symbol), 10, fill=look.ink)


def _is_checkered(panel: Panel, board: Board) -> bool:
    if board.hints.checkered is not None:
        return board.hints.checkered
    if panel.shape == "hex" or panel.block or panel.edges:
        return False
    if any(look.kind in PIECES or look.form == "king" for look in board.looks.values()):
        return True
    return _one_parity(panel, at_least=12) is not None


def _one_parity(panel: Panel, at_least: int) -> int | None:
    """The colour of the squares where all pieces stand, if it is one: draughts."""
    taken = [(i + j) % 2 for (i, j), cell in panel.cells.items() if cell.contents]
    return taken[0] if len(taken) >= at_least and len(set(taken)) == 1 else None


def _draw_edges(panel: Panel, parts: list[str]) -> None:
    if panel.shape == "hex":
        return
    left, top = _margin(panel), _LABELS
    columns, rows = len(panel.columns), len(panel.rows)
    lines = set(panel.edges)
    if panel.block:
        width, height = panel.block
        lines |= {("v", i, j) for i in range(0, columns + 1, width) for j in range(rows)}
        lines |= {("h", i, j) for i in range(columns) for j in range(0, rows + 1, height)}
    path = []
    for kind, i, j in sorted(lines):
        x, y = left + i * CELL, top + j * CELL
        path.append(f"M{num(x)} {num(y)}{'h' if kind == 'h' else 'v'}{CELL}")
    if path:
        style = f'stroke="{_EDGE}" stroke-width="3.5" stroke-linecap="round" fill="none"'
        parts.append(f'<path d="{"".join(path)}" {style}/>')
    if len(panel.cells) == columns * rows:
        size = f'width="{columns * CELL}" height="{rows * CELL}"'
        frame = f'fill="none" stroke="{_EDGE}" stroke-width="{1 if panel.edges else 2}"'
        parts.append(f'<rect x="{num(left)}" y="{num(top)}" {size} {frame}/>')


def _draw_legend(board: Board, parts: list[str], top: float, width: float) -> tuple[float, float]:
    """What the short names mean; discs, pieces and crosses explain themselves."""
    entries = [(name, look) for name, look in board.legend() if look.form == "letter"]
    x, y, right = float(_MARGIN), top, float(_MARGIN)
    if entries:
        y += _LINE
    for name, look in entries:
        length = 26 + 8.8 * width_of(name)
        if x > _MARGIN and x + length > width:
            x, y = float(_MARGIN), y + _LINE
        parts.append(_badge(look, x + 8, y - 4))
        parts.append(label(x + 22, y, clean(name), 13, anchor="start"))
        x += length + 8
        right = max(right, x)
    return right, y


def _draw_facts(board: Board, parts: list[str], top: float, width: float) -> tuple[float, float]:
    y, right = top + (6 if board.panels else -4), float(_MARGIN)
    for fact in board.facts:
        if fact.style == "coins":
            end, y = _draw_coins(fact, parts, y)
        elif fact.style != "line":
            end, y = _draw_bars(fact, parts, y)
        elif not board.panels and 0 < len(fact.values) <= _MAX_CARDS:
            end, y = _draw_cards(fact, parts, y)
        else:
            end = 0.0
            for line in fact_lines(fact, columns=max(40, int(width / 8))):
                y += _LINE
                indent = 3.5 * (len(line) - len(line.lstrip()))
                parts.append(label(_MARGIN + indent, y, line.lstrip(), 14, anchor="start"))
                end = max(end, _MARGIN + 8.4 * width_of(line))
        right = max(right, end)
    return right, y


def _draw_bars(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Heaps as rows of sticks, an ordered stack as a pile of bars."""
    names = 16 + 8.4 * max(width_of(f"{fact.name} {value}") for value in fact.values)
    longest = max(fact.bars)
    for value, n in zip(fact.values, fact.bars, strict=True):
        y += 30
        parts.append(label(_MARGIN, y, clean(f"{fact.name} {value}"), 14, anchor="start"))
        if fact.style == "stack":
            x = _MARGIN + names + (longest - n) * 9
            shape = f'width="{(n + 1) * 18}" height="20" rx="10"'
            fill = f'fill="{SIDES["gold"]}" stroke="{SIDES["brown"]}"'
            parts.append(f'<rect x="{num(x)}" y="{num(y - 15)}" {shape} {fill}/>')
            continue
        for k in range(n):
            x = _MARGIN + names + k * 12
            shape = f'x="{num(x)}" y="{num(y - 17)}" width="6" height="24" rx="3"'
            parts.append(f'<rect {shape} fill="{SIDES["brown"]}"/>')
        end = _MARGIN + names + n * 12 + 8
        parts.append(label(end, y, str(n), 13, anchor="start", fill="#7b7266"))
    length = (longest + 1) * 18 if fact.style == "stack" else longest * 12 + 32
    return _MARGIN + names + length, y + 6


def _draw_cards(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Without a board, each value is a card of its own."""
    y += 40
    mark = "▶ " if fact.turn else ""
    title = clean(mark + fact.name)
    parts.append(label(_MARGIN, y, title, 14, anchor="start"))
    x = _MARGIN + 14 + 8.6 * width_of(title)
    for value in fact.values:
        if x > _MAX_ROW * 0.7:
            x, y = _MARGIN + 14 + 8.6 * width_of(title), y + 40
        length = 20 + 9.0 * width_of(value)
        side = side_of(value)
        fill = SIDES[side] if side else _DARK
        shape = f'x="{num(x)}" y="{num(y - 20)}" width="{num(length)}" height="30" rx="7"'
        parts.append(f'<rect {shape} fill="{fill}" stroke="{INK}" stroke-opacity="0.35"/>')
        parts.append(label(x + length / 2, y, clean(value), 14, fill=ink_on(fill)))
        x += length + 10
    return x, y


def _draw_coins(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Coins with their side on top, their owners beside them."""
    y += 44
    parts.append(label(_MARGIN, y, clean(fact.name), 14, anchor="start"))
    x = _MARGIN + 20 + 8.6 * width_of(fact.name)
    for value in fact.values:
        for word in value.split():
            side = coin_side(word)
            if side is None:
                parts.append(label(x, y, clean(word), 14, anchor="start"))
                x += 10 + 8.6 * width_of(word)
                continue
            fill = SIDES["silver"] if side == "?" else SIDES["gold"]
            at = f'cx="{num(x + 16)}" cy="{num(y - 5)}"'
            parts.append(f'<g><title>{escape(clean(word))}</title><circle {at} r="16"')
            parts.append(f' fill="{fill}" stroke="{INK}"/>')
            parts.append(f'<circle {at} r="12.5" fill="none" stroke="{INK}" stroke-opacity="0.3"/>')
            parts.append(label(x + 16, y, side, 15) + "</g>")
            x += 40
        x += 16
    return x, y + 8
