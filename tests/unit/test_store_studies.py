"""Stored studies of games."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, select
from sqlalchemy import Table as Tables

from lastcard.actions import parse_action
from lastcard.errors import StoreError
from lastcard.record import Record, RoundRecord
from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.store.schema import METADATA
from lastcard.store.store import Store
from lastcard.table import Table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with open_store(place) as opened:
        yield opened


def play(seed: int = 7) -> Record:
    return Table(Rules.preset("official"), ["random", "random"], seed).play_round()


def cut(record: Record, ply: int, number: int = 1) -> Record:
    """The round as far as that ply, where a person sits in seat 0."""
    *_, state = (state for state, _ in zip(record.states(), range(ply + 1), strict=False))
    played = record.rounds[0]
    part = RoundRecord.of(state, played.deck, played.actions[:ply], None)
    moved = RoundRecord(number, part.dealer, part.scores, part.deck, part.actions, None, part.reshuffles)
    return Record(record.rules, ("random", "random"), (moved,), None, (0,))


def test_a_record_that_was_brought_is_its_bringers(store: Store) -> None:
    game = store.import_game(play(), "abc", "ff").result()
    assert store.import_game(play(), "abc", "ff").result() == game
    study = store.find_study("abc")
    assert study is not None
    assert (study.game, study.token_hashes, study.is_import, study.is_finished) == (game, ("ff",), True, True)
    with pytest.raises(StoreError, match="was uploaded with another token"):
        store.import_game(play(), "abc", "ee").result()
    with pytest.raises(StoreError, match="the key 'abc' belongs to another game"):
        store.import_game(play(8), "abc", "ff").result()
    assert store.find_study("other") is None


@pytest.mark.parametrize(("ply", "number"), [(0, 1), (0, 4), (5, 4)])
def test_a_branch_goes_on_where_its_record_stops(store: Store, ply: int, number: int) -> None:
    whole = play()
    start = cut(whole, ply, number)
    game = store.begin_branch(start, seat=0, key="abc", token_hash="ff", settings={"length": "round"}).result()
    assert store.read_record(game) == start
    table = Table.resume(start)
    for place, action in enumerate(whole.rounds[0].actions[ply:], ply + 1):
        seat = table.state.seat
        assert seat is not None
        told = {"round_number": number, "number": place, "seat": seat}
        assert store.append_action(game, action, **told).result()
        table.apply(action)
    assert store.read_record(game) == table.record
    assert store.finish_game(game, table.record).result()
    study = store.find_study("abc")
    assert study is not None
    assert (study.is_branch, study.is_finished, study.settings) == (True, True, {"length": "round"})


def test_the_first_action_of_a_game_that_is_no_branch_is_of_its_first_round(store: Store) -> None:
    game = store.begin_game(Rules.preset("official"), ("random", "random"), 7).result()
    with pytest.raises(StoreError, match="not action 1 of round 4"):
        store.append_action(game, parse_action("draw"), round_number=4, number=1, seat=0).result()


def test_a_deleted_game_leaves_nothing(store: Store) -> None:
    kept = store.add_game(play(8)).result()
    game = store.import_game(play(), "abc", "ff").result()
    branch = store.begin_branch(cut(play(), 3), seat=0, key="def", token_hash="ff", settings={}).result()
    store.take_seat(branch, 1, token_hash="aa", name="Eve").result()
    assert store.delete_game(game).result()
    assert store.delete_game(branch).result()
    assert not store.delete_game(game).result()
    for table in METADATA.sorted_tables:
        if "game_id" in table.c:
            games = store._read(partial(_list_games, table))
            assert games <= {kept}


def _list_games(table: Tables, connection: Connection) -> set[int]:
    return set(connection.execute(select(table.c.game_id)).scalars())


def test_games_of_a_match_stay(store: Store) -> None:
    match = store.begin_match({"rules": "official", "players": 2, "seed": 1}, ["random"]).result()
    from lastcard.store.entry import GameEntry

    store.add_chunk(match, 0, 0, {"x": 1}, [GameEntry.of(play())]).result()
    with pytest.raises(StoreError, match=f"game 1 belongs to match {match}"):
        store.delete_game(1).result()
