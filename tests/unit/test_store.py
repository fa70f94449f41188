"""The store: what is handed over is kept whole and once, and what is no store stays as it is."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

import lastcard as lc
from lastcard.actions import DRAW, PASS, Action
from lastcard.agents import format_agent, list_agents, make_agent
from lastcard.errors import RecordError, StoreError
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.shell import install_extra
from lastcard.store import is_store, open_store
from lastcard.store.entry import GameEntry
from lastcard.store.header import APPLICATION_ID
from lastcard.store.reading import GameFilter
from lastcard.store.schema import METADATA, VERSION
from lastcard.store.statements import driver_of
from lastcard.store.store import Store
from lastcard.table import Table
from tests.postgres import query
from tests.unit.helpers import PATIENCE_SECONDS

OFFICIAL = Rules.preset("official")
MINI = Rules.preset("mini")
TOURNAMENT = {"rules": "mini", "players": 2, "seed": 7, "agents": ["frequency", "random"]}


def play(*agents: str, seed: int = 7, rules: Rules = MINI) -> Record:
    return Table(rules, list(agents) or ["frequency", "random"], seed).play_round()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def test_only_the_owner_can_read_the_files(file: Path) -> None:
    """A store holds seeds, hashes of tokens and hidden cards of games in progress."""
    before = os.umask(0o022)
    try:
        with open_store(file) as store:
            store.add_game(play()).result()
            modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
            store.copy_to(file.with_name("copy.db"))
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("games.db", "games.db-lock", "games.db-shm", "games.db-wal"), 0o600)
    assert file.with_name("copy.db").stat().st_mode & 0o777 == 0o600


def test_a_store_that_its_owner_shares_stays_shared(file: Path) -> None:
    with open_store(file) as store:
        store.add_game(play()).result()
    file.chmod(0o640)
    with open_store(file):
        assert file.stat().st_mode & 0o777 == 0o640


# Whole games


@pytest.mark.parametrize("rules", ["mini", "official players=4", "house players=3", "official scoring=lowest"])
def test_a_record_comes_back_as_it_was(rules: str, place: str) -> None:
    made = lc.parse_rules(rules)
    record = Table(made, ["random"] * made.players, seed=2**200 + 3, people=[0]).play_round()
    with open_store(place) as store:
        number = store.add_game(record).result()
        assert store.read_text(number) == record.to_text()
        assert store.read_record(number) == record
        [game] = store.list_games()
    outcome = record.rounds[0].outcome
    assert outcome is not None
    assert (game.winner, game.rules, game.seed) == (outcome.winner, rules, 2**200 + 3)
    assert [seat.points for seat in game.seats] == list(outcome.points)
    assert [seat.is_person for seat in game.seats] == [True, *[False] * (made.players - 1)]
    actions = [action for (action,) in query(place, "SELECT action FROM actions ORDER BY number")]
    assert actions == [action.text for action in record.rounds[0].actions]


def test_a_game_of_many_rounds_has_the_winner_of_the_game(place: str) -> None:
    table = Table(MINI.replace(target_score=30), ["random", "random"], seed=5)
    record = table.play_game()
    assert len(record.rounds) > 2
    assert table.game_outcome
    with open_store(place) as store:
        store.add_game(record)
        store.flush()
        [game] = store.list_games()
    assert game.winner == table.game_outcome.winner
    assert tuple(seat.points for seat in game.seats) == table.game_outcome.scores
    assert game.rounds == len(record.rounds)
    assert query(place, "SELECT count(*), sum(plies) FROM rounds") == [(game.rounds, game.plies)]


def test_a_game_broken_off_has_no_winner(place: str) -> None:
    table = Table(MINI, ["random", "random"], seed=5)
    table.play_ply()
    with open_store(place) as store:
        number = store.add_game(table.record).result()
        assert store.read_record(number) == table.record
        assert store.find_game(number).winner is None


def test_a_game_decided_by_ruling_has_the_winner_that_was_ruled(place: str) -> None:
    table = Table(MINI, ["random", "random"], seed=5)
    table.play_ply()
    entry = GameEntry.of(table.record, ruling=(1, (0, 12)))
    with open_store(place) as store:
        match = store.begin_match(TOURNAMENT, ["frequency", "random"]).result()
        store.add_chunk(match, 0, 0, {}, [entry]).result()
        [game] = store.list_games()
    assert (game.winner, [seat.points for seat in game.seats]) == (1, [0, 12])


def test_plies_are_counted_without_passes(file: Path) -> None:
    table = Table(Rules.preset("house"), ["random"] * 4, seed=1)
    entry = GameEntry.of(table.play_round())
    assert entry.plies == table.state.ply
    assert len(list(entry.actions)) >= entry.plies


def test_a_record_that_does_not_replay_is_refused_before_anything_is_written(place: str) -> None:
    record = play()
    broken = Record(record.rules, record.agents, (lc.RoundRecord(1, 0, (0, 0), record.rounds[0].deck, (DRAW,) * 99),))
    with open_store(place) as store:
        with pytest.raises(RecordError):
            store.add_game(broken)
        assert store.count_games() == 0


def test_a_key_makes_adding_safe_to_repeat(place: str) -> None:
    with open_store(place) as store:
        first = store.add_game(play(), key="monday").result()
        assert store.add_game(play(), key="monday").result() == first
        with pytest.raises(StoreError, match=r"key 'monday' belongs to another game, number 1"):
            store.add_game(play(seed=8), key="monday").result()
        assert store.count_games() == 1


def test_names_of_any_kind(place: str) -> None:
    nul = "" if place.startswith("postgresql:") else "\0"
    odd = [f'Zoë "the" \\ cat\n{nul}', "halving:nonsense"]
    record = Table(MINI, [Named(name) for name in odd], seed=1).play_round()
    with open_store(place) as store:
        assert store.read_record(store.add_game(record).result()) == record
        unfit = Table(MINI, [Named("\ud800"), Named("b")], seed=1).play_round()
        good, bad = store.add_game(play()), store.add_game(unfit)
        assert store.read_record(good.result()) == play()
        with pytest.raises(StoreError, match="cannot hold this"):
            bad.result()


class Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, observation: lc.Observation) -> Action:
        return observation.legal_actions[0]


# Agents


def test_equal_configurations_are_one_row(place: str) -> None:
    same = ["frequency", "frequency:four_below=4", "frequency:challenge_from=1.0,four_to_go_out=true"]
    with open_store(place) as store:
        for name in same:
            store.add_game(play(name, "frequency:four_below=5"))
        person = Table(MINI, [Named("frequency"), Named("frequency")], seed=1, people=[0]).play_round()
        store.add_game(person)
    rows = query(place, "SELECT kind, name, configuration FROM agents ORDER BY id")
    assert rows == [
        ("agent", "frequency", "frequency:four_below=4,four_to_go_out=true,challenge_from=1.0"),
        ("agent", "frequency", "frequency:four_below=5,four_to_go_out=true,challenge_from=1.0"),
        ("person", "frequency", "frequency"),
    ]


@pytest.mark.parametrize("name", [info.name for info in list_agents()])
def test_a_configuration_makes_the_same_agent(name: str) -> None:
    text = format_agent(name)
    assert format_agent(text) == text
    assert getattr(make_agent(text), "config", None) == getattr(make_agent(name), "config", None)


# Games in progress


def follow(store: Store, game: int, table: Table) -> Future[bool]:
    """Plays a ply and stores it."""
    seat = table.state.seat
    assert seat is not None
    action = table.play_ply()
    return store.append_action(
        game, action, round_number=table.state.round_number, number=len(table.actions), seat=seat
    )


def test_actions_that_follow_each_other_are_stored_together_or_not_at_all(place: str) -> None:
    table = Table(Rules.preset("official"), ["random", "random"], seed=9)
    moves: list[tuple[int, Action]] = []
    while len(moves) < 6:
        assert table.state.seat is not None
        moves.append((table.state.seat, table.play_ply()))
    with open_store(place) as store:
        game = store.begin_game(table.rules, table.names, table.seed).result()
        assert store.append_actions(game, moves[:2], round_number=1, number=1).result() == 2
        assert store.append_actions(game, moves[1:4], round_number=1, number=2).result() == 2  # one was there
        wrong = [moves[4], (moves[5][0], DRAW if moves[5][1] != DRAW else PASS), (9, moves[5][1])]
        with pytest.raises(StoreError, match="there is no seat 9"):
            store.append_actions(game, wrong, round_number=1, number=5).result()
        assert store.read_record(game).rounds[-1].actions == tuple(action for _, action in moves[:4])
        assert store.append_actions(game, moves[4:], round_number=1, number=5).result() == 2
        assert store.read_record(game) == table.record
        with pytest.raises(StoreError, match="number must be"):
            store.append_actions(game, moves, round_number=1, number=0)


def test_a_game_in_progress_can_be_taken_up_at_any_moment(place: str) -> None:
    table = Table(MINI.replace(target_score=20), ["random", "random"], seed=9, people=[1])
    with open_store(place) as store:
        game = store.begin_game(table.rules, table.names, table.seed, table.people, key="web-1").result()
    while not table.game_outcome:
        with open_store(place) as store:  # as if the process had died every few plies
            assert store.begin_game(table.rules, table.names, table.seed, table.people, key="web-1").result() == game
            for _ in range(7):
                if table.state.is_over and not table.game_outcome:
                    table.next_round()
                if not table.state.is_over:
                    assert follow(store, game, table).result()
            assert store.read_record(game) == table.record
            assert Table.resume(store.read_record(game)).state == table.state
    with open_store(place) as store:
        assert store.find_game(game).finished is None
        assert store.finish_game(game, table.record).result()
        assert not store.finish_game(game, table.record).result()
        assert store.read_text(game) == table.record.to_text()
        kept = store.find_game(game)
    assert kept.winner == table.game_outcome.winner
    assert kept.finished is not None
    assert kept.finished >= kept.began
    assert tuple(seat.points for seat in kept.seats) == table.scores


def test_what_is_stored_is_neither_stored_twice_nor_changed(place: str) -> None:
    table = Table(OFFICIAL, ["random", "random"], seed=9)
    with open_store(place) as store:
        game = store.begin_game(table.rules, table.names, 9, key="k").result()
        for _ in range(3):
            assert follow(store, game, table).result()
        third = table.actions[2]
        seat = [seat for _, _, seat, _ in GameEntry.of(table.record).actions][2]
        assert not store.append_action(game, third, round_number=1, number=3, seat=seat).result()
        refused = [
            (lc.parse_action("w:g"), 1, 3, seat, "is stored, not w:g"),
            (third, 1, 3, 1 - seat, "is stored, not"),
            (third, 1, 5, seat, "after action 3 of round 1 comes the next"),
            (third, 2, 2, seat, "not action 2 of round 2"),
            (third, 3, 1, seat, "not action 1 of round 3"),
            (third, 1, 4, 2, "there is no seat 2"),
        ]
        for action, played, number, sat, part in refused:
            with pytest.raises(StoreError, match=part):
                store.append_action(game, action, round_number=played, number=number, seat=sat).result()
        with pytest.raises(StoreError, match="there is no game 99"):
            store.append_action(99, third, round_number=1, number=1, seat=0).result()
        with pytest.raises(StoreError, match="number must be from 1"):
            store.append_action(game, third, round_number=1, number=0, seat=0)
        for rules, seed in ((MINI, 9), (OFFICIAL, 8)):
            with pytest.raises(StoreError, match="to another game"):
                store.begin_game(rules, table.names, seed, key="k").result()
        assert store.read_record(game) == table.record


def test_a_record_must_be_of_what_was_stored(place: str) -> None:
    table = Table(MINI, ["random", "random"], seed=9)
    with open_store(place) as store:
        game = store.begin_game(table.rules, table.names, 9).result()
        follow(store, game, table).result()
        before = table.record
        table.play_ply()
        for record, part in (
            (table.record, "does not hold the actions"),
            (Table(MINI, ["random", "random"], seed=8).record, "another game"),
            (Table(MINI, ["random", "heuristic"], seed=9).record, "other players sit there"),
        ):
            with pytest.raises(StoreError, match=part):
                store.finish_game(game, record).result()
        assert store.find_game(game).finished is None
        assert store.finish_game(game, before).result()
        with pytest.raises(StoreError, match="the game is over"):
            store.append_action(game, table.actions[1], round_number=1, number=2, seat=0).result()
        with pytest.raises(StoreError, match="finished with another record"):
            store.finish_game(game, table.record).result()


# Matches


def test_a_chunk_is_stored_whole_and_once(place: str) -> None:
    games = [GameEntry.of(play(seed=seed)) for seed in (1, 2)]
    with open_store(place) as store:
        match = store.begin_match(TOURNAMENT, ["frequency", "random"]).result()
        assert store.add_chunk(match, 0, 0, {"plies": 3}, games).result()
        assert not store.add_chunk(match, 0, 0, {"plies": 3}, games).result()
        with pytest.raises(StoreError, match="chunk 0 of pairing 0 of match 1 is stored with another result"):
            store.add_chunk(match, 0, 0, {"plies": 4}, games).result()
        with pytest.raises(StoreError, match="there is no match 9"):
            store.add_chunk(9, 0, 0, {"plies": 3}, games).result()
        assert store.read_chunks(match) == [{"plies": 3}]
        assert store.count_games() == 2
        assert query(place, "SELECT DISTINCT match_id, pairing, chunk FROM games") == [(1, 0, 0)]


def test_a_chunk_that_fails_leaves_nothing(place: str) -> None:
    good = GameEntry.of(play())
    bad = GameEntry.of(Table(MINI, [Named("\ud800"), Named("b")], seed=1).play_round())
    with open_store(place) as store:
        match = store.begin_match(TOURNAMENT, ["frequency", "random"]).result()
        with pytest.raises(StoreError, match="cannot hold this"):
            store.add_chunk(match, 0, 0, {"plies": 3}, [good, bad]).result()
        assert (store.read_chunks(match), store.count_games()) == ([], 0)


def test_ratings_and_the_end_of_a_match(place: str) -> None:
    with open_store(place) as store:
        match = store.begin_match(TOURNAMENT, ["frequency", "random"]).result()
        store.rate_match(match, [(1520.5, 30.0), None], is_complete=False).result()
        assert store.find_match(match).finished is None
        store.rate_match(match, [(1530.5, 20.0), (1469.5, 20.0)], is_complete=True).result()
        finished = store.find_match(match).finished
        store.rate_match(match, [(1530.5, 20.0), (1469.5, 20.0)], is_complete=True).result()
        kept = store.find_match(match)
    assert kept.agents == (("frequency", 1530.5, 20.0), ("random", 1469.5, 20.0))
    assert kept.finished == finished is not None
    assert kept.tournament == TOURNAMENT


# Looking for games


def test_filters(place: str) -> None:
    with open_store(place) as store:
        for record in (
            play("frequency", "random", seed=1),
            play("frequency:four_below=6", "random", seed=2),
            play("random", "random", "random", seed=3, rules=OFFICIAL.replace(players=3)),
            play("heuristic", "random", seed=4, rules=OFFICIAL),
        ):
            store.add_game(record).result()
        games = {game.number: game for game in store.list_games()}

        def found(**wanted: object) -> list[int]:
            fits = GameFilter(**wanted)  # type: ignore[arg-type]
            numbers = [game.number for game in store.list_games(fits)]
            assert store.count_games(fits) == len(numbers)
            return numbers

        assert list(games) == found() == [4, 3, 2, 1]
        assert [game.number for game in store.list_games(limit=2)] == [4, 3]
        assert found(agent="frequency") == [2, 1]
        assert found(agent="frequency:four_below=6") == [2]
        assert found(agent="frequency:four_below=4") == [1]
        assert found(agent="nobody") == []
        assert found(rules="official") == [4, 3]
        assert found(rules="official players=3") == [3]
        assert found(players=3) == [3]
        assert found(match=1) == []
        for name in ("random", "frequency", "heuristic"):
            won = [n for n, game in games.items() if game.seats[game.winner or 0].name.startswith(name)]
            assert found(winner=name) == won
        last = games[4].began
        assert found(since=last) == [4]
        assert found(since=last.replace(tzinfo=UTC) - timedelta(days=1)) == [4, 3, 2, 1]
        assert found(since=datetime(2999, 1, 1)) == []


def test_a_long_list_comes_in_pages(file: Path) -> None:
    entry = GameEntry.of(play())
    with open_store(file) as store:
        match = store.begin_match(TOURNAMENT, ["frequency", "random"]).result()
        store.add_chunk(match, 0, 0, {}, [entry] * 401).result()
        assert [game.number for game in store.list_games()] == list(range(401, 0, -1))
        assert len(list(store.list_games(limit=201))) == 201


# One writer, many readers


def test_others_read_while_one_writes(place: str) -> None:
    with open_store(place) as store:
        store.add_game(play()).result()
        with open_store(place, read_only=True) as reader:
            assert reader.count_games() == 1
            store.add_game(play()).result()
            assert reader.count_games() == 2
            with pytest.raises(StoreError, match="for reading only"):
                reader.add_game(play())
        if not place.startswith("postgresql:"):
            with pytest.raises(StoreError, match="in use by another lastcard"):
                open_store(place)
        store.add_game(play()).result()


def test_a_store_at_rest_is_one_file(file: Path) -> None:
    with open_store(file) as store:
        store.add_game(play())
    assert os.listdir(file.parent) == [file.name]
    with pytest.raises(StoreError, match="is closed"):
        store.add_game(play())
    store.close()
    copy = file.with_name("copy.db")
    shutil.copy(file, copy)
    with open_store(copy, read_only=True) as reader:
        assert reader.count_games() == 1
    assert sorted(os.listdir(file.parent)) == ["copy.db", "games.db"]


def test_a_lock_left_behind_by_the_dead_does_not_matter(file: Path) -> None:
    file.with_name("games.db-lock").touch()
    open_store(file).close()
    assert os.listdir(file.parent) == [file.name]


def test_what_a_killed_process_left_can_be_read_and_written(file: Path) -> None:
    code = f"""
import os, signal
from lastcard import Rules, Table
from lastcard.store import open_store
store = open_store({str(file)!r})
store.add_game(Table(Rules.preset("mini"), ["frequency", "random"], seed=7).play_round()).result()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert sorted(path.name for path in file.parent.iterdir()) == [
        *("games.db", "games.db-lock", "games.db-shm", "games.db-wal")
    ]
    with open_store(file, read_only=True) as reader:
        assert reader.read_record(1) == play()
    with open_store(file) as store:
        assert store.add_game(play()).result() == 2
    assert os.listdir(file.parent) == [file.name]


# Group commit


def count_commits(store: Store) -> list[str]:
    commits: list[str] = []
    with store._writer.connect() as connection:
        driver_of(connection).set_trace_callback(lambda text: commits.append(text) if text == "COMMIT" else None)
    return commits


@contextmanager
def held_up(store: Store) -> Iterator[None]:
    """Keeps the writer busy meanwhile."""
    entered, gate = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        entered.set()
        gate.wait()

    store._submit(wait)
    assert entered.wait(PATIENCE_SECONDS)
    try:
        yield
    finally:
        gate.set()


def test_what_comes_during_a_commit_shares_the_next(file: Path) -> None:
    record = play()
    with open_store(file) as store:
        commits = count_commits(store)
        with held_up(store):
            games = [store.add_game(record) for _ in range(100)]
            assert not any(game.done() for game in games)
        assert [game.result() for game in games] == list(range(1, 101))
        assert len(commits) == 2


def test_a_refusal_does_not_harm_what_shares_its_commit(place: str) -> None:
    with open_store(place) as store:
        store.add_game(play(seed=1), key="k").result()
        with held_up(store):
            games = [store.add_game(play(seed=seed), key="k" if seed == 3 else None) for seed in (2, 3, 4)]
        assert [store.read_record(games[index].result()) for index in (0, 2)] == [play(seed=2), play(seed=4)]
        with pytest.raises(StoreError, match="to another game"):
            games[1].result()
        assert store.count_games() == 3


def test_a_savepoint_that_cannot_be_released_stops_nothing_for_good(file: Path) -> None:
    """SQLAlchemy's view of a transaction ends with it."""

    def refuse(action: int, name: str | None, *_: object) -> int:
        is_release = action == sqlite3.SQLITE_SAVEPOINT and name == "RELEASE"
        return sqlite3.SQLITE_DENY if is_release else sqlite3.SQLITE_OK

    with open_store(file) as store:
        with store._writer.connect() as connection:
            raw = driver_of(connection)
        raw.set_authorizer(refuse)
        with held_up(store):  # one that is refused makes a savepoint for each
            refused = store.append_action(99, DRAW, round_number=1, number=1, seat=0)
            beside = store.add_game(play())
        for future in (refused, beside):
            with pytest.raises(StoreError, match="cannot write"):
                future.result()
        raw.set_authorizer(None)
        assert store.add_game(play()).result() == 1


def test_a_full_disk_is_told_and_nothing_half_is_kept(file: Path) -> None:
    with open_store(file) as store:
        store.add_game(play()).result()
        store._submit(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1").close()).result()
        with held_up(store):
            match = store.begin_match(TOURNAMENT, ["frequency", "random"])
            games = [store.add_game(play(seed=seed, rules=OFFICIAL)) for seed in range(40)]
        for future in (match, *games):
            with pytest.raises(StoreError, match=r"cannot write .*games.db: database or disk is full"):
                future.result()
        assert (store.count_games(), store.list_matches()) == (1, [])
        store._submit(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 99999").close()).result()
        assert store.add_game(play()).result() == 2


# What is no store


def make_foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE games (id INTEGER)")
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


def make_of_version_4(file: Path) -> None:
    open_store(file).close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE store SET version = 4")
    connection.close()


def make_damaged(file: Path) -> None:
    open_store(file).close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE rounds")
    connection.close()


def make_hollow(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE other (id INTEGER)")
    connection.close()


OTHER_VERSION = (
    f"games.db is a store of version 4, and this lastcard reads version {VERSION}: open it with the lastcard that made"
    " it, or name another store$"
)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("make", "part"),
    [
        (make_foreign, "a database, but not a store of lastcard's; it stays as it is"),
        (make_of_version_4, OTHER_VERSION),
        (make_damaged, "damaged store: table rounds is missing"),
        (make_hollow, "a store of version None"),
        (lambda file: file.write_text("precious " * 200), "is not a database; it stays as it is"),
        (lambda file: file.write_bytes(b"x"), "is not a database; it stays as it is"),
        (lambda file: file.mkdir(), "is not a file"),
    ],
)
def test_what_is_no_store_stays_as_it_is(make: object, part: str, read_only: bool, file: Path) -> None:
    assert callable(make)
    make(file)
    before = file.read_bytes() if file.is_file() else b""
    with pytest.raises(StoreError, match=part):
        open_store(file, read_only=read_only)
    assert os.listdir(file.parent) == [file.name]
    assert not file.is_file() or file.read_bytes() == before


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("", "a store needs a file"),
        ("/nonexistent/games.db", "there is no folder /nonexistent"),
        ("/proc/games.db", "cannot write /proc/games.db"),
        ("postgresql://127.0.0.1:1/games", "cannot read postgresql://127.0.0.1:1/games: .*refused"),
        ("postgresql+asyncpg://localhost/games", r"postgresql\+asyncpg is not supported"),
        ("nonsense://", "nonsense is not supported"),
        ("sqlite://", "a store needs a file and no options"),
        ("sqlite:///:memory:", "a store needs a file and no options"),
        ("sqlite:///games.db?mode=memory", "a store needs a file and no options"),
        ("://", "neither a path nor a URL"),
    ],
)
def test_places_that_cannot_hold_a_store(url: str, part: str) -> None:
    with pytest.raises(StoreError, match=part):
        open_store(url)


def test_reading_never_makes_a_store(file: Path) -> None:
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError, match="there is no store at"):
            open_store(file, **options)
    assert not file.exists()


def test_a_url_names_the_same_file(file: Path) -> None:
    with open_store(f"sqlite:///{file}") as store:
        store.add_game(play()).result()
    odd = file.with_name("what? 100% #1.db")
    file.rename(odd)
    assert is_store(str(odd))
    with open_store(odd, read_only=True) as store:
        assert store.count_games() == 1


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    file.touch()
    with open_store(file) as store:
        assert store.count_games() == 0


@pytest.mark.parametrize("number", [0, -1, 5, 10**30])
def test_what_is_not_there_is_told(number: int, place: str) -> None:
    with open_store(place) as store:
        for ask in (store.read_record, store.find_game, store.find_match):
            with pytest.raises(StoreError, match=r"there is no|cannot read"):
                ask(number)


# SQLAlchemy


def test_the_package_does_not_load_sqlalchemy() -> None:
    code = (
        "import sys, lastcard, lastcard.cli.commands, lastcard.arena.tournament_run; print('sqlalchemy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_without_sqlalchemy_it_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("lastcard.store.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sqlalchemy"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(StoreError, match=re.escape(install_extra("arena"))):
        open_store(file)


def test_another_database_could_hold_the_tables() -> None:
    for table in METADATA.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=postgresql.dialect()))  # type: ignore[no-untyped-call]
