"""Measures beliefs: `python -m benchmarks.strength.calibration [--rounds N] [--presets P,P]`.

Agents of several kinds play rounds; at one decision in five, each kind of belief says what the others hold. The log
loss is the mean of -log P(how many copies the seat really holds) over faces and opponents: lower is better. Calibration
puts every "holds at least one" into ten bins by its probability: in each, that share should really be held.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lastcard.agents import make_agent
from lastcard.belief import KINDS, Belief, BeliefConfig
from lastcard.cards import Card
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal

OPPONENTS = ("heuristic", "frequency", "random", "halving:simulations=20")
PRESETS = ("official", "study", "tournament", "house")
NUM_BINS = 10
EVERY = 5
CHUNK = 50
FIRST_SEED = 7_000_000
MOST_PLIES = 400

Hands = dict[int, tuple[Card, ...]]


@dataclass
class Bin:
    """Cases in which the probability lay in this tenth."""

    cases: int = 0
    believed: float = 0.0
    """Sum of the probabilities."""
    held: int = 0
    squares: float = 0.0
    """Sum over rounds of the square of `held - believed`: cases of one round go together."""

    @property
    def gap(self) -> float:
        """Difference between the share that was held and the share that was believed."""
        return (self.held - self.believed) / self.cases if self.cases else 0.0

    @property
    def error(self) -> float:
        """The standard error of the gap."""
        return math.sqrt(self.squares) / self.cases if self.cases else 0.0

    def add(self, other: Bin) -> None:
        """Takes another's cases in, of other rounds."""
        self.cases += other.cases
        self.believed += other.believed
        self.held += other.held
        self.squares += other.squares

    def to_dict(self) -> dict[str, float]:
        """Returns the bin as JSON values."""
        if not self.cases:
            return {"cases": 0}
        return {
            "cases": self.cases,
            "believed": round(self.believed / self.cases, 5),
            "held": round(self.held / self.cases, 5),
            "error": round(self.error, 5),
        }


@dataclass
class Measure:
    """Quality of one kind of belief over some rounds."""

    losses: list[float] = field(default_factory=list)
    """The mean log loss of each round."""
    bins: list[Bin] = field(default_factory=lambda: [Bin() for _ in range(NUM_BINS)])

    @property
    def loss(self) -> float:
        """The mean over rounds."""
        return sum(self.losses) / len(self.losses)

    def add(self, other: Measure) -> None:
        """Takes another's rounds in."""
        self.losses += other.losses
        for mine, theirs in zip(self.bins, other.bins, strict=True):
            mine.add(theirs)

    def to_dict(self) -> dict[str, object]:
        """Returns the measure as JSON values."""
        return {"log_loss": round(self.loss, 6), "bins": [each.to_dict() for each in self.bins]}


def sample_decisions(rules: Rules, seed: int, agents: Sequence[str] = OPPONENTS) -> Iterator[tuple[Observation, Hands]]:
    """One decision in five of a round between agents taken at random, each with the hands of the others."""
    rng = random.Random(seed)
    seated = [make_agent(rng.choice(agents), rng.getrandbits(64)) for _ in range(rules.players)]
    state = deal(rules.replace(max_plies=min(rules.max_plies, MOST_PLIES)), rng.getrandbits(64))
    number = rng.randrange(EVERY)
    while (seat := state.seat) is not None:
        observation = observe(state, seat)
        if number % EVERY == 0:
            yield observation, {other: state.hand(other) for other in range(rules.players) if other != seat}
        number += 1
        state.apply_in_place(seated[seat].choose(observation))


def judge(belief: Belief, hands: Hands, bins: Sequence[Bin]) -> float:
    """The log loss of a belief, given the truth; adds its cases to the bins."""
    faces = belief.observation.rules.deck
    loss = 0.0
    for seat, hand in hands.items():
        for card in faces:
            odds = belief.counts(seat, card)
            if len(odds) == 1:
                continue  # all copies are in sight
            held = hand.count(card)
            loss -= math.log(odds[held]) if odds[held] > 0 else -math.inf
            chance = 1.0 - odds[0]
            into = bins[min(int(chance * NUM_BINS), NUM_BINS - 1)]
            into.cases += 1
            into.believed += chance
            into.held += held > 0
    return loss / len(hands) / len(faces)


def measure_rounds(
    rules: Rules, seeds: Iterable[int], kinds: Sequence[str] = KINDS, agents: Sequence[str] = OPPONENTS
) -> dict[str, Measure]:
    """Each kind of belief over the same rounds."""
    measures = {kind: Measure() for kind in kinds}
    for seed in seeds:
        decisions = list(sample_decisions(rules, seed, agents))
        for kind, measure in measures.items():
            bins = [Bin() for _ in range(NUM_BINS)]
            losses = [judge(Belief(seen, BeliefConfig(kind), seed), hands, bins) for seen, hands in decisions]
            for each in bins:
                each.squares = (each.held - each.believed) ** 2
            if losses:
                measure.add(Measure([sum(losses) / len(losses)], bins))
    return measures


def compare(worse: Measure, better: Measure) -> tuple[float, float]:
    """Returns the gain in log loss over the same rounds, and how many standard errors that is."""
    differences = [one - other for one, other in zip(worse.losses, better.losses, strict=True)]
    mean = sum(differences) / len(differences)
    variance = sum((each - mean) ** 2 for each in differences) / (len(differences) - 1)
    return mean, mean / math.sqrt(variance / len(differences)) if variance > 0 else 0.0


def _measure_chunk(task: tuple[str, int, int]) -> dict[str, Measure]:
    rules, first, count = task
    return measure_rounds(parse_rules(rules), range(first, first + count))


def measure_many(
    rules: str, num_rounds: int, jobs: int, first_seed: int = FIRST_SEED
) -> Iterator[tuple[int, dict[str, Measure]]]:
    """The measures as they grow, in several processes, with the number of rounds behind them."""
    tasks = [(rules, first_seed + first, min(CHUNK, num_rounds - first)) for first in range(0, num_rounds, CHUNK)]
    total = {kind: Measure() for kind in KINDS}
    done = 0
    with multiprocessing.Pool(jobs) as pool:
        for (_, _, count), measures in zip(tasks, pool.imap(_measure_chunk, tasks), strict=True):
            done += count
            for kind, measure in measures.items():
                total[kind].add(measure)
            yield done, total


def main() -> None:
    """Measures the requested rules, and prints a line for each kind of belief."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.calibration", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000, help="rounds of each preset (default 2,000)")
    parser.add_argument("--presets", default=",".join(PRESETS), help=f"which rules (default {','.join(PRESETS)})")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    for preset in options.presets.split(","):
        *_, (_, measures) = measure_many(preset, options.rounds, options.jobs)
        for kind, measure in measures.items():
            print(json.dumps({"rules": preset, "belief": kind, "rounds": options.rounds, **measure.to_dict()}))


if __name__ == "__main__":
    main()
