"""Drawing: boards are found, pictures are recognisable, and nothing ever raises."""

from __future__ import annotations

import doctest
import json
import os
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance_folder import FOLDER, TRACES
from effort import effort
from games_support import recorded_states
from woodstock import games
from woodstock.drawing import Board, draw_svg, draw_text
from woodstock.drawing.boxes import corner
from woodstock.drawing.letters import width_of

GOLDEN = Path(__file__).parent / "golden"
BACK_RANK = "rnbqkbnr"


def kif(*texts: str) -> list[object]:
    """Terms from KIF, by the smallest possible reader: strings and plain tuples."""
    terms: list[object] = []
    stack: list[list[object]] = [terms]
    for token in re.findall(r"[()]|[^\s()]+", " ".join(texts)):
        if token == "(":
            stack.append([])
        elif token == ")":
            term = tuple(stack.pop())
            stack[-1].append(term)
        else:
            stack[-1].append(token)
    return terms


def cells(functor: str, rows: Iterable[str], names: Mapping[str, str]) -> list[object]:
    """Fluents (functor column row content) from a sketch whose last line is row 1."""
    lines = list(rows)
    return [
        (functor, str(x + 1), str(len(lines) - y), names[mark])
        for y, line in enumerate(lines)
        for x, mark in enumerate(line)
        if mark in names
    ]


def chess() -> list[object]:
    fluents: list[object] = [("control", "white"), ("step", "1")]
    for file, back in zip("abcdefgh", BACK_RANK, strict=True):
        column = ["w" + back, "wp", "b", "b", "b", "b", "bp", "b" + back]
        fluents += [("cell", file, str(i + 1), content) for i, content in enumerate(column)]
    return fluents


def connect_four() -> list[object]:
    sketch = ["...", "..r", ".br"]
    return [*cells("cell", sketch, {"r": "red", "b": "black"}), ("control", "black")]


def pentago() -> list[object]:
    marks = (
        "(hold 1 1 1 red) (hold 1 3 2 black) (hold 2 2 2 red) (hold 3 3 1 black) (hold 4 1 3 red)"
    )
    return kif(marks, "(placing black)")


def dots() -> list[object]:
    lines = "(line 1 1 2 1) (line 1 1 1 2) (line 1 2 2 2) (line 2 1 2 2) (line 2 3 3 3)"
    return kif(lines, "(box 1 1 x) (control o)")


def maze() -> list[object]:
    walls = "(blockedEast 1 1) (blockedNorth 2 2) (blockedEast 3 3) (blockedNorth 1 3)"
    return kif(walls, "(location robot 1 2) (location exit 3 1) (location ghost 3 1) (step 4)")


def cross() -> list[object]:
    places = [(x, y) for x, y in product(range(1, 6), repeat=2) if x in (2, 3, 4) or y in (2, 3, 4)]
    return [("hole", str(x), str(y), "empty" if x == y else "peg") for x, y in places]


def hex_board() -> list[object]:
    return kif("(cell a 1 red) (cell b 2 blue) (cell c 3 red) (cell a 3 blue) (control blue)")


def sudoku() -> list[object]:
    fluents: list[object] = []
    for i, j in product(range(9), repeat=2):
        big, small = (str(i // 3 + 1), str(j // 3 + 1)), (str(i % 3 + 1), str(j % 3 + 1))
        digit = str((3 * (i % 3) + i // 3 + j) % 9 + 1)
        fluents.append(("cell", *big, *small, digit if (i * 7 + j * 4) % 3 else "b"))
    return fluents


PICTURES: dict[str, tuple[list[object], dict[str, object]]] = {
    "chess": (chess(), {}),
    "connect-four": (connect_four(), {"columns": 7, "rows": 6}),
    "coins": (kif("(coin alice heads) (coin bob unset)"), {}),
    "cross": (cross(), {}),
    "dots": (dots(), {}),
    "heaps": (kif("(heap a 1) (heap b 5) (heap c 12) (control player1)"), {}),
    "hex": (hex_board(), {"shape": "hex", "args": "yxc", "columns": 4, "rows": 4}),
    "maze": (maze(), {}),
    "pancakes": (kif("(order p2 p4 p1 p3) (flips s3)"), {}),
    "pentago": (pentago(), {"args": "zxyc"}),
    "sudoku": (sudoku(), {}),
    "towers": (kif("(on d1 d2) (on d2 p1) (on d3 p3) (clear d1) (clear d3) (clear p2)"), {}),
}


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_golden_text(name: str) -> None:
    fluents, hints = PICTURES[name]
    drawn = draw_text(fluents, hints=hints) + "\n"
    path = GOLDEN / f"drawing_{name}.txt"
    if os.environ.get("WOODSTOCK_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_svg_is_a_standalone_document(name: str) -> None:
    fluents, hints = PICTURES[name]
    root = ET.fromstring(draw_svg(fluents, hints=hints))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(root.attrib["width"]) > 0 < float(root.attrib["height"])


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_order_of_the_fluents_does_not_matter(name: str) -> None:
    fluents, hints = PICTURES[name]
    assert draw_text(fluents[::-1], hints=hints) == draw_text(frozenset(fluents), hints=hints)


@pytest.mark.parametrize(
    "fluents",
    [
        "(cell 1 2 x) (cell 2 1 o) (cell 2 2 x) (cell 1 1 o)",
        "(cell x 1 2) (cell o 2 1) (cell x 2 2) (cell o 1 1)",
        "(place 1 x 2) (place 2 o 1) (place 2 x 2) (place 1 o 1)",
        "(x 1 2) (o 2 1) (x 2 2) (o 1 1)",
        "(mark r1 c2 x) (mark r2 c1 o) (mark r2 c2 x) (mark r1 c1 o)",
        "(cell 1 2 (piece x)) (cell 2 1 (piece o)) (cell 2 2 (piece x)) (cell 1 1 (piece o))",
        "(cell a 2 x) (cell b 1 o) (cell b 2 x) (cell a 1 o)",
    ],
)
def test_cells_are_found_whatever_they_are_called(fluents: str) -> None:
    board = Board.find(kif(fluents))
    assert len(board.panels) == 1
    panel = board.panels[0]
    assert (len(panel.columns), len(panel.rows)) == (2, 2)
    assert sorted(name.strip("()").split()[-1] for name in panel.contents()) == ["o", "o", "x", "x"]
    assert not board.facts


def test_squares_named_by_one_constant() -> None:
    board = Board.find(kif("(at a1 king) (at b3 rook) (at c2 rook) (at d4 king) (at a4 rook)"))
    panel = board.panels[0]
    assert panel.columns == ("a", "b", "c", "d")
    assert panel.rows == ("4", "3", "2", "1")
    assert panel.cells[0, 3].contents == ("king",)


def test_several_functors_share_a_board_and_blanks_are_blank() -> None:
    fluents = [("floor", str(x), str(y)) for x, y in product(range(1, 5), repeat=2)]
    board = Board.find([*fluents, *kif("(white 1 1) (white 2 1) (black 4 4) (at ghost 2 3)")])
    assert len(board.panels) == 1
    assert sorted(board.panels[0].contents()) == ["black", "ghost", "white", "white"]
    assert len(board.panels[0].cells) == 16


def test_two_boards_stay_two() -> None:
    one = cells("left", ["xo.", "..x", "o.."], {"x": "x", "o": "o", ".": "b"})
    two = cells("right", ["...", ".o.", "..x"], {"x": "x", "o": "o", ".": "b"})
    board = Board.find(one + two)
    assert [panel.title for panel in board.panels] == ["left", "right"]


def test_a_blank_of_one_board_may_be_a_piece_of_another() -> None:
    marks = {"w": "w", "b": "b", ".": "blank"}
    one = cells("left", ["bw..", "..bw", "w...", "...."], marks)
    places = product(range(4), repeat=2)
    two = [("right", f"c{x}", f"r{y}", "b" if x < y else "s") for x, y in places]
    left, right = Board.find([*one, *two]).panels
    assert set(left.contents()) == {"w", "b"}
    assert set(right.contents()) == {"s"}
    assert draw_text([*one, *two])


def test_notes_about_pieces_are_no_pieces() -> None:
    stones = cells("cell", ["rb..", "br..", "rr.b", "...."], {"r": "red", "b": "blue"})
    groups = [
        ("group", stone[1], stone[2], str(n))
        for n, stone in enumerate(stones)
        if isinstance(stone, tuple)
    ]
    board = Board.find([*stones, *groups])
    assert set(board.panels[0].contents()) == {"red", "blue"}
    assert [fact.name for fact in board.facts] == ["group"]


def test_counts_and_heaps_are_no_boards() -> None:
    board = Board.find(kif("(heap 1 3) (heap 2 5) (heap 3 0) (score white 3) (score black 4)"))
    assert not board.panels
    assert {fact.name: fact.style for fact in board.facts} == {"heap": "sticks", "score": "line"}


def test_domain_gives_the_board_its_size() -> None:
    domain = [
        ("cell", str(x), str(y), side)
        for x, y, side in product(range(1, 8), range(1, 7), ("red", "black"))
    ]
    for fluents in ([], connect_four()):
        panel = Board.find(fluents, domain).panels[0]
        assert (len(panel.columns), len(panel.rows)) == (7, 6)
        assert len(panel.cells) == 42


def test_hints_give_an_empty_board_its_size() -> None:
    panel = Board.find([("control", "red")], hints={"columns": 7, "rows": 6}).panels[0]
    assert (panel.columns[-1], panel.rows[0], len(panel.cells)) == ("7", "6", 42)


def test_hints_flip_name_and_hide() -> None:
    fluents = [*chess(), ("last", "e4")]
    hints = {"flip": False, "hide": ["step"], "labels": {"control": "to move"}, "cell": "cell"}
    board = Board.find(fluents, hints=hints)
    assert board.panels[0].rows[0] == "1"
    assert [fact.name for fact in board.facts] == ["to move", "last"]
    assert "W" in draw_text(fluents, hints={"symbols": {"wk": "W"}})
    assert "#123456" in draw_svg(fluents, hints={"colors": {"wk": "#123456"}})


@pytest.mark.parametrize(
    "hints",
    [
        {"columns": -3, "rows": "six", "args": "qq", "shape": 4, "symbols": 7, "colors": [1]},
        {"args": "xyc", "cell": ["step"], "blocks": [0, 2], "panels_per_row": 0},
        {"columns": [], "rows": [1, 2], "blank": 3, "hide": None, "unheard-of": {}},
        {"colors": {"wk": '"/><script>'}, "symbols": {"wk": "<&>"}},
    ],
)
def test_wrong_hints_are_no_errors(hints: dict[str, object]) -> None:
    draw_text(chess(), hints=hints)
    ET.fromstring(draw_svg(chess(), hints=hints))


def test_color_is_only_added_on_request() -> None:
    plain, coloured = draw_text(chess()), draw_text(chess(), color=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_wide_symbols_keep_the_grid_straight() -> None:
    drawn = draw_text(chess(), hints={"symbols": {"wk": "王", "bk": "玉"}})
    grid = [line for line in drawn.splitlines() if "│" in line or "┼" in line]
    assert len({width_of(line) for line in grid}) == 1


def test_same_content_same_colour_in_any_company() -> None:
    alone = Board.find(kif("(at 1 1 robot) (at 1 2 robot) (at 2 2 exit)")).looks
    crowd = Board.find(kif("(at 1 1 robot) (at 1 2 ghost) (at 2 2 wumpus)")).looks
    assert alone["robot"].fill == crowd["robot"].fill


def test_texts_are_escaped() -> None:
    nasty = [("note", '<b>&"\x07\x1b[31m'), ("cell", "1", "1", "<x>"), ("cell", "1", "2", "&y;")]
    root = ET.fromstring(draw_svg([*nasty, ("cell", "2", "2", "<x>")]))
    assert root.find(".//{http://www.w3.org/2000/svg}b") is None
    assert "\x1b" not in draw_text(nasty)


def test_anything_with_fluents_is_a_state() -> None:
    class Position:
        fluents: frozenset[object] = frozenset({("control", "red")})

    assert draw_text(Position()) == draw_text(Position.fluents)
    assert "┼" in draw_text(Position(), hints={"columns": 2, "rows": 2})


ARMS = {"UP": "u", "RIGHT": "r", "DOWN": "d", "LEFT": "l", "VERTICAL": "ud", "HORIZONTAL": "rl"}


@pytest.mark.parametrize("weights", [w for w in product((0, 1, 2), repeat=4) if any(w)])
def test_box_characters_are_what_unicode_calls_them(weights: tuple[int, int, int, int]) -> None:
    words = unicodedata.name(corner(*weights)).removeprefix("BOX DRAWINGS ").split()
    # "LIGHT UP AND RIGHT" has one weight, "LEFT LIGHT AND RIGHT UP HEAVY" one for each group;
    # "LIGHT LEFT AND HEAVY RIGHT" names the weight before the arm.
    before = words[0] in ("LIGHT", "HEAVY")
    found: dict[str, int] = {}
    waiting = ""
    weight = 0
    for word in words:
        if word in ("LIGHT", "HEAVY"):
            weight = 2 if word == "HEAVY" else 1
            found.update(dict.fromkeys(waiting, weight))
            waiting = ""
        elif word in ARMS and before:
            found.update(dict.fromkeys(ARMS[word], weight))
        elif word in ARMS:
            waiting += ARMS[word]
    assert tuple(found.get(arm, 0) for arm in "urdl") == weights


@pytest.mark.parametrize("name", games.names())
def test_every_game_of_the_library_can_be_drawn(name: str) -> None:
    states = recorded_states(name)
    for fluents in (states[0], states[len(states) // 2], states[-1]):
        state = kif(*fluents)
        assert draw_text(state)
        ET.fromstring(draw_svg(state))


CONSTANTS = ["cell", "line", "wall", "blockedEast", "on", "1", "2", "3", "a", "b", "c", "x", "o"]
CONSTANTS += ["red", "white", "c1", "c2", "a1", "b2", "heads"]
HINTS = ["cell", "args", "columns", "rows", "flip", "shape", "blocks", "checkered", "blank", "hide"]
HINTS += ["symbols", "colors", "labels", "panels_per_row"]

words = st.one_of(st.sampled_from(CONSTANTS), st.text(max_size=4))
terms = st.recursive(words, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=8)
fluent_sets = st.lists(terms, max_size=30)
grids = st.lists(
    st.tuples(
        st.sampled_from(["cell", "line", "wall", "heap", "on", "pos"]),
        *[st.sampled_from(["1", "2", "3", "7", "a", "b", "b1", "c4"])] * 3,
    ).flatmap(lambda t: st.integers(1, 4).map(lambda n: t[:n])),
    max_size=40,
)
tables = st.dictionaries(
    st.sampled_from(
        [
            "cell",
            "args",
            "columns",
            "rows",
            "flip",
            "shape",
            "blocks",
            "checkered",
            "blank",
            "hide",
            "symbols",
        ]
    ),
    st.one_of(
        st.booleans(),
        st.integers(-2, 9),
        st.sampled_from(["cell", "xyc", "zxyc", "xy", "YXyxc", "hex", "b"]),
        st.lists(st.sampled_from(["1", "2", "a"]), max_size=3),
        st.dictionaries(words, words, max_size=2),
    ),
)


@settings(max_examples=effort(50, 150))
@given(st.one_of(fluent_sets, grids), st.one_of(st.none(), grids), tables, st.booleans())
def test_never_raises(
    fluents: list[object],
    domain: list[object] | None,
    hints: dict[str, object],
    color: bool,
) -> None:
    assert isinstance(draw_text(fluents, color=color, hints=hints, domain=domain), str)
    ET.fromstring(draw_svg(fluents, hints=hints, domain=domain))


@pytest.mark.skipif(not TRACES, reason="no conformance folder beside the project")
def test_public_traces_can_be_drawn() -> None:
    for name in TRACES:
        path = FOLDER / "traces" / f"{name}.json"
        trace = json.loads(path.read_text(encoding="utf-8"))
        plies = [ply for match in trace["matches"] for ply in match["plies"] if "state" in ply]
        for state in [trace["initial_state"], *(ply["state"] for ply in plies[-1:])]:
            fluents = kif(*state)
            assert draw_text(fluents) or not fluents
            ET.fromstring(draw_svg(fluents))


def test_the_page_about_drawing_tells_the_truth() -> None:
    page = Path(__file__).parents[1] / "docs" / "drawing.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0
