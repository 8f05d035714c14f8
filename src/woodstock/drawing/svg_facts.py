"""Facts as SVG: lines of text, heaps, stacks, coins, and cards where there is no board."""

from __future__ import annotations

from xml.sax.saxutils import escape

from woodstock.drawing.board import Board
from woodstock.drawing.colors import SIDES, ink_on
from woodstock.drawing.facts import Fact, coin_side
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.looks import side_of
from woodstock.drawing.shapes import FAINT, INK, WOOD, label, num
from woodstock.drawing.text import fact_lines

MARGIN = 12
LINE = 22  # height of a line of facts
_MAX_CARDS = 40
_MAX_ROW = 630


def draw_facts(board: Board, parts: list[str], top: float, width: float) -> tuple[float, float]:
    """Add the lines of facts to ``parts``; gives the right and the lower end."""
    y, right = top + (6 if board.panels or board.props else -4), float(MARGIN)
    for fact in board.facts:
        if fact.style == "coins":
            end, y = _draw_coins(fact, parts, y)
        elif fact.style != "line":
            end, y = _draw_bars(fact, parts, y)
        elif not board.panels and not board.props and 0 < len(fact.values) <= _MAX_CARDS:
            end, y = _draw_cards(fact, parts, y)
        else:
            end = 0.0
            for line in fact_lines(fact, columns=max(40, int(width / 8))):
                y += LINE
                indent = 3.5 * (len(line) - len(line.lstrip()))
                parts.append(label(MARGIN + indent, y, line.lstrip(), 14, anchor="start"))
                end = max(end, MARGIN + 8.4 * width_of(line))
        right = max(right, end)
    return right, y


def _draw_bars(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Heaps as rows of sticks, an ordered stack as a pile of bars."""
    names = 16 + 8.4 * max(width_of(f"{fact.name} {value}") for value in fact.values)
    longest = max(fact.bars)
    for value, n in zip(fact.values, fact.bars, strict=True):
        y += 30
        parts.append(label(MARGIN, y, clean(f"{fact.name} {value}"), 14, anchor="start"))
        if fact.style == "stack":
            x = MARGIN + names + (longest - n) * 9
            shape = f'width="{(n + 1) * 18}" height="20" rx="10"'
            fill = f'fill="{SIDES["gold"]}" stroke="{SIDES["brown"]}"'
            parts.append(f'<rect x="{num(x)}" y="{num(y - 15)}" {shape} {fill}/>')
            continue
        for k in range(n):
            x = MARGIN + names + k * 12
            shape = f'x="{num(x)}" y="{num(y - 17)}" width="6" height="24" rx="3"'
            parts.append(f'<rect {shape} fill="{SIDES["brown"]}"/>')
        end = MARGIN + names + n * 12 + 8
        parts.append(label(end, y, str(n), 13, anchor="start", fill=FAINT))
    length = (longest + 1) * 18 if fact.style == "stack" else longest * 12 + 32
    return MARGIN + names + length, y + 6


def _draw_cards(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Without a board, each value is a card of its own."""
    y += 40
    mark = "▶ " if fact.turn else ""
    title = clean(mark + fact.name)
    parts.append(label(MARGIN, y, title, 14, anchor="start"))
    x = MARGIN + 14 + 8.6 * width_of(title)
    for value in fact.values:
        if x > _MAX_ROW:
            x, y = MARGIN + 14 + 8.6 * width_of(title), y + 40
        length = 20 + 9.0 * width_of(value)
        side = side_of(value)
        fill = SIDES[side] if side else WOOD
        shape = f'x="{num(x)}" y="{num(y - 20)}" width="{num(length)}" height="30" rx="7"'
        parts.append(f'<rect {shape} fill="{fill}" stroke="{INK}" stroke-opacity="0.35"/>')
        parts.append(label(x + length / 2, y, clean(value), 14, fill=ink_on(fill)))
        x += length + 10
    return x, y


def _draw_coins(fact: Fact, parts: list[str], y: float) -> tuple[float, float]:
    """Coins with their side on top, their owners beside them."""
    y += 44
    parts.append(label(MARGIN, y, clean(fact.name), 14, anchor="start"))
    x = MARGIN + 20 + 8.6 * width_of(fact.name)
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
