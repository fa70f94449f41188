"""Requests and responses about a real table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from lastcard.web.contract.base import Cards, CardText, Color, Input, Output


class SituationBody(Input):
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


class SituationResponse(Output):
    """The table as it was read, and what the player may know of it."""

    situation: dict[str, Any] = Field(description="As in `lastcard advise --json`.")
    observation: dict[str, Any] = Field(description="As `Observation.to_dict` writes it.")
