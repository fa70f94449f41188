"""Vector environments: the same game, repeatable, into buffers that fit, refusing what does not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lastcard.actions import ACTIONS
from lastcard.batch import play_random_games
from lastcard.envs import Buffers, VectorEnv, encoding_blocks
from lastcard.envs.vector import ENDINGS
from lastcard.errors import IllegalActionError, StateError
from lastcard.rules import PRESETS, Rules, parse_rules
from tests.unit.helpers import VARIED_RULES

OFFICIAL = Rules.preset("official")
LIMIT = 5.0

SIGNATURES = {
    "official": (0xAB444F677E393246, 0x4213A6A838C7DDED),
    "official players=4": (0x8A0A2BAC56EF5D3E, 0x6F5A600D2379939A),
    "house": (0xA9129B8978A0864E, 0x5B4DD5BDF2D43475),
    "tournament players=3": (0x75609ECE1C831A86, 0x1BF6E049336BC9CF),
}
"""Signatures of 64 environments, seed 5, after 300 steps of `random`: of the rounds, and of everything written.

A GPU must give the same.
"""


def run(env: VectorEnv, steps: int, policy: str = "random") -> tuple[Buffers, int]:
    """Steps by a policy; the buffers at the end and a digest of everything they held."""
    buffers = env.make_buffers()
    env.reset(buffers)
    actions = np.empty(env.num_envs, np.int64)
    digest = 0
    for _ in range(steps):
        env.choose(policy, actions)
        env.step(actions, buffers)
        digest = (digest * 1_000_003 + digest_of(buffers)) % 2**64
    return buffers, digest


def digest_of(buffers: Buffers) -> int:
    """A number that changes when any byte of the rows does."""
    assert buffers.observations is not None
    rows = [buffers.masks, buffers.dones[:, None], buffers.seats[:, None], buffers.observations]
    table = np.concatenate([np.asarray(row, np.uint64) for row in rows], axis=1)
    with np.errstate(over="ignore"):
        weights = np.arange(1, table.size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return int((table.ravel() * (weights | np.uint64(1))).sum(dtype=np.uint64))


# The same steps everywhere


@pytest.mark.parametrize("rules", SIGNATURES)
def test_the_signature_is_the_committed_one(rules: str) -> None:
    env = VectorEnv(64, parse_rules(rules), seed=5)
    _, digest = run(env, 300)
    assert (env.totals.signature, digest) == SIGNATURES[rules]


@pytest.mark.parametrize("rules", ["official", "house", "official players=4"])
@pytest.mark.parametrize("opponents", [None, "random", "heuristic"])
def test_threads_do_not_matter(rules: str, opponents: str | None) -> None:
    made = parse_rules(rules)
    results = []
    for threads in (1, 3):
        env = VectorEnv(37, made, seed=3, opponents=opponents, threads=threads)
        results.append((run(env, 60)[1], env.totals))
    assert results[0] == results[1]


def test_remembering_does_not_change_the_rounds() -> None:
    totals = []
    for observes in (True, False):
        env = VectorEnv(50, parse_rules("house"), seed=3, observes=observes)
        steps = np.empty(50, np.int64)
        buffers = env.make_buffers()
        env.reset(buffers)
        for _ in range(100):
            env.choose("random", steps)
            env.step(steps, buffers)
        totals.append(env.totals)
    assert totals[0] == totals[1]


def test_resetting_deals_the_same_again_and_seeds_matter() -> None:
    env = VectorEnv(20, OFFICIAL, seed=3)
    first, again = run(env, 30)[1], run(env, 30)[1]
    assert first == again
    assert run(VectorEnv(20, OFFICIAL, seed=4), 30)[1] != first


def test_more_environments_begin_with_fewer() -> None:
    few, many = run(VectorEnv(10, OFFICIAL, seed=3), 40)[0], run(VectorEnv(25, OFFICIAL, seed=3), 40)[0]
    assert few.observations is not None
    assert many.observations is not None
    assert (few.observations == many.observations[:10]).all()


# The game


@pytest.mark.parametrize("rules", [*PRESETS, *VARIED_RULES])
def test_only_decisions_are_asked_and_masks_agree(rules: str) -> None:
    made = parse_rules(rules)
    env = VectorEnv(40, made, seed=2)
    buffers = env.make_buffers()
    env.reset(buffers)
    assert buffers.observations is not None
    [legal] = (block for block in encoding_blocks() if block.name == "legal_actions")
    actions = np.empty(40, np.int64)
    for _ in range(60):
        assert (buffers.masks.sum(axis=1) > 1).all()
        assert (buffers.observations[:, legal.start : legal.stop] == buffers.masks).all()
        assert (buffers.seats < made.players).all()
        env.choose("random", actions)
        assert (buffers.masks[np.arange(40), actions] == 1).all()
        env.step(actions, buffers)
        assert np.allclose(buffers.rewards.sum(axis=1), 0, atol=1e-6)
        assert (buffers.rewards[buffers.dones == 0] == 0).all()
    assert env.totals.rounds > 0


@pytest.mark.parametrize("rules", ["official", "official players=4", "tournament", "house"])
def test_random_steps_play_the_game_of_random_batches(rules: str) -> None:
    """Mean length of rounds within 5 standard deviations: four comparisons, a false alarm once in 400,000 runs.

    A hundred rounds and more in each environment: the one that is not over is left out, which matters little then.
    """
    made = parse_rules(rules)
    env = VectorEnv(20, made, seed=1, observes=False)
    buffers = env.make_buffers()
    env.reset(buffers)
    actions = np.empty(20, np.int64)
    while env.totals.rounds < 2_000:
        for _ in range(500):
            env.choose("random", actions)
            env.step(actions, buffers)
    totals = env.totals
    lengths = np.array([play_random_games(made, 1, seed=seed).plies for seed in range(2_000)], float)
    batch = play_random_games(made, 100_000, seed=1).plies / 100_000
    assert abs(totals.plies / totals.rounds - batch) < LIMIT * lengths.std() / math.sqrt(totals.rounds)


@pytest.mark.parametrize("rules", ["official", "official players=4"])
def test_the_learner_sits_everywhere_and_opponents_play(rules: str) -> None:
    """`heuristic` against `random` wins clearly more than its share: 70 and 37 % are known, 60 and 31 % asked for."""
    made = parse_rules(rules)
    env = VectorEnv(200, made, seed=1, opponents="random", observes=False)
    buffers = env.make_buffers()
    env.reset(buffers)
    actions = np.empty(200, np.int64)
    seats = set()
    won = done = 0
    for _ in range(250):
        acting = buffers.seats.copy()
        seats |= set(acting.tolist())
        env.choose("heuristic", actions)
        env.step(actions, buffers)
        done += int(buffers.dones.sum())
        won += int((buffers.rewards[np.arange(200), acting] > 0).sum())
    totals = env.totals
    assert seats == set(range(made.players))
    assert 0 <= totals.rounds - done < 0.2 * totals.rounds  # rounds in which the learner never had a choice
    assert totals.wins >= won
    assert totals.wins / totals.rounds > (0.6 if made.players == 2 else 0.31)


def test_rounds_without_any_choice_end_up_asking() -> None:
    """Two cards, must play, drawing ends the turn: nobody ever has a choice, and nothing hangs."""
    rules = parse_rules("mini deck=r0,r1,r2,r3,r4 hand_size=1")
    env = VectorEnv(2, rules, seed=1)
    buffers = env.make_buffers()
    env.reset(buffers)
    assert (buffers.masks.sum(axis=1) >= 1).all()
    env.step(buffers.masks.argmax(axis=1), buffers)


# Refusing


def step_with(env: VectorEnv, **changes: object) -> None:
    """Steps with some buffers replaced."""
    buffers = env.make_buffers()
    env.reset(buffers)
    actions = np.empty(env.num_envs, np.int64)
    env.choose("random", actions)
    env.step(changes.pop("actions", actions), replace(buffers, **changes))  # type: ignore[arg-type]


def frozen(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"observations": np.zeros((4, 1080), np.float32)}, "observations must be of type uint8, not float32"),
        (
            {"observations": np.zeros((4, 539), np.uint8)},
            r"observations must have the shape \(4, 1080\), not \(4, 539\)",
        ),
        ({"observations": np.zeros((1080, 4), np.uint8).T}, "observations must be C-contiguous"),
        ({"masks": [[1]]}, "masks must be a NumPy array, not"),
        ({"masks": np.zeros((4, 81), bool)}, "masks must be of type uint8, not bool"),
        ({"rewards": np.zeros(4, np.float32)}, r"rewards must have the shape \(4, 2\), not \(4,\)"),
        ({"dones": np.zeros(8, np.uint8)[::2]}, "dones must be C-contiguous"),
        ({"seats": frozen(np.zeros(4, np.uint8))}, "seats must be writeable"),
        ({"actions": np.zeros(4, np.int32)}, "actions must be of type int64, not int32"),
        ({"actions": np.zeros(3, np.int64)}, r"actions must have the shape \(4,\), not \(3,\)"),
    ],
)
def test_buffers_that_do_not_fit_are_named(changes: dict[str, object], match: str) -> None:
    with pytest.raises(StateError, match=match):
        step_with(VectorEnv(4, OFFICIAL), **changes)


@pytest.mark.parametrize("index", [-1, 81, 2**40, 63])
def test_an_illegal_action_changes_nothing(index: int) -> None:
    env = VectorEnv(4, OFFICIAL, seed=1)
    buffers = env.make_buffers()
    env.reset(buffers)
    before = buffers.masks.copy()
    actions = buffers.masks.argmax(axis=1)
    bad = actions.copy()
    bad[2] = index
    with pytest.raises(IllegalActionError, match=r"actions\[2\]: .*is not legal; by index there are"):
        env.step(bad, buffers)
    assert (buffers.masks == before).all()
    env.step(actions, buffers)
    assert ACTIONS[63].text == "challenge"


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"num_envs": 0}, "num_envs must be from 1"),
        ({"rules": 7}, "rules must be Rules or text such as 'official players=4', not 7"),
        ({"seed": -1}, "seed must be from 0"),
        ({"threads": 0}, "threads must be from 1"),
        ({"opponents": "net"}, "opponents must be among random, heuristic, not 'net'"),
        ({"opponents": ["random", "random"]}, "opponents must be 'random' or 'heuristic', one for all or 1 of them"),
    ],
)
def test_impossible_arguments_are_named(arguments: dict[str, object], match: str) -> None:
    with pytest.raises(StateError, match=match):
        VectorEnv(**{"num_envs": 4, "rules": OFFICIAL, **arguments})  # type: ignore[arg-type]


def test_steps_before_the_first_reset_are_refused() -> None:
    env = VectorEnv(4, OFFICIAL)
    with pytest.raises(StateError, match=r"call reset\(buffers\) first"):
        env.step(np.zeros(4, np.int64), env.make_buffers())
    with pytest.raises(StateError, match="observations must be None"):
        VectorEnv(4, OFFICIAL, observes=False).reset(env.make_buffers())


# Rounds that reach `max_plies`


def test_nobody_wins_a_round_that_is_cut_short_where_that_is_asked_for() -> None:
    """The same rounds, and the same rewards for all others."""
    rules, seen = OFFICIAL.replace(max_plies=40), []
    for splits_unfinished in (False, True):
        env = VectorEnv(64, rules, seed=5, opponents="random", splits_unfinished=splits_unfinished)
        buffers = replace(env.make_buffers(), endings=np.zeros(64, np.uint8))
        env.reset(buffers)
        actions = np.empty(64, np.int64)
        rows = []
        for _ in range(200):
            env.choose("random", actions)
            env.step(actions, buffers)
            rows.append((buffers.rewards.copy(), np.asarray(buffers.endings).copy()))
        rewards, endings = (np.stack(part) for part in zip(*rows, strict=True))
        seen.append((rewards, endings == ENDINGS.index("max_plies"), env.totals))
    (won, is_cut, totals), (split, is_cut_too, totals_too) = seen
    assert totals == totals_too
    assert np.array_equal(is_cut, is_cut_too)
    assert np.array_equal(won[~is_cut], split[~is_cut])
    assert np.abs(won[is_cut]).sum() > 0
    assert not split[is_cut].any()
