"""Measurements: speed now, strength later."""
