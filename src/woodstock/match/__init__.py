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
from woodstock.match.local import (
    SeatError,
    Step,
    Turn,
    ask_all,
    play_match,
    seat_players,
    split_names,
)
from woodstock.match.move_shapes import MoveShape, move_shapes
from woodstock.match.perft import Level, depth_counts, divide, perft
from woodstock.match.playthrough import random_playthrough
from woodstock.match.record import MatchRecord
from woodstock.match.replay import Difference, Replay, replay
from woodstock.match.series import Played, Standing, Standings, play_series, standings
from woodstock.match.session import Session
from woodstock.match.trace import Ply, RecordedSet, Trace, read_trace
from woodstock.match.typed_moves import are_numbered, complete_move, find_move, short_form

__all__ = [
    "Difference",
    "Level",
    "MatchRecord",
    "MoveShape",
    "Played",
    "Ply",
    "RecordedSet",
    "Replay",
    "SeatError",
    "Session",
    "Standing",
    "Standings",
    "Step",
    "Trace",
    "Turn",
    "are_numbered",
    "ask_all",
    "complete_move",
    "depth_counts",
    "divide",
    "find_move",
    "move_shapes",
    "perft",
    "play_line",
    "play_match",
    "play_series",
    "random_playthrough",
    "read_trace",
    "replay",
    "seat_players",
    "short_form",
    "split_line",
    "split_names",
    "split_terms",
    "standings",
]
