"""Results of a tournament: chunk by chunk, and added up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lastcard.arena.schedule import Chunk, Pairing, Tournament
from lastcard.arena.sprt import Decision, log_likelihood_ratio
from lastcard.arena.statistics import NOBODY, count_scores
from lastcard.errors import RecordError, shorten
from lastcard.store.entry import GameEntry

# Times differ by six orders of magnitude, and chunks of many processes are added up: a histogram with steps of 7 %.
_BUCKETS_A_DECADE: Final = 32


@dataclass(slots=True)
class DecisionTimes:
    """Decision times of an agent, for decisions with a choice."""

    count: int = 0
    seconds: float = 0.0
    buckets: Counter[int] = field(default_factory=Counter)
    """Counts in 32 steps per decade, numbered from one second."""
    overruns: int = 0
    """Decisions of a program that took so long that it was told to stop."""

    def add(self, seconds: float) -> None:
        """Counts one decision."""
        self.count += 1
        self.seconds += seconds
        self.buckets[math.floor(_BUCKETS_A_DECADE * math.log10(max(seconds, 1e-9)))] += 1

    def merge(self, other: DecisionTimes) -> None:
        """Adds the decisions of another."""
        self.count += other.count
        self.seconds += other.seconds
        self.buckets.update(other.buckets)
        self.overruns += other.overruns

    @property
    def mean(self) -> float | None:
        """Mean seconds per decision."""
        return self.seconds / self.count if self.count else None

    def quantile(self, share: float) -> float | None:
        """Seconds within which that share of decisions were made, to about 4 %."""
        left = share * self.count
        for bucket in sorted(self.buckets):
            left -= self.buckets[bucket]
            if left <= 0:
                return float(10 ** ((bucket + 0.5) / _BUCKETS_A_DECADE))
        return None

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        buckets = {str(bucket): times for bucket, times in sorted(self.buckets.items())}
        seconds = round(self.seconds, 9)
        return {"count": self.count, "seconds": seconds, "buckets": buckets, "overruns": self.overruns}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> DecisionTimes:
        """Reads what `to_dict` wrote."""
        buckets = Counter({int(bucket): int(times) for bucket, times in fields["buckets"].items()})
        return cls(int(fields["count"]), float(fields["seconds"]), buckets, int(fields.get("overruns", 0)))


@dataclass(slots=True)
class Forfeits:
    """Rounds that a program lost by rule (Rule 9.4)."""

    faults: Counter[str] = field(default_factory=Counter)
    """Counts by fault."""
    example: str = ""
    """An example of a reason."""

    @property
    def count(self) -> int:
        """Number of forfeits."""
        return self.faults.total()

    def add(self, fault: str, reason: str) -> None:
        """Counts one forfeit."""
        self.merge(Forfeits(Counter({fault: 1}), reason))

    def merge(self, other: Forfeits) -> None:
        """Adds those of another; which example stays does not depend on the order."""
        self.faults.update(other.faults)
        self.example = min(filter(None, (self.example, other.example)), default="")

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {"faults": dict(sorted(self.faults.items())), "example": self.example}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Forfeits:
        """Reads what `to_dict` wrote."""
        faults = Counter({str(fault): int(times) for fault, times in fields["faults"].items()})
        return cls(faults, str(fields["example"]))


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """Results of the deals of a chunk."""

    pairing: int
    number: int
    num_deals: int
    deals: Mapping[str, int]
    """Counts of each result of a deal, in the notation of `lastcard.arena.statistics`."""
    points: tuple[int, ...]
    """Total score of each place of the seating."""
    plies: int
    seconds: float
    decisions: tuple[DecisionTimes, ...]
    """Decision times by place in the seating."""
    forfeits: tuple[Forfeits, ...] = ()
    """Forfeits by place in the seating; empty if there were none."""
    unfinished: int = 0
    """Rounds that reached `max_plies`."""
    games: tuple[GameEntry, ...] = ()
    """Games, deal by deal, if requested."""

    def without_games(self) -> ChunkResult:
        """Returns the chunk without its games."""
        return replace(self, games=())

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values, without the games."""
        fields: dict[str, object] = {
            "pairing": self.pairing,
            "chunk": self.number,
            "deals": dict(sorted(self.deals.items())),
            "points": list(self.points),
            "plies": self.plies,
            "unfinished": self.unfinished,
            "seconds": round(self.seconds, 6),
            "decisions": [times.to_dict() for times in self.decisions],
        }
        if self.forfeits:
            fields["forfeits"] = [forfeits.to_dict() for forfeits in self.forfeits]
        return fields

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any], players: int) -> ChunkResult:
        """Reads what `to_dict` wrote.

        Raises:
            RecordError: if that is no chunk of so many players.
        """
        try:
            deals = {str(winners): int(times) for winners, times in fields["deals"].items()}
            points = tuple(map(int, fields["points"]))
            decisions = tuple(map(DecisionTimes.from_dict, fields["decisions"]))
            forfeits = tuple(map(Forfeits.from_dict, fields.get("forfeits", ())))
            pairing, number, plies = int(fields["pairing"]), int(fields["chunk"]), int(fields["plies"])
            unfinished, seconds = int(fields.get("unfinished", 0)), float(fields["seconds"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise RecordError(f"not a chunk: {shorten(fields)}") from None
        known = {NOBODY, *map(str, range(players))}
        by_place = {len(points), len(decisions), len(forfeits) or players}
        if by_place != {players} or min(deals.values(), default=0) < 1:
            raise RecordError(f"not a chunk of {players} players: {shorten(fields)}")
        if any(len(winners) != players or not set(winners) <= known for winners in deals):
            raise RecordError(f"not a chunk of {players} players: {shorten(fields)}")
        return cls(pairing, number, sum(deals.values()), deals, points, plies, seconds, decisions, forfeits, unfinished)


class PairingResult:
    """Results of a pairing so far."""

    def __init__(self, tournament: Tournament, pairing: Pairing, num_chunks: int) -> None:
        self.pairing = pairing
        self.players = tournament.rules.players
        self.num_deals = 0
        self.deals: Counter[str] = Counter()
        self.points = [0] * self.players
        self.plies = 0
        self.unfinished = 0
        self.seconds = 0.0
        self.decisions = [DecisionTimes() for _ in range(self.players)]
        self.forfeits = [Forfeits() for _ in range(self.players)]
        self.llr = 0.0
        self.decision: Decision | None = None
        self._sprt = tournament.sprt
        self._num_chunks = num_chunks
        self._num_counted = 0
        self._waiting: dict[int, ChunkResult] = {}

    @property
    def is_complete(self) -> bool:
        """True if nothing is left to play."""
        return self.decision is not None or self._num_counted == self._num_chunks

    def add(self, chunk: ChunkResult) -> None:
        """Counts a chunk; those behind the decision of a sequential test do not count."""
        if self._sprt is None:
            self._count(chunk)
            return
        # The test looks at the chunks in their order, so that it ends at the same one, whichever was faster.
        self._waiting[chunk.number] = chunk
        while self.decision is None and (chunk_now := self._waiting.pop(self._num_counted, None)) is not None:
            self._count(chunk_now)
            self.llr = log_likelihood_ratio(count_scores(self.deals, 0), self._sprt, self.players)
            self.decision = self._sprt.decide(self.llr)

    def _count(self, chunk: ChunkResult) -> None:
        self._num_counted += 1
        self.num_deals += chunk.num_deals
        self.deals.update(chunk.deals)
        self.plies += chunk.plies
        self.unfinished += chunk.unfinished
        self.seconds += chunk.seconds
        for place in range(self.players):
            self.points[place] += chunk.points[place]
            self.decisions[place].merge(chunk.decisions[place])
        for place, forfeits in enumerate(chunk.forfeits):
            self.forfeits[place].merge(forfeits)


class Results:
    """Results of a tournament so far; they do not depend on the order of the chunks."""

    def __init__(self, tournament: Tournament, chunks: Iterable[ChunkResult] = ()) -> None:
        self.tournament = tournament
        num_chunks = Counter(chunk.pairing for chunk in tournament.chunks)
        self.pairings = [
            PairingResult(tournament, pairing, num_chunks[pairing.number]) for pairing in tournament.pairings
        ]
        self.was_stopped = False
        self._sizes = {(chunk.pairing, chunk.number): chunk.num_deals for chunk in tournament.chunks}
        self._known: set[tuple[int, int]] = set()
        for chunk in chunks:
            self.add(chunk)

    def add(self, chunk: ChunkResult) -> None:
        """Counts a chunk.

        Raises:
            RecordError: if the tournament has no such chunk, or it was counted already.
        """
        key = (chunk.pairing, chunk.number)
        if self._sizes.get(key) != chunk.num_deals or key in self._known:
            raise RecordError(f"chunk {chunk.number} of pairing {chunk.pairing} does not belong here, or comes twice")
        self._known.add(key)
        self.pairings[chunk.pairing].add(chunk)

    def has(self, chunk: Chunk) -> bool:
        """True if the chunk was counted, or no longer matters."""
        return (chunk.pairing, chunk.number) in self._known or self.pairings[chunk.pairing].decision is not None

    @property
    def is_complete(self) -> bool:
        """True if nothing is left to play."""
        return all(pairing.is_complete for pairing in self.pairings)

    @property
    def num_deals(self) -> int:
        """Number of deals that count."""
        return sum(pairing.num_deals for pairing in self.pairings)

    @property
    def num_forfeits(self) -> int:
        """Number of rounds lost by rule (Rule 9.4)."""
        return sum(forfeits.count for pairing in self.pairings for forfeits in pairing.forfeits)

    @property
    def progress(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        done = sum(self.tournament.num_deals if pairing.is_complete else pairing.num_deals for pairing in self.pairings)
        return done / (self.tournament.num_deals * len(self.pairings))
