"""The how-to on house rules lists every file that states a rule."""

import re
from pathlib import Path

import pytest

from lastcard.rules import list_choices

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
LANGUAGES = "frontend/src/messages/"
PRESETS = {"core/tests/random_rules.hpp", "src/lastcard/envs/rlcard_uno.py", "tests/unit/test_rules_fields.py"}
"""Play by a switch, as a preset does, without stating the rule."""
EARLIER = {"core/rules/encoding.hpp", "src/lastcard/envs/encoding.py"}
"""Show the first switches one by one; a later one is shown without a change."""
REASONING = {"tests/oracle/deals.py", "tests/oracle/expectiminimax.py"}
"""Files that reason about a rule."""
OF_MUST_PLAY = {
    "core/rules/legal.hpp",
    "core/search/marginals.cpp",
    "core/search/opponents.hpp",
    "core/game/check_rules.cpp",
}
"""Needs of `must_play` that the trial did not have: what is legal, what a belief learns from it, a contradiction."""

WORDING = {
    "cli/input.py": "says why a Wild Draw Four may not be played",
    "cli/narration.py": "says what the winner scores",
    "exact/chances.py": "refuses rules that it cannot solve",
    "network.py": "finds the network that was trained for a table",
    "state.py": "says why a Wild Draw Four may not be played",
}
"""Modules of the package that may read a switch, and what for."""


def files_in(text: str) -> set[str]:
    """The files and folders that a text names."""
    return set(re.findall(r"`((?:core|docs|frontend|src|tests)/[\w/.-]+)`", text))


def files_that_name(switch: str) -> set[str]:
    files = (path for place in PLACES for path in ROOT.glob(place))
    # In quotes only as a key: `must_play` is also a value of `drawn_card`.
    pattern = re.compile(rf"(?<![\"\w=]){switch}\b|\"{switch}\":")
    return {path.relative_to(ROOT).as_posix() for path in files if pattern.search(path.read_text(encoding="utf-8"))}


def test_the_page_lists_every_file_that_names_a_switch() -> None:
    listed = files_in(PAGE.read_text(encoding="utf-8"))
    named = files_that_name("must_play") - PRESETS - EARLIER - REASONING
    assert {"core/rules/legal.hpp", "src/lastcard/rules.py", "frontend/src/messages/zh.json"} <= named
    assert [file for file in sorted(named) if not listed & {file, file.rpartition("/")[0] + "/"}] == []
    assert [path for path in listed if not (ROOT / path).exists()] == []


def test_the_page_counts_the_files_that_name_a_switch() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## How much it is")[2]
    by_hand, _, by_command = section.partition("The command of step 5")
    languages = {f"{LANGUAGES}{path.name}" for path in (ROOT / LANGUAGES).glob("*.json")}
    files = files_in(by_hand) - {LANGUAGES} | languages
    assert f"changed {len(files)} files by hand" in section
    named = files_that_name("must_play") - PRESETS - EARLIER - REASONING - OF_MUST_PLAY
    assert named <= files | files_in(by_command)


@pytest.mark.parametrize("switch", list_choices(uno_penalty=()))
def test_only_the_core_plays_by_a_switch(switch: str) -> None:
    pattern = re.compile(rf"rules\.{switch}\b")
    package = ROOT / "src" / "lastcard"
    readers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.name != "rules.py" and pattern.search(path.read_text(encoding="utf-8"))
    }
    assert readers - WORDING.keys() == set()
