"""Judgements as a server of lastcard stored them before browsers judged games: today's servers only read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert

from lastcard.store.schema import ANALYSES
from lastcard.store.store import Store


def put_judgement(store: Store, game: int, analyst: str, result: Mapping[str, Any]) -> None:
    """Writes the judgement of the first round of a game."""
    row = {"game_id": game, "analyst": analyst, "round": 1, "result": json.dumps(result)}
    store._submit(lambda connection: connection.execute(insert(ANALYSES).values(row))).result()
