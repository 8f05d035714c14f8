"""What suits a kind of game: how `woodstock` plays it, and what it tries in rehearsals."""

from __future__ import annotations

from collections.abc import Mapping

from woodstock.game import Game
from woodstock.search.concepts import concept_of

__all__ = ["preset_of", "variants_of"]

Options = Mapping[str, object]

_OPEN: tuple[Options, ...] = (
    {"mast": 0.05},
    {"choice": "grave", "exploration": 0.2, "halving": False},
    {"exploration": 0.8},
    {"exploration": 0.3},
)
_HIDDEN: tuple[Options, ...] = (
    {"playout_policy": True, "leaves": 256},
    {"choice": "grave", "exploration": 0.2},
    {"others": "memories", "determinizations": 0},
    {"exploration": 0.25},
)
_ALONE: tuple[Options, ...] = (
    {"playout_policy": False, "leaves": 64, "exploration": 0.5, "risk_exponent": 1.0},
    {"risk_exponent": 1.0},
)
_BY_POLICY: Options = {
    "playout_policy": True,
    "leaves": 256,
    "exploration": 0.7,
    "policy_prior": 16.0,
    "policy_exploration": 0.4,
    "risk_exponent": 2.0,
    "halving": False,
    "stage_share": 0.2,
}


def preset_of(game: Game) -> Options:
    """The options that `woodstock` takes for a kind of game, before those of a rehearsal.

    Alone against chance it asks stages of beliefs, and a tree beyond which it plays by a learned
    policy, and believes who finds the better move; it takes risks, since it will think again.
    Against others it looks closely at a few states, and takes the others to see everything: what it
    does then holds whatever they know. Of a team they know what they remember.

    >>> preset_of(Game.from_library("wumpus"))["playout_policy"]
    True
    >>> preset_of(Game.from_library("nim"))
    {}
    """
    if game.information == "complete":
        return {}
    if _is_alone(game):
        return _BY_POLICY
    if concept_of(game) == "team":
        return {"halving": False}
    return {"others": "everything", "determinizations": 32, "halving": False}


def variants_of(game: Game) -> tuple[Options, ...]:
    """What a rehearsal tries, in this order, each on top of what has won before."""
    if game.information == "complete":
        return _OPEN
    return _ALONE if _is_alone(game) else _HIDDEN


def _is_alone(game: Game) -> bool:
    return len(game.players) == 1
