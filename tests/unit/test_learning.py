"""Learning by self-play: repeatable, better than random in seconds, nothing lost, the same network in the core."""

from __future__ import annotations

import copy
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lastcard.arena.core_match import HeuristicContestant, NetContestant, RandomContestant, play_match
from lastcard.envs import ENCODING_SIZE, NUM_ACTIONS, VectorEnv
from lastcard.errors import AgentError
from lastcard.learning import Progress, Tick, TrainConfig, train
from lastcard.learning.curve_text import format_progress, format_tick
from lastcard.learning.environments import MixedEnvironment, Rows, open_environment
from lastcard.learning.exploit import Response
from lastcard.learning.folder import CHECKPOINT, CURVE, NETWORK, PLOT
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.model import PolicyValueNet, export_network, import_network
from lastcard.learning.opponents import open_opposition
from lastcard.learning.ppo import Decisions, Learner, estimate_advantages
from lastcard.network import Network, Tensor, read_safetensors, write_safetensors
from lastcard.rules import Rules, parse_rules
from lastcard.shell import install_extra
from tests.unit.test_network import by_core

TINY = TrainConfig(
    updates=2,
    device="cpu",
    num_envs=24,
    decisions=8,
    minibatches=2,
    hidden=16,
    blocks=1,
    evaluations=2,
    measured_deals=8,
)


def tiny(**changes: object) -> TrainConfig:
    return TrainConfig.from_dict({**TINY.to_dict(), **changes})


def run(config: TrainConfig, out: Path, *, resume: bool = False) -> list[Progress]:
    """Trains, and returns the points of the curve."""
    points: list[Progress] = []

    def add(point: Progress | Response) -> None:
        if isinstance(point, Progress):
            points.append(point)

    train(config, out, add, resume=resume)
    return points


def tensors(path: Path) -> dict[str, Tensor]:
    return read_safetensors(path.read_bytes())[1]


# The network in torch and in the core


@pytest.mark.parametrize("players", [2, 4])
def test_the_core_agrees_with_torch(players: int, tmp_path: Path) -> None:
    """The outputs agree to 1e-4 on 10,000 observations, at the size of the shipped networks."""
    rules = Rules.preset("official", players=players)
    torch.manual_seed(3)
    model = PolicyValueNet(players, 512 if players == 2 else 96, 2)
    for head in (model.policy, model.value):
        torch.nn.init.normal_(head.weight, std=0.05)
    path = tmp_path / "net.safetensors"
    path.write_bytes(export_network(model, rules, {}))
    model = import_network(path)  # with the precision of the file
    network = Network.load(str(path))
    env = VectorEnv(2_000, rules, seed=1)
    buffers = env.make_buffers()
    env.reset(buffers)
    actions = np.empty(2_000, np.int64)
    for _ in range(5):
        for _ in range(7):
            env.choose("heuristic", actions)
            env.step(actions, buffers)
        assert buffers.observations is not None
        with torch.no_grad():
            scores, values = model(torch.from_numpy(buffers.observations))
        policies, worth = by_core(network, buffers.observations)
        assert scores.shape == (2_000, NUM_ACTIONS)
        assert np.abs(policies - scores.numpy()).max() < 1e-4
        assert np.abs(worth - values.numpy()).max() < 1e-4
        assert np.abs(policies).max() > 0.1


# Advantages


def random_decisions(players: int, count: int, num_envs: int, seed: int) -> Decisions:
    rng = np.random.default_rng(seed)
    rows = Rows.make(count + 1, num_envs, players, torch.device("cpu"))
    for row in rows:
        row.seats.copy_(torch.from_numpy(rng.integers(0, players, num_envs)))
        row.dones.copy_(torch.from_numpy(rng.random(num_envs) < 0.3))
        winners = rng.integers(0, players, num_envs)
        rewards = np.full((num_envs, players), -1 / (players - 1))
        rewards[np.arange(num_envs), winners] = 1
        row.rewards.copy_(torch.from_numpy(rewards * row.dones.numpy()[:, None]))
    values = torch.from_numpy(rng.uniform(-1, 1, (count + 1, num_envs))).float()
    return Decisions(
        rows,
        torch.zeros(count, num_envs, dtype=torch.int64),
        torch.zeros(count, num_envs),
        values,
        torch.ones(count, num_envs, dtype=torch.bool),
    )


def advantage_by_definition(decisions: Decisions, env: int, t: int, trace: float, players: int) -> float | None:
    """The sum of errors ahead, each counted from the seat of decision t; None if the next one is out of sight."""
    seat = int(decisions.rows[t].seats[env])
    value, total, weight, last = float(decisions.values[t, env]), 0.0, 1.0, len(decisions.actions)
    for later in range(t + 1, last + 1):
        if decisions.rows[later].dones[env]:
            return total + weight * (float(decisions.rows[later].rewards[env, seat]) - value)
        other = int(decisions.rows[later].seats[env])
        if players > 2 and (other != seat or later == last):
            continue
        ahead = float(decisions.values[later, env]) * (1 if other == seat else -1)
        total += weight * (ahead - value)
        value, weight = ahead, weight * trace
        if later == last:
            return total
    return total if weight < 1 else None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_advantages_follow_their_definition(players: int) -> None:
    decisions = random_decisions(players, 9, 40, seed=players)
    advantages, is_known = estimate_advantages(decisions, tiny(players=players, trace=0.9))
    assert is_known.float().mean() > 0.5
    for t in range(9):
        for env in range(40):
            wanted = advantage_by_definition(decisions, env, t, 0.9, players)
            assert bool(is_known[t, env]) == (wanted is not None)
            if wanted is not None:
                assert abs(float(advantages[t, env]) - wanted) < 1e-5


# Rounds against fixed policies, and the mean of weights

CPU = torch.device("cpu")


def test_mixed_environments_are_their_parts_side_by_side() -> None:
    rules = Rules.preset("official", players=4)

    def parts() -> list[Any]:
        return [
            open_environment(CPU, count, rules, seed, policy, 1)
            for count, seed, policy in ((5, 1, None), (3, 2, "random"), (4, 3, "heuristic"))
        ]

    mixed, apart = MixedEnvironment(parts()), parts()
    assert mixed.num_envs == 12
    rows, single = Rows.make(1, 12, 4, CPU)[0], [Rows.make(1, part.num_envs, 4, CPU)[0] for part in apart]
    mixed.reset(rows)
    for part, row in zip(apart, single, strict=True):
        part.reset(row)
    for _ in range(80):
        actions = rows.masks.argmax(dim=1)
        mixed.step(actions, rows)
        for part, row in zip(apart, single, strict=True):
            part.step(row.masks.argmax(dim=1), row)
        for name in ("observations", "masks", "rewards", "dones", "seats"):
            assert torch.equal(getattr(rows, name), torch.cat([getattr(row, name) for row in single])), name
    assert mixed.count() == tuple(map(sum, zip(*(part.count() for part in apart), strict=True)))
    assert mixed.count()[0] > 0


@pytest.mark.parametrize(("random_share", "heuristic_share"), [(0.25, 0.5), (1.0, 0.0), (0.0, 0.1), (0.5, 0.5)])
def test_shares_are_those_of_the_environments(random_share: float, heuristic_share: float) -> None:
    """A seat that faces a policy decides for one seat in a round, one that plays against itself for every seat."""
    config = tiny(random_share=random_share, heuristic_share=heuristic_share)
    env = open_opposition(CPU, 40, 1, config).env
    rows = Rows.make(1, 40, 2, CPU)[0]
    env.reset(rows)
    seats, faces_itself = rows.seats.clone(), torch.zeros(40, dtype=torch.bool)
    for _ in range(200):
        env.step(rows.masks.argmax(dim=1), rows)
        faces_itself |= (rows.dones == 0) & (rows.seats != seats)
        seats.copy_(rows.seats)
    assert env.num_envs == 40
    assert int(faces_itself.sum()) == 40 - round(40 * random_share) - round(40 * heuristic_share)
    assert not faces_itself[40 - round(40 * random_share) - round(40 * heuristic_share) :].any()


def test_a_run_against_policies_repeats(tmp_path: Path) -> None:
    config = tiny(players=4, random_share=0.25, heuristic_share=0.25, averaging=0.5, evaluations=1)
    for name in ("a", "b"):
        run(config, tmp_path / name)
    assert tensors(tmp_path / "a" / NETWORK) == tensors(tmp_path / "b" / NETWORK)


def test_the_mean_of_weights_follows_its_definition() -> None:
    config = tiny(averaging=0.75)
    torch.manual_seed(1)
    model = PolicyValueNet(2, 16, 1)
    learner = Learner(config, model, open_opposition(CPU, 24, 1, config), CPU)
    wanted = [parameter.detach().clone() for parameter in model.parameters()]
    for _ in range(4):
        learner.update(0.0)
        wanted = [0.75 * mean + 0.25 * now.detach() for mean, now in zip(wanted, model.parameters(), strict=True)]
    assert learner.player is learner.mean is not model
    for mean, by_hand, now in zip(learner.player.parameters(), wanted, model.parameters(), strict=True):
        assert torch.allclose(mean, by_hand, atol=1e-6)
        assert not torch.equal(mean, now)


def test_a_reference_holds_the_policy_back() -> None:
    entropies = {}
    for weight in (0.0, 1.0):
        config = tiny(reference=weight)
        torch.manual_seed(1)
        # Its policy begins with every action alike, so the entropy says how far it has moved.
        learner = Learner(config, PolicyValueNet(2, 16, 1), open_opposition(CPU, 24, 1, config), CPU)
        for _ in range(20):
            learner.update(0.0)
        rows = torch.randint(0, 2, (200, learner.model.input.in_features), dtype=torch.uint8)
        logs = torch.log_softmax(learner.model(rows)[0].detach(), dim=-1)
        entropies[weight] = float(-(logs.exp() * logs).sum(dim=-1).mean())
    assert math.log(NUM_ACTIONS) - entropies[1.0] < 0.7 * (math.log(NUM_ACTIONS) - entropies[0.0])


def test_a_reference_is_renewed() -> None:
    config = tiny(reference=1.0, reference_updates=2)
    model = PolicyValueNet(2, 16, 1)
    learner = Learner(config, model, open_opposition(CPU, 24, 1, config), CPU)
    first = copy.deepcopy(model.state_dict())
    for number in range(2):
        learner.update(0.0, number)
    assert learner.reference is not None
    assert all(torch.equal(value, first[name]) for name, value in learner.reference.state_dict().items())
    second = copy.deepcopy(model.state_dict())
    learner.update(0.0, 2)
    assert all(torch.equal(value, second[name]) for name, value in learner.reference.state_dict().items())
    assert not torch.equal(second["policy.weight"], first["policy.weight"])


def test_a_run_that_is_resumed_keeps_its_reference(tmp_path: Path) -> None:
    run(tiny(reference=0.1), tmp_path)
    before = tensors(tmp_path / CHECKPOINT)
    assert any(before[name] != before[name.replace("reference.", "model.")] for name in before if "reference." in name)
    run(tiny(reference=0.1), tmp_path, resume=True)
    assert tensors(tmp_path / CHECKPOINT) == before


def test_a_run_that_is_resumed_keeps_its_mean(tmp_path: Path) -> None:
    run(tiny(averaging=0.9), tmp_path)
    before = tensors(tmp_path / CHECKPOINT)
    means = {name for name in before if name.startswith("mean.")}
    assert any(before[name] != before[name.replace("mean.", "model.")] for name in means)
    run(tiny(averaging=0.9), tmp_path, resume=True)
    assert tensors(tmp_path / CHECKPOINT) == before


# Runs


@pytest.mark.parametrize("rules", ["official", "house players=3"])
def test_a_seed_fixes_a_run_on_the_cpu(rules: str, tmp_path: Path) -> None:
    players = parse_rules(rules).players
    first = run(tiny(rules=rules, players=players), tmp_path / "a")
    second = run(tiny(rules=rules, players=players), tmp_path / "b")
    other = run(tiny(rules=rules, players=players, seed=2), tmp_path / "c")
    assert [point.entropy for point in first] == [point.entropy for point in second]
    assert [point.against_random for point in first] == [point.against_random for point in second]
    assert [point.entropy for point in first] != [point.entropy for point in other]
    assert tensors(tmp_path / "a" / NETWORK) == tensors(tmp_path / "b" / NETWORK)
    assert tensors(tmp_path / "a" / NETWORK) != tensors(tmp_path / "c" / NETWORK)


@pytest.mark.long
def test_a_run_improves_over_random(tmp_path: Path) -> None:
    """A few hundred thousand decisions; the match has 2,000 deals, so that luck would pass once in 10**6 runs."""
    config = tiny(updates=60, num_envs=128, decisions=32, minibatches=16, epochs=2, hidden=64)
    run(config, tmp_path)
    match = play_match(Rules.preset("official"), [NetContestant(str(tmp_path / NETWORK)), RandomContestant()], 2_000)
    assert match.shares[0] - 2.5 * match.errors[0] > 0.5


def test_a_run_leaves_a_curve_a_plot_and_a_record_of_itself(tmp_path: Path) -> None:
    points = run(TINY, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    assert lines == [point.to_dict() for point in points]
    assert [line["update"] for line in lines] == [1, 2]
    assert (tmp_path / PLOT).read_bytes().startswith(b"\x89PNG")
    made = Network.load(str(tmp_path / NETWORK)).made
    assert json.loads(made["config"]) == TINY.to_dict()
    assert (made["updates"], made["device"]) == ("2", "cpu")
    assert all(len(format_progress(point)) <= 80 for point in points)


def test_a_point_of_the_curve_has_the_whole_score_of_every_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Share, error, plies and unfinished rounds, against both policies."""
    scores = {
        RandomContestant(): Score(0.925, 0.01, 448.4, 0.25),
        HeuristicContestant(): Score(0.79, 0.02, 387.2, 0.125),
    }
    monkeypatch.setattr(Measurement, "play", lambda self, network, rival, seed: scores[rival])
    (point,) = run(tiny(updates=1, evaluations=1), tmp_path)
    (line,) = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    keys = ("against_random", "against_random_error", "against_random_plies", "against_random_unfinished")
    assert tuple(line[key] for key in keys) == (0.925, 0.01, 448.4, 0.25)
    keys = ("against_heuristic", "against_heuristic_error", "plies", "unfinished")
    assert tuple(line[key] for key in keys) == (0.79, 0.02, 387.2, 0.125)
    assert "random 92.5 ± 1.0  heuristic 79.0 ± 2.0  387 plies  12% cut" in format_progress(point)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    run(TINY, tmp_path)
    with pytest.raises(AgentError, match="already holds a run: continue it with --resume"):
        train(TINY, tmp_path)
    points = run(tiny(updates=4, evaluations=4), tmp_path, resume=True)
    assert [point.update for point in points] == [3, 4]
    assert len((tmp_path / CURVE).read_text().splitlines()) == 4
    with pytest.raises(AgentError, match="hidden was 16, not 32; a resumed run keeps its settings"):
        train(tiny(hidden=32), tmp_path, resume=True)
    with pytest.raises(AgentError, match="holds no run to resume"):
        train(TINY, tmp_path / "other", resume=True)
    assert not (tmp_path / "other").exists()


def test_a_run_of_a_version_with_shorter_rows_is_not_resumed(tmp_path: Path) -> None:
    run(TINY, tmp_path)
    metadata, stored = read_safetensors((tmp_path / CHECKPOINT).read_bytes())
    weights = np.frombuffer(stored["model.input.weight"].data, np.float32).reshape(16, -1)[:, :-4]
    older = {**stored, "model.input.weight": Tensor("F32", weights.shape, weights.tobytes())}
    (tmp_path / CHECKPOINT).write_bytes(write_safetensors(metadata, older))
    with pytest.raises(AgentError) as caught:
        train(tiny(updates=4), tmp_path, resume=True)
    assert str(caught.value) == (
        f"{tmp_path / CHECKPOINT}: its network reads {ENCODING_SIZE - 4} bytes of a row, this version writes"
        f" {ENCODING_SIZE}; begin a new run with --start {tmp_path / NETWORK}"
    )
    run(tiny(start=str(tmp_path / NETWORK)), tmp_path / "new")


def test_a_checkpoint_keeps_the_optimizer(tmp_path: Path) -> None:
    """Resuming with nothing left to do writes the same checkpoint again."""
    run(TINY, tmp_path)
    before = tensors(tmp_path / CHECKPOINT)
    run(TINY, tmp_path, resume=True)
    assert tensors(tmp_path / CHECKPOINT) == before
    assert any(name.startswith("exp_avg_sq.blocks.0") for name in before)


def test_every_update_is_a_sign_of_life_and_the_first_is_measured(tmp_path: Path) -> None:
    points: list[Any] = []
    ticks: list[Tick] = []
    train(tiny(updates=5, evaluations=1), tmp_path, points.append, tick=ticks.append)
    assert [tick.update for tick in ticks] == [1, 2, 3, 4, 5]
    assert [tick.decisions for tick in ticks] == [24 * 8 * n for n in range(1, 6)]
    assert ticks[0].seconds_left > 0 == ticks[-1].seconds_left
    assert [point.update for point in points] == [1, 5]
    assert format_tick(ticks[-1]).startswith("update 5, ")
    assert format_tick(ticks[-1]).endswith(" decisions a second, 0:00 left")


def test_an_interrupted_run_is_kept(tmp_path: Path) -> None:
    def stop(point: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tiny(updates=50, evaluations=50), tmp_path, stop)
    assert {CHECKPOINT, NETWORK, CURVE, PLOT} <= {path.name for path in tmp_path.iterdir()}
    assert [point.update for point in run(tiny(updates=3, evaluations=3), tmp_path, resume=True)] == [2, 3]


# Refusing, and what it needs


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"minutes": 0.0}, "minutes must be a number from 0.01"),
        ({"hidden": 4}, "hidden must be from 8 to 4096, not 4"),
        ({"device": "tpu"}, "device must be auto, cpu or cuda, not 'tpu'"),
        ({"clip": 2.0}, "clip must be a number from 0 to 1, not 2.0"),
        ({"rules": "chess"}, "no rules preset 'chess'"),
        ({"averaging": 1.0}, "averaging must be a number from 0 to 0.9999, not 1.0"),
        ({"random_share": -0.5}, "random_share must be a number from 0 to 1, not -0.5"),
        ({"random_share": 0.5, "heuristic_share": 0.6}, "heuristic_share must be at most .*, 0.5"),
        ({"reference_updates": 5}, "reference_updates needs reference, the weight"),
        ({"speed": 1}, "training has no parameter 'speed'"),
    ],
)
def test_impossible_parameters_are_named(changes: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        tiny(**changes)


def test_learning_loads_neither_torch_nor_the_command_line() -> None:
    program = (
        "import sys\n"
        "for name in ('typer', 'pydantic', 'rich', 'click', 'matplotlib'): sys.modules[name] = None\n"
        "import lastcard.learning, lastcard.learning.__main__\n"
        "print('torch' in sys.modules, 'numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_without_torch_training_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastcard.learning.session.find_spec", lambda name: None)
    with pytest.raises(AgentError, match=re.escape(f"training needs torch: {install_extra('learn')}")):
        train(TINY, tmp_path)
