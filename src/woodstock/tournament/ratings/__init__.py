"""Ratings: how strong participants are, and how hard seats of games, from results."""

from __future__ import annotations

from woodstock.tournament.ratings.agon import AgonRating, agon_intervals, rate_agon
from woodstock.tournament.ratings.bradley_terry import Rated, elo_of_score, rate_elo
from woodstock.tournament.ratings.pairs import normalised_elo

__all__ = [
    "AgonRating",
    "Rated",
    "agon_intervals",
    "elo_of_score",
    "normalised_elo",
    "rate_agon",
    "rate_elo",
]
