"""`lastcard games` and `lastcard arena --store` at the terminal."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lastcard.arena import tournament_run
from lastcard.arena.chunks import play_chunk
from lastcard.cli.commands import main
from lastcard.record import Record, load_texts, parse_record
from lastcard.rules import Rules
from lastcard.shell import install_extra
from lastcard.store import open_store
from lastcard.table import Table
from tests.unit.test_cli_commands import Captured, run

CUP = ["frequency", "first_legal", "--rules", "mini", "--games", "40", "--seed", "3"]
PATCH = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a match of 40 games, and three more games."""
    file = tmp_path_factory.mktemp("store") / "cup.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["lastcard", "arena", *CUP, "--store", str(file)])
        with pytest.raises(SystemExit):
            main()
    with open_store(file) as store:
        long = "halving:simulations=1,hypotheses=1,belief=uniform,playouts=random"
        store.add_game(
            Table(Rules.preset("official", players=3), [long, "random", "heuristic"], seed=1).play_round()
        ).result()
        person = Table(Rules.preset("house"), [_Named("Zoë\x1b[31m 漢字"), *["random"] * 3], seed=1, people=[0])
        store.add_game(person.play_round()).result()
        store.begin_game(Rules.preset("mini"), ["ann", "random"], seed=5, people=[0]).result()
    return file


def read_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, observation: Any) -> Any:
        return observation.legal_actions[0]


def test_the_list_is_newest_first_and_80_columns_wide(cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    code, out, err = run(capsys, monkeypatch, "games", "--store", str(cup))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("game  when (UTC)")
    assert [line.split()[0] for line in lines[1:5]] == ["43", "42", "41", "40"]
    assert "in progress: ann, random" in lines[1]
    assert "\x1b" not in out
    assert lines[-1] == "20 of 43 games; list more with --limit."
    assert run(capsys, monkeypatch, "games", "--store", f"sqlite:///{cup}")[1] == out


def test_json_is_a_line_a_game(cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    _, out, _ = run(capsys, monkeypatch, "games", "--store", str(cup), "--limit", "2", "--json")
    playing, finished = read_lines(out)
    assert list(finished) == [
        *("game", "key", "match", "began", "finished", "rules", "seed", "winner", "rounds", "plies", "seats")
    ]
    assert (playing["finished"], playing["winner"]) == (None, None)
    assert finished["rules"] == "house"


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["--match", "1"], 40),
        (["--match", "2"], 0),
        (["--agent", "frequency"], 40),
        (["--agent", "frequency:four_below=4"], 40),
        (["--agent", "frequency:four_below=9"], 0),
        (["--agent", "ann"], 1),
        (["--rules", "house"], 1),
        (["--rules", "mini"], 41),
        (["--players", "3"], 1),
        (["--since", "2020-01-01"], 43),
        (["--since", "2999-12-31T23:59+01:00"], 0),
        (["--match", "1", "--limit", "7"], 7),
    ],
)
def test_filters(arguments: list[str], count: int, cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    limit = [] if "--limit" in arguments else ["--limit", "100"]
    _, out, _ = run(capsys, monkeypatch, "games", "--store", str(cup), "--json", *arguments, *limit)
    assert len(out.splitlines()) == count
    _, out, _ = run(capsys, monkeypatch, "games", "--store", str(cup), *arguments, *limit)
    assert count or out == "No games.\n"


def test_winner(cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    numbers = {}
    for name in ("frequency", "first_legal"):
        _, out, _ = run(capsys, monkeypatch, "games", "--store", str(cup), "--json", "--winner", name, "-l", "100")
        games = read_lines(out)
        assert games
        for game in games:
            assert game["seats"][game["winner"]]["name"] == name
        numbers[name] = {game["game"] for game in games}
    assert len(numbers["frequency"] | numbers["first_legal"]) == 40


@pytest.mark.parametrize("name", ["out.txt", "out.jsonl", "out.dat"])
def test_what_is_exported_can_be_replayed(
    name: str, cup: Path, tmp_path: Path, capsys: Captured, monkeypatch: PATCH
) -> None:
    file = tmp_path / name
    form = ["--format", "jsonl"] if name == "out.dat" else []
    code, out, err = run(capsys, monkeypatch, "games", "--store", str(cup), "--export", str(file), *form)
    assert (code, out, err) == (0, f"43 games in {file}\n", "")
    texts = load_texts(file)
    assert (texts[0].lstrip()[0] == "{") == (name != "out.txt")
    with open_store(cup, read_only=True) as store:
        assert [parse_record(text) for text in texts] == [store.read_record(game.number) for game in store.list_games()]
    code, out, _ = run(capsys, monkeypatch, "replay", str(file), "--game", "2")
    assert code == 0
    assert "house" in out.splitlines()[0]
    code, _, err = run(capsys, monkeypatch, "replay", str(file))
    assert (code, err) == (2, f"error: {file} holds 43 games; choose one with --game, from 1 to 43\n")
    code, _, err = run(capsys, monkeypatch, "replay", str(file), "--game", "44")
    assert (code, err) == (2, "error: --game must be from 1 to 43, not 44\n")
    assert list(tmp_path.iterdir()) == [file]


def test_an_export_of_one_game_is_a_record(cup: Path, tmp_path: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    file = tmp_path / "one.txt"
    arguments = ["--rules", "house", "--limit", "1", "--export", str(file)]
    _, out, _ = run(capsys, monkeypatch, "games", "--store", str(cup), *arguments)
    assert out == f"1 game in {file}\n"
    assert Record.load(file).rules == Rules.preset("house")
    assert run(capsys, monkeypatch, "replay", str(file))[0] == 0


def test_show(cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    _, text, _ = run(capsys, monkeypatch, "games", "show", "42", "--store", str(cup))
    assert Record.from_text(text).agents[1:] == ("random",) * 3
    assert run(capsys, monkeypatch, "games", "--store", str(cup), "show", "42")[1] == text
    _, out, _ = run(capsys, monkeypatch, "games", "show", "42", "--store", str(cup), "--json")
    read = json.loads(out)
    assert (read["record"], read["rules"]) == (text, "house")


def test_matches(cup: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    _, out, _ = run(capsys, monkeypatch, "games", "matches", "--store", str(cup))
    assert "UTC: mini, 20 deals per pairing, seed 3\n" in out
    assert out.splitlines()[1].split()[0] == "frequency"
    _, out, _ = run(capsys, monkeypatch, "games", "matches", "--store", str(cup), "--json")
    [match] = read_lines(out)
    assert (match["games"], match["chunks"]) == (40, 3)
    assert match["finished"] is not None
    first, second = match["agents"]
    assert first["rating"] + second["rating"] == pytest.approx(3000)


@pytest.mark.parametrize("command", [["games"], ["games", "matches"], ["arena", *CUP, "--store", "x.db"]])
def test_without_sqlalchemy(command: list[str], capsys: Captured, monkeypatch: PATCH) -> None:
    for name in [name for name in sys.modules if name.startswith("lastcard.store.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ["sqlalchemy", *(name for name in sys.modules if name.startswith("sqlalchemy."))]:
        monkeypatch.setitem(sys.modules, name, None)
    code, _, err = run(capsys, monkeypatch, *command)
    assert (code, err) == (2, f"error: a store needs SQLAlchemy: {install_extra('arena')}\n")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "there is no store at games.db"),
        (["--store", "{file}", "--limit", "0"], "--limit must be from 1"),
        (["--store", "{file}", "--since", "yesterday"], "--since must be a day or time"),
        (["--store", "{file}", "--format", "jsonl"], "give both"),
        (["--store", "{file}", "--format", "xml", "--export", "x"], "--format must be text or jsonl"),
        (["--store", "{file}", "--rules", "nothing"], "no rules preset"),
        (["--store", "{file}", "--export", "/nonexistent/x.txt"], "cannot write '/nonexistent/x.txt'"),
        (["--store", "{file}", "--match", "9" * 30], "cannot read"),
        (["--store", "mysql://x/y"], "mysql is not supported"),
        (["show", "99", "--store", "{file}"], "there is no game 99 in"),
    ],
)
def test_bad_input(
    arguments: list[str], part: str, cup: Path, tmp_path: Path, capsys: Captured, monkeypatch: PATCH
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, monkeypatch, "games", *(word.format(file=cup) for word in arguments))
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert part in err
    assert list(tmp_path.iterdir()) == []


# The arena


def dump(file: Path) -> list[str]:
    """Everything a database holds."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection, connection:
        return list(connection.iterdump())


def read_table(out: str) -> dict[str, object]:
    read: dict[str, object] = json.loads(out)
    del read["timing"]
    return read


def test_ctrl_c_says_how_to_go_on_and_resume_does(tmp_path: Path, capsys: Captured, monkeypatch: PATCH) -> None:
    file, played = tmp_path / "cup.db", 0

    def stop_at_third(*arguments: Any, **options: Any) -> object:
        nonlocal played
        played += 1
        if played == 3:
            raise KeyboardInterrupt
        return play_chunk(*arguments, **options)

    monkeypatch.setattr(tournament_run, "play_chunk", stop_at_third)
    code, out, _ = run(capsys, monkeypatch, "arena", *CUP, "--store", str(file))
    assert code == 130
    assert f"This is match 1 of {file}." in out
    assert f"Resume with: lastcard arena --resume {file} --match 1" in " ".join(out.split())
    code, out, err = run(capsys, monkeypatch, "arena", "--resume", str(file), "--json")
    assert (code, err) == (0, f"This is match 1 of {file}.\n")
    whole = run(capsys, monkeypatch, "arena", *CUP, "--json")[1]
    assert read_table(out) == read_table(whole)
    again = run(capsys, monkeypatch, "arena", "--resume", f"sqlite:///{file}", "--match", "1", "--json")[1]
    assert read_table(again) == read_table(whole)
    with open_store(file, read_only=True) as store:
        assert store.count_games() == 40


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([*CUP, "--store", "{file}", "--out", "x.jsonl"], "give one of them"),
        (["--resume", "{file}", "--store", "y.db"], "give one of them"),
        ([*CUP, "--match", "1"], "use it with --resume and a store"),
        ([*CUP, "--match", "1", "--store", "{file}"], "use it with --resume and a store"),
        (["--resume", "{file}"], "every match in"),
        (["--resume", "{file}", "--match", "2"], "there is no match 2"),
        (["--resume", "{file}", "--match", "1", "--seed", "4"], "its seed is 3, not 4"),
        (["--resume", "sqlite:///{folder}/none.db"], "there is no store at"),
        (["--resume", "{folder}/foreign.db"], "not a store of lastcard's"),
        ([*CUP, "--store", "{folder}/foreign.db"], "not a store of lastcard's"),
        ([*CUP, "--store", "{folder}/none/cup.db"], "there is no folder"),
        ([*CUP, "--store", ""], "a store needs a file"),
        (["--resume", ""], "expected the name of a file"),
        (["random", "--store", "{folder}/new.db"], "at least two agents"),
    ],
)
def test_bad_places_are_told_before_anything_is_played(
    arguments: list[str], part: str, cup: Path, tmp_path: Path, capsys: Captured, monkeypatch: PATCH
) -> None:
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as connection, connection:
        connection.execute("CREATE TABLE games (id INTEGER)")
    connection.close()
    before = dump(cup)
    words = [word.format(file=cup, folder=tmp_path) for word in arguments]
    code, out, err = run(capsys, monkeypatch, "arena", *words)
    assert (code, out) == (2, "")
    assert part in err
    assert dump(cup) == before
    assert [path.name for path in tmp_path.iterdir()] == ["foreign.db"]
