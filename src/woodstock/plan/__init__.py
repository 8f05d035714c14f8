"""Plans: one player, or several that share their goals, from here to the end of the game."""
