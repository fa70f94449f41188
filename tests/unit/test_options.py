"""Options cross to the core by name, and both sides have the same ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest

from lastcard import _core
from lastcard.agents.info import option_help
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError
from lastcard.options import CoreOptions, fill_record
from lastcard.rules import Rules
from lastcard.search import ExpectiminimaxConfig, HalvingConfig, IsmctsConfig, MctsConfig, PomcpConfig
from lastcard.search.trees import TreeConfig
from tests.docs.pages import ROOT

CONFIGS = (BeliefConfig, HalvingConfig, ExpectiminimaxConfig, IsmctsConfig, MctsConfig, PomcpConfig)


@pytest.mark.parametrize("config", CONFIGS)
def test_both_sides_have_the_same_options(config: Any) -> None:
    """Making and compiling a config compares its fields with the core's."""
    assert isinstance(config().compile(Rules.preset("official")), config.RECORD)
    assert all(option_help(config).values())


@dataclass(frozen=True)
class Slower(HalvingConfig):
    """A config with an option that was forgotten in the core."""

    patience: int = 3


@dataclass(frozen=True)
class Shorter(CoreOptions):
    """A config that lacks most options of the core."""

    RECORD: ClassVar[type[Any]] = _core.IsmctsSettings

    patience: int = 3


def test_an_option_that_the_core_lacks_is_named() -> None:
    with pytest.raises(TypeError, match="Slower has the option patience, but the core's HalvingSettings has no such"):
        Slower()


def test_an_option_that_only_the_core_has_is_named() -> None:
    with pytest.raises(TypeError, match="BeliefSettings has the field kind, but Shorter has no such option: add it"):
        Shorter().compile(Rules.preset("official"))


def test_the_core_takes_every_field_and_no_other() -> None:
    config = IsmctsConfig()
    tree = fill_record(_core.TreeSettings, config, config.translate(Rules.preset("official")))
    values = {"tree": tree, "patience": 1}
    with pytest.raises(TypeError, match="IsmctsSettings needs the field heuristic_first"):
        _core.IsmctsSettings(**values)
    with pytest.raises(TypeError, match="IsmctsSettings has no field guides"):
        _core.IsmctsSettings(**values, heuristic_first=True, guides=True)


@pytest.mark.parametrize("config", CONFIGS[1:])
def test_limits_are_those_of_the_core(config: Any) -> None:
    """Every number can be as large as the core takes it, and no larger."""
    for field in fields(config):
        limits = config.RECORD.FIELDS.get(field.name)
        if field.name in config.TRANSLATED or limits is None or isinstance(field.default, bool | str):
            continue
        config(**{field.name: limits[1]}).compile(Rules.preset("official"))
        with pytest.raises(AgentError, match=f"{field.name} must be"):
            config(**{field.name: limits[1] + 1})


def read_default(text: str) -> object:
    """Reads a value of a table in C++; None for one that Python has in another form."""
    if text in ("true", "false"):
        return text == "true"
    if "::" in text:
        return text.rpartition("::")[2].lower()
    number = text.replace("'", "")
    return float(number) if re.fullmatch(r"[\d.e]+", number) else None


def core_defaults(record: str) -> dict[str, object]:
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "core" / "search").glob("*.hpp")))
    table = re.search(rf"#define (\w+)\(OPTION\)((?:.*\\\n)+.*)\nLASTCARD_OPTIONS\({record}, \1\)", headers)
    assert table, record
    return {name: read_default(value) for name, value in re.findall(r"OPTION\(\w+, (\w+), ([^,)]+)", table[2])}


@pytest.mark.parametrize("config", [*CONFIGS, TreeConfig])
def test_defaults_are_those_of_the_core(config: Any) -> None:
    ours = {field.name: field.default for field in fields(config)}
    core = core_defaults(config.RECORD.__name__)
    shared = [name for name, value in core.items() if name in ours and value is not None]
    assert shared
    assert {name: ours[name] for name in shared} == {name: core[name] for name in shared}


@pytest.mark.parametrize("change", [{"seat": 10}, {"seat": -1}, {"active_color": 4}, {"drawn": 54}, {"direction": 2}])
def test_a_field_of_a_turn_that_is_impossible_is_named(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"turn: {next(iter(change))} is impossible"):
        _core.Turn(**change)


def test_a_turn_has_no_other_fields() -> None:
    with pytest.raises(TypeError, match="turn: no such field"):
        _core.Turn(seat=1, color=2)
