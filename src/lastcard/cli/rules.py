"""`lastcard rules`: presets and fields."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.text import Text

from lastcard.cli.completion import complete_rules
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption
from lastcard.rules import EXPLANATIONS, PRESET_SUMMARIES, PRESETS, Rules, format_rules, parse_rules
from lastcard.shell import command


def rules(
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME [CHANGE]...]", help="A preset and changes.", autocompletion=complete_rules),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the presets, or explain every field of one.

    Example: lastcard rules house players=3
    """
    screen = Screen()
    if name:
        _explain(screen, parse_rules(" ".join(name)), as_json)
    elif as_json:
        print(json.dumps({preset: _described(preset) for preset in PRESETS}, indent=2))
    else:
        for preset in PRESETS:
            screen.say(Text.assemble((f"{preset:<12}", "bold"), PRESET_SUMMARIES[preset]), hang=12)
        screen.say()
        explain, play = command("rules", "NAME"), command("play", "--rules", "NAME")
        screen.say(f"{explain} explains one; {play} plays it.")


def _described(preset: str) -> dict[str, object]:
    return {"summary": PRESET_SUMMARIES[preset], "rules": Rules.preset(preset).to_dict()}


def _explain(screen: Screen, chosen: Rules, as_json: bool) -> None:
    fields, defaults = chosen.to_dict(), Rules().to_dict()
    if as_json:
        described = {
            field: {"value": value, "default": defaults[field], "explanation": EXPLANATIONS[field]}
            for field, value in fields.items()
        }
        print(json.dumps({"name": format_rules(chosen), "fields": described}, indent=2))
        return
    screen.say(Text(format_rules(chosen), "bold"))
    screen.say()
    for field, value in fields.items():
        changed = value != defaults[field]
        setting = f"{field}={format_value(value)}"
        note = f"default {format_value(defaults[field])}" if changed else "default"
        screen.say(Text.assemble((f"{setting:<32}", "bold" if changed else ""), (note, "dim")))
        screen.say(EXPLANATIONS[field], indent=4)


def format_value(value: object) -> str:
    """A field's value as it is typed; a long deck only counted."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{len(text.split())} cards"
