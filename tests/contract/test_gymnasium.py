"""Gymnasium's own checker on our environment, and what it does not look at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

from lastcard.actions import Action
from lastcard.agents import AgentLike, make_agent
from lastcard.envs import encode, gymnasium_env
from lastcard.envs.rounds import read_rules
from lastcard.envs.with_gymnasium import ENV_ID, LearnerEnv
from lastcard.errors import AgentError, IllegalActionError, RulesError, StateError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal, parse_state
from tests.contract.worlds import look_alike, pairs_to_act
from tests.unit.test_own_agents import WAYS


def play(env: LearnerEnv, seed: int) -> list[Any]:
    """A round in which the learner takes the first legal action, as it saw it."""
    row, info = env.reset(seed=seed)
    seen: list[Any] = [(row.tobytes(), info["action_mask"].tobytes())]
    is_over = False
    while not is_over:
        row, reward, is_over, _, info = env.step(int(info["action_mask"].argmax()))
        seen.append((row.tobytes(), reward, is_over, info["action_mask"].tobytes()))
    return seen


@pytest.mark.parametrize(("rules", "opponents"), [("official", "heuristic"), ("house", ["random"] * 3)])
def test_checker(rules: str, opponents: str | Sequence[str]) -> None:
    """Every warning of the checker fails the test."""
    check_env(gymnasium.make(ENV_ID, rules=parse_rules(rules), opponents=opponents).unwrapped)


def test_made_by_name_with_defaults_and_with_rules_as_text() -> None:
    env = gymnasium.make(ENV_ID)
    assert env.unwrapped.rules == Rules()  # type: ignore[attr-defined]
    house = gymnasium.make(ENV_ID, rules="house players=3")
    assert house.unwrapped.rules == Rules.preset("house", players=3)  # type: ignore[attr-defined]
    check_env(house.unwrapped)
    with pytest.raises(RulesError, match="nothing"):
        gymnasium.make(ENV_ID, rules="nothing")


@pytest.mark.parametrize("rules", ["house players=3", Rules.preset("house", players=3), parse_rules("mini")])
def test_a_spec_is_written_as_json_and_made_again(rules: str | Rules) -> None:
    env: Any
    for make in (gymnasium.make, partial(gymnasium.make_vec, num_envs=2)):
        env = make(ENV_ID, rules=rules)
        again: Any = make(EnvSpec.from_json(env.spec.to_json()))
        assert again.unwrapped.rules == env.unwrapped.rules == read_rules(rules)


def make_by_name() -> gymnasium.Env[Any, Any]:
    return gymnasium.make(f"lastcard.envs.with_gymnasium:{ENV_ID}", rules="official players=3", opponents="random")


def test_other_processes_make_it_by_name() -> None:
    """Processes that start empty, as on other systems, have nothing registered before they read the name."""
    envs = AsyncVectorEnv([make_by_name, make_by_name], context="spawn")
    try:
        rows, info = envs.reset(seed=1)
        rows, *_ = envs.step(info["action_mask"].argmax(axis=1))
        assert rows.shape == (2, 1080)
    finally:
        envs.close()


def test_a_round_that_reaches_max_plies_is_truncated() -> None:
    env = gymnasium_env("official max_plies=6", "random")
    ends = set()
    for seed in range(20):
        _, info = env.reset(seed=seed)
        is_over = is_cut = False
        while not (is_over or is_cut):
            _, _, is_over, is_cut, info = env.step(int(info["action_mask"].argmax()))
        ends.add((is_over, is_cut))
        with pytest.raises(StateError, match="the round is over"):
            env.step(0)
    assert ends == {(False, True)}


def test_rounds_side_by_side() -> None:
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium_env(Rules(), "random") for _ in range(3)])
    rows, info = envs.reset(seed=1)
    for _ in range(30):
        rows, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
    assert rows.shape[0] == 3


def test_a_seed_fixes_round_and_opponents() -> None:
    env, twin = (gymnasium_env(Rules.preset("tournament"), "random") for _ in range(2))
    first = play(env, 5)
    assert play(twin, 5) == first
    assert play(env, 5) == first
    assert play(env, 6) != first


def test_the_learner_sits_everywhere_unless_told() -> None:
    asked = set()
    for seed in range(30):  # a seat is missed with probability 3 * (2/3)**30, one alarm in 60,000 choices of seeds
        env = gymnasium_env(Rules.preset("official", players=3), "random")
        env.reset(seed=seed)
        asked.add(env._learner)
        told = gymnasium_env(Rules.preset("official", players=3), "random", seat=2)
        told.reset(seed=seed)
        assert told._learner == 2
    assert asked == {0, 1, 2}


class Watcher:
    """Plays on, and keeps whom it saw as whom."""

    def __init__(self) -> None:
        self.seats: set[int] = set()

    def choose(self, observation: Observation) -> Action:
        self.seats.add(observation.observer)
        return observation.legal_actions[0]


def test_opponents_sit_from_the_seat_after_the_learner_on() -> None:
    watchers = [Watcher(), Watcher(), Watcher()]
    env = gymnasium_env(Rules.preset("official", players=4), watchers, seat=2)
    for seed in range(3):
        play(env, seed)
    assert [watcher.seats for watcher in watchers] == [{3}, {0}, {1}]


def test_it_shows_the_encoding_and_pays_at_the_end() -> None:
    state = parse_state("top r5 | seat 0: r7 r2 | seat 1: g1 g1 yR")
    env = gymnasium_env(state.rules, "first_legal", seat=0, raw=True)
    row, info = env.reset(options={"state": state})
    assert np.array_equal(row, encode(observe(state, 0)))
    assert np.flatnonzero(info["action_mask"]).tolist() == [2, 7, 60]
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
    env.step(2)
    _, reward, is_over, is_cut, info = env.step(7)
    assert (reward, is_over, is_cut) == (1.0, True, False)
    assert not info["action_mask"].any()
    with pytest.raises(StateError, match="reset"):
        env.step(7)


def test_an_illegal_action_loses_the_round() -> None:
    env = gymnasium_env(Rules(), "random", seat=0)
    env.reset(options={"state": parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")})
    _, reward, is_over, _, info = env.step(41)
    assert (reward, is_over) == (-1.0, True)
    assert info["illegal_action"].startswith("index 41 is b2, which is not legal here")
    with pytest.raises(StateError, match="the round is over"):
        env.step(7)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="action must be from 0 to 80, not 99"):
        env.step(99)


def test_worlds_that_the_learner_cannot_tell_apart_look_the_same() -> None:
    count = 0
    for state, twin, observer in pairs_to_act(seed=12):
        env = gymnasium_env(state.rules, "random", seat=observer)
        row, info = env.reset(seed=1, options={"state": state})
        assert look_alike((row.tobytes(), info["action_mask"].tobytes()), _look(env, twin))
        count += 1
    assert count > 20


def _look(env: LearnerEnv, state: object) -> tuple[bytes, bytes]:
    row, info = env.reset(seed=1, options={"state": state})
    assert list(info) == ["action_mask"]
    return row.tobytes(), info["action_mask"].tobytes()


def test_wrong_arguments_are_named() -> None:
    four = Rules.preset("official", players=4)
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        gymnasium_env(four, "nobody")
    with pytest.raises(AgentError, match="opponents must be an agent for all, or a list of 3"):
        gymnasium_env(four, ["random"])
    with pytest.raises(AgentError, match="opponents: 7 is not an agent: expected an object with choose"):
        gymnasium_env(four, ["random", "random", 7])  # type: ignore[list-item]
    with pytest.raises(StateError, match="seat must be from 0 to 3, not 4"):
        gymnasium_env(four, seat=4)
    with pytest.raises(StateError, match="rules must be Rules or text such as 'official players=4', not None"):
        gymnasium_env(None)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="reset"):
        gymnasium_env(four).step(0)
    env = gymnasium_env(Rules(), make_agent("first_legal"), seat=1)
    with pytest.raises(StateError, match="over before the learner is asked"):
        env.reset(options={"state": parse_state("top r5 | seat 0: r7 | seat 1: g1 g1 yR")})


@pytest.mark.parametrize("agent", [agent for agent, _ in WAYS.values()], ids=WAYS)
def test_opponents_are_agents_of_your_own(agent: AgentLike) -> None:
    for opponents in (agent, [agent, agent]):
        env = gymnasium_env("official players=3", opponents)
        rows = [env.reset(seed=7)[0].tobytes() for _ in range(2)]
        assert rows[0] == rows[1]


def test_an_opponent_that_answers_nonsense_is_named() -> None:
    class Broken:
        def choose(self, observation: Observation) -> Action:
            return None  # type: ignore[return-value]

    env = gymnasium_env(Rules(), Broken(), seat=1)
    with pytest.raises(AgentError, match="opponents: seat 0 answered None; legal were: "):
        env.reset(options={"state": deal(Rules(), seed=7)})
