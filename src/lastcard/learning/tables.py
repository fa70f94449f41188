"""Tables to train one network on: presets and other switches, two to ten players."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping, Sequence
from typing import Final

from lastcard.errors import RulesError
from lastcard.rules import Rules, format_rules, list_choices

TRAINED: Final = ("official", "family", "tournament", "house")
"""Presets that half of the tables play by."""
MEASURED: Final = (
    Rules.preset("official", players=2),
    Rules.preset("family", players=2),
    Rules.preset("official", players=4),
    Rules.preset("tournament", players=3),
    Rules.preset("house", players=4),
    Rules.preset("house", players=7),
)
"""Tables that the learning curve is measured on."""
_PLAYERS: Final = (2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10)
_SWITCHES: Final[Mapping[str, Sequence[object]]] = {
    **{name: values for name, values in list_choices(uno_penalty=(0, 2, 4)).items() if name != "scoring"},
    "hand_size": (5, 7, 7, 7, 10),
}
_HELD_OUT: Final = 5


def is_held_out(rules: Rules) -> bool:
    """Returns whether training never sees these switches: one combination in five, but no preset.

    A network that plays well by them has understood the switches, not learned tables by heart.

    >>> is_held_out(Rules.preset("house", players=5))
    False
    """
    switches = rules.replace(players=2)
    if any(switches == Rules.preset(name, players=2) for name in TRAINED):
        return False
    return zlib.crc32(format_rules(switches).encode()) % _HELD_OUT == 0


def draw_tables(count: int, seed: int) -> list[Rules]:
    """Draws tables: every second one a preset, the others any switches that are not held out.

    >>> [rules.players for rules in draw_tables(4, seed=1)] == [rules.players for rules in draw_tables(4, seed=1)]
    True
    """
    rng = random.Random(seed)
    first = rng.randrange(len(TRAINED))
    return [
        _draw_switches(rng, held_out=False)
        if number % 2
        else Rules.preset(TRAINED[(first + number // 2) % len(TRAINED)], players=rng.choice(_PLAYERS))
        for number in range(count)
    ]


def draw_held_out(count: int, seed: int) -> list[Rules]:
    """Draws tables whose switches training never sees."""
    rng = random.Random(seed)
    return [_draw_switches(rng, held_out=True) for _ in range(count)]


def _draw_switches(rng: random.Random, *, held_out: bool) -> Rules:
    while True:
        switches = {name: rng.choice(values) for name, values in _SWITCHES.items()}
        try:
            rules = Rules(players=rng.choice(_PLAYERS), **switches)  # type: ignore[arg-type]
        except RulesError:  # two switches that contradict each other
            continue
        if is_held_out(rules) == held_out:
            return rules
