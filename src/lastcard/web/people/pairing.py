"""Pairing: people who want the same game meet, and agents fill in when their time to wait is over."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

from lastcard.rules import format_rules
from lastcard.seeds import SEED_BITS
from lastcard.store.pairing_rows import Found, PairedGame, Waiting
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.web.contract.games import NewGame
from lastcard.web.contract.people import PairingBody
from lastcard.web.games.presence import Holder
from lastcard.web.games.seating import PERSON, find_name, seat_opponents
from lastcard.web.games.setup import read_rules, to_stored
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Limits, too_many
from lastcard.web.people.names import make_name
from lastcard.web.refusals import refuse

_TURN_SECONDS: Final = 60.0
"""Time for a turn among strangers, after which an agent plays."""
_FRESH: Final = timedelta(seconds=15)
"""Time for which a person counts as waiting without asking again."""
_MOST_WAITING: Final = 1_000


class Pairing:
    """People who wait. The store has them, so that a restart, or a second process, loses none."""

    def __init__(
        self, store: Store, limits: Limits, make_secret: Callable[[int], str], make_seed: Callable[[int], int]
    ) -> None:
        self._store = store
        self._limits = limits
        self._make_secret = make_secret
        self._make_seed = make_seed

    async def begin(self, wanted: PairingBody) -> tuple[str, Found]:
        """Starts to wait; returns the token that will hold the seat.

        Raises:
            RequestError: with status 422 if there is no such game, 429 if too many wait.
        """
        self._make_game(wanted, [Waiting("", wanted.level, "Nobody")])  # whether there is such a game
        if await asyncio.to_thread(self._store.count_waiting) >= _MOST_WAITING:
            raise too_many("people waiting", 30, "too_many_here")
        token = self._make_secret(32)
        who = Waiting(hash_token(token), wanted.level, make_name(secrets.randbelow))
        kind = wanted.model_dump_json(include={"players", "rules", "length"})
        fills = now() + timedelta(seconds=wanted.wait)
        await asyncio.wrap_future(self._store.add_waiting(who, kind, fills, now() + _FRESH))
        return token, await self.poll(token)

    async def poll(self, token: str) -> Found:
        """Returns how far the search is, and prolongs it.

        Raises:
            RequestError: with status 404, if the person does not wait.
        """
        token_hash = hash_token(token)
        kind = await asyncio.to_thread(self._store.find_waiting_kind, token_hash)
        found = None
        if kind is not None:
            wanted = PairingBody.model_validate_json(kind)

            def make_game(rows: Sequence[Waiting]) -> PairedGame:
                return self._make_game(wanted, rows)

            polling = self._store.poll_waiting(token_hash, now() + _FRESH, wanted.players, make_game)
            found = await asyncio.wrap_future(polling)
        if found is None:
            raise refuse("not_waiting")
        return found

    async def cancel(self, token: str) -> None:
        """Stops waiting."""
        await asyncio.wrap_future(self._store.cancel_waiting(hash_token(token)))

    def _make_game(self, wanted: PairingBody, rows: Sequence[Waiting]) -> PairedGame:
        """The game for these people, from seat 0 on; agents of the first one's level have the other seats."""
        new = NewGame(
            players=wanted.players,
            opponents=[rows[0].level],
            rules=wanted.rules,
            length=wanted.length,
            friends=len(rows) - 1,
            turn=_TURN_SECONDS if len(rows) > 1 else 0.0,
        )
        rules = read_rules(new)
        seats = seat_opponents(new.opponents, rules, 0, self._limits, new.friends)
        names: list[str] = []
        for row in rows:
            names.append(find_name(row.name, [*names, *(info.name for info in seats if not info.is_person)]))
        settings: dict[str, Any] = to_stored(
            new.model_copy(update={"name": names[0]}),
            seats,
            Holder(names[0], rows[0].token_hash),
            self._make_secret(16),  # nobody is told: strangers invite no one
        )
        return PairedGame(
            format_rules(rules),
            tuple(PERSON if info.is_person else info.agent for info in seats),
            tuple(range(len(rows))),
            tuple(names),
            self._make_seed(SEED_BITS),
            self._make_secret(9),
            settings,
        )
