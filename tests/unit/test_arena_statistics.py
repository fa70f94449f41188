"""The statistics against known answers.

Simulations use fixed seeds, so they pass or fail for good.
"""

import math
from collections import Counter

import numpy as np
import pytest

from lastcard.arena.schedule import Tournament
from lastcard.arena.sprt import SprtConfig, log_likelihood_ratio
from lastcard.arena.statistics import (
    Z95,
    Estimate,
    average,
    count_first_seat,
    count_scores,
    elo_of_share,
    estimate_elo,
    estimate_share,
    share_of_elo,
    worth_of_mirroring,
)
from lastcard.arena.tournament_run import run_tournament
from lastcard.errors import AgentError
from lastcard.rules import Rules


def pair_odds(rate: float, correlation: float) -> list[float]:
    """Returns the probability that a mirrored pair of rounds is lost twice, split and won twice."""
    common = correlation * rate * (1 - rate)
    twice, never = rate**2 + common, (1 - rate) ** 2 + common
    return [never, 1 - twice - never, twice]


# Intervals


@pytest.mark.parametrize(
    ("rate", "correlation", "deals"),
    [(0.5, 0.0, 100), (0.5, -0.4, 250), (0.6, -0.2, 250), (0.7, 0.2, 500), (0.9, 0.0, 500)],
)
def test_intervals_cover_the_rate_of_a_biased_coin(rate: float, correlation: float, deals: int) -> None:
    """95 % ± 1 over 10,000 matches: their sampling error is 0.22 points."""
    rng = np.random.default_rng(7)
    covered = 0
    for lost, split, won in rng.multinomial(deals, pair_odds(rate, correlation), size=10_000).tolist():
        share = estimate_share({0.0: lost, 0.5: split, 1.0: won}, players=2)
        covered += share.low <= rate <= share.high
    assert 0.94 <= covered / 10_000 <= 0.96


def test_intervals_cover_with_four_players() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for wins in rng.binomial(4, 0.3, size=(10_000, 200)):
        counts = np.bincount(wins, minlength=5).tolist()
        share = estimate_share({won / 4: times for won, times in enumerate(counts)}, players=4)
        covered += share.low <= 0.3 <= share.high
    assert 0.94 <= covered / 10_000 <= 0.96


@pytest.mark.parametrize("deals", [1, 2, 5, 40])
def test_intervals_of_few_deals_are_honest(deals: int) -> None:
    """Deals that all agree do not make certain: this is what as many independent rounds would say."""
    won = estimate_share({1.0: deals}, players=2)
    assert won.high == pytest.approx(1.0)
    assert won.low == pytest.approx(2 * deals / (2 * deals + 1.96**2), abs=1e-3)
    split = estimate_share({0.5: deals}, players=2)
    assert split.low < 0.5 < split.high
    assert split.error > 0.3 / deals


def test_mirroring_narrows_the_interval() -> None:
    """Luck that cancels in every deal: the same share, a fraction of the error."""
    lucky = estimate_share({0.0: 150, 0.5: 100, 1.0: 250}, players=2)
    mirrored = estimate_share({0.0: 50, 0.5: 300, 1.0: 150}, players=2)
    assert lucky.value == mirrored.value == 0.6
    assert mirrored.error < 0.75 * lucky.error


def test_shares_of_a_deal() -> None:
    deals = {"0120": 2, "--33": 1}
    assert count_scores(deals, 0) == {0.5: 2, 0.125: 1}
    assert count_scores(deals, 3) == {0.0: 2, 0.625: 1}


def test_the_first_seat_is_wherever_the_winner_sat() -> None:
    """Place p sits in seat p + rotation: place 0 first, then place 1."""
    assert count_first_seat({"01": 1}) == {1.0: 1}
    assert count_first_seat({"10": 1}) == {0.0: 1}
    assert count_first_seat({"00": 1, "11": 1}) == {0.5: 2}
    assert count_first_seat({"0321": 1}) == {1.0: 1}


@pytest.mark.parametrize(("correlation", "worth"), [(0.0, 1.0), (-0.5, 2.0), (0.25, 0.8)])
def test_worth_of_mirroring(correlation: float, worth: float) -> None:
    """The variance of a mean of two is (1 + correlation) times that of independent ones."""
    never, split, twice = pair_odds(0.6, correlation)
    scores = {0.0: round(1e6 * never), 0.5: round(1e6 * split), 1.0: round(1e6 * twice)}
    assert worth_of_mirroring([scores], players=2) == pytest.approx(worth, rel=1e-4)
    assert worth_of_mirroring([{0.5: 10}], players=2) is None


def test_average_of_estimates() -> None:
    even = average([(Estimate(0.4, 0.37, 0.43), 100), (Estimate(0.6, 0.56, 0.64), 100)])
    assert even.value == pytest.approx(0.5)
    assert even.error == pytest.approx(0.025)
    alone = Estimate(0.9, 0.7, 0.95)
    assert average([(alone, 5)]) == alone


def test_elo() -> None:
    assert elo_of_share(10 / 11, players=2) == pytest.approx(400)
    assert elo_of_share(0.5, players=2) == elo_of_share(0.25, players=4) == 0
    assert elo_of_share(1.0, players=2) == math.inf == -elo_of_share(0.0, players=2)
    for players in (2, 3, 10):
        for elo in (-300.0, -1.0, 0.0, 42.0):
            assert elo_of_share(share_of_elo(elo, players), players) == pytest.approx(elo, abs=1e-9)
    estimate = estimate_elo(Estimate(0.6, 0.5, 0.7), players=2)
    assert (estimate.low, round(estimate.high)) == (0.0, 147)


def test_identical_agents_win_their_fair_share() -> None:
    """One interval in twenty misses, so many are looked at: 11 or more of 60 would come up once in 5,000 times, and all
    deals together are off by 3.3 standard errors once in 1,000 times."""
    rules, total = Rules.preset("official"), Counter[str]()
    missed = 0
    for seed in range(60):
        [pairing] = run_tournament(Tournament(("random", "random"), rules, num_deals=1000, seed=seed)).pairings
        share = estimate_share(count_scores(pairing.deals, 0), players=2)
        missed += not share.low <= 0.5 <= share.high
        total.update(pairing.deals)
    assert missed <= 10
    share = estimate_share(count_scores(total, 0), players=2)
    assert abs(share.value - 0.5) <= 3.3 * share.error / Z95


@pytest.mark.parametrize("players", [2, 3])
def test_agents_without_chance_split_every_mirrored_deal(players: int) -> None:
    """The same cards are played in the same way from every seat, so luck cancels altogether."""
    rules = Rules.preset("official", players=players)
    for pairing in run_tournament(Tournament(("heuristic", "heuristic"), rules, num_deals=500)).pairings:
        assert set(count_scores(pairing.deals, 0)) == {1 / players}


# The sequential test


def run_test(rng: np.random.Generator, odds: list[float], config: SprtConfig, chunk: int) -> tuple[str | None, int]:
    """Plays chunks until the test decides: what it accepts, and after how many deals."""
    counts = np.zeros(3, dtype=np.int64)
    for looks in range(1, 1001):
        counts += rng.multinomial(chunk, odds)
        lost, split, won = counts.tolist()
        ratio = log_likelihood_ratio({0.0: lost, 0.5: split, 1.0: won}, config, players=2)
        if decision := config.decide(ratio):
            return decision, looks * chunk
    return None, 1000 * chunk


@pytest.mark.parametrize(("elo1", "chunk"), [(20.0, 200), (60.0, 8)])
@pytest.mark.parametrize("correlation", [-0.3, 0.2])
@pytest.mark.parametrize("wrong", ["elo0", "elo1"])
def test_the_sequential_test_errs_as_seldom_as_it_promises(
    wrong: str, correlation: float, elo1: float, chunk: int
) -> None:
    """5 % at most; over 400 runs, more than 7.8 % would come up once in 150 times if it were just 5 %."""
    config = SprtConfig(0, elo1)
    rng = np.random.default_rng(11)
    odds = pair_odds(share_of_elo(0 if wrong == "elo1" else elo1, 2), correlation)
    decided = [run_test(rng, odds, config, chunk)[0] for _ in range(400)]
    assert None not in decided
    assert decided.count(wrong) / 400 <= 0.078


def test_the_sequential_test_ends_sooner_the_clearer_it_is() -> None:
    config = SprtConfig(0, 20)
    rng = np.random.default_rng(3)
    lengths = [run_test(rng, pair_odds(share_of_elo(elo, 2), 0.0), config, 200)[1] for elo in (60.0, 20.0, 10.0)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[2]


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.3])
def test_the_ratio_is_close_to_that_of_a_normal_distribution(correlation: float) -> None:
    """Many deals and close hypotheses make both the same."""
    never, split, twice = pair_odds(0.51, correlation)
    scores = {0.0: round(20_000 * never), 0.5: round(20_000 * split), 1.0: round(20_000 * twice)}
    deals = sum(scores.values())
    mean = sum(score * times for score, times in scores.items()) / deals
    variance = sum((score - mean) ** 2 * times for score, times in scores.items()) / deals
    low, high = share_of_elo(0, 2), share_of_elo(5, 2)
    normal = deals * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(scores, SprtConfig(0, 5), players=2) == pytest.approx(normal, rel=0.02)


def test_the_ratio_of_extreme_scores_is_finite() -> None:
    config = SprtConfig(0, 10)
    assert config.decide(log_likelihood_ratio({1.0: 1000}, config, players=2)) == "elo1"
    assert config.decide(log_likelihood_ratio({0.0: 1000}, config, players=2)) == "elo0"
    assert config.decide(log_likelihood_ratio({0.5: 1000}, config, players=2)) == "elo0"
    assert config.decide(log_likelihood_ratio({}, config, players=4)) is None
    assert config.decide(log_likelihood_ratio({1 / 4: 4000, 1 / 2: 3000, 0.0: 500}, config, players=4)) == "elo1"


@pytest.mark.parametrize("elos", [(5, 5), (10, 0), (float("nan"), 5), (0, 5000), ("0", 5)])
def test_impossible_tests_are_refused(elos: tuple[float, float]) -> None:
    with pytest.raises(AgentError, match="elo"):
        SprtConfig(*elos)
