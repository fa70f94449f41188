"""RLCard's agents on our environment, and ours in its own."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rlcard
from rlcard.utils import reorganize, tournament

from lastcard.actions import DRAW, PASS, Action, parse_action
from lastcard.agents import AgentLike
from lastcard.envs import encode, rlcard_agent, rlcard_env
from lastcard.envs.rlcard_uno import _LEGAL, RLCARD_RULES, UnoSeat, UnoView, find_uno_id
from lastcard.envs.with_rlcard import ENV_ID, RoundEnv
from lastcard.errors import AgentError, IllegalActionError, StateError
from lastcard.events import Event
from lastcard.observation import Observation
from lastcard.phase import Phase
from lastcard.rules import Rules, parse_rules
from tests.contract.worlds import NUM_PAIRS, look_alike
from tests.property.rlcard_rounds import play_uno
from tests.property.test_two_worlds import make_pairs
from tests.unit.test_own_agents import WAYS

# Theirs on ours. `rlcard.agents` imports PyTorch and runs pip, and every worker collects this file: tests import it.


@pytest.mark.parametrize("rules", ["official max_plies=200", "house max_plies=200", "mini"])
def test_their_random_agent_plays(rules: str) -> None:
    from rlcard.agents import RandomAgent

    np.random.seed(1)
    env = rlcard_env(parse_rules(rules), seed=1)
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    for is_training in (False, True):
        trajectories, payoffs = env.run(is_training=is_training)
        assert len(trajectories) == env.num_players
        assert payoffs.sum() == pytest.approx(0)
    assert len(tournament(env, 3)) == env.num_players


@pytest.mark.long
def test_their_dqn_trains(tmp_path: Path) -> None:
    """Repeats RLCard's own example, only shorter."""
    import torch
    from rlcard.agents import DQNAgent, RandomAgent

    np.random.seed(1)
    torch.set_num_threads(1)
    env = rlcard.make(ENV_ID, config={"seed": 1, "rules": Rules.preset("study", max_plies=60)})
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[8],
        replay_memory_init_size=50,
        batch_size=16,
        train_every=16,
        save_path=str(tmp_path),
    )
    env.set_agents([agent, RandomAgent(env.num_actions)])
    for _ in range(4):
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            agent.feed(transition)
    assert agent.train_t > 0
    assert len(tournament(env, 2)) == 2


@pytest.mark.long
def test_their_nfsp_trains() -> None:
    """Neural fictitious self-play, all seats, as RLCard's own example does it."""
    import torch
    from rlcard.agents import NFSPAgent

    np.random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    env = rlcard_env(Rules.preset("study", max_plies=60), seed=1)
    agents = [
        NFSPAgent(
            num_actions=env.num_actions,
            state_shape=env.state_shape[0],
            hidden_layers_sizes=[8],
            q_mlp_layers=[8],
            anticipatory_param=0.9,
            batch_size=16,
            min_buffer_size_to_learn=16,
            q_replay_memory_init_size=32,
            q_batch_size=16,
            train_every=8,
            q_train_every=8,
        )
        for _ in range(env.num_players)
    ]
    env.set_agents(agents)
    before = agents[0].policy_network.state_dict()["mlp.2.weight"].clone()
    for _ in range(4):
        for agent in agents:
            agent.sample_episode_policy()
        trajectories, payoffs = env.run(is_training=True)
        for agent, transitions in zip(agents, reorganize(trajectories, payoffs), strict=True):
            for transition in transitions:
                agent.feed(transition)
    assert not torch.equal(agents[0].policy_network.state_dict()["mlp.2.weight"], before)
    assert len(tournament(env, 2)) == 2


class OldArray(np.ndarray):
    """RLCard's CFR agent calls `tostring`, which NumPy 2.3 took away."""

    def tostring(self) -> bytes:
        return self.tobytes()


def test_their_cfr_solves_a_tiny_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes through all of a round by taking actions back; its regrets are sums over what it has seen."""
    from rlcard.agents import CFRAgent, RandomAgent

    extract = RoundEnv._extract_state

    def with_old_arrays(self: RoundEnv, state: Any) -> dict[str, Any]:
        told = extract(self, state)
        return {**told, "obs": told["obs"].view(OldArray)}

    monkeypatch.setattr(RoundEnv, "_extract_state", with_old_arrays)
    env = rlcard_env(parse_rules("mini max_plies=8"), seed=1, allow_step_back=True)
    agent = CFRAgent(env)
    for _ in range(3):
        agent.train()
    assert len(agent.policy) > 10
    assert any(np.abs(regrets).max() > 0 for regrets in agent.regrets.values())
    env.set_agents([agent, RandomAgent(env.num_actions)])
    assert sum(env.run(is_training=False)[1]) == pytest.approx(0)


def test_environments_travel_to_other_processes() -> None:
    """Sends environments as RLCard's DMC trainer sends them to its actors."""
    env = rlcard_env(Rules.preset("house"), seed=3)
    twin = pickle.loads(pickle.dumps(env))
    assert look_alike(twin.reset()[0]["obs"], env.reset()[0]["obs"])


def test_a_seed_fixes_the_rounds() -> None:
    def rows(seed: int) -> list[bytes]:
        env = rlcard_env(Rules(), seed)
        return [env.reset()[0]["obs"].tobytes() for _ in range(3)]

    assert rows(1) == rows(1) != rows(2)


def test_steps_are_taken_back() -> None:
    env = rlcard_env(Rules.preset("house"), seed=3, allow_step_back=True)
    states = [env.reset()]
    for _ in range(12):
        states.append(env.step(next(iter(states[-1][0]["legal_actions"]))))
    for state, seat in reversed(states[:-1]):
        before, who = env.step_back()
        assert who == seat
        assert look_alike(before["obs"], state["obs"])
        assert before["action_record"] == state["action_record"]
    assert env.step_back() is False


def test_illegal_actions_and_wrong_arguments_are_named() -> None:
    env = rlcard_env(Rules(), seed=1)
    with pytest.raises(StateError, match="reset"):
        env.step(0)
    state, _ = env.reset()
    illegal = next(index for index in range(60) if index not in state["legal_actions"])
    with pytest.raises(IllegalActionError, match=f"index {illegal} is .* not legal here"):
        env.step(illegal)
    with pytest.raises(StateError, match="rules must be Rules or text such as 'official players=4', not 7"):
        rlcard_env(7)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="seed must be"):
        rlcard_env(Rules(), seed=-1)
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        rlcard_agent("nobody")
    with pytest.raises(AgentError, match="7 is not an agent: expected an object with choose"):
        rlcard_agent(7)  # type: ignore[arg-type]


# What a seat is told


def test_worlds_that_a_seat_cannot_tell_apart_look_the_same() -> None:
    for state, twin, observer in make_pairs(seed=13, num_pairs=NUM_PAIRS):
        env = rlcard_env(state.rules, seed=1, raw=True)
        looks = []
        for world in (state, twin):
            env.game._truth = world
            looks.append(env.get_state(observer))
        assert look_alike(*looks)
        assert look_alike(looks[0]["obs"], encode(looks[0]["raw_obs"]))


def play_house(seed: int, max_plies: int = 300) -> Iterator[tuple[RoundEnv, bool]]:
    """Some rounds with windows, which go by: the environment before every action, and whether a window is open."""
    rng = np.random.default_rng(seed)
    env = rlcard_env(Rules.preset("house", max_plies=max_plies), seed=seed)
    for _ in range(3):
        env.reset()
        while not env.is_over():
            truth = env.game.truth
            is_window = truth.phase in (Phase.CATCH, Phase.JUMP_IN)
            yield env, is_window
            env.step(PASS if is_window else rng.choice(np.array(truth.legal_actions, dtype=object)), raw_action=True)


def test_nobody_is_told_who_let_a_window_go_by() -> None:
    """Rule 10.7: only a seat that holds the card is asked, so that a pass would tell of it."""
    passed = 0
    for env, is_window in play_house(seed=1):
        passed += is_window
        assert not any(text == "pass" for _, text in env.game.public_actions)
    assert passed > 5


def test_a_seat_that_is_not_asked_sees_nothing_of_a_window() -> None:
    """Rule 10.7: worlds with an open window look as before it opened, to all seats but one; so does the record."""
    last: dict[int, dict[str, Any]] = {}
    hidden = 0
    for env, is_window in play_house(seed=2):
        for seat in range(env.num_players):
            state = env.get_state(seat)
            plays = [(event.seat, event.action.text) for event in state["raw_obs"].history if event.action]
            told = [(who, text) for who, text in state["action_record"] if parse_action(text).is_play]
            assert told == plays
            if is_window and seat != env.get_player_id():
                assert look_alike(state, last[seat])
                hidden += len(env.game.public_actions) > len(state["action_record"])
            last[seat] = state
    assert hidden > 20


# Ours on theirs


def uno_states(num_rounds: int) -> list[dict[str, Any]]:
    """Every decision of some rounds of RLCard's own."""
    np.random.seed(3)
    env = rlcard.make("uno", config={"seed": 3})
    states = []
    for _ in range(num_rounds):
        state, _ = env.reset()
        while not env.is_over():
            states.append({**state, "action_record": list(state["action_record"])})
            state, _ = env.step(np.random.choice(list(state["legal_actions"])))
    return states


def read_uno_state(state: Mapping[str, Any]) -> Observation:
    """The observation that a seat has followed from the beginning to here, under `RLCARD_RULES`."""
    view = UnoView.read(state)
    seat = UnoSeat(RLCARD_RULES, "first_legal", view.seat)
    seat.follow(view)
    return seat.seat.observe(view.hand, view.legal)


def test_the_same_actions_are_legal_as_in_their_uno() -> None:
    states = uno_states(12)
    for state in states:
        seen, raw = read_uno_state(state), state["raw_obs"]
        assert sorted(map(find_uno_id, seen.legal_actions)) == sorted(state["legal_actions"])
        assert len(seen.hand) == len(raw["hand"])
        assert list(seen.hand_sizes) == raw["num_cards"]
        assert seen.observer == raw["current_player"]
        assert seen.rules == RLCARD_RULES
    assert len(states) > 300


def test_what_is_told_state_by_state_is_what_is_told_of_the_whole_round() -> None:
    """The agent of a round hears only what is new; one that begins in the middle hears all, with more in doubt."""
    certain = ("hand", "hand_sizes", "discards", "draw_pile_size", "seat", "phase", "active_color", "legal_actions")
    seats: dict[int, UnoSeat] = {}
    same = different = 0
    for state in uno_states(6):
        view = UnoView.read(state)
        seat = seats.setdefault(view.seat, UnoSeat(RLCARD_RULES, "first_legal", view.seat))
        seat.follow(view)
        told, whole = seat.seat.observe(view.hand, view.legal), read_uno_state(state)
        assert {name: told.facts()[name] for name in certain} == {name: whole.facts()[name] for name in certain}
        is_same = [public(event) for event in told.history] == [public(event) for event in whole.history]
        same, different = same + is_same, different + (not is_same)
    assert same > 2 * different


def public(event: Event) -> str:
    return str(event).partition(" (")[0]


def test_what_happened_in_their_uno_is_told() -> None:
    """A Skip was turned up; seat 1 skips seat 0, draws r3 and plays it, and later draws a card it keeps."""
    raw = {
        "hand": ["r-5", "g-wild", "y-1", "y-2", "y-3", "g-4", "g-6"],
        "target": "b-7",
        "played_cards": ["b-skip", "r-skip", "r-3", "b-3", "b-7"],
        "num_cards": [5, 7],
        "current_player": 1,
        "legal_actions": ["r-wild", "g-wild", "b-wild", "y-wild"],
    }
    record = [(1, "r-skip"), (1, "draw"), (0, "b-3"), (1, "draw"), (0, "b-7")]
    seen = read_uno_state({"raw_obs": raw, "action_record": record})
    assert [public(event) for event in seen.history] == [
        "0 is dealt 7",
        "1 is dealt 7",
        "turned up bS",
        "1 plays rS",
        "1 draws 1",
        "1 plays r3",
        "0 plays b3",
        "1 draws 1",
        "0 plays b7",
    ]
    assert [str(action) for action in seen.legal_actions] == ["w:r", "w:y", "w:g", "w:b"]


def test_a_wild_has_the_color_that_was_named() -> None:
    """RLCard writes the color that the card had when the deck was made into `target`."""
    raw: dict[str, Any] = {"hand": ["r-5", "y-1"], "target": "r-wild", "num_cards": [7, 2]}
    raw |= {"played_cards": ["b-2", "y-wild"]}
    raw |= {"current_player": 1, "legal_actions": ["y-1"]}
    state = {"raw_obs": raw, "action_record": [(0, "y-wild")]}
    assert [str(action) for action in read_uno_state(state).legal_actions] == ["y1"]


def after_a_reshuffle(hand: list[str], legal: list[str]) -> dict[str, Any]:
    """A drawn Wild lies on top, and a reshuffle took it along: only what is legal tells its color.

    The record ends with an older Wild that named red, the draw that played this one, and a draw that reshuffled.
    """
    raw: dict[str, Any] = {"hand": hand, "target": "r-wild", "played_cards": [], "num_cards": [5, len(hand)]}
    raw |= {"current_player": 1, "legal_actions": legal}
    record = [(0, "r-wild"), (1, "r-7"), (0, "draw"), (1, "draw"), (0, "draw")]
    ids = {find_uno_id(_LEGAL[text]): None for text in legal}
    return {"raw_obs": raw, "action_record": record, "legal_actions": ids}


WILDS = ["r-wild", "g-wild", "b-wild", "y-wild"]


@pytest.mark.parametrize("agent", ["heuristic", "first_legal", "net", "halving:simulations=50"])
@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        (["r-5", "r-6", "y-1", "y-2", "b-3"], ["y-1", "y-2"]),
        (["r-5", "r-6", "y-1", "g-2", "g-wild"], WILDS),
        (["r-5", "r-6", "y-1", "y-2", "g-wild"], ["y-1", "y-2", *WILDS]),
    ],
)
def test_the_color_of_a_wild_is_found_after_a_reshuffle(agent: str, hand: list[str], legal: list[str]) -> None:
    state = after_a_reshuffle(hand, legal)
    assert set(map(find_uno_id, read_uno_state(state).legal_actions)) == set(state["legal_actions"])
    assert rlcard_agent(agent).step(state) in state["legal_actions"]


def test_our_answers_are_legal_in_their_uno() -> None:
    """Many more rounds are in the soak: `python -m tests.soak --rlcard N`."""
    assert play_uno(num_rounds=40, seed=5) > 200


def test_our_agents_play_their_uno() -> None:
    env = rlcard.make("uno", config={"seed": 4})
    pairs = [("halving:simulations=50", "heuristic"), ("expectiminimax", "frequency"), ("net", "net")]
    for is_training, (one, other) in zip((False, True, False), pairs, strict=True):
        env.set_agents([rlcard_agent(one), rlcard_agent(other)])
        _, payoffs = env.run(is_training=is_training)
        assert sorted(payoffs) == [-1, 1]
    env.set_agents([rlcard_agent("net")] * 2)
    assert sorted(env.run(is_training=False)[1]) == [-1, 1]


def test_the_benchmark_keeps_the_rows_of_other_pairings(tmp_path: Path) -> None:
    from benchmarks.strength.rlcard import list_pairings, save

    file = tmp_path / "rows.json"
    first, *_, last = list_pairings(1)
    for name, share in ((last, 0.5), (first, 0.6), (last, 0.7)):
        save([{"name": name, "share": share}], file)
    assert [(row["name"], row["share"]) for row in json.loads(file.read_text())] == [(first, 0.6), (last, 0.7)]


def test_the_benchmark_plays_every_deal_from_both_seats() -> None:
    """Two agents that play alike win one round each of every deal: nothing but the seat decides."""
    from benchmarks.strength.rlcard import measure

    row = measure("alike", rlcard_agent("first_legal"), rlcard_agent("first_legal"), deals=5)
    assert (row["share"], row["deals"], row["unfinished"]) == (0.5, 5, 0.0)
    assert row["plies"] > 10


def test_an_agent_decides_by_the_rules_it_is_given() -> None:
    assert rlcard_agent("heuristic").rules == RLCARD_RULES
    assert rlcard_agent("net").rules == RLCARD_RULES
    assert rlcard_agent("champion").rules == Rules()
    assert rlcard_agent("heuristic", rules="official").rules == Rules()
    asked: list[Observation] = []

    class Watcher:
        def choose(self, observation: Observation) -> Action:
            asked.append(observation)
            return DRAW

    state = after_a_reshuffle(["r-5", "r-6", "y-1", "y-2", "b-3"], ["y-1", "y-2"])
    assert rlcard_agent(Watcher(), rules="official").step(state) in state["legal_actions"]
    assert asked[0].rules == Rules()
    with pytest.raises(AgentError, match="champion does not play by the rules 'house players=2'"):
        rlcard_agent("champion", rules="house players=2")
    with pytest.raises(StateError, match="rules must be for two players"):
        rlcard_agent("heuristic", rules="official players=3")


def test_our_agents_play_ours() -> None:
    env = rlcard_env(Rules(), seed=5)
    env.set_agents([rlcard_agent("net"), rlcard_agent("heuristic")])
    trajectories, payoffs = env.run(is_training=False)
    assert sorted(payoffs) == [-1, 1]
    assert trajectories[0][0]["raw_obs"].observer == 0


@pytest.mark.parametrize("agent", [agent for agent, _ in WAYS.values()], ids=WAYS)
def test_agents_of_your_own_play_theirs_and_ours(agent: AgentLike) -> None:
    for env in (rlcard_env("official max_plies=50", seed=5), rlcard.make("uno", {"seed": 5})):
        state, _ = env.reset()
        assert rlcard_agent(agent).step(state) in state["legal_actions"]


def test_foreign_states_are_refused_by_field() -> None:
    agent = rlcard_agent("heuristic")
    with pytest.raises(StateError, match="raw_obs must be as in a state of RLCard's uno, not None"):
        agent.step({})
    state = uno_states(1)[0]
    wrong = {"hand": "r5", "target": None, "num_cards": [7, 7, 7], "played_cards": ["r-99"], "legal_actions": None}
    for name, value in wrong.items():
        with pytest.raises(StateError, match=name):
            agent.step({**state, "raw_obs": {**state["raw_obs"], name: value}})
