"""Requests and responses about one person's games."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from lastcard.web.contract.base import Input, Length, Name, Output

MOST_SEATS: Final = 100
"""Seats of one person in a request."""
MOST_READ: Final = 20
"""Seats in a request that reads a whole game for each."""


class SeatKey(Input):
    """A seat, or an uploaded record, and the token that proves it."""

    game: Name
    token: Name


class SeatKeys(Input):
    """All seats of one person."""

    seats: list[SeatKey] = Field(max_length=MOST_SEATS, description="At most 100.")


class SomeSeatKeys(Input):
    """Some seats of one person."""

    seats: list[SeatKey] = Field(max_length=MOST_READ, description="At most 20.")


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


class LinkResponse(Output):
    """A personal link, which works once."""

    secret: str
    seats: int = Field(description="How many it carries.")
    seconds: int = Field(description="How long it works.")


class CarriedSeatOut(Output):
    """A seat, or an uploaded record, with a token of its own for this device."""

    game: str
    seat: int | None
    token: str
    over: bool


class CarriedResponse(Output):
    """Seats that a personal link carried."""

    seats: list[CarriedSeatOut]


class ExportedGame(Output):
    """Data that the server has about a person in a game."""

    game: str
    how: Literal["held", "left", "resigned", "uploaded", "gone"]
    seat: int | None = None
    name: str | None = None
    study: dict[str, Any] | None = Field(default=None, description="A finished game, as a study describes it.")
    record: str | None = Field(default=None, description="The record of a finished game.")
    view: dict[str, Any] | None = Field(default=None, description="An open game, as the seat sees it.")


class ExportResponse(Output):
    """Data of a person."""

    games: list[ExportedGame]


class EraseResponse(Output):
    """Number of games deleted, and of those left to others."""

    deleted: int = Field(description="Games that were only the person's, and are gone.")
    erased: int = Field(description="Games of others, in which the person's name and tokens are gone.")


class PastGameOut(Output):
    """The result of a game that is over for the person."""

    game: str
    seat: int
    ended: str = Field(description="When, in UTC.")
    players: int
    level: str = Field(description="The level of the opponents; `friends` among several people, `mixed` for several.")
    won: bool
    resigned: bool
    finished: bool = Field(description="True if the game is over for all, so that it can be judged.")


class HistoryOut(Output):
    """Results of one person over time, oldest first."""

    games: list[PastGameOut]


class PairingBody(Input):
    """A game with strangers."""

    players: int = Field(default=2, ge=2, le=6, description="Seats.")
    rules: Literal["official", "house", "family", "tournament"] = Field(default="official", description="A preset.")
    length: Length = Field(default="round", description="One round, or rounds to the target score.")
    level: Name = Field(default="medium", description="The level of agents that fill in.")
    wait: int = Field(default=30, ge=0, le=300, description="Seconds after which agents fill the free seats.")


class PairingResponse(Output):
    """A place in the queue, and the token that will hold the seat."""

    token: str
    name: str
    seconds_left: float


class PairingOut(Output):
    """Progress of the search for others."""

    name: str
    waiting: int
    seconds_left: float
    game: str | None
    seat: int | None
