"""Learning against others: frozen networks, a price of time, a critic that sees all hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lastcard.arena.core_match import HeuristicContestant, NetContestant, RandomContestant, play_match
from lastcard.envs import ENCODING_SIZE, VectorEnv
from lastcard.envs.encoding import LEAST_INPUTS
from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.exploit import Target, respond
from lastcard.learning.folder import CHECKPOINT
from lastcard.learning.measure import Measurement
from lastcard.learning.model import Critic, PolicyValueNet, export_network, import_network, pack
from lastcard.learning.opponents import open_opposition
from lastcard.learning.ppo import Learner, estimate_advantages
from lastcard.network import Network, make_metadata, write_safetensors
from lastcard.rules import Rules, parse_rules
from tests.unit.test_learning import CPU, advantage_by_definition, random_decisions, tensors, tiny

OFFICIAL = Rules.preset("official")
NETWORKS = Path(__file__).parents[2] / "benchmarks" / "networks"


def make_network(path: Path, seed: int, players: int = 2, rules: str = "official") -> str:
    """A small network that plays in its own way."""
    torch.manual_seed(seed)
    model = PolicyValueNet(players, 16, 1)
    torch.nn.init.normal_(model.policy.weight)
    path.write_bytes(export_network(model, parse_rules(rules).replace(players=players), {}))
    return str(path)


def against(agent: str, start: str = "scratch", **changes: Any) -> TrainConfig:
    """A tiny training with all rounds against an agent."""
    target = Target(agent)
    return tiny(**{"start": target.find_start(start), **target.shares(), **changes})


def made_by(path: Path) -> dict[str, Any]:
    """The training of a network."""
    return dict(json.loads(Network.load(str(path)).made["config"]))


# Starting from networks


def test_a_widened_network_plays_the_same(tmp_path: Path) -> None:
    """The hoarder, widened to whole rows and written again: the same rounds."""
    old = NETWORKS / "hoarder-A.safetensors"
    path, num_inputs = tmp_path / "widened.safetensors", ENCODING_SIZE
    widened = pack(import_network(old).state_dict(), "F16")
    path.write_bytes(write_safetensors(make_metadata(OFFICIAL, {}, num_inputs), widened))
    assert (Network.load(str(path)).inputs, Network.load(str(old)).inputs) == (num_inputs, LEAST_INPUTS)
    matches = [
        play_match(OFFICIAL, [NetContestant(str(file)), HeuristicContestant()], 10, seed=4) for file in (old, path)
    ]
    assert matches[0] == matches[1]


def test_a_run_starts_from_a_network_of_its_shape(tmp_path: Path) -> None:
    file = make_network(tmp_path / "start.safetensors", 1)
    with pytest.raises(AgentError, match=r"hidden must be 16, as in .*, not 32"):
        respond(Target("random"), against("random", file, hidden=32), tmp_path / "a")
    with pytest.raises(AgentError, match="is for 2 players, not 4"):
        respond(Target("random"), against("random", file, players=4), tmp_path / "b")


# Frozen networks


def test_rivals_decide_for_all_seats_but_one_and_never_learn(tmp_path: Path) -> None:
    files = [make_network(tmp_path / f"{seed}.safetensors", seed, 3) for seed in (1, 2)]
    config = tiny(players=3, rivals=f"{files[0]}=0.5,{files[1]}=0.25", random_share=0.125)
    opposition = open_opposition(CPU, 24, 1, config)
    assert [rival.where for rival in opposition.rivals] == [slice(0, 12), slice(12, 18)]
    frozen = [next(rival.network.parameters()).clone() for rival in opposition.rivals]
    learner = Learner(config, PolicyValueNet(3, 16, 1), opposition, CPU)
    decisions = learner._collect()
    seats = torch.stack([row.seats for row in decisions.rows[:-1]])
    for rival in opposition.rivals:
        chairs = torch.arange(24)[rival.where] % 3
        assert torch.equal(decisions.is_own[:, rival.where], seats[:, rival.where] == chairs)
    assert decisions.is_own[:, 18:].all()
    row, rival = decisions.rows[0], opposition.rivals[0]
    scores = rival.network(row.observations[rival.where])[0].masked_fill(row.masks[rival.where] == 0, -1e9)
    others = ~decisions.is_own[0, rival.where]
    assert torch.equal(decisions.actions[0, rival.where][others], scores.argmax(dim=-1)[others])
    learner._carry_over()
    learner.update(0.0)
    assert all(
        torch.equal(before, next(rival.network.parameters()))
        for before, rival in zip(frozen, opposition.rivals, strict=True)
    )


def test_nobody_wins_a_round_in_training_that_is_cut_short() -> None:
    from lastcard.learning.environments import Rows, open_environment

    env = open_environment(CPU, 32, OFFICIAL.replace(max_plies=6), 5, "random", 1)
    rows = Rows.make(1, 32, 2, CPU)[0]
    env.reset(rows)
    ended = 0
    for _ in range(20):
        env.step(rows.masks.argmax(dim=1), rows)
        ended += int(rows.dones.sum())
        assert not rows.rewards.any()  # nobody goes out in six plies
    assert ended > 32


def test_a_price_is_paid_for_every_own_decision() -> None:
    decisions = random_decisions(2, 9, 40, seed=5)
    free, known = estimate_advantages(decisions, tiny(trace=1.0, rivals="net=1"))
    paid, _ = estimate_advantages(decisions, tiny(trace=1.0, rivals="net=1", price=0.01))
    for env in range(40):
        for t in range(9):
            if not known[t, env]:
                continue
            seat, count = int(decisions.rows[t].seats[env]), 1
            for later in range(t + 1, 10):
                if decisions.rows[later].dones[env] or later == 9:
                    break
                count += int(decisions.rows[later].seats[env]) == seat and bool(known[later, env])
            assert float(free[t, env] - paid[t, env]) == pytest.approx(0.01 * count, abs=1e-5)
    assert advantage_by_definition(decisions, 0, 0, 1.0, 3) is not None or not known[0, 0]


# The critic that sees all hands


def test_hidden_hands_go_to_the_critic_and_never_into_a_row() -> None:
    """Other hands behind the same observation: other hidden bytes, the same row and the same decisions."""
    from lastcard.learning.environments import Rows, open_environment

    env = open_environment(CPU, 64, OFFICIAL, 5, None, 1)
    rows = Rows.make(1, 64, 2, CPU, has_hidden=True)[0]
    env.reset(rows)
    for _ in range(60):
        assert rows.hidden is not None
        held = rows.hidden.long().sum(dim=1)
        sizes = rows.observations[:, _place("hand_size") + 1].long()
        assert torch.equal(held, sizes)
        unseen = rows.observations[:, _place("unseen") : _place("unseen") + 54]
        assert (rows.hidden <= unseen).all()
        env.step(rows.masks.argmax(dim=1), rows)
    critic, model = Critic(2, 16, 1), PolicyValueNet(2, 16, 1)
    torch.nn.init.normal_(critic.value.weight)
    assert rows.hidden is not None
    other = torch.zeros_like(rows.hidden)
    assert not torch.equal(critic(rows.observations, rows.hidden), critic(rows.observations, other))
    assert model.input.in_features == rows.observations.shape[1]  # nothing else can be given to it


def _place(name: str) -> int:
    from lastcard.envs import encoding_blocks

    return next(block.start for block in encoding_blocks() if block.name == name)


def test_environments_with_hidden_hands_play_the_same_rounds() -> None:
    courses = []
    for has_hidden in (False, True):
        env = VectorEnv(32, OFFICIAL, seed=3)
        buffers = env.make_buffers()
        if has_hidden:
            hidden = np.zeros((32, 54), np.uint8)
            buffers = type(buffers)(
                buffers.observations, buffers.masks, buffers.rewards, buffers.dones, buffers.seats, hidden
            )
        env.reset(buffers)
        for _ in range(100):
            env.step(buffers.masks.argmax(axis=1), buffers)
        courses.append((env.totals, buffers.observations.tobytes() if buffers.observations is not None else b""))
    assert courses[0] == courses[1]


def test_a_run_with_a_critic_resumes_and_repeats(tmp_path: Path) -> None:
    config = against("heuristic", critic="all_hands", warmup=1)
    for name in ("a", "b"):
        respond(Target("heuristic"), config, tmp_path / name, num_deals=4)
    assert tensors(tmp_path / "a" / CHECKPOINT) == tensors(tmp_path / "b" / CHECKPOINT)
    before = tensors(tmp_path / "a" / CHECKPOINT)
    assert "critic.input.weight" in before
    assert "exp_avg.critic.value.weight" in before
    respond(Target("heuristic"), config, tmp_path / "a", num_deals=4)
    assert tensors(tmp_path / "a" / CHECKPOINT) == before


def test_warming_up_changes_no_decision(tmp_path: Path) -> None:
    config = tiny(warmup=5, critic="all_hands")
    torch.manual_seed(1)
    model = PolicyValueNet(2, 16, 1)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    learner = Learner(config, model, open_opposition(CPU, 24, 1, config), CPU)
    for _ in range(4):
        learner.update(0.0, 0)
    changed = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"value.weight", "value.bias"}
    learner.update(0.0, 5)
    assert any(
        name.startswith("policy") for name, value in model.state_dict().items() if not torch.equal(value, before[name])
    )


# Sparring networks


def test_networks_in_git_stay_small() -> None:
    shipped = Path(__file__).parents[2] / "src" / "lastcard" / "networks"
    # Git keeps a copy of a shipped network once.
    contents = {path.read_bytes() for folder in (NETWORKS, shipped) for path in folder.glob("*.safetensors")}
    assert sum(map(len, contents)) < 27_000_000  # with the candidates, which replace shipped ones


# Measuring


def test_a_measurement_plays_complete_rounds(tmp_path: Path) -> None:
    """The hoarder's rounds are long; not one of them is cut short, and all count."""
    score = Measurement((OFFICIAL,), 10, 1).play(NETWORKS / "hoarder-A.safetensors", RandomContestant(), 1)
    match = play_match(OFFICIAL, [NetContestant(str(NETWORKS / "hoarder-A.safetensors")), RandomContestant()], 10, 1)
    assert (score.share, score.plies) == (match.shares[0], match.plies / 20)
    assert score.plies > 100
    assert score.unfinished == 0
    capped = Measurement((OFFICIAL.replace(max_plies=60),), 10, 1)
    cut = capped.play(NETWORKS / "hoarder-A.safetensors", RandomContestant(), 1)
    assert cut.unfinished > 0.3
    hoarder = NetContestant(str(NETWORKS / "hoarder-A.safetensors"))
    by_rule = play_match(OFFICIAL.replace(max_plies=60), [hoarder, RandomContestant()], 10, 1)
    assert by_rule.unfinished == round(20 * cut.unfinished)
    assert cut.share > by_rule.shares[0]  # a full hand loses by Rule 5.4; here the round counts as half
