"""Options that several commands share."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

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
    """A seed from the operating system."""
    return secrets.randbits(64)
