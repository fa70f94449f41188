"""Whatever of the wrong type is handed to the API is answered with an error of our own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lastcard as lc
from lastcard import advice, agents, analysis, exact, learning, puzzles, search, store

STATE = lc.deal(lc.Rules.preset("mini"), seed=1)
RECORD = lc.Table(lc.Rules.preset("mini"), ["random", "random"], seed=1).play_round()
API: Any = lc

WRONG: dict[str, Callable[[], object]] = {
    "Action()": lambda: API.Action(None),
    "Action.name_color": lambda: API.Action.name_color("g"),
    "Action.play a text": lambda: API.Action.play("r5"),
    "Action.play naming a text": lambda: API.Action.play(lc.WILD, naming="g"),
    "Action.swap": lambda: API.Action.swap(None),
    "Card": lambda: API.Card("x", []),
    "Deck": lambda: API.Deck(5),
    "Deck.of": lambda: API.Deck.of(5),
    "Deck.of lists": lambda: API.Deck.of([[]]),
    "Record.load": lambda: API.Record.load(None),
    "Record.from_text": lambda: API.Record.from_text(5),
    "Record.from_json_lines": lambda: API.Record.from_json_lines(None),
    "Record.save": lambda: API.Record.save(RECORD, 5),
    "Record.states": lambda: list(API.Record.states(RECORD, "x")),
    "Rules.from_dict": lambda: API.Rules.from_dict(5),
    "Rules.preset": lambda: API.Rules.preset([]),
    "Rules.replace": lambda: API.Rules().replace(bogus=1),
    "Belief": lambda: API.Belief(5),
    "Belief config": lambda: API.Belief(lc.observe(STATE, 0), "uniform"),
    "Belief seed": lambda: API.Belief(lc.observe(STATE, 0), seed=-1),
    "BeliefConfig": lambda: API.BeliefConfig([]),
    "HalvingConfig": lambda: API.HalvingConfig("many"),
    "ExpectiminimaxConfig": lambda: API.ExpectiminimaxConfig("many"),
    "search_by_expectiminimax": lambda: API.search_by_expectiminimax(STATE),
    "search_by_expectiminimax config": lambda: API.search_by_expectiminimax(lc.observe(STATE, 0), 1000),
    "search_by_expectiminimax seed": lambda: API.search_by_expectiminimax(lc.observe(STATE, 0), seed="7"),
    "search_by_halving": lambda: API.search_by_halving(STATE),
    "search_by_halving config": lambda: API.search_by_halving(lc.observe(STATE, 0), 1000),
    "search_by_halving seed": lambda: API.search_by_halving(lc.observe(STATE, 0), seed="7"),
    "search_by_ismcts": lambda: API.search_by_ismcts(STATE),
    "search_by_ismcts config": lambda: API.search_by_ismcts(lc.observe(STATE, 0), lc.PomcpConfig()),
    "search_by_mcts": lambda: API.search_by_mcts(STATE),
    "search_by_mcts config": lambda: API.search_by_mcts(lc.observe(STATE, 0), 1000),
    "search_by_pomcp": lambda: API.search_by_pomcp(STATE),
    "search_by_pomcp config": lambda: API.search_by_pomcp(lc.observe(STATE, 0), lc.MctsConfig()),
    "Pomcp": lambda: API.Pomcp(7),
    "State.after": lambda: STATE.after(API),
    "State.apply_in_place": lambda: STATE.copy().apply_in_place(API),
    "State.from_dict": lambda: API.State.from_dict(5),
    "State.hand": lambda: STATE.hand(API),
    "State.perft": lambda: STATE.perft(API),
    "Table": lambda: API.Table(5, ["random", "random"]),
    "Table seed": lambda: API.Table(lc.Rules(), ["random", "random"], seed="7"),
    "Table people": lambda: API.Table(lc.Rules(), ["random", "random"], people="0"),
    "Table.resume": lambda: API.Table.resume(None),
    "deal": lambda: API.deal(5),
    "deal deck": lambda: API.deal(lc.Rules(), deck=5),
    "deal reshuffles": lambda: API.deal(lc.Rules(), reshuffles=5),
    "deal one reshuffle": lambda: API.deal(lc.Rules(), reshuffles=[5]),
    "deal scores": lambda: API.deal(lc.Rules(), scores=5),
    "deal bots": lambda: API.deal(lc.Rules(), bots=5),
    "deck_order": lambda: API.deck_order("x", 1),
    "format_action": lambda: API.format_action("x"),
    "format_card": lambda: API.format_card("x"),
    "format_cards": lambda: API.format_cards(["x"]),
    "format_color": lambda: API.format_color("x"),
    "format_event": lambda: API.format_event("x"),
    "format_rules": lambda: API.format_rules("x"),
    "format_state": lambda: API.format_state("x"),
    "list_agents": lambda: API.list_agents("x"),
    "make_agent": lambda: API.make_agent(5),
    "make_agent seed": lambda: API.make_agent("random", seed=None),
    "add_agent": lambda: API.add_agent(5),
    "load_agent": lambda: API.load_agent(5),
    "remove_agent": lambda: API.remove_agent(5),
    "spectate": lambda: API.spectate("x"),
    "Observation.from_dict": lambda: API.Observation.from_dict(5),
    "observe": lambda: API.observe("x", 0),
    "observe seat": lambda: API.observe(STATE, "0"),
    "play_random_games": lambda: API.play_random_games("x", 1),
    "play_random_games threads": lambda: API.play_random_games(lc.Rules(), 1, threads=0),
    "reshuffled": lambda: API.reshuffled([1], 1, 1),
    "reshuffled ordinal": lambda: API.reshuffled([], 1, -1),
    "split_seed": lambda: API.split_seed(7, []),
    "parse_action": lambda: API.parse_action(5),
    "parse_card": lambda: API.parse_card(None),
    "parse_cards": lambda: API.parse_cards(5),
    "parse_color": lambda: API.parse_color(5),
    "parse_event": lambda: API.parse_event(5),
    "parse_rules": lambda: API.parse_rules(5),
    "parse_state": lambda: API.parse_state(5),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_the_wrong_type_is_refused_in_our_own_words(call: Callable[[], object]) -> None:
    with pytest.raises(lc.LastcardError) as caught:
        call()
    assert len(str(caught.value)) > 15
    assert "nanobind" not in str(caught.value)
    assert "_core" not in str(caught.value)


ARGUMENTS: dict[str, Any] = {
    "rules": STATE.rules,
    "state": STATE,
    "observation": lc.observe(STATE, 0),
    "record": RECORD,
    "report": lc.search_by_halving(lc.observe(STATE, 0), lc.HalvingConfig(simulations=20)),
    "belief": lc.Belief(lc.observe(STATE, 0)),
    "seat": 0,
    "seed": 1,
}
"""Arguments that fit, by name: while one argument is wrong, the others are these or their defaults."""
OBJECTS: dict[str, Any] = {
    **{type(value).__name__: value for value in ARGUMENTS.values()},
    "Action": lc.DRAW,
    "AgentInfo": lc.list_agents()[0],
    "Card": lc.WILD,
    "Event": STATE.history[0],
    "Pomcp": lc.Pomcp(),
    "PublicObservation": lc.spectate(STATE),
    "RoundRecord": RECORD.rounds[0],
    "Situation": advice.Situation.parse(hand="r5 r9", top="r7", opponents="1"),
    "TrainConfig": learning.TrainConfig(),
}
NONSENSE: tuple[Any, ...] = (
    None,
    5,
    -1,
    "x",
    b"x",
    1.5,
    [],
    {},
    object(),
    10**30,
    [[]],
    [object()],
    {5: 6},
    lambda *_: 1,
    STATE,
)
ROOMS = (lc, advice, agents, analysis, exact, learning, puzzles, search, store)
INTERNAL = {"BeliefConfig.of", "Pomcp.trace", "Deck.get"}
"""Methods for other modules; and `get` is that of every mapping."""


def list_calls(room: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions, classes and methods that a room offers, with the names to report."""
    for name in room.__all__:
        offered = getattr(room, name)
        if inspect.isfunction(offered):
            yield name, offered
        if not inspect.isclass(offered) or issubclass(offered, BaseException | Enum):
            continue
        yield name, offered
        for method in dir(offered):
            is_bound = isinstance(inspect.getattr_static(offered, method), classmethod | staticmethod)
            owner = offered if is_bound else OBJECTS.get(name)
            changes = method.startswith(("_", "save")) or method.endswith("in_place")
            if owner is not None and not changes and inspect.isroutine(getattr(owner, method)):
                yield f"{name}.{method}", getattr(owner, method)


def list_attempts(call: Callable[..., object]) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Each argument that can be wrong while the others fit."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    wanted = {each.name: each for each in inspect.signature(call).parameters.values() if each.kind in kinds}
    for name in wanted:
        others = {other: ARGUMENTS[other] for other in wanted.keys() - {name} if other in ARGUMENTS}
        needed = {other for other, each in wanted.items() if each.default is each.empty} - {name}
        if needed <= others.keys():
            yield name, partial(_call_with, call, others, name)


def _call_with(call: Callable[..., object], others: dict[str, Any], name: str, wrong: object) -> object:
    return call(**{**others, name: wrong})


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_nothing_that_is_offered_fails_in_words_of_python(
    room: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed = []
    for name, call in list_calls(room):
        for argument, attempt in list_attempts(call) if name not in INTERNAL else ():
            for wrong in NONSENSE:
                try:
                    found = attempt(wrong)
                    if isinstance(found, Iterator):
                        next(found, None)
                except lc.LastcardError:
                    continue
                except Exception as error:
                    failed.append(f"{name}({argument}={wrong!r}): {type(error).__name__}: {error}")
    assert failed == []


def test_every_function_is_tried() -> None:
    functions = {name for name in lc.__all__ if inspect.isfunction(getattr(lc, name))}
    assert functions <= {name.split()[0] for name in WRONG}


def test_every_function_shows_an_example() -> None:
    functions = [name for name in lc.__all__ if inspect.isfunction(getattr(lc, name))]
    assert [name for name in functions if ">>>" not in (getattr(lc, name).__doc__ or "")] == []
