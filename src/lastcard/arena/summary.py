"""Summary of a tournament, computed once: terminal, JSON, CSV and figure only present it."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass

from lastcard.arena.ceilings import Ceiling, find_ceiling
from lastcard.arena.ratings import Rating, rate
from lastcard.arena.results import DecisionTimes, Forfeits, PairingResult, Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.sprt import SprtConfig
from lastcard.arena.statistics import (
    Estimate,
    average,
    count_first_seat,
    count_scores,
    estimate_elo,
    estimate_share,
    worth_of_mirroring,
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Summary of a pairing."""

    agents: tuple[str, ...]
    """Agents by place in the seating."""
    is_rated: bool
    """False where a ceiling took part."""
    seating: tuple[int, ...]
    num_deals: int
    shares: tuple[Estimate, ...]
    """Share of rounds of each place."""
    points: tuple[float, ...]
    """Mean points per round, by place."""
    num_tied: int
    """Rounds without a winner."""
    plies: float
    """Mean plies per round, or per game."""
    unfinished: float
    """Rounds that reached `max_plies`, for each round or game played."""
    elo: Estimate | None
    """Elo difference of the first place over the others; None if the others differ."""
    first_seat: Estimate
    """Share of rounds won by the seat that acts first."""
    worth: float | None
    """Independent rounds that a mirrored one was worth."""
    llr: float | None
    """Result of the sequential test."""
    accepted: float | None
    """The Elo difference that the test accepted."""

    def to_dict(self, sprt: SprtConfig | None) -> dict[str, object]:
        """Returns JSON values."""
        tested = sprt and {
            "llr": _round(self.llr, 4),
            "lower": round(sprt.lower, 4),
            "upper": round(sprt.upper, 4),
            "accepted": self.accepted,
        }
        return {
            "agents": list(self.agents),
            "rated": self.is_rated,
            "deals": self.num_deals,
            "rounds": self.num_deals * len(self.agents),
            "shares": [_dict(share) for share in self.shares],
            "points": [round(points, 4) for points in self.points],
            "tied": self.num_tied,
            "plies": round(self.plies, 3),
            "unfinished": round(self.unfinished, 6),
            "elo": _dict(self.elo, 2),
            "first_seat": _dict(self.first_seat),
            "worth_of_mirroring": _round(self.worth, 4),
            "sprt": tested,
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """Summary of an agent over all pairings."""

    name: str
    ceiling: Ceiling | None
    """Set if it sees what its seat may not; it then has no rating."""
    share: Estimate
    """Share of rounds; with more than two players, of those it played alone against copies of another agent."""
    points: float
    """Mean points per round."""
    rating: Rating | None
    times: DecisionTimes
    forfeits: Forfeits
    """Rounds, or games, that it lost by Rule 9.4."""

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values that do not depend on the machine."""
        return {
            "agent": self.name,
            "ceiling": self.ceiling and self.ceiling.kind,
            "share": _dict(self.share),
            "points": round(self.points, 4),
            "rating": self.rating and round(self.rating.value, 2),
            "rating_error": self.rating and round(self.rating.error, 2),
            "forfeits": self.forfeits.to_dict(),
        }

    def timing_to_dict(self) -> dict[str, object]:
        """Returns JSON values about its decision times."""
        return {
            "agent": self.name,
            "count": self.times.count,
            "mean_seconds": _round(self.times.mean, 9),
            "p95_seconds": _round(self.times.quantile(0.95), 9),
            "overruns": self.times.overruns,
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of a tournament."""

    tournament: Tournament
    is_complete: bool
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]
    """Those of which something was played."""
    first_seat: Estimate
    worth: float | None
    seconds: float
    """Time spent playing, over all processes."""

    def find(self, one: int, other: int) -> Estimate | None:
        """Share of rounds that one agent won against another; None if they did not meet."""
        for meeting in self.meetings:
            if meeting.seating[:2] == (one, other):
                return meeting.shares[0]
            if meeting.seating == (other, one):
                return meeting.shares[1]
        return None

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values; only `timing` depends on the machine."""
        timing = {
            "seconds": round(self.seconds, 3),
            "decisions": [standing.timing_to_dict() for standing in self.standings],
        }
        return {
            "tournament": self.tournament.to_dict(),
            "complete": self.is_complete,
            "standings": [standing.to_dict() for standing in self.standings],
            "pairings": [meeting.to_dict(self.tournament.sprt) for meeting in self.meetings],
            "first_seat": _dict(self.first_seat),
            "worth_of_mirroring": _round(self.worth, 4),
            "timing": timing,
        }

    def to_csv(self) -> str:
        """A line for each place of each pairing."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        numbers = ["deals", "rounds", "share", "low", "high", "points", "plies", "unfinished"]
        rows.writerow(["pairing", "place", "agent", "against", *numbers, "rated"])
        for number, meeting in enumerate(self.meetings):
            for place, (name, share) in enumerate(zip(meeting.agents, meeting.shares, strict=True)):
                others = " ".join(meeting.agents[:place] + meeting.agents[place + 1 :])
                counts = [meeting.num_deals, meeting.num_deals * len(meeting.agents)]
                shares = [round(value, 6) for value in (share.value, share.low, share.high)]
                rated = "yes" if meeting.is_rated else "no"
                means = [round(meeting.points[place], 4), round(meeting.plies, 3), round(meeting.unfinished, 6)]
                rows.writerow([number, place, name, others, *counts, *shares, *means, rated])
        return text.getvalue()


def summarize(results: Results) -> Summary:
    """Summarizes the results so far; ratings leave ceilings out.

    >>> from lastcard.arena.tournament_run import run_tournament
    >>> from lastcard.rules import Rules
    >>> cup = Tournament(("heuristic", "random"), Rules.preset("official"), num_deals=2000, seed=7)
    >>> summary = summarize(run_tournament(cup))
    >>> summary.meetings[0].elo.low > 100
    True
    """
    tournament = results.tournament
    played = [pairing for pairing in results.pairings if pairing.num_deals]
    ceilings = [find_ceiling(name) for name in tournament.agents]
    fair = [result for result in played if not any(ceilings[agent] for agent in result.pairing.seating)]
    ratings = rate(len(tournament.agents), fair) if fair else None
    players = tournament.rules.players
    meetings = tuple(_meeting(tournament, pairing) for pairing in played)
    standings = tuple(
        _standing(tournament, agent, meetings, played, ratings[agent] if ratings and not ceilings[agent] else None)
        for agent in range(len(tournament.agents))
    )
    first_seat = average((meeting.first_seat, meeting.num_deals) for meeting in meetings) if meetings else _UNKNOWN
    worth = worth_of_mirroring((count_scores(pairing.deals, 0) for pairing in played), players)
    seconds = sum(pairing.seconds for pairing in played)
    return Summary(tournament, results.is_complete, standings, meetings, first_seat, worth, seconds)


_UNKNOWN = Estimate(0.5, 0.0, 1.0)


def _meeting(tournament: Tournament, result: PairingResult) -> Meeting:
    players, seating, sprt = result.players, result.pairing.seating, tournament.sprt
    scores = [count_scores(result.deals, place) for place in range(players)]
    shares = tuple(estimate_share(place_scores, players) for place_scores in scores)
    num_rounds = result.num_deals * players
    return Meeting(
        agents=tuple(tournament.agents[agent] for agent in seating),
        is_rated=not any(find_ceiling(tournament.agents[agent]) for agent in seating),
        seating=seating,
        num_deals=result.num_deals,
        shares=shares,
        points=tuple(points / num_rounds for points in result.points),
        num_tied=sum(winners.count("-") * times for winners, times in result.deals.items()),
        plies=result.plies / num_rounds,
        unfinished=result.unfinished / num_rounds,
        elo=estimate_elo(shares[0], players) if len(set(seating)) == 2 else None,
        first_seat=estimate_share(count_first_seat(result.deals), players),
        worth=worth_of_mirroring(scores[:1], players),
        llr=result.llr if sprt else None,
        accepted=getattr(sprt, result.decision) if sprt and result.decision else None,
    )


def _standing(
    tournament: Tournament,
    agent: int,
    meetings: tuple[Meeting, ...],
    played: list[PairingResult],
    rating: Rating | None,
) -> Standing:
    times, forfeits = DecisionTimes(), Forfeits()
    for result in played:
        for place, seated in enumerate(result.pairing.seating):
            if seated == agent:
                times.merge(result.decisions[place])
                forfeits.merge(result.forfeits[place])
    # Other places than the first hold copies of one agent, unless there are two seats or all sit at one table.
    own = [
        (meeting, place)
        for meeting in meetings
        for place, seated in enumerate(meeting.seating)
        if seated == agent and (place == 0 or len(meeting.seating) == 2 or tournament.one_table)
    ]
    share, points = _UNKNOWN, 0.0
    if own:
        share = average((meeting.shares[place], meeting.num_deals) for meeting, place in own)
        num_deals = sum(meeting.num_deals for meeting, _ in own)
        points = sum(meeting.points[place] * meeting.num_deals for meeting, place in own) / num_deals
    name = tournament.agents[agent]
    return Standing(name, find_ceiling(name), share, points, rating, times, forfeits)


def _round(value: float | None, digits: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, digits)


def _dict(estimate: Estimate | None, digits: int = 6) -> dict[str, float | None] | None:
    """JSON has no infinity: None stands for it."""
    if estimate is None:
        return None
    return {name: _round(getattr(estimate, name), digits) for name in ("value", "low", "high")}
