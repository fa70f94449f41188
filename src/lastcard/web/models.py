"""What the server reads and answers, as strict models: anything else is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

MOST_PLY = 10_000_000
Name = Annotated[str, Field(min_length=1, max_length=100)]
_PersonName = Annotated[str, Field(min_length=1, max_length=40)]
_Id = Annotated[str, Field(max_length=64)] | Annotated[int, Field(ge=0, le=2**53)]
_Ply = Annotated[int, Field(ge=0, le=MOST_PLY)]
_ActionText = Annotated[str, Field(min_length=1, max_length=20)]


class Read(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewGame(Read):
    """What to play; whatever is left out is as usual."""

    players: int = Field(default=2, ge=2, le=10, description="Seats, the person's included.")
    opponents: list[Name] = Field(
        default=["hard"],
        min_length=1,
        max_length=9,
        description="Levels or agents by seat; the last one repeats.",
    )
    rules: str = Field(default="official", min_length=1, max_length=500, description="A preset and changes.")
    length: Literal["round", "game"] = Field(default="game", description="One round, or rounds to the target score.")
    pace: float = Field(default=0.8, ge=0, le=10, allow_inf_nan=False, description="Seconds between what agents do.")
    window: float = Field(default=3.0, ge=0, le=600, allow_inf_nan=False, description="Seconds a window waits.")
    friends: int = Field(default=0, ge=0, le=9, description="Seats that others can take by a link.")
    turn: float = Field(
        default=0.0,
        ge=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds that others wait for a person's turn; 0 for all the time in the world.",
    )
    name: _PersonName = Field(default="Player", description="What the others call you.")


class ActionBody(Read):
    """An action over HTTP."""

    ply: _Ply = Field(description="As the view says.")
    action: _ActionText = Field(description="In notation.")


class SeatBody(Read):
    """Who would like a seat."""

    name: _PersonName = Field(default="Player", description="What the others call you.")


class HintBody(Read):
    """Whom to ask for a hint."""

    analyst: Name = Field(default="halving", description="As the catalog lists them.")


# What comes over the socket


class Join(Read):
    """The first message: which game, and the proof that one may see it."""

    type: Literal["join"]
    game: Name
    token: Name
    since: _Ply = 0


class Act(Read):
    """An action."""

    type: Literal["act"]
    id: _Id
    ply: _Ply
    action: _ActionText


class Analyse(Read):
    """A search of the decision at hand, which is told as it goes on."""

    type: Literal["analyse"]
    id: _Id
    analyst: Name = "halving"
    simulations: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class Stop(Read):
    """The end of an analysis."""

    type: Literal["stop"]
    id: _Id


class Next(Read):
    """The next round of a game."""

    type: Literal["next"]


class Back(Read):
    """The person is there again."""

    type: Literal["back"]


class Ping(Read):
    """A sign of life."""

    type: Literal["ping"]


Message = Join | Act | Analyse | Stop | Next | Back | Ping
MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


# What the server answers: written down for whoever reads the schema, and for the tests


class Told(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(extra="forbid")


class Problem(Told):
    """What was wrong."""

    message: str
    field: str | None = None


class ErrorAnswer(Told):
    """Any status of 400 and above."""

    error: Problem


class RulesTold(Told):
    """What is played."""

    text: str
    name: str | None


class SeatTold(Told):
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


class EventTold(Told):
    """An event as the seat saw it."""

    n: int
    seat: int | None
    kind: str
    text: str
    action: str | None = None
    count: int | None = None
    target: int | None = None
    cards: list[str] | None = None


class OutcomeTold(Told):
    """How a round ended."""

    winner: int | None
    reason: Literal["went_out", "blocked", "max_plies"]
    points: list[int]
    scores: list[int]


class GameOutcomeTold(Told):
    """How all of it ended."""

    winner: int | None
    scores: list[int]


class View(Told):
    """What a seat may know."""

    game: str
    seat: int | None
    players: int
    rules: RulesTold
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
    seats: list[SeatTold]
    dealer: int
    log: list[EventTold]
    deadline: float | None
    outcome: OutcomeTold | None
    game_outcome: GameOutcomeTold | None
    deal_hash: str
    seed: str | None
    rematch: bool
    hands: list[list[str]] | None


class ViewAnswer(Told):
    """The table as it is."""

    view: View


class NewGameAnswer(Told):
    """A seat, what proves that it is yours, and what lets others in."""

    game: str
    seat: int
    token: str
    invite: str
    view: View


class ActionTold(Told):
    """What a search made of an action."""

    action: str
    value: float
    error: float
    simulations: int


class HintAnswer(Told):
    """What a search would do, and why."""

    action: str
    value: float | None
    reason: str
    actions: list[ActionTold]


class Health(Told):
    """Whether the server serves."""

    status: Literal["ok"]
    version: str
    games: int


class PresetTold(Told):
    """Rules by name."""

    name: str
    summary: str
    players: int
    text: str
    values: dict[str, Any]


class SwitchTold(Told):
    """A field of the rules."""

    name: str
    kind: Literal["choice", "bool", "int"]
    default: Any
    explanation: str
    choices: list[str] | None = None
    low: int | None = None
    high: int | None = None


class ChoiceTold(Told):
    """An opponent one can ask for."""

    name: str
    agent: str
    summary: str


class AnalystTold(ChoiceTold):
    """An analyst one can ask."""

    budgets: list[Literal["simulations", "seconds"]]


class LimitsTold(Told):
    """The most one can ask of a search."""

    max_simulations: int
    max_seconds: float


class Catalog(Told):
    """Everything there is to choose from."""

    version: str
    presets: list[PresetTold]
    switches: list[SwitchTold]
    levels: list[ChoiceTold]
    analysts: list[AnalystTold]
    limits: LimitsTold
    defaults: NewGame
