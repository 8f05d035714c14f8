"""Solution concepts: what the others are taken to want.

=========  ==========================================================================
maximin    everybody else plays against the one who searches
maxn       everybody plays for his own goal
team       all play for the mean of everybody's goals
=========  ==========================================================================
"""

from __future__ import annotations

from woodstock.circuit.engine import CircuitEngine
from woodstock.game import Game

__all__ = ["CONCEPTS", "concept_of"]

CONCEPTS = ("maximin", "maxn", "team")

_GAMES = 512


def concept_of(game: Game) -> str:
    """The concept that fits a game with a circuit.

    Players who shared the goal in each of 512 random games are a team. Of the others, two play
    maximin, more than two maxn.

    >>> concept_of(Game.from_library("tic-tac-toe")), concept_of(Game.from_library("orchard"))
    ('maximin', 'team')
    """
    engine = game.circuit()
    players = [engine.roles.index(role) for role in engine.players]
    if len(players) < 2:
        return "maximin"
    if _share_goals(engine, players):
        return "team"
    return "maximin" if len(players) == 2 else "maxn"


def _share_goals(engine: CircuitEngine, players: list[int]) -> bool:
    start = engine.initial()
    tallies = engine.playouts(
        [start] * _GAMES, [1] * _GAMES, seed=1, max_plies=10_000, threads=1, isa="auto"
    )
    return all(len({tally.goal_sums[player] for player in players}) == 1 for tally in tallies)
