"""A person across games: open games, links to other devices, and results over time."""
