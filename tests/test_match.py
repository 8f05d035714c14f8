"""Matches, lines of play, players and perft."""

from __future__ import annotations

import json
import os
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort
from games_support import load
from woodstock import Game, games
from woodstock.belief import Situation, believed
from woodstock.errors import IllegalMoveError
from woodstock.game import EngineName
from woodstock.gdl.terms import Term
from woodstock.match import (
    MatchRecord,
    SeatError,
    Turn,
    depth_counts,
    divide,
    perft,
    play_line,
    play_match,
    replay,
    seat_players,
    split_line,
    split_terms,
)
from woodstock.match.trace import parse_trace
from woodstock.player import (
    LegalPlayer,
    Player,
    UnknownPlayerError,
    legal_moves,
    make_player,
    player_names,
    register_player,
)

FIELDS = {
    "matchId", "randomToken", "startTime", "gameMetaURL", "isCompleted", "isAborted", "states",
    "moves", "stateTimes", "errors", "goalValues", "previewClock", "startClock", "playClock",
    "playerNamesFromHost", "isPlayerHuman", "tournamentNameFromHost", "scrambled",
}  # fmt: skip


ENGINES: tuple[EngineName, ...] = ("circuit", "ground", "lifted")


def random_match(game: Game, seed: int, **options: object) -> MatchRecord:
    players = seat_players(game, ["random" for _ in game.players], seed)
    return play_match(game, players, seed=seed, **options)  # type: ignore[arg-type]


@cache
def match_of(name: str) -> MatchRecord:
    return random_match(load(name), 5)


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_played_to_its_end(name: str) -> None:
    game, record = load(name), match_of(name)
    assert record.is_completed
    assert not record.is_aborted
    wrong = {error for joint in record.errors for error in joint} - {""}
    # Who has lost track of what is hidden may try what is not legal; nobody else does.
    assert not wrong or game.information != "complete"
    assert all(error.startswith("IL ") for error in wrong)
    assert len(record.states) == len(record.moves) + 1 == len(record.state_times)
    assert all(goal is not None for goal in record.goal_values)


@pytest.mark.parametrize("name", games.names())
def test_records_replay_on_the_lifted_engine(name: str) -> None:
    data = match_of(name).to_json()
    trace = parse_trace(json.loads(json.dumps(data)))
    report = replay(Game.from_library(name, engine="lifted"), trace, seconds=effort(0.15, 0.6))
    assert report.difference is None


def test_a_record_has_the_fields_of_the_field() -> None:
    record = random_match(load("tic-tac-toe"), 1, names={"x": "Ann"}).to_json()
    assert set(record) - {"woodstock"} == FIELDS
    assert record["playerNamesFromHost"] == ["Ann", "RandomPlayer"]
    assert record["states"][0].startswith("((cell 1 1 ")
    assert abs(record["startTime"] / 1000 - time.time()) < 600
    assert sorted(record["stateTimes"]) == record["stateTimes"]


def test_same_seed_same_match() -> None:
    def match(seed: int) -> dict[str, object]:
        record = random_match(load("randomised-tic-tac-toe"), seed).to_json()
        return {k: v for k, v in record.items() if k not in ("startTime", "stateTimes")}

    assert match(3) == match(3)
    assert len({json.dumps(match(seed)["moves"]) for seed in range(8)}) > 1


def test_chance_moves_are_spread_evenly() -> None:
    game = load("cooperative-matching-pennies")
    flips = [random_match(game, seed).moves[-1][-1] for seed in range(200)]
    assert len(set(flips)) == 2
    assert min(flips.count(flip) for flip in set(flips)) > 60


class Bad(Player):
    """A player that does everything wrong, one thing after the other."""

    def __init__(self) -> None:
        self.asked = 0

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        raise RuntimeError("not ready")

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        self.asked += 1
        if self.asked == 1:
            raise ValueError("no idea")
        if self.asked == 2:
            return "(mark 9 9)"
        if self.asked == 3:
            return "((("
        return legal_moves(believed(situation), role)[0]


def test_a_bad_player_does_not_stop_a_match() -> None:
    game = load("tic-tac-toe")
    players: dict[str, Player] = {"x": Bad(), "o": make_player("legal", 1)}
    record = play_match(game, players, seed=11, play_clock=60)
    assert record.is_completed
    mistakes = [errors[0] for errors in record.errors]
    assert mistakes[0] == "EX ValueError: no idea"
    assert mistakes[1] == "IL (mark 9 9)"
    assert mistakes[2].startswith("EX IllegalMoveError")
    assert not any(mistakes[3:])
    assert not any(errors[1] for errors in record.errors)


def test_a_late_answer_is_a_mistake() -> None:
    class Late(LegalPlayer):
        def choose(self, situation: Situation, role: str, deadline: float) -> Term:
            time.sleep(max(0.0, deadline - time.monotonic()) + 0.01)
            return super().choose(situation, role, deadline)

    players: dict[str, Player] = {"x": Late(1), "o": make_player("legal", 1)}
    record = play_match(load("tic-tac-toe"), players, seed=11, play_clock=0.05)
    assert record.is_completed
    assert {errors[0] for errors in record.errors} == {"TO"}


def test_clocks_may_be_fractions() -> None:
    record = random_match(load("nim"), 1, start_clock=0.5, play_clock=2.0).to_json()
    assert (record["startClock"], record["playClock"]) == (0.5, 2)
    assert json.dumps(record["playClock"]) == "2"


def test_a_match_can_be_cut() -> None:
    record = random_match(load("tic-tac-toe"), 1, max_moves=2)
    assert (len(record.moves), record.is_aborted, record.is_completed) == (2, True, False)
    assert record.problem == "cut after 2 moves"
    whole = random_match(load("tic-tac-toe"), 1, max_moves=9)
    assert whole.is_completed
    assert not whole.is_aborted
    assert whole.moves[:2] == record.moves


def test_turns_say_how_long_everybody_took() -> None:
    class Slow(Player):
        def prepare(self, game: Game, role: str, deadline: float) -> None:
            pass

        def choose(self, situation: Situation, role: str, deadline: float) -> Term:
            time.sleep(0.01)
            return legal_moves(believed(situation), role)[0]

    turns: list[Turn] = []
    game = load("cooperative-matching-pennies")
    players: dict[str, Player] = {"alice": Slow(), "bob": make_player("legal", 1)}
    play_match(game, players, seed=1, on_turn=turns.append)
    assert all(turn.seconds[game.roles.index("alice")] >= 0.01 for turn in turns)
    assert {turn.seconds[game.roles.index("random")] for turn in turns} == {0.0}


def test_players_must_fit_the_roles() -> None:
    with pytest.raises(ValueError, match="exactly x, o"):
        play_match(load("tic-tac-toe"), {"x": make_player("legal", 1)}, seed=1)


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(SeatError, match=r"needs 2 players \(x, o\), not 3"):
        seat_players(load("tic-tac-toe"), ["random"] * 3, seed=1)
    with pytest.raises(UnknownPlayerError):
        seat_players(load("tic-tac-toe"), ["random", "nobody"], seed=1)


def test_rules_without_a_move_abort_the_match() -> None:
    game = Game.from_text(
        "(role x) (init a) (<= (legal x go) (true a)) (<= (next b) (true a))"
        " (<= terminal (true never)) (goal x 0)"
    )
    record = random_match(game, 1)
    assert record.is_aborted
    assert not record.is_completed
    assert "x has no legal move" in record.problem


def test_an_interrupted_match_is_marked_as_aborted() -> None:
    kept: list[MatchRecord] = []

    def stop(turn: Turn) -> None:
        kept.append(turn.record)
        if turn.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        random_match(load("tic-tac-toe"), 1, on_turn=stop)
    assert kept[-1].is_aborted
    assert len(kept[-1].moves) == 2


def test_records_are_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = random_match(load("nim"), 1)
    path = tmp_path / "match.json"
    record.write(path)
    before = path.read_text(encoding="utf-8")
    assert json.loads(before)["isCompleted"]

    def explode(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", explode)
    with pytest.raises(OSError, match="disk full"):
        record.write(path)
    assert path.read_text(encoding="utf-8") == before
    assert [p.name for p in tmp_path.iterdir()] == ["match.json"]


def test_lines_of_play() -> None:
    start = load("tic-tac-toe").initial_state()
    full = [state for _, state in play_line(start, "(mark 2 2) noop; noop (mark 1 1);")]
    short = [state for _, state in play_line(start, "(MARK 2 2); ( mark 1 1 )")]
    commas = [state for _, state in play_line(start, "(mark 2 2), noop; noop,(mark 1 1)")]
    assert full == short == commas
    assert list(play_line(start, " ; ")) == []


def test_the_last_move_of_a_full_board_needs_no_noop() -> None:
    start = load("tic-tac-toe").initial_state()
    order = ["1 1", "1 2", "1 3", "2 2", "2 1", "2 3", "3 2", "3 1", "3 3"]
    *_, (moves, end) = play_line(start, ";".join(f"(mark {cell})" for cell in order))
    assert [str(move) for move in moves] == ["(mark 3 3)", "noop"]
    assert end.is_terminal
    with pytest.raises(IllegalMoveError, match="the game is over"):
        list(play_line(end, "noop"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(mark 2 2); (mark 2 2)", "step 2"),
        ("(mark 2 2) noop noop", "3 moves given"),
        ("noop", "not legal for x"),
        ("(mark 2 2", "parentheses"),
        ("mark 2 2)", "parentheses"),
        ("(mark 2; 2)", "';' inside"),
        ("(mark ?x 2)", "variable"),
    ],
)
def test_wrong_lines_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        list(play_line(load("tic-tac-toe").initial_state(), text))


def test_simultaneous_moves_are_all_needed() -> None:
    start = load("matching-pennies").initial_state()
    with pytest.raises(IllegalMoveError, match="one move for each of j1, j2"):
        list(play_line(start, "(retourne pile)"))


terms = st.recursive(
    st.from_regex(r"[a-z0-9+_]{1,4}", fullmatch=True),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda t: f"(f {' '.join(t)})"),
    max_leaves=5,
)


@given(st.lists(st.lists(terms, min_size=1, max_size=3), max_size=3), st.sampled_from(" ,"))
def test_lines_are_split_as_they_were_joined(steps: list[list[str]], gap: str) -> None:
    assert split_line(" ; ".join(gap.join(step) for step in steps)) == steps


@given(st.text(alphabet="()ab ;,?\n", max_size=20))
def test_any_text_is_split_or_refused(text: str) -> None:
    try:
        found = split_terms(text)
    except IllegalMoveError:
        return
    assert all(term.count("(") == term.count(")") for term in found)


@pytest.mark.parametrize("name", ["cooperative-matching-pennies", "nim", "tic-tac-toe"])
def test_perft_is_the_same_on_every_engine(name: str) -> None:
    """The circuit opens positions in batches, the others one by one."""
    found = [
        list(perft(Game.from_library(name, engine=engine).initial_state(), 3)) for engine in ENGINES
    ]
    assert found[0] == found[1] == found[2]
    assert found[0][-1].sequences == games.perft_counts(name)[: len(found[0])][-1]


@pytest.mark.parametrize("engine", ENGINES)
def test_counts_where_a_role_cannot_move(engine: EngineName) -> None:
    """Sequences that cannot go on have not ended the game."""
    stuck = """(role x) (role y) (init (at 0)) (succ 0 1) (succ 1 2)
        (<= (legal x ?m) (true (at 0)) (move ?m)) (move a) (move b) (legal y noop)
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 2))) (goal x 0)"""
    start = Game.from_text(stuck, engine=engine).initial_state()
    levels = [(level.sequences, level.terminal, level.states) for level in perft(start, 9)]
    assert levels == [(1, 0, 1), (2, 0, 1), (0, 0, 0)]
    assert depth_counts(start) == [1, 2, 0]
    assert dict(divide(start, 2)) == {("a", "noop"): 0, ("b", "noop"): 0}
    assert start.successors()[0][1].successors() == []


def test_counting_can_be_bounded() -> None:
    start = load("tic-tac-toe").initial_state()
    counts = list(games.perft_counts("tic-tac-toe"))
    assert depth_counts(start) == counts
    assert depth_counts(start, depth=0) == counts[:1]
    assert depth_counts(start, moves=0) == counts[:2]
    assert depth_counts(start, moves=9) == counts[:3]
    assert depth_counts(start, moves=9, depth=1) == counts[:2]


def test_progress_of_perft() -> None:
    heard: list[tuple[int, int, int]] = []
    list(perft(load("nim").initial_state(), 2, lambda *progress: heard.append(progress)))
    assert heard[0] == (1, 0, 1)
    assert [done for depth, done, total in heard if depth == 2] == list(range(12))


def test_perft_counts_ends_and_stops_with_them() -> None:
    levels = list(perft(load("tic-tac-toe").initial_state(), 20))
    assert [level.depth for level in levels] == list(range(10))
    # 255,168 matches of tic-tac-toe, a number known for long.
    assert sum(level.terminal for level in levels) == 255_168
    assert levels[-1].terminal == levels[-1].sequences == 127_872


def test_divide_adds_up() -> None:
    start = load("nim").initial_state()
    parts = dict(divide(start, 3))
    assert sum(parts.values()) == games.perft_counts("nim")[3]
    assert len(parts) == games.perft_counts("nim")[1]
    assert list(divide(start, 0)) == []


def test_players_are_found_by_name() -> None:
    assert {"legal", "random"} <= set(player_names())
    with pytest.raises(UnknownPlayerError, match="did you mean random"):
        make_player("Random", 1)
    with pytest.raises(ValueError, match="already"):
        register_player("random", lambda seed: make_player("legal", seed))


@settings(max_examples=20)
@given(st.integers(0, 2**63))
def test_simple_players_play_legal_moves(seed: int) -> None:
    state = load("nim").initial_state()
    for name in ("legal", "random"):
        chosen = [make_player(name, seed).choose(state, "player1", 0.0) for _ in range(2)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in state.legal_moves("player1")
