"""Our rounds side by side as a vector environment of Gymnasium's, held against its own."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray

from lastcard.envs import encoding_blocks, gymnasium_env
from lastcard.envs.gymnasium_vector import LearnerVectorEnv
from lastcard.envs.with_gymnasium import ENV_ID
from lastcard.errors import IllegalActionError, StateError


def make(num_envs: int = 8, **options: Any) -> LearnerVectorEnv:
    env = gymnasium.make_vec(ENV_ID, num_envs=num_envs, **options)
    assert isinstance(env, LearnerVectorEnv)
    return env


def run(env: VectorEnv[Any, Any, Any], steps: int, seed: int = 1) -> list[Any]:
    """Steps by the first legal action, and everything that was returned."""
    rows, infos = env.reset(seed=seed)
    told: list[Any] = [(rows, infos)]
    for _ in range(steps):
        told.append(env.step(infos["action_mask"].argmax(axis=1)))
        infos = told[-1][-1]
    return told


def block(rows: NDArray[Any], name: str) -> NDArray[Any]:
    found = next(each for each in encoding_blocks() if each.name == name)
    return rows[..., found.start : found.stop]


def test_it_is_a_vector_environment() -> None:
    env = make(4)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    for rows, rewards, terminated, truncated, _ in run(env, 60)[1:]:
        assert env.observation_space.contains(rows)
        assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)
        assert rewards.shape == terminated.shape == truncated.shape == (4,)
    env.close()


def describe(value: Any) -> Any:
    """The keys, types and shapes of infos, by name."""
    if isinstance(value, dict):
        return {key: describe(each) for key, each in value.items()}
    if value.dtype == object:
        return ("object", value.shape, {None if each is None else (each.dtype, each.shape) for each in value})
    return value.dtype, value.shape


def test_infos_have_the_form_of_gymnasiums_own() -> None:
    theirs = SyncVectorEnv(
        [lambda: gymnasium_env("official", "random") for _ in range(4)], autoreset_mode=AutoresetMode.SAME_STEP
    )
    forms = []
    for env in (theirs, make(4, opponents="random")):
        told = run(env, 150)
        ended = next(infos for *_, over, cut, infos in told[1:] if 0 < (over | cut).sum() < 4)
        forms.append((describe(told[0][-1]), describe(ended)))
    assert forms[0] == forms[1]
    assert "final_obs" in forms[0][1]


def test_a_round_that_ends_is_told_before_the_next_begins() -> None:
    env = make(16, opponents="random", raw=True)
    ends = 0
    for rows, rewards, terminated, truncated, infos in run(env, 120)[1:]:
        assert not truncated.any()
        assert np.array_equal(terminated, infos.get("_final_obs", np.zeros(16, np.bool_)))
        assert not rewards[~terminated].any()
        for place in np.flatnonzero(terminated):
            final = infos["final_obs"][place]
            assert (rewards[place] == 1.0) == (not block(final, "own_hand").any())
            assert rewards[place] in (1.0, -1.0)
            assert block(final, "own_hand").sum() == block(final, "hand_size")[0]
            assert not block(final, "phase").any()
            assert not infos["final_info"]["action_mask"][place].any()
            assert block(rows[place], "phase").sum() == 1
            ends += 1
    assert ends > 20


def test_max_plies_truncates() -> None:
    env = make(8, rules="official max_plies=5", opponents="random")
    cut = sum(int(truncated.sum()) for _, _, _, truncated, _ in run(env, 20)[1:])
    over = sum(int(terminated.sum()) for _, _, terminated, _, _ in run(env, 20)[1:])
    assert cut > 20
    assert over == 0


def test_an_illegal_action_loses_the_round() -> None:
    env = make(3, opponents="random")
    _, infos = env.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = int((infos["action_mask"][1] == 0).argmax())
    rows, rewards, terminated, truncated, infos = env.step(actions)
    assert rewards[1] == -1.0
    assert terminated.tolist() == [False, True, False]
    assert not truncated.any()
    assert infos["final_info"]["illegal_action"][1].startswith(f"index {actions[1]} is ")
    assert infos["final_info"]["_illegal_action"].tolist() == [False, True, False]
    assert block(infos["final_obs"][1], "phase").any()
    assert block(rows[1], "phase").any()


def test_a_seed_fixes_the_rounds_and_later_ones_are_new() -> None:
    first, second, other = (run(make(4), 10, seed)[-1][0] for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
    env = make(4)
    rows, again = env.reset(seed=1)[0], env.reset()[0]
    assert not np.array_equal(rows, again)


def test_what_was_returned_stays_as_it_was() -> None:
    env = make(4)
    rows, infos = env.reset(seed=1)
    before = rows.copy(), infos["action_mask"].copy()
    env.step(infos["action_mask"].argmax(axis=1))
    assert np.array_equal(rows, before[0])
    assert np.array_equal(infos["action_mask"], before[1])


def test_gymnasiums_wrappers_and_benchmark_run_on_it() -> None:
    env = RecordEpisodeStatistics(make(4, opponents="random"))
    told = [infos for *_, infos in run(env, 100) if "episode" in infos]
    assert told
    assert all(set(infos["episode"]["r"][infos["_episode"]]) <= {1.0, -1.0} for infos in told)
    as_list = DictInfoToList(make(4, opponents="random"))
    _, infos = as_list.reset(seed=1)
    assert len(infos) == 4
    assert benchmark_vector_step(make(64), target_duration=0, seed=1) > 0


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(StateError, match="opponents must be among random, heuristic, not 'halving'"):
        make(2, opponents="halving")
    with pytest.raises(StateError, match="opponents must be random or heuristic, not None"):
        make(2, opponents=None)
    with pytest.raises(StateError, match="reset"):
        make(2).step(np.zeros(2, np.int64))
    env = make(2)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"actions\[1\] must be from 0 to 80, not 81"):
        env.step(np.array([60, 81]))
    with pytest.raises(IllegalActionError, match="actions must be 2 whole numbers from 0 to 80"):
        env.step(np.array([60.0, 60.0]))
