"""The terminal: `lastcard play`, `advise`, `watch`, `arena`, `replay`, `rules`, `agents`, `tune` and `bench`."""

from lastcard.cli.commands import main

__all__ = ["main"]
