"""The view: all that a seat or a spectator is sent about its game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from lastcard.web.contract.base import Color, Ending, Length, Output

Phase = TypeAliasType(
    "Phase",
    Literal["turn", "drawn", "name_color", "answer", "swap", "catch", "jump_in", "waiting", "gathering", "over"],
)
EventName = TypeAliasType(
    "EventName",
    Literal[
        "dealt",
        "turned_up",
        "reshuffled",
        "played",
        "jumped_in",
        "drew",
        "kept",
        "named_color",
        "accepted",
        "called_uno",
        "caught",
        "challenged",
        "passed",
        "swapped",
        "hands_passed",
        "skipped",
    ],
)


class RulesOut(Output):
    """The rules of a game."""

    text: str
    name: str | None = Field(description="The preset, if they are one.")


class EventOut(Output):
    """An event, with the cards that the receiver saw in it. A field that does not apply is left out."""

    kind: EventName
    seat: int | None = Field(description="The seat that acted, or that it happened to.")
    action: str | None = Field(default=None, description="The card that was played, with the color named.")
    card: str | None = Field(default=None, description="The card that was turned up.")
    color: Color | None = Field(default=None, description="The color that was named.")
    count: int | None = Field(default=None, description="How many cards.")
    target: int | None = Field(default=None, description="The other seat of a catch, challenge or swap.")
    guilty: bool | None = Field(default=None, description="The verdict of a challenge.")
    hands: dict[str, list[str]] | None = Field(default=None, description="Cards that the receiver saw, by seat.")


class SeatOut(Output):
    """A seat as everyone sees it."""

    seat: int
    name: str
    level: str = Field(description="The level or agent; empty for a person.")
    is_person: bool
    is_open: bool = Field(description="Whether it can be taken by a link.")
    is_away: bool = Field(description="Whether an agent plays for the person.")
    cards: int
    declared: bool
    score: int
    connected: bool


class RoundOutcomeOut(Output):
    """The end of a round."""

    winner: int | None
    reason: Ending
    points: list[int]


class GameOutcomeOut(Output):
    """The end of a game."""

    winner: int | None
    scores: list[int]


class View(Output):
    """All that a seat or a spectator may know."""

    game: str
    seat: int | None = Field(description="None for a spectator.")
    players: int
    rules: RulesOut
    length: Length
    round: int
    ply: int
    phase: Phase
    to_act: int | None
    direction: Literal[1, -1]
    active_color: Color | None
    last_color: Color | None
    top_card: str
    discards: list[str] = Field(description="The discard pile, top last.")
    top_player: int | None
    last_actor: int | None
    drawn_card: str | None
    draw_pile_size: int
    draw_sum: int
    hand: list[str]
    legal: list[str]
    round_phase: str = Field(description="The phase of the round, also for those who are not asked.")
    round_ply: int = Field(description="Applied actions of the round, without passes.")
    next_seat: int | None
    stuck_passes: int
    seats: list[SeatOut]
    dealer: int
    log: list[EventOut] = Field(description="The latest events; the last one has the number `ply`.")
    deadline: float | None
    outcome: RoundOutcomeOut | None
    game_outcome: GameOutcomeOut | None
    deal_hash: str
    seed: str | None
    rematch: bool = Field(description="Whether another player waits at a rematch.")
    hands: list[list[str]] | None
