"""What a plan is, and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.solve.concepts import concept_of

__all__ = ["Plan", "PlanError", "Proof", "cannot_plan"]

Proof: TypeAlias = Literal["proved", "bounded", "unknown"]
"""Whether a plan's goal is the highest there is, at most so far from it, or nobody knows."""


class PlanError(WoodstockError, ValueError):
    """A game or a state that cannot be planned for; the message says why."""


@dataclass(frozen=True)
class Plan:
    """Joint moves that lead from a state to the end of the game, and what comes of it.

    No plan reaches more than `bound`. `by` is the member of the portfolio that found it.

    >>> Plan((("a",), ("b",)), goal=80, bound=100, ceiling=100, by="space").proof
    'unknown'
    >>> Plan((("a",),), goal=80, bound=80, ceiling=100).proof
    'proved'
    """

    moves: tuple[tuple[Term, ...], ...]
    goal: int
    bound: int
    ceiling: int
    """The highest goal that the rules speak of."""
    by: str = ""

    @property
    def horizon(self) -> int:
        """The number of turns."""
        return len(self.moves)

    @property
    def proof(self) -> Proof:
        """What is known about plans that reach more."""
        if self.goal >= self.bound:
            return "proved"
        return "bounded" if self.bound < self.ceiling else "unknown"

    def states(self, state: State) -> list[State]:
        """Where it leads from the state that it was made for, that state first."""
        found = [state]
        for joint in self.moves:
            found.append(found[-1].apply(joint))
        return found

    def to_json(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "goal": self.goal,
            "proof": self.proof,
            "bound": self.bound,
            "horizon": self.horizon,
            "by": self.by,
            "moves": [[str(move) for move in joint] for joint in self.moves],
        }


def cannot_plan(game: Game) -> str | None:
    """Why a game is not one for plans; None where it is.

    >>> cannot_plan(Game.load("eight-puzzle")) is None
    True
    >>> print(cannot_plan(Game.load("tic-tac-toe")))
    tic-tac-toe: its players do not share their goals, and plans are for one player or a team
    """
    if game.information != "complete":
        return f"{game.name}: something is hidden"
    if game.has_chance:
        return f"{game.name}: there is chance in it"
    if game.engine.name != "circuit":
        return f"{game.name}: its rules are too large for a circuit"
    if len(game.players) > 1 and concept_of(game) != "team":
        return (
            f"{game.name}: its players do not share their goals, and plans are for one player "
            "or a team"
        )
    return None
