"""Drawing: pictures of any state of any game, as text and as SVG.

The drawing is a pure function of the fluents: nothing is known about the game but what its state
says, and what its author cared to hint at. See `Board.find` for how a board is recognised.

>>> svg = draw_svg([("cell", "1", "1", "x"), ("cell", "2", "2", "o"), ("cell", "1", "2", "b")])
>>> svg.startswith("<svg") and svg.endswith("</svg>")
True
"""

from __future__ import annotations

from woodstock.drawing.board import Board
from woodstock.drawing.cells import Cell, Panel
from woodstock.drawing.doubts import Doubt, find_doubts
from woodstock.drawing.facts import Fact
from woodstock.drawing.hints import Hints
from woodstock.drawing.looks import Look
from woodstock.drawing.svg import draw_svg
from woodstock.drawing.text import draw_text
from woodstock.drawing.unsure import unsure_board

__all__ = [
    "Board",
    "Cell",
    "Doubt",
    "Fact",
    "Hints",
    "Look",
    "Panel",
    "draw_svg",
    "draw_text",
    "find_doubts",
    "unsure_board",
]
