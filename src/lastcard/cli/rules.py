"""`lastcard rules`: presets and fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Final

import typer
from rich.text import Text

from lastcard.cli.options import JsonOption
from lastcard.cli.screen import Screen
from lastcard.rules import PRESET_SUMMARIES, PRESETS, Rules, format_rules, parse_rules

EXPLANATIONS: Final[Mapping[str, str]] = {
    "players": "number of seats, 2 to 10",
    "deck": "official, numbers, mini, or the cards one by one",
    "hand_size": "cards dealt to each seat",
    "target_score": "the score that ends a game",
    "scoring": "winner: takes the points of the others' cards; lowest: each takes its own",
    "max_plies": "plies after which an unfinished round is ended",
    "wild_draw_four": "strict: only without the active color; bluff: always, can be challenged; free: always;"
    " last_resort: only when nothing else fits",
    "uno_penalty": "cards for being caught without calling UNO; 0: it is called for you",
    "stacking": "pass draw cards on with another: none, same, any_up (also w+4 on +2)",
    "draw_until_playable": "drawing goes on until a card can be played",
    "must_play": "a seat that can play may not draw",
    "drawn_card": "the card just drawn: may_play, must_play, or end_turn",
    "seven_zero": "a 7 swaps hands, a 0 passes them all on",
    "jump_in": "the identical card may be played out of turn",
}


def rules(
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME [CHANGE]...]", help="A preset and changes.")
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
        screen.say("lastcard rules NAME explains one; lastcard play --rules NAME plays it.")


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
