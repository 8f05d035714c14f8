"""A small line plot as SVG, for reports: some curves with intervals over one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 210, 40, 56
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's, which nearly everybody can tell apart."""


@dataclass(frozen=True)
class CurvePoint:
    """A value over a place of the axis, and how uncertain it is to both sides."""

    x: float
    y: float
    margin: float = 0.0


def line_plot(
    curves: Mapping[str, Sequence[CurvePoint]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    x_range: tuple[float, float] = (0, 100),
    y_range: tuple[float, float] = (0, 100),
    level: float | None = None,
    x_marks: Mapping[float, str] | None = None,
) -> str:
    """The picture: a curve for each name, ten steps on both axes, a dashed line at `level`.

    `x_marks` are other places of the lower axis to mark, with what stands there.
    """
    (x_low, x_high), (y_low, y_high) = x_range, y_range

    def across(x: float) -> float:
        return LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT)

    def down(y: float) -> float:
        inside = min(max(y, y_low), y_high)
        return TOP + (y_high - inside) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)

    def text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'

    def line(x1: float, y1: float, x2: float, y2: float, more: str) -> str:
        return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {more}/>'

    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text((LEFT + right) / 2, 22, title, more=' font-size="15"'),
    ]
    tenths = [step / 10 for step in range(11)]
    if x_marks is None:
        x_marks = {x: f"{x:g}" for x in (x_low + (x_high - x_low) * part for part in tenths)}
    for x, mark in x_marks.items():
        parts.append(line(across(x), TOP, across(x), bottom, 'stroke="#eee"'))
        parts.append(text(across(x), bottom + 18, mark))
    for y in (y_low + (y_high - y_low) * part for part in tenths):
        parts.append(line(LEFT, down(y), right, down(y), 'stroke="#eee"'))
        parts.append(text(LEFT - 8, down(y) + 4, f"{y:g}", "end"))
    if level is not None:
        dashes = 'stroke="#888" stroke-dasharray="5 4"'
        parts.append(line(LEFT, down(level), right, down(level), dashes))
    parts.append(text((LEFT + right) / 2, HEIGHT - 14, x_label))
    middle = (TOP + bottom) / 2
    parts.append(text(18, middle, y_label, more=f' transform="rotate(-90 18 {middle:.1f})"'))
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        ordered = sorted(points, key=lambda point: point.x)
        for point in ordered:
            x, above, below = (
                across(point.x),
                down(point.y + point.margin),
                down(point.y - point.margin),
            )
            parts.append(line(x, above, x, below, f'stroke="{colour}" stroke-opacity="0.4"'))
            parts.append(f'<circle cx="{x:.1f}" cy="{down(point.y):.1f}" r="3" fill="{colour}"/>')
        path = " ".join(f"{across(point.x):.1f},{down(point.y):.1f}" for point in ordered)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
        )
        row = TOP + 14 + 18 * number
        parts.append(line(right + 12, row - 4, right + 32, row - 4, f'stroke="{colour}"'))
        parts.append(text(right + 38, row, name, "start"))
    return "\n".join([*parts, "</svg>", ""])
