"""Strength of the agents, on mirrored deals, with 95 % intervals."""
