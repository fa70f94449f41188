"""Migrations of the store: each file in `versions` takes a store from one version of the schema to the next."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

_ONE_AT_A_TIME: Final = threading.Lock()
"""Alembic's `op` is one for all threads."""


def list_revisions() -> ScriptDirectory:
    """The migrations as Alembic knows them; version 3 of the schema is revision 0003."""
    return ScriptDirectory(str(Path(__file__).parent))


def migrate(connection: Connection, version: int) -> None:
    """Takes a store from that version of the schema to the newest, in a transaction of the caller; 0: from nothing."""
    since = f"{version:04}" if version else "base"
    revisions = list(list_revisions().iterate_revisions("head", since))
    with _ONE_AT_A_TIME, Operations.context(MigrationContext.configure(connection)):
        for revision in reversed(revisions):
            revision.module.upgrade()
