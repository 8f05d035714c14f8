"""Solution concepts: what the others are taken to want.

==========  =========================================================================
maximin     everybody else plays against the one who searches
difference  the same, and what counts is how far his goal is ahead of theirs
maxn        everybody plays for his own goal
team        all play for the mean of everybody's goals
==========  =========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.game import Game

__all__ = ["CONCEPTS", "ahead", "concept_of"]

CONCEPTS = ("maximin", "difference", "maxn", "team")

_GAMES = 512


def ahead(utilities: Sequence[float], place: int) -> float:
    """How far a player is ahead of the others: one half where he has as much as they in the mean.

    >>> ahead([0.75, 0.25], 0), ahead([0.75, 0.25], 1), ahead([0.75], 0)
    (0.75, 0.25, 0.75)
    """
    own, others = utilities[place], len(utilities) - 1
    return own if not others else (1 + own - (sum(utilities) - own) / others) / 2


def concept_of(game: Game) -> str:
    """The concept that fits a game with a circuit, told by 512 random games.

    Players who shared the goal in each of them are a team. Of the others, more than two play maxn.
    Two play maximin; where what one gets is not what the other misses, and nothing is hidden, they
    play for the difference: who wants nothing but a high goal of his own defends nothing that is
    worth a goal to the other.

    >>> concept_of(Game.from_library("tic-tac-toe")), concept_of(Game.from_library("orchard"))
    ('maximin', 'team')
    >>> concept_of(Game.from_library("free-for-all-2p"))
    'difference'
    """
    known = game.memo.get("concept")
    if known is None:
        known = game.memo["concept"] = _find_concept(game)
    return str(known)


def _find_concept(game: Game) -> str:
    engine = game.circuit()
    players = [engine.roles.index(role) for role in engine.players]
    if len(players) < 2:
        return "maximin"
    start = engine.initial()
    tallies = engine.playouts(
        [start] * _GAMES, [1] * _GAMES, seed=1, max_plies=10_000, threads=1, isa="auto"
    )
    goals = [[tally.goal_sums[player] for player in players] for tally in tallies]
    if all(len(set(one)) == 1 for one in goals):
        return "team"
    if len(players) > 2:
        return "maxn"
    opposed = len({sum(one) for one in goals}) == 1
    return "maximin" if opposed or game.information != "complete" else "difference"
