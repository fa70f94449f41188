"""An agent gains nothing from having been given the seed of the deal: deals and agents draw from different streams."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lastcard.actions import DRAW, KEEP, Action
from lastcard.agents import make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.belief import Belief, BeliefConfig
from lastcard.cards import Card
from lastcard.errors import IllegalActionError
from lastcard.events import Event, EventKind
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search.halving import HalvingConfig
from lastcard.seeds import split_seed
from lastcard.state import State, deal

RULES = Rules.preset("official", max_plies=400)
NUM_ROUNDS = 150
NUM_MATCHES = 100
UNRELATED = 0x5EED_0000_0000
LEAST = 1e-6  # whether the truth can be ruled out is tested elsewhere
Odds = Callable[[Card], Sequence[float]]
Sampler = Callable[[Observation, int], Odds]


def play_states(seed: int) -> list[tuple[Observation, State]]:
    """Every tenth decision of a round that the seed fixes, with the truth."""
    rng = random.Random(seed)
    agents = [make_agent("heuristic"), make_agent("random", seed)]
    state, number, kept = deal(RULES, seed), rng.randrange(10), []
    while (seat := state.seat) is not None:
        seen = observe(state, seat)
        if number % 10 == 0:
            kept.append((seen, state.copy()))
        number += 1
        state.apply_in_place(agents[seat].choose(seen))
    return kept


@dataclass
class Comparison:
    """The mean log loss with the seed of the deal, with another, and how far apart they are."""

    shared: float
    unrelated: float
    standard_errors: float


def compare_streams(sampler: Sampler, num_rounds: int) -> Comparison:
    """The same rounds with both seeds."""
    losses: list[tuple[float, float]] = []
    for seed in range(num_rounds):
        decisions = play_states(seed)
        pair = [0.0, 0.0]
        for i, own in enumerate((seed, seed + UNRELATED)):
            for seen, truth in decisions:
                odds = sampler(seen, own)
                hand = truth.hand(1 - seen.observer)
                pair[i] -= sum(math.log(max(odds(card)[hand.count(card)], LEAST)) for card in RULES.deck)
        if decisions:
            size = len(decisions) * len(RULES.deck)
            losses.append((pair[0] / size, pair[1] / size))
    shared, unrelated = (sum(column) / len(losses) for column in zip(*losses, strict=True))
    gains = [other - own for own, other in losses]
    mean = sum(gains) / len(gains)
    variance = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
    return Comparison(shared, unrelated, mean / math.sqrt(variance / len(gains)))


def honest(seen: Observation, seed: int) -> Odds:
    """The belief that a search makes of its seed."""
    belief = Belief(seen, BeliefConfig(hypotheses=64), split_seed(seed, "agent", len(seen.history)))
    return lambda card: belief.counts(1 - seen.observer, card)


def raw(seen: Observation, seed: int) -> Odds:
    """A belief given the deal's seed as it is, by no label at all."""
    belief = Belief(seen, BeliefConfig(hypotheses=64), seed)
    return lambda card: belief.counts(1 - seen.observer, card)


def action_of(event: Event, state: State) -> Action | None:
    """The action that an event tells of; None if it follows from another."""
    if event.seat != state.seat:
        return None
    if event.kind is EventKind.NAMED_COLOR and event.color is not None:
        return Action.name_color(event.color)
    of_kind = {EventKind.PLAYED: event.action, EventKind.DREW: DRAW, EventKind.KEPT: KEEP}
    return of_kind.get(event.kind)


def replay(seen: Observation, seed: int) -> State | None:
    """The truth, if the seed is that of the deal: shuffled alike, then everybody did what was seen."""
    state = deal(RULES, seed)
    try:
        for event in seen.history:
            action = action_of(event, state)
            if action is not None:
                state.apply_in_place(action)
    except IllegalActionError:
        return None
    return state if observe(state, seen.observer).hand == seen.hand else None


def reshuffles(seen: Observation, seed: int) -> Odds:
    """Returns the odds of a sampler whose stream is that of the deal: its shuffle is the deal's shuffle."""
    world = replay(seen, seed)
    plain = raw(seen, seed)
    if world is None:
        return plain
    hand = world.hand(1 - seen.observer)

    def odds(card: Card) -> Sequence[float]:
        return [0.999 if count == hand.count(card) else 0.0005 for count in range(5)]

    return odds


def test_the_seed_of_the_deal_tells_a_belief_nothing() -> None:
    """Four standard errors fail a fair comparison once in 16,000 times."""
    for sampler in (honest, raw):
        result = compare_streams(sampler, NUM_ROUNDS)
        assert abs(result.standard_errors) < 4, (sampler, result)
        assert result.shared > 0.2


def test_a_sampler_that_shares_the_stream_of_the_deal_is_caught() -> None:
    result = compare_streams(reshuffles, 40)
    assert result.shared < 0.01
    assert result.unrelated > 0.2
    assert result.standard_errors > 20


class Prophet:
    """Plays the first action after which it wins the round that its seed deals, all others playing as `heuristic`."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, observation: Observation) -> Action:
        world = replay(observation, self.seed)
        heuristic = make_agent("heuristic")
        if world is None:
            return heuristic.choose(observation)
        for action in world.legal_actions:
            future = world.after(action)
            while (seat := future.seat) is not None:
                future.apply_in_place(heuristic.choose(observe(future, seat)))
            if future.outcome is not None and future.outcome.winner == observation.observer:
                return action
        return heuristic.choose(observation)


def count_wins(make: Callable[[int], SearchAgent | Prophet], offset: int, num_deals: int) -> list[float]:
    """Returns, for each deal, the share of the two seats from which it was won against `heuristic`."""
    shares = []
    for seed in range(num_deals):
        won = 0
        for place in (0, 1):
            own = make(seed + offset)
            agents = [own, make_agent("heuristic")] if place == 0 else [make_agent("heuristic"), own]
            state = deal(RULES, seed)
            while (seat := state.seat) is not None:
                state.apply_in_place(agents[seat].choose(observe(state, seat)))
            won += state.outcome is not None and state.outcome.winner == place
        shares.append(won / 2)
    return shares


def gain_in_errors(make: Callable[[int], SearchAgent | Prophet], num_deals: int) -> float:
    """Returns the number of standard errors by which the deal's seed wins more of the same deals than another."""
    gains = [
        shared - other
        for shared, other in zip(count_wins(make, 0, num_deals), count_wins(make, UNRELATED, num_deals), strict=True)
    ]
    mean = sum(gains) / len(gains)
    variance = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
    return mean / math.sqrt(variance / len(gains))


def test_the_seed_of_the_deal_wins_no_more_rounds() -> None:
    """Four standard errors fail a fair comparison once in 16,000 times."""
    config = HalvingConfig(simulations=40, belief=BeliefConfig(hypotheses=32))
    assert abs(gain_in_errors(lambda seed: SearchAgent(config, seed), NUM_MATCHES)) < 4


def test_an_agent_that_shares_the_stream_of_the_deal_wins_more() -> None:
    assert gain_in_errors(Prophet, 40) > 4
