"""`lastcard store`: keep a store healthy."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastcard.cli.games import STORE, StoreOption
from lastcard.errors import StoreError
from lastcard.store import migrate_store, open_store
from lastcard.store.utc import now

if TYPE_CHECKING:
    from lastcard.store.store import Store

store_commands = typer.Typer(rich_markup_mode=None)


@store_commands.callback(invoke_without_command=True)
def store(context: typer.Context) -> None:
    """Check, back up, prune or migrate a store.

    Example: lastcard store check --store games.db
    """
    if context.invoked_subcommand is None:
        raise StoreError("store needs a command: check, backup, prune or migrate")


@store_commands.command()
def check(store: StoreOption = None) -> None:
    """Check a whole store: first the database, then every game.

    Exits with status 2 if anything is damaged. Works while the store is in use.

    Example: lastcard store check --store games.db
    """
    with open_store(store or STORE, read_only=True) as opened:
        problems = list(opened.find_damage())
        for problem in problems:
            print(problem)
        if problems:
            raise StoreError(f"{opened.name}: {len(problems)} problems; restore the store from a backup")
        print(f"{opened.name}: {opened.count_games():,} games, no damage")


_DamagedOption = Annotated[
    bool, typer.Option("--damaged", help="Copy damaged games as they are, to rescue the others.")
]


def _require_undamaged(opened: Store) -> None:
    """A copy of damage passes no check either, however well it was copied."""
    problems = list(opened.find_damage())
    if problems:
        raise StoreError(f"{problems[0]}; --damaged copies {opened.name} as it is")


@store_commands.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Path of the copy, which must not exist yet.")],
    store: StoreOption = None,
    damaged: _DamagedOption = False,
) -> None:
    """Check a store and copy it as a consistent snapshot, even while it is in use.

    The copy holds the seeds of games in progress: keep it as safe as the store.

    Example: lastcard store backup copy.db --store games.db
    """
    with open_store(store or STORE, read_only=True) as opened:
        if not damaged:
            _require_undamaged(opened)
        opened.copy_to(file)
        print(f"copied {opened.name} to {file}")


@store_commands.command()
def prune(
    days: Annotated[int, typer.Option("--days", metavar="N", min=0, help="Delete games that are older than N days.")],
    store: StoreOption = None,
) -> None:
    """Delete old games of a server: finished, abandoned or uploaded.

    Keeps the games of matches, because results depend on them, and games that were never on a server. Stop the server
    first, or let it prune by itself: lastcard serve --limit keep_days=90.

    Example: lastcard store prune --days 90 --store games.db
    """
    with open_store(store or STORE, create=False) as opened:
        deleted = opened.prune(now() - timedelta(days=days))
        opened.compact()
        print(f"{opened.name}: {deleted:,} games deleted, {opened.measure_bytes() / 1e6:,.1f} MB left")


@store_commands.command()
def migrate(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The store to copy: a path or URL.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The new store: a path or URL that has none yet.")],
    damaged: _DamagedOption = False,
) -> None:
    """Check a store, copy it to another database, and compare every row.

    From SQLite to PostgreSQL, or back. Stop the server first; the source stays as it is.

    Example: lastcard store migrate games.db postgresql://cards@db.example/cards
    """
    if not damaged:
        with open_store(source, read_only=True) as opened:
            _require_undamaged(opened)
    source_name, target_name, rows = migrate_store(source, target)
    print(f"copied {source_name} to {target_name}: {rows:,} rows, all the same")
