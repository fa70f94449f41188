"""Judgements of finished games that the store has. Clients make new ones by themselves."""

from __future__ import annotations

from typing import Any, Final

from lastcard.agents import format_agent
from lastcard.analysis import ANALYST
from lastcard.store.store import Store

SEED: Final = 0
"""The default seed of `lastcard analyse`."""
ANALYST_KEY: Final = f"{format_agent(ANALYST)} seed={SEED}"
"""Key of a stored judgement: every option of the judge."""


def read_judgement(store: Store, game: int) -> dict[str, Any]:
    """The rounds of a game that were judged, each as `lastcard analyse --json` writes it, as JSON values."""
    return {"analyst": ANALYST, "seed": SEED, "rounds": store.read_analyses(game, ANALYST_KEY)}
