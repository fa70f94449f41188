"""Service for one person across games. Requests prove what they are about with the tokens of its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from lastcard.store.people_rows import CarriedSeat
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.web.contract.people import SeatKey
from lastcard.web.finished.finished_games import FinishedGames
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Rate
from lastcard.web.ownership import Ownership
from lastcard.web.peers import Peers
from lastcard.web.people.export import export_game
from lastcard.web.people.history import describe_past
from lastcard.web.people.open_games import Described, describe_loaded, describe_stored
from lastcard.web.refusals import refuse

LINK_SECONDS: Final = 600
"""Time in which a personal link works."""
_LINKS_PER_MINUTE: Final = 3.0


class People:
    """Answers to people about all their games. Use it in one event loop."""

    def __init__(
        self,
        store: Store,
        games: LoadedGames,
        finished: FinishedGames,
        ownership: Ownership,
        peers: Peers,
        make_secret: Callable[[int], str],
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._games = games
        self._finished = finished
        self._ownership = ownership
        self._peers = peers
        self._make_secret = make_secret
        self._links = Rate("personal links", _LINKS_PER_MINUTE / 60, _LINKS_PER_MINUTE, clock)

    async def list_games(self, seats: Sequence[SeatKey], user: str) -> list[Described]:
        """The games of these seats, in their order: open with whose turn it is, over, or gone.

        Raises:
            RequestError: with status 429, over a limit.
        """
        await self._ownership.make_sure()
        found = {}
        for seat in seats:
            live = self._games.peek(seat.game)
            if live is not None and not live.failure:
                found[seat] = describe_loaded(live, seat.token)
        missing = [seat for seat in dict.fromkeys(seats) if seat not in found]
        found |= await self._ask_peers(missing, user)
        missing = [seat for seat in missing if seat not in found]
        if missing:
            store = self._store
            read = await self._finished.work(
                user, lambda: [describe_stored(store, seat.game, seat.token) for seat in missing]
            )
            found |= zip(missing, read, strict=True)
        return [found[seat] for seat in seats]

    async def _ask_peers(self, seats: Sequence[SeatKey], user: str) -> dict[SeatKey, Described]:
        """Games that other processes have: what their players were sent last is known only there."""
        owners = await asyncio.to_thread(self._store.find_peers, [seat.game for seat in seats])
        found: dict[SeatKey, Described] = {}
        for peer in set(owners.values()):
            asked = [seat for seat in seats if owners.get(seat.game) == peer]
            answer = await self._peers.ask_json(peer, user, "/api/mine", _to_body(asked))
            found |= zip(asked, answer["games"], strict=True)
        return found

    async def _ask_owner(self, seat: SeatKey, user: str, path: str) -> Any:
        """The response of the process that has the game; None if no other has it."""
        peer = await self._ownership.locate(seat.game)
        return None if peer is None else await self._peers.ask_json(peer, user, path, _to_body([seat]))

    async def list_past_games(self, seats: Sequence[SeatKey], user: str) -> list[dict[str, Any]]:
        """Those of the games that are over for the person, oldest first.

        Raises:
            RequestError: with status 429, over a limit.
        """
        store, keys = self._store, _hash_all(seats)
        return await self._finished.work(user, lambda: [describe_past(game) for game in store.list_past_games(keys)])

    # Personal links

    async def make_link(self, seats: Sequence[SeatKey], user: str) -> tuple[str, int]:
        """Makes a personal link; returns its secret, and the number of seats that it carries.

        Raises:
            RequestError: with status 422 if there is nothing to carry, 429 over a limit.
        """
        self._links.take(user)
        store, keys = self._store, _hash_all(seats)
        found = await self._finished.work(user, lambda: store.find_holdings(keys))
        carried = [each for each in found if each is not None and each.how in ("held", "uploaded")]
        if not carried:
            raise refuse("no_seats_to_carry")
        secret, expires = self._make_secret(32), now() + timedelta(seconds=LINK_SECONDS)
        await asyncio.wrap_future(store.add_link(hash_token(secret), expires, carried))
        return secret, len({each.game for each in carried})

    async def use_link(self, secret: str) -> list[CarriedSeat]:
        """Uses a personal link, which works once: makes a token of its own for each seat.

        Raises:
            RequestError: with status 404, if it was used or revoked, or has expired.
        """

        def make_token() -> tuple[str, str]:
            token = self._make_secret(32)
            return token, hash_token(token)

        carried = await asyncio.wrap_future(self._store.use_link(hash_token(secret), make_token))
        if carried is None:
            raise refuse("no_link")
        for each in carried:
            live = self._games.peek(each.key)
            if live is not None and each.seat is not None and live.presence.is_held(each.seat):
                live.presence.admit(each.seat, hash_token(each.token))
        return carried

    async def revoke_link(self, secret: str) -> None:
        """Revokes a personal link."""
        await asyncio.wrap_future(self._store.drop_link(hash_token(secret)))

    # Data

    async def export(self, seats: Sequence[SeatKey], user: str) -> list[dict[str, Any]]:
        """Data that the server has about a person in these games."""
        exported = []
        for seat in dict.fromkeys(seats):
            answer = await self._ask_owner(seat, user, "/api/mine/export")
            if answer is not None:
                exported += answer["games"]
            else:
                exported.append(await export_game(self._store, self._games, self._finished, seat, user))
        return exported

    async def erase(self, seats: Sequence[SeatKey], user: str) -> tuple[int, int]:
        """Deletes games that are only the person's, and the person from others; returns how many of each.

        Open games are resigned first.
        """
        deleted = erased = 0
        for seat in dict.fromkeys(seats):
            answer = await self._ask_owner(seat, user, "/api/mine/erase")
            if answer is not None:
                deleted, erased = deleted + answer["deleted"], erased + answer["erased"]
                continue
            token_hash = hash_token(seat.token)
            reading = partial(self._store.find_holdings, [(seat.game, token_hash)])
            [holding] = await self._finished.work(user, reading)
            if holding is None:
                continue
            if holding.how == "held" and not holding.is_finished:
                game, audience = await self._games.find(seat.game, seat.token, user)
                await game.give_up_seat(audience, resign=True)
            is_gone = await asyncio.wrap_future(self._store.erase(seat.game, token_hash))
            self._finished.forget(seat.game)
            if is_gone and seat.game in self._games:
                self._games.forget(seat.game)
            deleted, erased = deleted + is_gone, erased + (not is_gone)
        return deleted, erased


def _to_body(seats: Sequence[SeatKey]) -> dict[str, Any]:
    return {"seats": [seat.model_dump() for seat in seats]}


def _hash_all(seats: Sequence[SeatKey]) -> list[tuple[str, str]]:
    return [(seat.game, hash_token(seat.token)) for seat in dict.fromkeys(seats)]
