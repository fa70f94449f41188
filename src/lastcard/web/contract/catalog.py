"""The catalog: all that can be chosen before a game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from lastcard.web.contract.base import BudgetKind, Output
from lastcard.web.contract.games import NewGame

SwitchValue = TypeAliasType("SwitchValue", bool | int | str)


class PresetOut(Output):
    """Rules by name."""

    name: str
    summary: str
    players: int
    text: str
    values: dict[str, SwitchValue]


class SwitchOut(Output):
    """A field of the rules."""

    name: str
    kind: Literal["choice", "bool", "int"]
    default: SwitchValue
    explanation: str
    choices: list[str] | None = None
    low: int | None = None
    high: int | None = None


class ChoiceOut(Output):
    """An opponent to choose."""

    name: str
    agent: str
    summary: str


class LevelOut(ChoiceOut):
    """A level to choose."""

    tables: list[str] | None = Field(description="The only rules and numbers of players that it plays; null for all.")


class AnalystOut(ChoiceOut):
    """An analyst to ask, with the budgets that it takes."""

    budgets: list[BudgetKind]


class LimitsOut(Output):
    """The largest budgets of a search."""

    max_simulations: int
    max_seconds: float


class Catalog(Output):
    """All that can be chosen before a game."""

    version: str
    presets: list[PresetOut]
    switches: list[SwitchOut]
    levels: list[LevelOut]
    analysts: list[AnalystOut]
    limits: LimitsOut
    defaults: NewGame
    device: bool = Field(description="Whether the page can load the engine and play on the person's device.")
