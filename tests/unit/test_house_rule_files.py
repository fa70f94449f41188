"""The how-to on house rules lists every file that states a rule."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "add-a-house-rule.md"
PLACES = (
    "core/**/*.hpp",
    "core/**/*.cpp",
    "src/lastcard/**/*.py",
    "tests/oracle/[!t]*.py",
    "tests/property/core_fuzz.py",
    "tests/unit/test_rules_fields.py",
    "tests/golden/cli/*.txt",
    "docs/reference/*.md",
    "frontend/src/**/*.ts",
    "frontend/src/**/*.svelte",
    "frontend/src/messages/*.json",
)
PRESETS = {"src/lastcard/envs/rlcard_uno.py"}
"""Play by a switch, as a preset does, without stating the rule."""
REASONING = {"tests/oracle/deals.py", "tests/oracle/expectiminimax.py"}
"""Files that reason about a rule."""


def files_that_name(switch: str) -> set[str]:
    files = (path for place in PLACES for path in ROOT.glob(place))
    # In quotes only as a key: `must_play` is also a value of `drawn_card`.
    pattern = re.compile(rf"(?<![\"\w=]){switch}\b|\"{switch}\":")
    return {path.relative_to(ROOT).as_posix() for path in files if pattern.search(path.read_text(encoding="utf-8"))}


def test_the_page_lists_every_file_that_names_a_switch() -> None:
    listed = set(re.findall(r"`((?:core|docs|frontend|src|tests)/[\w/.-]+)`", PAGE.read_text(encoding="utf-8")))
    named = files_that_name("must_play") - PRESETS - REASONING
    assert {"core/rules/legal.hpp", "src/lastcard/learning/tables.py", "frontend/src/messages/zh.json"} <= named
    assert [file for file in sorted(named) if not listed & {file, file.rpartition("/")[0] + "/"}] == []
    assert [path for path in listed if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("switch", ["seven_zero", "jump_in", "draw_until_playable"])
def test_nothing_that_tells_of_a_round_names_a_switch(switch: str) -> None:
    telling = ("src/lastcard/advice/", "src/lastcard/cli/")
    assert [path for path in files_that_name(switch) if path.startswith(telling)] == []
