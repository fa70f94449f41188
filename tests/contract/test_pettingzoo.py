"""PettingZoo's own tests on our environment, and what they do not look at.

What it ships beside these cannot be run on a game like ours: its bombardment test expects arrays where an action mask
makes observations dictionaries, and the others ask for a limit of cycles, for pictures to observe or for a keyboard.
"""

from __future__ import annotations

import copy
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_states
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from lastcard.envs import MissingLibraryError, encode, pettingzoo_env, with_pettingzoo
from lastcard.errors import IllegalActionError, StateError
from lastcard.observation import observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal, parse_state
from tests.contract.worlds import NUM_PAIRS, look_alike
from tests.property.test_two_worlds import make_pairs

RULES = ["official", "house", "tournament players=10", "mini"]

# PettingZoo warns of every environment with an action mask that is not on its own list of names, and of the empty
# mask of a seat whose round is over.
expected_warnings = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


# Their tests


@expected_warnings
@pytest.mark.parametrize("rules", RULES)
def test_api(rules: str) -> None:
    api_test(pettingzoo_env(parse_rules(rules)), num_cycles=40)


@pytest.mark.parametrize("rules", RULES)
def test_seeds(rules: str) -> None:
    seed_test(partial(pettingzoo_env, parse_rules(rules)), num_cycles=40)


@expected_warnings
def test_the_names_that_pettingzoos_own_games_have() -> None:
    api_test(with_pettingzoo.env("house"), num_cycles=40)
    api_test(with_pettingzoo.raw_env(), num_cycles=40)
    seed_test(with_pettingzoo.env, num_cycles=40)
    env = with_pettingzoo.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int((env.observe(agent)["action_mask"] == 0).argmax()))
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1


@pytest.mark.parametrize("rules", ["official", "house"])
def test_render(rules: str) -> None:
    render_test(partial(pettingzoo_env, parse_rules(rules)))


def test_states() -> None:
    """Theirs picks from all actions; their own wrapper ends the round at the first that is illegal."""
    env = pettingzoo_env(Rules.preset("house"))
    check_state_space(env)
    for seed in range(3):
        check_states(TerminateIllegalWrapper(pettingzoo_env(Rules.preset("house")), illegal_reward=-1), 10, seed)


@expected_warnings
@pytest.mark.parametrize("rules", ["official", "house"])
def test_all_seats_at_once(rules: str) -> None:
    """PettingZoo's own wrapper asks the seat to act; its seed wrapper picks from all actions, as with states."""
    made = parse_rules(rules)
    parallel_api_test(turn_based_aec_to_parallel(pettingzoo_env(made)), num_cycles=40)

    def with_illegal() -> object:
        return turn_based_aec_to_parallel(TerminateIllegalWrapper(pettingzoo_env(made), illegal_reward=-1))

    parallel_seed_test(with_illegal, num_cycles=40)


# Ours


@pytest.mark.parametrize("players", range(2, 11))
def test_any_number_of_seats_plays_to_the_end(players: int) -> None:
    env = pettingzoo_env(Rules.preset("official", players=players))
    env.reset(seed=players)
    rng = np.random.default_rng(1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, is_over, _, _ = env.last()
        rewards[agent] += reward
        # Drawing only when nothing can be played: random draws would make it long.
        legal = np.flatnonzero(seen["action_mask"])
        playable = legal[legal < 60]
        env.step(None if is_over else int(rng.choice(playable if len(playable) else legal)))
    assert sorted(rewards.values())[-1] == 1.0
    assert sum(rewards.values()) == pytest.approx(0)


@expected_warnings
def test_a_round_that_reaches_max_plies_is_truncated() -> None:
    env = pettingzoo_env("official players=3 max_plies=6")
    api_test(env, num_cycles=40)
    env.reset(seed=1)
    for _ in env.agent_iter():
        seen, _, is_over, is_cut, _ = env.last()
        assert not is_over
        env.step(None if is_cut else int(seen["action_mask"].argmax()))
    assert env.agents == []
    assert env.truncations == {}
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)


def test_it_shows_the_encoding_of_the_seat() -> None:
    state = deal(Rules.preset("tournament"), seed=3)
    env = pettingzoo_env(state.rules, raw=True)
    env.reset(options={"state": state})
    rows = [encode(observe(state, seat)) for seat in range(4)]
    for seat, row in enumerate(rows):
        assert np.array_equal(env.observe(f"seat_{seat}")["observation"], row)
    assert np.array_equal(env.state(), np.concatenate(rows))
    asked = [seat for seat in range(4) if env.observe(f"seat_{seat}")["action_mask"].any()]
    assert asked == [state.seat]


def test_a_given_state_is_left_alone() -> None:
    state = deal(Rules.preset("official"), seed=3)
    env = pettingzoo_env(state.rules)
    env.reset(options={"state": state})
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert state == deal(Rules.preset("official"), seed=3)


def test_every_seat_deals_in_some_rounds() -> None:
    env = pettingzoo_env(Rules.preset("official", players=3))
    dealers = set()
    for seed in range(40):  # a seat is missed with probability 3 * (2/3)**40, one alarm in three million
        env.reset(seed=seed)
        assert env._truth is not None
        dealers.add(env._truth.dealer)
    assert dealers == {0, 1, 2}


def test_worlds_that_a_seat_cannot_tell_apart_look_the_same() -> None:
    for state, twin, observer in make_pairs(seed=11, num_pairs=NUM_PAIRS):
        env = pettingzoo_env(state.rules)
        looks = []
        for world in (state, twin):
            env.reset(seed=1, options={"state": world})
            agent = f"seat_{observer}"
            looks.append((env.observe(agent), env.infos[agent], env.rewards[agent], env.terminations[agent]))
        assert all(look_alike(*pair) for pair in zip(*looks, strict=True))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = pettingzoo_env(Rules.preset("official"))
    env.reset(options={"state": parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")})
    with pytest.raises(IllegalActionError, match="index 41 is b2, which is not legal here"):
        env.step(41)
    with pytest.raises(IllegalActionError, match="action must be from 0 to 80, not 81"):
        env.step(81)
    with pytest.raises(IllegalActionError, match="action must be a whole number from 0 to 80, not None"):
        env.step(None)
    assert env.agent_selection == "seat_0"
    env.step(7)
    assert env.agent_selection == "seat_1"


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(StateError, match="rules must be Rules or text such as 'official players=4', not 7"):
        pettingzoo_env(7)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="render_mode must be None or one of human, ansi, rgb_array, not 'gif'"):
        pettingzoo_env(Rules(), render_mode="gif")
    env = pettingzoo_env(Rules())
    with pytest.raises(StateError, match="reset"):
        env.observe("seat_0")
    with pytest.raises(StateError, match="agent must be one of seat_0, seat_1, not 'seat_2'"):
        env.observation_space("seat_2")
    with pytest.raises(StateError, match=r"options\['state'\] must be a State, not 7"):
        env.reset(options={"state": 7})
    with pytest.raises(StateError, match=r"options\['state'\] must be of the rules official, not house"):
        env.reset(options={"state": deal(Rules.preset("house"))})


def test_a_copy_goes_its_own_way() -> None:
    env = pettingzoo_env(Rules())
    env.reset(seed=5)
    twin = copy.deepcopy(env)
    action = int(np.argmax(env.observe(env.agent_selection)["action_mask"]))
    before = env.state()
    twin.step(action)
    assert np.array_equal(env.state(), before)
    env.step(action)
    assert np.array_equal(env.state(), twin.state())


def test_libraries_are_imported_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("pettingzoo", "gymnasium", "rlcard", "pyspiel", "numpy", "torch")
    code = f"import sys, lastcard.envs; print([name for name in {names} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(MissingLibraryError, match=r"pettingzoo cannot be imported .* install .*'pettingzoo<2,"):
        pettingzoo_env(Rules())
