"""Observations of all environments for other libraries: one encoding, scaled to 0 to 1 or as bytes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
import rlcard
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test
from pettingzoo.test.state_test import test_state_space as check_state_space

from lastcard.envs import (
    encode,
    encoding_blocks,
    encoding_size,
    encoding_units,
    gymnasium_env,
    openspiel_game,
    pettingzoo_env,
    rlcard_env,
    with_pettingzoo,
)
from lastcard.envs.with_gymnasium import ENV_ID
from lastcard.errors import StateError
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import State, deal

HOUSE = Rules.preset("house", players=3)
OPTIONS = [{"encoding": encoding, "raw": raw} for encoding in (1, 2) for raw in (False, True)]
each_option = pytest.mark.parametrize("options", OPTIONS, ids=str)


def expected(state: State, seat: int, encoding: int = 1, *, raw: bool = False) -> NDArray[Any]:
    row = encode(observe(state, seat), encoding)
    return row if raw else scaled(row, state.rules.players, encoding)


def scaled(rows: NDArray[Any], players: int, encoding: int) -> NDArray[Any]:
    """The bytes as the reference says: divided by their units, and copies of a Wild by 4, but at most 1."""
    inputs = rows.astype(np.float32)
    for block in encoding_blocks(players, encoding):
        faces = ("own_hand", "discard_pile", "unseen", "known_cards")
        units = [4 if block.name in faces and index >= 52 else block.unit for index in range(block.stop - block.start)]
        inputs[..., block.start : block.stop] /= np.array(units, np.float32)
    return np.minimum(inputs, np.float32(1))


def by_gymnasium(state: State, **options: Any) -> NDArray[Any]:
    env = gymnasium_env(state.rules, "random", seat=state.seat, **options)
    return env.reset(options={"state": state})[0]


def by_pettingzoo(state: State, **options: Any) -> NDArray[Any]:
    env = pettingzoo_env(state.rules, **options)
    env.reset(options={"state": state})
    seen: NDArray[Any] = env.observe(f"seat_{state.seat}")["observation"]
    return seen


def by_rlcard(state: State, **options: Any) -> NDArray[Any]:
    env = rlcard_env(state.rules, **options)
    env.game._truth = state
    row: NDArray[Any] = env.get_state(state.seat)["obs"]
    return row


@each_option
@pytest.mark.parametrize("show", [by_gymnasium, by_pettingzoo, by_rlcard])
def test_all_show_the_same(show: Callable[..., NDArray[Any]], options: dict[str, Any]) -> None:
    for seed in range(5):
        state = deal(HOUSE, seed)
        assert state.seat is not None
        row, wanted = show(state, **options), expected(state, state.seat, **options)
        assert row.dtype == wanted.dtype
        assert np.array_equal(row, wanted)


@pytest.mark.parametrize("show", [by_gymnasium, by_pettingzoo, by_rlcard])
def test_inputs_are_scaled_unless_asked_otherwise(show: Callable[..., NDArray[Any]]) -> None:
    state = deal(HOUSE, seed=5)
    assert state.seat is not None
    assert np.array_equal(show(state), expected(state, state.seat))


@pytest.mark.parametrize("encoding", [1, 2])
def test_openspiels_tensors_are_scaled_too(encoding: int) -> None:
    game = openspiel_game(HOUSE, encoding)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for seat in range(3):
        assert np.array_equal(np.float32(state.observation_tensor(seat)), expected(state.truth, seat, encoding))


@each_option
def test_the_libraries_checks_hold(options: dict[str, Any]) -> None:
    """Gymnasium's and PettingZoo's, of spaces and of what is returned; RLCard has none, so its own loop has to run."""
    check_env(gymnasium.make(ENV_ID, rules=HOUSE, opponents="random", **options).unwrapped)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation|Action mask", UserWarning)
        api_test(pettingzoo_env(HOUSE, **options), num_cycles=40)
        api_test(with_pettingzoo.env(HOUSE, **options), num_cycles=40)
    check_state_space(pettingzoo_env(HOUSE, **options))
    env = rlcard.make("lastcard", config={"seed": 1, "rules": HOUSE, **options})
    state, _ = env.reset()
    assert [list(state["obs"].shape)] * 3 == env.state_shape


@each_option
def test_spaces_hold_long_rounds(options: dict[str, Any]) -> None:
    """Hands grow far over the unit of ten cards."""
    env = gymnasium_env("official max_plies=400", "random", **options)
    row, info = env.reset(seed=1)
    bound = 255 if options["raw"] else 1
    space = env.observation_space
    assert isinstance(space, gymnasium.spaces.Box)
    assert (space.low.min(), space.high.max()) == (0, bound)
    highest, is_over = row.max(), False
    while not is_over:
        row, _, ended, is_cut, info = env.step(60 if info["action_mask"][60] else int(info["action_mask"].argmax()))
        assert env.observation_space.contains(row)
        highest, is_over = max(highest, row.max()), ended or is_cut
    assert highest > 1 if options["raw"] else highest == 1


@each_option
def test_thousands_at_a_time_show_the_same(options: dict[str, Any]) -> None:
    env = gymnasium.make_vec(ENV_ID, num_envs=4, rules=HOUSE, opponents="random", **options)
    bytes_of = gymnasium.make_vec(ENV_ID, num_envs=4, rules=HOUSE, opponents="random", **{**options, "raw": True})

    def shown(rows: NDArray[Any]) -> NDArray[Any]:
        return rows if options["raw"] else scaled(rows, 3, options["encoding"])

    (rows, infos), (raw, _) = env.reset(seed=1), bytes_of.reset(seed=1)
    ended = 0
    for _ in range(150):
        assert env.observation_space.contains(rows)
        assert np.array_equal(rows, shown(raw))
        actions = infos["action_mask"].argmax(axis=1)
        (rows, _, _, _, infos), (raw, _, _, _, told) = env.step(actions), bytes_of.step(actions)
        for place in np.flatnonzero(infos.get("_final_obs", [])):
            assert np.array_equal(infos["final_obs"][place], shown(told["final_obs"][place]))
            ended += 1
    assert ended > 5


@pytest.mark.parametrize("make", [gymnasium_env, pettingzoo_env, rlcard_env, openspiel_game])
def test_an_unknown_encoding_is_named(make: Callable[..., Any]) -> None:
    with pytest.raises(StateError, match="encoding must be from 1 to 2, not 3"):
        make("mini", encoding=3)


def test_units_are_those_of_the_blocks() -> None:
    for players, version in ((2, 1), (10, 1), (4, 2)):
        units = encoding_units(players, version)
        assert units.dtype == np.float32
        assert len(units) == encoding_size(players, version)
        assert not units.flags.writeable
        for block in encoding_blocks(players, version):
            assert set(units[block.start : block.stop]) == {block.unit}
