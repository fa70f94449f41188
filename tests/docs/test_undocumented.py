"""Nothing that a user can type is missing from the reference."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

import pytest

import lastcard
from docs.reference.make_cli import TARGET, commands, make_page
from lastcard import PRESETS, Rules, list_agents
from lastcard.agents.levels import LEVELS
from tests.docs.pages import PAGES, ROOT, read_page

CLI = read_page("docs/reference/cli.md")
RULES = read_page("docs/reference/rules.md")
API = "".join(map(read_page, (page for page in PAGES if page.startswith("docs/reference/api/"))))
AGENTS = read_page("docs/reference/agents.md")
INSTALL = read_page("docs/how-to/install.md")


def missing_from_cli(text: str) -> list[str]:
    """Commands, options and arguments that have no row in their command's section."""
    sections = re.split(r"^#+ ", text, flags=re.MULTILINE)
    missing = []
    for name, command in commands():
        title = "Commands" if name == "lastcard" else f"`{name}`"
        section = next((part for part in sections if part.startswith(f"{title}\n")), None)
        if section is None:
            missing.append(name)
            continue
        for parameter in command.params:
            if parameter.param_type_name == "option":
                missing += [f"{name} {o}" for o in parameter.opts if not re.search(rf"`{o}( [^`]*)?`", section)]
            assert parameter.help, f"{name}: {parameter.name} has no help"
    return missing


def missing_presets(text: str) -> list[str]:
    return [preset for preset in PRESETS if f"\n| `{preset}` |" not in text]


def missing_switches(text: str) -> list[str]:
    """Fields of the rules that section 11 does not give a default, or that no rule outside it explains."""
    before, _, fields = text.partition("**11.1**")
    return [name for name in Rules().to_dict() if f"`{name}=" not in fields or not re.search(rf"`{name}\b", before)]


def missing_agents(text: str) -> list[str]:
    """Agents without a row, and options that are not in theirs."""
    rows = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
    missing = [info.name for info in list_agents() if info.name not in rows]
    for info in list_agents():
        missing += [f"{info.name}:{option}" for option in info.options if f"`{option}`" not in rows.get(info.name, "")]
    return missing


def missing_levels(text: str) -> list[str]:
    return [level.name for level in LEVELS.values() if f"`{level.name}`" not in text]


def missing_names(text: str) -> list[str]:
    """Public names whose module the pages of the API do not show."""
    modules = {name: getattr(getattr(lastcard, name), "__module__", "lastcard.cards") for name in lastcard.__all__}
    return [name for name, module in modules.items() if module != "builtins" and f"::: {module}\n" not in text]


def missing_extras(text: str) -> list[str]:
    """Extras that the table on the page about installing does not name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text, re.MULTILINE)
    return [extra for extra in project["optional-dependencies"] if f"`{extra}`" not in " ".join(named)]


Finder = Callable[[str], list[str]]
CHECKS: list[tuple[Finder, str, str, str]] = [
    (missing_from_cli, CLI, r"^\| `-n`, `--players.*\n", "lastcard play -n"),
    (missing_from_cli, CLI, r"^## `lastcard games show`$", "lastcard games show"),
    (missing_presets, RULES, r"^\| `study` .*\n", "study"),
    (missing_switches, RULES, r"`seven_zero=False`", "seven_zero"),
    (missing_switches, RULES, r"^\*\*10\.6\*\* `jump_in`", "jump_in"),
    (missing_agents, AGENTS, r"^\| `pomcp` .*\n", "pomcp"),
    (missing_agents, AGENTS, r"`refill_particles`, ", "pomcp:refill_particles"),
    (missing_levels, AGENTS, r"`beginner` ", "beginner"),
    (missing_extras, INSTALL, r"^\| `web` .*\n", "web"),
    (missing_names, API, r"^::: lastcard.belief$", "Belief"),
]


@pytest.mark.parametrize(("find", "text"), dict.fromkeys(check[:2] for check in CHECKS))
def test_nothing_is_undocumented(find: Finder, text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(("find", "text", "cut", "name"), CHECKS)
def test_what_is_cut_from_a_page_is_missed(find: Finder, text: str, cut: str, name: str) -> None:
    shorter, times = re.subn(cut, "", text, flags=re.MULTILINE)
    assert times >= 1
    assert name in find(shorter)


def test_the_page_of_commands_is_what_they_say() -> None:
    assert TARGET.read_text(encoding="utf-8") == make_page(), "python docs/reference/make_cli.py writes it again"


def test_every_command_has_an_example_that_names_it() -> None:
    for name, command in commands():
        _, _, example = (command.help or "").partition("Example: ")
        assert example.startswith("lastcard "), name
        assert name in example, name
