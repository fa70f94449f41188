"""Options of training, for both of its doors: the fields of `TrainConfig`, with their defaults and help."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.learning.config import TrainConfig
from lastcard.learning.recipes import DEFAULT, RECIPES
from lastcard.options import option_help

HELP: Final[Mapping[str, str]] = {
    "recipe": "Recipe, a preset of other options; an option that is given replaces its value. "
    + ", ".join(f"{recipe.name} ({recipe.purpose})" for recipe in RECIPES.values()).replace("`", "")
    + f". [default: {DEFAULT}]",
    "resume": "Resume the run in the folder, with its options unless others are given.",
    "deals": "Mirrored deals of the final measurement.",
    "jobs": "Runs to train side by side, each in its own process.",
    "starts": "Start of a run: own, the agent's weights, scratch, or a network's file. Repeatable: one run for each.",
}
"""Help of the options that are no fields."""


@dataclass(frozen=True, slots=True)
class Option:
    """A field as an option."""

    field: str
    kind: type[Any]
    default: str
    help: str

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.field.replace('_', '-')}"


def list_options() -> dict[str, Option]:
    """Returns every field of `TrainConfig` that can be given, by name.

    >>> list_options()["num_envs"].flag
    '--num-envs'
    """
    by_recipe = {name for recipe in RECIPES.values() for name in (*recipe.fields, *recipe.with_start)}
    helps = option_help(TrainConfig)
    defaults: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(TrainConfig)}
    return {
        name: Option(name, type(default), _format(name, default, by_recipe), helps[name])
        for name, default in defaults.items()
        if name != "recipe"
    }


def _format(name: str, default: Any, by_recipe: set[str]) -> str:
    if name in by_recipe:
        return f"{default} or the recipe's"
    special = {
        "players": "as the rules say",
        "response_minutes": "1 in runs of at least 8 minutes, else 0",
        "hidden": f"{default}, or as the start has",
        "blocks": f"{default}, or as the start has",
    }
    return special.get(name, str(default))
