"""What is read and answered about studies, advice and the ladder, as strict models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from lastcard.web.models import ActionTold, Name, Read, Told

MOST_SEED = 2**64 - 1
_Card = Annotated[str, Field(min_length=1, max_length=4)]
_Cards = Annotated[list[_Card], Field(max_length=108)]

# Studies


class RecordBody(Read):
    """A record that is brought."""

    record: str = Field(min_length=1, description="As text or JSON lines.")


class BranchBody(Read):
    """Where to play on, in whose seat, and against whom."""

    round: int = Field(ge=1, le=2**31, description="Its number.")
    ply: int = Field(ge=0, le=2**31, description="After how many actions of it.")
    seat: int = Field(ge=0, le=9, description="The person's.")
    opponents: list[Name] = Field(
        default=["hard"], min_length=1, max_length=9, description="Levels or agents by seat; the last one repeats."
    )
    pace: float = Field(default=0.8, ge=0, le=10, allow_inf_nan=False, description="Seconds between what agents do.")
    window: float = Field(default=3.0, ge=0, le=600, allow_inf_nan=False, description="Seconds a window waits.")


class Brought(Told):
    """A game, and what proves that one may delete it."""

    game: str
    token: str


class StudySeatTold(Told):
    """Who sat there."""

    seat: int
    name: str
    agent: str
    level: str
    is_person: bool


class StudyRoundTold(Told):
    """A round, without its cards."""

    round: int
    dealer: int
    plies: int
    winner: int | None
    reason: Literal["went_out", "blocked", "max_plies"] | None
    points: list[int]
    scores: list[int]


class StudyTold(Told):
    """A finished game."""

    game: str
    source: Literal["table", "branch", "import"]
    began: str
    rules: str
    players: int
    seats: list[StudySeatTold]
    rounds: list[StudyRoundTold]
    winner: int | None
    scores: list[int]
    seed: str | None


class FrameEventTold(Told):
    """An event as it was seen."""

    seat: int | None
    kind: str
    text: str


class FrameTold(Told):
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
    log: list[FrameEventTold]


class FramesAnswer(Told):
    """A round, ply by ply."""

    round: int
    seat: int | None
    frames: list[FrameTold]


class SeatJudged(Told):
    """How a seat decided."""

    seat: int
    decisions: int
    agreed: int
    mean_cost: float


class JudgedTold(Told):
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


class CostlyTold(JudgedTold):
    """A decision that cost something."""

    round: int


class CurvesTold(Told):
    """How likely each seat was to win a round, as it could know it: pairs of ply and probability."""

    round: int
    plies: int
    curves: dict[str, list[tuple[int, float]]]


class JudgingTold(Told):
    """How far the judging of a game is, and what it has come to."""

    state: Literal["none", "waiting", "running", "stopped", "done"]
    done: int
    total: int | None
    analyst: str
    seed: int
    seats: list[SeatJudged]
    costliest: list[CostlyTold]
    rounds: list[CurvesTold]


class DecisionTold(JudgedTold):
    """A decision with what every action was worth."""

    actions: list[ActionTold]


class RoundJudged(Told):
    """A round as `lastcard analyse --json` has it."""

    round: int
    outcome: dict[str, Any]
    plies: int
    decisions: list[DecisionTold]
    curves: dict[str, list[tuple[int, float]]]


# Advice


class AdviceBody(Read):
    """A real table, as somebody who sits at it describes it."""

    hand: _Cards = Field(description="Your cards now.")
    top: _Card = Field(description="The card to play on.")
    opponents: list[Annotated[int, Field(ge=0, le=108)]] = Field(
        max_length=9, description="How many cards the seats 1, 2 and so on hold now."
    )
    rules: str = Field(default="official", min_length=1, max_length=500, description="A preset and changes.")
    called: Literal["r", "y", "g", "b"] | None = Field(default=None, description="The color named with a Wild on top.")
    discards: _Cards = Field(default=[], description="Cards known to be gone since before the history.")
    history: list[Annotated[str, Field(min_length=1, max_length=500)]] = Field(
        default=[], max_length=400, description="What happened last, oldest first, an event each: `1 draws 1`."
    )
    drawn: _Card | None = Field(default=None, description="The card just drawn, which may be played.")
    direction: Literal["forward", "reversed"] = Field(
        default="forward", description="Whether seat 1 or the last is next."
    )
    owed: int = Field(default=0, ge=0, le=100, description="Cards to draw unless one stacks or challenges.")
    analyst: Name = Field(default="halving", description="As the catalog lists them.")
    simulations: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    seed: int = Field(default=0, ge=0, le=MOST_SEED, description="Fixes the simulations.")


class BeliefTold(Told):
    """What the others may hold."""

    kind: str
    is_exact: bool
    effective_sample_size: float
    marginals: dict[str, dict[str, float]]
    opponent_models: dict[str, dict[str, float]]


class AdviceAnswer(Told):
    """What `lastcard advise --json` says, and why."""

    situation: dict[str, Any]
    best: str
    words: str
    reason: str
    actions: list[ActionTold]
    by_policy: str
    simulations: int
    seconds: float
    simulations_per_second: int
    line: list[str]
    belief: BeliefTold
    tree: list[dict[str, Any]]


# The ladder


class ShareTold(Told):
    """Rounds won, with a 95 % interval."""

    value: float
    low: float
    high: float


class RungTold(Told):
    """An agent on the ladder."""

    agent: str
    summary: str
    share: ShareTold
    elo: float
    rounds: int
    round_seconds: float
    is_ceiling: bool
    is_rival: bool
    can_play: bool


class StandingTold(Told):
    """The ladder with one number of players, the strongest first."""

    players: int
    rules: str
    rungs: list[RungTold]


class LadderTold(Told):
    """The standing tournament."""

    rival: str
    seed: int
    commits: list[str]
    machines: list[str]
    standings: list[StandingTold]
