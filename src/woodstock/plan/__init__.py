"""Plans: one player, or several that share their goals, from a state to the end of the game."""

from woodstock.plan.contract import Plan, PlanError, Proof, cannot_plan
from woodstock.plan.portfolio import MEMBERS, plan

__all__ = ["MEMBERS", "Plan", "PlanError", "Proof", "cannot_plan", "plan"]
