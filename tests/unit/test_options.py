"""Options: stated in the core, written as dataclasses, and as text."""

from __future__ import annotations

import copy
import pickle
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from lastcard import _core
from lastcard.agents import find_agent, format_agent, make_agent
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError
from lastcard.options import list_options, option_help, set_options
from lastcard.rules import Rules
from lastcard.search import ExpectiminimaxConfig, HalvingConfig, IsmctsConfig, MctsConfig, PomcpConfig

SEARCHES = (HalvingConfig, ExpectiminimaxConfig, IsmctsConfig, MctsConfig, PomcpConfig)
CONFIGS = (BeliefConfig, *SEARCHES)
OFFICIAL = Rules.preset("official")


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_has_the_options_of_the_core(config: Any) -> None:
    assert isinstance(config().compile(OFFICIAL), config.RECORD)
    assert [field.name for field in fields(config)] == list(config.RECORD.OPTIONS)
    assert all(told.endswith(".") for told in option_help(config).values())


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_is_a_frozen_dataclass(config: Any) -> None:
    first = next(name for name, (default, _, _) in config.RECORD.OPTIONS.items() if type(default) is int)
    made = config(**{first: 7})
    assert config(**vars(made)) == replace(config(), **{first: 7}) == made != config()
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert hash(made) == hash(copy.copy(made))
    assert repr(made).startswith(f"{config.__name__}(")
    for name in (first, "no_option"):
        with pytest.raises(AttributeError):
            setattr(made, name, 8)


def test_a_belief_is_a_record_in_a_record() -> None:
    config = HalvingConfig(belief=BeliefConfig("uniform", noise=0.5))
    assert asdict(config)["belief"] == asdict(config.belief)
    assert asdict(config)["belief"]["kind"] == "uniform"
    assert replace(config, belief=replace(config.belief, noise=0.05)) == HalvingConfig(belief=BeliefConfig("uniform"))


@pytest.mark.parametrize("config", SEARCHES)
def test_options_are_flat_in_text(config: Any) -> None:
    info = find_agent(config.kind)
    assert info.options == list_options(config) == list_options(config()) == list_options(make_agent(info.name).config)  # type: ignore[attr-defined]
    assert "kind" not in info.options
    changed = set_options(config, {"belief": "uniform", "threads": 3})
    assert list_options(changed) == {**info.options, "belief": "uniform", "threads": 3}
    assert make_agent(f"{config.kind}:belief=uniform,threads=3").config == changed  # type: ignore[attr-defined]
    assert f"{config.kind}:" + ",".join(f"{n}={str(v).lower()}" for n, v in info.options.items()) == format_agent(
        config.kind
    )


def test_the_core_takes_every_field_and_no_other() -> None:
    values = IsmctsConfig().resolve(OFFICIAL)
    with pytest.raises(TypeError, match="IsmctsSettings has no field guides"):
        _core.IsmctsSettings(**values, guides=True)
    del values["heuristic_first"]
    with pytest.raises(TypeError, match="IsmctsSettings needs the field heuristic_first"):
        _core.IsmctsSettings(**values)


@pytest.mark.parametrize("config", CONFIGS)
def test_limits_are_those_of_the_core(config: Any) -> None:
    """Every number can be as large as the core takes it, and no larger."""
    for name, (default, limits, _) in config.RECORD.OPTIONS.items():
        if isinstance(default, bool) or not isinstance(default, int | float):
            continue
        config(**{name: limits[1]}).compile(OFFICIAL)
        with pytest.raises(AgentError, match=f"{name} must be"):
            config(**{name: limits[1] + 1})
        with pytest.raises(ValueError, match=f"{config.RECORD.__name__}: {name} out of range"):
            config.RECORD(**{**config().resolve(OFFICIAL), name: limits[1] + 1})


@pytest.mark.parametrize("change", [{"seat": 10}, {"seat": -1}, {"active_color": 4}, {"drawn": 54}, {"direction": 2}])
def test_a_field_of_a_turn_that_is_impossible_is_named(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"turn: {next(iter(change))} is impossible"):
        _core.Turn(**change)


def test_a_turn_has_no_other_fields() -> None:
    with pytest.raises(TypeError, match="turn: no such field"):
        _core.Turn(seat=1, color=2)
