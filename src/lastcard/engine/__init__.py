"""Engines: programs of any language that play over a line protocol, and our agents speaking it."""
