"""Every shipped network is asked in two worlds that its seat cannot tell apart."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from lastcard import network
from lastcard.actions import Action
from lastcard.agents import find_agent
from lastcard.network import ANY, Network, find_shipped
from lastcard.observation import Observation, observe
from lastcard.rules import parse_rules
from tests.counts import counted
from tests.property.beliefs import any_rules
from tests.property.fairness import MakeAgent, Pair, answers_alike, make_searcher, make_worlds, truth
from tests.unit.test_shipped_networks import each_network

NUM_PAIRS = counted(900)
AGENTS = {"net": "net", "champion": "champion", "advisor": "halving"}
"""The agent that uses a network, by use."""


def list_pairs(use: str, table: str, stem: str, count: int) -> list[Pair]:
    """Pairs under the rules that the network is shipped for."""

    def make_pairs() -> Iterator[Pair]:
        for seed in range(count):
            rules = any_rules(random.Random(seed)) if table == ANY else parse_rules(table)
            if table != ANY or find_shipped(rules, use) == stem:
                yield from make_worlds(seed, rules)

    pairs = list(islice(make_pairs(), count))
    assert len(pairs) == count
    return pairs


@pytest.mark.slow
@each_network
def test_what_is_hidden_makes_no_difference_to_a_network(
    use: str, table: str, stem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = list_pairs(use, table, stem, NUM_PAIRS)
    loaded: Counter[str] = Counter()
    load = network._load_shipped

    def note(name: str) -> Network:
        loaded[name] += 1
        return load(name)

    monkeypatch.setattr(network, "_load_shipped", note)
    make: MakeAgent = lambda seed: make_searcher(find_agent(AGENTS[use]), seed)  # noqa: E731
    for number, (state, other) in enumerate(pairs):
        assert answers_alike(make, state, other, number), f"{use} answers differently in {state} and {other}"
    # The reason of a choice may ask for the network once more.
    assert set(loaded) == {stem}, "another file decided"
    assert loaded[stem] >= 2 * NUM_PAIRS


class LooksOverShoulders:
    """Plays by the network's opinion of the hands of the others."""

    def __init__(self, use: str) -> None:
        self.use = use

    def choose(self, observation: Observation) -> Action:
        world = truth()
        others = [seat for seat in range(world.rules.players) if seat != observation.observer]
        judge = Network.shipped(world.rules, self.use)
        worth = sum(abs(judge.evaluate(observe(world, seat))[0]) for seat in others)
        return observation.legal_actions[int(1000 * worth) % len(observation.legal_actions)]


@each_network
def test_a_network_that_looks_at_other_hands_is_caught(use: str, table: str, stem: str) -> None:
    """Each pair gives it away with a probability of about a half."""
    pairs = list_pairs(use, table, stem, 20)
    assert any(not answers_alike(lambda _: LooksOverShoulders(use), state, other, 0) for state, other in pairs)
