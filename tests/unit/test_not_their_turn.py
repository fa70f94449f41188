"""An agent or search that is asked out of turn says so, and points to the way to ask."""

import pytest

import lastcard as lc
from lastcard.engine.client import EngineAgent
from lastcard.errors import AgentError
from lastcard.network import Network
from tests.unit.test_engine import EXAMPLE

STATE = lc.deal(lc.Rules.preset("official"), seed=7)
WAITING = lc.observe(STATE, 1)


def play_out() -> lc.State:
    state = STATE
    while not state.is_over:
        state = state.after(state.legal_actions[0])
    return state


OVER = play_out()
AGENTS = [*(info.name for info in lc.list_agents()), "the shipped network", "an engine"]


def make(name: str) -> lc.Agent:
    if name == "the shipped network":
        return Network.shipped(lc.Rules.preset("official"))
    return EngineAgent(EXAMPLE) if name == "an engine" else lc.make_agent(name)


@pytest.mark.parametrize("name", AGENTS)
def test_a_seat_that_is_not_to_act_decides_nothing(name: str) -> None:
    agent = make(name)
    with pytest.raises(AgentError, match=r"^seat 1 has nothing to decide here: seat 0 is to act$"):
        agent.choose(WAITING)
    for seat in (0, 1):
        with pytest.raises(AgentError, match=f"^seat {seat} has nothing to decide here: the round is over$"):
            agent.choose(lc.observe(OVER, seat))


@pytest.mark.parametrize("name", AGENTS)
def test_nobody_decides_by_the_truth(name: str) -> None:
    agent = make(name)
    for wrong in (STATE, lc.spectate(STATE), None, "r5", STATE.to_dict()):
        with pytest.raises(AgentError, match=r"^expected an Observation, not .*; use observe\(state, seat\)$"):
            agent.choose(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [info.name for info in lc.list_agents() if hasattr(info.make, "explain")])
def test_nobody_explains_what_is_not_to_be_decided(name: str) -> None:
    agent = lc.make_agent(name)
    with pytest.raises(AgentError, match="seat 1 has nothing to decide here: seat 0 is to act"):
        agent.explain(WAITING)  # type: ignore[attr-defined]
    with pytest.raises(AgentError, match=r"use observe\(state, seat\)"):
        agent.explain(STATE)  # type: ignore[attr-defined]


def test_a_belief_points_to_observe() -> None:
    with pytest.raises(lc.StateError, match=r"use observe\(state, seat\)"):
        lc.Belief(STATE)  # type: ignore[arg-type]
