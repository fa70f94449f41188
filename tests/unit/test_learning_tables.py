"""One network for all tables: what it is trained on, that it plays everywhere, and what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lastcard.agents import make_agent
from lastcard.arena.core_match import HeuristicContestant, NetContestant, play_match
from lastcard.envs import VectorEnv
from lastcard.errors import AgentError
from lastcard.learning import TrainConfig, session, train
from lastcard.learning.environments import CpuEnvironment, Environment, PaddedEnvironment, Rows, open_environment
from lastcard.learning.folder import NETWORK
from lastcard.learning.measure import Measurement
from lastcard.learning.model import PolicyValueNet, export_network, import_network
from lastcard.learning.opponents import open_opposition
from lastcard.learning.tables import TRAINED, draw_held_out, draw_tables, is_held_out
from lastcard.network import Network
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import deal
from tests.unit.test_learning import run, tiny
from tests.unit.test_network import by_core

CPU = torch.device("cpu")


def make_network(path: Path, seed: int = 1) -> str:
    torch.manual_seed(seed)
    model = PolicyValueNet(None, 16, 1)
    torch.nn.init.normal_(model.policy.weight)
    torch.nn.init.normal_(model.value.weight)
    path.write_bytes(export_network(model, None, {}))
    return str(path)


# The tables


def test_half_of_the_tables_are_presets_and_none_is_held_out() -> None:
    tables = draw_tables(400, seed=1)
    switches = [rules.replace(players=2) for rules in tables]
    presets = {name: switches[::2].count(Rules.preset(name, players=2)) for name in TRAINED}
    assert presets == dict.fromkeys(TRAINED, 50)
    assert len(set(switches[1::2])) > 150
    assert not any(map(is_held_out, tables))
    assert set(Counter(rules.players for rules in tables)) == set(range(2, 11))
    assert draw_tables(8, seed=1) == tables[:8] != draw_tables(8, seed=2)


def test_tables_that_are_held_out_have_other_switches() -> None:
    held_out = draw_held_out(50, seed=1)
    assert all(map(is_held_out, held_out))
    trained = {rules.replace(players=2) for rules in draw_tables(2_000, seed=3)}
    assert not trained & {rules.replace(players=2) for rules in held_out}


def test_presets_are_never_held_out_with_any_number_of_players() -> None:
    assert not any(is_held_out(Rules.preset(name, players=players)) for name in TRAINED for players in range(2, 11))


# Environments


def test_a_padded_environment_plays_the_same_rounds() -> None:
    rules = Rules.preset("house", players=3)
    plain = open_environment(CPU, 8, rules, 5, None, 1)
    padded = PaddedEnvironment(open_environment(CPU, 8, rules, 5, None, 1), 3, CPU)
    narrow, wide = (Rows.make(1, 8, players, CPU, has_hidden=True)[0] for players in (3, 10))
    plain.reset(narrow)
    padded.reset(wide)
    for _ in range(400):
        actions = narrow.masks.float().argmax(dim=1)
        plain.step(actions, narrow)
        padded.step(actions, wide)
        assert torch.equal(narrow.observations, wide.observations)
        assert torch.equal(narrow.rewards, wide.rewards[:, :3])
        assert not wide.rewards[:, 3:].any()
        assert narrow.hidden is not None
        assert wide.hidden is not None
        hands = narrow.hidden.shape[1]
        assert torch.equal(narrow.hidden, wide.hidden[:, :hands])
        assert not wide.hidden[:, hands:].any()
    assert plain.count() == padded.count()
    assert plain.count()[0] > 0


def test_every_table_has_its_share_of_the_environments() -> None:
    config = tiny(tables=7, num_envs=24, heuristic_share=0.25)
    env = open_opposition(CPU, 24, 1, config).env
    assert env.num_envs == 24
    rows = Rows.make(1, 24, 10, CPU)[0]
    env.reset(rows)
    first, size = encoding_columns("players_are")
    seen = {2 + int(row[first : first + size].argmax()) for row in rows.observations}
    assert seen == {rules.players for rules in draw_tables(7, 1)}


def test_no_two_tables_have_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def open_one(
        device: torch.device, count: int, rules: Rules, seed: int, *others: Any, **options: Any
    ) -> Environment:
        seeds.append(seed)
        return open_environment(device, count, rules, seed, *others, **options)

    monkeypatch.setattr("lastcard.learning.opponents.open_environment", open_one)
    open_opposition(CPU, 24, 1, tiny(tables=4, num_envs=24, heuristic_share=0.5))
    assert len(seeds) == len(set(seeds)) == 8


def encoding_columns(name: str) -> tuple[int, int]:
    from lastcard.envs import encoding_blocks

    [block] = [block for block in encoding_blocks() if block.name == name]
    return block.start, block.stop - block.start


# Training


def test_a_network_for_all_tables_is_trained_and_plays_everywhere(tmp_path: Path) -> None:
    points = run(tiny(tables=6, heuristic_share=0.3), tmp_path)
    assert len(points) == 2
    file = str(tmp_path / NETWORK)
    network = Network.load(file)
    assert (network.players, network.rules) == (None, None)
    for name, players in (("official", 2), ("family", 4), ("house", 10)):
        rules = Rules.preset(name, players=players)
        state = deal(rules, seed=3)
        assert state.seat is not None
        assert make_agent(f"net:{file}").choose(observe(state, state.seat)) in state.legal_actions
        match = play_match(rules, [NetContestant(file), *[HeuristicContestant()] * (players - 1)], 2)
        assert match.players == players


def test_a_run_on_tables_is_resumed_with_as_many_and_other_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "REDRAWN", 1)
    seeds: list[int] = []

    def draw(count: int, seed: int) -> list[Rules]:
        seeds.append(seed)
        return draw_tables(count, seed)

    monkeypatch.setattr("lastcard.learning.opponents.draw_tables", draw)
    run(tiny(tables=4), tmp_path)
    run(tiny(tables=4, updates=3), tmp_path, resume=True)
    # The second update and the resumed run begin at their own number of updates.
    assert len(seeds) == 4
    assert len(set(seeds)) == 3
    with pytest.raises(AgentError, match="tables was 4, not 5; a resumed run keeps its settings"):
        train(tiny(tables=5, updates=4), tmp_path, resume=True)


def test_it_starts_from_a_network_for_all_tables_only(tmp_path: Path) -> None:
    file = make_network(tmp_path / "any.safetensors")
    run(tiny(tables=4, start=file), tmp_path / "a")
    with pytest.raises(AgentError, match="start must be the file of a network for all tables, not champion"):
        train(tiny(tables=4, start="champion"), tmp_path / "b")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": "house"}, "rules must be left out with tables"),
        ({"players": 3}, "players must be left out with tables"),
        ({"rivals": "net=0.5"}, "rivals must be left out with tables"),
        ({"response_minutes": 1.0}, "response_minutes must be left out with tables"),
        ({"tables": 30}, "num_envs must be at least tables, 30, not 24"),
        ({"tables": 1001}, "tables must be from 0 to 1000, not 1001"),
    ],
)
def test_what_does_not_go_with_tables_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(AgentError, match=message):
        tiny(**{"tables": 4, **changes})


def test_the_measure_of_several_tables_has_half_as_even(tmp_path: Path) -> None:
    """Against itself a network wins as much as it loses: with these deals, to within five standard errors."""
    file = Path(make_network(tmp_path / "any.safetensors"))
    tables = (Rules.preset("family", players=2), Rules.preset("family", players=4))
    measurement = Measurement(tables, 400, 1)
    score = measurement.play(file, NetContestant(str(file)), 1)
    assert abs(score.share - 0.5) < 2.6 * max(score.error, 1e-3)


# Files


def test_the_core_agrees_with_torch_at_a_table_of_seven(tmp_path: Path) -> None:
    file = make_network(tmp_path / "any.safetensors")
    model, network = import_network(Path(file)), Network.load(file)
    env = VectorEnv(200, Rules.preset("house", players=7), seed=1)
    buffers = env.make_buffers()
    env.reset(buffers)
    assert buffers.observations is not None
    scores, values = model(torch.from_numpy(buffers.observations))
    policies, worth = by_core(network, buffers.observations)
    np.testing.assert_allclose(policies, scores.detach().numpy(), atol=1e-4)
    np.testing.assert_allclose(worth, values.detach().numpy(), atol=1e-4)


def test_a_training_says_how_many_players_there_may_be() -> None:
    assert (TrainConfig().most_players, TrainConfig(tables=1).most_players) == (2, 10)
    assert isinstance(open_environment(CPU, 2, Rules.preset("mini"), 1, None, 1), CpuEnvironment)
