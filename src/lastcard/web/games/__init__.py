"""One live game: its table, people, clock, journal and broadcasts."""
