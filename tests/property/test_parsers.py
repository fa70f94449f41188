"""Parsers read an input or refuse it with an error of their own: a million spoiled inputs, a part for every change.

What can be read must survive being written and read again, and a state that can be read must be fit to be played.
Inputs are made by a generator with fixed seeds: valid texts with characters changed, left out, doubled or spliced,
numbers made huge, digits of other scripts and null characters put in, and plain noise.
"""

import contextlib
import json
import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.actions import ACTIONS, PASS, Action, format_action, parse_action
from lastcard.agents import make_agent
from lastcard.cards import (
    CARDS,
    Card,
    Color,
    Deck,
    format_card,
    format_cards,
    format_color,
    parse_card,
    parse_cards,
    parse_color,
)
from lastcard.errors import LastcardError
from lastcard.events import Event, format_event, parse_event
from lastcard.observation import observe
from lastcard.record import Record
from lastcard.rules import PRESETS, Rules, format_rules, parse_rules
from lastcard.state import State, deal, format_state, parse_state
from lastcard.table import Table
from tests.counts import counted
from tests.oracle.agreement import random_rules
from tests.unit.helpers import VARIED_RULES, random_states

# Inputs

NOISE = (
    *"0123456789rygbwRYGBWS+-:;,|<>()[]{}\"'=_/\\ \t\n\r",
    *"\0\x01\x0b\x1c\x7f\x85\xa0\u200b\u2028\ufeff\ud800\U0001f0cf",
    *"٣৩３²½Ⅷıſﬀßéà́",
    "<<",
    "| ",
    " | ",
    "w+4",
    "w:g",
    "seat 0:",
    "-1",
    "null",
)
NUMBERS = (
    "9" * 5000,
    "9" * 81,
    "9" * 79,
    str(2**256),
    str(2**64),
    str(2**63),
    "256",
    "255",
    "-1",
    "00",
    "1e9",
    "٣",
    "1_0",
)

Maker = Callable[[random.Random], object]


def spoil(rng: random.Random, text: str, others: Sequence[str]) -> str:
    """The text with one to three things done to it."""
    roll = rng.random
    for _ in range(1 + int(roll() * roll() * 3)):
        n = len(text)
        at = int(roll() * (n + 1))
        what = roll()
        if what < 0.3:  # change or put in a character
            text = text[:at] + NOISE[int(roll() * len(NOISE))] + text[at + (what < 0.2) :]
        elif what < 0.45:  # leave out
            text = text[:at] + text[at + 1 + int(roll() ** 3 * 20) :]
        elif what < 0.55:  # double
            end = at + 1 + int(roll() ** 3 * 40)
            text = text[:end] + text[at:]
        elif what < 0.75:  # splice
            other = others[int(roll() * len(others))]
            start = int(roll() * len(other))
            text = text[:at] + other[start : start + int(roll() * 30)] + text[at + int(roll() * 3) :]
        elif what < 0.9:  # a number made huge, or just another
            digits = [i for i, character in enumerate(text[:400]) if character.isdigit()]
            if digits:
                at = digits[int(roll() * len(digits))]
                new = NUMBERS[int(roll() * len(NUMBERS))] if roll() < 0.3 else str(int(roll() * 12))
                text = text[:at] + new + text[at + 1 :]
        elif what < 0.95:  # a part moved
            cut = int(roll() * (n + 1))
            text = text[min(at, cut) :] + text[: min(at, cut)]
        else:
            text = text.swapcase() if roll() < 0.5 else text.upper()
    return text


def noise(rng: random.Random) -> object:
    """Something that is not even close."""
    kind = rng.random()
    if kind < 0.4:
        return "".join(rng.choices(NOISE, k=rng.randrange(12)))
    if kind < 0.7:
        return "".join(map(chr, (rng.randrange(0x110000) for _ in range(rng.randrange(8)))))
    if kind < 0.9:
        return rng.randbytes(rng.randrange(30)).decode("latin-1")
    return rng.choice(ODD)


ODD: tuple[object, ...] = (
    *(None, True, 0, -1, 3, 10**30, 1.5, float("nan"), float("inf"), 255, 256, -(2**31), 2**31, 2**32),
    *("", " ", "\0", "r5", "r5 r5 r5", "w " * 300, "w+4 " * 20, "٣", "over", b"r5"),
    *([], [[]], [None], [1, 2], ["r5"], {}, {"a": 1}, (), (1,), {1}, object()),
)


def texts(corpus: Sequence[str]) -> Maker:
    def make(rng: random.Random) -> object:
        if rng.random() < 0.06:
            return noise(rng)
        return spoil(rng, corpus[int(rng.random() * len(corpus))], corpus)

    return make


def mappings(corpus: Sequence[Mapping[str, object]], words: Sequence[str]) -> Maker:
    def change(rng: random.Random, value: object, depth: int) -> object:
        """The value with something in it changed."""
        if isinstance(value, dict) and value and (depth == 0 or rng.random() < 0.85):
            name = rng.choice(list(value))
            kind = rng.random()
            if kind < 0.06:
                return {key: item for key, item in value.items() if key != name}
            if kind < 0.1:
                return {**value, rng.choice(words): rng.choice(ODD)}
            return {**value, name: change(rng, value[name], depth + 1)}
        if isinstance(value, list) and value and rng.random() < 0.85:
            at = rng.randrange(len(value))
            kind = rng.random()
            if kind < 0.15:
                return value[:at] + value[at + 1 :]
            if kind < 0.3:
                return value[:at] + value[at : at + 1] + value[at:]
            return [*value[:at], change(rng, value[at], depth + 1), *value[at + 1 :]]
        if rng.random() < 0.35:
            return rng.choice(ODD)
        if isinstance(value, str):
            return spoil(rng, value, words)
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return rng.choice((value + 1, value - 1, -value, rng.randrange(12), 255, 256, 2**31))
        return rng.choice((0, 1, "r", "r5", corpus[0]))

    def make(rng: random.Random) -> object:
        made: object = corpus[int(rng.random() * len(corpus))]
        if rng.random() < 0.01:
            return rng.choice(ODD)
        for _ in range(1 + int(rng.random() * rng.random() * 3)):
            made = change(rng, made, 0)
        return made

    return make


# What to do with them


@dataclass
class Findings:
    """The first input of each kind that went wrong."""

    tried: int = 0
    read: int = 0
    wrong: dict[str, str] = field(default_factory=dict)

    def note(self, kind: str, given: object) -> None:
        if kind not in self.wrong or len(repr(given)) < len(self.wrong[kind]):
            self.wrong[kind] = repr(given)

    def report(self) -> str:
        return "\n".join(f"{kind}\n    {shown[:1500]}" for kind, shown in self.wrong.items())


def attack(
    make: Maker, read: Callable[[object], object], check: Callable[[object], None], count: int, seed: int
) -> Findings:
    """Gives a parser so many inputs."""
    rng = random.Random(seed)
    findings = Findings()
    for _ in range(count):
        made = make(rng)
        findings.tried += 1
        try:
            value = read(made)
        except LastcardError:
            continue
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            findings.note(
                f"{type(error).__name__} at {where.filename.rpartition('/')[2]}:{where.lineno}: {error}"[:200], made
            )
            continue
        findings.read += 1
        try:
            check(value)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            findings.note(f"read, but then {type(error).__name__} at line {where.lineno} {where.line}", made)
    return findings


def comes_back(write: Callable[..., str], read: Callable[..., object]) -> Callable[[object], None]:
    def check(value: object) -> None:
        assert read(write(value)) == value

    return check


def check_state(value: object) -> None:
    """A state that was read can be written, read again, looked at and played."""
    assert isinstance(value, State)
    fields = value.to_dict()
    again = parse_state(format_state(value))
    assert again == value
    assert again.to_dict() == fields
    back = State.from_dict(json.loads(json.dumps(fields)))
    assert back == value
    assert back.to_dict() == fields
    rng = random.Random(value.ply)
    state = value
    deck = list(state.rules.deck.cards())
    for turn in range(31):
        cards = [card for player in state.players for card in player.hand]
        assert sorted([*cards, *state.draw_pile, *state.discard_pile]) == deck
        legal = state.legal_actions
        assert bool(legal) != state.is_over
        if turn in (0, 1, 2, 30) or state.is_over:
            for seat in range(state.rules.players):
                seen = observe(state, seat)
                assert len(seen.to_dict()) == 28
                assert str(seen)
        if state.is_over:
            assert state.outcome is not None
            break
        action = rng.choice(legal)
        plies, state = state.ply, state.after(action)
        assert state.ply == plies + (action is not PASS)


def check_rules(value: object) -> None:
    assert isinstance(value, Rules)
    assert parse_rules(format_rules(value)) == value
    assert Rules.from_dict(value.to_dict()) == value


def check_record(value: object) -> None:
    assert isinstance(value, Record)
    assert Record.from_text(value.to_text()) == value
    assert Record.from_json_lines(value.to_json_lines()) == value


def check_agent(value: object) -> None:
    assert callable(value.choose)  # type: ignore[attr-defined]


def check_event(value: object) -> None:
    assert isinstance(value, Event)
    assert parse_event(format_event(value)) == value


# Valid ones to begin with


@cache
def states() -> tuple[State, ...]:
    """A few of each phase under all kinds of rules."""
    found: dict[object, list[State]] = {}
    for text in VARIED_RULES:
        for seed in range(6):
            for state in random_states(parse_rules(text), seed, plies=120):
                same = found.setdefault((text, state.phase, state.is_over), [])
                if len(same) < 2:
                    same.append(state)
    return tuple(state for same in found.values() for state in same)


HAND_MADE = (
    "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR",
    "top w | color g | seat 0: r7 b2 w | seat 1: g1 g1 yR | to act 1 | direction -1",
    "top w | phase name_color | seat 0: r7 | seat 1: g1",
    "top r5 | seat 0: r7 b2 | seat 1: g1 | phase drawn | drawn r7",
    "rules tournament players=3 | top w+4 | color g | last color r | seat 0: r7 r8 | seat 1: g1 | seat 2: b1 b2"
    " | phase answer | played by 0 | to act 1 | draw sum 4 | shown r7 r8 | next 2",
    "rules house players=2 | top r7 | seat 0: r7 r8 | seat 1: g1 | phase swap | played by 0",
    "rules house players=3 | top r6 | seat 0: r7 | seat 1: r6 g1 | seat 2: b1 | phase catch | to act 1 | played by 0",
    "rules house players=3 | top r6 | seat 0: r7 | seat 1: r6 g1 | seat 2: b1 | phase jump_in | to act 1"
    " | played by 0 | next 2",
    "top r5 | seat 0: r7 | seat 1: g1 | phase over | won by 0 blocked | scores 3 4 | people 1",
    "rules mini | discards r1 r2 | seat 0: r0 | seat 1: y1 | draw pile y0 y1 y2 y2 r1 r2 | stuck 1 | ply 3"
    " | round 2 | dealer 0 | seed 9",
    "top r5 | seat 0: r7 | seat 1: g1 | declared 0 1 | acted 1 | reshuffles 2"
    " | history 0 is dealt 7; turned up r5; 1 plays w:g",
)


def without_history(state: State) -> State:
    return State.from_dict({**state.to_dict(), "history": [], "before": None})


@cache
def records() -> tuple[Record, ...]:
    found = []
    for preset in PRESETS:
        rules = Rules.preset(preset)
        table = Table(rules, ["random"] * rules.players, seed=4)
        found.append(table.play_round())
        table.play_round()
        found.append(table.record)
    return tuple(found)


EVENTS = (
    *(format_event(event) for state in states()[::9] for event in state.history[:30]),
    *("0 keeps", "1 challenges 0: innocent ()", "hands pass (0: r1 / 1: w w+4)", "reshuffled 93", "9 names b"),
)
RULES_TEXTS = (
    *PRESETS,
    *VARIED_RULES,
    "official players=4 deck=r1,r2,r3,y1,y2,y3,g1,g2 hand_size=1",
    "official target_score=1_000 draw_until_playable=yes seven_zero=OFF",
)
AGENTS = ("random", "first_legal", "heuristic", "halving:simulations=50", "frequency:four_below=3,challenge_from=9")
STATE_TEXTS = (*HAND_MADE * 12, *map(str, map(without_history, states())), *map(str, states()[::7]))
STATE_DICTS = tuple(state.to_dict() for state in (*map(without_history, states()), *states()[::7]))
RULES_DICTS = tuple(parse_rules(text).to_dict() for text in RULES_TEXTS)
WORDS = tuple(
    {word for fields in STATE_DICTS[:1] for word in fields} | set(RULES_DICTS[0]) | {"r5", "w+4", "٣", "r", "0"}
)


@dataclass(frozen=True)
class Parser:
    make: Maker
    read: Callable[..., object]
    check: Callable[[object], None]
    count: int
    parts: int = 1
    least_read: float = 0.005


PARSERS: dict[str, Parser] = {
    "card": Parser(texts([card.text for card in CARDS]), parse_card, comes_back(format_card, parse_card), 160_000),
    "color": Parser(texts(["r", "y", "g", "b"]), parse_color, comes_back(format_color, parse_color), 80_000),
    "cards": Parser(
        texts(["r5", "r5 w+4, yR", "w w w w", "g0 g+2 gS,b9", format_cards(CARDS[:20])]),
        parse_cards,
        comes_back(format_cards, parse_cards),
        140_000,
    ),
    "action": Parser(
        texts([action.text for action in ACTIONS]), parse_action, comes_back(format_action, parse_action), 180_000
    ),
    "event": Parser(texts(EVENTS), parse_event, check_event, 200_000, parts=2),
    "rules": Parser(texts(RULES_TEXTS), parse_rules, check_rules, 70_000, parts=2),
    "agent": Parser(texts(AGENTS), make_agent, check_agent, 60_000),
    "rules as data": Parser(mappings(RULES_DICTS, WORDS), Rules.from_dict, check_rules, 35_000, parts=2),
    "state": Parser(texts(STATE_TEXTS), parse_state, check_state, 40_000, parts=8),
    "state as data": Parser(mappings(STATE_DICTS, WORDS), State.from_dict, check_state, 30_000, parts=8),
    "record": Parser(
        texts([record.to_text() for record in records()]), Record.from_text, check_record, 2_500, parts=2, least_read=0
    ),
    "record as JSON": Parser(
        texts([record.to_json_lines() for record in records()]),
        Record.from_json_lines,
        check_record,
        2_500,
        parts=2,
        least_read=0,
    ),
}


def test_there_are_a_million_inputs() -> None:
    assert sum(parser.count for parser in PARSERS.values()) == 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize(("name", "part"), [(name, i) for name, parser in PARSERS.items() for i in range(parser.parts)])
def test_a_parser_reads_or_refuses(name: str, part: int) -> None:
    parser = PARSERS[name]
    count = counted(parser.count // parser.parts)
    findings = attack(parser.make, parser.read, parser.check, count, seed=part)
    assert findings.tried == count
    assert not findings.wrong, f"{len(findings.wrong)} kinds of trouble\n{findings.report()}"
    assert findings.read >= parser.least_read * findings.tried  # or it would have been tried on nonsense alone


def test_the_attack_finds_a_careless_parser() -> None:
    def careless(text: object) -> object:
        return int(str(text)[0])

    findings = attack(
        texts(["12", "7"]), careless, comes_back(lambda n: f"{n}{n}", lambda text: int(text)), 2_000, seed=1
    )
    assert any("ValueError" in kind for kind in findings.wrong)
    assert any("IndexError" in kind for kind in findings.wrong)
    assert any("read, but then AssertionError" in kind for kind in findings.wrong)


# Refused on purpose


@pytest.mark.parametrize(
    "text",
    [
        "0 keeps banana",
        "1 catches 0: guilty",
        "0 calls uno 3",
        "hands pass 2 (0: r1 / 1: r2)",
        "1 is skipped r5",
        "٣ draws 2",
        "0 draws ٣",
        "1 catches ٣",
        "1 draws 1 (0: r5)",
    ],
)
def test_an_event_with_something_odd_is_refused(text: str) -> None:
    with pytest.raises(LastcardError):
        parse_event(text)


@pytest.mark.parametrize("text", ["halving:simulations=٣", "halving:simulations=1_0"])
def test_numbers_of_other_scripts_are_refused(text: str) -> None:
    with pytest.raises(LastcardError):
        make_agent(text)


def test_deeply_nested_data_is_refused() -> None:
    fields = deal(Rules()).to_dict()
    for _ in range(5_000):
        fields = {**fields, "before": fields}
    with pytest.raises(LastcardError):
        State.from_dict(fields)
    with pytest.raises(LastcardError):
        parse_state(" << ".join(["top r5 | seat 0: r7 | seat 1: g1"] * 5_000))


IMPOSSIBLE = {
    "a drawn card after the end": "top r5 | seat 0: r7 | seat 1: g1 | phase over | won by 0 went_out | drawn r7",
    "no drawn card": "top r5 | seat 0: r7 | seat 1: g1 | phase drawn | drawn",
    "two drawn cards": "top r5 | seat 0: r7 g2 | seat 1: g1 | phase drawn | drawn r7 g2",
    "three of a face shown": "top r5 | seat 0: r7 | seat 1: g1 | shown r1 r1 r1",
    "fourteen Wilds shown": "top r5 | seat 0: r7 | seat 1: g1 | shown " + "w " * 14,
    "a challenge without the color before": "rules tournament players=2 | top w+4 | color g | seat 0: r1 | seat 1: w r2"
    " | phase answer | played by 1 | draw sum 4 | shown w r2",
    "a swap without a 7": "rules house players=2 | top r5 | seat 0: r7 | seat 1: g1 | phase swap | played by 0",
    "other rules before": "top r5 | seat 0: r7 | seat 1: g1 << rules mini | top r1 | seat 0: r0 | seat 1: y1",
    "the same hand twice": "top r5 | seat 0: r7 | seat 0: r8 | seat 1: g1",
    "two top cards": "top r5 | top r6 | seat 0: r7 | seat 1: g1",
    "people who are not there": "top r5 | seat 0: r7 | seat 1: g1 | people 7",
}


@pytest.mark.parametrize("position", IMPOSSIBLE)
def test_an_impossible_position_is_refused(position: str) -> None:
    with pytest.raises(LastcardError):
        parse_state(IMPOSSIBLE[position])


def test_unhashable_data_is_refused() -> None:
    fields = deal(Rules()).to_dict()
    for name in fields:
        odd: tuple[object, ...] = ([[1]], [{}], {"a": []}, [], {})
        for value in odd:
            with contextlib.suppress(LastcardError):
                State.from_dict({**fields, name: value})


# Round trips

cards = st.sampled_from(CARDS)
actions = st.sampled_from(ACTIONS)


@given(cards)
def test_cards_come_back(card: Card) -> None:
    assert parse_card(f" {format_card(card).upper()}\t") is card


@given(st.sampled_from(Color))
def test_colors_come_back(color: Color) -> None:
    assert parse_color(format_color(color)) is color


@given(st.lists(cards))
def test_lists_of_cards_come_back(listed: list[Card]) -> None:
    assert parse_cards(format_cards(listed)) == tuple(listed)
    assert parse_cards(",".join(map(str, listed))) == tuple(listed)


@given(actions)
def test_actions_come_back(action: Action) -> None:
    assert parse_action(format_action(action)) is action


@given(st.integers(min_value=0, max_value=2**32))
def test_rules_come_back(seed: int) -> None:
    check_rules(random_rules(random.Random(seed)))


@given(st.dictionaries(cards, st.integers(0, 2), min_size=1), st.integers(2, 10), st.integers(1, 3))
def test_rules_with_any_deck_come_back(counts: dict[Card, int], players: int, hand_size: int) -> None:
    try:
        rules = Rules(deck=Deck(counts), players=players, hand_size=hand_size)
    except LastcardError:
        return
    check_rules(rules)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**256 - 1), st.integers(0, 2**32), st.integers(0, 60))
def test_states_come_back(seed: int, choice: int, plies: int) -> None:
    rng = random.Random(choice)
    rules = random_rules(rng)
    scores = [rng.randrange(-50, 500) for _ in range(rules.players)]
    bots = [rng.random() < 0.5 for _ in range(rules.players)]
    state = deal(rules, seed, scores=scores, bots=bots, round_number=rng.randrange(1, 9))
    for _ in range(plies):
        if state.is_over:
            break
        state = state.after(rng.choice(state.legal_actions))
    check_state(state)
    for event in state.history:
        check_event(event)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**256 - 1), st.integers(0, 2**32), st.integers(0, 120))
def test_records_come_back(seed: int, choice: int, plies: int) -> None:
    rules = random_rules(random.Random(choice))
    table = Table(rules, ["random"] * rules.players, seed)
    for _ in range(plies):
        if table.state.is_over:
            if table.game_outcome:
                break
            table.next_round()
        table.play_ply()
    check_record(table.record)
