"""The view: everything that a seat or a spectator is sent about its game."""

from __future__ import annotations

from typing import Literal

from lastcard.web.contract.base import Output


class RulesOut(Output):
    """What is played."""

    text: str
    name: str | None


class SeatOut(Output):
    """A seat as everybody sees it."""

    seat: int
    name: str
    level: str
    is_person: bool
    is_open: bool
    is_away: bool
    cards: int
    declared: bool
    score: int
    last: str
    connected: bool


class EventOut(Output):
    """An event as the seat saw it."""

    n: int
    seat: int | None
    kind: str
    text: str
    action: str | None = None
    count: int | None = None
    target: int | None = None
    cards: list[str] | None = None


class OutcomeOut(Output):
    """How a round ended."""

    winner: int | None
    reason: Literal["went_out", "blocked", "max_plies"]
    points: list[int]
    scores: list[int]


class GameOutcomeOut(Output):
    """How all of it ended."""

    winner: int | None
    scores: list[int]


class View(Output):
    """What a seat may know."""

    game: str
    seat: int | None
    players: int
    rules: RulesOut
    length: Literal["round", "game"]
    round: int
    ply: int
    phase: Literal["turn", "drawn", "name_color", "answer", "swap", "catch", "jump_in", "waiting", "gathering", "over"]
    to_act: int | None
    direction: Literal[1, -1]
    active_color: Literal["r", "y", "g", "b"] | None
    last_color: Literal["r", "y", "g", "b"] | None
    top_card: str
    top_player: int | None
    drawn_card: str | None
    draw_pile_size: int
    discard_pile_size: int
    draw_sum: int
    hand: list[str]
    legal: list[str]
    seats: list[SeatOut]
    dealer: int
    log: list[EventOut]
    deadline: float | None
    outcome: OutcomeOut | None
    game_outcome: GameOutcomeOut | None
    deal_hash: str
    seed: str | None
    rematch: bool
    hands: list[list[str]] | None
