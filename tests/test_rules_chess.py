"""Chess and its small relatives, held against plain Python, published counts and special cases."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games_support import joint, load, texts
from independent.chess import Chess, Position, checked, put, reach, walk
from independent.chesslike import TTCC4, Duel, FreeForAll, Mixture, TicTacChess
from independent.protocol import Generator, counts, random_match
from woodstock import State, games
from woodstock.match import depth_counts

MODELS: dict[str, tuple[Generator, int]] = {
    "chess": (Chess(), 3),
    "tic-tac-chess-2p": (TicTacChess(), 6),
    "free-for-all-2p": (FreeForAll(), 6),
    "ttcc4-2p": (TTCC4(), 4),
}

# Positions that are known for finding faults in move generators, with their published counts.
POSITIONS = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": (1, 48, 2039, 97862),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (1, 14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": (1, 6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": (1, 44, 1486, 62379),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": (1, 46, 2079, 89890),
}


def chess(fen: str, plies: int = 0) -> State:
    model = Chess(fen)
    return load("chess").state(sorted(model.fluents(model.initial()._replace(plies=plies))))


def hold(generator: Generator, name: str, seed: int) -> int:
    """Play a random match on the library's game and the model side by side; gives its length."""
    game, played = load(name), 0
    assert game.roles == generator.roles
    state = game.state(sorted(generator.fluents(generator.initial())))
    for position, move in random_match(generator, seed):
        assert {str(fluent) for fluent in state.fluents} == generator.fluents(position)
        scores = generator.scores(position)
        assert state.is_terminal == (scores is not None)
        if move is None:
            assert tuple(state.goal(role) for role in game.roles) == scores
            break
        mover = game.roles[generator.mover(position)]
        for role in game.roles:
            expected = sorted(generator.moves(position)) if role == mover else ["noop"]
            assert texts(state.legal_moves(role)) == expected
        state = joint(state, {mover: move})
        played += 1
    return played


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_the_model(name: str) -> None:
    generator, depth = MODELS[name]
    assert load(name).initial_state() == load(name).state(
        sorted(generator.fluents(generator.initial()))
    )
    golden = games.perft_counts(name)[: depth + 1]
    assert len(golden) == depth + 1
    assert tuple(counts(generator, depth)) == golden


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", [name for name in MODELS if name != "chess"])
def test_matches_of_the_model(name: str, seed: int) -> None:
    assert hold(MODELS[name][0], name, seed) <= (games.meta(name).max_plies or 0)


@pytest.mark.parametrize("seed", range(2))
def test_chess_matches(seed: int) -> None:
    assert 10 < hold(Chess(), "chess", seed) <= 200


@pytest.mark.parametrize("fen", POSITIONS)
def test_chess_matches_from_known_positions(fen: str) -> None:
    hold(Chess(fen), "chess", seed=5)


def test_chess_has_the_published_counts() -> None:
    assert depth_counts(load("chess").initial_state(), depth=4) == [1, 20, 400, 8902, 197281]


@pytest.mark.parametrize("fen", POSITIONS)
def test_chess_counts_from_known_positions(fen: str) -> None:
    expected = POSITIONS[fen]
    assert tuple(depth_counts(chess(fen), depth=len(expected) - 1)) == expected


def random_positions(rng: random.Random) -> Iterator[Position]:
    """Pieces anywhere, one side to move and the other not in check; about half with a pawn that
    has just gone two squares."""
    while True:
        turn, squares = rng.randrange(2), list(range(64))
        rng.shuffle(squares)
        board = put("." * 64, (squares.pop(), "K"), (squares.pop(), "k"))
        passed = None
        if rng.random() < 0.5:
            passed, own = rng.randrange(8), rng.choice((-1, 1))
            row, back = (4, 1) if turn == 0 else (3, -1)
            pair = [8 * row + passed, *list(walk(8 * row + passed, own, 0))[:1]]
            over = [8 * (row + back * n) + passed for n in (1, 2)]
            if any(board[square] != "." for square in pair + over):
                continue
            board = put(board, *zip(pair, "pP" if turn == 0 else "Pp"))
            squares = [square for square in squares if square not in pair + over]
            # Before the double step, the side that moves now cannot have been in check.
            earlier = put(board, (pair[0], "."), (over[1], board[pair[0]]))
        for square in squares[: rng.randrange(2, 14)]:
            piece = rng.choice("QRRBBNNPPqrrbbnnpp")
            if piece not in "Pp" or 8 <= square < 56:
                board = put(board, (square, piece))
                if passed is not None:
                    earlier = put(earlier, (square, piece))
        if checked(board, 1 - turn) or (passed is not None and checked(earlier, turn)):
            continue
        # Nobody gets into check from two knights or two pawns at once.
        king = board.index("Kk"[turn])
        leaps = [s for s in reach(put(board, (king, "n")), king) if board[s] == "nN"[turn]]
        ahead = 1 if turn == 0 else -1
        near = [s for dx in (-1, 1) for s in list(walk(king, dx, ahead))[:1]]
        if len(leaps) < 2 and [board[s] for s in near] != ["pP"[turn]] * 2:
            yield Position(board, turn, "", passed, 0)


def test_chess_in_random_positions() -> None:
    """Pins, checks from everywhere and lines that en passant opens, far from any real match."""
    model, game, found = Chess(), load("chess"), {"check": 0, "passing": 0, "over": 0}
    positions = random_positions(random.Random(3))
    for _ in range(400):
        position = next(positions)
        state = game.state(sorted(model.fluents(position)))
        following = model.moves(position)
        mover = model.roles[position.turn]
        assert texts(state.legal_moves(mover)) == sorted(following)
        scores = model.scores(position)
        assert state.is_terminal == (scores is not None)
        found["check"] += checked(position.board, position.turn)
        found["over"] += scores is not None
        if scores is not None:
            assert tuple(state.goal(role) for role in game.roles) == scores
            continue
        for move, after in following.items():
            gone = sum(a != b for a, b in zip(position.board, after.board, strict=True))
            if gone == 3:
                found["passing"] += 1
                fluents = {str(fluent) for fluent in joint(state, {mover: move}).fluents}
                assert fluents == model.fluents(after)
    assert found["check"] > 50
    assert found["passing"] > 20
    assert found["over"] > 0


def test_chess_castling_through_and_out_of_danger() -> None:
    castle = {"(castle kingside)", "(castle queenside)"}

    def can(fen: str) -> set[str]:
        return castle.intersection(texts(chess(fen).legal_moves("white")))

    assert can("4k3/8/8/8/8/8/8/R3K2R w KQ -") == castle
    assert can("4k3/8/8/8/8/8/8/R3K2R w K -") == {"(castle kingside)"}
    assert can("4k3/8/8/8/8/8/8/RN2K2R w KQ -") == {"(castle kingside)"}
    assert can("1r2k3/8/8/8/8/8/8/R3K2R w KQ -") == castle  # only the rook passes the file b
    assert can("3rk3/8/8/8/8/8/8/R3K2R w KQ -") == {"(castle kingside)"}
    assert can("4k1r1/8/8/8/8/8/8/R3K2R w KQ -") == {"(castle queenside)"}
    assert can("4k3/8/8/8/4r3/8/8/R3K2R w KQ -") == set()


def test_chess_castling_is_lost_for_good() -> None:
    state = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    state = joint(state, {"white": "(move a 1 a 8)"})  # takes a rook: both lose this side
    rights = {str(f) for f in state.fluents if str(f).startswith("(may_castle")}
    assert rights == {"(may_castle white kingside)", "(may_castle black kingside)"}
    state = joint(state, {"black": "(move e 8 e 7)"})
    state = joint(state, {"white": "(castle kingside)"})
    fluents = {str(f) for f in state.fluents}
    assert {"(cell g 1 white king)", "(cell f 1 white rook)"} <= fluents
    assert not any(f.startswith(("(may_castle", "(cell e 1", "(cell h 1")) for f in fluents)


def test_chess_en_passant_must_not_open_the_rank() -> None:
    # Both pawns leave the rank of the king, and the rook behind them gives check.
    pinned = chess("4k3/8/8/K2pP2r/8/8/8/8 w - d6")
    assert "(move e 5 d 6)" not in texts(pinned.legal_moves("white"))
    assert "(move e 5 e 6)" in texts(pinned.legal_moves("white"))
    free = chess("4k3/8/8/K2pPn1r/8/8/8/8 w - d6")
    assert "(move e 5 d 6)" in texts(free.legal_moves("white"))


def test_chess_en_passant_ends_a_check_and_comes_at_once_or_never() -> None:
    state = chess("4k3/8/8/3pP3/4K3/8/8/8 w - d6")
    assert "(move e 5 d 6)" in texts(state.legal_moves("white"))
    assert "(move e 5 e 6)" not in texts(state.legal_moves("white"))
    taken = joint(state, {"white": "(move e 5 d 6)"})
    assert "(cell d 6 white pawn)" in texts(taken.fluents)
    assert not any(str(f).startswith("(cell d 5") for f in taken.fluents)
    later = chess("4k3/8/8/3pP3/8/4K3/8/8 w - -")
    assert "(move e 5 d 6)" not in texts(later.legal_moves("white"))


def test_chess_king_cannot_flee_along_the_line_of_check() -> None:
    state = chess("4r1k1/8/8/8/4K3/8/8/8 w - -")
    assert not {"(move e 4 e 3)", "(move e 4 e 5)"} & set(texts(state.legal_moves("white")))


def test_chess_double_check_moves_the_king() -> None:
    def moves(fen: str) -> list[str]:
        return texts(chess(fen).legal_moves("white"))

    # The queen can block the check of the rook, the rook can take the knight: one check at a time.
    assert "(move a 1 e 5)" in moves("4r1k1/8/8/8/8/1R6/8/Q3K2R w K -")
    assert "(move b 3 d 3)" in moves("6k1/8/8/8/8/1R1n4/8/Q3K2R w K -")
    both = moves("4r1k1/8/8/8/8/1R1n4/8/Q3K2R w K -")
    assert both == ["(move e 1 d 1)", "(move e 1 d 2)", "(move e 1 f 1)"]


def test_chess_ends() -> None:
    mate = chess("R5k1/5ppp/8/8/8/8/8/4K3 b - -")
    assert mate.is_terminal
    assert mate.goals() == {"white": 100, "black": 0}
    stalemate = chess("7k/5Q2/8/8/8/8/8/4K3 b - -")
    assert stalemate.is_terminal
    assert stalemate.goals() == {"white": 50, "black": 50}
    bare = chess("7k/8/8/8/8/8/8/4K3 b - -")  # nobody can win, but no rule ends this
    assert not bare.is_terminal


def test_chess_ends_after_200_plies() -> None:
    start = "6k1/5ppp/8/8/8/8/8/R3K3 w - -"
    last = chess(start, plies=199)
    assert not last.is_terminal
    quiet = joint(last, {"white": "(move a 1 b 1)"})
    assert quiet.is_terminal
    assert quiet.goals() == {"white": 50, "black": 50}
    mate = joint(last, {"white": "(move a 1 a 8)"})  # a mate with the last ply counts
    assert mate.is_terminal
    assert mate.goals() == {"white": 100, "black": 0}


def test_free_for_all_counts_ten_captures_at_most() -> None:
    model = FreeForAll()
    owners = {((1, 4), 0), ((7, 4), 1), ((2, 4), 1)}
    position = Duel(frozenset(owners), 0, (10, 3), 29)
    state = load("free-for-all-2p").state(sorted(model.fluents(position)))
    assert not state.is_terminal
    state = joint(state, {"red": "(move 1 4 2 4)"})
    assert state.is_terminal
    assert state.goals() == {"red": 100, "blue": 30}


def test_tic_tac_chess_pays_nobody_at_the_end() -> None:
    model = TicTacChess()
    position = Duel(frozenset({((1, 4), 0), ((7, 4), 1)}), 1, (0, 0), 29)
    state = load("tic-tac-chess-2p").state(sorted(model.fluents(position)))
    state = joint(state, {"blue": "(move 7 4 5 3)"})
    assert state.is_terminal
    assert state.goals() == {"red": 0, "blue": 0}


@pytest.mark.parametrize("model", [TicTacChess(), FreeForAll()])
def test_who_is_shut_in_passes(model: TicTacChess | FreeForAll) -> None:
    """Blue has taken what red had, and holds the squares to which a piece leaps from home."""
    name = "tic-tac-chess-2p" if isinstance(model, TicTacChess) else "free-for-all-2p"
    blue = {(square, 1) for square in ((7, 4), (2, 2), (2, 6), (3, 3), (3, 5))}
    position = Duel(frozenset({((1, 4), 0), *blue}), 0, (0, 2), 20)
    state = load(name).state(sorted(model.fluents(position)))
    assert texts(state.legal_moves("red")) == ["noop"] == list(model.moves(position))
    assert texts(state.apply(["noop", "noop"]).fluents) == sorted(
        model.fluents(model.moves(position)["noop"])
    )


def test_who_is_shut_in_passes_in_ttcc4() -> None:
    model = TTCC4()
    pieces = dict(model.initial().pieces)
    pieces[2, 5] = pieces.pop((1, 4))
    pieces |= dict.fromkeys(((3, 2), (3, 4), (3, 6), (4, 6), (5, 6)), (0, "disc"))
    position = Mixture(frozenset(pieces.items()), 0, 20)
    state = load("ttcc4-2p").state(sorted(model.fluents(position)))
    assert texts(state.legal_moves("white")) == ["noop"] == list(model.moves(position))
    assert texts(state.apply(["noop", "noop"]).fluents) == sorted(
        model.fluents(model.moves(position)["noop"])
    )


def test_ttcc4_takes_and_sends_home() -> None:
    model = TTCC4()
    pieces = dict(model.initial().pieces)
    pieces[4, 3] = pieces.pop((1, 4))  # white's checker
    pieces[5, 4] = pieces.pop((7, 3))  # black's pawn
    pieces[3, 2] = (1, "disc")
    position = Mixture(frozenset(pieces.items()), 0, 6)
    state = load("ttcc4-2p").state(sorted(model.fluents(position)))
    jump = joint(state, {"white": "(move 4 3 6 5)"})
    assert "(cell 7 3 black pawn)" in texts(jump.fluents)
    assert not any(str(f).startswith("(cell 5 4") for f in jump.fluents)
    assert "(move 5 4 4 3)" in texts(joint(state, {"white": "(drop 3)"}).legal_moves("black"))
    drop = joint(state, {"white": "(drop 3)"})
    assert "(cell 3 3 white disc)" in texts(drop.fluents)


def test_ttcc4_discs_stand_on_what_is_below() -> None:
    """A piece in a chute stops a disc, and a piece at the top closes it."""
    game, model = load("ttcc4-2p"), TTCC4()
    for height in range(2, 7):
        pieces = dict(model.initial().pieces)
        pieces[3, height] = pieces.pop((1, 3))
        state = game.state(sorted(model.fluents(Mixture(frozenset(pieces.items()), 1, 1))))
        if height == 6:
            assert "(drop 3)" not in texts(state.legal_moves("black"))
        else:
            dropped = texts(joint(state, {"black": "(drop 3)"}).fluents)
            assert f"(cell 3 {height + 1} black disc)" in dropped
