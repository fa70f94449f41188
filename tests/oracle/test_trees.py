"""The tree searches of the core agree with their short forms, simulation by simulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from lastcard.belief import BeliefConfig
from lastcard.observation import Observation, observe
from lastcard.rules import parse_rules
from lastcard.search import IsmctsConfig, MctsConfig, Pomcp, PomcpConfig, SearchReport, search_by_ismcts, search_by_mcts
from lastcard.state import State, deal
from tests.oracle import trees

RULES = [
    "mini",
    "mini must_play=off drawn_card=may_play",
    "mini players=3 must_play=off drawn_card=may_play seven_zero=on jump_in=on",
    "mini players=3 wild_draw_four=bluff uno_penalty=2 must_play=off",
]
SMALL: dict[str, Any] = {"simulations": 120, "belief": BeliefConfig(hypotheses=16), "playout_plies": 30}
PUBLISHED_SMALL = {**SMALL, "belief": BeliefConfig("uniform", hypotheses=16)}
BIG_DECK = "official players=3 hand_size=3"


def play_round(rules: str, seed: int) -> Iterator[State]:
    """A round in which every seat takes the middle one of its legal actions."""
    state = deal(parse_rules(rules), seed)
    while state.seat is not None:
        yield state
        legal = state.legal_actions
        state = state.after(legal[len(legal) // 2])


def decisions(rules: str) -> list[Observation]:
    """Some of the first rounds, with something to choose."""
    states = (state for seed in range(12) for state in play_round(rules, seed) if len(state.legal_actions) > 1)
    return [observe(state, state.seat or 0) for state in islice(states, 24)]


def visits(report: SearchReport) -> dict[int, int]:
    return {value.action.index: value.simulations for value in report.actions}


@pytest.mark.parametrize("rules", [*RULES, BIG_DECK])
@pytest.mark.parametrize(
    "config",
    [
        IsmctsConfig(**SMALL, patience=1, heuristic_first=False, playouts="random", model_random_opponents=False),
        IsmctsConfig(**SMALL, patience=3, exploration=0.3),
    ],
)
def test_ismcts(rules: str, config: IsmctsConfig) -> None:
    compared = 0
    for seed, observation in enumerate(decisions(rules)):
        assert visits(search_by_ismcts(observation, config, seed)) == trees.ismcts(observation, config, seed)
        compared += 1
    assert compared > 5


@pytest.mark.parametrize("rules", [*RULES, BIG_DECK])
@pytest.mark.parametrize(
    "config",
    [
        replace(MctsConfig.as_published(), **PUBLISHED_SMALL, draws_from_pile=True, searches_color=True),
        replace(MctsConfig.as_published(), **PUBLISHED_SMALL, draws_from_pile=True, follows_turns=True, max_depth=4),
        MctsConfig(**SMALL, max_depth=5, discount=0.9),
    ],
)
def test_mcts(rules: str, config: MctsConfig) -> None:
    compared = 0
    for seed, observation in enumerate(decisions(rules)):
        found = visits(search_by_mcts(observation, config, seed))
        expected = trees.mcts(observation, config, seed)
        if not config.searches_color:  # the color of the report is by chance
            found = {53 if 52 <= a < 56 else 57 if 56 <= a < 60 else a: n for a, n in found.items()}
            expected = {53 if a == 52 else 57 if a == 56 else a: n for a, n in expected.items()}
        assert found == expected
        compared += 1
    assert compared > 5


@pytest.mark.parametrize("rules", [*RULES, BIG_DECK])
@pytest.mark.parametrize(
    "config",
    [
        replace(PomcpConfig.as_published(), **PUBLISHED_SMALL, particles=40, rollout_depth=3),
        PomcpConfig(**SMALL, particles=30, discount=0.9),
        PomcpConfig(**SMALL, particles=8, patience=3),
    ],
)
def test_pomcp_keeps_the_same_tree(rules: str, config: PomcpConfig) -> None:
    """The tree that one decision leaves behind is the one that the next decision finds, over whole rounds."""
    compared = carried = 0
    for seed in range(24 if rules == "mini" else 8):
        core, short = Pomcp(config), trees.Pomcp(config)
        for state in play_round(rules, seed):
            if state.seat != 0 or len(state.legal_actions) == 1 or state.ply > 40:
                continue
            observation = observe(state, 0)
            report = core.search(observation, seed)
            assert visits(report) == short.search(observation, seed)
            compared += 1
            carried += core.num_carried
    assert compared > 3
    assert carried > 0 or rules == "mini", "two choices in a row are rare there"
