"""Self-play that tunes, and how its results are judged.

* `rehearsal`: which way of searching suits a game, learned and found out in the start clock;
* `preparation`: what a search that is written like a player makes of it;
* `matches`: the match at equal CPU time, `sequential`: the sequential test (SPRT);
* `statistics`: means of scores with their intervals.

>>> from woodstock import Game
>>> print(Rehearsals().style(Game.from_library("nim")))
woodstock
"""

from __future__ import annotations

from woodstock.intervals import NORMAL_95, wilson
from woodstock.tune.matches import EqualMatch, Outcome, Spent, Think, Thought, shares_goal
from woodstock.tune.preparation import Preparation
from woodstock.tune.rehearsal import Rehearsal, Rehearsals, ValuesChoice
from woodstock.tune.sequential import SequentialTest
from woodstock.tune.statistics import Summary
from woodstock.tune.trials import Trial

__all__ = [
    "NORMAL_95",
    "EqualMatch",
    "Outcome",
    "Preparation",
    "Rehearsal",
    "Rehearsals",
    "SequentialTest",
    "Spent",
    "Summary",
    "Think",
    "Thought",
    "Trial",
    "ValuesChoice",
    "shares_goal",
    "wilson",
]
