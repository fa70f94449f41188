"""Matches inside the core: agents that need no Python, on mirrored deals, at full speed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from lastcard import _core
from lastcard.errors import AgentError, StateError, require_int, shorten
from lastcard.network import Network
from lastcard.round_record import RoundRecord, read_round
from lastcard.rules import Rules
from lastcard.search.dispatch import SearchConfig
from lastcard.search.halving import HalvingConfig
from lastcard.weights import Weights

NOBODY: Final = 255
"""The place that won a round without a winner."""


@dataclass(frozen=True, slots=True)
class RandomContestant:
    """Plays as `random`."""


@dataclass(frozen=True, slots=True)
class FirstLegalContestant:
    """Plays as `first_legal`."""


@dataclass(frozen=True, slots=True)
class HeuristicContestant:
    """Plays as `heuristic` with these weights, or the shipped ones."""

    weights: Weights | None = None


@dataclass(frozen=True, slots=True)
class NetContestant:
    """Plays as `net` with the network of this file, or as `net` or `champion` with the shipped one."""

    file: str = ""
    name: str = "net"
    """Use of the shipped network, where there is no file."""


@dataclass(frozen=True, slots=True)
class CeilingContestant:
    """Searches the truth instead of an observation: a ceiling of the arena, no agent."""

    search: HalvingConfig
    sees_deck: bool
    """True if it also sees the order of the draw pile, not only the hands."""


Contestant = (
    RandomContestant | FirstLegalContestant | HeuristicContestant | NetContestant | SearchConfig | CeilingContestant
)


def is_searching(contestant: Contestant) -> bool:
    """Returns True if its rounds take a thousand times longer than those of the others.

    >>> is_searching(HalvingConfig()), is_searching(RandomContestant())
    (True, False)
    """
    return isinstance(contestant, SearchConfig | CeilingContestant)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Result of a match in which every deal was played once from every seat."""

    players: int
    num_deals: int
    shares: tuple[float, ...]
    """Rounds or games won by each place of the seating, as a share; one without a winner is split evenly."""
    errors: tuple[float, ...]
    """Half-widths of their 95 % intervals, from the spread between deals."""
    plies: int
    unfinished: int = 0
    """Rounds that reached `max_plies`, or games that had too many rounds."""

    def __str__(self) -> str:
        return f"{100 * self.shares[0]:.1f} ± {100 * self.errors[0]:.1f} % ({self.num_deals:,} deals)"


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Round after round, or game after game, deal by deal: as many for each deal as there are players."""

    winners: bytes
    """The place of the seating that won each, or `NOBODY`."""
    points: Sequence[int]
    """Points that the winner of each round took."""
    plies: int
    unfinished: bytes
    """A 1 for each round that reached `max_plies`; the seat with the fewest points won it (Rule 5.4)."""
    records: Sequence[RoundRecord] = ()
    """Records of the rounds, if requested."""


def deal_round(rules: Rules, seed: int, deal: int, number: int, scores: Sequence[int]) -> _core.PlayedRound:
    """A round as every agent of the match gets it that the seed fixes: the only one or, of a game, by its number.

    >>> rules = Rules.preset("official")
    >>> played = play_deals(rules, [RandomContestant()] * 2, num_deals=1, seed=7, keeps_records=True)
    >>> read_round(deal_round(rules, 7, 0, number=1, scores=(0, 0))).deck == played.records[1].deck
    True
    """
    return _core.deal_match_round(rules._compiled, seed, deal, number, scores)


def play_deals(
    rules: Rules,
    seating: Sequence[Contestant],
    num_deals: int,
    seed: int = 0,
    *,
    first: int = 0,
    to_score: bool = False,
    keeps_records: bool = False,
) -> DealtRounds:
    """Plays as `play_match` does and returns every round or game; `first` leaves out the deals before it.

    With `to_score`, a round that reaches `max_plies` gives no points. Only of single rounds are records kept.

    Raises:
        AgentError: unless there is one contestant for each player.

    >>> rounds = play_deals(Rules.preset("official"), [HeuristicContestant(), RandomContestant()], num_deals=3)
    >>> len(rounds.winners), len(rounds.points)
    (6, 6)
    """
    winners, points, unfinished, plies = bytearray(), [], bytearray(), 0
    records: list[RoundRecord] = []
    how = _How(to_score=to_score, splits=to_score, keeps_records=keeps_records)
    for part in _play_parts(rules, seating, num_deals, seed, 1, how, first):
        winners += part.winners
        points += part.points
        unfinished += part.unfinished
        plies += part.plies
        records += map(read_round, part.records)
    return DealtRounds(bytes(winners), points, plies, bytes(unfinished), records)


def play_match(
    rules: Rules,
    seating: Sequence[Contestant],
    num_deals: int,
    seed: int = 0,
    threads: int = 1,
    *,
    splits_unfinished: bool = False,
    to_score: bool = False,
) -> MatchResult:
    """Plays every deal once for each seat, the seating moved on by one from round to round.

    The result depends on the seed, not on the number of threads. A round that reaches `max_plies` is won as Rule 5.4
    says; with `splits_unfinished` nobody wins it, and all get an even share. With `to_score`, games to the target score
    are played instead of rounds: on the same deals from every seat, round by round, and at most 100 rounds.

    Raises:
        AgentError: unless there is one contestant for each player.

    >>> match = play_match(Rules.preset("official"), [HeuristicContestant(), RandomContestant()], num_deals=500)
    >>> match.shares[0] > 0.6
    True
    """
    require_int("threads", threads, 1, 1024, StateError)
    how = _How(to_score=to_score, splits=splits_unfinished)
    parts = _play_parts(rules, seating, num_deals, seed, threads, how)
    tally, plies = _Tally(rules.players), 0
    for part in parts:
        tally.add(part.winners, part.unfinished, splits_unfinished)
        plies += part.plies
    return tally.result(plies)


class _How(NamedTuple):
    to_score: bool
    splits: bool
    keeps_records: bool = False


def _play_parts(
    rules: Rules, seating: Sequence[Contestant], num_deals: int, seed: int, threads: int, how: _How, first: int = 0
) -> Iterator[_core.MatchResult]:
    """All deals in parts, so that Ctrl-C is heard."""
    _check_match(rules, seating, num_deals, seed)
    require_int("first", first, 0, 10**9, StateError)
    # Copies of an agent share one compiled contestant.
    contestants = list(dict.fromkeys(seating))
    compiled = [_compile(contestant, rules) for contestant in contestants]
    places = [contestants.index(contestant) for contestant in seating]
    searches = any(map(is_searching, contestants))
    has_network = any(isinstance(contestant, NetContestant) for contestant in contestants)
    size = 16 * threads if searches else 500 * threads if has_network else 20_000
    size = max(size // 8, 1) if how.to_score else size  # a game is several rounds
    end = first + num_deals
    return (
        _core.play_match(rules._compiled, compiled, places, begin, min(size, end - begin), seed, threads, *how)
        for begin in range(first, end, size)
    )


def _check_match(rules: Rules, seating: Sequence[Contestant], num_deals: int, seed: int) -> None:
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    if not isinstance(seating, Sequence) or not all(isinstance(contestant, Contestant) for contestant in seating):
        raise AgentError(f"seating must be a list of contestants, not {shorten(seating)}")
    if len(seating) != rules.players:
        raise AgentError(f"seating must name one for each of {rules.players} players, not {len(seating)}")
    require_int("num_deals", num_deals, 1, 10**9, StateError)
    require_int("seed", seed, 0, 2**64 - 1, StateError)


def _compile(contestant: Contestant, rules: Rules) -> _core.Contestant:
    players = rules.players
    if isinstance(contestant, SearchConfig):
        return _core.search_contestant(contestant.compile(rules))
    if isinstance(contestant, CeilingContestant):
        return _core.ceiling_contestant(settings=contestant.search.compile(rules), sees_deck=contestant.sees_deck)
    if isinstance(contestant, NetContestant):
        return _core.network_contestant(Network.find(contestant.file, rules, contestant.name)._compiled)
    if isinstance(contestant, FirstLegalContestant):
        return _core.first_legal_contestant()
    if isinstance(contestant, HeuristicContestant):
        weights = contestant.weights or Weights.shipped(players)
        return _core.policy_contestant(weights=list(weights.values), epsilon=0.0, is_random=False)
    if isinstance(contestant, RandomContestant):
        weights = Weights.shipped(players)
        return _core.policy_contestant(weights=list(weights.values), epsilon=0.0, is_random=True)
    raise AgentError(f"the core has no contestant {shorten(contestant)}")


class _Tally:
    """Sums of each place's share of a deal, and of its square."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.deals = 0
        self.unfinished = 0
        self.sums = [0.0] * players
        self.squares = [0.0] * players

    def add(self, winners: bytes, unfinished: bytes, splits_unfinished: bool) -> None:
        players = self.players
        self.unfinished += sum(unfinished)
        if splits_unfinished and any(unfinished):
            pairs = zip(winners, unfinished, strict=True)
            winners = bytes(NOBODY if is_cut else winner for winner, is_cut in pairs)
        for deal, times in Counter(zip(*[iter(winners)] * players, strict=True)).items():
            nobody = deal.count(NOBODY) / players
            for place in range(players):
                share = (deal.count(place) + nobody) / players
                self.sums[place] += times * share
                self.squares[place] += times * share * share
            self.deals += times

    def result(self, plies: int) -> MatchResult:
        means = [value / self.deals for value in self.sums]
        variances = [max(square / self.deals - mean**2, 0.0) for square, mean in zip(self.squares, means, strict=True)]
        errors = [1.96 * math.sqrt(variance / self.deals) for variance in variances]
        return MatchResult(self.players, self.deals, tuple(means), tuple(errors), plies, self.unfinished)
