"""Plays a game to find out what is wrong with its rules, and what it is like.

Rules may be sound and still be no game: a role is left without a move, the end comes without goals,
cells vanish because a frame rule is missing, nothing ever ends. `playtest` plays random games for
some seconds and reports such things, each with a line of play that shows it, and figures: how long
games take, how many moves there are, how the goals fall, what was never used.

>>> from woodstock import Game
>>> found = playtest(Game.load("tic-tac-toe"), seconds=60, games=2000, seed=2)
>>> found.findings, found.games, found.lengths.shortest, found.lengths.longest
((), 2000, 5, 9)
>>> found.goals["x"].low < 64.8 < found.goals["x"].high
True

`examine` does the same to a sheet, after everything that the checker has to say about it.
"""

from __future__ import annotations

from woodstock.playtest.examine import Examination, examine
from woodstock.playtest.figures import Interval, Lengths, PlayTest, Width
from woodstock.playtest.play import playtest

__all__ = ["Examination", "Interval", "Lengths", "PlayTest", "Width", "examine", "playtest"]
