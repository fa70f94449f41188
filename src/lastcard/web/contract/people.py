"""Requests and responses about one person's games."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from lastcard.web.contract.base import Input, Length, Name, Output

MOST_SEATS: Final = 50
"""Seats in one request."""


class SeatKey(Input):
    """A seat, or an uploaded record, and the token that proves it."""

    game: Name
    token: Name


class SeatKeys(Input):
    """Seats of one person."""

    seats: list[SeatKey] = Field(max_length=MOST_SEATS, description="At most 50.")


class OpenSeatOut(Output):
    """A seat of an open game."""

    name: str
    is_person: bool
    is_open: bool
    score: int


class OpenGameOut(Output):
    """A game as its player finds it; without a table where the seat is gone."""

    game: str
    state: Literal["open", "over", "gone"]
    table: OpenTableOut | None = None


class OpenTableOut(Output):
    """An open game: who plays, and whose turn it is."""

    seat: int
    rules: str
    length: Length
    round: int
    phase: Literal["gathering", "playing", "round over"]
    to_act: int | None = Field(description="As far as the seat may know.")
    seats: list[OpenSeatOut]


class OpenGamesResponse(Output):
    """Games in the order of the request."""

    games: list[OpenGameOut]
