"""Requests and responses about one game."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from lastcard.web.contract.base import ActionText, Input, Length, Name, Output, PersonName, Ply
from lastcard.web.contract.view import View


class NewGame(Input):
    """A game to begin; every field may be left out."""

    # The catalog sends all of them.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    players: int = Field(default=2, ge=2, le=10, description="Seats, the person's included.")
    opponents: list[Name] = Field(
        default=["hard"],
        min_length=1,
        max_length=9,
        description="Levels or agents by seat; the last one repeats.",
    )
    rules: str = Field(default="official", min_length=1, max_length=500, description="A preset and changes.")
    length: Length = Field(default="game", description="One round, or rounds to the target score.")
    pace: float = Field(default=0.8, ge=0, le=10, allow_inf_nan=False, description="Seconds between what agents do.")
    window: float = Field(default=3.0, ge=0, le=600, allow_inf_nan=False, description="Seconds a window waits.")
    friends: int = Field(default=0, ge=0, le=9, description="Seats that others can take by a link.")
    turn: float = Field(
        default=0.0,
        ge=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds that others wait for a person's turn; 0 for no limit.",
    )
    name: PersonName = Field(default="Player", description="What the others call you.")


class ActionBody(Input):
    """An action over HTTP."""

    ply: Ply = Field(description="As the view says.")
    action: ActionText = Field(description="In notation.")


class SeatBody(Input):
    """A person who takes a seat."""

    name: PersonName = Field(default="Player", description="What the others call you.")


class LeaveBody(Input):
    """A person who gives up a seat."""

    resign: bool = Field(default=False, description="Whether an agent keeps the seat; otherwise others may take it.")


class ViewResponse(Output):
    """The view of a table."""

    view: View


class NewGameResponse(Output):
    """A seat, the token that holds it, and the invitation for others."""

    game: str
    seat: int
    token: str
    invite: str
    view: View


class Health(Output):
    """Health of the server."""

    status: Literal["ok"]
    version: str
    games: int


class AddressOut(Output):
    """Addresses for invitations."""

    addresses: list[str] = Field(description="By which others reach this server, the best first; may be empty.")


class Ready(Output):
    """Readiness of the server for new games."""

    status: Literal["ready", "not ready"]
    reason: str | None = None
    """The reason, if the server is not ready."""
