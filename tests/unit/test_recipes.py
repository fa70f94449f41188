"""Recipes: their fields, what replaces them, and what a run from a network adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.curve_text import format_point
from lastcard.learning.doors import list_options
from lastcard.learning.exploit import Response
from lastcard.learning.folder import CURVE, NETWORK, PLOT, Folder
from lastcard.learning.recipes import RECIPES, configure_training
from lastcard.learning.run import train
from lastcard.network import Network
from tests.unit.test_learning import run, tiny
from tests.unit.test_rivals import make_network


def test_a_recipe_sets_fields_that_others_replace() -> None:
    regularised = configure_training(None, {})
    assert regularised == configure_training("regularised", {})
    assert (regularised.reference, regularised.reference_updates, regularised.price) == (0.05, 60, 0.0003)
    assert (regularised.learning_rate, regularised.warmup, regularised.heuristic_share) == (1e-3, 0, 0.0)
    mixed = configure_training("mixed", {"averaging": 0.5})
    assert (mixed.reference, mixed.heuristic_share, mixed.averaging) == (0.05, 0.45, 0.5)
    assert (configure_training("natural", {}).reference, configure_training("natural", {}).entropy) == (0.0, 0.03)
    with pytest.raises(AgentError, match="no recipe 'mix'; there are regularised, mixed, natural"):
        configure_training("mix", {})


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_run_from_a_network_has_its_shape_and_takes_small_steps(recipe: str, tmp_path: Path) -> None:
    start = make_network(tmp_path / "start.safetensors", 1)
    config = configure_training(recipe, {"start": start})
    assert (config.hidden, config.blocks, config.learning_rate, config.warmup) == (16, 1, 3e-4, 8)
    assert configure_training(recipe, {"start": start, "learning_rate": 1e-4}).learning_rate == 1e-4
    assert configure_training(recipe, {"start": "net"}).hidden == 512


def test_the_players_are_those_of_the_rules() -> None:
    assert configure_training(None, {"rules": "tournament"}).players == 4
    assert configure_training(None, {"rules": "tournament", "players": 2}).players == 2
    assert configure_training(None, {"tables": 8}).tables == 8


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_trains_from_scratch_and_is_named_in_the_file(recipe: str, tmp_path: Path) -> None:
    small = {name: value for name, value in tiny().to_dict().items() if name in ("num_envs", "hidden", "device")}
    config = configure_training(recipe, {**small, "updates": 2, "measured_deals": 2, "seed": 5})
    run(config, tmp_path)
    made = Network.load(str(tmp_path / NETWORK)).made
    assert (made["recipe"], made["seed"]) == (recipe, "5")
    assert float(made["minutes"]) >= 0
    assert json.loads(made["config"])["recipe"] == recipe


def test_a_resumed_run_keeps_its_recipe_unless_it_gets_another(tmp_path: Path) -> None:
    run(configure_training("mixed", {"num_envs": 24, "hidden": 16, "updates": 1, "measured_deals": 2}), tmp_path)
    folder = Folder(tmp_path)
    kept, other = (configure_training(recipe, {"updates": 2}, folder) for recipe in (None, "natural"))
    assert (kept.recipe, kept.heuristic_share, kept.updates) == ("mixed", 0.45, 2)
    assert (other.recipe, other.entropy, other.hidden) == ("natural", 0.03, 16)
    assert (other.reference, other.heuristic_share, other.averaging) == (0.0, 0.0, 0.0)  # nothing of mixed is left


def test_a_long_run_ends_with_a_best_response() -> None:
    """It costs a minute, so that it does not take most of a short run."""
    minutes = [configure_training(None, {"minutes": minutes}).response_minutes for minutes in (7.9, 8.0, 60.0)]
    assert minutes == [0.0, 1.0, 1.0]
    assert configure_training(None, {"minutes": 1.0, "response_minutes": 0.5}).response_minutes == 0.5
    assert configure_training(None, {"updates": 5}).response_minutes == 0.0
    assert configure_training(None, {"tables": 5}).response_minutes == 0.0


def test_the_best_response_is_the_end_of_the_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    config = tiny(response_minutes=0.01)
    for updates in (2, 3):  # the second one continues, and its response is a new one
        train(config.change({"updates": updates}), tmp_path, told.append, resume=updates == 3)
        response = told[-1]
        assert isinstance(response, Response)
        assert (response.agent, response.start) == (f"net:{tmp_path / NETWORK}", str(tmp_path / NETWORK))
        [line] = format_point(response)
        assert line.startswith("The best response to net:")
        assert Folder(tmp_path).read_curve()[-1]["response"] == response.to_dict()
    assert len((tmp_path / CURVE).read_text().splitlines()) == 5
    assert (tmp_path / PLOT).exists()
    assert [point.update for point in run(tiny(updates=4), tmp_path, resume=True)] == [4]


def test_both_doors_offer_the_fields_of_a_training() -> None:
    options = list_options()
    assert set(options) == {*TrainConfig().to_dict()} - {"recipe"}
    assert all(option.help.endswith(".") for option in options.values())
    assert options["price"].default == "0.0 or the recipe's"
