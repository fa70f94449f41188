"""Finished games: opened, replayed, analysed and deleted."""
