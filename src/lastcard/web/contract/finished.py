"""Requests and responses about finished games."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lastcard.web.contract.base import ActionOut, Input, Name, Output


class RecordBody(Input):
    """A record that is brought."""

    record: str = Field(min_length=1, description="As text or JSON lines.")


class BranchBody(Input):
    """Where to play on, in whose seat, and against whom."""

    round: int = Field(ge=1, le=2**31, description="Its number.")
    ply: int = Field(ge=0, le=2**31, description="After how many actions of it.")
    seat: int = Field(ge=0, le=9, description="The person's.")
    opponents: list[Name] = Field(
        default=["hard"], min_length=1, max_length=9, description="Levels or agents by seat; the last one repeats."
    )
    pace: float = Field(default=0.8, ge=0, le=10, allow_inf_nan=False, description="Seconds between what agents do.")
    window: float = Field(default=3.0, ge=0, le=600, allow_inf_nan=False, description="Seconds a window waits.")


class UploadResponse(Output):
    """A game, and what proves that one may delete it."""

    game: str
    token: str


class StudySeatOut(Output):
    """Who sat there."""

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
    reason: Literal["went_out", "blocked", "max_plies"] | None
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
    scores: list[int]
    seed: str | None


class FrameEventOut(Output):
    """An event as it was seen."""

    seat: int | None
    kind: str
    text: str


class FrameOut(Output):
    """The table after so many actions."""

    ply: int
    to_act: int | None
    phase: Literal["turn", "drawn", "name_color", "answer", "swap", "catch", "jump_in", "over"]
    direction: Literal[1, -1]
    active_color: Literal["r", "y", "g", "b"] | None
    top_card: str
    drawn_card: str | None
    draw_pile_size: int
    draw_sum: int
    cards: list[int]
    hands: list[list[str] | None]
    declared: list[int]
    log: list[FrameEventOut]


class FramesResponse(Output):
    """A round, ply by ply."""

    round: int
    seat: int | None
    frames: list[FrameOut]


class SeatJudged(Output):
    """How a seat decided."""

    seat: int
    decisions: int
    agreed: int
    mean_cost: float


class JudgedOut(Output):
    """A decision, what was best instead, and what the difference cost."""

    ply: int
    seat: int
    top_card: str
    played: str
    value: float | None
    best: str
    best_value: float
    cost: float
    error: float


class CostlyOut(JudgedOut):
    """A decision that cost something."""

    round: int


class CurvesOut(Output):
    """How likely each seat was to win a round, as it could know it: pairs of ply and probability."""

    round: int
    plies: int
    curves: dict[str, list[tuple[int, float]]]


class JudgingOut(Output):
    """How far the judging of a game is, and what it has come to."""

    state: Literal["none", "waiting", "running", "stopped", "done"]
    done: int
    total: int | None
    analyst: str
    seed: int
    seats: list[SeatJudged]
    costliest: list[CostlyOut]
    rounds: list[CurvesOut]


class DecisionOut(JudgedOut):
    """A decision with what every action was worth."""

    actions: list[ActionOut]


class RoundJudged(Output):
    """A round as `lastcard analyse --json` has it."""

    round: int
    outcome: dict[str, Any]
    plies: int
    decisions: list[DecisionOut]
    curves: dict[str, list[tuple[int, float]]]
