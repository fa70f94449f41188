"""Requests and responses about finished games."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lastcard.web.contract.base import Color, Ending, Input, Name, Output
from lastcard.web.contract.view import EventOut


class RecordBody(Input):
    """A record to upload."""

    record: str = Field(min_length=1, description="As text or JSON lines.")


class BranchBody(Input):
    """A ply to continue from, the seat to take, and the opponents."""

    round: int = Field(ge=1, le=2**31, description="Number of the round.")
    ply: int = Field(ge=0, le=2**31, description="Actions of the round before it.")
    seat: int = Field(ge=0, le=9, description="The seat of the person.")
    opponents: list[Name] = Field(
        default=["hard"], min_length=1, max_length=9, description="Levels or agents by seat; the last one repeats."
    )
    pace: float = Field(default=0.8, ge=0, le=10, allow_inf_nan=False, description="Seconds between what agents do.")
    window: float = Field(default=3.0, ge=0, le=600, allow_inf_nan=False, description="Seconds a window waits.")


class UploadResponse(Output):
    """The key of a game, and the token that deletes it."""

    game: str
    token: str


class StudySeatOut(Output):
    """A seat, and the player who sat there."""

    seat: int
    name: str
    agent: str
    level: str
    is_person: bool


class StudyRoundOut(Output):
    """A round, without its cards."""

    round: int
    dealer: int
    plies: int
    winner: int | None
    reason: Ending | None
    points: list[int]
    scores: list[int]


class StudyOut(Output):
    """A finished game."""

    game: str
    source: Literal["table", "branch", "import"]
    began: str
    rules: str
    players: int
    seats: list[StudySeatOut]
    rounds: list[StudyRoundOut]
    winner: int | None
    is_over: bool = Field(description="False where the record stops before the end of the game or of its only round.")
    scores: list[int]
    seed: str | None


class FrameOut(Output):
    """The table after so many actions."""

    ply: int
    to_act: int | None
    phase: Literal["turn", "drawn", "name_color", "answer", "swap", "catch", "jump_in", "over"]
    direction: Literal[1, -1]
    active_color: Color | None
    top_card: str
    drawn_card: str | None
    draw_pile_size: int
    draw_sum: int
    cards: list[int]
    hands: list[list[str] | None] = Field(description="None where the seat did not see them.")
    declared: list[int]
    log: list[EventOut]


class FramesResponse(Output):
    """A round, ply by ply."""

    round: int
    seat: int | None
    frames: list[FrameOut]
