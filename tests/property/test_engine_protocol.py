"""Lines of the engine protocol: whatever comes, it is read or refused, and what is read can be written again.

Positions written by one side are read by the other as equal observations, under every preset and any rules, windows
included, and a search thinks the same of both.
"""

import itertools
import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lastcard.actions import ACTIONS
from lastcard.belief import BeliefConfig
from lastcard.engine.agent_server import Server
from lastcard.engine.position import POSITION_FIELDS, read_position, write_position
from lastcard.engine.protocol import (
    MAX_COMMAND,
    MAX_REPLY,
    Best,
    Failure,
    Go,
    Hello,
    Info,
    Name,
    NewRound,
    Option,
    Position,
    ProtocolError,
    Quit,
    Ready,
    SetOption,
    Stop,
    decode_line,
    format_line,
    parse_command,
    parse_reply,
)
from lastcard.errors import LastcardError
from lastcard.observation import Observation, observe
from lastcard.phase import Phase
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.report import ActionValue
from lastcard.state import deal
from tests.counts import counted
from tests.property.rounds import all_rules
from tests.property.test_parsers import ODD, mappings, noise, spoil
from tests.unit.helpers import VARIED_RULES, random_states

# Lines that are right

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=60)
option_names = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
values = st.one_of(
    st.booleans(),
    st.integers(-(2**63) + 1, 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.one_of(st.just(""), words),
)
types = {bool: "bool", int: "int", float: "float", str: "text"}
counts = st.integers(0, 10**12)
numbers = st.floats(0, 1e6).map(lambda number: round(number, 6))
actions = st.sampled_from(ACTIONS)
rules = st.sampled_from([*VARIED_RULES, *PRESETS]).map(parse_rules)
messages = st.one_of(
    st.builds(Hello, st.integers(1, 999_999)),
    st.builds(Name, words),
    st.builds(lambda name, value, text: Option(name, types[type(value)], value, text), option_names, values, words),
    st.builds(SetOption, option_names, values),
    st.sampled_from([Ready(), Stop(), Quit(), Go()]),
    st.builds(NewRound, rules),
    st.builds(Position, st.dictionaries(st.text(max_size=5), values | st.none() | st.lists(values), max_size=4)),
    st.builds(lambda n: Go(simulations=n), st.integers(1, 10**12)),
    st.builds(lambda n: Go(seconds=n / 1000), st.integers(1, 86_400_000)),
    st.builds(
        Info,
        counts,
        numbers,
        st.lists(st.builds(ActionValue, actions, counts, numbers, numbers), max_size=5).map(tuple),
    ),
    st.builds(Best, actions),
    st.builds(Failure, words),
)  # fmt: skip
COMMANDS = (Hello, SetOption, Ready, NewRound, Position, Go, Stop, Quit)
REPLIES = (Hello, Name, Option, Ready, Info, Best, Failure)


@pytest.mark.slow
@settings(max_examples=counted(800, least=100), deadline=None)
@given(messages)
def test_a_line_that_was_written_is_read_back(message: object) -> None:
    line = format_line(message)  # type: ignore[arg-type]
    assert "\n" not in line
    if isinstance(message, COMMANDS):
        assert parse_command(line) == message
        assert parse_command(f"  {line}\r\n") == message
    else:
        with pytest.raises(ProtocolError, match="is not understood"):
            parse_command(line)
    if isinstance(message, REPLIES):
        assert parse_reply(line) == message


# Lines that are not

WORDS = ("lastcard", "name", "option", "set", "ready", "new", "position", "go", "stop", "quit", "info", "best", "error")


def check(line: object) -> bool:
    """Returns True if a line can be read; then it can be written and read again."""
    was_read, lengths = False, {20}
    for parse in (parse_command, parse_reply):
        try:
            message = parse(line)  # type: ignore[arg-type]
        except ProtocolError as error:
            lengths.add(len(str(error)))
            continue
        was_read = True
        assert parse(format_line(message)) == message
    assert 15 < min(lengths) <= max(lengths) < 1000
    return was_read


@pytest.mark.slow
@settings(max_examples=counted(1_500, least=100), deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.binary(max_size=40).map(lambda data: data.decode("latin-1")),
        st.builds(
            lambda word, rest: f"{word} {rest}",
            st.sampled_from(WORDS),
            st.one_of(st.text(max_size=30), st.builds(json.dumps, values), st.from_regex(r"[a-z]+ [0-9.e-]{1,20}")),
        ),
    )
)
@example("go seconds 0")
@example("go seconds 1e3")
@example("go seconds ٣")
@example("go simulations 0")
@example("go simulations 10000000000000")
@example("lastcard 01x")
@example("set a NaN")
@example("set a 1e999")
@example("set a " + "9" * 5000)
@example('new {"players": 2, "players": 3}')
@example("new " + "[" * 100_000)
@example("position " + '{"a":' * 50_000)
@example('option {"name": "a", "type": "float", "default": 1e999}')
@example('info {"simulations": 1, "seconds": Infinity, "actions": []}')
@example('info {"simulations": 1, "seconds": 1, "actions": [{"action": [], "simulations": 1, "value": 1, "error": 1}]}')
@example("name \x1b[2J")
@example("best")
@example("\0")
@example("")
def test_any_line_is_read_or_refused(line: str) -> None:
    check(line)


def corpus() -> list[str]:
    """One line of each kind, and some positions."""
    seen = [
        observe(state, 0)
        for text in VARIED_RULES
        for state in itertools.islice(random_states(parse_rules(text), 1), 9, 13)
    ]
    value = ActionValue(ACTIONS[0], 5, 0.5, 0.1)
    made = [Hello(), Name("a b"), Option("simulations", "int", 5, "how many"), SetOption("seed", 5), Ready(), Go()]
    made += [
        Go(simulations=5),
        Go(seconds=0.5),
        Stop(),
        Quit(),
        Info(5, 0.1, (value,)),
        Best(ACTIONS[3]),
        Failure("no"),
    ]
    made += [NewRound(parse_rules(text)) for text in VARIED_RULES]
    made += [Position(write_position(observation)) for observation in seen]
    return [format_line(message) for message in made]  # type: ignore[arg-type]


def test_spoiled_lines_are_read_or_refused() -> None:
    rng, lines = random.Random(5), corpus()
    read = sum(check(spoil(rng, rng.choice(lines), lines)) for _ in range(6000))
    assert 500 < read < 5500
    for _ in range(2000):
        check(noise(rng))
    for odd in ODD:
        check(odd)


def test_a_line_may_not_be_longer_than_it_may() -> None:
    for parse, most in ((parse_command, MAX_COMMAND), (parse_reply, MAX_REPLY)):
        with pytest.raises(ProtocolError, match=f"longer than the {most} bytes"):
            parse("x" * most)
    with pytest.raises(ProtocolError, match=f"longer than the {MAX_COMMAND} bytes"):
        format_line(Position({"history": ["x" * MAX_COMMAND]}))
    for wrong in (Name("two\nlines"), Failure(""), Go(simulations=0), SetOption("Seed", 1), "quit"):
        with pytest.raises(ProtocolError):
            format_line(wrong)  # type: ignore[arg-type]
    assert decode_line(b"best r5\r\n") == "best r5"


# Positions


def comes_back(observation: Observation) -> Observation:
    fields = json.loads(json.dumps(write_position(observation)))
    assert tuple(fields) == POSITION_FIELDS
    back = read_position(fields, observation.rules)
    assert back == observation
    assert back.history == observation.history
    assert hash(back) == hash(observation)
    assert write_position(back) == fields
    return back


def rounds(preset: str) -> list[Rules]:
    named = [Rules.preset(preset), Rules.preset(preset, players=3)]
    return [*named, named[0].replace(scoring="lowest", max_plies=40)] if preset != "mini" else named


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_seat_of_a_round_reads_what_was_written(preset: str) -> None:
    for number, made in enumerate(rounds(preset)):
        for seed in range(counted(2)):
            for ply, state in enumerate(random_states(made, seed, plies=120)):
                if ply % 3 == number or state.is_over or state.phase in (Phase.CATCH, Phase.JUMP_IN):
                    for seat in range(made.players):
                        comes_back(observe(state, seat))


def test_any_rules_scores_and_rounds_come_back_and_look_the_same_to_a_search() -> None:
    rng = random.Random(3)
    config = HalvingConfig(simulations=40, belief=BeliefConfig(hypotheses=16))
    phases: set[tuple[Phase, bool]] = set()
    for seed, made in enumerate(itertools.islice(all_rules(8), 20, 60)):
        scores = [rng.randrange(-50, 400) for _ in range(made.players)]
        state = deal(made, seed, scores=scores, round_number=rng.randrange(1, 9))
        while not state.is_over and state.ply < 100:
            assert state.seat is not None
            seen = observe(state, state.seat)
            if rng.random() < 0.25:
                back = comes_back(seen)
                phases.add((seen.phase, state.seat == seen.observer))
                if rng.random() < 0.3:
                    reports = [search_by_halving(each, config, 3).actions for each in (seen, back)]
                    assert reports[0] == reports[1]
                other = observe(state, rng.randrange(made.players))
                comes_back(other)
                phases.add((other.phase, other.seat == other.observer))
            state = state.after(rng.choice(state.legal_actions))
        if state.is_over:
            comes_back(observe(state, 0))
    assert {phase for phase, _ in phases} >= set(Phase) - {Phase.OVER, Phase.NAME_COLOR}
    assert (Phase.DRAWN, False) in phases


def test_a_spoiled_position_is_refused_or_can_be_played_on() -> None:
    rng = random.Random(11)
    seen = [
        observe(state, state.seat)
        for text in VARIED_RULES
        for state in itertools.islice(random_states(parse_rules(text), 2), 5, 60, 9)
        if state.seat is not None
    ]
    makers = [(each.rules, mappings([write_position(each)], ["w", "r5", "0 draws 1", "turn", "x"])) for each in seen]
    config = HalvingConfig(simulations=20, belief=BeliefConfig(hypotheses=8))
    read = 0
    for _ in range(2500):
        made, make = rng.choice(makers)
        fields = make(rng)
        if not isinstance(fields, dict):
            continue
        try:
            back = read_position(fields, made)
        except LastcardError:
            continue
        read += 1
        comes_back(back)
        if back.legal_actions:
            search_by_halving(back, config)
    assert read > 100


def test_a_server_survives_anything() -> None:
    rng, lines = random.Random(17), corpus()
    said: list[str] = []
    server = Server("heuristic", said.append)
    server.hear("lastcard 1")
    for _ in range(1500):
        line = rng.choice(lines)
        line = spoil(rng, line, lines) if rng.random() < 0.5 else line
        if not line.strip().startswith("quit"):
            assert server.hear(line)
    said.append("")
    server.hear("ready")
    assert "ready" in said
    for line in said:
        if line:
            parse_reply(line)
