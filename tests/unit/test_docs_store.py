"""The reference describes the tables as they are. UPDATE_GOLDEN=1 writes them again."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Table

import lastcard as lc
from lastcard.store import open_store
from lastcard.store.schema import METADATA, VERSION

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "reference" / "store.md"
HOW_TO = (DOCS / "how-to" / "keep-your-games.md").read_text(encoding="utf-8")
TABLES = re.compile(r"(<!-- tables: .* -->\n)(.*)(<!-- end of tables -->)", re.DOTALL)


def describe(table: Table) -> str:
    lines = [f"### `{table.name}`", "", f"{table.comment}", "", "| column | type | |", "|---|---|---|"]
    for column in table.columns:
        marks = [
            *(["key"] if column.primary_key else []),
            *(["may be empty"] if column.nullable else []),
            *[
                f"of `{key.target_fullname}`"
                for key in sorted(column.foreign_keys, key=lambda key: key.target_fullname)
            ],
        ]
        kind = str(column.type).split("(")[0].lower()
        lines.append(f"| `{column.name}` | {', '.join([kind, *marks])} | {column.comment} |")
    return "\n".join(lines)


def test_the_reference_has_every_table_and_column() -> None:
    text = FILE.read_text(encoding="utf-8")
    made = "\n\n".join(map(describe, METADATA.sorted_tables))
    if os.environ.get("UPDATE_GOLDEN"):
        text = TABLES.sub(lambda found: f"{found[1]}\n{made}\n\n{found[3]}", text)
        FILE.write_text(text, encoding="utf-8")
    found = TABLES.search(text)
    assert found
    assert found[2].strip() == made
    assert f"Version {VERSION} of the schema." in text


def test_a_new_store_has_just_these_columns(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    open_store(file).close()
    with closing(sqlite3.connect(file)) as connection, connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names}
    connection.close()
    assert columns == {table.name: [column.name for column in table.columns] for table in METADATA.sorted_tables}


def test_the_query_of_the_how_to_runs(tmp_path: Path) -> None:
    found = re.search(r"```sql\n(.*?)```", HOW_TO, re.DOTALL)
    assert found
    with open_store(tmp_path / "games.db") as store:
        for seed in range(20):
            store.add_game(
                lc.Table(lc.Rules.preset("tournament", players=2), ["random", "frequency"], seed).play_round()
            )
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
        rows = connection.execute(found[1]).fetchall()
    connection.close()
    assert {(name, action) for name, action, _ in rows} >= {("random", "accept"), ("frequency", "accept")}
