"""The store itself: games, games of a server, and matches in one file."""

from __future__ import annotations

from lastcard.store.games import GameStore
from lastcard.store.matches import MatchStore
from lastcard.store.people import PeopleStore
from lastcard.store.sittings import SittingStore


class Store(GameStore, SittingStore, PeopleStore, MatchStore):
    """Games, matches and ratings; make one with `lastcard.store.open_store` and close it, or use it with `with`.

    Methods that write return a future. Once it is done, the write is committed; before, all of it may be stored or
    none, never a part. Every write can be retried: what is stored already is not stored twice.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from lastcard.rules import Rules
    >>> from lastcard.table import Table
    >>> folder = tempfile.TemporaryDirectory()
    >>> record = Table(Rules.preset("official"), ["heuristic", "random"], seed=7).play_round()
    >>> with Store(Path(folder.name, "games.db")) as store:
    ...     number = store.add_game(record).result()
    ...     store.read_record(number) == record
    True
    >>> folder.cleanup()
    """
