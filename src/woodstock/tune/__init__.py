"""Self-play that tunes, and how its results are judged.

* `rehearsal`: which options suit a game, found out in the start clock;
* `matches`: the match at equal CPU time, `sequential`: the sequential test (SPRT);
* `statistics`: means of scores with their intervals.

>>> from woodstock import Game
>>> Rehearsals().options(Game.from_library("nim"))
{}
"""

from __future__ import annotations

from woodstock.tune.matches import EqualMatch, Outcome, Spent, Think, Thought, shares_goal
from woodstock.tune.rehearsal import Rehearsal, Rehearsals, Trial
from woodstock.tune.sequential import SequentialTest
from woodstock.tune.statistics import NORMAL_95, Summary, wilson

__all__ = [
    "NORMAL_95",
    "EqualMatch",
    "Outcome",
    "Rehearsal",
    "Rehearsals",
    "SequentialTest",
    "Spent",
    "Summary",
    "Think",
    "Thought",
    "Trial",
    "shares_goal",
    "wilson",
]
