"""Group commit: one thread writes, over one connection, and all work submitted meanwhile shares the next commit.

A commit waits for the disk, so many small ones are slow. Work that comes alone is committed immediately; work that
comes during a commit waits for that one and its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine

from lastcard.errors import LastcardError, StoreError
from lastcard.store.outage import Outage, OutageError
from lastcard.store.statements import find_reason, is_refusal, is_undone, transaction

MOST_TOGETHER: Final = 256
"""Pieces of work in a commit, so that the first of them does not wait for ever more."""
_TRIES: Final = 4
"""Times that a transaction is tried which PostgreSQL undoes."""

T = TypeVar("T")
_Work = Callable[[Connection], Any]
_Done = tuple[Future[Any], Any]
_Refused = tuple[Future[Any], LastcardError]


class GroupCommit:
    """Runs pieces of work in the order they are submitted; a future is done once its work is on the disk."""

    def __init__(self, engine: Engine, place: str) -> None:
        """Starts the thread.

        Args:
            engine: Makes the one connection.
            place: The database, in errors.
        """
        self._engine = engine
        self._place = place
        self._queue: SimpleQueue[tuple[_Work, Future[Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._outage: Outage | None = None
        self._thread = threading.Thread(target=self._run, name="lastcard store", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Runs the work in a transaction of its own or shared; if it raises, nothing of it is written.

        Where other work of the transaction raises, it may run again: it must not do anything but write.

        Raises:
            StoreError: if it is closed.
        """
        future: Future[T] = Future()
        with self._lock:  # nothing may be queued behind the None that ends the thread
            if self._is_closed:
                raise StoreError(f"{self._place} is closed")
            self._queue.put((work, future))
        return future

    def close(self) -> None:
        """Writes what was submitted, and ends."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engine.connect() as connection:
            while batch := self._take():
                self._commit(connection, batch)

    def _take(self) -> list[tuple[_Work, Future[Any]]]:
        """Waits for work and takes all there is; nothing once it is closed and all is done."""
        batch = []
        item = self._queue.get()
        while item is not None:
            batch.append(item)
            if len(batch) == MOST_TOGETHER:
                return batch
            try:
                item = self._queue.get_nowait()
            except Empty:
                return batch
        if batch:
            self._queue.put(None)  # for the next time
        return batch

    def _commit(self, connection: Connection, batch: list[tuple[_Work, Future[Any]]]) -> None:
        # From here on a future cannot be cancelled: what it stands for may already be written.
        waiting = [(work, future) for work, future in batch if future.set_running_or_notify_cancel()]
        try:
            done, refused = self._commit_again_if_need_be(connection, waiting)
        except BaseException as error:
            # The database may have rolled everything back (a full disk): nothing of the batch counts.
            if self._outage is None or not self._outage.goes_on():
                self._outage = Outage()
            failed = OutageError(f"cannot write {self._place}: {find_reason(error)}", self._outage)
            failed.__cause__ = error
            for _, future in waiting:
                future.set_exception(failed)
            return
        for future, refusal in refused:
            future.set_exception(refusal)
        for future, result in done:
            future.set_result(result)

    def _commit_again_if_need_be(
        self, connection: Connection, waiting: list[tuple[_Work, Future[Any]]]
    ) -> tuple[list[_Done], list[_Refused]]:
        for _ in range(_TRIES - 1):
            try:
                return self._commit_together(connection, waiting)
            except Exception as error:
                if not is_undone(error):
                    raise
        return self._commit_together(connection, waiting)

    def _commit_together(
        self, connection: Connection, waiting: list[tuple[_Work, Future[Any]]]
    ) -> tuple[list[_Done], list[_Refused]]:
        try:
            with transaction(connection):
                return [(future, work(connection)) for work, future in waiting], []
        except Exception as error:
            if not is_refusal(error):
                raise
        # Rare enough: a savepoint for each piece of work takes longer than most of them.
        return self._commit_what_can_be(connection, waiting)

    def _commit_what_can_be(
        self, connection: Connection, waiting: list[tuple[_Work, Future[Any]]]
    ) -> tuple[list[_Done], list[_Refused]]:
        """Commits what is not refused; what is leaves nothing behind."""
        done: list[_Done] = []
        refused: list[_Refused] = []
        with transaction(connection):
            for work, future in waiting:
                savepoint = connection.begin_nested()
                try:
                    result = work(connection)
                except Exception as error:
                    if not is_refusal(error):
                        raise
                    savepoint.rollback()
                    refused.append((future, self._refusal(error)))
                else:
                    savepoint.commit()
                    done.append((future, result))
        return done, refused

    def _refusal(self, error: Exception) -> LastcardError:
        if isinstance(error, LastcardError):
            return error
        return StoreError(f"{self._place} cannot hold this: {find_reason(error)}")
