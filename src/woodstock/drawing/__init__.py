"""Drawing: pictures of any state of any game, as text and as SVG.

The drawing is a pure function of the fluents: nothing is known about the game but what its state
says, and what its author cared to hint at. See `Board.find` for how a board is recognised.

A map of this room, in the order in which data flows; a file uses only those above it::

    spelling   terms         terms as texts, whatever they are
               letters       how wide a text is, and what is safe to show
               hints         the ``[drawing]`` table of a game, checked
               mistakes      what is wrong in such a table, for its author
    reading    coordinates   constants that count along a side: 1 2 3, a b c, e4
               relations     fluents of one functor, and which arguments are places and contents
    looks      colors        of sides, and of names that have none
               icons         shapes of things that everybody knows
               looks         what a content is shown as: disc, piece, icon, letter, ...
    the board  cells         `Cell` and `Panel`: what is seen where, before anything is drawn
               edges         walls between cells, lines between dots
               grids         relations laid out, and which of them share a board
               sides         which way the axes of a board lie
               panels        panels from grids: full size, blanks, layers
               places        panels from a sketch of named places
               grounds       what lies below the pieces although no fluent says so
               facts         what is said in lines below the board
    beside it  shapes        the pieces of an SVG picture
               shelves       rows of small things, and how hints read fluents
               dice, cards, bars, tables   what stands on shelves and beside them
    together   readings      which fluents are drawn where
               board         `Board`: panels, facts and props of one state, with their looks
    several    doubts        what one cannot tell if one of several states is the true one
               marks         a board with marks on its cells
               targets       which cells a move speaks of
               unsure        one board of several states
               last_move     a board on which the last move is marked
    as text    boxes         corners of lines
               text_panels   panels as lines of characters
               text          `draw_text`
    as SVG     svg_panels    panels
               svg_facts     facts
               svg           `draw_svg`

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
from woodstock.drawing.last_move import last_move_board
from woodstock.drawing.looks import Look
from woodstock.drawing.mistakes import HintMistake, hint_mistakes
from woodstock.drawing.svg import draw_svg
from woodstock.drawing.text import draw_text
from woodstock.drawing.unsure import unsure_board

__all__ = [
    "Board",
    "Cell",
    "Doubt",
    "Fact",
    "HintMistake",
    "Hints",
    "Look",
    "Panel",
    "draw_svg",
    "draw_text",
    "find_doubts",
    "hint_mistakes",
    "last_move_board",
    "unsure_board",
]
