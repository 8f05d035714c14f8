"""Drawing by hints: named places, backgrounds, dice, cards, bars and tables."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort
from games_support import recorded_states
from woodstock import games
from woodstock.drawing import Board, Hints, draw_svg, draw_text
from woodstock.drawing.bars import Bars
from woodstock.drawing.cards import Card
from woodstock.drawing.dice import Die
from woodstock.drawing.icons import icon_of
from woodstock.drawing.letters import width_of
from woodstock.drawing.looks import assign_looks
from woodstock.drawing.shelves import Shelf
from woodstock.drawing.tables import ScoreTable
from woodstock.gdl.terms import parse_term

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"

Picture = tuple[list[object], dict[str, object]]


def kif(*texts: str) -> list[object]:
    return [parse_term(text) for text in texts]


def backgammon() -> Picture:
    white = {"24": "2", "13": "5", "8": "3", "6": "15"}
    black = {"1": "2", "12": "5", "17": "3", "19": "5"}
    discs: list[object] = [("point", at, "white", n) for at, n in white.items()]
    discs += [("point", at, "black", n) for at, n in black.items()]
    discs += kif("(bar white 1)", "(bar black 2)", "(rolled 3 5)", "(control white)")
    hints: dict[str, object] = {
        "cell": ["point", "bar"],
        "args": {"point": "pcn", "bar": "cn"},
        "layout": ["13 14 15 16 17 18 bar 19 20 21 22 23 24", "12 11 10 9 8 7 bar 6 5 4 3 2 1"],
        "dice": {"rolled": "dd"},
    }
    return discs, hints


def pits() -> Picture:
    seeds: list[object] = [("pit", name, str(n)) for n, name in enumerate("abcdef")]
    seeds += kif("(pit north 3)", "(pit south 14)")
    layout = ["north f e d south", "north a b c south"]
    return seeds, {"cell": "pit", "args": "pn", "layout": layout}


def star() -> Picture:
    layout = [". . . . a1", ". . . b1 b2", "c1 c2 c3 c4 c5", ". d1 d2 d3 d4", "e1 e2 e3 e4 e5"]
    pegs = kif("(at a1 red)", "(at b2 green)", "(at c1 blue)", "(at e5 red)", "(control red)")
    return pegs, {"cell": "at", "args": "pc", "shape": "hex", "layout": layout}


def cave() -> Picture:
    rows = ["  ####", "###..#", "#.~*.#", "#..*.#", "######"]
    things = kif("(at robot 2 2)", "(at box 3 2)", "(at box 4 2)", "(at ghost 3 3)")
    return things, {"cell": "at", "args": "cxy", "background": rows}


def painted() -> Picture:
    floor = kif("(paint 1 1 red)", "(paint 2 1 blue)", "(paint 2 2 blue)", "(paint 3 3 red)")
    brushes = kif("(brush 1 1 red)", "(brush 2 2 red)", "(brush 3 1 blue)")
    hints: dict[str, object] = {"cell": "brush", "floor": "paint", "args": "xyc"}
    return floor + brushes, {**hints, "columns": 4, "rows": 3}


def party() -> Picture:
    fluents = kif("(die 1 5)", "(die 2 6)", "(die 3 worm)", "(held 2)", "(pool 4 3)")
    fluents += kif("(hand alice h7)", "(hand alice sa)", "(hand bob hidden)", "(deck 23)")
    fluents += kif("(hand bob (card 10 diamonds))", "(fruit apple 4)", "(fruit plum 9)")
    fluents += kif("(score ones alice 3)", "(score chance bob 22)", "(control alice)")
    hints: dict[str, object] = {
        "dice": {"die": "kd", "held": "k", "pool": "dn"},
        "cards": {"hand": "kc", "deck": "n"},
        "bars": {"fruit": "kn"},
        "tables": {"score": {"args": "rcv", "rows": ["chance", "ones"]}},
    }
    return fluents, hints


PICTURES = {
    "backgammon": backgammon(),
    "pits": pits(),
    "star": star(),
    "cave": cave(),
    "painted": painted(),
    "party": party(),
}


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_golden_text(name: str) -> None:
    fluents, hints = PICTURES[name]
    drawn = draw_text(fluents, hints=hints) + "\n"
    path = GOLDEN / f"drawing_{name}.txt"
    if os.environ.get("WOODSTOCK_UPDATE_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_pictures_do_not_depend_on_the_order_of_fluents(name: str) -> None:
    fluents, hints = PICTURES[name]
    assert draw_text(fluents[::-1], hints=hints) == draw_text(fluents, hints=hints)
    assert draw_svg(fluents[::-1], hints=hints) == draw_svg(fluents, hints=hints)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_colour_changes_nothing_else(name: str) -> None:
    fluents, hints = PICTURES[name]
    coloured = draw_text(fluents, hints=hints, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == draw_text(fluents, hints=hints)


@pytest.mark.parametrize("name", ["backgammon", "pits", "cave", "painted"])
def test_lines_of_a_board_are_equally_long(name: str) -> None:
    fluents, hints = PICTURES[name]
    lines = draw_text(fluents, hints=hints).splitlines()
    grid = [line for line in lines if line.endswith(("│", "┐", "┤", "┘"))]
    assert len(grid) > 4
    assert len({width_of(line) for line in grid}) == 1


def test_a_name_on_several_spots_is_one_place() -> None:
    fluents, hints = pits()
    panel = Board.find(fluents, hints=hints).panels[0]
    assert panel.spots["north"] == [(0, 0), (0, 1)]
    assert panel.cells[0, 0].counts == (3,)
    assert not panel.cells[0, 1].contents
    drawn = ET.fromstring(draw_svg(fluents, hints=hints))
    heights = [rect.get("height") for rect in drawn.iter(f"{SVG}rect")]
    assert heights.count("112") == 3  # both stores and the frame are two cells high


def test_counts_of_one_content_add_up() -> None:
    bits = kif("(at 1 white 1)", "(at 1 white 4)", "(at 2 black 0)")
    hints = {"cell": "at", "args": "pcn", "layout": ["1 2"]}
    panel = Board.find(bits, hints=hints).panels[0]
    assert panel.cells[0, 0].pieces() == [("white", 5)]
    assert panel.cells[1, 0].pieces() == []
    assert "5○" in draw_text(bits, hints=hints)


def test_counts_work_on_squares_too() -> None:
    towers = kif("(tower 1 1 red 3)", "(tower 2 1 blue 1)", "(tower 2 2 blue 2)")
    hints = {"cell": "tower", "args": "xycn", "columns": 2, "rows": 2}
    panel = Board.find(towers, hints=hints).panels[0]
    assert panel.cells[0, 1].pieces() == [("red", 3)]
    assert "3○" in draw_text(towers, hints=hints)


def test_several_arguments_name_a_place_together() -> None:
    seeds = kif("(pit south 1 4)", "(pit north 1 2)")
    hints = {"cell": "pit", "args": "ppn", "layout": ["north-1", "south-1"]}
    panel = Board.find(seeds, hints=hints).panels[0]
    assert [panel.cells[0, j].counts for j in (0, 1)] == [(2,), (4,)]


def test_places_are_found_without_letters() -> None:
    board = Board.find(
        kif("(at hall ghost)", "(at attic cat)"), hints={"layout": ["attic", "hall"]}
    )
    assert board.panels[0].cells[0, 1].contents == ("ghost",)
    assert not board.facts


def test_a_dot_between_hexagons_is_half_a_place() -> None:
    fluents, hints = star()
    panel = Board.find(fluents, hints=hints).panels[0]
    place = {name: (panel.at(*spot), spot[1]) for spot, name in panel.names.items()}
    assert place["a1"] == (2.0, 0)
    assert place["b2"][0] - place["b1"][0] == 1
    assert place["c3"] == (*place["e3"][:1], 2)
    assert place["d1"] == (0.5, 3)


def test_background_gives_the_board_its_size_and_its_shape() -> None:
    fluents, hints = cave()
    panel = Board.find(fluents, hints=hints).panels[0]
    assert (len(panel.columns), len(panel.rows)) == (6, 5)
    assert (0, 0) not in panel.cells
    grounds = [panel.cells[at].ground for at in ((2, 0), (2, 2), (3, 2), (4, 2))]
    assert grounds == ["wall", "water", "target", ""]
    assert panel.cells[3, 3].contents == ("box",)
    assert panel.cells[3, 3].ground == "target"


def test_triangles_lie_below_the_stacks() -> None:
    hints = {"layout": ["1 2"], "cell": "point", "args": "pcn", "background": ["vA"]}
    svg = draw_svg([("point", "1", "white", "3")], hints=hints)
    down, up = re.findall(r'<path d="M[\d. ]+h44L[\d. ]+z" fill="(#\w+)"/>', svg)
    assert down != up
    assert "○" in draw_text([("point", "1", "white", "3")], hints=hints)


def test_a_background_without_outer_cells_is_cut_off() -> None:
    hints = {"cell": "at", "args": "xyc", "background": ["    ", " .. ", " .. ", "    "]}
    panel = Board.find(kif("(at 2 3 red)"), hints=hints).panels[0]
    assert (panel.columns, panel.rows) == (("2", "3"), ("3", "2"))
    assert panel.cells[0, 0].contents == ("red",)


def test_walls_between_cells_stay_where_they_are_on_a_cut_background() -> None:
    fluents = kif("(at 2 2 red)", "(wall 2 2 east)")
    hints = {"cell": "at", "args": "xyc", "background": ["    ", " .. ", " .. ", "    "]}
    panel = Board.find(fluents, hints=hints).panels[0]
    assert panel.edges == {("v", 1, 1)}


def test_a_board_does_not_turn_over_while_few_pieces_stand_on_it() -> None:
    hints = {"cell": "at", "args": "cxy", "columns": 4, "rows": 4}
    for pieces in (["(at cat 1 1)"], ["(at cat 2 2)", "(at dog 3 2)"]):
        assert Board.find(kif(*pieces), hints=hints).panels[0].rows == ("4", "3", "2", "1")


def test_floors_lie_below_the_pieces() -> None:
    fluents, hints = painted()
    panel = Board.find(fluents, hints=hints).panels[0]
    assert panel.cells[1, 1].floor == "blue"
    assert panel.cells[1, 1].contents == ("red",)
    assert panel.cells[2, 0].contents == ()
    assert panel.cells[3, 0].floor == ""


@pytest.mark.parametrize(
    ("name", "rank", "suit"),
    [
        ("h7", "7", "♥"),
        ("sa", "A", "♠"),
        ("10d", "10", "♦"),
        ("(card 7 hearts)", "7", "♥"),
        ("(card spades queen)", "Q", "♠"),
        ("c12", "Q", "♣"),
        ("aceOfSpades", "aceOfSpades", ""),
        ("ferry", "ferry", ""),
        ("cash", "cash", ""),
    ],
)
def test_cards_are_read(name: str, rank: str, suit: str) -> None:
    card = Card.of(name)
    assert (card.name, card.suit, card.hidden) == (rank, suit, False)


@pytest.mark.parametrize("name", ["hidden", "unknown", "back", "(card hidden)"])
def test_cards_face_down_tell_nothing(name: str) -> None:
    card = Card.of(name)
    assert card.hidden
    assert name not in card.svg(0, 0)


def test_red_suits_are_red() -> None:
    assert "#c22a2a" in Card.of("h7").svg(0, 0)
    assert "#c22a2a" not in Card.of("s7").svg(0, 0)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_has_as_many_pips_as_it_shows(face: int) -> None:
    assert Die(str(face)).svg(0, 0).count("<circle") == face
    spelled = ["one", "two", "three", "four", "five", "six"][face - 1]
    assert Die(spelled).face == str(face)


def test_dice_in_rows_by_label() -> None:
    hints = {"dice": {"rolled": "kd"}}
    shelf = Board.find(
        kif("(rolled red 6)", "(rolled red 2)", "(rolled blue 1)"), hints=hints
    ).props
    assert isinstance(shelf[0], Shelf)
    rows = {row.label: [thing.text for _, thing in row.things] for row in shelf[0].rows}
    assert rows == {"blue": ["[1]"], "red": ["[2]", "[6]"]}


def test_bars_show_what_is_missing_where_the_domain_tells() -> None:
    domain = [("fruit", "apple", str(n)) for n in range(5)]
    board = Board.find(kif("(fruit apple 3)"), domain, {"bars": {"fruit": "kn"}})
    assert isinstance(board.props[0], Bars)
    assert board.props[0].lines() == ["fruit apple  ●●●· 3"]


def test_tables_have_rows_for_what_may_come() -> None:
    domain = kif("(score ones alice 1)", "(score twos bob 4)", "(score chance bob 4)")
    hints = {"tables": {"score": {"args": "rcv", "rows": ["chance"]}}}
    table = Board.find(kif("(score ones alice 1)"), domain, hints).props[0]
    assert isinstance(table, ScoreTable)
    assert table.rows == ("chance", "ones", "twos")
    assert table.columns == ("alice", "bob")
    assert table.values == {("ones", "alice"): "1"}


def test_a_table_without_rows_is_a_row_of_the_one_before() -> None:
    fluents = kif("(score ones alice 3)", "(score ones bob 4)", "(bonus bob)")
    fluents += kif("(total alice tens 1)", "(total alice units 2)", "(total bob units 7)")
    hints = {"tables": {"score": "rcv", "total": "cuv", "bonus": "c"}}
    (table,) = Board.find(fluents, hints=hints).props
    assert isinstance(table, ScoreTable)
    assert table.rows == ("ones", "total", "bonus")
    assert table.values["total", "alice"] == "12"
    assert table.values["total", "bob"] == "7"
    assert table.values["bonus", "bob"] == "✓"
    assert ("bonus", "alice") not in table.values


def test_things_stand_in_the_order_of_the_hints() -> None:
    fluents = kif("(a h7)", "(b s7)")
    for order in ("ab", "ba"):
        props = Board.find(fluents, hints={"cards": dict.fromkeys(order, "c")}).props
        assert [prop.lines()[0][0] for prop in props] == list(order)


def test_a_maze_has_cells_everywhere() -> None:
    domain = [("at", x, y, "robot") for x, y in (("1", "1"), ("1", "2"), ("2", "2"), ("3", "1"))]
    fluents = kif("(at 1 1 robot)", "(wall 2 2 east)", "(wall 1 1 north)")
    panel = Board.find(fluents, domain, {"cell": "at", "args": "xyc"}).panels[0]
    assert len(panel.cells) == 6


def test_props_are_not_listed_again() -> None:
    fluents, hints = party()
    assert [fact.name for fact in Board.find(fluents, hints=hints).facts] == ["control"]


@pytest.mark.parametrize("key", ["dice", "cards", "bars", "tables"])
def test_letters_that_do_not_fit_leave_a_fact(key: str) -> None:
    board = Board.find(kif("(thing a 3)"), hints={key: {"thing": "-"}})
    assert not board.props
    assert [fact.name for fact in board.facts] == ["thing"]


@pytest.mark.parametrize(
    "hints",
    [
        {"layout": 3, "background": {"a": 1}, "dice": "kd", "cards": ["c"], "tables": {"a": 7}},
        {"layout": ["", ". ."], "background": ["", "  "], "args": {"at": "pqr"}},
        {"dice": {"at": "kdz"}, "cards": {"at": "xyz"}, "bars": {"at": ""}, "floor": {"a": "b"}},
        {"tables": {"at": {"rows": ["a"]}}, "args": "pxy"},
        {"background": ["#" * 65], "layout": [" ".join("a" * 200)]},
    ],
)
def test_nonsense_is_ignored(hints: dict[str, object]) -> None:
    assert Hints.read(hints) == Hints()


def test_icons_are_known_by_word_in_any_colour() -> None:
    looks = assign_looks(["ghost", "redGhost", "bomb3"])
    assert {look.form for look in looks.values()} == {"icon"}
    assert len({look.symbol for look in looks.values()}) == 3
    assert looks["redGhost"].fill == assign_looks(["red"])["red"].fill
    assert looks["bomb3"].symbol == "☌3"
    icon = icon_of(["ghost"])
    assert icon is not None
    assert width_of(icon.symbol) == 1


def test_symbols_of_pieces_and_discs_are_drawn_as_such() -> None:
    wanted = {"white": "♕", "black": "♛", "on": "●", "arrow": "!"}
    looks = assign_looks(wanted, symbols=wanted)
    assert [looks[name].form for name in wanted] == ["piece", "piece", "disc", "cross"]
    assert looks["white"].kind == "queen"
    assert {name: look.symbol for name, look in looks.items()} == wanted


def test_numbers_of_a_colour_are_discs_with_numbers() -> None:
    looks = assign_looks(["1 red", "12 green", "red"])
    assert {look.form for look in looks.values()} == {"disc"}
    assert (looks["12 green"].kind, looks["12 green"].symbol) == ("12", "12g")
    fluents = [("at", "1", "1", "1", "red"), ("at", "2", "2", "12", "green")]
    drawn = ET.fromstring(draw_svg(fluents, hints={"cell": "at", "args": "xycc"}))
    assert [text.text for text in drawn.iter(f"{SVG}text")][-2:] == ["1", "12"]


def test_what_fills_a_cell_lies_below_what_stands_there() -> None:
    fluents = kif("(dirt 1 1)", "(robot 1 1)", "(robot 2 3)")
    hints = {"cell": ["dirt", "robot"], "columns": 2, "rows": 3}
    assert "▒r▒" in draw_text(fluents, hints=hints)
    drawn = ET.fromstring(draw_svg(fluents, hints=hints))
    scales = [group.get("transform", "") for group in drawn.iter(f"{SVG}g")]
    large = [scale for scale in scales if scale.endswith("scale(1.6)")]
    assert len(large) == 2  # both robots as large as alone


@pytest.mark.parametrize("name", games.names())
def test_games_look_as_their_hints_say(name: str) -> None:
    states = recorded_states(name)
    hints = games.drawing_hints(name)
    for texts in (states[0], states[len(states) // 2], states[-1]):
        state = kif(*texts)
        drawn = draw_text(state, hints=hints)
        assert drawn
        assert all(width_of(line) <= 120 for line in drawn.splitlines())
        ET.fromstring(draw_svg(state, hints=hints))


words = st.one_of(
    st.sampled_from(["a", "b", "1", "2", "7", "red", "ghost", "h7", "hidden", "hearts", "worm"]),
    st.text(max_size=4),
)
fluents_ = st.lists(
    st.tuples(st.sampled_from(["at", "die", "held", "hand", "sheet"]), *[words] * 4).flatmap(
        lambda t: st.integers(1, 5).map(lambda n: t[:n])
    ),
    max_size=20,
)
letters = st.text(alphabet="xycnpkdrsvz-", max_size=4)
by_functor = st.dictionaries(st.sampled_from(["at", "die", "held", "hand", "sheet"]), letters)
sketch = st.lists(st.text(alphabet="ab12. #*~", max_size=9), max_size=5)
tables_ = st.fixed_dictionaries(
    {},
    optional={
        "cell": st.sampled_from(["at", "die"]),
        "floor": st.sampled_from(["at", "hand"]),
        "args": st.one_of(letters, by_functor),
        "shape": st.sampled_from(["hex", "square"]),
        "layout": sketch,
        "background": sketch,
        "dice": by_functor,
        "cards": by_functor,
        "bars": by_functor,
        "tables": st.one_of(by_functor, st.dictionaries(words, words)),
        "labels": st.dictionaries(words, words, max_size=2),
    },
)


@settings(max_examples=effort(70, 200))
@given(fluents_, st.one_of(st.none(), fluents_), tables_, st.booleans())
def test_never_raises(
    fluents: list[object],
    domain: list[object] | None,
    hints: dict[str, object],
    color: bool,
) -> None:
    assert isinstance(draw_text(fluents, color=color, hints=hints, domain=domain), str)
    ET.fromstring(draw_svg(fluents, hints=hints, domain=domain))
