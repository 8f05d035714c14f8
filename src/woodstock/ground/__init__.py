"""Grounding: from rules with variables to a ground program."""
