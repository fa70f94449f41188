"""Learning against others: frozen networks, a price of time, a critic that sees all hands, best responses, a league."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
import torch

from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, RandomContestant, play_match
from lastcard.envs import LATEST_ENCODING, VectorEnv, encoding_size
from lastcard.errors import AgentError
from lastcard.learning import Tick, TrainConfig, train
from lastcard.learning.curve_text import format_phase, format_response, format_response_point
from lastcard.learning.exploit import RESPONSE, ResponsePoint, Target, exploit
from lastcard.learning.folder import CHECKPOINT, CURVE, LATEST, PROMOTED, Folder
from lastcard.learning.league import MAIN, LeagueConfig, PhaseReport, train_league
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.model import Critic, PolicyValueNet, export_network, import_network, pack
from lastcard.learning.opponents import open_opposition
from lastcard.learning.population import LEAGUE, Member, Population
from lastcard.learning.ppo import REFRESH, Learner, estimate_advantages
from lastcard.network import Network, make_metadata, read_safetensors, write_safetensors
from lastcard.rules import Rules, format_rules, parse_rules
from tests.unit.test_learning import CPU, advantage_by_definition, random_decisions, run, tensors, tiny

OFFICIAL = Rules.preset("official")
NETWORKS = Path(__file__).parents[2] / "benchmarks" / "networks"


def make_network(path: Path, seed: int, players: int = 2, rules: str = "official") -> str:
    """A small network that plays in its own way."""
    torch.manual_seed(seed)
    model = PolicyValueNet(players, 16, 1)
    torch.nn.init.normal_(model.policy.weight)
    path.write_bytes(export_network(model, parse_rules(rules).replace(players=players), {}))
    return str(path)


# Starting from networks


def test_an_old_network_plays_the_same_on_the_latest_rows(tmp_path: Path) -> None:
    """The hoarder, widened from 539 inputs to the latest rows and written again: the same rounds."""
    old = NETWORKS / "hoarder-A.safetensors"
    path, num_inputs = tmp_path / "widened.safetensors", encoding_size(2, LATEST_ENCODING)
    widened = pack(import_network(old, LATEST_ENCODING).state_dict(), "F16")
    path.write_bytes(write_safetensors(make_metadata(OFFICIAL, {}, LATEST_ENCODING, num_inputs), widened))
    assert (Network.load(str(path)).inputs, Network.load(str(old)).inputs) == (num_inputs, 539)
    matches = [
        play_match(OFFICIAL, [NetContestant(str(file)), HeuristicContestant()], 10, seed=4) for file in (old, path)
    ]
    # The order of sums differs, so that one decision in millions may: not in these.
    assert matches[0] == matches[1]


def test_a_run_starts_from_a_network_of_its_shape(tmp_path: Path) -> None:
    file = make_network(tmp_path / "start.safetensors", 1)
    with pytest.raises(AgentError, match=r"hidden must be 16, as in .*, not 32"):
        exploit(Target("random"), tiny(start=file, hidden=32), tmp_path / "a")
    with pytest.raises(AgentError, match="is for 2 players, not 4"):
        exploit(Target("random"), tiny(start=file, players=4), tmp_path / "b")


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


def test_a_rival_is_read_again_when_another_training_has_written_it(tmp_path: Path) -> None:
    file = tmp_path / "rival.safetensors"
    name = make_network(file, 1)
    config = tiny(rivals=f"{name}=1")
    opposition = open_opposition(CPU, 24, 1, config)
    learner = Learner(config, PolicyValueNet(2, 16, 1), opposition, CPU)
    weight = opposition.rivals[0].network.policy.weight
    before = weight.clone()
    learner.update(0.0, number=0)
    assert torch.equal(weight, before)
    make_network(file, 2)
    os.utime(file, (1, 1))
    learner.update(0.0, number=1)  # not looked at after every update
    assert torch.equal(weight, before)
    learner.update(0.0, number=REFRESH)
    assert torch.equal(weight, import_network(file, LATEST_ENCODING).policy.weight)
    assert not any(parameter.requires_grad for parameter in opposition.rivals[0].network.parameters())


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

    return next(block.start for block in encoding_blocks(2, LATEST_ENCODING) if block.name == name)


def test_environments_with_hidden_hands_play_the_same_rounds() -> None:
    courses = []
    for has_hidden in (False, True):
        env = VectorEnv(32, OFFICIAL, seed=3, encoding=LATEST_ENCODING)
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
    config = tiny(critic="all_hands", rivals="net=0.5", price=0.001, warmup=1)
    for name in ("a", "b"):
        exploit(Target("heuristic"), tiny(critic="all_hands", warmup=1), tmp_path / name, num_deals=4)
    assert tensors(tmp_path / "a" / CHECKPOINT) == tensors(tmp_path / "b" / CHECKPOINT)
    before = tensors(tmp_path / "a" / CHECKPOINT)
    assert "critic.input.weight" in before
    assert "exp_avg.critic.value.weight" in before
    exploit(Target("heuristic"), tiny(critic="all_hands", warmup=1), tmp_path / "a", num_deals=4, resume=True)
    assert tensors(tmp_path / "a" / CHECKPOINT) == before
    assert config.rival_shares() == {"net": 0.5}


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


# Best responses


@pytest.mark.parametrize("agent", ["random", "heuristic", "net", "champion", "file"])
def test_a_best_response_is_trained_measured_and_resumed(agent: str, tmp_path: Path) -> None:
    if agent == "file":
        agent = f"net:{make_network(tmp_path / 'frozen.safetensors', 3)}"
    points: list[ResponsePoint] = []
    out = tmp_path / "run"
    response = exploit(Target(agent), tiny(), out, points.append, num_deals=6)
    assert json.loads((out / RESPONSE).read_text()) == response.to_dict()
    assert [point.update for point in points] == [1, 2]
    assert points[0].is_best
    assert (out / PROMOTED).exists()
    assert (response.agent, response.updates, response.num_deals) == (agent, 2, 6)
    match = play_match(OFFICIAL, [NetContestant(str(out / PROMOTED)), Target(agent).contestant], 1)
    assert match.num_deals == 1
    with pytest.raises(AgentError, match="already holds a run: continue it with --resume"):
        exploit(Target(agent), tiny(), out)
    more = exploit(Target(agent), tiny(updates=3, evaluations=3), out, points.append, num_deals=6, resume=True)
    assert (more.updates, points[-1].update) == (3, 3)
    assert format_response(more).startswith(f"The best response to {agent}, trained from scratch for 0:0")
    assert len(format_response_point(points[-1])) <= 80


def test_a_best_response_that_is_resumed_keeps_its_agent_and_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its best share so far, and the name of its result, would be of something else."""
    monkeypatch.chdir(tmp_path)
    one, other = (make_network(Path(f"{name}.safetensors"), 3) for name in ("one", "other"))
    out, own = Path("run"), tiny(start="own")
    exploit(Target(f"net:{one}"), own, out, num_deals=2)
    before = (out / RESPONSE).read_text(), tensors(out / CHECKPOINT)
    how = f"resume it with net:{one} and --start {one}, or choose another folder"
    for agent, config, what in (
        (f"net:{one}", tiny(), f"--start was {one}, not scratch"),
        (f"net:{one}", tiny(start=other), f"--start was {one}, not {other}"),
        (f"net:{other}", tiny(start=one), f"AGENT was net:{one}, not net:{other}"),
        ("random", tiny(), f"AGENT was net:{one}, not random and --start was {one}, not scratch"),
    ):
        with pytest.raises(AgentError) as refused:
            exploit(Target(agent), config, out, num_deals=2, resume=True)
        assert str(refused.value) == f"run: {what}; {how}"
    assert ((out / RESPONSE).read_text(), tensors(out / CHECKPOINT)) == before
    more = tiny(start=str(tmp_path / one), updates=3, evaluations=3)
    response = exploit(Target(f"net:./{one}"), more, out, num_deals=2, resume=True)
    assert response.updates == 3
    scratch = Path("scratch")
    exploit(Target("random"), tiny(), scratch, num_deals=2)
    with pytest.raises(AgentError, match="AGENT was random, not heuristic; resume it with random and no --start, or"):
        exploit(Target("heuristic"), tiny(), scratch, num_deals=2, resume=True)


def test_a_last_measurement_that_was_interrupted_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the last network of the run would never be measured, and a short run would have no network at all."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    config = tiny(updates=1)
    points: list[ResponsePoint] = []
    with monkeypatch.context() as patched:
        patched.setattr(Measurement, "play", stop)
        with pytest.raises(KeyboardInterrupt):
            exploit(Target("random"), config, tmp_path / "response", num_deals=2)
        with pytest.raises(KeyboardInterrupt):
            run(config, tmp_path / "trained")
    exploit(Target("random"), config, tmp_path / "response", points.append, num_deals=2, resume=True)
    assert [point.update for point in points] == [1]
    once, resumed = (run(config, tmp_path / name, resume=name == "trained") for name in ("once", "trained"))
    assert [(point.update, point.policy_loss) for point in resumed] == [(1, once[0].policy_loss)]
    assert run(config, tmp_path / "trained", resume=True) == []


def test_the_time_of_a_training_leaves_out_the_matches_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, clock, late = Measurement.play, time.monotonic, [0.0]

    def play_slowly(self: Measurement, network: Path, rival: Contestant, seed: int) -> Score:
        late[0] += 1000 if self.num_deals == 3 else 0
        return play(self, network, rival, seed)

    monkeypatch.setattr(Measurement, "play", play_slowly)
    monkeypatch.setattr(time, "monotonic", lambda: clock() + late[0])
    assert exploit(Target("random"), tiny(), tmp_path / "response", num_deals=3).seconds < 1000
    reports: list[PhaseReport] = []
    train_league(LeagueConfig(tiny(measured_deals=3)), tmp_path / "league", progress=reports.append)
    assert [report.seconds < 1000 for report in reports] == [True, True]
    assert late[0] >= 3000


def test_a_run_of_training_is_resumed_as_no_best_response(tmp_path: Path) -> None:
    run(tiny(rivals="net=0.5"), tmp_path)
    with pytest.raises(AgentError, match=r"holds a run of lastcard train, not of lastcard exploit; choose another"):
        exploit(Target("net"), tiny(), tmp_path, resume=True)
    forget_kind(tmp_path / CHECKPOINT)
    (tmp_path / CURVE).unlink()
    with pytest.raises(AgentError, match="holds a run of lastcard train, not a best response; choose another folder"):
        exploit(Target("net"), tiny(), tmp_path, resume=True)


def forget_kind(path: Path) -> None:
    """Makes a checkpoint as older versions wrote it."""
    metadata, stored = read_safetensors(path.read_bytes())
    metadata.pop("kind", None)
    path.write_bytes(write_safetensors(metadata, stored))


@pytest.mark.parametrize("is_old", [False, True])
def test_a_run_is_resumed_by_its_own_command_only(is_old: bool, tmp_path: Path) -> None:
    """Also one against one agent alone, which both commands can train; and nothing in its folder changes."""
    response, trained = tmp_path / "response", tmp_path / "trained"
    exploit(Target("heuristic"), tiny(), response, num_deals=2)
    run(tiny(heuristic_share=1.0), trained)
    if is_old:
        forget_kind(response / CHECKPOINT)
        forget_kind(trained / CHECKPOINT)
    before = {path: path.read_bytes() for path in tmp_path.glob("*/*")}
    with pytest.raises(
        AgentError, match="holds a run of lastcard exploit, not of lastcard train; choose another folder"
    ):
        train(tiny(updates=4, heuristic_share=1.0), response, resume=True)
    with pytest.raises(
        AgentError, match="holds a run of lastcard train, not of lastcard exploit; choose another folder"
    ):
        exploit(Target("heuristic"), tiny(updates=4), trained, num_deals=2, resume=True)
    assert {path: path.read_bytes() for path in tmp_path.glob("*/*")} == before
    assert exploit(Target("heuristic"), tiny(updates=3), response, num_deals=2, resume=True).updates == 3
    assert [point.update for point in run(tiny(updates=3, heuristic_share=1.0), trained, resume=True)] == [3]


def test_the_result_is_measured_on_other_deals_than_the_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def note(rules: Rules, seating: Any, num_deals: int, seed: int, *more: Any, **options: Any) -> Any:
        seeds.append(seed)
        return play_match(rules, seating, num_deals, seed, *more, **options)

    monkeypatch.setattr("lastcard.learning.measure.play_match", note)
    exploit(Target("random"), tiny(), tmp_path, num_deals=2)
    assert len(seeds) == len(set(seeds)) == 3  # two measurements and the result


def test_the_best_network_of_a_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = iter([0.5, 0.6, 0.4, 0.6, 0.55])
    points: list[ResponsePoint] = []
    networks: list[bytes] = []

    def play(self: Measurement, network: Path, rival: Contestant, seed: int) -> Score:
        networks.append(network.read_bytes())
        return Score(next(shares), 0.1, 40.0, 0.0)

    monkeypatch.setattr(Measurement, "play", play)
    response = exploit(Target("random"), tiny(updates=4, evaluations=4), tmp_path, points.append, num_deals=2)
    assert [point.is_best for point in points] == [True, True, False, False]
    assert (tmp_path / PROMOTED).read_bytes() == networks[1] == networks[-1]
    assert len(set(networks)) == 4
    assert response.share == 0.55


def test_damaged_files_of_a_run_are_named(tmp_path: Path) -> None:
    exploit(Target("random"), tiny(), tmp_path, num_deals=2)

    def resume(updates: int = 2) -> None:
        exploit(Target("random"), tiny(updates=updates), tmp_path, num_deals=2, resume=True)

    curve, checkpoint, network = (tmp_path / name for name in (CURVE, CHECKPOINT, PROMOTED))
    whole = curve.read_bytes()
    curve.write_bytes(whole[:-20])
    with pytest.raises(AgentError) as refused:
        resume()
    assert str(refused.value) == f"{curve}: line 2 is damaged; remove it, then resume"
    curve.write_bytes(whole)
    network.unlink()
    with pytest.raises(AgentError) as refused:
        resume()
    how = f"copy {tmp_path / LATEST} there, or resume with more --minutes or --updates"
    assert str(refused.value) == f"{network} is missing; {how}"
    resume(updates=3)
    assert network.exists()
    data = checkpoint.read_bytes()
    for length, what in ((300, "cut short"), (0, "not a safetensors file: 0 bytes")):
        checkpoint.write_bytes(data[:length])
        with pytest.raises(AgentError) as refused:
            resume()
        assert str(refused.value).startswith(f"{checkpoint} cannot be resumed: {what}")
        assert str(refused.value).endswith(f"; begin a new run in another folder with --start {tmp_path / LATEST}")


def test_a_path_may_have_a_comma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    folder = tmp_path / "a, b=c,d"
    folder.mkdir()
    file = make_network(folder / "frozen,.safetensors", 3)
    assert Target.of(Target(f"net:{file}").configure(tiny())) == Target(f"net:{file}")
    exploit(Target(f"net:{file}"), tiny(start="own"), folder / "response", num_deals=2)
    assert made_by(folder / "response" / LATEST)["rivals"] == "frozen,.safetensors=1"
    for _ in range(2):
        train_league(LeagueConfig(tiny(measured_deals=2)), folder / "league", [Path(file)])
    assert len(Population.read(folder / "league" / LEAGUE).members) == 7
    for wrong in ("net=0.5,net=0.25", "net=0.5,champion", "=0.5", "net=0.5.5", "net=half"):
        with pytest.raises(AgentError, match="rivals must be a list such as"):
            TrainConfig(rivals=wrong)


@pytest.mark.long
def test_a_best_response_learns_to_beat_what_can_be_beaten(tmp_path: Path) -> None:
    """A network that nobody trained plays badly; a second of training finds out."""
    file = make_network(tmp_path / "frozen.safetensors", 3)
    config = tiny(updates=25, num_envs=128, decisions=32, minibatches=8, epochs=2, hidden=32, measured_deals=50)
    response = exploit(Target(f"net:{file}"), config, tmp_path / "run", num_deals=200)
    assert response.share - response.error > 0.55


def test_a_policy_has_no_weights_to_start_from(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="heuristic has no weights of its own"):
        exploit(Target("heuristic"), tiny(start="own"), tmp_path)
    with pytest.raises(
        AgentError, match="exploit plays against random, heuristic, net, champion or net:FILE, not 'halving'"
    ):
        Target("halving")
    file = make_network(tmp_path / "frozen.safetensors", 3)
    assert Target(f"net:{file}").configure(tiny(start="own")).start == file
    for name in ("net", "champion"):
        assert Target(name).configure(tiny(start="own")).rival_shares() == {name: 1.0}


# Sparring networks


def test_a_mean_of_networks_has_the_mean_of_their_weights(tmp_path: Path) -> None:
    from benchmarks.strength.average import average_networks

    files = [Path(make_network(tmp_path / f"{seed}.safetensors", seed)) for seed in (1, 2)]
    path = tmp_path / "mean.safetensors"
    path.write_bytes(average_networks({files[0]: 0.25, files[1]: 0.75}))
    one, other, mean = (import_network(file).policy.weight for file in (*files, path))
    assert torch.allclose(mean, 0.25 * one + 0.75 * other, atol=1e-2)
    network = Network.load(str(path))
    assert json.loads(network.made["parents"]) == {"1": 0.25, "2": 0.75}
    assert network.rules == Rules.preset("official")


def test_a_mean_of_networks_for_different_tables_plays_at_any(tmp_path: Path) -> None:
    from benchmarks.strength.average import average_networks

    files = [Path(make_network(tmp_path / f"{n}.safetensors", 1, n, "family")) for n in (3, 4)]
    network = Network.read(average_networks(dict.fromkeys(files, 0.5)))
    assert (network.players, network.rules) == (None, None)
    assert list(map(format_rules, network.tables)) == ["family players=3", "family players=4"]
    relabelled = Network.read(average_networks(dict.fromkeys(files, 0.5), parse_rules("family players=4")))
    assert relabelled.rules == parse_rules("family players=4")


def test_networks_in_git_stay_small() -> None:
    shipped = Path(__file__).parents[2] / "src" / "lastcard" / "networks"
    sizes = [path.stat().st_size for folder in (NETWORKS, shipped) for path in folder.glob("*.safetensors")]
    assert sum(sizes) < 20_000_000


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
    is_won, trial = capped.is_won(NETWORKS / "hoarder-A.safetensors", RandomContestant(), 1)
    assert is_won is (trial.unfinished <= 0.5 and trial.share - trial.error > 0.5)


# The league


def test_a_population_divides_rounds_by_what_is_left_to_learn() -> None:
    from lastcard.learning.measure import Score

    population = Population.found("official", 2)
    population.add(Member("strong", "members/strong.safetensors", {}))
    population.rate({"random": Score(0.9, 0, 0, 0), "heuristic": Score(0.7, 0, 0, 0), "strong": Score(0.4, 0, 0, 0)})
    shares = population.divide(0.8, most=8)
    assert sum(shares.values()) == pytest.approx(0.8)
    assert shares["strong"] > shares["heuristic"] > shares["random"] > 0
    with pytest.raises(AgentError, match="has a member 'strong' already"):
        population.add(Member("strong", "x", {}))


def test_a_beaten_policy_stays_among_the_rivals() -> None:
    """`random` and `heuristic` always play; the other places go to the networks that win most often."""
    from lastcard.learning.measure import Score

    population = Population.found("official", 2)
    for number in range(10):
        population.add(Member(f"main-{number}", f"members/main-{number}.safetensors", {}))
    beaten = {"random": Score(0.99, 0, 0, 0), "heuristic": Score(0.95, 0, 0, 0)}
    population.rate({**beaten, **{f"main-{number}": Score(0.5 + number / 100, 0, 0, 0) for number in range(10)}})
    shares = population.divide(0.8, most=8)
    assert set(shares) == {"random", "heuristic", *(f"main-{number}" for number in range(6))}
    assert sum(shares.values()) == pytest.approx(0.8)
    assert 0 < shares["random"] < shares["heuristic"] < shares["main-5"] < shares["main-0"]
    assert set(population.divide(0.8, most=2)) == {"random", "heuristic"}
    with pytest.raises(AgentError, match="most_rivals must be from 2 to 64, not 1"):
        LeagueConfig(tiny(), most_rivals=1)


def test_a_league_grows_and_goes_on(tmp_path: Path) -> None:
    friend = make_network(tmp_path / "friend.safetensors", 4)
    config = LeagueConfig(tiny(), price=0.001, exploiter_share=0.5)
    reports: list[PhaseReport] = []
    main = train_league(config, tmp_path / "league", [Path(friend)], reports.append)
    assert main == tmp_path / "league" / MAIN
    assert [report.phase for report in reports] == ["main", "exploiter"]
    population = Population.read(tmp_path / "league" / LEAGUE)
    names = [member.name for member in population.members]
    assert names[:4] == ["random", "heuristic", "friend", "main-1"]
    assert set(reports[0].scores) == {"random", "heuristic", "friend"}
    assert set(reports[1].scores) == {"main-1"}
    assert population.members[2].made["file"] == "friend.safetensors"
    assert json.loads(population.members[3].made["config"])["price"] == 0.001
    train_league(config, tmp_path / "league", [Path(friend)], reports.append)
    later = Population.read(tmp_path / "league" / LEAGUE)
    assert [entry["run"] for entry in later.history] == [1, 1, 2, 2]
    assert "main-2" in {member.name for member in later.members}
    assert format_phase(reports[0])[0].startswith("run 1, main: 0:0")
    with pytest.raises(AgentError, match="players was 2, not 3; a league keeps its settings"):
        train_league(LeagueConfig(tiny(players=3)), tmp_path / "league")


def made_by(path: Path) -> dict[str, Any]:
    """The training of a network."""
    return dict(json.loads(Network.load(str(path)).made["config"]))


def test_only_the_main_network_pays_for_time_and_keeps_to_a_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    out = tmp_path / "league"
    train_league(LeagueConfig(tiny(trace=0.9, reference=0.1, reference_updates=1)), out)
    main, exploiter = (made_by(out / "members" / f"{name}-1.safetensors") for name in ("main", "exploiter"))
    assert (main["price"], main["trace"]) == (0.0003, 0.9)
    assert (main["reference"], main["reference_updates"]) == (0.1, 1)
    assert (exploiter["price"], exploiter["trace"]) == (0.0, 0.97)
    assert (exploiter["reference"], exploiter["reference_updates"]) == (0.0, 0)
    train_league(LeagueConfig(tiny(), price=0.0), out)
    assert made_by(out / MAIN)["price"] == 0.0
    with pytest.raises(AgentError, match="a league has a price of its own"):
        LeagueConfig(tiny(price=0.001))


def test_exploiters_start_in_turn_from_the_main_network_scratch_and_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when they lose: the third of the first round has no exploiter to start from."""
    wins = iter([False, False, False, True, True, True])
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (next(wins), self.play(*match)))
    config, out = LeagueConfig(tiny(updates=1, evaluations=1, measured_deals=2)), tmp_path / "league"
    starts: list[str] = []
    latest = "phase/latest.safetensors"
    measure = Measurement.is_won

    def note(self: Measurement, network: Path, *match: Any) -> Any:
        assert network == out / latest
        starts.append(made_by(network)["start"])
        return measure(self, network, *match)

    monkeypatch.setattr(Measurement, "is_won", note)
    for _ in range(6):
        train_league(config, out)
    assert starts == [MAIN, "", MAIN, MAIN, "", "exploiter-5.safetensors"]


def test_a_phase_that_was_stopped_goes_on(tmp_path: Path) -> None:
    config, out = LeagueConfig(tiny(updates=4, evaluations=4), exploiter_share=0.0), tmp_path / "league"
    updates: list[int] = []

    def stop(tick: object) -> None:
        updates.append(tick.update)  # type: ignore[attr-defined]
        if len(updates) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(config, out, tick=stop)
    assert not (out / MAIN).exists()
    train_league(config, out, tick=stop)
    assert updates == [1, 2, 3, 4]
    assert (out / MAIN).exists()


def test_an_exploiter_that_was_stopped_goes_on_with_its_own_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the next run has no exploiter: the one that was begun is finished, and says how it differs."""
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    four, out, friend = tiny(updates=4, evaluations=4), tmp_path / "league", tmp_path / "friend.safetensors"
    make_network(friend, 4)
    updates: list[int] = []
    notes: list[str] = []
    reports: list[PhaseReport] = []

    def stop(tick: Tick) -> None:
        updates.append(tick.update)
        if len(updates) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(LeagueConfig(four), out, tick=stop, note=notes.append)
    assert (updates, notes) == ([1, 2, 3, 4, 1, 2], [])
    main = (out / MAIN).read_bytes()
    later = LeagueConfig(tiny(updates=2, evaluations=4), price=0.001, exploiter_share=0.0)
    train_league(later, out, [friend], reports.append, tick=stop, note=notes.append)
    assert updates[6:] == [3, 4]
    assert notes == [
        "The interrupted exploiter phase ends as it began, with updates 4 instead of 2, price 0.0003 instead of 0.001,"
        " exploiter_share 0.25 instead of 0.0"
    ]
    assert [(report.run, report.phase, report.updates) for report in reports] == [(1, "exploiter", 4)]
    assert (out / MAIN).read_bytes() == main
    made = made_by(out / "members" / "exploiter-1.safetensors")
    assert (made["start"], made["price"], made["rivals"]) == (MAIN, 0.0, f"{MAIN}=1")
    train_league(later, out, progress=reports.append, tick=stop, note=notes.append)
    assert [(report.run, report.phase, report.updates) for report in reports[1:]] == [(2, "main", 2)]
    assert len(notes) == 1


def test_a_member_that_joins_during_an_interrupted_phase_is_met_in_the_next(tmp_path: Path) -> None:
    config, friend = LeagueConfig(tiny(), exploiter_share=0.0), tmp_path / "friend.safetensors"
    make_network(friend, 4)

    def stop(_: Tick) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(config, tmp_path / "league", tick=stop)
    notes: list[str] = []
    train_league(config, tmp_path / "league", [friend], note=notes.append)
    assert notes == ["The interrupted main phase ends as it began, with no rounds against friend"]


@pytest.mark.parametrize("self_share", [0.0, 1.0])
def test_a_main_network_may_play_all_rounds_or_none_against_itself(self_share: float, tmp_path: Path) -> None:
    members = [Path(make_network(tmp_path / f"friend-{seed}.safetensors", seed)) for seed in range(4)]
    config = LeagueConfig(tiny(updates=1, measured_deals=2), self_share=self_share, exploiter_share=0.0)
    recipe = made_by(train_league(config, tmp_path / "league", members))
    shares = TrainConfig.from_dict(recipe).rival_shares()
    assert len(shares) == (0 if self_share else 4)
    total = sum(shares.values()) + recipe["random_share"] + recipe["heuristic_share"]
    assert total == pytest.approx(1 - self_share, abs=1e-8)


def test_a_league_takes_small_steps_from_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of `lastcard exploit --start`: else every run first undoes what the one before has learned."""
    out = tmp_path / "league"
    steps: list[tuple[object, ...]] = []

    def note(_: Tick) -> None:
        phase = json.loads((out / "phase" / "phase.json").read_text())
        names = ("start", "learning_rate", "entropy", "warmup")
        steps.append((phase["phase"], *(phase["config"][name] for name in names)))

    one = tiny(updates=1, measured_deals=2)
    for config in (one, one, dataclasses.replace(one, learning_rate=5e-4, warmup=2)):
        train_league(LeagueConfig(config), out, tick=note)
    scratch, small = (0.001, 0.02, 0), (0.0003, 0.002, 8)
    assert steps == [
        ("main", "", *scratch),
        ("exploiter", MAIN, *small),
        ("main", MAIN, *small),
        ("exploiter", "", *scratch),
        ("main", MAIN, 0.0005, 0.002, 2),
        ("exploiter", steps[-1][1], 0.0005, 0.002, 2),
    ]
    assert steps[-1][1]


@pytest.mark.parametrize("wrong", [{"device": "cuda"}, {"start": "nowhere.safetensors"}, {"start": "net", "hidden": 8}])
def test_a_phase_that_could_not_begin_is_forgotten(
    wrong: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    notes: list[str] = []
    with pytest.raises(AgentError):
        train_league(LeagueConfig(tiny(**wrong)), tmp_path, note=notes.append)
    train_league(LeagueConfig(tiny()), tmp_path, note=notes.append)
    assert notes == []


def test_a_first_update_that_fails_leaves_nothing_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lack of memory, for example: other options must be possible."""

    def fail(*_: object) -> NoReturn:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(Learner, "update", fail)
        with pytest.raises(MemoryError):
            train_league(LeagueConfig(tiny(num_envs=4096)), tmp_path / "league")
        with pytest.raises(MemoryError):
            run(tiny(num_envs=4096), tmp_path / "run")
    notes: list[str] = []
    train_league(LeagueConfig(tiny()), tmp_path / "league", note=notes.append)
    assert notes == []
    run(tiny(), tmp_path / "run")


def test_an_interrupted_league_may_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To another folder, and to a machine with another device, in each phase of two runs."""
    monkeypatch.chdir(tmp_path)
    friend, out = Path(make_network(Path("friend.safetensors"), 4)), Path("league")
    here = LeagueConfig(tiny(start=str(friend), measured_deals=2), exploiter_share=0.5)
    there = dataclasses.replace(here, training=dataclasses.replace(here.training, device="auto", threads=2))
    notes: list[str] = []

    def stop(_: object) -> NoReturn:
        raise KeyboardInterrupt

    for number in range(4):
        with pytest.raises(KeyboardInterrupt):
            train_league(here, out, [] if number else [friend], tick=stop, note=notes.append)
        place = tmp_path / f"place {number}"
        place.mkdir()
        shutil.move(out, place)
        friend.unlink(missing_ok=True)
        monkeypatch.chdir(place)
        with pytest.raises(KeyboardInterrupt):
            train_league(there, out, progress=stop, note=notes.append)
    history = Population.read(out / LEAGUE).history
    phases = [(entry["run"], entry["phase"]) for entry in history]
    assert phases == [(1, "main"), (1, "exploiter"), (2, "main"), (2, "exploiter")]
    assert set(notes) == {f"The league continues from its main network; --start {friend} is ignored"}


def test_a_damaged_phase_of_a_league_says_how_to_continue(tmp_path: Path) -> None:
    def stop(_: Tick) -> NoReturn:
        raise KeyboardInterrupt

    for name, message in (
        ("phase.json", f"{tmp_path / 'phase' / 'phase.json'} is damaged; remove {tmp_path / 'phase'}"),
        (CHECKPOINT, f"{tmp_path / 'phase' / CHECKPOINT} cannot be resumed: cut short"),
    ):
        with pytest.raises(KeyboardInterrupt):
            train_league(LeagueConfig(tiny()), tmp_path, tick=stop)
        file = tmp_path / "phase" / name
        file.write_bytes(file.read_bytes()[:100])
        with pytest.raises(AgentError) as refused:
            train_league(LeagueConfig(tiny()), tmp_path)
        assert str(refused.value).startswith(message)
        assert "remove" in str(refused.value)
        shutil.rmtree(tmp_path / "phase")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(AgentError, match=r"cannot make the folder .*file/x/members: Not a directory"):
        train_league(LeagueConfig(tiny()), tmp_path / "file" / "x")


def test_every_match_of_a_league_has_its_own_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    play = Measurement.play

    def note(self: Measurement, network: Path, rival: Contestant, seed: int) -> Score:
        seeds.append(seed)
        return play(self, network, rival, seed)

    monkeypatch.setattr(Measurement, "play", note)
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (False, self.play(*match)))
    for _ in range(2):
        train_league(LeagueConfig(tiny(updates=1, measured_deals=2)), tmp_path)
    first, second = seeds[:3], seeds[3:]
    assert (len(first), len(second)) == (3, 4)
    # The members of one phase play the same deals; its exploiter and the next run play others.
    assert len(set(first)) == len(set(second)) == 2
    assert not set(first) & set(second)


class KilledError(Exception):
    """Ends a run at once, as a kill or a power failure does."""


def kill() -> NoReturn:
    raise KilledError


@pytest.mark.parametrize("phase", ["main", "exploiter"])
@pytest.mark.parametrize("moment", ["before the save", "after the save", "before the folder is removed"])
def test_a_run_killed_at_the_end_of_a_phase_loses_and_repeats_nothing(
    phase: str, moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, reports = tmp_path / "league", list[PhaseReport]()
    config = LeagueConfig(tiny(), exploiter_share=0.5)
    # An exploiter of one update seldom wins its match; here it always does, so that it joins.
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    number = ["main", "exploiter"].index(phase)
    with monkeypatch.context() as patched:
        if moment == "before the folder is removed":
            rmtree = shutil.rmtree

            def remove(path: Path, ignore_errors: bool = False) -> None:
                history = Population.read(out / LEAGUE).history
                return kill() if len(history) > number else rmtree(path, ignore_errors)

            patched.setattr("lastcard.learning.league.shutil.rmtree", remove)
        else:
            write = Folder.write

            def refuse(self: Folder, name: str, data: bytes) -> Path:
                if name != LEAGUE or f'"name": "{phase}-1"'.encode() not in data:
                    return write(self, name, data)
                if moment == "after the save":
                    write(self, name, data)
                return kill()

            patched.setattr(Folder, "write", refuse)
        with pytest.raises(KilledError):
            train_league(config, out)
    train_league(config, out, progress=reports.append)
    # After a main phase the exploiter of the same run is due; after an exploiter, the next run.
    names = ["main-1", "exploiter-1"]
    told = ["main", "exploiter"]
    if moment != "before the save":
        told = ["exploiter"] if phase == "main" else ["main", "exploiter"]
        names += [] if phase == "main" else ["main-2", "exploiter-2"]
    elif phase == "exploiter":
        told = ["exploiter"]
    league = Population.read(out / LEAGUE)
    assert [report.phase for report in reports] == told
    assert [member.name for member in league.members] == ["random", "heuristic", *names]
    assert [f"{entry['phase']}-{entry['run']}" for entry in league.history] == names
    assert not (out / "phase").exists()
    train_league(config, out)
    assert len(Population.read(out / LEAGUE).history) == len(names) + 2


def test_a_league_divides_the_rounds_itself() -> None:
    with pytest.raises(AgentError, match="leave rivals, random_share and heuristic_share alone"):
        LeagueConfig(TrainConfig(rivals="net=0.5"))
    with pytest.raises(AgentError, match=r"rivals must be a list such as FILE=0\.25"):
        TrainConfig(rivals="net")
    with pytest.raises(AgentError, match=r"rivals must have shares of at most 0\.5 together"):
        TrainConfig(rivals="net=0.6", heuristic_share=0.5)
