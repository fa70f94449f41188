"""Reactions at one table: a fixed set, so that nothing typed reaches another person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lastcard.web.contract.base import Reaction
from lastcard.web.limits import Rate

_PER_SECOND: Final = 0.5
_BURST: Final = 3
Hear = Callable[[dict[str, Any]], None]


class Reactions:
    """Passes reactions on to everyone at the table. They are not stored."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._listeners: set[Hear] = set()
        self._rate = Rate("reactions", _PER_SECOND, _BURST, clock)

    def listen(self, hear: Hear) -> None:
        """Sends reactions to a client from now on."""
        self._listeners.add(hear)

    def stop_listening(self, hear: Hear) -> None:
        """Undoes `listen`."""
        self._listeners.discard(hear)

    def react(self, seat: int, reaction: Reaction) -> None:
        """Sends the reaction of a seat to everyone.

        Raises:
            RequestError: with status 429, if the seat reacts too often.
        """
        self._rate.take(str(seat))
        for hear in tuple(self._listeners):
            hear({"type": "reaction", "seat": seat, "reaction": reaction})
