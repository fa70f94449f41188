import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard import _core
from lastcard.agents import LEVELS, list_agents
from lastcard.cli.bench import signature
from lastcard.cli.commands import main
from lastcard.record import Record
from lastcard.rules import EXPLANATIONS, PRESETS, Rules

COMMANDS = [
    *("play", "advise", "watch", "arena", "replay", "analyse", "explain", "rules", "agents", "tune"),
    *("bench", "engine", "puzzle", "games"),
]
Captured = pytest.CaptureFixture[str]


def run(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["lastcard", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, told.out, told.err


def json_lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("seed", range(25))
def test_play_without_a_terminal_is_a_round_in_lines(
    seed: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "play", "--seed", str(seed))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert not any(line.startswith(" " * 8) for line in lines), "a turn took two lines"
    assert "\x1b" not in out
    assert "scores" in lines[-2]
    assert lines[-1].startswith("Scores: heuristic ")


@pytest.mark.parametrize("rules", ["house", "tournament", "house players=10", "mini", "official scoring=lowest"])
def test_no_line_is_wider_than_80_columns(rules: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = run(capsys, monkeypatch, "play", "--seed", "3", "--rules", rules)
    assert max(map(len, out.splitlines())) <= 80


def test_play_without_a_terminal_takes_opponents(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = run(capsys, monkeypatch, "play", "-a", "random", "-a", "first_legal", "--seed", "1")
    assert out.splitlines()[-1].startswith("Scores: heuristic ")
    assert "random" in out.splitlines()[-1]
    assert "first_legal" in out.splitlines()[-1]


def test_play_without_a_terminal_can_print_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "play", "--seed", "5", "--json")
    *plies, end = json_lines(out)
    assert code == 0
    assert [line["ply"] for line in plies] == list(range(1, len(plies) + 1))
    assert end["outcome"]


def test_a_seed_fixes_the_round(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    first, again, other = (run(capsys, monkeypatch, "play", "--seed", seed)[1] for seed in ("5", "5", "6"))
    assert first == again != other


def test_watch_records_and_replays(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    short = ["--rules", "official target_score=200", "--game", "--record", str(file)]
    watched = run(capsys, monkeypatch, "watch", "random", "random", "--seed", "4", *short)
    assert watched[0] == 0
    record = Record.load(file)
    assert len(record.rounds) > 1
    assert watched[1].splitlines()[-1].endswith("wins the game.")
    code, out, _ = run(capsys, monkeypatch, "replay", str(file), "--round", "2")
    assert code == 0
    assert "Round 2, ply 0 of" in out
    assert "Round 1" not in out


def test_watch_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "watch", "random", "random", "random", "--seed", "1", "--json")
    *plies, end = json_lines(out)
    assert code == 0
    assert [line["ply"] for line in plies] == list(range(1, len(plies) + 1))
    assert {"ply", "seat", "agent", "action", "events", "hand_sizes"} <= set(plies[0])
    outcome = end["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["reason"] == "went_out"


def test_replay_as_json_is_the_truth_or_what_a_seat_saw(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "round.jsonl"
    run(capsys, monkeypatch, "watch", "random", "random", "--seed", "4", "--record", str(file))
    plies = len(Record.load(file).rounds[0].actions)
    truth = json_lines(run(capsys, monkeypatch, "replay", str(file), "--json")[1])
    seen = json_lines(run(capsys, monkeypatch, "replay", str(file), "--json", "--seat", "1")[1])
    assert len(truth) == len(seen) == plies + 1
    assert "players" in truth[0]
    assert "players" not in seen[0]
    assert seen[0]["observer"] == 1


def test_replay_from_a_seat_hides_the_others(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "round.txt"
    run(capsys, monkeypatch, "watch", "random", "random", "--seed", "4", "--record", str(file))
    _, out, _ = run(capsys, monkeypatch, "replay", str(file), "--seat", "0")
    hands = [line for line in out.splitlines() if "random-1   " in line]
    assert hands
    assert all(line.split()[-1].isdigit() for line in hands)


def test_rules_and_agents_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(json.loads(run(capsys, monkeypatch, "rules", "--json")[1])) == list(PRESETS)
    explained = json.loads(run(capsys, monkeypatch, "rules", "house", "players=3", "--json")[1])
    assert explained["name"] == "house players=3"
    assert explained["fields"]["players"] == {
        "value": 3,
        "default": 2,
        "explanation": EXPLANATIONS["players"],
    }
    agents = json.loads(run(capsys, monkeypatch, "agents", "--json")[1])
    assert [agent["name"] for agent in agents] == [info.name for info in list_agents()]
    (halving,) = json.loads(run(capsys, monkeypatch, "agents", "halving", "--json")[1])
    assert halving["options"]["simulations"] == {
        "default": 1000,
        "help": "Simulations per decision, shared by all actions.",
    }


def test_agents_are_explained(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "agents")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    for info in list_agents():
        assert f"\n{info.name}\n" in f"\n{out}"
    for level in LEVELS.values():
        assert f"  {level.name} " in out
    one = run(capsys, monkeypatch, "agents", "halving")[1]
    assert one.startswith("halving\n  Weighs every legal action")
    assert "    simulations=1000  Simulations per decision, shared by all actions.\n" in one
    assert "\nrandom\n" not in one


def test_play_takes_a_level(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "play", "--level", "beginner", "--seed", "1", "--players", "3")
    assert code == 0
    assert out.startswith("heuristic against random against random: official players=3")


def test_every_field_is_explained() -> None:
    assert list(EXPLANATIONS) == [field.name for field in dataclasses.fields(Rules)]


def test_bench_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "bench", "--seconds", "0.02", "--json")
    figures = json.loads(out)
    assert code == 0
    assert figures.pop("signature") == signature()
    assert figures.pop("cpu") == _core.CPU
    assert len(figures) == 3
    assert all(figure > 0 for figure in figures.values())


def test_bench_names_the_code_path(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "bench", "--seconds", "0.01")
    assert code == 0
    assert out.splitlines()[0].split() == ["code", "path", _core.CPU]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, command, "--help")
    assert code == 0
    assert "Example: lastcard " in out


def test_without_arguments_there_is_help(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch)
    assert code == 0
    assert all(f"\n  {command} " in out for command in COMMANDS)


def test_version(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(capsys, monkeypatch, "--version")[1].startswith("lastcard ")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["watch", "nobody", "random"], "no agent 'nobody'"),
        (["watch", "random"], "at least two"),
        (["watch", "random", "random", "--record", "/nonexistent/file"], "cannot write"),
        (["play", "--players", "11"], "players must be from 2 to 10"),
        (["play", "--players", "-1"], "error: --players must be from 2 to 10, not -1\n"),
        (["play", "--players", "0"], "error: --players must be from 2 to 10, not 0\n"),
        (["play", "--record", "/nonexistent/file"], "error: --record: cannot write '/nonexistent/file'"),
        (["arena", "random", "random", "--out", "/nonexistent/file"], "error: --out: cannot write '/nonexistent/file'"),
        (["store"], "error: store needs a command: check, backup, prune or migrate\n"),
        (["replay", "none.txt"], "such file or directory; make one with: lastcard play --record none.txt\n"),
        (["analyse", "none.txt"], "such file or directory; make one with: lastcard play --record none.txt\n"),
        (["play", "--players", "2", "-a", "random", "-a", "random"], "leaves 1 seats"),
        (["play", "--rules", "nothing"], "no rules preset"),
        (["play", "--level", "impossible"], "no level 'impossible'; there are beginner, easy"),
        (["play", "--level", "easy", "--against", "random"], "--level and --against both choose the opponent"),
        (["agents", "chess"], "no agent 'chess'"),
        (["tune", "--elite", "100"], "--elite must be from 1 to 48"),
        (["tune", "--out", "/nonexistent/file"], "there is no folder '/nonexistent'"),
        (["play", "--rules", "official stacking=maybe"], "stacking must be one of"),
        (["play", "--seed", "-1"], "seed must be"),
        (["play", "--resume", "/nonexistent/file"], "cannot read"),
        (["play", "--resume", "/dev/null", "--seed", "3"], "omit them"),
        (["replay", "/dev/null"], "not a lastcard record"),
        (["replay", "/"], "cannot read"),
        (["rules", "official", "players"], "is not a change of rules"),
        (["play", "--players", "many"], "--players must be a whole number, not 'many'"),
        (["bench", "--seconds", "0"], "--seconds must be greater than or equal to 0.01, not '0'"),
        (["watch", "random", "net:/nonexistent"], "error: net: cannot read '/nonexistent'"),
        (["watch", "random", "--engine", "/nonexistent"], "cannot be started: No such file or directory\n"),
        (["play", "--nonsense"], "No such option"),
        (["nonsense"], "No such command"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], part: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = run(capsys, monkeypatch, *arguments)
    assert code == 2
    assert err.startswith("error: ")
    assert part in err
    assert err.count("\n") == 1


HOARDER = Path(__file__).parents[2] / "benchmarks" / "networks" / "hoarder-A.safetensors"


@pytest.mark.parametrize(
    "command", [["play", "--against"], ["watch", "random", "random", "random"], ["arena", "random"]]
)
def test_a_network_for_another_number_of_players_is_refused_before_the_deal(
    command: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    four = [] if command[0] == "watch" else ["--players", "4"]
    code, out, err = run(capsys, monkeypatch, *command, f"net:{HOARDER}", *four)
    assert (code, out) == (2, "")
    assert err.endswith("is for 2 players, not 4; net without a file picks the network for the table\n")
    assert err.count("\n") == 1


def test_a_match_that_a_network_cannot_play_leaves_no_file(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.jsonl"
    code, _, err = run(capsys, monkeypatch, "arena", "random", f"net:{HOARDER}", "--players", "4", "--out", str(file))
    assert (code, err.count("\n")) == (2, 1)
    assert not file.exists()


def test_a_network_that_learned_other_rules_plays_with_a_warning(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "watch", f"net:{HOARDER}", "random", "--rules", "house", "--seed", "1")
    assert code == 0
    assert "goes out" in out
    assert err.startswith(
        f"warning: net:{HOARDER} learned official, not house players=2, and may play badly; net picks"
    )
    assert run(capsys, monkeypatch, "watch", f"net:{HOARDER}", "random", "--seed", "1")[2] == ""


def test_replay_refuses_what_is_not_there(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "round.txt"
    run(capsys, monkeypatch, "watch", "random", "random", "--seed", "4", "--record", str(file))
    assert "--seat must be from 0 to 1" in run(capsys, monkeypatch, "replay", str(file), "--seat", "2")[2]
    assert "no round 9" in run(capsys, monkeypatch, "replay", str(file), "--round", "9")[2]
    assert "give one of them" in run(capsys, monkeypatch, "replay", str(file), "--seat", "0", "--truth")[2]


@pytest.mark.parametrize("command", [["replay"], ["analyse"], ["play", "--resume"]])
def test_a_record_that_was_cut_off_is_named(
    command: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "round.txt"
    run(capsys, monkeypatch, "watch", "random", "random", "--seed", "4", "--record", str(file))
    text = file.read_text()
    last = text.rstrip().rindex("\n") + 1
    for length in (text.index("[Seat1"), text.index("[Deck"), text.index("[Deck") + 9, last - 30, last):
        file.write_text(text[:length])
        code, out, err = run(capsys, monkeypatch, *command, str(file))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"error: '{file}': line ")
        assert err.endswith("; the file may be cut off\n")
    for wrong in (text.replace("Dealer", "Dealing"), "no record"):
        file.write_text(wrong)
        assert "cut off" not in run(capsys, monkeypatch, *command, str(file))[2]


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m lastcard.cli watch random random --game --seed 1 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.startswith("random against random")
    assert done.stderr == ""


def test_lastcard_itself_needs_no_terminal_libraries() -> None:
    code = "import lastcard, sys; print([name for name in ('rich', 'typer', 'pydantic') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == "[]"
