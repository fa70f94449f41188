"""The store: games, matches and ratings in a database.

It needs SQLAlchemy, which the extra `arena` brings and `import lastcard` does not load.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lastcard.errors import StoreError
from lastcard.shell import install_extra
from lastcard.store.header import is_store

if TYPE_CHECKING:
    from lastcard.store.store import Store


__all__ = ["is_store", "migrate_store", "open_store"]


def open_store(url: str | Path, *, read_only: bool = False, create: bool = True) -> Store:
    """Opens a store to write, or only to read.

    Args:
        url: A path, or a URL such as `sqlite:///games.db` or `postgresql://user@host/database`.
        read_only: Any number may read; one process may write a SQLite file, and any number a PostgreSQL database.
        create: Whether a new one may be made where there is none.

    Raises:
        StoreError: if it is no store, one of another version, in use, or cannot be read or written; it stays as it is.
    """
    with _naming_the_extra():
        from lastcard.store.store import Store
    return Store(url, read_only=read_only, create=create)


def migrate_store(source: str | Path, target: str | Path) -> tuple[str, str, int]:
    """Copies a store to another database, as `lastcard.store.copying.migrate_store` says.

    Raises:
        StoreError: if it cannot be copied whole; then nothing is at the target.
    """
    with _naming_the_extra():
        from lastcard.store import copying
    return copying.migrate_store(source, target)


@contextmanager
def _naming_the_extra() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "sqlalchemy":
            raise
        raise StoreError(f"a store needs SQLAlchemy: {install_extra('arena')}") from None
