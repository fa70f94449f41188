"""Rows that lastcard did not write: every one is named, and everything else can still be listed and exported.

Most tests damage an SQLite file, whose columns take any value; PostgreSQL refuses most of that itself.
"""

import itertools
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lastcard import LastcardError, Rules, Table
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.arena.tournament_run import run_tournament
from lastcard.errors import StoreError
from lastcard.record import load_texts, parse_record
from lastcard.store import migrate_store, open_store
from lastcard.store.schema import METADATA
from lastcard.store.store import Store
from tests.counts import counted
from tests.postgres import query, start_server
from tests.unit.test_cli_commands import Captured, run

MINI = Rules.preset("mini")
JUNK = ("junk", "", b"\xff\xfe\x00", -1, 2**62, 1e300, "[" * 100_000, None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a row in every table: games 1 to 4 of a match, 5 imported, 6 in progress, 7 a branch."""
    file = tmp_path_factory.mktemp("store") / "games.db"
    record = Table(MINI, ["frequency", "random"], seed=7).play_round()
    with open_store(file) as store:
        match = KeptMatch.begin(store, Tournament(("frequency", "first_legal"), MINI, num_deals=2, seed=1))
        run_tournament(match.tournament, ledger=match)
        match.rate([None, None], is_complete=False)
        store.import_game(record, "imported", "hash").result()
        table = Table(MINI, ["frequency", "random"], seed=8)
        store.begin_sitting(
            MINI, table.names, 8, people=(), key="sitting", seat=0, token_hash="hash", settings={}
        ).result()
        seat = table.state.seat
        assert seat is not None
        store.append_action(6, table.play_ply(), round_number=1, number=1, seat=seat).result()
        store.take_seat(6, 1, token_hash="other", name="Ann").result()
        begun = Table(MINI, ["frequency", "random"], seed=9)
        begun.play_ply()
        store.begin_branch(begun.record, seat=0, key="branch", token_hash="hash", settings={}).result()
    return file


def ways_to_read(store: Store) -> list[Callable[[], object]]:
    games = (1, 6, 7)  # finished, in progress, a branch
    return [
        lambda: list(store.list_games()),
        store.list_matches,
        store.count_games,
        lambda: store.read_chunks(1),
        lambda: KeptMatch.resume(store, 1),
        lambda: KeptMatch.resume(store),
        *(lambda key=key: store.find_sitting(key) for key in ("sitting", "branch", "imported")),
        *(lambda key=key: store.find_study(key) for key in ("sitting", "branch", "imported")),
        *(lambda game=game: store.find_game(game) for game in games),
        *(lambda game=game: store.read_text(game) for game in games),
        *(lambda game=game: store.read_table(game, ["random", "random"]) for game in games),
    ]


COLUMNS = [(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_whatever_a_row_holds_errors_are_the_projects_own(table: str, column: str, kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        start = COLUMNS.index((table, column)) % len(JUNK)
        for junk in (*JUNK[start:], *JUNK[:start]):
            with suppress(sqlite3.Error):  # SQLite itself refuses some of it
                connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (junk,))
                break
        connection.commit()
    with suppress(LastcardError), open_store(file, read_only=True) as store:
        for way in ways_to_read(store):
            with suppress(LastcardError):
                way()


DAMAGES = {
    "UPDATE games SET began = 'yesterday' WHERE id = 3": "game 3 is damaged",
    "UPDATE games SET seed = 'x' WHERE id = 3": "game 3 is damaged",
    "UPDATE games SET winner = 9 WHERE id = 3": "game 3 is damaged (winner must be from 0 to 1, not 9)",
    "UPDATE seats SET points = 'many' WHERE game_id = 3": "game 3 is damaged (points must be a whole number",
    "DELETE FROM seats WHERE game_id = 3 AND seat = 1": "game 3 is damaged (1 seats where 2 belong)",
    "UPDATE games SET record = CAST(x'ff' AS TEXT) WHERE id = 3": "game 3 is damaged (Could not decode",
    "UPDATE games SET record = '[Lastcard \"1\"]' WHERE id = 3": "game 3 of {file} does not replay",
    "UPDATE games SET record = x'00' WHERE id = 3": "game 3 of {file} does not replay",
}


def test_damage_is_named_in_postgresql(kept: Path) -> None:
    """There columns have types, so that a row can hold less that lastcard did not write."""
    url = start_server().make_url()
    migrate_store(kept, url)
    for statement in (
        "UPDATE games SET seed = 'x' WHERE id = 1",
        "UPDATE games SET winner = 9 WHERE id = 2",
        "DELETE FROM seats WHERE game_id = 3 AND seat = 1",
        "UPDATE games SET record = '[Lastcard \"1\"]' WHERE id = 4",
    ):
        query(url, statement)
    with open_store(url, read_only=True) as store:
        problems = list(store.find_damage())
    named = [re.search(r"game (\d+) (?:is damaged|of .* does not replay)", problem) for problem in problems]
    assert sorted(found[1] for found in named if found) == ["1", "2", "3", "4"]
    assert len(problems) == 4


@pytest.mark.parametrize(("statement", "part"), DAMAGES.items())
def test_a_damaged_game_is_named_and_the_others_are_exported(
    statement: str, part: str, kept: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = "jsonl" if "winner" in statement or "Lastcard" in statement else "text"
    file, out_file = tmp_path / "games.db", tmp_path / f"out.{form}"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    code, out, err = run(capsys, monkeypatch, "games", "--store", str(file), "--export", str(out_file))
    assert (code, out) == (2, f"6 games in {out_file}\n")
    assert err.startswith("error: 1 row is damaged and left out; the first: ")
    assert part.format(file=file) in err
    assert len([parse_record(text) for text in load_texts(out_file)]) == 6


def test_a_damaged_game_is_left_out_of_the_list(
    kept: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.db"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE games SET began = 7 WHERE id IN (2, 5)")
        connection.commit()
    code, out, err = run(capsys, monkeypatch, "games", "--store", str(file), "--json")
    assert (code, [json.loads(line)["game"] for line in out.splitlines()]) == (2, [7, 6, 4, 3, 1])
    assert err.startswith(f"error: 2 rows are damaged and left out; the first: {file}: game 5 is damaged")
    assert run(capsys, monkeypatch, "games", "--store", str(file))[:1] == (2,)
    code, _, err = run(capsys, monkeypatch, "games", "--store", str(file), "show", "5", "--json")
    assert (code, "game 5 is damaged" in err) == (2, True)


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("UPDATE matches SET tournament = 'x'", "match 1 is damaged"),
        ("UPDATE matches SET tournament = '{}'", "match 1 is damaged (the field rules is missing in '{}')"),
        ("UPDATE matches SET began = 'x'", "match 1 is damaged"),
        ("UPDATE chunks SET result = '{'", "chunk 0 of pairing 0 of match 1 is damaged"),
        ("UPDATE chunks SET result = '[]'", "chunk 0 of pairing 0 of match 1 is damaged (expected a JSON object"),
        ('UPDATE chunks SET result = \'{"pairing":0,"chunk":0}\'', "match 1: not a chunk"),
        ("UPDATE chunks SET result = replace(result, '\"chunk\":0', '\"chunk\":4')", "it says chunk 4 of pairing 0"),
    ],
)
def test_a_damaged_match_is_named(
    statement: str, part: str, kept: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.db"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    code, out, err = run(capsys, monkeypatch, "arena", "--resume", str(file), "--json")
    assert (code, out) == (2, "")
    assert f"error: {file}: " in err
    assert part in err


def test_damage_is_raised_unless_it_is_asked_for(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE games SET began = 'x' WHERE id = 6")
        connection.commit()
    damaged: list[StoreError] = []
    with open_store(file, read_only=True) as store:
        with pytest.raises(StoreError, match="game 6 is damaged"):
            list(store.list_games())
        assert [game.number for game in store.list_games(damaged=damaged.append)] == [7, 5, 4, 3, 2, 1]
        assert [game.number for game in itertools.islice(store.list_games(limit=1), 1)] == [7]
    assert len(damaged) == 1


COMMANDS = (
    ("games", "--store", "{file}"),
    ("games", "--store", "{file}", "matches"),
    ("games", "--store", "{file}", "show", "1"),
    ("games", "--store", "{file}", "--export", "{folder}/out.jsonl"),
    ("store", "check", "--store", "{file}"),
    ("store", "backup", "{folder}/copy.db", "--store", "{file}"),
    ("store", "migrate", "{file}", "{folder}/migrated.db"),
    ("store", "prune", "--days", "0", "--store", "{file}"),
    ("arena", "--resume", "{file}", "--match", "1", "--json"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_no_command_shows_a_traceback_for_a_damaged_page(
    command: tuple[str, ...], kept: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damages the names and texts of the schema, then bytes anywhere, more often near the beginning."""
    whole = kept.read_bytes()
    choose = random.Random(" ".join(command))
    names = [found.start() for found in re.finditer(b"CREATE TABLE|TABLEgames|INTEGER|[a-z]{6}_index", whole)]
    file = tmp_path / "games.db"
    words = [word.format(file=file, folder=tmp_path) for word in command]
    for number in range(counted(300)):
        data = bytearray(whole)
        at = choose.choice(names) if number % 2 else int(len(data) * choose.random() ** 3)
        data[at : at + 4] = choose.randbytes(4) if number % 3 else b"\xff\xfe\xff\xfe"
        file.write_bytes(data)
        code, out, err = run(capsys, monkeypatch, *words)  # raises what is no error of lastcard's
        assert code in (0, 2), (at, out, err)
        for path in tmp_path.iterdir():
            path.unlink()


@pytest.mark.parametrize("words", [("backup", "{copy}", "--store", "{file}"), ("migrate", "{file}", "{copy}")])
def test_a_damaged_store_is_copied_only_when_asked(
    words: tuple[str, ...], kept: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, copy = tmp_path / "games.db", tmp_path / "copy.db"
    shutil.copy(kept, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE games SET winner = 9 WHERE id = 3")
        connection.commit()
    command = ["store", *(word.format(file=file, copy=copy) for word in words)]
    code, out, err = run(capsys, monkeypatch, *command)
    assert (code, out) == (2, "")
    assert re.fullmatch(r".*game 3 is damaged .*; --damaged copies .* as it is\n", err)
    assert not copy.exists()
    assert run(capsys, monkeypatch, *command, "--damaged")[0] == 0
    assert run(capsys, monkeypatch, "store", "check", "--store", str(copy))[0] == 2
