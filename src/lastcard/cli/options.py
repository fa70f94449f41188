"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lastcard import seeds
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
    typer.Option("--seed", "-s", metavar="SEED", help="Fixes cards and agents; random if not given."),
]
RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Write a record; JSON lines if FILE ends in .jsonl."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def fresh_seed() -> int:
    """A random seed that is short enough to be typed."""
    return seeds.fresh_seed(bits=64)
