"""The Game Communication Language: messages, the player's server, the game manager."""
