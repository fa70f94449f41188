"""The agent `champion`: its own network, one table, long rounds."""

from __future__ import annotations

from importlib.resources import as_file

import pytest

from lastcard.agents import find_agent, make_agent
from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, play_deals, play_match
from lastcard.arena.entrants import find_contestant
from lastcard.errors import AgentError
from lastcard.network import SHIPPED, Network, shipped_file
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal
from lastcard.table import Table

OFFICIAL = Rules.preset("official")


def list_decisions(num_rounds: int) -> list[Observation]:
    """Observations of seats that had a choice."""
    seen = []
    for seed in range(num_rounds):
        table = Table(OFFICIAL, ["random", "random"], seed=seed)
        while not table.state.is_over:
            observation = observe(table.state, table.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            table.play_ply()
    return seen


def test_it_says_what_it_is_for() -> None:
    for rules, match in (
        ("official players=4", "champion: no network is shipped for the rules 'official players=4'; net plays by them"),
        ("house players=2", "champion: no network is shipped for the rules 'house players=2'"),
    ):
        state = deal(parse_rules(rules), seed=7)
        assert not find_agent("champion").can_play(state.rules)
        with pytest.raises(AgentError, match=match):
            make_agent("champion").choose(observe(state, state.seat or 0))
    assert find_agent("champion").can_play(OFFICIAL)


def test_it_plays_its_own_network_at_tables_and_in_matches() -> None:
    """Both ways to play it decide alike, and not as `net` does."""
    champion, contestant = make_agent("champion"), find_contestant("champion", 2)
    assert contestant == NetContestant(name="champion")
    network, seen = Network.shipped(Rules.preset("official"), "champion"), list_decisions(3)
    chosen = [champion.choose(observation) for observation in seen]
    assert chosen == [network.choose(observation) for observation in seen]
    assert chosen != [make_agent("net").choose(observation) for observation in seen]
    by_name = play_deals(OFFICIAL, [NetContestant(name="champion"), HeuristicContestant()], 3, seed=1)
    with as_file(shipped_file(SHIPPED["champion"]["official"])) as file:
        assert play_deals(OFFICIAL, [NetContestant(str(file)), HeuristicContestant()], 3, seed=1) == by_name


def test_it_beats_the_heuristic_in_long_rounds_on_any_number_of_threads() -> None:
    """Cards and agents are fixed, so this comes out the same every time."""
    seating: list[Contestant] = [NetContestant(name="champion"), HeuristicContestant()]
    alone, together = (play_match(OFFICIAL, seating, 30, seed=1, threads=threads) for threads in (1, 2))
    assert alone == together
    assert alone.shares[0] > 0.7
    assert alone.plies / 60 > 200


def test_halving_is_advised_by_a_network_that_knows_hoarders() -> None:
    """Its own file for two players; the one of `net` for four."""
    four = "official players=4"
    assert (SHIPPED["advisor"]["official"], SHIPPED["advisor"][four]) == ("advisor-2", SHIPPED["net"][four])
    hoarder = NetContestant(name="champion")
    advisor = shipped_file(SHIPPED["advisor"]["official"])
    with as_file(advisor) as file:
        match = play_match(OFFICIAL, [NetContestant(str(file)), hoarder], 40, seed=1)
        short = play_match(OFFICIAL, [NetContestant(str(file)), HeuristicContestant()], 40, seed=1)
    assert match.shares[0] > 0.3
    assert short.plies / 80 < 60
