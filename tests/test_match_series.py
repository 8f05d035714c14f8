"""Series of matches, their standings, and a person at the board."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games_support import load
from woodstock import Game
from woodstock.belief import Situation
from woodstock.errors import IllegalMoveError
from woodstock.gdl.terms import Term
from woodstock.match import (
    MatchRecord,
    Played,
    SeatError,
    Session,
    complete_move,
    find_move,
    play_series,
    short_form,
    split_names,
    standings,
)
from woodstock.player import Player, make_player
from woodstock.tune import wilson


def record(goals: tuple[int | None, ...], errors: tuple[str, ...] | None = None) -> MatchRecord:
    """A match of tic-tac-toe that has ended, after one joint move, with these goals."""
    made = MatchRecord.begin(load("tic-tac-toe"), ["a", "b"], seed=1)
    made.moves.append(("(mark 1 1)", "noop"))
    made.errors.append(errors or ("", ""))
    made.goal_values, made.is_completed = goals, bool(goals)
    return made


def test_players_sit_everywhere_in_turn() -> None:
    game = load("battlebrushes")
    names = ["random", "legal", "legal", "legal"]
    played = list(play_series(game, names, games=5, swap=True, seed=3))
    assert [one.seats[0] for one in played] == [0, 1, 2, 3, 0]
    assert all(sorted(one.seats) == [0, 1, 2, 3] for one in played)
    assert [one.record.players.index("random") for one in played] == [0, 3, 2, 1, 0]
    assert [one.record.seed for one in played] == [3, 4, 5, 6, 7]
    stay = play_series(game, names, games=3, seed=3)
    assert {one.seats for one in stay} == {(0, 1, 2, 3)}


def test_matches_are_played_when_they_are_asked_for() -> None:
    begun: list[int] = []
    series = play_series(
        load("nim"),
        ["random", "random"],
        games=10**9,
        seed=1,
        on_begin=lambda number, names, seed: begun.append(number),
    )
    assert len(list(itertools.islice(series, 2))) == 2
    assert begun == [0, 1]


def test_too_few_players_for_a_series() -> None:
    with pytest.raises(SeatError):
        next(play_series(load("nim"), ["random"], games=2, swap=True, seed=1))


def test_standings_count_wins_draws_losses_and_mistakes() -> None:
    played = [
        Played(0, (0, 1), record((100, 0)), 0.1),
        Played(1, (1, 0), record((100, 0), ("TO", "")), 0.1),
        Played(2, (0, 1), record((50, 50), ("IL (mark 9 9)", "EX ValueError: no idea")), 0.1),
        Played(3, (1, 0), record((None, 10)), 0.1),
        Played(4, (0, 1), record((), ("TO", "")), 0.1),
    ]
    first, second = standings(["a", "b"], played)
    assert (first.games, first.wins, first.draws, first.losses) == (4, 2, 1, 1)
    assert first.mean_goal == (100 + 0 + 50 + 10) / 4
    assert first.score == 2.5 / 4
    assert (first.late, first.illegal, first.failed, first.mistakes) == (1, 1, 0, 2)
    assert (second.wins, second.draws, second.losses) == (1, 1, 2)
    assert (second.late, second.illegal, second.failed) == (1, 0, 1)
    data = first.to_json()
    assert data["win_rate"] == 0.625
    assert data["win_rate_95"] == [round(bound, 4) for bound in wilson(0.625, 4)]
    assert played[1].to_json()["mistakes"] == {"x": ["TO"]}
    assert played[4].to_json()["goals"] is None


def test_a_standing_without_games_or_rivals() -> None:
    (nobody, _) = standings(["a", "b"], [])
    assert math.isnan(nobody.score)
    assert nobody.to_json()["win_rate_95"] == [None, None]
    played = list(play_series(load("eight-puzzle"), ["random"], games=2, seed=1))
    (alone,) = standings(["random"], played)
    assert (alone.games, alone.wins, alone.draws, alone.losses) == (2, 0, 0, 0)
    assert alone.to_json()["win_rate"] is None
    assert alone.to_json()["mean_goal_95"][0] == 0.0


def test_the_interval_is_wilsons() -> None:
    # 15 of 20, as R's prop.test(15, 20, correct = FALSE) has it.
    low, high = wilson(0.75, 20)
    assert (round(low, 4), round(high, 4)) == (0.5313, 0.8881)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_intervals_hold_the_mean_and_shrink(mean: float, count: int) -> None:
    low, high = wilson(mean, count)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    narrow = wilson(mean, 4 * count)
    assert narrow[1] - narrow[0] < high - low


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["uct", "mac-ucb", "random"]),
            st.lists(st.sampled_from(["C=0.4", "leaves=32", "order=depth"]), max_size=3),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_names_with_options_are_told_apart(players: list[tuple[str, list[str]]]) -> None:
    names = [name + (":" + ",".join(options) if options else "") for name, options in players]
    assert split_names(",".join(names)) == split_names(" , ".join(names)) == names


def test_a_session_goes_back_to_the_last_choice() -> None:
    game = load("tic-tac-toe")
    session = Session(game, "o", {"x": make_player("legal", 1)}, seed=1)
    assert not session.undo()
    assert session.legal == ("noop",)
    session.play("noop")
    assert not session.undo()
    choice = session.state
    session.play("(mark 3 3)")
    session.play("noop")
    assert [str(move) for move, _ in session.moves] == ["(mark 1 1)", "noop", "(mark 1 2)"]
    assert session.undo()
    assert session.state == choice
    assert len(session.moves) == 1
    with pytest.raises(IllegalMoveError, match="not legal for o"):
        session.play("(mark 1 1)")
    assert session.state == choice


def test_a_session_ends_with_the_game() -> None:
    session = Session(load("tic-tac-toe"), "x", {"o": make_player("legal", 1)}, seed=1)
    for cell in ("2 1", "2 2", "2 3"):
        session.play(f"(mark {cell})")
        if session.legal:
            session.play("noop")
    assert session.state.goals() == {"x": 100, "o": 0}
    with pytest.raises(IllegalMoveError):
        session.play("noop")


def test_a_session_sets_mistakes_right() -> None:
    class Bad(Player):
        def prepare(self, game: Game, role: str, deadline: float) -> None:
            raise RuntimeError("not ready")

        def choose(self, situation: Situation, role: str, deadline: float) -> Term:
            raise ValueError("no idea")

    session = Session(load("matching-pennies"), "j1", {"j2": Bad()}, seed=1)
    session.prepare(0.1)
    step = session.play("(retourne pile)")
    assert step.errors == ("", "EX ValueError: no idea")
    assert session.state.is_terminal


def test_sessions_need_players_for_the_others() -> None:
    game = load("tic-tac-toe")
    for role, others in (("x", {}), ("z", {"x": make_player("legal", 1)})):
        with pytest.raises(ValueError, match="players are needed"):
            Session(game, role, others, seed=1)


def test_moves_are_found_by_what_a_person_types() -> None:
    legal = load("tic-tac-toe").initial_state().legal_moves("x")
    for text in ("5", "(mark 2 2)", "mark 2 2", " MARK  2 2 ", "(mark 2 2"):
        assert str(find_move(legal, text)) == "(mark 2 2)"
    for text, message in (
        ("10", "from 1 to 9"),
        ("0", "from 1 to 9"),
        ("mark", "or another"),
        ("mark 2", r"\(mark 2 1\), \(mark 2 2\) or \(mark 2 3\)"),
        ("noop", "no legal move"),
        ("", "no legal move"),
        ("()", "no legal move"),
    ):
        with pytest.raises(IllegalMoveError, match=message):
            find_move(legal, text)


def test_numbers_that_are_moves_are_moves() -> None:
    legal = ("10", "20", "3")
    assert find_move(legal, "3") == "3"
    assert find_move(legal, "1") == "10"
    with pytest.raises(IllegalMoveError):
        find_move(legal, "4")


@pytest.mark.parametrize("name", ["chess", "checkers", "connect-four", "nim", "pentago", "quarto"])
def test_short_forms_mean_their_moves(name: str) -> None:
    state = load(name).initial_state()
    legal = state.legal_moves(state.turn[0])
    for move in legal:
        short = short_form(legal, move)
        assert find_move(legal, short) == move
        assert len(short) <= len(str(move))
        assert complete_move(legal, str(move)[:-1]) == [str(move)]


def test_a_column_stays_a_column() -> None:
    """With two columns left, 1 is not the first of them: it is full."""
    legal = ("(drop 6)", "(drop 7)")
    assert find_move(legal, "7") == "(drop 7)"
    with pytest.raises(IllegalMoveError, match="'1' is no legal move"):
        find_move(legal, "1")


def test_parts_of_moves_are_enough_where_they_are_clear() -> None:
    legal = ("(move white pawn e 2 e 4)", "(move white pawn e 2 e 3)", "(castle short)", "pass")
    for text in ("e4", "e2e4", "pawn e 4", "move 4", "e2-e4", "E2E4", "move(white,pawn,e,2,e,4)"):
        assert find_move(legal, text) == legal[0]
    assert find_move(legal, "short") == find_move(legal, "cast") == legal[2]
    for text in ("e2", "pawn", "e"):
        with pytest.raises(IllegalMoveError, match="may be"):
            find_move(legal, text)
    for text in ("e5", "-", "queen"):
        with pytest.raises(IllegalMoveError, match="no legal move"):
            find_move(legal, text)
