"""Plug-ins: agents of other packages, found by their entry points, and only where a person names them."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

import lastcard as lc
from benchmarks.matches import play, read_table
from lastcard.agents import find_agent, list_agents
from lastcard.agents.plugins import list_plugins, load_plugins
from lastcard.arena.entrants import is_agent
from lastcard.arena.ledger import Ledger
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.cli.commands import main
from lastcard.cli.completion import complete_agents
from lastcard.engine.agent_server import Server
from lastcard.errors import AgentError, LastcardError, RecordError
from lastcard.store import open_store
from lastcard.web.limits import RECORDS_PATH
from tests.unit.asgi import Client, serving
from tests.unit.plugins import install, install_example

RULES = lc.Rules.preset("official")
Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def run(words: list[str], capsys: Captured, monkeypatch: Patch) -> tuple[object, str, str]:
    monkeypatch.setattr(sys, "argv", ["lastcard", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    return left.value.code, told.out, told.err


# The example


def test_the_example_adds_an_agent(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    install_example(site)
    assert [(each.name, each.source) for each in list_plugins()] == [("shedder", "lastcard-shedder 1.0")]
    assert "lastcard_shedder" not in sys.modules
    assert ("shedder", "of lastcard-shedder 1.0") in list(complete_agents("sh"))
    code, out, _ = run(["agents"], capsys, monkeypatch)
    assert code == 0
    assert (
        "shedder\n  Plays its costliest legal card.\n    noise=0.0  Probability of any legal action instead.\n" in out
    )
    code, out, _ = run(["agents", "--json"], capsys, monkeypatch)
    described = {each["name"]: each["built_in"] for each in json.loads(out)}
    assert (described["shedder"], described["random"]) == (False, True)
    code, out, err = run(["arena", "shedder:noise=0.1", "random", "-g", "20", "-s", "1"], capsys, monkeypatch)
    assert (code, err) == (0, "")
    assert "shedder:noise=0.1" in out
    code, out, err = run(["watch", "shedder", "random", "-s", "1"], capsys, monkeypatch)
    assert (code, err) == (0, "")
    code, _, err = run(["watch", "shedder:noise=2", "random", "-s", "1"], capsys, monkeypatch)
    assert (code, err) == (2, "error: shedder: noise must be from 0 to 1, not 2.0\n")


def test_the_arena_gives_plug_ins_to_its_processes(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    install_example(site)
    tables = []
    for jobs in ("1", "2"):
        words = ["arena", "shedder", "lastcard_shedder:SHEDDER:noise=1", "-g", "40", "-s", "1", "--json", "-j", jobs]
        code, out, err = run(words, capsys, monkeypatch)
        assert (code, err) == (0, "")
        tables.append(json.loads(out)["standings"])
    assert tables[0] == tables[1]


def test_an_engine_plays_for_a_plug_in(site: Path) -> None:
    install_example(site)
    lc.load_agent("shedder")
    said: list[str] = []
    server = Server("shedder:noise=0.5", said.append)
    server.hear("lastcard 1")
    assert said[0] == "name shedder"
    assert any('"name": "noise"' in line and "0.5" in line for line in said)


def test_a_module_in_the_current_folder_is_found(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.chdir(site)
    (site / "mine.py").write_text(
        "class First:\n    '''Plays the first.'''\n    def choose(self, observation):\n"
        "        return observation.legal_actions[0]\n"
    )
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(site)])
    code, out, err = run(["watch", "mine:First", "random", "-s", "1"], capsys, monkeypatch)
    assert (code, err) == (0, "")
    assert "First goes out" in out or "random goes out" in out
    hand = ["--hand", "r5 r9", "--top", "r7", "--opponents", "1"]
    code, out, err = run(["advise", *hand, "--agent", "mine:First"], capsys, monkeypatch)
    assert (code, err) == (0, "")
    assert out.startswith("Play the red 5.") or "r5" in out
    code, _, err = run(["advise", *hand, "--agent", "mine:First", "--simulations", "5"], capsys, monkeypatch)
    assert (code, err) == (2, "error: --simulations, --seconds and --belief are not options of mine:First\n")


# Broken ones

BROKEN = {
    "gone": ("no_such_module:Agent", "no agent 'no_such_module:Agent': there is no module no_such_module"),
    "absent": ("broken_plugin:Nothing", "no agent 'broken_plugin:Nothing': broken_plugin has no Nothing"),
    "raising": ("raising_plugin:Agent", "'raising_plugin:Agent' cannot be imported: ValueError: two lines"),
    "leaving": ("leaving_plugin:Agent", "'leaving_plugin:Agent' cannot be imported: SystemExit: 3"),
    "needing": ("needing_plugin:Agent", "'needing_plugin:Agent' cannot be imported: No module named 'no_such_library'"),
    "number": ("broken_plugin:NUMBER", "5 is not an agent"),
    "choiceless": ("broken_plugin:Choiceless", "the class has no method choose(observation)"),
    "random": ("broken_plugin:Good", "an agent of that name comes with lastcard"),
    "strange": ("not a module", "'not a module' is not module:Class"),
}


def install_broken(site: Path) -> None:
    install(site, "broken-plugin", {name: value for name, (value, _) in BROKEN.items()})
    (site / "broken_plugin.py").write_text(
        "NUMBER = 5\nclass Choiceless: ...\nclass Good:\n    '''Good.'''\n    def choose(self, seen): ...\n"
        "def unmade():\n    raise OSError('no\\nway')\n"
    )
    (site / "raising_plugin.py").write_text("raise ValueError('two\\nlines')\n")
    (site / "leaving_plugin.py").write_text("raise SystemExit(3)\n")
    (site / "needing_plugin.py").write_text("import no_such_library\n")


def test_broken_plug_ins_are_reported_in_one_line_each(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    install_broken(site)
    install(site, "good-plugin", {"good": "broken_plugin:Good"})
    install(site, "other-plugin", {"good": "broken_plugin:unmade"})
    code, out, err = run(["agents"], capsys, monkeypatch)
    assert code == 0
    assert "\ngood\n" in out
    assert "\nheuristic\n" in out
    lines = err.splitlines()
    assert len(lines) == len(BROKEN) + 1
    for name, (_, message) in BROKEN.items():
        [line] = [line for line in lines if line.startswith(f"warning: plug-in '{name}' of broken-plugin 1.0: ")]
        assert message in line
    assert "warning: plug-in 'good' of other-plugin 1.0: another package has that name" in lines


@pytest.mark.parametrize("name", [name for name in BROKEN if name != "random"])
def test_a_broken_plug_in_that_is_asked_for_is_an_error(
    name: str, site: Path, capsys: Captured, monkeypatch: Patch
) -> None:
    install_broken(site)
    for words in (["watch", name, "random"], ["arena", name, "random"], ["agents", name], ["serve", "--agent", name]):
        code, _, err = run(words, capsys, monkeypatch)
        assert code == 2
        assert err.startswith(f"error: plug-in '{name}' of broken-plugin 1.0: ")
        assert err.count("\n") == 1
    code, _, err = run(["arena", "random", "heuristic", "-g", "2", "-s", "1"], capsys, monkeypatch)
    assert (code, err) == (0, "")  # a user who does not ask for it is not bothered


def test_what_cannot_be_made_is_an_error(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    install_broken(site)
    code, _, err = run(["arena", "broken_plugin:unmade", "random"], capsys, monkeypatch)
    assert (code, err) == (2, "error: broken_plugin:unmade cannot be made: OSError: no way\n")


def test_two_packages_with_one_name_are_told_apart(site: Path, capsys: Captured, monkeypatch: Patch) -> None:
    install_broken(site)
    install(site, "one-plugin", {"good": "broken_plugin:Good"})
    install(site, "two-plugin", {"good": "broken_plugin:unmade"})
    code, _, err = run(["watch", "good", "random"], capsys, monkeypatch)
    assert code == 2
    assert "one-plugin 1.0 and two-plugin 1.0 both have one; name it as broken_plugin:Good" in err


# Ways in: no name that a person did not type imports anything


@pytest.fixture
def trap(site: Path, tmp_path: Path) -> Path:
    """A plug-in that leaves a mark when it is imported."""
    mark = tmp_path / "imported"
    (site / "trap.py").write_text(
        f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
        "class Trap:\n    def choose(self, observation):\n        return observation.legal_actions[0]\n"
    )
    install(site, "trap-package", {"trap": "trap:Trap"})
    return mark


NAMES = ("trap", "trap:Trap", "trap:Trap:x=1", " trap : Trap", "trap:simulations=5")


def refuse(mark: Path) -> None:
    assert "trap" not in sys.modules
    assert not mark.exists()


def test_the_trap_would_be_noticed(trap: Path) -> None:
    lc.load_agent("trap:Trap")
    assert trap.exists()
    with pytest.raises(AssertionError):
        refuse(trap)


@pytest.mark.parametrize("name", NAMES)
def test_names_in_python_import_nothing(name: str, trap: Path) -> None:
    for ask in (lc.make_agent, find_agent, lambda name: lc.Table(RULES, [name, "random"])):
        with pytest.raises(AgentError, match="no agent"):
            ask(name)
    with pytest.raises(AgentError, match="no agent"):
        Tournament((name, "random"), RULES, num_deals=1)
    assert is_agent(name)
    refuse(trap)


@pytest.mark.parametrize("name", NAMES)
def test_records_import_nothing(name: str, trap: Path, tmp_path: Path, capsys: Captured, monkeypatch: Patch) -> None:
    played = lc.Table(RULES, ["random", "random"], seed=7)
    for _ in range(6):
        played.play_ply()
    record = lc.Record(RULES, ("human", name), played.record.rounds, 7, (0,))
    for file, other in (("game.txt", "again.txt"), ("game.jsonl", "again.jsonl")):
        record.save(tmp_path / file)
        assert lc.Record.load(tmp_path / file) == record
        with pytest.raises(AgentError, match="no agent"):
            lc.Table.resume(record, None)
        for words in (
            ["play", "--resume", str(tmp_path / file), "--record", str(tmp_path / other)],
            ["replay", str(tmp_path / file)],
            ["analyse", str(tmp_path / file), "--agent", "halving:simulations=5"],
            ["games", "import", "--store", str(tmp_path / "games.db"), str(tmp_path / file)],
        ):
            run(words, capsys, monkeypatch)
            refuse(trap)


@pytest.mark.parametrize("name", NAMES)
def test_files_of_tournaments_import_nothing(
    name: str, trap: Path, tmp_path: Path, capsys: Captured, monkeypatch: Patch
) -> None:
    cup = Tournament(("random", "heuristic"), RULES, num_deals=2, seed=1)
    fields = {**cup.to_dict(), "agents": [name, "random"]}
    with pytest.raises(RecordError, match="no agent"):
        Tournament.from_dict(json.loads(json.dumps(fields)))
    Ledger.create(tmp_path / "cup.jsonl", cup).close()
    header = json.loads((tmp_path / "cup.jsonl").read_text())
    (tmp_path / "cup.jsonl").write_text(json.dumps({**header, "tournament": fields}) + "\n")
    with pytest.raises(RecordError, match="no agent"):
        Ledger.resume(tmp_path / "cup.jsonl")
    code, _, err = run(["arena", "--resume", str(tmp_path / "cup.jsonl")], capsys, monkeypatch)
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = run(["arena", "random", "heuristic", "--resume", str(tmp_path / "cup.jsonl")], capsys, monkeypatch)
    assert code == 2
    refuse(trap)


@pytest.mark.parametrize("name", NAMES)
def test_the_ladders_file_imports_nothing(name: str, trap: Path, tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    head = '[ladder]\nrules = "official"\nrival = "heuristic"\nseed = 1\n'
    file.write_text(f"{head}lines = [{{ agent = {json.dumps(name)}, rounds = 4 }}]\n")
    [match] = read_table(file)
    with pytest.raises(AgentError, match="no agent"):
        play(match, work=tmp_path)
    refuse(trap)


def test_a_resumed_tournament_plays_with_what_is_named_again(
    trap: Path, tmp_path: Path, capsys: Captured, monkeypatch: Patch
) -> None:
    file = str(tmp_path / "cup.jsonl")
    code, _, _ = run(["arena", "trap:Trap", "random", "-g", "20", "-s", "1", "-o", file], capsys, monkeypatch)
    assert code == 0
    lc.remove_agent("trap:Trap")
    code, _, err = run(["arena", "--resume", file], capsys, monkeypatch)
    assert code == 2
    assert "one of your own must be named on the command line" in err
    code, out, err = run(["arena", "trap:Trap", "--resume", file], capsys, monkeypatch)
    assert (code, err) == (0, "")
    assert "trap:Trap" in out
    code, _, err = run(["arena", "--resume", file], capsys, monkeypatch)
    assert code == 2
    assert "name them again: trap:Trap" in err


@pytest.mark.parametrize("name", NAMES[:3])
def test_stores_import_nothing(name: str, trap: Path, tmp_path: Path, capsys: Captured, monkeypatch: Patch) -> None:
    file = tmp_path / "games.db"
    with open_store(file) as store:
        store.add_game(lc.Table(RULES, ["random", "heuristic"], seed=7).play_round()).result()
        number = KeptMatch.begin(store, Tournament(("random", "heuristic"), RULES, num_deals=2, seed=1)).number
    database = create_engine(f"sqlite:///{file}")
    with database.begin() as connection:
        stored = connection.execute(text("select tournament from matches")).scalar_one()
        changed = json.dumps({**json.loads(stored), "agents": [name, "random"]})
        connection.execute(text("update matches set tournament = :changed"), {"changed": changed})
        connection.execute(
            text("update agents set name = :name, configuration = :name where name = 'random'"), {"name": name}
        )
    database.dispose()
    with open_store(file) as store, pytest.raises(RecordError, match="no agent"):
        KeptMatch.resume(store, number)
    for words in (
        ["arena", "--resume", str(file), "--match", str(number)],
        ["games", "list", "--store", str(file)],
        ["games", "list", "--store", str(file), "--agent", name],
        ["games", "show", "--store", str(file), "1"],
        ["games", "export", "--store", str(file), "--out", str(tmp_path / "out.jsonl")],
    ):
        run(words, capsys, monkeypatch)
        refuse(trap)


@pytest.mark.parametrize("name", NAMES[:3])
def test_games_that_a_server_has_stored_import_nothing(name: str, trap: Path, tmp_path: Path) -> None:
    async def begin() -> tuple[str, str]:
        async with serving(tmp_path) as client:
            reply = await client.post("/api/games", {"opponents": ["easy"], "pace": 0.0, "length": "round"})
            return reply.json["game"], reply.json["token"]

    async def look(game: str, token: str) -> int:
        async with serving(tmp_path) as client:
            return (await client.get(f"/api/games/{game}", token)).status

    game, token = asyncio.run(begin())
    assert asyncio.run(look(game, token)) == 200
    [file] = tmp_path.glob("*.db")
    database = create_engine(f"sqlite:///{file}")
    with database.begin() as connection:
        stored = connection.execute(text("select settings from sittings")).scalar_one()
        assert '"frequency"' in stored
        changed = stored.replace('"frequency"', json.dumps(name))
        connection.execute(text("update sittings set settings = :changed"), {"changed": changed})
    database.dispose()
    assert asyncio.run(look(game, token)) == 409
    refuse(trap)


@pytest.mark.parametrize("name", NAMES)
def test_requests_import_nothing(name: str, trap: Path, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        record = lc.Table(RULES, ["random", "random"], seed=7).play_round()
        fake = lc.Record(RULES, (name, name), record.rounds, 7).to_text()
        reply = await client.post("/api/games", {"opponents": [name]})
        assert reply.status == 422
        assert "no agent" in reply.message
        table = {"hand": ["r5", "r9"], "top": "r7", "opponents": [1]}
        assert (await client.post("/api/situation", {**table, "rules": name})).status == 422
        assert (await client.post("/api/situation", table)).status == 200
        reply = await client.post(RECORDS_PATH, {"record": fake})
        assert reply.status == 201
        study = reply.json["game"]
        assert (await client.get(f"/api/studies/{study}")).status == 200
        branch = {"round": 1, "ply": 1, "seat": 0}
        assert (await client.post(f"/api/studies/{study}/branch", {**branch, "opponents": [name]})).status == 422
        assert (await client.post(f"/api/studies/{study}/branch", branch)).status == 201
        reply = await client.post("/api/games", {"opponents": ["easy"], "pace": 0.0, "length": "round"})
        game, token = reply.json["game"], reply.json["token"]
        async with client.socket() as socket:
            socket.send({"type": "join", "game": game, "token": token})
            socket.send({"type": "act", "id": 2, "ply": 0, "action": name})
            await asyncio.sleep(0.2)

    async def serve() -> None:
        async with serving(tmp_path) as client:
            await scenario(client)

    asyncio.run(serve())
    refuse(trap)


def test_engines_import_nothing(trap: Path) -> None:
    said: list[str] = []
    server = Server("random", said.append)
    for line in (
        "lastcard 1",
        'set agent "trap:Trap"',
        'set name "trap"',
        "new trap:Trap",
        'position "trap:Trap"',
        "go trap:Trap",
    ):
        server.hear(line)
    for name in NAMES:
        with pytest.raises(LastcardError):
            Server(name, said.append)
    refuse(trap)


def test_a_server_offers_what_its_operator_names(site: Path, tmp_path: Path) -> None:
    install_example(site)

    async def names_and_status() -> tuple[list[str], int]:
        async with serving(tmp_path / "served") as client:
            catalog = (await client.get("/api/catalog")).json
            reply = await client.post("/api/games", {"opponents": ["shedder"], "pace": 0.0})
            return [level["name"] for level in catalog["levels"]], reply.status

    (tmp_path / "served").mkdir()
    levels, status = asyncio.run(names_and_status())
    assert ("shedder" in levels, status) == (False, 422)
    assert "lastcard_shedder" not in sys.modules
    lc.load_agent("shedder")  # as `lastcard serve --agent shedder` does
    levels, status = asyncio.run(names_and_status())
    assert (levels[-1], status) == ("shedder", 201)


def test_plug_ins_are_listed_without_being_imported(trap: Path) -> None:
    assert [each.name for each in list_plugins()] == ["trap"]
    list(complete_agents("tr"))
    assert len(list_agents()) == 11
    refuse(trap)
    assert [getattr(each, "name", each) for each in load_plugins()] == ["trap"]
