"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from lastcard import seeds
from lastcard.agents import is_built_in, load_agent
from lastcard.cli.completion import complete_rules

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
