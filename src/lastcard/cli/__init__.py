"""The terminal: `lastcard play`, `watch`, `replay`, `rules`, `agents` and `bench`."""

from lastcard.cli.app import main

__all__ = ["main"]
