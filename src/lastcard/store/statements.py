"""Statements past SQLAlchemy, which takes longer to hand the busiest ones over than a database to run them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from lastcard.errors import LastcardError, StoreError


class FastStatement:
    """A statement with parameters such as `:game`, for the driver of either database.

    `FOR SHARE` keeps the rows that were read as they are until the transaction ends; SQLite has one writer anyway.

    >>> FastStatement("SELECT :game FOR SHARE").texts
    {'sqlite': 'SELECT :game', 'postgresql': 'SELECT %(game)s FOR SHARE'}
    """

    def __init__(self, text: str) -> None:
        alone = text.replace(" FOR SHARE", "")
        self.texts = {"sqlite": alone, "postgresql": re.sub(r":(\w+)", r"%(\1)s", text)}

    def execute(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """Runs it and returns the driver's cursor.

        Raises:
            DBAPIError: as SQLAlchemy would.
        """
        text, driver = self.texts[connection.dialect.name], driver_of(connection)
        dbapi: Any = connection.dialect.loaded_dbapi
        try:
            return driver.execute(text, values)
        except dbapi.Error as error:
            raise DBAPIError.instance(text, dict(values), error, dbapi.Error) from error


@contextmanager
def explained(what: str, *more: type[Exception]) -> Iterator[None]:
    """Turns whatever a database or its driver raises into one line: `cannot WHAT: REASON`.

    Args:
        what: What is being done, and to which database.
        more: Further errors that mean the same here.

    Raises:
        StoreError: with the database's own error as its cause, if the database itself failed.
    """
    try:
        yield
    except Exception as error:
        is_own = isinstance(error, LastcardError) and not isinstance(error, UndoneError)
        if is_own or not (_is_of_database(error) or isinstance(error, more)):
            raise
        failed = StoreError(f"cannot {what}: {find_reason(error)}")
        raise failed from (error if is_failure(error) else None)


def _is_of_database(error: Exception) -> bool:
    # sqlite3 raises the last two for numbers and texts that no column can hold, and for texts of a damaged file.
    kinds = (SQLAlchemyError, sqlite3.Error, UndoneError, OverflowError, UnicodeError)
    return isinstance(error, kinds) or hasattr(error, "sqlstate")


def find_reason(error: BaseException) -> str:
    """Returns the reason that the database gave, in one line."""
    if isinstance(error, UnicodeDecodeError):
        return "a text in it is damaged; restore it from a backup"
    return " ".join(str(getattr(error, "orig", None) or error).split())


class UndoneError(StoreError):
    """Nothing is written: the connection ended before COMMIT was sent, or PostgreSQL answered it with ROLLBACK."""


def is_refusal(error: Exception) -> bool:
    """Returns whether only this piece of work cannot be stored: its values do not fit, and others do."""
    if isinstance(error, UndoneError):
        return False
    if isinstance(error, LastcardError | DataError | IntegrityError | OverflowError | UnicodeEncodeError):
        return True
    return _state_of(error).startswith("54")  # PostgreSQL's limits, as of the length of a text that has an index


def is_failure(error: Exception) -> bool:
    """Returns whether the database itself failed: what it says then holds no value of a row."""
    reason = getattr(error, "orig", error)
    is_about_values = isinstance(error, DataError | IntegrityError | ProgrammingError)
    # An error that Python's sqlite3 raises on its own, as for a text that it cannot decode, has no name of SQLite's.
    return not is_about_values and (hasattr(reason, "sqlite_errorname") or hasattr(reason, "sqlstate"))


def is_undone(error: Exception) -> bool:
    """Returns whether PostgreSQL undid the transaction for a reason that may be gone: it may run again.

    That is a deadlock with another one, a failure inside it, or the end of the connection.
    """
    return isinstance(error, UndoneError) or _state_of(error).startswith("40")


def _state_of(error: Exception) -> str:
    return str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")


def driver_of(connection: Connection) -> Any:
    """The driver's own connection: of sqlite3, or of psycopg."""
    raw = connection.connection.dbapi_connection
    assert raw is not None
    return raw


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Runs a transaction past SQLAlchemy, on a connection that commits each statement otherwise.

    Raises:
        UndoneError: if certainly nothing was written, because the connection ended, or a statement failed before.
    """
    raw = driver_of(connection)
    is_committing = False
    try:
        # SQLite: takes the write lock now; taken later, it might be refused halfway.
        raw.execute("BEGIN IMMEDIATE" if connection.dialect.name == "sqlite" else "BEGIN")
        yield
        is_committing = True
        answer = raw.execute("COMMIT")
        # PostgreSQL undoes a transaction in which a statement has failed, and calls that no error.
        if connection.dialect.name != "sqlite" and answer.statusmessage != "COMMIT":
            raise UndoneError("the database has undone the transaction: a statement in it had failed")
    except BaseException as error:
        if connection.dialect.name == "sqlite" or not raw.closed:
            connection.rollback()  # resets SQLAlchemy's savepoints, too
            _roll_back(connection, raw)
            raise
        connection.invalidate()  # the next transaction connects again
        connection.rollback()
        if is_committing or not isinstance(error, Exception):
            raise
        raise UndoneError(f"the connection to the database ended: {error}") from error


def _roll_back(connection: Connection, raw: Any) -> None:
    """Ends the transaction, unless SQLAlchemy had something to do, or the database has rolled back itself."""
    if connection.dialect.name == "sqlite":
        if raw.in_transaction:
            raw.execute("ROLLBACK")
    elif raw.info.transaction_status:
        raw.execute("ROLLBACK")
