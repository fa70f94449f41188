"""Service for one person across games. Requests prove what they are about with the tokens of its seats."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.store.store import Store
from lastcard.web.contract.people import SeatKey
from lastcard.web.finished.service import FinishedGames
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.people.open_games import Described, describe_loaded, describe_stored


class People:
    """What people ask about all their games. Use it in one event loop."""

    def __init__(self, store: Store, games: LoadedGames, finished: FinishedGames) -> None:
        self._store = store
        self._games = games
        self._finished = finished

    async def list_games(self, seats: Sequence[SeatKey], user: str) -> list[Described]:
        """The games of these seats, in their order: open with whose turn it is, over, or gone.

        Raises:
            RequestError: with status 429, over a limit.
        """
        found = {}
        for seat in seats:
            live = self._games.peek(seat.game)
            if live is not None and not live.failure:
                found[seat] = describe_loaded(live, seat.token)
        missing = [seat for seat in seats if seat not in found]
        if missing:
            store = self._store
            read = await self._finished.work(
                user, lambda: [describe_stored(store, seat.game, seat.token) for seat in missing]
            )
            found |= zip(missing, read, strict=True)
        return [found[seat] for seat in seats]
