"""Completions for Tab after an option or in place of an argument."""

from __future__ import annotations

from collections.abc import Iterator

from lastcard.agents import LEVELS, find_agent, list_agents
from lastcard.agents.plugins import list_plugins
from lastcard.errors import AgentError
from lastcard.rules import EXPLANATIONS, PRESET_SUMMARIES


def complete_agents(incomplete: str) -> Iterator[tuple[str, str]]:
    """Agents by name; after a colon, their options.

    >>> list(complete_agents("halv"))
    [('halving', 'plays rounds out from hands that fit what was seen')]
    >>> [value for value, _ in complete_agents("frequency:four_b")]
    ['frequency:four_below=']
    """
    name, colon, options = incomplete.partition(":")
    if not colon:
        yield from ((info.name, info.summary) for info in list_agents() if info.name.startswith(name))
        yield from ((each.name, f"of {each.source}") for each in list_plugins() if each.name.startswith(name))
        return
    try:
        info = find_agent(name)
    except AgentError:
        return
    given, comma, part = options.rpartition(",")
    for option, default in info.options.items():
        if option.startswith(part):
            yield f"{name}:{given}{comma}{option}=", f"usually {default}"


def complete_rules(incomplete: str) -> Iterator[tuple[str, str]]:
    """Presets; after one, the fields that can be changed.

    >>> [value for value, _ in complete_rules("official stack")]
    ['official stacking=']
    """
    given, space, part = incomplete.rpartition(" ")
    offered = EXPLANATIONS if space else PRESET_SUMMARIES
    end = "=" if space else ""
    yield from ((f"{given}{space}{name}{end}", summary) for name, summary in offered.items() if name.startswith(part))


def complete_levels(incomplete: str) -> Iterator[tuple[str, str]]:
    """Levels of `lastcard play`."""
    yield from ((level.name, level.summary) for level in LEVELS.values() if level.name.startswith(incomplete))


def complete_puzzles(incomplete: str) -> Iterator[tuple[str, str]]:
    """Puzzles by name."""
    from lastcard.puzzles import PUZZLES

    yield from ((name, puzzle.summary) for name, puzzle in PUZZLES.items() if name.startswith(incomplete))
