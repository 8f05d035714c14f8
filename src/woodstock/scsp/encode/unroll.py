"""A template unrolled: the network of several turns in a row.

Variables get their stage behind an ``@``. What is the next state in one turn is the state of the
turn that follows, so turns share those variables and nothing else.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.from_library("matching-pennies")
>>> turns = template(game).unroll(2, game.initial_state())
>>> [v.name for v in turns.variables if v.name.startswith("piece_j1")]
['piece_j1@1', 'piece_j1@2', 'piece_j1@3']
>>> len(turns.stages)
2
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.constraints import Constraint, Hard, UniformOver, Variable
from woodstock.scsp.network import Network

if TYPE_CHECKING:
    from woodstock.scsp.encode.template import Template

__all__ = ["unroll"]


def unroll(template: Template, stages: int, state: State | Iterable[Term] | None = None) -> Network:
    """The network of so many turns, from `state` on if one is given.

    Utilities are those of the state in the last stage: a finished game stays as it is, so they
    count wherever the game ended before, and are 0 where it goes on. The state after the last turn
    has variables too, in the last stage.
    """
    if stages < 1:
        raise ValueError(f"{stages} stages are no network; one or more are")
    base = template.network
    followers = dict(zip(template.fluents_next, template.fluents_now))

    def name(variable: str, stage: int) -> str:
        now = followers.get(variable)
        return f"{variable}@{stage}" if now is None else f"{now}@{stage + 1}"

    variables = []
    constraints: list[Constraint] = []
    probabilities = []
    for stage in range(1, stages + 1):
        names = {variable.name: name(variable.name, stage) for variable in base.variables}
        for variable in base.variables:
            if stage == stages or variable.name not in followers:
                variables.append(
                    Variable(
                        names[variable.name],
                        variable.domain,
                        variable.stochastic,
                        stage,
                        auxiliary=variable.auxiliary,
                    )
                )
        for hard in base.hard:
            scope = [names[v] for v in hard.scope]
            constraints.append(Hard(scope, hard.rows, hard.allowed, hard.name))
        for found in base.probabilities:
            assert isinstance(found, UniformOver)
            legal = {value: names[boolean] for value, boolean in found.legal.items()}
            probabilities.append(UniformOver(names[found.variable], legal))
    last = {role: name(score, stages) for role, score in template.scores.items()}
    constraints.extend(template.utilities(name(template.terminal, stages), last))
    if state is not None:
        for variable_name, value in template.values(state).items():
            constraints.append(Hard([name(variable_name, 1)], [(value,)], name="state"))
    return Network.unchecked(variables, constraints, probabilities, base.threshold)
