"""Results of one person over time: facts about games that are over, which the page sums up."""

from __future__ import annotations

from typing import Any, Final

from lastcard.store.history_rows import PastGame

FRIENDS: Final = "friends"
"""Stands for the level of a game among several people."""
MIXED: Final = "mixed"


def describe_past(game: PastGame) -> dict[str, Any]:
    """A game as JSON values."""
    return {
        "game": game.key,
        "seat": game.seat,
        "ended": game.ended.isoformat(),
        "players": game.players,
        "level": find_level(game),
        "won": game.won,
        "resigned": game.resigned,
        "finished": game.is_finished,
    }


def find_level(game: PastGame) -> str:
    """The level of the opponents; `friends` among several people, `mixed` for several levels."""
    seats = game.settings.get("seats", ())
    if any(info["is_person"] for seat, info in enumerate(seats) if seat != game.seat):
        return FRIENDS
    others = {str(info["level"]) for seat, info in enumerate(seats) if seat != game.seat}
    return others.pop() if len(others) == 1 else MIXED
