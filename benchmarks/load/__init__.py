"""Measurements of a server under load, and of the promises that it keeps there."""
