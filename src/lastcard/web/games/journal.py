"""Journal of one game: everything is committed to the store before a client learns of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from lastcard.errors import StoreError
from lastcard.record import Record
from lastcard.store.lease_rows import LostLeaseError
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.games.batching import SeatAction
from lastcard.web.games.presence import Holder
from lastcard.web.logs import log_failure, note_logged
from lastcard.web.metrics import ACTIONS, COMMIT_SECONDS
from lastcard.web.peers import MovedError
from lastcard.web.refusals import refuse

_LOG: Final = logging.getLogger(__name__)


class Journal:
    """Writes one game to the store; each method returns once the disk has it.

    Every method raises a RequestError with status 503 if the store cannot be written, or another process has the game.
    """

    def __init__(self, store: Store, number: int, *, is_finished: bool = False) -> None:
        self._store = store
        self.on_lost: Callable[[], None] | None = None
        """Called soon after it turned out that another process has the game."""
        self.number = number
        """Number of the game in the store."""
        self.is_finished = is_finished
        """True if the store has marked the game as finished."""

    async def take_seat(self, seat: int, holder: Holder) -> None:
        """Stores who takes a seat."""
        await self._commit(self._store.take_seat(self.number, seat, token_hash=holder.token_hash, name=holder.name))

    async def give_up_seat(self, seat: int, holder: Holder, how: str) -> None:
        """Stores who gives up a seat, and how."""
        giving = self._store.give_up_seat(self.number, seat, token_hash=holder.token_hash, how=how)
        await self._commit(giving)

    async def note_round(self, number: int) -> None:
        """Stores that a round is dealt."""
        await self._commit(self._store.note_round(self.number, number))

    async def append(self, table: Table, actions: Sequence[SeatAction]) -> None:
        """Stores the next actions at the table: all of them or none."""
        ACTIONS.inc(len(actions))
        place = {"round_number": table.state.round_number, "number": table.num_actions + 1}
        await self._commit(self._store.append_actions(self.number, actions, **place))

    async def finish(self, record: Record) -> None:
        """Stores the record of the finished game."""
        # In a thread: checking a long record takes a while.
        await self._commit(await asyncio.to_thread(self._store.finish_game, self.number, record))
        self.is_finished = True

    async def _commit(self, future: Future[Any]) -> None:
        try:
            with COMMIT_SECONDS.time():
                await asyncio.wrap_future(future)
        except LostLeaseError:
            if self.on_lost:
                asyncio.get_running_loop().call_soon(self.on_lost)
            raise MovedError from None
        except StoreError as error:
            log_failure(_LOG, f"game {self.number} could not be stored", error)
            failed = refuse("store_failed")
            note_logged(failed)
            raise failed from None
