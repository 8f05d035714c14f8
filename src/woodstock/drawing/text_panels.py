"""Panels as text: squares between lines, hexagons in leaning rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from woodstock.drawing.boxes import corner
from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.colors import rgb_of
from woodstock.drawing.letters import centre, clean, pad, width_of
from woodstock.drawing.looks import Look

_FILLS = {"wall": "▒", "water": "≈"}
_SHADES = {"○": "░", "●": "▓"}


def panel_lines(
    panel: Panel, looks: Mapping[str, Look], color: bool, columns: int | None = None
) -> list[str]:
    """A panel as lines; one that is wider than so many columns has none between its cells.

    >>> looks = {"x": Look("x", "cross", "#2c66c4")}
    >>> panel_lines(Panel("", ("1",), ("1",), {(0, 0): Cell(("x",))}), looks, False)
    ['    1', '  ┌───┐', '1 │ x │', '  └───┘']
    """

    def fits(lines: list[str]) -> bool:
        return columns is None or max(map(visible_width, lines), default=0) <= columns

    if panel.shape == "hex":
        return _hexagons(panel, looks, color)
    lines = _squares(panel, looks, color)
    if fits(lines):
        return lines
    if panel.names or panel.edges:  # which need the lines
        for room in (1, 0):
            lines = _squares(panel, looks, color, room)
            if fits(lines):
                break
        return lines
    lines = _narrow(panel, looks, color)
    return lines if fits(lines) else _narrow(panel, looks, color, upright=True)


def visible_width(line: str) -> int:
    """Width without ANSI codes, which only `paint` writes."""
    plain, rest = "", line
    while "\x1b[" in rest:
        before, _, rest = rest.partition("\x1b[")
        plain += before
        rest = rest.partition("m")[2]
    return width_of(plain + rest)


def paint(text: str, look: Look, color: bool) -> str:
    """A text in the colour of a look, by ANSI codes, if colour is wanted."""
    text = clean(text)
    rgb = rgb_of(look.fill) if color else None
    if rgb is None or look.form == "number":
        return text
    if sum(rgb) < 150:  # black on a black terminal would vanish
        rgb = (130, 130, 140)
    return f"\x1b[1;38;2;{rgb[0]};{rgb[1]};{rgb[2]}m{text}\x1b[0m"


def _symbols(cell: Cell, looks: Mapping[str, Look]) -> list[tuple[str, Look]]:
    shown = [(_symbol(looks[name], count), looks[name]) for name, count in cell.pieces()]
    if len(shown) > 1:  # what fills a cell is seen around the rest
        shown = [pair for pair in shown if pair[1].form != "block"] or shown[:1]
    return shown if len(shown) <= 3 else [*shown[:2], ("+", shown[2][1])]


def _symbol(look: Look, count: int) -> str:
    if look.form == "tokens":
        return str(count)
    return clean(f"{count}{look.symbol}" if count > 1 else look.symbol)


def _floor(cell: Cell, looks: Mapping[str, Look]) -> str:
    """The shade of the floor, or a small letter for it where there are more colours than two."""
    symbol = looks[cell.floor].symbol if cell.floor else ""
    if cell.contents == (cell.floor,) and symbol not in _SHADES:
        return ""  # a piece on its own colour says it
    return _SHADES.get(symbol, symbol[:1].lower())


def _plain(cell: Cell, looks: Mapping[str, Look]) -> str:
    symbols = _symbols(cell, looks)
    mark = "*" if cell.ground == "target" else ""
    floor = _floor(cell, looks)
    if floor and floor not in _SHADES.values():
        mark = (":" if symbols else "") + floor + mark
    return _gap(symbols).join(symbol for symbol, _ in symbols) + mark


def _gap(symbols: list[tuple[str, Look]]) -> str:
    """Numbers and names of several letters need something between them."""
    return "/" if any(len(symbol) > 1 or symbol.isdecimal() for symbol, _ in symbols) else ""


def _cell_text(cell: Cell, looks: Mapping[str, Look], width: int, color: bool) -> str:
    symbols = _symbols(cell, looks)
    plain = _plain(cell, looks)
    painted = _gap(symbols).join(paint(symbol, look, color) for symbol, look in symbols)
    painted += plain[len(_gap(symbols).join(symbol for symbol, _ in symbols)) :]
    if cell.last and not plain:
        plain = painted = " "
    left = (width - width_of(plain)) // 2
    floor = _floor(cell, looks)
    blank = floor if floor in _SHADES.values() else _FILLS.get(cell.ground, " ")
    blocks = [looks[name] for name in cell.contents if looks[name].form == "block"]
    if blocks and blocks[0].symbol in _FILLS.values():
        blank = blocks[0].symbol
    right = width - width_of(plain) - left
    if cell.last and left and right:
        return f"{blank * (left - 1)}[{painted}]{blank * (right - 1)}"
    return blank * left + painted + blank * right


def _cell_width(panel: Panel, looks: Mapping[str, Look], room: int = 2) -> int:
    """The widest content with room for some blanks beside it; for labels, one blank is enough."""
    widths = [1 + room]
    widths += [width_of(_plain(cell, looks)) + room for cell in panel.cells.values()]
    widths += [width_of(clean(name)) + min(room, 1) for name in panel.columns]
    if panel.shape != "hex":
        widths += [width_of(clean(name)) + room for name in panel.names.values()]
    return max(widths)


def _squares(panel: Panel, looks: Mapping[str, Look], color: bool, room: int = 2) -> list[str]:
    columns, rows = len(panel.columns), len(panel.rows)
    width = _cell_width(panel, looks, room)
    margin = _margin(panel)
    head = " " * margin + "".join(" " + centre(clean(c), width) for c in panel.columns)
    lines = [] if panel.names else [head.rstrip()]
    for j in range(rows + 1):
        line = " " * margin
        for i in range(columns + 1):
            line += _corner(panel, i, j)
            if i < columns:
                weight = _weight(panel, "h", i, j)
                line += _under(panel, i, j, " ─━"[weight], width)
        lines.append(line.rstrip())
        if j == rows:
            break
        line = pad(clean(panel.rows[j]), margin)
        for i in range(columns + 1):
            line += " │┃"[_weight(panel, "v", i, j)]
            if i < columns:
                cell = panel.cells.get((i, j), Cell())
                line += _cell_text(cell, looks, width, color)
        lines.append(line.rstrip())
    return lines


def _narrow(
    panel: Panel, looks: Mapping[str, Look], color: bool, upright: bool = False
) -> list[str]:
    """Cells side by side with a blank between them, for boards that do not fit otherwise.

    Where that is still too wide, the names of columns are written from top to bottom.
    """
    names = [clean(name) for name in panel.columns]
    widths = [1, *([] if upright else map(width_of, names))]
    widths += [width_of(_plain(cell, looks)) for cell in panel.cells.values()]
    width, margin = max(widths), _margin(panel)
    tall = max(map(len, names)) if upright else 1
    heads = zip(*(name.rjust(tall) if upright else [name] for name in names))
    lines = [
        (" " * margin + "".join(" " + centre(part, width) for part in head)).rstrip()
        for head in heads
    ]
    for j, label in enumerate(panel.rows):
        line, closing = pad(clean(label), margin), " "
        for i in range(len(panel.columns)):
            cell = panel.cells.get((i, j))
            last = cell is not None and cell.last
            line += "[" if last else closing
            closing = "]" if last else " "
            if cell is None:
                line += " " * width
            elif cell.contents or cell.ground or cell.floor:
                line += _cell_text(replace(cell, last=False), looks, width, color)
            else:
                line += centre("·", width)
        lines.append((line + closing).rstrip())
    return lines


def _margin(panel: Panel) -> int:
    return 0 if panel.names else max(width_of(clean(label)) for label in panel.rows) + 1


def _under(panel: Panel, i: int, j: int, line: str, width: int) -> str:
    """The line above a cell, with the name of the place in it."""
    name = clean(panel.names.get((i, j), ""))
    if not name or panel.names.get((i - 1, j)) == name or panel.names.get((i, j - 1)) == name:
        return line * width
    left = (width - width_of(name)) // 2
    return line * left + name + line * (width - width_of(name) - left)


def _weight(panel: Panel, kind: str, i: int, j: int) -> int:
    """0 no line, 1 light, 2 heavy: between two places of which the board has none, one or both."""
    before = (i, j - 1) if kind == "h" else (i - 1, j)
    if (i, j) not in panel.cells and before not in panel.cells:
        return 0
    if panel.names and panel.names.get((i, j)) == panel.names.get(before):
        return 0  # one large place
    if (kind, i, j) in panel.edges:
        return 2
    if panel.block:
        size = panel.block[0] if kind == "v" else panel.block[1]
        end = len(panel.columns) if kind == "v" else len(panel.rows)
        at = i if kind == "v" else j
        return 2 if at % size == 0 and 0 < at < end else 1
    return 1


def _corner(panel: Panel, i: int, j: int) -> str:
    up, right = _weight(panel, "v", i, j - 1), _weight(panel, "h", i, j)
    down, left = _weight(panel, "v", i, j), _weight(panel, "h", i - 1, j)
    return corner(up, right, down, left)


def _hexagons(panel: Panel, looks: Mapping[str, Look], color: bool) -> list[str]:
    """Each row half a cell beside the one above, or where the layout says."""
    step = _cell_width(panel, looks)
    step += step % 2  # even, so that half a step is whole
    margin = _margin(panel)
    head = " " * int(step * panel.at(0, 0) + margin)
    lines = [(head + "".join(centre(clean(c), step) for c in panel.columns)).rstrip()]
    for j, label in enumerate(panel.rows):
        first = min((i for i, row in panel.cells if row == j), default=0)
        line = " " * int(step * panel.at(first, j)) + pad(clean(label), margin)
        for i in range(len(panel.columns)):
            cell = panel.cells.get((i, j))
            if cell is None:
                continue
            line += " " * (int(step * panel.at(i, j)) + margin - visible_width(line))
            empty = not (cell.contents or cell.ground or cell.floor or cell.last)
            name = clean(panel.names.get((i, j), ""))
            free = name if 0 < width_of(name) < step else "·"
            line += centre(free, step) if empty else _cell_text(cell, looks, step, color)
        lines.append(line.rstrip())
    return lines[1:] if panel.names else lines
