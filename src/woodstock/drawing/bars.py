"""Bars: how much there is of something, as a row of tokens.

>>> hints = Hints.read({"bars": {"fruit": "kn"}})
>>> fruit = Relation("fruit", 2, [("apple", "2"), ("plum", "3")])
>>> for line in find_bars([fruit], hints)[0].lines():
...     print(line)
fruit apple  ●● 2
fruit plum   ◆◆◆ 3
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.drawing.hints import Hints
from woodstock.drawing.letters import clean, pad, width_of
from woodstock.drawing.looks import Look, assign_looks
from woodstock.drawing.relations import Relation
from woodstock.drawing.shapes import CELL, FAINT, INK, label, num, piece
from woodstock.drawing.shelves import headings, hinted, in_order, readings
from woodstock.drawing.terms import kif

_MOST_TOKENS = 40  # beyond, the number says it all
_MOST_SLOTS = 24
_STEP = 22.0


@dataclass(frozen=True)
class Bar:
    """One row: how many there are, and how many there may be where that is known."""

    label: str
    count: int
    look: Look
    slots: int = 0


@dataclass(frozen=True)
class Bars:
    """The rows of one functor."""

    title: str
    bars: tuple[Bar, ...]

    def lines(self) -> list[str]:
        """The bars as text."""
        heads, widest = headings(self.title, (bar.label for bar in self.bars))
        margin = widest + 2
        out = []
        for head, bar in zip(heads, self.bars):
            token = bar.look.symbol if width_of(bar.look.symbol) == 1 else "●"
            row = clean(token) * bar.count if bar.count <= _MOST_TOKENS else ""
            row += "·" * (bar.slots - bar.count)
            out.append(f"{pad(head, margin)}{row} {bar.count}")
        return out

    def svg(self, x: float, y: float) -> tuple[str, float, float]:
        """The bars as SVG, their right and their lower end."""
        heads, widest = headings(self.title, (bar.label for bar in self.bars))
        start = x + 22 + 8.4 * widest
        right, parts = start, []
        for head, bar in zip(heads, self.bars):
            y += 28
            parts.append(label(x, y, head, 14, anchor="start"))
            shown = bar.count if bar.count <= _MOST_TOKENS else 0
            for k in range(max(shown, bar.slots)):
                parts.append(_token(bar.look, start + k * _STEP, y - 5, full=k < shown))
            end = start + max(shown, bar.slots) * _STEP
            parts.append(label(end, y, str(bar.count), 13, anchor="start", fill=FAINT))
            right = max(right, end + 30)
        return "".join(parts), right, y + 6


def _token(look: Look, x: float, y: float, *, full: bool) -> str:
    if not full:
        at = f'cx="{num(x)}" cy="{num(y)}" r="7"'
        return f'<circle {at} fill="none" stroke="{INK}" stroke-opacity="0.3"/>'
    scale = f"translate({num(x)} {num(y)}) scale({num(24 / CELL)})"
    return f'<g transform="{scale}">{piece(look, 0, 0)}</g>'


def find_bars(relations: Iterable[Relation], hints: Hints) -> list[Bars]:
    """Bars for each functor the hints call so."""
    found = []
    for relation, args in hinted(relations, hints.bars):
        if not relation.rows:
            continue
        most = max(reading.count for reading in readings(relation, args, domain=True))
        slots = most if relation.domain and most <= _MOST_SLOTS else 0
        bars = []
        for reading in readings(relation, args):
            content = " ".join(kif(item) for item in reading.all("c"))
            name = content or reading.label or relation.functor
            shown = " ".join(word for word in (reading.label, content) if word)
            look = assign_looks([name], symbols=hints.symbols, colors=hints.colors)[name]
            if look.form not in ("disc", "king", "piece", "icon", "glyph", "cross", "ring"):
                look = Look("●", "disc", look.fill)
            bars.append(Bar(shown, reading.count, look, slots))
        bars.sort(key=lambda bar: in_order(bar.label))
        title = hints.label(relation.functor)
        if bars:
            found.append(Bars(title, tuple(bars)))
    return found
