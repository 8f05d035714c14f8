"""Formats: which rounds a tournament has, and which of them count.

A schedule is asked for rounds and told what came of them. All it decides follows from results, in
an order of its own and never in the order in which matches end: who is killed and starts again
comes to the same tournament.
"""

from __future__ import annotations

from collections.abc import Callable

from woodstock.tournament.description import Description, FormatName
from woodstock.tournament.facts import GameFacts, GameSource
from woodstock.tournament.formats.alone import AloneSchedule
from woodstock.tournament.formats.championship import ChampionshipSchedule
from woodstock.tournament.formats.continuous import ContinuousSchedule
from woodstock.tournament.formats.contract import Schedule
from woodstock.tournament.formats.ring import RingSchedule
from woodstock.tournament.formats.round_robin import RoundRobinSchedule
from woodstock.tournament.formats.swiss import SwissSchedule

__all__ = ["Schedule", "make_schedule"]

_FORMATS: dict[FormatName, Callable[[Description, Callable[[GameSource], GameFacts]], Schedule]] = {
    "ring": RingSchedule,
    "round-robin": RoundRobinSchedule,
    "swiss": SwissSchedule,
    "continuous": ContinuousSchedule,
    "championship": ChampionshipSchedule,
    "alone": AloneSchedule,
}


def make_schedule(description: Description, facts: Callable[[GameSource], GameFacts]) -> Schedule:
    """The schedule of a tournament; `facts` tells what a game is like."""
    return _FORMATS[description.format](description, facts)
