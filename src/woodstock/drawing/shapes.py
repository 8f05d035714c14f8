"""Shapes: the pieces of an SVG picture, each centred where it is told.

>>> num(2.50), num(3.0)
('2.5', '3')
"""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from woodstock.drawing.colors import ink_on
from woodstock.drawing.icons import Icon, draw_icon, icon_of
from woodstock.drawing.letters import clean, width_of
from woodstock.drawing.looks import SOLID_PIECES, Look

CELL = 44  # side of a square cell
INK = "#2b2621"
FAINT = "#7b7266"  # notes and numbers beside something
PAPER = "#fffefb"  # cards and tables
WOOD = "#ddc7a2"  # dark squares, and cards without a board
FONT = "DejaVu Sans, Noto Sans, Segoe UI, Helvetica, Arial, Segoe UI Symbol, sans-serif"


def num(value: float) -> str:
    """A number without needless digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def label(
    x: float, y: float, text: str, size: float, *, anchor: str = "middle", fill: str = INK
) -> str:
    """A line of text on the base line y.

    >>> label(1, 2, "a<b", 13)
    '<text x="1" y="2" font-size="13" text-anchor="middle" fill="#2b2621">a&lt;b</text>'
    """
    at = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}" text-anchor="{anchor}"'
    return f'<text {at} fill="{attribute(fill)}">{escape(text)}</text>'


def hexagon(x: float, y: float, fill: str, stroke: str) -> str:
    """A hexagon standing on its tip, as wide as a cell."""
    half, tall = CELL / 2, CELL * 0.577
    corners = [(0, -tall), (half, -tall / 2), (half, tall / 2)]
    corners += [(-dx, -dy) for dx, dy in corners]
    points = " ".join(f"{num(x + dx)},{num(y + dy)}" for dx, dy in corners)
    return f'<polygon points="{points}" fill="{attribute(fill)}" stroke="{stroke}"/>'


def piece(look: Look, x: float, y: float) -> str:
    """A content, drawn in the middle of its cell.

    >>> piece(Look("x", "cross", "#2c66c4"), 22, 22).startswith("<path")
    True
    """
    fill = attribute(look.fill)
    if look.form in ("disc", "king"):
        return _disc(look, fill, x, y)
    if look.form == "cross":
        d = CELL * 0.24
        path = f"M{num(x - d)} {num(y - d)}l{num(2 * d)} {num(2 * d)}m0 {num(-2 * d)}"
        path += f"l{num(-2 * d)} {num(2 * d)}"
        style = f'stroke="{fill}" stroke-width="6" stroke-linecap="round" fill="none"'
        return f'<path d="{path}" {style}/>'
    if look.form == "ring":
        at = f'cx="{num(x)}" cy="{num(y)}" r="{num(CELL * 0.26)}"'
        return f'<circle {at} fill="none" stroke="{fill}" stroke-width="6"/>'
    if look.form == "piece" and look.kind is not None:
        # The solid glyph filled and outlined reads on any background; the hollow one does not.
        at = f'x="{num(x)}" y="{num(y + CELL * 0.27)}" font-size="{num(CELL * 0.78)}"'
        style = f'fill="{fill}" stroke="{INK}" stroke-width="0.9" text-anchor="middle"'
        return f"<text {at} {style}>{SOLID_PIECES[look.kind]}</text>" + _promotion(look, x, y)
    if look.form in ("block", "fill"):
        return ""
    if look.form == "glyph":
        at = f'x="{num(x)}" y="{num(y + CELL * 0.25)}" font-size="{num(CELL * 0.7)}"'
        style = f'fill="{fill}" stroke="{INK}" stroke-width="0.8" text-anchor="middle"'
        return f"<text {at} {style}>{escape(clean(look.symbol))}</text>"
    icon = icon_of([look.kind or ""]) if look.form == "icon" else None
    if icon is not None:
        return _icon(icon, look, x, y)
    if look.form == "number":
        return label(x, y + 8, clean(look.symbol), 22 if len(look.symbol) < 3 else 15)
    return _tile(look, fill, x, y)


def _icon(icon: Icon, look: Look, x: float, y: float) -> str:
    scale = num(CELL * 0.036)
    place = f'<g transform="translate({num(x)} {num(y)}) scale({scale})">'
    out = place + draw_icon(icon, attribute(look.fill), INK) + "</g>"
    number = "".join(char for char in look.symbol if char in "0123456789")
    return out + (_number(x, y, number) if number else "")


def _disc(look: Look, fill: str, x: float, y: float, edge: str = INK) -> str:
    at = f'cx="{num(x)}" cy="{num(y)}"'
    radius = CELL * 0.37
    out = f'<circle {at} r="{num(radius)}" fill="{fill}" stroke="{edge}" stroke-width="1.2"/>'
    rim = f'fill="none" stroke="{look.ink}" stroke-opacity="0.3"'
    out += f'<circle {at} r="{num(radius * 0.74)}" {rim}/>'
    if look.form == "disc" and look.kind and look.kind.isdecimal():
        size = 20 if len(look.kind) == 1 else 15
        out += label(x, y + size * 0.36, look.kind, size, fill=look.ink)
    if look.form == "king":
        crown = "m-9 6l-2 -11l6 5l5 -8l5 8l6 -5l-2 11z"
        path = f"M{num(x)} {num(y)}{crown}"
        out += f'<path d="{path}" fill="{look.ink}"/>'
    return out


def _promotion(look: Look, x: float, y: float) -> str:
    if not look.symbol.endswith("+"):
        return ""
    return label(x + CELL * 0.36, y - CELL * 0.2, "+", 14, fill="#b3261e")


def _tile(look: Look, fill: str, x: float, y: float) -> str:
    """A rounded tile with a short name on it."""
    side = CELL * 0.74
    corner = f'x="{num(x - side / 2)}" y="{num(y - side / 2)}"'
    size = f'width="{num(side)}" height="{num(side)}" rx="7"'
    text = clean(look.symbol)
    font = {0: 18, 1: 18, 2: 16, 3: 13, 4: 10}.get(width_of(text), 9)
    stroke = f'stroke="{INK}" stroke-opacity="0.4"'
    out = f'<rect {corner} {size} fill="{fill}" {stroke}/>'
    return out + label(x, y + font * 0.36, text, font, fill=look.ink)


def several(look: Look, x: float, y: float, count: int) -> str:
    """A content that is there several times: a small stack with its number, or loose tokens.

    >>> several(Look("", "tokens", "#7a4d2b"), 22, 22, 3).count("<circle")
    3
    """
    if look.form == "tokens":
        return _tokens(look, x, y, count)
    if count < 2:
        return piece(look, x, y)
    if look.form != "disc":
        return piece(look, x, y) + _number(x, y, count)
    below = min(count, 5) - 1
    edge = INK if look.ink == ink_on("#ffffff") else "#8f8a83"  # dark discs need a lighter edge
    fill = attribute(look.fill)
    stack = "".join(_disc(look, fill, x, y + 4 - 2.5 * k, edge) for k in range(below + 1))
    return stack + label(x, y + 10 - 2.5 * below, str(count), 17, fill=look.ink)


def _number(x: float, y: float, count: object) -> str:
    x, y = x + CELL * 0.3, y + CELL * 0.32
    circle = f'<circle cx="{num(x)}" cy="{num(y)}" r="8.5" fill="{INK}"/>'
    return circle + label(x, y + 4, str(count), 11, fill="#ffffff")


def _tokens(look: Look, x: float, y: float, count: int) -> str:
    """Seeds in a spiral, as they would lie in a pit, and their number."""
    shown = min(count, 30)
    radius = 4.2 if shown <= 12 else 3.2
    spread = 0.0 if shown == 1 else min(5.2, CELL * 0.36 / math.sqrt(shown))
    style = f'fill="{attribute(look.fill)}" stroke="{INK}" stroke-opacity="0.5"'
    out = ""
    for k in range(shown):
        far, turn = spread * math.sqrt(k + 0.3), 2.4 * k
        at = f'cx="{num(x + far * math.cos(turn))}" cy="{num(y + far * math.sin(turn))}"'
        out += f'<circle {at} r="{num(radius)}" {style}/>'
    return out + label(x + CELL * 0.44, y + CELL * 0.44, str(count), 12, anchor="end")


def badge(look: Look, x: float, y: float) -> str:
    """A content in small, for a corner of a cell or a legend."""
    fill = attribute(look.fill)
    circle = f'<circle cx="{num(x)}" cy="{num(y)}" r="8" fill="{fill}" stroke="{INK}"/>'
    return circle + label(x, y + 4, clean(look.symbol), 10, fill=look.ink)


def ground(kind: str, x: float, y: float) -> str:
    """What lies below the pieces of a cell: bricks, waves, the ring of a target, a triangle.

    >>> ground("", 22, 22)
    ''
    """
    left, top = x - CELL / 2, y - CELL / 2
    if kind == "wall":
        path = "".join(f"M{num(left)} {num(top + CELL * k / 3)}h{CELL}" for k in (1, 2))
        for k, shift in enumerate((0.3, 0.75, 0.3)):
            path += f"M{num(left + CELL * shift)} {num(top + CELL * k / 3)}v{num(CELL / 3)}"
        return f'<path d="{path}" stroke="#8a8178" stroke-width="1.2" fill="none"/>'
    if kind == "water":
        path = "".join(f"M{num(x - 15)} {num(y + dy)}q5 -6 10 0t10 0t10 0" for dy in (-8, 2, 12))
        return f'<path d="{path}" stroke="#5b95bd" stroke-width="2" fill="none"/>'
    if kind == "target":
        style = 'fill="none" stroke="#c98a1b" stroke-width="2.5" stroke-dasharray="5 3"'
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(CELL * 0.42)}" {style}/>'
    if kind.startswith("tip "):
        tall = CELL * 0.62 * (1 if kind[-1] in "^A" else -1)
        fill = "#b9825a" if kind[-1].isupper() else "#e6d3ae"
        path = f"M{num(left)} {num(y + tall)}h{CELL}L{num(x)} {num(y - tall)}z"
        return f'<path d="{path}" fill="{fill}"/>'
    return ""


def attribute(value: str) -> str:
    """A text fit to stand between double quotes.

    >>> attribute('a"b')
    'a&quot;b'
    """
    return escape(clean(value), {'"': "&quot;"})
