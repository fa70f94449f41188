"""Requests and responses about a real table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from lastcard.web.contract.base import ActionOut, Cards, CardText, Color, Input, Marginals, Name, Output, TreeNodeOut

MOST_SEED = 2**64 - 1


class AdviceBody(Input):
    """A real table, as a player describes it."""

    hand: Cards = Field(description="Your cards now.")
    top: CardText = Field(description="The card to play on.")
    opponents: list[Annotated[int, Field(ge=0, le=108)]] = Field(
        max_length=9, description="How many cards the seats 1, 2 and so on hold now."
    )
    rules: str = Field(default="official", min_length=1, max_length=500, description="A preset and changes.")
    called: Color | None = Field(default=None, description="The color named with a Wild on top.")
    discards: Cards = Field(default=[], description="Cards known to be gone since before the history.")
    history: list[Annotated[str, Field(min_length=1, max_length=500)]] = Field(
        default=[], max_length=400, description="The latest events, oldest first: `1 draws 1`."
    )
    drawn: CardText | None = Field(default=None, description="The card just drawn, which may be played.")
    direction: Literal["forward", "reversed"] = Field(
        default="forward", description="Whether seat 1 or the last is next."
    )
    owed: int = Field(default=0, ge=0, le=100, description="Cards to draw, unless you stack or challenge.")
    analyst: Name = Field(default="halving", description="As the catalog lists them.")
    simulations: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    seed: int = Field(default=0, ge=0, le=MOST_SEED, description="Fixes the simulations.")


class BeliefOut(Output):
    """Cards that the others may hold."""

    kind: str
    is_exact: bool
    effective_sample_size: float
    marginals: Marginals
    opponent_models: dict[str, dict[str, float]]


class AdviceResponse(Output):
    """The output of `lastcard advise --json`, and the reason."""

    situation: dict[str, Any]
    best: str
    words: str
    reason: str
    actions: list[ActionOut]
    by_policy: str
    simulations: int
    seconds: float
    simulations_per_second: int
    line: list[str]
    belief: BeliefOut
    tree: list[TreeNodeOut]
