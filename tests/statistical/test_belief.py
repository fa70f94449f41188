"""Beliefs against the truth: each kind knows more than the one before, and means what it says."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.strength.calibration import (
    NUM_BINS,
    Bin,
    Measure,
    compare,
    judge,
    measure_rounds,
    sample_decisions,
)
from lastcard.belief import KINDS, Belief, BeliefConfig
from lastcard.cards import Card
from lastcard.observation import observe
from lastcard.rules import Rules
from tests.counts import ALL
from tests.unit.helpers import dealt

ROOT = Path(__file__).parents[2]
TOLERANCE = 0.02
LEAST_CASES = 1_000
SEED = 100_000
ROUNDS = 400 if ALL else 200


@pytest.mark.slow
def test_study_particle_beats_constrained_beats_uniform() -> None:
    """A kind no better over the same rounds would be three standard errors ahead once in 740 times, and ten never."""
    measures = measure_rounds(Rules.preset("study"), range(ROUNDS))
    losses = {kind: measure.loss for kind, measure in measures.items()}
    assert losses["particle"] < losses["constrained"] < losses["uniform"]
    assert compare(measures["uniform"], measures["constrained"])[1] > 10
    assert compare(measures["constrained"], measures["particle"])[1] > 3, losses


def test_official_particle_beats_uniform() -> None:
    """A kind no better over the same rounds would come five standard errors ahead once in three million times."""
    measures = measure_rounds(Rules.preset("official"), range(100), ("uniform", "particle"))
    assert compare(measures["uniform"], measures["particle"])[1] > 5, measures["particle"].loss


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["study", "official"])
def test_what_is_believed_with_a_probability_comes_true_that_often(preset: str) -> None:
    """Each tenth of probabilities, if it has 1,000 cases, is right to within 0.02 and four standard errors.

    Cases of one round are not independent, so errors are those between rounds: chance alone exceeds four of them in one
    of 16,000 bins. `make soak` asks for 0.02 flat, over 20,000 rounds.
    """
    measure = measure_rounds(Rules.preset(preset), range(SEED, SEED + ROUNDS), ["particle"])["particle"]
    bins = [each for each in measure.bins if each.cases >= LEAST_CASES]
    assert len(bins) >= 4
    for each in bins:
        assert abs(each.gap) < TOLERANCE + 4 * each.error, [other.to_dict() for other in measure.bins]


# --- the measures themselves


class Pretender(Belief):
    """A belief that says of every card what it is told to."""

    odds: tuple[float, ...] = ()

    def counts(self, seat: int, card: Card) -> tuple[float, ...]:
        return self.odds


def pretend(odds: tuple[float, ...]) -> tuple[float, list[Bin]]:
    """The log loss and bins of such a belief about six faces, two of which the seat holds once and the others not."""
    state = dealt(["r2 r3", "r1 r4"], "b2", "g1")
    belief = Pretender(observe(state, 0), BeliefConfig("uniform"))
    belief.odds = odds
    bins = [Bin() for _ in range(NUM_BINS)]
    return judge(belief, {1: state.hand(1)}, bins), bins


def test_log_loss_is_what_its_name_says() -> None:
    loss, bins = pretend((0.25, 0.5, 0.25))
    assert loss == pytest.approx((4 * math.log(4) + 2 * math.log(2)) / 6)
    assert [each.cases for each in bins] == [0, 0, 0, 0, 0, 0, 0, 6, 0, 0]
    assert (bins[7].held, bins[7].believed) == (2, 4.5)
    assert pretend((1.0, 0.0, 0.0))[0] == math.inf
    assert pretend((1.0,))[0] == 0


def test_a_belief_that_exaggerates_is_caught() -> None:
    """Its gap is far beyond the tolerance, with the same number of rounds."""
    bins = [Bin() for _ in range(NUM_BINS)]
    for seed in range(40):
        for seen, hands in sample_decisions(Rules.preset("official"), seed, ["random"]):
            belief = Pretender(seen, BeliefConfig("uniform"))
            belief.odds = (0.55, 0.25, 0.1, 0.05, 0.05)
            judge(belief, hands, bins)
    assert bins[4].cases > LEAST_CASES
    assert bins[4].gap < -0.2


def test_bins_add_up() -> None:
    """Errors come from the spread between rounds: one round held two too many, the other one too few."""
    total = Bin(10, 3.0, 5, squares=4.0)
    total.add(Bin(10, 3.0, 2, squares=1.0))
    assert (total.cases, total.believed, total.held) == (20, 6.0, 7)
    assert total.gap == pytest.approx(0.05)
    assert total.error == pytest.approx(math.sqrt(5) / 20)
    assert Bin().to_dict() == {"cases": 0}


def test_measures_of_rounds_add_up() -> None:
    rules = Rules.preset("mini")
    whole = measure_rounds(rules, range(12))
    for kind in KINDS:
        parts = Measure()
        for first in (0, 4, 8):
            parts.add(measure_rounds(rules, range(first, first + 4), [kind])[kind])
        assert parts.losses == whole[kind].losses
        assert [each.to_dict() for each in parts.bins] == [each.to_dict() for each in whole[kind].bins]
        assert parts.loss == pytest.approx(sum(parts.losses) / len(parts.losses))


def test_comparing_a_belief_with_itself_says_nothing() -> None:
    measure = measure_rounds(Rules.preset("mini"), range(20), ["uniform"])["uniform"]
    assert compare(measure, measure) == (0.0, 0.0)


def test_the_script_prints_every_kind_of_belief() -> None:
    """A first look: two presets, a few rounds."""
    command = [sys.executable, "-m", "benchmarks.strength.calibration", "--rounds", "6", "--presets", "mini,official"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    rows = [json.loads(line) for line in told.splitlines()]
    presets = ("mini", "official")
    assert [(row["rules"], row["belief"]) for row in rows] == list(itertools.product(presets, KINDS))
    for row in rows:
        assert row["rounds"] == 6
        assert 0 < row["log_loss"] < 1.2
        assert len(row["bins"]) == NUM_BINS
