"""Generates the page of commands: run `python docs/reference/make_cli.py` after changing one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from lastcard.cli.commands import app

TARGET: Final = Path(__file__).with_name("cli.md")
HEAD: Final = """# Commands

This page lists every command and option, as in `lastcard COMMAND --help` (or `-h`); `docs/reference/make_cli.py`
generates it. A command that fails prints one line on standard error and exits with status 2. Ctrl-C exits with status
130 and loses no finished work. Output is colored on a terminal; `NO_COLOR=1` turns colors off, and `FORCE_COLOR=1`
turns them on for pipes and files.
"""


def make_page() -> str:
    """Returns the whole page."""
    root: Any = typer.main.get_command(app)
    context = root.make_context("lastcard", [], resilient_parsing=True)
    parts = [HEAD, *_describe(root, context)]
    for name, command in root.commands.items():
        parts += _sections(name, command, context)
    return "\n".join(parts)


def commands() -> Iterator[tuple[str, Any]]:
    """Yields every command with its full name: `lastcard games show`."""
    yield from _walk("lastcard", typer.main.get_command(app))


def _walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for below, sub in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {below}", sub)


def _sections(name: str, command: Any, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    yield f"## `{context.command_path}`\n"
    yield from _describe(command, context)
    for below, sub in getattr(command, "commands", {}).items():
        yield from _sections(below, sub, context)


def _describe(command: Any, context: Any) -> Iterator[str]:
    text, _, example = (command.help or "").partition("Example: ")
    for paragraph in text.strip().split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"
    yield "```sh\n" + " ".join(example.split()) + "\n```\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"Usage: `{usage}`\n"
    yield "| argument or option | meaning |\n|---|---|"
    for parameter in command.params:
        yield f"| {_name(parameter, context)} | {_cell(_help(parameter, context))} |"
    yield ""


def _name(parameter: Any, context: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_cell(parameter.metavar or parameter.name.upper())}`"
    names, _ = parameter.get_help_record(context)
    return ", ".join(f"`{_cell(name)}`" for name in re.split(r", | / ", names))


def _help(parameter: Any, context: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.help or "")
    return str(parameter.get_help_record(context)[1])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    TARGET.write_text(make_page(), encoding="utf-8")
    print(f"wrote {TARGET}")
