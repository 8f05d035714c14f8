"""Shapes: the pieces of an SVG picture, each centred where it is told.

>>> num(2.50), num(3.0)
('2.5', '3')
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from woodstock.drawing.looks import SOLID_PIECES, Look
from woodstock.drawing.text import clean, width_of

CELL = 44  # side of a square cell
INK = "#2b2621"
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
    if look.form == "number":
        return label(x, y + 8, clean(look.symbol), 22 if len(look.symbol) < 3 else 15)
    return _tile(look, fill, x, y)


def _disc(look: Look, fill: str, x: float, y: float) -> str:
    at = f'cx="{num(x)}" cy="{num(y)}"'
    radius = CELL * 0.37
    out = f'<circle {at} r="{num(radius)}" fill="{fill}" stroke="{INK}" stroke-width="1.2"/>'
    rim = f'fill="none" stroke="{look.ink}" stroke-opacity="0.3"'
    out += f'<circle {at} r="{num(radius * 0.74)}" {rim}/>'
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


def attribute(value: str) -> str:
    """A text fit to stand between double quotes.

    >>> attribute('a"b')
    'a&quot;b'
    """
    return escape(clean(value), {'"': "&quot;"})
