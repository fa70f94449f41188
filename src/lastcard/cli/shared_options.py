"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from lastcard import seeds
from lastcard.agents import is_built_in, load_agent, make_agent, split_name
from lastcard.agents.net import ChampionAgent, NetAgent
from lastcard.cli.completion import complete_rules
from lastcard.network import NETWORK_AGENTS, is_shipped_for
from lastcard.rules import Rules, format_rules
from lastcard.shell import command

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="RULES",
        help="A preset and changes, such as 'official stacking=same'.",
        autocompletion=complete_rules,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", "-s", metavar="SEED", help="Seed of cards and agents; by default random."),
]
RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Write a record; JSON lines if FILE ends in .jsonl."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def fresh_seed() -> int:
    """A random seed that is short enough to be typed."""
    return seeds.fresh_seed(bits=64)


def admit_agents(*names: str) -> None:
    """Imports the agents of other packages and modules that a person named on the command line.

    Modules are looked for in the current folder as well, after all other places.

    Raises:
        AgentError: if there is no such agent, or it cannot be imported.
    """
    for name in names:
        if not is_built_in(name) and os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())
        load_agent(name)


def check_networks(rules: Rules, *names: str) -> None:
    """Checks that the named agents that are networks can play by these rules, and warns if they learned others.

    Raises:
        AgentError: if one cannot play at this table.
    """
    for name in dict.fromkeys(names):
        if not is_built_in(name) or split_name(name)[0].name not in NETWORK_AGENTS:
            continue
        agent = make_agent(name)
        assert isinstance(agent, NetAgent | ChampionAgent)
        network = agent.find_network(rules)
        if not network.learned(rules):
            known = " and ".join(map(format_rules, network.tables)) or "rules of the official deck"
            other = (
                "net picks the network for the table"
                if is_shipped_for(rules)
                else f"train one for these rules with {command('train')}"
            )
            print(
                f"warning: {name} learned {known}, not {format_rules(rules)}, and may play badly; {other}",
                file=sys.stderr,
            )
