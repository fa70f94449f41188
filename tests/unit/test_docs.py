"""The reference names every agent, option and level there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard import list_agents
from lastcard.agents.levels import LEVELS

REFERENCE = (Path(__file__).parents[2] / "docs" / "reference" / "agents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [info.name for info in list_agents()])
def test_every_agent_is_documented_with_its_options(name: str) -> None:
    info = next(info for info in list_agents() if info.name == name)
    row = next(line for line in REFERENCE.splitlines() if line.startswith(f"| `{name}` |"))
    assert [option for option in info.options if f"`{option}`" not in row] == []


def test_every_level_is_documented() -> None:
    assert [level.name for level in LEVELS.values() if f"`{level.name}`" not in REFERENCE] == []
