"""The terminal: `lastcard play`, `advise`, `watch`, `arena`, `replay`, `rules`, `agents`, `tune` and `bench`."""

from lastcard.cli.app import main

__all__ = ["main"]
