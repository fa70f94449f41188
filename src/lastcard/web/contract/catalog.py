"""The catalog: everything that can be chosen before a game."""

from __future__ import annotations

from typing import Any, Literal

from lastcard.web.contract.base import Output
from lastcard.web.contract.games import NewGame


class PresetOut(Output):
    """Rules by name."""

    name: str
    summary: str
    players: int
    text: str
    values: dict[str, Any]


class SwitchOut(Output):
    """A field of the rules."""

    name: str
    kind: Literal["choice", "bool", "int"]
    default: Any
    explanation: str
    choices: list[str] | None = None
    low: int | None = None
    high: int | None = None


class ChoiceOut(Output):
    """An opponent one can ask for."""

    name: str
    agent: str
    summary: str


class AnalystOut(ChoiceOut):
    """An analyst one can ask."""

    budgets: list[Literal["simulations", "seconds"]]


class LimitsOut(Output):
    """The most one can ask of a search."""

    max_simulations: int
    max_seconds: float


class Catalog(Output):
    """Everything there is to choose from."""

    version: str
    presets: list[PresetOut]
    switches: list[SwitchOut]
    levels: list[ChoiceOut]
    analysts: list[AnalystOut]
    limits: LimitsOut
    defaults: NewGame
