"""The ladder as it is sent."""

from __future__ import annotations

from lastcard.web.contract.base import Output


class ShareOut(Output):
    """Rounds won, with a 95 % interval."""

    value: float
    low: float
    high: float


class RungOut(Output):
    """An agent on the ladder."""

    agent: str
    share: ShareOut
    elo: float
    rounds: int
    round_seconds: float
    is_ceiling: bool
    is_rival: bool
    can_play: bool


class StandingOut(Output):
    """The ladder with one number of players, the strongest first."""

    players: int
    rules: str
    rungs: list[RungOut]


class LadderOut(Output):
    """The standing tournament."""

    rival: str
    seed: int
    commits: list[str]
    machines: list[str]
    standings: list[StandingOut]
