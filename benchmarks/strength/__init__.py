"""How strong the agents are, on mirrored deals, with 95 % intervals."""
