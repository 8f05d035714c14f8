"""Matches: play them, record them, replay them, count the lines of play.

>>> from woodstock import Game, match
>>> game = Game.from_library("tic-tac-toe")
>>> players = match.seat_players(game, ["legal", "legal"], seed=1)
>>> record = match.play_match(game, players, seed=1)
>>> record.goal_values
(100, 0)
"""

from __future__ import annotations

from woodstock.match.lines import play_line, split_line, split_terms
from woodstock.match.local import SeatError, Turn, play_match, player_roles, seat_players
from woodstock.match.perft import Level, depth_counts, divide, perft
from woodstock.match.record import MatchRecord
from woodstock.match.replay import Difference, Replay, replay
from woodstock.match.trace import Ply, RecordedSet, Trace, read_trace

__all__ = [
    "Difference",
    "Level",
    "MatchRecord",
    "Ply",
    "RecordedSet",
    "Replay",
    "SeatError",
    "Trace",
    "Turn",
    "depth_counts",
    "divide",
    "perft",
    "play_line",
    "play_match",
    "player_roles",
    "read_trace",
    "replay",
    "seat_players",
    "split_line",
    "split_terms",
]
