r"""Tournaments: many matches from one description, their results, ratings and reports.

* `description`: a tournament in TOML; `participants`, `clocks`, `facts` of games;
* `formats`: which rounds there are; `rounds`, `results` and what they are worth;
* `playing`, `hosting`: how a round is played; `engines`: where; `driver`: the loop around it;
* `store`: the SQLite file that has the truth;
* `ratings`, `standings`, `report`, `export`: what comes of it; `papers`: the papers' tables.

>>> from woodstock.tournament import Description, ResultStore, collect
>>> text = 'format = "ring"\nparticipants = ["uct", "random"]\ngames = ["nim"]'
>>> collect(Description.parse(text), ResultStore()).expected
100
"""

from __future__ import annotations

from woodstock.tournament.description import Description
from woodstock.tournament.driver import Progress, collect, run_tournament
from woodstock.tournament.engines import make_engine
from woodstock.tournament.formats import make_schedule
from woodstock.tournament.reading import DescriptionError
from woodstock.tournament.store import ResultStore, StoreError

__all__ = [
    "Description",
    "DescriptionError",
    "Progress",
    "ResultStore",
    "StoreError",
    "collect",
    "make_engine",
    "make_schedule",
    "run_tournament",
]
