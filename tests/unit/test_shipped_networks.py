"""Every shipped network decides the same on any number of threads, in batches and one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from lastcard import _core
from lastcard.agents import make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, play_deals, play_match
from lastcard.belief import BeliefConfig
from lastcard.network import ANY, SHIPPED, Network, find_shipped
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.search import HalvingConfig
from tests.unit.helpers import random_states

QUICK = HalvingConfig(simulations=40, belief=BeliefConfig(hypotheses=16))
CONTESTANTS: dict[str, Contestant] = {
    "net": NetContestant(),
    "champion": NetContestant(name="champion"),
    "advisor": QUICK,
}
"""The agent that uses a network, by use."""
CASES = [(use, table, stem) for use, by_table in SHIPPED.items() for table, stem in by_table.items()]

each_network = pytest.mark.parametrize(("use", "table", "stem"), CASES)
each_policy = pytest.mark.parametrize(("use", "table", "stem"), [case for case in CASES if case[0] != "advisor"])


def find_table(use: str, table: str, stem: str) -> Rules:
    """Rules that the network is shipped for."""
    rules = parse_rules("official players=3" if table == ANY else table)
    assert find_shipped(rules, use) == stem
    return rules


def list_decisions(rules: Rules, count: int) -> list[Observation]:
    """Decisions of random rounds with something to choose."""
    states = (state for seed in range(count) for state in random_states(rules, seed, plies=40))
    found = [observe(state, state.seat) for state in states if state.seat is not None and len(state.legal_actions) > 1]
    return found[:: len(found) // count][:count]


@each_network
def test_threads_and_the_length_of_a_match_change_no_round(use: str, table: str, stem: str) -> None:
    rules = find_table(use, table, stem)
    seating = [CONTESTANTS[use], *[HeuristicContestant()] * (rules.players - 1)]
    one, two = (play_match(rules, seating, 12, seed=3, threads=threads) for threads in (1, 2))
    assert one == two
    long, short = (play_deals(rules, seating, num_deals, seed=3) for num_deals in (12, 5))
    assert long.plies == one.plies
    assert long.winners[: len(short.winners)] == short.winners
    assert list(long.points)[: len(short.points)] == list(short.points)


@each_policy
def test_batches_decide_as_single_observations(use: str, table: str, stem: str) -> None:
    """A match asks for the decisions of many rounds at once, an agent for one."""
    rules = find_table(use, table, stem)
    network = Network.shipped(rules, use)._compiled
    results = []
    for by_observation in (False, True):
        contestant = _core.network_contestant(network, by_observation=by_observation)
        match = _core.play_match(rules._compiled, [contestant], [0] * rules.players, 0, 6, 5, 1)
        results.append((match.winners, match.points, match.plies))
    assert results[0] == results[1]
    assert len(set(results[0][1])) > 3


@each_policy
def test_agents_in_two_threads_decide_as_one_alone(use: str, table: str, stem: str) -> None:
    seen = list_decisions(find_table(use, table, stem), 40)
    alone = [make_agent(use).choose(observation) for observation in seen]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(make_agent(use).choose, seen)) == alone
    assert len(set(alone)) > 10


@pytest.mark.parametrize(("table", "stem"), SHIPPED["advisor"].items())
def test_an_advised_search_is_the_same_on_two_threads_and_beside_another(table: str, stem: str) -> None:
    seen = list_decisions(find_table("advisor", table, stem), 20)
    one, two = (make_agent(f"halving:simulations=60,hypotheses=16,threads={threads}") for threads in (1, 2))
    assert isinstance(one, SearchAgent)
    assert isinstance(two, SearchAgent)
    reports = [one.search(observation).actions for observation in seen]
    assert [two.search(observation).actions for observation in seen] == reports
    with ThreadPoolExecutor(2) as pool:
        assert [report.actions for report in pool.map(one.search, seen)] == reports
