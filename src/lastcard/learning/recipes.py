"""Recipes: presets of `TrainConfig`, each for one aim. A field that is given replaces the recipe's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.errors import AgentError, require, shorten, suggest
from lastcard.learning.config import TrainConfig
from lastcard.learning.folder import Folder
from lastcard.network import NETWORK_AGENTS, Network
from lastcard.rules import parse_rules

_PLAIN: Final = TrainConfig()
_FROM_A_NETWORK: Final[Mapping[str, Any]] = {"learning_rate": 3e-4, "warmup": 8}
"""With a start: at the rate for random weights, the first updates would undo what the network has learned."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Fields of `TrainConfig` that work together; the others keep their defaults."""

    name: str
    purpose: str
    fields: Mapping[str, Any]
    with_start: Mapping[str, Any]
    """More fields for a run that starts from a network."""

    def configure(self, given: Mapping[str, Any]) -> TrainConfig:
        """Makes a config from the recipe and the fields that are given; a start decides the network's shape.

        Raises:
            AgentError: naming the field that is impossible.

        >>> config = RECIPES["mixed"].configure({"heuristic_share": 0.2, "rules": "tournament"})
        >>> config.recipe, config.heuristic_share, config.averaging, config.players
        ('mixed', 0.2, 0.98, 4)
        """
        require("given", given, Mapping, AgentError)
        fields = {**self.fields, "recipe": self.name}
        rules = parse_rules(given.get("rules", _PLAIN.rules))
        if not given.get("tables"):
            fields["players"] = rules.players
        if start := given.get("start"):
            players = given.get("players", rules.players)
            fields |= self.with_start
            network = Network.shipped(rules.replace(players=players), start) if start in NETWORK_AGENTS else None
            network = network or Network.load(start)
            fields |= {"hidden": network.hidden, "blocks": network.blocks}
        return TrainConfig.from_dict({**fields, **given})


_REGULARISED: Final[Mapping[str, Any]] = {
    "reference": 0.05,
    "reference_updates": 60,
    "entropy": 0.01,
    "last_entropy": 0.002,
    "price": 0.0003,
    "critic": "all_hands",
}
RECIPES: Final[Mapping[str, Recipe]] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "regularised",
            "hard to beat: self-play that a slowly moving copy of the network holds back",
            _REGULARISED,
            _FROM_A_NETWORK,
        ),
        Recipe(
            "mixed",
            "the same with nearly half of the rounds against `heuristic`, to win most against that",
            {
                **_REGULARISED,
                "heuristic_share": 0.45,
                "entropy": 0.004,
                "last_entropy": 0.001,
                "price": 0.0002,
                "averaging": 0.98,
            },
            _FROM_A_NETWORK,
        ),
        Recipe(
            "natural",
            "rounds of natural length: self-play that stays undecided enough not to hoard",
            {"entropy": 0.03, "last_entropy": 0.005, "critic": "all_hands"},
            _FROM_A_NETWORK,
        ),
    )
}
"""Recipes of `lastcard train --recipe`."""
DEFAULT: Final = "regularised"
RESPONSE: Final = Recipe(
    "response",
    "a best response: all rounds against one frozen agent",
    # Plans against a fixed agent pay off late. Rounds against a hoarder are long: more deals would take too much time.
    {"trace": 0.97, "critic": "all_hands", "evaluations": 12, "measured_deals": 100},
    {**_FROM_A_NETWORK, "entropy": 0.002},
)
_LONG_RUN_MINUTES: Final = 8.0
_RESPONSE_MINUTES: Final = 1.0


def find_recipe(name: str) -> Recipe:
    """Returns the recipe of that name.

    Raises:
        AgentError: if there is none, listing the known ones.
    """
    if name not in RECIPES:
        raise AgentError(f"no recipe {shorten(name)}; there are {', '.join(RECIPES)}{suggest(name, RECIPES)}")
    return RECIPES[name]


def configure_training(recipe: str | None, given: Mapping[str, Any], resumed: Folder | None = None) -> TrainConfig:
    """Makes a config of `lastcard train`: long runs end with a best response of a minute unless told otherwise.

    A run that is resumed from its folder keeps every field that neither is given nor is of another recipe.

    >>> [configure_training(None, {"minutes": minutes}).response_minutes for minutes in (5, 8)]
    [0.0, 1.0]
    """
    if resumed:
        if recipe:
            plain = {name: getattr(_PLAIN, name) for each in RECIPES.values() for name in each.fields}
            given = {**plain, **find_recipe(recipe).fields, "recipe": recipe, **given}
        return resumed.resume_config(given)
    is_long = given.get("minutes", _PLAIN.minutes) >= _LONG_RUN_MINUTES and not given.get("updates")
    minutes = _RESPONSE_MINUTES if is_long and not given.get("tables") else 0.0
    return find_recipe(recipe or DEFAULT).configure({"response_minutes": minutes, **given})
