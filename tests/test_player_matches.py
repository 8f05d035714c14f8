"""The players of the registry in real matches: legal moves, no exceptions, whatever the game."""

from __future__ import annotations

import pytest

from cli_support import answer
from effort import effort
from games_support import load
from woodstock.match import MatchRecord, play_match, seat_players
from woodstock.player import ThinkingPlayer, make_player, player_names

KINDS = ["tic-tac-toe", "matching-pennies", "cooperative-matching-pennies", "eight-puzzle"]


def play(game: str, names: list[str], max_moves: int = 6, **options: object) -> MatchRecord:
    """A short match with short clocks; of the players, the first ones that there is room for."""
    loaded = load(game)
    seated = seat_players(loaded, names[: len(loaded.players)], seed=1, **options)
    return play_match(loaded, seated, seed=1, start_clock=0.1, play_clock=0.1, max_moves=max_moves)


def wrong(record: MatchRecord) -> set[str]:
    """Mistakes other than late answers, which say more about a busy machine than about a player."""
    return {error for joint in record.errors for error in joint} - {"", "TO"}


@pytest.mark.parametrize("name", player_names())
@pytest.mark.parametrize("game", KINDS)
def test_every_player_plays_every_kind_of_game(game: str, name: str) -> None:
    record = play(game, [name, name], max_moves=effort(3, 6))
    assert record.moves
    assert wrong(record) == set()


def test_searches_are_what_decides() -> None:
    game = load("tic-tac-toe")
    player = make_player("uct", 1, memory_mb=16)
    assert isinstance(player, ThinkingPlayer)
    players = {"x": player, "o": make_player("legal", 1)}
    record = play_match(game, players, seed=1, start_clock=60, play_clock=60)
    assert record.goal_values == (100, 0)
    assert player.last_answer is not None
    assert player.last_answer.reason == "search"
    assert player.last_decision is not None
    assert player.last_decision.proved


def test_players_think_while_others_think() -> None:
    record = play("tic-tac-toe", ["uct", "uct"], max_moves=9, ponder=True, memory_mb=16)
    assert record.moves
    assert wrong(record) == set()


def test_options_of_players_reach_them() -> None:
    names = "uct:exploration=0.5,leaves=16,random"
    arguments = ["match", "nim", "--players", names, "--start-clock", "0", "--play-clock", "0.1"]
    found = answer(*arguments, "--threads", "2", "--memory", "16", "--games", "1")
    assert found["players"] == ["uct:exploration=0.5,leaves=16", "random"]
    assert (found["threads"], found["memory_mb"]) == (2, 16)
    assert found["standings"][0]["mistakes"]["failed"] == 0


def test_analysis_and_speed_of_a_real_search() -> None:
    arguments = ["tic-tac-toe", "--player", "uct"]
    line = "(mark 1 1); (mark 2 1); (mark 1 2); (mark 3 1)"
    found = answer("analyse", *arguments, "--seconds", "60", "--after", line)
    assert found["move"] == "(mark 1 3)"
    assert found["value"] == 1.0
    assert len(found["moves"]) == 5
    (row,) = answer("bench", "search", *arguments, "--seconds", "0.2")["games"]
    assert row["simulations_per_cpu_second"] > 0
    assert row["simulations"] >= row["nodes"] > 0
