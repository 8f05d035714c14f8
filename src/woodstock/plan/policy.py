"""Policies: what one player does where there is chance, whatever chance does.

The turns of the game are one network, as for plans, with the moves of chance as stochastic
variables. A solution is no line of moves then but a *policy*, and it has an expected goal. It is
worked out exactly, by dynamic programming on the network, so it is for few turns; where a game is
not over after that many, nothing is counted, and what is found is a lower bound.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from woodstock.errors import ArgumentError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.plan.contract import PlanError
from woodstock.scsp.constraints import Hard
from woodstock.scsp.encode.template import Template, template
from woodstock.scsp.exact import best
from woodstock.scsp.policy import Policy
from woodstock.scsp.solver import Solver

__all__ = ["TurnPolicy", "cannot_have_policy", "policies", "policy"]


@dataclass(frozen=True)
class TurnPolicy:
    """A policy of so many turns, and what it is worth."""

    value: Fraction
    """The expected goal. Games that are not over in time count as 0."""
    horizon: int
    proved: bool
    """Whether no policy expects more: all games are over by then."""
    decisions: Policy
    action: str
    chance: str
    game: Game

    def move(self, draws: Sequence[Term | str] = ()) -> Term:
        """What to do once chance has made these moves, one a turn."""
        seen = {f"{self.chance}@{turn}": str(draw) for turn, draw in enumerate(draws, start=1)}
        return self.game.term(str(self.decisions.decision(f"{self.action}@{len(draws) + 1}", seen)))

    def to_json(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "value": float(self.value),
            "exact": str(self.value),
            "horizon": self.horizon,
            "proved": self.proved,
            "move": str(self.move()),
        }


def cannot_have_policy(game: Game) -> str | None:
    """Why a game has no policies of this kind; None where it has.

    >>> cannot_have_policy(Game.load("pacman")) is None
    True
    >>> print(cannot_have_policy(Game.load("eight-puzzle")))
    eight-puzzle: there is no chance in it; a plan is what you want
    """
    if not game.has_chance:
        return f"{game.name}: there is no chance in it; a plan is what you want"
    if game.information != "complete":
        return f"{game.name}: something is hidden"
    if len(game.players) > 1:
        return f"{game.name}: there are several players, and policies are for one"
    return None


def policy(game: Game, state: State | None = None, *, horizon: int) -> TurnPolicy:
    """The best policy of so many turns.

    `PlanError` for games that have none, `EncodingError` for rules that are too large.

    >>> from woodstock import Game
    >>> game = Game.from_text('''
    ...     (role she) (role random) (init start)
    ...     (side heads) (side tails)
    ...     (<= (legal she (bet ?s)) (side ?s)) (legal she pass)
    ...     (<= (legal random (toss ?s)) (side ?s))
    ...     (<= (next (won)) (does she (bet ?s)) (does random (toss ?s)))
    ...     (<= (next safe) (does she pass))
    ...     (<= terminal (not (true start)))
    ...     (<= (goal she 100) (true (won))) (<= (goal she 40) (true safe))
    ...     (<= (goal she 0) (not (true (won))) (not (true safe))) (<= (goal random 0) terminal)''')
    >>> found = policy(game, horizon=1)
    >>> str(found.value), found.proved, str(found.move())
    ('50', True, '(bet heads)')
    """
    return _policy(*_checked(game, state), horizon)


def policies(
    game: Game, state: State | None = None, *, seconds: float, horizon: int | None = None
) -> Iterator[TurnPolicy]:
    """The best policies of one turn, of two and so on, until time is up or no game is longer.

    A longer one that would take too long is not begun, as far as the last two tell.
    """
    turn, start = _checked(game, state)
    until, last, turns = time.monotonic() + seconds, 0.0, 0
    while horizon is None or turns < horizon:
        turns += 1
        begun = time.monotonic()
        found = _policy(turn, start, turns)
        yield found
        spent = time.monotonic() - begun
        growth = max(2.0, spent / last if last else 2.0)
        if found.proved or time.monotonic() + growth * spent > until:
            return
        last = spent


def _checked(game: Game, state: State | None) -> tuple[Template, State]:
    why = cannot_have_policy(game)
    if why is not None:
        raise PlanError(why)
    start = game.initial_state() if state is None else state
    if start.is_terminal:
        raise PlanError(f"{game.name}: the game is over in this state")
    return template(game), start


def _policy(turn: Template, start: State, horizon: int) -> TurnPolicy:
    if horizon < 1:
        raise ArgumentError("a horizon is at least one turn")
    game = turn.game
    (player,) = game.players
    (chance,) = (role for role in game.roles if role not in game.players)
    # The state after the last turn is that of a stage more.
    network = turn.unroll(horizon + 1, start)
    found = best(network)
    assert found is not None  # somebody can always move
    going_on = Hard([f"{turn.terminal}@{horizon + 1}"], [(False,)], name="going on")
    longer = Solver(network.with_(constraints=[*network.hard, going_on])).first()
    return TurnPolicy(
        value=turn.goal_scale * found.value,
        horizon=horizon,
        proved=longer is None,
        decisions=found.policy,
        action=turn.actions[player],
        chance=turn.actions[chance],
        game=game,
    )
