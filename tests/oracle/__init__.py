"""An independent rulebook of the game, in plain Python."""
