"""Ratings against planted strengths. The seeds are fixed, so these pass or fail for good."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from lastcard.arena.ratings import PRIOR, rate
from lastcard.arena.results import PairingResult
from lastcard.arena.schedule import Pairing, Tournament
from lastcard.arena.statistics import share_of_elo
from lastcard.arena.summary import summarize
from lastcard.arena.tournament_run import run_tournament
from lastcard.rules import Rules

OFFICIAL = Rules.preset("official")
PLANTED = np.array([1700.0, 1580.0, 1500.0, 1420.0, 1300.0])


def pairing(seating: tuple[int, ...], deals: dict[str, int]) -> PairingResult:
    """The results of a pairing, from counts of its deals."""
    rules = OFFICIAL.replace(players=len(seating))
    result = PairingResult(Tournament(("random", "random"), rules, 1), Pairing(0, seating, 0), 1)
    result.deals, result.num_deals = Counter(deals), sum(deals.values())
    return result


def play_planted(seating: tuple[int, ...], num_deals: int, rng: np.random.Generator, luck: float) -> PairingResult:
    """Deals between planted agents; this share of the deals is won by the cards alone, from one seat."""
    players = len(seating)
    weights = 10 ** (PLANTED[list(seating)] / 400)
    won = rng.choice(players, (num_deals, players), p=weights / weights.sum())
    if luck:  # two players of equal strength: luck only moves wins between the rounds of a deal
        lucky = rng.random(num_deals) < luck
        won[lucky, 1] = 1 - won[lucky, 0]
    return pairing(seating, Counter("".join(map(str, deal)) for deal in won.tolist()))


def pairs(players: int) -> list[tuple[int, ...]]:
    numbers = range(len(PLANTED))
    if players == 2:
        return [(one, other) for one in numbers for other in numbers if one < other]
    return [(one, *[other] * (players - 1)) for one in numbers for other in numbers if one != other]


@pytest.mark.parametrize("seatings", [pairs(2), pairs(4), [(0, 1, 2, 3, 4)]], ids=["two", "four", "one table"])
def test_intervals_cover_planted_strengths(seatings: list[tuple[int, ...]]) -> None:
    """95 % ± 2 over 2,000 ratings: the sampling error of their coverage is about 0.6 points."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        ratings = rate(5, [play_planted(seating, 200, rng, 0.0) for seating in seatings])
        covered += sum(abs(r.value - elo) <= r.error for r, elo in zip(ratings, PLANTED, strict=True))
    assert 0.93 <= covered / 2000 <= 0.97


def test_intervals_count_deals_not_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck that cancels in every deal: narrower intervals, which still cover."""
    monkeypatch.setattr("tests.unit.test_ratings.PLANTED", np.full(5, 1500.0))
    rng = np.random.default_rng(4)
    covered, errors = 0, dict[float, float]()
    for luck in (0.0, 0.6):
        for _ in range(400):
            ratings = rate(5, [play_planted(seating, 200, rng, luck) for seating in pairs(2)])
            covered += sum(abs(r.value - 1500) <= r.error for r in ratings)
        errors[luck] = ratings[0].error
    assert 0.93 <= covered / 4000 <= 0.97
    assert errors[0.6] == pytest.approx(math.sqrt(0.4) * errors[0.0], rel=0.05)


def test_the_order_of_rounds_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    played = [play_planted(seating, 300, rng, 0.0) for seating in pairs(4)]
    ratings = rate(5, played)
    for result in played:
        rounds = list(result.deals.elements())
        rng.shuffle(rounds)
        result.deals = Counter(rounds)
    assert rate(5, played) == ratings


def test_an_agent_that_wins_everything_stays_finite() -> None:
    few, many = (rate(2, [pairing((0, 1), {"00": deals})]) for deals in (10, 10_000))
    assert few[0].value < many[0].value < 1500 + 4 * PRIOR
    assert many[0].value + many[1].value == pytest.approx(3000)
    assert 50 < many[0].error < 2 * PRIOR
    chain = rate(26, [pairing((one, one + 1), {"00": 10**9}) for one in range(25)])
    assert all(one.value > other.value + 1000 for one, other in pairwise(chain))
    assert all(0 < rating.error < PRIOR for rating in chain)


def test_groups_that_never_met_are_rated_apart() -> None:
    apart = rate(5, [pairing((0, 2), {"00": 30, "01": 40, "11": 10}), pairing((1, 3), {"00": 5, "01": 20, "11": 80})])
    alone = rate(2, [pairing((0, 1), {"00": 30, "01": 40, "11": 10})])
    assert [apart[0].value, apart[2].error] == pytest.approx([alone[0].value, alone[1].error])
    assert apart[0].value + apart[2].value == pytest.approx(3000)
    assert apart[1].value < 1400 < 1600 < apart[3].value
    assert apart[4].value == 1500
    assert apart[4].error == pytest.approx(1.96 * PRIOR, rel=1e-4)


def test_ties_are_shared() -> None:
    shared = rate(2, [pairing((0, 1), {"0-": 400, "--": 100})])
    won = rate(2, [pairing((0, 1), {"00": 250, "01": 200, "11": 50})])
    assert shared[0].value == pytest.approx(won[0].value, abs=2)
    even = rate(3, [pairing((0, 1, 2), {"---": 50})])
    assert [rating.value for rating in even] == pytest.approx([1500.0] * 3)


@pytest.mark.parametrize("players", [2, 4])
def test_ratings_read_as_elo(players: int) -> None:
    cup = Tournament(("heuristic", "random"), OFFICIAL.replace(players=players), num_deals=4000, seed=1)
    results = run_tournament(cup)
    heuristic, random = rate(2, results.pairings)
    for meeting in summarize(results).meetings:
        lead = (heuristic.value - random.value) * (1 if meeting.seating[0] == 0 else -1)
        assert share_of_elo(lead, players) == pytest.approx(meeting.shares[0].value, abs=0.02)
    assert heuristic.error == pytest.approx(random.error)
    assert 2 < heuristic.error < 15
