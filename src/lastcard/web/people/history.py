"""Results of one person over time, from games that are over."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from lastcard.agents import LEVELS
from lastcard.store.history_rows import PastGame

_Z: Final = 1.96
"""Quantile of a 95 % interval."""
_LEAST_GAMES: Final = 5
"""Games at a level before it counts for advice."""
_RECENT: Final = 20
FRIENDS: Final = "friends"
"""Stands for the level of a game among several people."""
MIXED: Final = "mixed"


def sum_up(games: Sequence[PastGame]) -> dict[str, Any]:
    """Sums up games, oldest first, as JSON values."""
    levels = list_shares(games, find_level)
    return {
        "games": len(games),
        "wins": sum(game.won for game in games),
        "resigned": sum(game.resigned for game in games),
        "total": next(iter(list_shares(games, lambda _: "all")), None),
        "levels": sorted(levels, key=lambda share: _rank(share["name"])),
        "tables": sorted(list_shares(games, lambda game: str(game.players)), key=lambda share: int(share["name"])),
        "finished": [{"game": game.key, "seat": game.seat} for game in reversed(games) if game.is_finished],
        "streak": find_streak([game.won for game in games]),
        "advice": advise_level(levels),
        "recent": [game.won for game in games[-_RECENT:]],
    }


def find_level(game: PastGame) -> str:
    """The level of the opponents; `friends` among several people, `mixed` for several levels."""
    seats = game.settings.get("seats", ())
    if any(info["is_person"] for seat, info in enumerate(seats) if seat != game.seat):
        return FRIENDS
    others = {str(info["level"]) for seat, info in enumerate(seats) if seat != game.seat}
    return others.pop() if len(others) == 1 else MIXED


def _rank(level: str) -> tuple[int, str]:
    """Levels from the weakest to the strongest, then everything else by name."""
    names = list(LEVELS)
    return (names.index(level), "") if level in names else (len(names), level)


# Wins


def list_shares(games: Sequence[PastGame], name: Callable[[PastGame], str]) -> list[dict[str, Any]]:
    """Games won, for each name that games are given."""
    groups: dict[str, list[PastGame]] = defaultdict(list)
    for game in games:
        groups[name(game)].append(game)
    return [_make_share(each, group) for each, group in groups.items()]


def _make_share(name: str, games: Sequence[PastGame]) -> dict[str, Any]:
    wins = sum(game.won for game in games)
    low, high = wilson(wins, len(games))
    even = sum(1 / game.players for game in games) / len(games)
    values = {"share": wins / len(games), "low": low, "high": high, "even": even}
    return {"name": name, "games": len(games), "wins": wins, **{key: round(value, 4) for key, value in values.items()}}


def wilson(wins: int, games: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson, 1927), which holds for few games as well.

    >>> [round(end, 3) for end in wilson(7, 10)]
    [0.397, 0.892]
    """
    share, square = wins / games, _Z * _Z / games
    center = (share + square / 2) / (1 + square)
    half = _Z * math.sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return max(center - half, 0.0), min(center + half, 1.0)


def find_streak(won: Sequence[bool]) -> dict[str, Any]:
    """Games won or lost in a row at the end, and the longest streak of wins.

    >>> find_streak([True, True, False, True])
    {'kind': 'won', 'length': 1, 'longest': 2}
    """
    runs = [(is_won, len(list(run))) for is_won, run in groupby(won)]
    kind, length = ("none", 0) if not runs else ("won" if runs[-1][0] else "lost", runs[-1][1])
    return {"kind": kind, "length": length, "longest": max((n for is_won, n in runs if is_won), default=0)}


def advise_level(levels: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The level that fits: one up from where the person surely wins more than an even share, one down from less.

    It rests on the strongest level with enough games; None without any.
    """
    names = list(LEVELS)
    played = [share for share in levels if share["name"] in names and share["games"] >= _LEAST_GAMES]
    if not played:
        return None
    strongest = max(played, key=lambda share: names.index(share["name"]))
    index = names.index(strongest["name"])
    if strongest["low"] > strongest["even"] and index + 1 < len(names):
        return {"level": names[index + 1], "reason": "too easy", "played": strongest["name"]}
    if strongest["high"] < strongest["even"] and index > 0:
        return {"level": names[index - 1], "reason": "too hard", "played": strongest["name"]}
    return {"level": strongest["name"], "reason": "fits", "played": strongest["name"]}
