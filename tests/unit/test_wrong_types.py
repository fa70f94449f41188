"""Whatever of the wrong type is handed to the API is answered with an error of our own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import lastcard as lc

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


def test_every_function_is_tried() -> None:
    functions = {name for name in lc.__all__ if inspect.isfunction(getattr(lc, name))}
    assert functions - {"list_agents"} <= {name.split()[0] for name in WRONG}


def test_every_function_shows_an_example() -> None:
    functions = [name for name in lc.__all__ if inspect.isfunction(getattr(lc, name))]
    assert [name for name in functions if ">>>" not in (getattr(lc, name).__doc__ or "")] == []
