"""`lastcard agents`: who can play, and how to set them up."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.text import Text

from lastcard.agents import LEVELS, AgentInfo, find_agent, is_built_in, list_agents, option_help
from lastcard.agents.plugins import load_plugins
from lastcard.cli.completion import complete_agents
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption, admit_agents
from lastcard.errors import AgentError


def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only this agent.", autocompletion=complete_agents)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain the agents and their options, including those of installed plug-ins.

    Name your own agent as module:Class, here and in every other command.

    Example: lastcard agents halving
    """
    if name is None:
        _load_plugins()
    else:
        admit_agents(name)
    chosen = list_agents() if name is None else (find_agent(name),)
    if as_json:
        print(json.dumps([_described(info) for info in chosen], indent=2))
        return
    screen = Screen()
    for info in chosen:
        _explain(screen, info)
        screen.say()
    if name is None:
        screen.say(Text("Levels of lastcard play", "bold"))
        for level in LEVELS.values():
            screen.say(f"{level.name:<10}{level.agent}, which {level.summary}", indent=2, hang=10)
        screen.say(
            "hard and hardest are one search, advised by a network. In the longest match at each measured table, no"
            " agent whose rounds stay short wins more. Two win more with two players, in long rounds: champion under"
            " official rules, and net under tournament rules.",
            indent=2,
        )
        screen.say()
    screen.say("Options follow a colon, with commas between: --against halving:simulations=5000")
    if any(info.published for info in chosen):
        screen.say("as_published first sets all options as published: mcts:as_published,simulations=100")


def _load_plugins() -> None:
    """Imports the agents of other packages; prints one line for each that cannot be imported."""
    for found in load_plugins():
        if isinstance(found, AgentError):
            print(f"warning: {' '.join(str(found).split())}", file=sys.stderr)


def _described(info: AgentInfo) -> dict[str, object]:
    helps = option_help(info.config)
    options = {option: {"default": default, "help": helps[option]} for option, default in info.options.items()}
    described: dict[str, object] = {
        "name": info.name,
        "summary": info.summary,
        "explanation": info.explanation,
        "options": options,
        "built_in": is_built_in(info.name),
    }
    return {**described, "as_published": info.published} if info.published else described


def _explain(screen: Screen, info: AgentInfo) -> None:
    screen.say(Text(info.name, "bold"))
    screen.say(info.explanation, indent=2)
    helps = option_help(info.config)
    for option, default in info.options.items():
        screen.say(
            Text.assemble((f"{option}={_value(default)}", "bold"), "  ", helps[option].replace("`", "")),
            indent=4,
            hang=2,
        )
    if info.published:
        changed = ", ".join(f"{option}={_value(value)}" for option, value in info.published.items())
        screen.say(Text.assemble(("as_published", "bold"), f"  {changed}"), indent=4, hang=2)


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
