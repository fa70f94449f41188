"""The switches of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass
class Switches:
    """The fields of Rule 11.1 without the deck, with their defaults."""

    players: int = 2
    hand_size: int = 7
    target_score: int = 500
    scoring: str = "winner"
    max_plies: int = 10_000
    wild_draw_four: str = "strict"
    uno_penalty: int = 0
    stacking: str = "none"
    draw_until_playable: bool = False
    must_play: bool = False
    drawn_card: str = "may_play"
    seven_zero: bool = False
    jump_in: bool = False


def read_switches(rules: Mapping[str, object]) -> Switches:
    """Returns the switches named in a mapping, with defaults for the missing ones."""
    switches = Switches()
    for field in fields(Switches):
        value = rules.get(field.name, field.default)
        if type(value) is not type(field.default):
            raise ValueError(f"{field.name}: expected {type(field.default).__name__}, got {value!r}")
        setattr(switches, field.name, value)
    return switches
