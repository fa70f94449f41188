"""Finished games of a server: opened from the store, uploaded, and deleted."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from lastcard.errors import RecordError
from lastcard.record import Record, parse_record
from lastcard.store.store import Store
from lastcard.web.finished.finished_game import FinishedGame, make_finished_game
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Limits, Share
from lastcard.web.refusals import refuse

MOST_KEPT: Final = 32
"""Games kept in memory: a client that steps through one asks for it many times."""
T = TypeVar("T")


class FinishedGames:
    """Finished games. Use it in one event loop."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._kept: OrderedDict[str, FinishedGame] = OrderedDict()
        self._replays = Share("games to look at", limits.max_replays, limits.max_replays_per_user)
        self._pool = ThreadPoolExecutor(limits.replay_threads, "lastcard replay")

    def close(self) -> None:
        """Closes, without waiting for replays."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def work(self, user: str, what: Callable[[], T]) -> T:
        """Runs work on a finished game in a thread.

        Raises:
            RequestError: with status 429, over a limit.
        """
        self._replays.take(user)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, what)
        finally:
            self._replays.give_back(user)

    async def open(self, key: str, user: str) -> FinishedGame:
        """The game of that key; no token is needed.

        Raises:
            RequestError: with status 404 without such a game, 409 while it is played.
        """
        # Finished games never change, so they can be kept; deleting one removes it.
        study = self._kept.get(key)
        if study is not None and self._store.owner:
            # Another process may have deleted it, or erased a person from it.
            kept = study
            stored = await self.work(user, lambda: self._store.find_study(key))
            study = kept if stored == kept.stored else None
        if study is None:
            self._kept.pop(key, None)
            study = await self.work(user, lambda: self._read(key))
            self._kept[key] = study
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return study

    def _read(self, key: str) -> FinishedGame:
        stored = self._store.find_study(key)
        if stored is None:
            raise refuse("no_game")
        if not stored.is_finished:
            raise refuse("game_not_over")
        return make_finished_game(key, stored, self._store.read_record(stored.game))

    async def upload(self, text: str, key: str, token: str, user: str) -> None:
        """Stores an uploaded record.

        Raises:
            RequestError: with status 422, naming the line and the mistake.
        """
        store, token_hash = self._store, hash_token(token)
        await asyncio.wrap_future(await self.work(user, lambda: store.import_game(read_record(text), key, token_hash)))

    async def delete(self, key: str, token: str, user: str) -> None:
        """Deletes a finished game with all that is stored about it, for a client that holds one of its tokens.

        Raises:
            RequestError: with status 403 with the token of another game, or as `open`.
        """
        study = await self.open(key, user)
        hashed = hash_token(token)
        if not any(secrets.compare_digest(hashed, known) for known in study.stored.token_hashes):
            raise refuse("wrong_token")
        await asyncio.wrap_future(self._store.delete_game(study.stored.game))
        self.forget(key)

    def forget(self, key: str) -> None:
        """Reads a game from the store the next time, if it is still there."""
        self._kept.pop(key, None)


def read_record(text: str) -> Record:
    """Reads an uploaded record, text or JSON lines.

    Raises:
        RequestError: with status 422, naming the line and the mistake.

    >>> read_record("[Lastcard 1]")
    Traceback (most recent call last):
        ...
    lastcard.errors.RequestError: line 1: '[Lastcard 1]' is neither a header nor an action
    """
    try:
        record = parse_record(text)
    except RecordError as error:
        raise refuse("bad_record", reason=str(error)) from None
    if not record.rounds:
        raise refuse("empty_record")
    return record
