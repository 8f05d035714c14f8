"""Amazons on a torus, the skirmishes, majorities, and relatives of breakthrough and reversi.

All are held against models in plain Python; special rules and rare endings are set up by hand.
"""

from __future__ import annotations

import itertools
import random

import pytest

from games_support import joint, load, texts
from independent.moves import (
    AmazonsTorus,
    BreakthroughSuicide,
    KnightThrough,
    Majorities,
    Othello,
    ReversiSuicide,
    Skirmish,
    SkirmishZeroSum,
)
from independent.protocol import Generator, counts
from woodstock import State, games

# The models, with the depth to which counts are compared and the number of matches.
MODELS: dict[str, tuple[Generator, int, int]] = {
    "amazons-torus-10x10": (AmazonsTorus(), 2, 3),
    "breakthrough-suicide": (BreakthroughSuicide(), 3, 6),
    "knight-through": (KnightThrough(), 2, 8),
    "majorities": (Majorities(), 2, 4),
    "othello": (Othello(), 5, 6),
    "reversi-suicide": (ReversiSuicide(), 5, 6),
    "skirmish": (Skirmish(), 3, 4),
    "skirmish-zero-sum": (SkirmishZeroSum(), 3, 6),
}
MATCHES = [(name, seed) for name, (_, _, matches) in MODELS.items() for seed in range(matches)]


def follow(name: str, state: State, position: object, seed: int, plies: int | None = None) -> int:
    """Play at random on sheet and model side by side; gives how many plies there were."""
    model, _, _ = MODELS[name]
    game, rng, played = load(name), random.Random(seed), 0
    while True:
        assert {str(fluent) for fluent in state.fluents} == model.fluents(position)
        scores = model.scores(position)
        assert state.is_terminal == (scores is not None)
        if scores is not None:
            assert tuple(state.goal(role) for role in game.roles) == scores
        if scores is not None or played == plies:
            return played
        moves, mover = model.moves(position), game.roles[model.mover(position)]
        for role in game.roles:
            expected = sorted(moves) if role == mover else ["noop"]
            assert texts(state.legal_moves(role)) == expected
        move = rng.choice(sorted(moves))
        state, position = joint(state, {mover: move}), moves[move]
        played += 1


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_the_model(name: str) -> None:
    model, depth, _ = MODELS[name]
    golden = games.perft_counts(name)[: depth + 1]
    assert tuple(counts(model, depth)) == golden


@pytest.mark.parametrize(("name", "seed"), MATCHES)
def test_matches_of_the_model(name: str, seed: int) -> None:
    model, _, _ = MODELS[name]
    game = load(name)
    assert game.roles == model.roles
    played = follow(name, game.initial_state(), model.initial(), seed)
    assert 5 <= played <= (games.meta(name).max_plies or 0)


def turn(state: State) -> str:
    """Who is to move: the role that can do more than wait."""
    return next(role for role in state.roles if texts(state.legal_moves(role)) != ["noop"])


def play(state: State, *moves: str) -> State:
    for move in moves:
        assert not state.is_terminal
        state = joint(state, {turn(state): move})
    return state


def goals(state: State) -> tuple[int, ...]:
    assert state.is_terminal
    values = [state.goal(role) for role in state.roles]
    assert None not in values
    return tuple(value or 0 for value in values)


# Breakthrough suicide and knight through


def test_breakthrough_suicide_loses_by_arriving() -> None:
    state = load("breakthrough-suicide").state(
        ["(cell 3 7 white)", "(cell 8 7 black)", "(control white)"]
    )
    assert goals(play(state, "(move 3 7 4 8)")) == (0, 100)


def test_breakthrough_suicide_loses_by_taking_the_last_piece() -> None:
    state = load("breakthrough-suicide").state(
        ["(cell 3 3 white)", "(cell 4 4 black)", "(control black)"]
    )
    assert goals(play(state, "(move 4 4 3 3)")) == (100, 0)


def test_knights_go_forward_only_and_win_by_arriving_or_taking_all() -> None:
    game = load("knight-through")
    state = game.state(["(cell 4 4 white)", "(cell 5 6 black)", "(control white)"])
    ends = {"(move 4 4 2 5)", "(move 4 4 3 6)", "(move 4 4 5 6)", "(move 4 4 6 5)"}
    assert set(texts(state.legal_moves("white"))) == ends
    assert goals(play(state, "(move 4 4 5 6)")) == (100, 0)
    assert not play(state, "(move 4 4 3 6)").is_terminal
    state = game.state(["(cell 1 1 white)", "(cell 3 2 black)", "(control black)"])
    assert goals(play(state, "(move 3 2 5 1)")) == (0, 100)


# Othello and reversi suicide


def test_othello_has_the_published_counts() -> None:
    published = (1, 4, 12, 56, 244, 1396, 8200, 55092)
    assert games.perft_counts("othello") == published
    assert games.perft_counts("reversi-suicide") == published


@pytest.mark.parametrize(("name", "disc"), [("othello", "disc"), ("reversi-suicide", "cell")])
def test_who_cannot_turn_a_disc_passes(name: str, disc: str) -> None:
    """White has nowhere to go, black has: white passes, and black goes on."""
    discs = [f"({disc} 1 1 white)", f"({disc} 2 1 black)", f"({disc} 1 3 white)"]
    state = load(name).state([*discs, f"({disc} 1 4 black)", "(control black)"])
    move = "place" if disc == "disc" else "move"
    assert texts(state.legal_moves("black")) == [f"({move} 1 2)"]
    state = load(name).state([*discs[:2], "(control black)"])
    assert not state.is_terminal
    assert texts(state.legal_moves("black")) == texts(state.legal_moves("white")) == ["noop"]
    state = state.apply(["noop", "noop"])
    assert texts(state.legal_moves("white")) == [f"({move} 3 1)"]


def test_othello_pays_nothing_before_the_end() -> None:
    state = load("othello").initial_state()
    rng = random.Random(2)
    while not state.is_terminal:
        assert state.goals() == {"black": 0, "white": 0}
        state = state.apply(state.random_joint_move(rng))
    assert sum(goals(state)) == 100


@pytest.mark.parametrize("name", ["othello", "reversi-suicide"])
def test_discs_are_counted_when_nobody_can_move(name: str) -> None:
    """Black has three discs and white one, or the same number, far apart from each other."""
    disc, sign = ("disc", 1) if name == "othello" else ("cell", -1)
    black = [f"({disc} {x} 1 black)" for x in (1, 3, 5)]
    white = [f"({disc} {x} 8 white)" for x in (1, 3, 5)]
    for shown, lead in ((black + white[:1], 1), (black + white, 0), (black[:1] + white, -1)):
        state = load(name).state([*shown, "(control black)"])
        assert goals(state) == (50 + 50 * sign * lead, 50 - 50 * sign * lead)


@pytest.mark.parametrize("name", ["othello", "reversi-suicide"])
def test_every_disc_of_a_full_board_is_counted(name: str) -> None:
    disc, sign = ("disc", 1) if name == "othello" else ("cell", -1)
    rng = random.Random(5)
    for black in (0, 1, 16, 30, 31, 32, 33, 34, 48, 63, 64):
        colours = rng.sample(["black"] * black + ["white"] * (64 - black), 64)
        shown = [f"({disc} {i % 8 + 1} {i // 8 + 1} {c})" for i, c in enumerate(colours)]
        lead = (black > 32) - (black < 32)
        state = load(name).state([*shown, "(control white)"])
        assert goals(state) == (50 + 50 * sign * lead, 50 - 50 * sign * lead)


# Majorities


def test_majorities_gives_one_stone_and_then_two_to_each() -> None:
    state, order = load("majorities").initial_state(), ""
    for cell in ("a 5", "a 6", "a 7", "a 8", "a 9", "b 4", "b 5", "b 6", "b 7"):
        order += turn(state)[0]
        state = play(state, f"(place {cell})")
    assert order == "rbbrrbbrr"


def test_majorities_cannot_be_drawn() -> None:
    """Every line has an odd number of cells, so a full board has exactly one winner."""
    model, rng = Majorities(), random.Random(11)
    assert len(model.board) == 55
    for lines in model.lines().values():
        assert sorted(len(line) for line in lines.values()) == [5, 5, 5, 5, 7, 7, 7, 7, 7]
    for _ in range(200):
        red = frozenset(rng.sample(sorted(model.board), 27))
        blue = model.board - red
        won = [model.won((red, blue), player) for player in (0, 1)]
        assert all(won[0][direction] + won[1][direction] == 9 for direction in won[0])
        assert model.scores((red, blue)) in ((100, 0), (0, 100))


def test_majorities_is_over_with_the_fifth_line_of_a_second_direction() -> None:
    """Blue has won the rows and lacks one column; the third stone of column 9 decides."""
    lines = [f"(lines rows blue {n})" for n in range(1, 6)]
    lines += [f"(lines columns blue {n})" for n in range(1, 5)]
    stones = ["(stones columns 9 blue 1)", "(stones columns 9 blue 2)"]
    state = load("majorities").state([*lines, *stones, "(control blue)", "again"])
    assert not state.is_terminal
    assert not play(state, "(place e 8)").is_terminal
    assert goals(play(state, "(place e 9)")) == (0, 100)


@pytest.mark.parametrize("pair", [*itertools.combinations(("rows", "columns", "slopes"), 2)])
def test_majorities_is_won_with_any_two_directions(pair: tuple[str, str]) -> None:
    five = [f"(lines {direction} red {n})" for direction in pair for n in range(1, 6)]
    assert goals(load("majorities").state([*five, "(control red)"])) == (100, 0)
    fewer = [line for line in five if line != f"(lines {pair[1]} red 5)"]
    assert not load("majorities").state([*fewer, "(control red)"]).is_terminal


# Amazons on a torus


def amazons(*fluents: str) -> State:
    return load("amazons-torus-10x10").state(list(fluents))


def squares(state: State, role: str) -> set[tuple[int, int]]:
    """Where the moves or shots of a role go."""
    words = [str(move).strip("()").split() for move in state.legal_moves(role)]
    return {(int(word[-2]), int(word[-1])) for word in words}


def test_a_lone_amazon_sees_all_of_its_four_rings() -> None:
    """Nine squares on each, of which the one five steps away is on both diagonals."""
    state = amazons("(cell 3 4 white)", "(cell 8 8 black)", "(moving white)")
    found = squares(state, "white")
    rings = {((2 + i * dx) % 10 + 1, (3 + i * dy) % 10 + 1)
             for i in range(1, 10) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))}  # fmt: skip
    assert found == rings
    assert len(found) == 35


def test_pieces_stop_an_amazon_on_both_ways_round() -> None:
    state = amazons("(cell 2 5 white)", "(cell 5 5 arrow)", "(cell 9 5 black)", "(moving white)")
    assert {x for x, y in squares(state, "white") if y == 5} == {3, 4, 1, 10}


def test_an_amazon_shoots_from_where_it_has_gone_and_back() -> None:
    state = amazons("(cell 1 1 white)", "(cell 1 3 arrow)", "(cell 6 8 black)", "(moving white)")
    state = play(state, "(move 1 1 1 9)")
    assert {"(archer 1 9)", "(shooting white)"} <= set(texts(state.fluents))
    shots = squares(state, "white")
    assert {y for x, y in shots if x == 1} == {10, 1, 2, 8, 7, 6, 5, 4}
    state = play(state, "(shoot 1 1)")
    assert turn(state) == "black"
    assert "(cell 1 1 arrow)" in texts(state.fluents)
    assert not any(text.startswith("(archer") for text in texts(state.fluents))


def test_who_is_shut_in_loses() -> None:
    """The corner has eight neighbours here; the last shot closes the only gap."""
    around = [(2, 1), (2, 2), (1, 2), (10, 2), (10, 1), (10, 10), (1, 10)]
    arrows = [f"(cell {x} {y} arrow)" for x, y in around]
    state = amazons("(cell 1 1 black)", "(cell 5 7 white)", *arrows, "(moving white)")
    state = play(state, "(move 5 7 5 10)")
    assert not play(state, "(shoot 5 9)").is_terminal
    assert goals(play(state, "(shoot 2 10)")) == (100, 0)


# Skirmish


def field(name: str, men: str, *others: str, step: int = 10, taken: str = "3 3") -> State:
    """A position from men like ``e4 white king, d5 black pawn``."""
    cells = [f"(cell {man[0]} {man[1]} {man[3:]})" for man in men.split(", ")]
    white, black = taken.split()
    counters = [f"(step {step})", f"(taken white {white})", f"(taken black {black})"]
    turns = [] if any(other.startswith("(control") for other in others) else ["(control white)"]
    return load(name).state([*cells, *counters, *turns, *others])


@pytest.mark.parametrize("name", ["skirmish", "skirmish-zero-sum"])
def test_kings_may_be_left_to_be_taken(name: str) -> None:
    state = field(name, "e1 white king, e8 black king, a8 black rook, e5 white rook, h7 black pawn")
    assert "(move e 1 d 1)" in texts(state.legal_moves("white"))
    state = play(state, "(move e 5 e 8)")
    assert not state.is_terminal
    assert "(taken white 4)" in texts(state.fluents)
    assert "(cell e 8 white rook)" in texts(state.fluents)


def test_skirmish_promotes_to_queens_and_has_no_en_passant() -> None:
    state = field("skirmish", "b7 white pawn, a8 black rook, d5 white pawn, c7 black pawn")
    assert "(cell a 8 white queen)" in texts(play(state, "(move b 7 a 8)").fluents)
    state = play(state, "(move b 7 b 8)", "(move c 7 c 5)")
    assert "(cell b 8 white queen)" in texts(state.fluents)
    pawn = [text for text in texts(state.legal_moves("white")) if text.startswith("(move d 5")]
    assert pawn == ["(move d 5 d 6)"]


def test_skirmish_is_over_when_either_side_could_not_move() -> None:
    """Black has just moved. White can move, but after that black could not."""
    state = field("skirmish", "h2 white king, c4 white pawn, c6 black pawn")
    assert not state.is_terminal
    assert goals(play(state, "(move c 4 c 5)")) == (18, 18)
    assert not play(state, "(move h 2 h 3)").is_terminal
    # Also when the side that has no move is not to move.
    end = field("skirmish", "h2 white king, c5 white pawn, c6 black pawn", taken="16 0")
    assert turn(end) == "white"
    assert goals(end) == (100, 0)


def test_skirmish_counts_captures_for_99_plies() -> None:
    men = "a1 white king, h8 black king"
    assert not field("skirmish", men, step=98).is_terminal
    worth = [0, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 79, 86, 93, 100]
    for number, value in enumerate(worth):
        state = field("skirmish", men, step=99, taken=f"{number} {16 - number}")
        assert goals(state) == (value, worth[16 - number])


# Skirmish zero-sum


def test_zero_sum_takes_en_passant_at_once_or_never() -> None:
    men = "e5 white pawn, g5 white pawn, f7 black pawn, h8 black king, a1 white king"
    state = play(field("skirmish-zero-sum", men, "(control black)"), "(move f 7 f 5)")
    assert "(rushed f)" in texts(state.fluents)
    for start in "eg":
        after = play(state, f"(move {start} 5 f 6)")
        assert "(cell f 5 black pawn)" not in texts(after.fluents)
        assert "(taken white 4)" in texts(after.fluents)
    state = play(state, "(move a 1 a 2)", "(move h 8 g 8)")
    assert "(move e 5 f 6)" not in texts(state.legal_moves("white"))


def test_zero_sum_a_bishop_does_not_take_en_passant() -> None:
    men = "e5 white bishop, f7 black pawn, h8 black king, a1 white king"
    state = play(field("skirmish-zero-sum", men, "(control black)"), "(move f 7 f 5)")
    state = play(state, "(move e 5 f 6)")
    assert {"(cell f 5 black pawn)", "(taken white 3)"} <= set(texts(state.fluents))


def test_zero_sum_promotes_by_choice() -> None:
    state = field("skirmish-zero-sum", "b7 white pawn, a8 black rook, c8 white king, h8 black king")
    moves = [text for text in texts(state.legal_moves("white")) if text.startswith("(promote")]
    kinds = ("bishop", "knight", "queen", "rook")
    assert moves == [f"(promote b {file} {kind})" for file in "ab" for kind in kinds]
    state = play(state, "(promote b a knight)")
    assert {"(cell a 8 white knight)", "(taken white 4)"} <= set(texts(state.fluents))
    assert "(cell b 7 white pawn)" not in texts(state.fluents)


CASTLES = "e1 white king, a1 white rook, h1 white rook, e8 black king, a8 black rook, h8 black rook"


@pytest.mark.parametrize(
    ("which", "king", "rook"), [("kingside", "g", "f"), ("queenside", "c", "d")]
)
def test_zero_sum_castles(which: str, king: str, rook: str) -> None:
    state = field("skirmish-zero-sum", CASTLES)
    state = play(state, f"(castle {which})", f"(castle {which})")
    for rank, colour in ((1, "white"), (8, "black")):
        men = {text for text in texts(state.fluents) if f" {rank} {colour}" in text}
        stays = "a" if which == "kingside" else "h"
        assert men == {
            f"(cell {king} {rank} {colour} king)",
            f"(cell {rook} {rank} {colour} rook)",
            f"(cell {stays} {rank} {colour} rook)",
        }


def castlings(state: State) -> list[str]:
    return [text for text in texts(state.legal_moves(turn(state))) if "castle" in text]


def test_zero_sum_castles_with_what_has_not_moved_and_over_empty_squares() -> None:
    both = ["(castle kingside)", "(castle queenside)"]
    state = field("skirmish-zero-sum", CASTLES)
    assert castlings(state) == both
    # An attack on the way does not matter, a piece on it does.
    assert castlings(field("skirmish-zero-sum", f"{CASTLES}, f3 black rook")) == both
    assert castlings(field("skirmish-zero-sum", f"{CASTLES}, b1 black knight")) == both[:1]
    assert castlings(field("skirmish-zero-sum", f"{CASTLES}, g1 white knight")) == both[1:]
    there_and_back = ("(move {0} {1})", "(move a 8 b 8)", "(move {1} {0})", "(move b 8 a 8)")
    for path, left in (
        (("h 1", "h 2"), both[1:]),
        (("a 1", "a 2"), both[:1]),
        (("e 1", "e 2"), []),
    ):
        assert castlings(play(state, *(move.format(*path) for move in there_and_back))) == left
    moved = play(state, "(move h 1 h 2)", "(move a 8 b 8)")
    assert "(moved white kingside)" in texts(moved.fluents)
    assert "(moved black queenside)" in texts(moved.fluents)


def test_zero_sum_castling_itself_loses_no_right() -> None:
    """As on the public sheet: who walks back without leaving file e may castle again."""
    state = play(field("skirmish-zero-sum", CASTLES), "(castle kingside)", "(move a 8 a 7)")
    path = ["g 1", "g 2", "f 2", "e 1"]
    waiting = ["a 7", "a 6", "a 5", "a 4", "b 4", "b 5"]
    moves = [*itertools.pairwise(path), ("f 1", "f 2"), ("f 2", "h 2"), ("h 2", "h 1")]
    for (start, end), (here, there) in zip(
        moves, itertools.pairwise([*waiting, "b 6"]), strict=True
    ):
        state = play(state, f"(move {start} {end})", f"(move {here} {there})")
    assert castlings(state) == ["(castle kingside)", "(castle queenside)"]


def test_zero_sum_is_over_when_the_mover_cannot_move() -> None:
    men = "h2 white king, c4 white pawn, c6 black pawn"
    state = play(field("skirmish-zero-sum", men, taken="3 2"), "(move c 4 c 5)")
    assert goals(state) == (100, 0)
    # Who is not to move need not be able to.
    state = field("skirmish-zero-sum", "h2 white king, c5 white pawn, c6 black pawn")
    assert not state.is_terminal
    # A pawn that can only take en passant can move.
    men = "e5 white pawn, e6 black king, f5 black pawn"
    state = field("skirmish-zero-sum", men, "(rushed f)")
    assert texts(state.legal_moves("white")) == ["(move e 5 f 6)"]
    assert field("skirmish-zero-sum", men).is_terminal


def test_zero_sum_compares_captures_after_100_plies() -> None:
    men = "a1 white king, h8 black king"
    assert not field("skirmish-zero-sum", men, step=99).is_terminal
    for white in range(17):
        for black in range(17):
            state = field("skirmish-zero-sum", men, step=100, taken=f"{white} {black}")
            lead = (white > black) - (white < black)
            assert goals(state) == (50 + 50 * lead, 50 - 50 * lead)


KINDS = ("rook", "knight", "bishop", "queen", "king", "pawn", "pawn", "pawn")


@pytest.mark.parametrize("name", ["skirmish", "skirmish-zero-sum"])
def test_sparse_positions_of_the_model(name: str) -> None:
    """Endings are rare in random matches; few men, rights and passing pawns bring them about."""
    model, rng, ended = MODELS[name][0], random.Random(17), 0
    assert isinstance(model, Skirmish)
    for seed in range(60):
        men = {}
        for _ in range(rng.choice((1, 2, 3, 5, 12))):
            kind, file = rng.choice(KINDS), rng.randrange(8)
            rank = rng.randrange(1, 7) if kind == "pawn" else rng.randrange(8)
            men[file, rank] = (rng.randrange(2), kind)
        for player in (0, 1):
            if rng.random() < 0.4:
                pieces = {0: "rook", 4: "king", 7: "rook"}
                men |= {(x, 7 * player): (player, kind) for x, kind in pieces.items()}
        start = model.initial()._replace(
            men=frozenset((square, *man) for square, man in men.items()),
            mover=rng.randrange(2),
            plies=rng.choice((0, 50, model.limit - 6)),
        )
        state = load(name).state(sorted(model.fluents(start)))
        ended += follow(name, state, start, seed, plies=8) < 8
    assert 10 <= ended <= 50
