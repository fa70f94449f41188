"""Engines: our agents as engines, engines as agents, and programs that do it all wrong."""

import io
import itertools
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lastcard.actions import DRAW, parse_action
from lastcard.agents import make_agent
from lastcard.cli.commands import main
from lastcard.cli.human_agent import YOU, Person
from lastcard.cli.terminal_game import TerminalGame
from lastcard.engine.agent_server import Server, serve
from lastcard.engine.client import EngineAgent, EngineConfig
from lastcard.engine.forfeit import judge_forfeit
from lastcard.engine.position import POSITION_FIELDS, read_position, write_position
from lastcard.engine.program import EngineError, Fault, Program
from lastcard.engine.protocol import (
    Best,
    Failure,
    Go,
    Info,
    NewRound,
    Position,
    Reply,
    format_line,
    parse_reply,
)
from lastcard.errors import AgentError, LastcardError, StateError
from lastcard.observation import Observation, observe
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.seeds import split_seed
from lastcard.state import deal, parse_state
from lastcard.table import Table
from tests.unit.helpers import random_states, table
from tests.unit.test_cli_play import Script

ROOT = Path(__file__).parents[2]
EXAMPLE = [sys.executable, str(ROOT / "examples" / "engine.py")]
BAD = [sys.executable, "-I", "-S", str(Path(__file__).with_name("bad_engine.py"))]
BRIEF = EngineConfig(patience_seconds=0.3, stop_seconds=0.3)
Captured = pytest.CaptureFixture[str]
POSITION = "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"


def seen(text: str = POSITION) -> Observation:
    return observe(parse_state(text), 0)


def lastcard(agent: str) -> list[str]:
    return [sys.executable, "-m", "lastcard.cli", "engine", "--agent", agent]


# Our agents as engines


class Heard:
    """A server and what it has said."""

    def __init__(self, agent: str) -> None:
        self.lines: list[str] = []
        self.server = Server(agent, self.lines.append)
        self.tell("lastcard 1")
        self.lines.clear()

    def tell(self, *lines: str) -> list[str]:
        """Says these; returns what is answered until nothing is left to think about."""
        start = len(self.lines)
        for line in lines:
            assert self.server.hear(line)
        end = time.monotonic() + 60
        while self.server.is_thinking and time.monotonic() < end:
            time.sleep(0.001)
        return self.lines[start:]


def tell_position(observation: Observation) -> list[str]:
    return [format_line(NewRound(observation.rules)), format_line(Position(write_position(observation)))]


def replies(lines: list[str]) -> list[Reply]:
    return [parse_reply(line) for line in lines]


@pytest.mark.parametrize(
    "name",
    ["first_legal", "random", "frequency", "heuristic", "halving:simulations=60", "expectiminimax:determinizations=8"],
)
def test_an_agent_chooses_the_same_behind_the_protocol(name: str) -> None:
    rules = Rules.preset("tournament", players=3)
    heard, agent = Heard(name), make_agent(name, seed=9)
    heard.tell("set seed 9")
    for state in itertools.islice(random_states(rules, 4), 12):
        assert state.seat is not None
        observation = observe(state, state.seat)
        *infos, best = replies(heard.tell(*tell_position(observation), "go"))
        assert best == Best(agent.choose(observation))
        assert all(isinstance(info, Info) for info in infos)


def test_a_large_budget_is_reported_on_the_way() -> None:
    *infos, best = replies(Heard("halving").tell(*tell_position(seen()), "go simulations 32000"))
    counts = [info.simulations for info in infos if isinstance(info, Info)]
    assert len(counts) == 3
    assert counts == sorted(counts)
    assert counts[0] <= 500 < counts[1] <= 4000 < counts[2] <= 32000
    last = infos[-1]
    assert isinstance(last, Info)
    assert best == Best(last.actions[0].action)
    assert {value.action for value in last.actions} <= set(seen().legal_actions)


def test_a_budget_in_seconds_is_one_too() -> None:
    *infos, best = replies(Heard("halving").tell(*tell_position(seen()), "go seconds 0.05"))
    assert len(infos) == 3
    assert isinstance(best, Best)


@pytest.mark.parametrize("options", ["", ":as_published,depth=1"])
def test_a_search_by_determinizations_keeps_to_the_budget_that_it_is_told(options: str) -> None:
    """The budget is in seconds or in simulations: one of each action makes a determinization."""
    heard = Heard(f"expectiminimax{options}")
    *infos, best = replies(heard.tell(*tell_position(seen()), "go seconds 0.08"))
    told = [info for info in infos if isinstance(info, Info)]
    assert len(told) == 3
    assert isinstance(best, Best)
    assert [info.seconds >= budget for info, budget in zip(told, (0.08 / 64, 0.08 / 8, 0.06), strict=True)] == [
        True
    ] * 3
    actions = len(seen().legal_actions)
    *infos, _ = replies(heard.tell(f"go simulations {10 * actions + 1}"))
    assert [info.simulations for info in infos if isinstance(info, Info)] == [10 * actions]
    *infos, _ = replies(heard.tell("go simulations 1"))
    assert [info.simulations for info in infos if isinstance(info, Info)] == [actions]
    *infos, _ = replies(heard.tell("set seconds 0.05", "go"))
    assert len(infos) == 3
    *infos, _ = replies(heard.tell("go simulations 70"))
    assert len(infos) == 1


def test_stop_is_answered_at_once_and_only_once() -> None:
    heard = Heard("halving")
    for line in (*tell_position(seen()), "go seconds 60", "ready", "go", "stop", "stop"):
        heard.server.hear(line)
    said = [reply for reply in replies(heard.lines) if not isinstance(reply, Info)]
    assert [type(reply).__name__ for reply in said] == ["Ready", "Failure", "Best"]
    assert isinstance(said[1], Failure)
    assert "still choosing" in said[1].text
    later = heard.tell("set threads 1", "go simulations 10")
    assert [type(reply) for reply in replies(later) if not isinstance(reply, Info)] == [Best]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("deal", "'deal' is not understood; expected a line that begins with lastcard, set, ready,"),
        ("go", "expected 'position' before 'go'"),
        ("position {}", "expected 'new' with the rules before 'position'"),
        ("lastcard 2", "version 2 is not spoken here; expected 'lastcard 1'"),
        ("set color 1", "set: there is no option color; expected one of seed, simulations,"),
        ("set seed -1", "seed must be"),
        ("set simulations 0", "simulations must be from 1 to 10000000, not 0"),
        ("set simulations true", "set simulations: expected a value of type int, not True"),
        ("new {}x", "new: expected JSON"),
        ('new {"players": 1}', "new: players must be from 2 to 10, not 1"),
        ("best r5", "'best r5' is not understood"),
    ],
)
def test_what_cannot_be_done_is_answered_with_an_error(line: str, answer: str) -> None:
    said = replies(Heard("halving").tell(line))
    assert len(said) == 1
    assert isinstance(said[0], Failure)
    assert answer in said[0].text


def test_an_impossible_position_is_refused_and_cannot_be_decided() -> None:
    heard = Heard("first_legal")
    heard.tell(*tell_position(seen()))
    fields = {**write_position(seen()), "draw_sum": 3}
    assert "draw_sum" in heard.tell(format_line(Position(fields)))[0]
    assert heard.tell("go") == ["error expected 'position' before 'go'"]
    assert heard.tell(tell_position(seen())[1], "go") == ["best r7"]
    over = observe(parse_state("top r5 | seat 0: r7 | seat 1: g1 | phase over | won by 0 blocked"), 0)
    assert "nothing to decide" in heard.tell(*tell_position(over), "go")[0]


def test_the_first_line_has_to_be_the_version() -> None:
    lines: list[str] = []
    said = b"ready\n\n\xff\n" + b"x" * 5_000_000 + b"\nlastcard 1\r\nready\nquit\nready\n"
    serve(Server("random", lines.append), io.BytesIO(said))
    assert "expected 'lastcard 1' before anything else" in lines[0]
    assert "not text in UTF-8" in lines[1]
    assert "longer than the 4194304 bytes" in lines[2]
    assert lines[3] == "name random"
    assert lines[-2:] == ["lastcard 1", "ready"]


def test_a_failing_agent_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard("first_legal")

    def fail(observation: Observation) -> None:
        raise RuntimeError("line\nbreak")

    monkeypatch.setattr(heard.server._agent, "choose", fail)
    assert heard.tell(*tell_position(seen()), "go") == ["error RuntimeError: line break"]


# Positions


def test_a_position_holds_an_observation_and_what_a_search_needs() -> None:
    assert tuple(write_position(seen())) == POSITION_FIELDS
    assert set(seen().to_dict()) == {"rules", *POSITION_FIELDS}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("observer", 2, "observer must be from 0 to 1"),
        ("hand", ["r7", "r9", "b2"], "legal_actions is"),
        ("hand", ["w", "b2", "r7"], "hand is ['w', 'b2', 'r7'], but by the rest ['r7', 'b2', 'w']"),
        ("hand", ["r7", "b2"], "hand has 2 cards, but hand_sizes says 3"),
        ("hand", ["r7", "b2", "w w"], "hand has 4 cards"),
        ("hand", "r7 b2 w", "hand must be a list"),
        ("hand_sizes", [3, 3, 3], "hand_sizes must have one number for each of 2 seats"),
        ("hand_sizes", [3, 200], "hand_sizes must be from 0 to 108"),
        ("hand_sizes", [3, 108], "make 112 cards, but the deck has 108"),
        ("discards", [], "discards must hold at least the top card"),
        ("discards", ["r7", "r7", "r5"], "3 r7, but the deck has 2"),
        ("draw_pile_size", 1, "draw_pile_size is 1, but by the rest 101"),
        ("top_card", "r6", "top_card is 'r6', but by the rest 'r5'"),
        ("legal_actions", ["draw"], "legal_actions is ['draw'], but by the rest"),
        ("phase", "party", "phase must be one of"),
        ("phase", "drawn", "drawn_card belongs to phase drawn"),
        ("seat", None, "seat is missing in phase turn"),
        ("outcome", {"winner": 0}, "outcome must be null or have a list of points"),
        ("history", ["1 draws 1 (r5)"], "cards that seat 0 cannot have seen"),
        ("history", ["5 draws 1"], "names a seat beyond 1"),
        ("history", [3], "history: 3 is not an event"),
        ("scores", [1], "scores must have one number for each"),
        ("next_seat", 1, "next_seat is 1, but by the rest None"),
        ("ply", -1, "ply must be from 0"),
    ],
)
def test_a_position_that_cannot_be_is_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(StateError) as caught:
        read_position({**write_position(seen()), field: value}, seen().rules)
    assert message in str(caught.value)


def test_a_position_has_just_its_fields() -> None:
    fields = write_position(seen())
    with pytest.raises(StateError, match="there is no field 'truth'"):
        read_position({**fields, "truth": 1}, seen().rules)
    with pytest.raises(StateError, match="field 'ply' is missing"):
        read_position({name: fields[name] for name in fields if name != "ply"}, seen().rules)
    with pytest.raises(StateError, match="expected an Observation"):
        write_position("r5")  # type: ignore[arg-type]


def test_a_card_that_another_seat_has_drawn_is_not_told() -> None:
    state = table("top r5 | seat 0: g7 | seat 1: g1 g1 yR", draws="r2 g2").after(DRAW)
    fields = write_position(observe(state, 1))
    assert (fields["phase"], fields["seat"], fields["drawn_card"]) == ("drawn", 0, None)
    assert read_position(fields, state.rules) == observe(state, 1)
    with pytest.raises(StateError, match="drawn_card is one that seat 1 cannot have seen"):
        read_position({**fields, "drawn_card": "g1"}, state.rules)


# Engines as agents


def test_the_example_plays_a_match() -> None:
    wins = [0, 0]
    with EngineAgent(EXAMPLE) as agent:
        for seed, seat in itertools.product(range(6), (0, 1)):
            agents = ["random", "random"]
            outcome = Table(Rules(), [*agents[:seat], agent, *agents[seat + 1 :]], seed).play_round().rounds[0].outcome
            assert outcome is not None
            wins[outcome.winner == seat] += 1
        assert agent.name == "shedder"
        house = Table(Rules.preset("house", players=3), [agent, "random", "random"], seed=1).play_game()
        Table(Rules.preset("tournament", players=3), ["random", agent, "random"], seed=1).play_game()
    assert sum(wins) == 12
    assert Record.from_text(house.to_text()).agents[0] == "shedder"


def test_the_example_imports_nothing_of_ours_and_is_short() -> None:
    text = Path(EXAMPLE[1]).read_text(encoding="utf-8")
    assert re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE) == ["json", "sys", "typing"]
    assert len(text.splitlines()) <= 60
    reference = (ROOT / "docs" / "reference" / "engine-protocol.md").read_text(encoding="utf-8")
    assert f"a complete engine in {len(text.splitlines())} lines" in reference


def test_an_engine_of_ours_plays_as_the_agent_itself() -> None:
    seed, rules = 5, Rules.preset("official")
    agent_seed = split_seed(seed, "agent", 1) % 2**63
    local = Table(rules, ["random", make_agent("halving:simulations=50", agent_seed)], seed).play_round()
    with EngineAgent(lastcard("halving:simulations=50"), seed=split_seed(seed, "agent", 1)) as agent:
        remote = Table(rules, ["random", agent], seed).play_round()
        assert agent.name == "halving"
    assert remote.rounds == local.rounds


def test_budget_options_and_info_reach_the_other_side() -> None:
    infos: list[Info] = []
    with EngineAgent(lastcard("halving"), EngineConfig(simulations=120), options={"hypotheses": 16}) as agent:
        agent.on_info = infos.append
        assert agent.choose(seen()) in seen().legal_actions
        assert agent.info is infos[-1]
    assert 0 < infos[-1].simulations <= 120
    with pytest.raises(EngineError, match="has no option 'speed'; there are: seed, simulations") as caught:
        EngineAgent(lastcard("halving"), options={"speed": 1}).start()
    assert caught.value.fault is Fault.REFUSED


def test_an_agent_that_was_not_started_can_be_sent_elsewhere() -> None:
    agent = pickle.loads(pickle.dumps(EngineAgent(EXAMPLE, seed=3)))
    with agent:
        assert agent.choose(seen()) is parse_action("r7")


@pytest.mark.parametrize("command", ["", " ", "'", [], [3], 5])
def test_what_is_no_command(command: object) -> None:
    with pytest.raises(AgentError, match="is not a command"):
        EngineAgent(command)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"seconds": -1}, {"simulations": -1}, {"patience_seconds": 0}])
def test_what_is_no_config(options: dict[str, float]) -> None:
    with pytest.raises(AgentError, match=next(iter(options))):
        EngineConfig(**options)  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="config must be"):
        EngineAgent("x", options)  # type: ignore[arg-type]


def test_an_engine_is_not_asked_where_nothing_is_to_be_decided() -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide here"):
        EngineAgent(EXAMPLE).choose(observe(parse_state(POSITION), 1))


# Engines that do it wrong


@pytest.mark.parametrize(
    ("words", "fault", "message"),
    [
        (["mute"], Fault.TIMED_OUT, "did not introduce itself in time"),
        (["dead"], Fault.CRASHED, "ended with status 3"),
        (["newer"], Fault.GARBLED, "speaks version 2 of the protocol, not 1"),
        (["nameless"], Fault.GARBLED, "did not send its name"),
        (["optional"], Fault.GARBLED, "at most 100 options"),
    ],
)
def test_an_engine_that_cannot_start(words: list[str], fault: Fault, message: str) -> None:
    config = EngineConfig(start_seconds=1 if words == ["mute"] else 60)
    agent = EngineAgent([*BAD, *words], config)
    with pytest.raises(EngineError) as caught:
        agent.start()
    assert caught.value.fault is fault
    assert message in str(caught.value)
    assert agent._program is None


@pytest.mark.parametrize("command", ["/nowhere/engine", str(ROOT), "a\0b"])
def test_a_program_that_cannot_be_started(command: str) -> None:
    with pytest.raises(EngineError, match="cannot be started") as caught:
        EngineAgent([command]).start()
    assert caught.value.fault is Fault.CRASHED


@pytest.mark.parametrize(
    ("words", "fault", "message"),
    [
        (["sleepy"], Fault.TIMED_OUT, "did not choose in time"),
        (["deaf"], Fault.TIMED_OUT, "did not get ready in time"),
        (["liar"], Fault.ILLEGAL, "answered swap:9, which is not legal; legal were: r7 w:r"),
        (["liar", "legal"], Fault.ILLEGAL, "answered y9"),
        (["babbler"], Fault.GARBLED, "'anything' is not an action"),
        (["dying"], Fault.CRASHED, "ended with status 1; last line on standard error: 'out of ideas'"),
        (["killed"], Fault.CRASHED, "ended with signal 9"),
        (["closed"], Fault.CRASHED, "closed its output"),
        (["flood"], Fault.TIMED_OUT, "did not choose in time"),
        (["torrent"], Fault.GARBLED, "a line longer than 65536 bytes"),
        (["bytes"], Fault.GARBLED, "is not text in UTF-8"),
        (["refusing"], Fault.REFUSED, "reports: 'no idea'"),
    ],
)
def test_an_engine_that_fails_is_reported_and_killed(words: list[str], fault: Fault, message: str) -> None:
    hangs = fault is Fault.TIMED_OUT
    agent = EngineAgent([*BAD, *words], BRIEF if hangs else EngineConfig(patience_seconds=60))
    with pytest.raises(EngineError) as caught:
        agent.choose(seen())
    assert caught.value.fault is fault
    assert message in str(caught.value)
    assert agent._program is None


def test_an_answer_that_nobody_asked_for_is_found_at_the_next_question() -> None:
    with EngineAgent([*BAD, "twice"]) as agent:
        assert agent.choose(seen()) is DRAW
        with pytest.raises(EngineError, match="sent 'best draw'; expected ready"):
            agent.choose(seen())


def test_an_engine_that_is_late_may_answer_stop() -> None:
    with EngineAgent([*BAD, "stoppable"], EngineConfig(patience_seconds=0.5, stop_seconds=60)) as agent:
        assert agent.choose(seen()) is DRAW
        assert agent.choose(seen()) is DRAW


def play_late(stop_seconds: float) -> EngineAgent:
    """Plays a round against an engine that answers only when it is told to stop, and then 0.05 s later."""
    agent = EngineAgent([*BAD, "late"], EngineConfig(seconds=0.001, stop_seconds=stop_seconds))
    with agent:
        Table(Rules.preset("mini"), [agent, "random"], seed=1).play_round()
    return agent


def test_every_decision_that_takes_too_long_is_counted() -> None:
    agent = play_late(stop_seconds=1000)
    table = Table(Rules.preset("mini"), ["first_legal", "random"], seed=1)
    seats = []
    while not table.state.is_over:
        seats.append(table.state.seat)
        table.play_ply()
    assert agent.overruns == seats.count(0) > 3


def test_an_engine_that_takes_too_long_too_often_has_lost() -> None:
    """No answer needs to be later than the engine may be for it to lose in the end."""
    with pytest.raises(EngineError, match="did not choose in time") as caught:
        play_late(stop_seconds=0.2)
    assert caught.value.fault is Fault.TIMED_OUT


def test_after_an_error_the_engine_is_started_anew() -> None:
    agent = EngineAgent([*BAD, "liar"])
    for _ in range(2):
        with pytest.raises(EngineError, match="not legal"):
            agent.choose(seen())


def is_running(pid: int) -> bool:
    """Returns True if the process is there and not just waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pids: Iterator[int]) -> None:
    end = time.monotonic() + 30
    for pid in pids:
        while is_running(pid):
            assert time.monotonic() < end, f"{pid} is still running"
            time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_an_engine_started_is_killed_with_it(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    agent = EngineAgent([*BAD, "parent", str(note)], BRIEF)
    with pytest.raises(EngineError, match="in time"):
        agent.choose(seen())
    wait_until_gone(map(int, note.read_text(encoding="ascii").split()))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("way", [EngineAgent.close, EngineAgent.kill])
def test_what_left_the_group_of_an_engine_is_killed_with_it(way: Callable[[EngineAgent], None], tmp_path: Path) -> None:
    note = tmp_path / "pids"
    agent = EngineAgent([*BAD, "daemons", str(note)], EngineConfig(stop_seconds=0.2))
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(100)"]) as bystander:
        assert agent.choose(seen()) is DRAW
        pids = [int(pid) for pid in note.read_text(encoding="ascii").split()]
        assert (len(pids), all(map(is_running, pids))) == (4, True)
        way(agent)
        wait_until_gone(iter(pids))
        assert is_running(bystander.pid)
        bystander.kill()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("words", [["stubborn"], ["good"]])
def test_closing_ends_the_program_whether_it_wants_or_not(words: list[str]) -> None:
    agent = EngineAgent([*BAD, *words], EngineConfig(stop_seconds=0.2))
    assert agent.choose(seen()) is DRAW
    assert agent._program is not None
    pid = agent._program._process.pid
    assert is_running(pid)
    agent.close()
    agent.close()
    wait_until_gone(iter([pid]))


def test_a_program_that_does_not_read_is_given_up() -> None:
    program = Program([*BAD, "good"])
    program.say([Go()], time.monotonic() + 60)
    os.kill(program._process.pid, signal.SIGSTOP)  # it is there, and does nothing
    with pytest.raises(EngineError, match="did not read its input in time"):
        program.say([Position({"text": "x" * 1_000_000})], time.monotonic() + 0.3)
    program.kill()


def test_a_program_that_talks_and_never_reads_is_given_up() -> None:
    program = Program([sys.executable, "-I", "-S", "-c", "while True: print('ready')"])
    with pytest.raises(EngineError, match="floods its output"):
        program.say([Position({"text": "x" * 1_000_000})], time.monotonic() + 60)
    program.kill()


def test_a_program_that_is_forgotten_is_killed() -> None:
    program = Program([*BAD, "stubborn"])
    pid, finalizer = program._process.pid, program._kill
    del program
    assert not finalizer.alive
    assert not is_running(pid)


# Losing by rule


@pytest.mark.parametrize(
    ("text", "winner", "points"),
    [
        ("top r5 | seat 0: r1 | seat 1: g9 w", 1, (0, 1)),
        ("top r5 | seat 0: w w | seat 1: g9 | seat 2: g1 g2", 2, (0, 0, 109)),
        ("top r5 | seat 0: w w | seat 1: g3 | seat 2: g1 g2", 1, (0, 103, 0)),
        ("rules official scoring=lowest players=3 | top r5 | seat 0: w | seat 1: g9 | seat 2: g1", 2, (50, 9, 1)),
    ],
)
def test_a_forfeited_round(text: str, winner: int, points: tuple[int, ...]) -> None:
    state = parse_state(text if text.startswith("rules") else f"rules official players={text.count('seat')} | {text}")
    forfeit = judge_forfeit(state, 0, LastcardError("gone"))
    assert (forfeit.winner, forfeit.points) == (winner, points)
    assert forfeit.to_dict() == {"seat": 0, "reason": "gone", "winner": winner, "points": list(points)}
    with pytest.raises(StateError, match="seat must be"):
        judge_forfeit(deal(Rules()), 2, LastcardError("gone"))


# At the terminal


def run(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["lastcard", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, told.out, told.err


def shell(words: list[str]) -> str:
    return " ".join(words)


def test_watch_seats_engines_after_agents(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    words = ["watch", "random", "--engine", shell(EXAMPLE), "--engine", shell(EXAMPLE), "--seed", "3"]
    code, out, err = run(capsys, monkeypatch, *words, "--record", str(file))
    assert (code, err) == (0, "")
    assert out.startswith("random against shedder against shedder: official players=3, seed 3")
    assert "shedder-2" in out.splitlines()[-1]
    assert Record.load(file).agents == ("random", "shedder", "shedder")
    assert run(capsys, monkeypatch, *words)[1] == out


def test_watch_two_engines_alone(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--engine", shell(EXAMPLE)] * 2
    assert run(capsys, monkeypatch, "watch", *words, "--seed", "1", "--json")[0] == 0
    code, _, err = run(capsys, monkeypatch, "watch", "--engine", shell(EXAMPLE))
    assert code == 2
    assert "at least two" in err


def test_an_engine_that_dies_loses_by_rule(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    words = ["watch", "random", "--engine", shell([*BAD, "dying"]), "--seed", "3", "--game", "--record", str(file)]
    code, out, err = run(capsys, monkeypatch, *words)
    assert (code, err) == (0, "")
    assert "dying loses this round by rule: engine 'dying' ended with status 1" in " ".join(out.split())
    assert out.splitlines()[-1] == "random wins the round."
    assert Record.load(file).rounds[0].outcome is None
    code, out, _ = run(capsys, monkeypatch, *words, "--json")
    forfeit = json.loads(out.splitlines()[-1])["forfeit"]
    assert (code, forfeit["seat"], forfeit["winner"]) == (0, 1, 0)


def test_play_against_an_engine_without_a_terminal(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "play", "--engine", shell(EXAMPLE), "--seed", "3")
    assert code == 0
    assert out.splitlines()[-1].startswith("Scores: heuristic")
    assert "shedder" in out.splitlines()[-1]
    words = ["play", "-a", "random", "--engine", shell([*BAD, "liar"]), "--engine-seconds", "1", "--seed", "3"]
    code, out, _ = run(capsys, monkeypatch, *words)
    assert code == 0
    assert "heuristic against random against liar" in out
    assert "liar loses this round by rule" in out


def test_a_person_is_told_that_the_engine_has_lost() -> None:
    rules, screen = Rules(), Script(lambda prompt: "keep" if "keep" in prompt else "draw")
    with EngineAgent([*BAD, "liar"]) as agent:
        agent.start()
        person = Person(screen, (YOU, agent.name))
        TerminalGame(screen, Table(rules, [person, agent], seed=3), person, None, game=True).run()
    assert "  liar loses this round by rule: engine 'liar' answered swap:9" in screen.shown
    assert "  You win the round." in screen.shown
    assert "  The game ends with it." in screen.shown


def test_an_engine_that_does_not_exist_is_an_error(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "watch", "random", "--engine", "/nowhere/engine")
    assert (code, out) == (2, "")
    assert err.startswith("error: engine '/nowhere/engine' cannot be started")
    code, _, err = run(capsys, monkeypatch, "engine", "--agent", "nobody")
    assert code == 2
    assert "no agent 'nobody'" in err


# The reference


def conversation() -> list[str]:
    path = ROOT / "docs" / "reference" / "engine-protocol.md"
    text = path.read_text(encoding="utf-8")
    if os.environ.get("UPDATE_GOLDEN"):  # `new` names all fields of the rules
        text = re.sub(r"(?<=> new )\{.*\}", lambda old: json.dumps(Rules.from_dict(json.loads(old[0])).to_dict()), text)
        path.write_text(text, encoding="utf-8")
    return text.split("```text\n")[1].split("```")[0].splitlines()


def without_findings(line: str) -> object:
    """The line without what a search finds and how long it takes."""
    reply = parse_reply(line)
    return sorted(value.action for value in reply.actions) if isinstance(reply, Info) else line


def test_the_conversation_in_the_reference_takes_place() -> None:
    heard = Heard("halving")
    said: list[str] = []
    for line in conversation():
        if line == "< ...":
            while parse_reply(said[0]).__class__.__name__ == "Option":
                said.pop(0)
        elif line.startswith("< "):
            assert without_findings(said.pop(0)) == without_findings(line[2:])
        else:
            assert said == []
            said = heard.tell(line[2:]) if line != "> quit" else []
    assert said == []


def test_the_reference_names_every_field() -> None:
    text = (ROOT / "docs" / "reference" / "engine-protocol.md").read_text(encoding="utf-8")
    assert [name for name in POSITION_FIELDS if f"\n| `{name}` |" not in text] == []
