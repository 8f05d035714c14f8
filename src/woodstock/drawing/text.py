"""Text: a board as lines of characters.

>>> print(draw_text([("cell", "1", "1", "x"), ("cell", "1", "2", "b"), ("cell", "2", "1", "b"),
...                  ("cell", "2", "2", "o"), ("control", "xplayer")]))
    1   2
  ┌───┬───┐
1 │ x │   │
  ├───┼───┤
2 │   │ o │
  └───┴───┘
▶ control: xplayer
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Mapping

from woodstock.drawing.board import Board, board_of
from woodstock.drawing.boxes import corner
from woodstock.drawing.facts import Fact
from woodstock.drawing.looks import Look, rgb_of
from woodstock.drawing.panels import Cell, Panel

_MAX_VALUES = 16  # values of one fact before the rest is only counted
_MAX_WIDTH = 100  # columns used when small boards stand side by side


def draw_text(
    state: object,
    *,
    color: bool = False,
    hints: Mapping[str, object] | None = None,
    domain: Iterable[object] | None = None,
) -> str:
    """Draw a state, or a set of fluents, as text.

    ``color`` adds ANSI colours; without it the text has none. ``hints`` are the ``[drawing]``
    table of the game, ``domain`` all fluents that may ever hold; both improve the picture and
    neither is needed. Never raises on ground terms.

    >>> print(draw_text([("heap", "a", "3"), ("heap", "b", "1")]))
    heap a  ||| 3
    heap b  | 1
    """
    board = board_of(state, hints, domain)
    parts = [_beside(_panels(board, color), board)] if board.panels else []
    legend = _legend(board, color)
    if legend:
        parts.append(legend)
    parts += [line for fact in board.facts for line in fact_lines(fact)]
    return "\n".join(part for part in parts if part)


def width_of(text: str) -> int:
    """Columns a terminal needs for a text, wide and combining characters counted rightly.

    >>> width_of("ab"), width_of("王"), width_of("e\u0301")
    (2, 2, 1)
    """
    width = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


def fact_lines(fact: Fact, columns: int = _MAX_WIDTH) -> list[str]:
    """The lines of one fact, wrapped.

    >>> fact_lines(Fact("step", ("3",)))
    ['step: 3']
    """
    if fact.style == "sticks":
        widest = max(width_of(value) for value in fact.values)
        pairs = zip(fact.values, fact.bars, strict=True)
        return [
            " ".join([f"{fact.name} {_pad(value, widest)} ", "|" * n, str(n)]).replace("   ", "  ")
            for value, n in pairs
        ]
    if fact.style == "stack":
        widest = max(fact.bars)
        names = max(width_of(value) for value in fact.values)
        lines = [
            f"  {_pad(value, names)} {' ' * (widest - n)}{'▬' * (2 * n + 1)}"
            for value, n in zip(fact.values, fact.bars, strict=True)
        ]
        return [f"{fact.name}:", *lines]
    mark = "▶ " if fact.turn else ""
    if not fact.values:
        return [mark + clean(fact.name)]
    gap = " · " if any(" " in value for value in fact.values) else " "
    most = _MAX_VALUES if gap == " · " else 2 * _MAX_VALUES
    shown = [clean(value) for value in fact.values[:most]]
    if len(fact.values) > most:
        shown.append(f"… ({len(fact.values) - most} more)")
    # A value of several words stays on one line.
    shown = [value.replace(" ", "\N{NO-BREAK SPACE}") for value in shown]
    line = f"{mark}{clean(fact.name)}: {gap.join(shown)}"
    wrapped = textwrap.wrap(line, columns, subsequent_indent="    ", break_on_hyphens=False)
    return [piece.replace("\N{NO-BREAK SPACE}", " ") for piece in wrapped]


def clean(text: str) -> str:
    """A text without characters that move the cursor or that XML forbids.

    >>> clean("a" + chr(10) + "b")
    'a�b'
    """
    return "".join(c if c.isprintable() else "�" for c in text)


def _legend(board: Board, color: bool) -> str:
    entries = [
        f"{_paint(look.symbol, look, color)} {clean(name)}"
        for name, look in board.legend()
        if width_of(look.symbol) > 0
    ]
    lines: list[str] = []
    for entry in entries:
        if lines and _visible_width(lines[-1]) + _visible_width(entry) + 3 <= _MAX_WIDTH:
            lines[-1] += "   " + entry
        else:
            lines.append(entry)
    return "\n".join(lines)


def _panels(board: Board, color: bool) -> list[list[str]]:
    titled = len(board.panels) > 1
    blocks = []
    for panel in board.panels:
        draw = _hexagons if panel.shape == "hex" else _squares
        lines = draw(panel, board, color)
        blocks.append(([clean(panel.title)] if titled else []) + lines)
    return blocks


def _beside(blocks: list[list[str]], board: Board) -> str:
    """Small boards side by side as far as they fit, or as the hints say."""
    widths = [max(_visible_width(line) for line in block) for block in blocks]
    per_row = board.hints.panels_per_row
    if per_row is None:
        per_row = max(1, min(len(blocks), _MAX_WIDTH // (max(widths) + 3)))
        if len(blocks) == 4 and len(board.panels[0].columns) <= 3:
            per_row = min(per_row, 2)  # four quarters make a square
    lines: list[str] = []
    for start in range(0, len(blocks), per_row):
        row = blocks[start : start + per_row]
        height = max(len(block) for block in row)
        for i in range(height):
            pieces = []
            for block, width in zip(row, widths[start : start + per_row], strict=True):
                line = block[i] if i < len(block) else ""
                pieces.append(line + " " * (width - _visible_width(line)))
            lines.append("   ".join(pieces).rstrip())
    return "\n".join(lines)


def _visible_width(line: str) -> int:
    """Width without ANSI codes, which only `_paint` writes."""
    plain, rest = "", line
    while "\x1b[" in rest:
        before, _, rest = rest.partition("\x1b[")
        plain += before
        rest = rest.partition("m")[2]
    return width_of(plain + rest)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _centre(text: str, width: int) -> str:
    left = (width - width_of(text)) // 2
    return " " * left + text + " " * (width - width_of(text) - left)


def _paint(text: str, look: Look, color: bool) -> str:
    text = clean(text)
    rgb = rgb_of(look.fill) if color else None
    if rgb is None or look.form == "number":
        return text
    if sum(rgb) < 150:  # black on a black terminal would vanish
        rgb = (130, 130, 140)
    return f"\x1b[1;38;2;{rgb[0]};{rgb[1]};{rgb[2]}m{text}\x1b[0m"


def _symbols(cell: Cell, board: Board) -> list[tuple[str, Look]]:
    shown = [(clean(board.looks[name].symbol), board.looks[name]) for name in cell.contents]
    return shown if len(shown) <= 3 else [*shown[:2], ("+", shown[2][1])]


def _gap(symbols: list[tuple[str, Look]]) -> str:
    """Numbers and names of several letters need something between them."""
    return "/" if any(len(symbol) > 1 or symbol.isdecimal() for symbol, _ in symbols) else ""


def _cell_text(cell: Cell, board: Board, width: int, color: bool) -> str:
    symbols = _symbols(cell, board)
    gap = _gap(symbols)
    plain = gap.join(symbol for symbol, _ in symbols)
    painted = gap.join(_paint(symbol, look, color) for symbol, look in symbols)
    left = (width - width_of(plain)) // 2
    return " " * left + painted + " " * (width - width_of(plain) - left)


def _cell_width(panel: Panel, board: Board) -> int:
    """Room for the widest content and a blank on both sides; for labels, one blank is enough."""
    widths = [0]
    for cell in panel.cells.values():
        symbols = _symbols(cell, board)
        widths.append(width_of(_gap(symbols).join(symbol for symbol, _ in symbols)))
    return max(3, *(width + 2 for width in widths), *(width_of(c) + 1 for c in panel.columns))


def _squares(panel: Panel, board: Board, color: bool) -> list[str]:
    columns, rows = len(panel.columns), len(panel.rows)
    width = _cell_width(panel, board)
    margin = max(width_of(label) for label in panel.rows)
    head = " " * (margin + 1) + "".join(" " + _centre(c, width) for c in panel.columns)
    lines = [head.rstrip()]
    for j in range(rows + 1):
        line = " " * (margin + 1)
        for i in range(columns + 1):
            line += _corner(panel, i, j)
            if i < columns:
                weight = _weight(panel, "h", i, j)
                line += " ─━"[weight] * width
        lines.append(line.rstrip())
        if j == rows:
            break
        line = _pad(panel.rows[j], margin) + " "
        for i in range(columns + 1):
            line += " │┃"[_weight(panel, "v", i, j)]
            if i < columns:
                cell = panel.cells.get((i, j), Cell())
                line += _cell_text(cell, board, width, color)
        lines.append(line.rstrip())
    return lines


def _weight(panel: Panel, kind: str, i: int, j: int) -> int:
    """0 no line, 1 light, 2 heavy: between two places of which the board has none, one or both."""
    before = (i, j - 1) if kind == "h" else (i - 1, j)
    if (i, j) not in panel.cells and before not in panel.cells:
        return 0
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


def _hexagons(panel: Panel, board: Board, color: bool) -> list[str]:
    """A rhombus: each row half a cell beside the one above."""
    step = _cell_width(panel, board)
    step += step % 2  # even, so that half a step is whole
    margin = max(width_of(label) for label in panel.rows)
    head = " " * (step // 2 * panel.shift(0) + margin + 1)
    lines = [(head + "".join(_centre(c, step) for c in panel.columns)).rstrip()]
    for j, label in enumerate(panel.rows):
        line = " " * (step // 2 * panel.shift(j)) + _pad(label, margin) + " "
        for i in range(len(panel.columns)):
            cell = panel.cells.get((i, j))
            if cell is None:
                line += " " * step
            elif cell.contents:
                line += _cell_text(cell, board, step, color)
            else:
                line += _centre("·", step)
        lines.append(line.rstrip())
    return lines
