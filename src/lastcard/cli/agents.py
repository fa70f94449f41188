"""`lastcard agents`: who can play."""

from __future__ import annotations

import json

from rich.text import Text

from lastcard.agents import list_agents
from lastcard.cli.options import JsonOption
from lastcard.cli.screen import Screen


def agents(as_json: JsonOption = False) -> None:
    """List the agents with their options.

    Example: lastcard watch heuristic:wild_below=2 random
    """
    if as_json:
        found = [{"name": info.name, "summary": info.summary, "options": info.options} for info in list_agents()]
        print(json.dumps(found, indent=2))
        return
    screen = Screen()
    for info in list_agents():
        screen.say(Text.assemble((f"{info.name:<14}", "bold"), info.summary))
        for option, default in info.options.items():
            screen.say(Text(f"{info.name}:{option}={default}", "dim"), indent=14)
    screen.say()
    screen.say("Options follow a colon, with commas between: --against heuristic:wild_below=2")
