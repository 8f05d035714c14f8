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
from collections.abc import Iterable, Mapping

from woodstock.drawing.board import Board, board_of
from woodstock.drawing.facts import Fact
from woodstock.drawing.letters import clean, pad, width_of
from woodstock.drawing.text_panels import paint, panel_lines, visible_width

_MAX_VALUES = 16  # values of one fact before the rest is only counted
_MAX_WIDTH = 100  # columns used when small boards stand side by side


def draw_text(
    state: object,
    *,
    color: bool = False,
    hints: Mapping[str, object] | None = None,
    domain: Iterable[object] | None = None,
    columns: int | None = None,
) -> str:
    """Draw a state, or a set of fluents, as text.

    ``color`` adds ANSI colours; without it the text has none. ``hints`` are the ``[drawing]``
    table of the game, ``domain`` all fluents that may ever hold; both improve the picture and
    neither is needed. ``columns`` is how wide the terminal is: a board that is wider is drawn
    without lines. Never raises on ground terms.

    >>> print(draw_text([("heap", "a", "3"), ("heap", "b", "1")]))
    heap a  ||| 3
    heap b  | 1
    """
    board = board_of(state, hints, domain)
    room = _MAX_WIDTH if columns is None else min(columns, _MAX_WIDTH)
    parts = [_beside(_panels(board, color, columns), board, room)] if board.panels else []
    legend = _legend(board, color, room)
    if legend:
        parts.append(legend)
    parts += [line for prop in board.props for line in prop.lines()]
    parts += [line for fact in board.facts for line in fact_lines(fact, room)]
    return "\n".join(part for part in parts if part)


def fact_lines(fact: Fact, columns: int = _MAX_WIDTH) -> list[str]:
    """The lines of one fact, wrapped.

    >>> fact_lines(Fact("step", ("3",)))
    ['step: 3']
    """
    if fact.style == "sticks":
        widest = max(width_of(value) for value in fact.values)
        pairs = zip(fact.values, fact.bars, strict=True)
        return [
            " ".join([f"{fact.name} {pad(value, widest)} ", "|" * n, str(n)]).replace("   ", "  ")
            for value, n in pairs
        ]
    if fact.style == "stack":
        widest = max(fact.bars)
        names = max(width_of(value) for value in fact.values)
        lines = [
            f"  {pad(value, names)} {' ' * (widest - n)}{'▬' * (2 * n + 1)}"
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


def _legend(board: Board, color: bool, room: int) -> str:
    entries = [
        f"{paint(look.symbol, look, color)} {clean(name)}"
        for name, look in board.legend()
        if width_of(look.symbol) > 0
    ]
    lines: list[str] = []
    for entry in entries:
        if lines and visible_width(lines[-1]) + visible_width(entry) + 3 <= room:
            lines[-1] += "   " + entry
        else:
            lines.append(entry)
    return "\n".join(lines)


def _panels(board: Board, color: bool, columns: int | None) -> list[list[str]]:
    titled = len(board.panels) > 1
    blocks = []
    for panel in board.panels:
        lines = panel_lines(panel, board.looks, color, columns)
        blocks.append(([clean(panel.title)] if titled else []) + lines)
    return blocks


def _beside(blocks: list[list[str]], board: Board, room: int) -> str:
    """Small boards side by side as far as they fit, or as the hints say."""
    widths = [max(visible_width(line) for line in block) for block in blocks]
    per_row = board.hints.panels_per_row
    fits = max(1, (room + 3) // (max(widths) + 3))
    if per_row is not None:
        per_row = min(per_row, fits)
    else:
        per_row = max(1, min(len(blocks), room // (max(widths) + 3)))
        if board.is_quartered:
            per_row = min(per_row, 2)
    lines: list[str] = []
    for start in range(0, len(blocks), per_row):
        row = blocks[start : start + per_row]
        height = max(len(block) for block in row)
        for i in range(height):
            pieces = []
            for block, width in zip(row, widths[start : start + per_row], strict=True):
                line = block[i] if i < len(block) else ""
                pieces.append(line + " " * (width - visible_width(line)))
            lines.append("   ".join(pieces).rstrip())
    return "\n".join(lines)
