"""GDL: reading, checking and interpreting the rules of a game."""
