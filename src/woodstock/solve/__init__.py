"""Exact solving of small games: every state or every match is looked at.

* `graph`: all states that can be reached, `exact`: their values by maximin, max^n, for a team, or
  by matrix games;
* `matrix`: matrix games, what two who move at once can be sure of;
* `game_tree`: all matches, with the information sets of the players, `extensive`: what strategies
  are worth there, best responses and exploitability;
* `regret`: counterfactual regret minimisation (CFR, CFR+), `equilibrium`: until that is close.

>>> from woodstock import Game
>>> from woodstock.solve import solve
>>> solve(Game.from_library("tic-tac-toe"), "x").value()
0.5
"""

from __future__ import annotations

from woodstock.solve.equilibrium import EquilibriumSolver
from woodstock.solve.exact import Solution, SolveError, solve
from woodstock.solve.extensive import ExtensiveForm
from woodstock.solve.game_tree import TooLargeError
from woodstock.solve.graph import CyclicGameError, StateGraph, TooManyStatesError, explore
from woodstock.solve.matrix import matrix_game
from woodstock.solve.regret import RegretMinimiser

__all__ = [
    "CyclicGameError",
    "EquilibriumSolver",
    "ExtensiveForm",
    "RegretMinimiser",
    "Solution",
    "SolveError",
    "StateGraph",
    "TooLargeError",
    "TooManyStatesError",
    "explore",
    "matrix_game",
    "solve",
]
