"""The last move on the board, and boards that fit into a terminal."""

from __future__ import annotations

import pytest

from games_support import load
from woodstock import games
from woodstock.drawing import draw_svg, draw_text, last_move_board
from woodstock.drawing.text_panels import visible_width
from woodstock.gdl.terms import parse_term
from woodstock.match import play_line
from woodstock.match.trace import parse_trace

HEXAGONS = {"hexawesome"}
"""Boards of hexagons are as wide as they are."""


@pytest.mark.parametrize(
    ("name", "line", "marked"),
    [
        ("tic-tac-toe", "(mark 2 2); (mark 1 1)", ["[o]"]),
        ("connect-four", "(drop 4)", ["[●]"]),
        # Where it came from, and where it stands now.
        ("breakthrough", "(move 2 2 2 3)", ["[○]", "[ ]"]),
        # What it turns over is no part of the move.
        ("reversi", "(move 3 4)", ["[●]"]),
        ("hex", "(place c 4)", ["[●]"]),
        ("nim", "(reduce a 0)", []),
    ],
)
def test_the_cells_of_a_move_are_marked(name: str, line: str, marked: list[str]) -> None:
    game = load(name)
    state = game.initial_state()
    for joint, after in play_line(state, line):
        before, state = state, after
        chosen = [move for role, move in zip(game.roles, joint) if role in before.turn]
    board = last_move_board(
        before.fluents, state.fluents, chosen, hints=game.drawing, domain=game.possible_fluents
    )
    for columns in (None, 80, 30):
        text = draw_text(board, columns=columns)
        assert text.count("[") == len(marked)
        # Without lines, an empty cell is a dot.
        assert all(mark in text.replace("[·]", "[ ]") for mark in marked)
    frames = draw_svg(board).count('fill-opacity="0.28"')
    assert frames == len(marked)
    assert 'fill-opacity="0.28"' not in state.svg()


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", games.names())
def test_boards_fit_into_a_terminal(name: str, columns: int) -> None:
    plies = parse_trace(games.playthrough(name)).matches[0]
    found = plies[len(plies) // 2].state
    assert found is not None
    fluents = [parse_term(text) for text in sorted(found.texts or ())]
    text = draw_text(fluents, hints=games.drawing_hints(name), columns=columns)
    if name not in HEXAGONS or columns > 60:
        assert max(map(visible_width, text.splitlines())) <= columns
    # Nothing is lost: with all the room there is, no other signs are drawn.
    whole = draw_text(fluents, hints=games.drawing_hints(name))
    lines = " ·─│┌┐└┘├┤┬┴┼━┃┏┓┗┛┣┫┳┻╋┯┷┿╂┠┨╃╄╅╆╇╈╉╊┽┾┰┸┡┢┦┧┩┪┭┮┱┲┵┶┹┺┝┞┟┥╀╁╽╿╼╾░▒▓≈\n"
    assert set(text) - set(lines) <= set(whole) - set(lines)
