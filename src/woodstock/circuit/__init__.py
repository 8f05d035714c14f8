"""The circuit: ground rules compiled so that hundreds of games are played at once."""
