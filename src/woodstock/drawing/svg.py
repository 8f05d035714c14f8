"""SVG: a board as a standalone picture.

The result needs no style sheet and no script, scales to any size and tells, when the pointer rests
on a piece, what the rules call it and where it stands. Notebooks show it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from woodstock.drawing.board import Board, board_of
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.shapes import FONT, badge, label, num
from woodstock.drawing.svg_facts import LINE, MARGIN, draw_facts
from woodstock.drawing.svg_panels import LABELS, draw_panel, size_of

_GAP = 26  # between small boards
_MAX_ROW = 900  # small boards stand side by side up to this width


def draw_svg(
    state: object,
    *,
    hints: Mapping[str, object] | None = None,
    domain: Iterable[object] | None = None,
    places: bool = False,
) -> str:
    """Draw a state, or a set of fluents, as an SVG document.

    ``hints`` and ``domain`` are those of `draw_text`. With ``places``, each cell is a group that
    says where it is, for pages: ``data-place`` has the numbers of panel, column and row. Never
    raises on ground terms.

    >>> "<circle" in draw_svg([("cell", "1", "1", "white"), ("cell", "2", "2", "black"),
    ...                        ("cell", "2", "1", "white")])
    True
    """
    board = board_of(state, hints, domain)
    parts: list[str] = []
    width, height = _draw_panels(board, parts, places)
    for draw in (_draw_legend, _draw_props, draw_facts):
        right, height = draw(board, parts, height, max(width, 320.0))
        width = max(width, right)
    width, height = width + MARGIN, height + MARGIN
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


def _draw_panels(board: Board, parts: list[str], places: bool) -> tuple[float, float]:
    """Small boards in rows; gives the right and the lower end."""
    x = y = float(MARGIN)
    right, below = x, y
    per_row = board.hints.panels_per_row
    if per_row is None and board.is_quartered:
        per_row = 2
    in_row = 0
    for number, panel in enumerate(board.panels):
        width, height = size_of(panel)
        top = 20 if len(board.panels) > 1 else 0
        if in_row and (in_row == per_row or (per_row is None and x + width > _MAX_ROW)):
            x, y, in_row = float(MARGIN), below + _GAP / 2, 0
        if top:
            parts.append(label(x + LABELS, y + 12, clean(panel.title), 13, anchor="start"))
        parts.append(f'<g transform="translate({num(x)} {num(y + top)})">')
        draw_panel(panel, board, parts, number if places else None)
        parts.append("</g>")
        x, in_row = x + width + _GAP, in_row + 1
        right, below = max(right, x - _GAP), max(below, y + top + height)
    return right, below


def _draw_legend(board: Board, parts: list[str], top: float, width: float) -> tuple[float, float]:
    """What the short names mean; discs, pieces and crosses explain themselves."""
    entries = [(name, look) for name, look in board.legend() if look.form in ("letter", "glyph")]
    x, y, right = float(MARGIN), top, float(MARGIN)
    if entries:
        y += LINE
    for name, look in entries:
        length = 26 + 8.8 * width_of(name)
        if x > MARGIN and x + length > width:
            x, y = float(MARGIN), y + LINE
        parts.append(badge(look, x + 8, y - 4))
        parts.append(label(x + 22, y, clean(name), 13, anchor="start"))
        x += length + 8
        right = max(right, x)
    return right, y


def _draw_props(board: Board, parts: list[str], top: float, _: float) -> tuple[float, float]:
    """Dice, cards, bars and tables below the board."""
    right, y = float(MARGIN), top
    for prop in board.props:
        drawn, end, y = prop.svg(MARGIN, y)
        parts.append(drawn)
        right = max(right, end)
    return right, y
