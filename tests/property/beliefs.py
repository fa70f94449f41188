"""Rounds between agents of every kind, in which the truth must never be ruled out."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache

from lastcard import _core
from lastcard.agents import Agent, AgentInfo, list_agents, make_agent
from lastcard.belief import KINDS, Belief, BeliefConfig
from lastcard.cards import CARDS, Card
from lastcard.observation import observe
from lastcard.rules import PRESETS, Rules
from lastcard.state import State, deal
from tests.oracle.agreement import random_rules

MOST_PLAYERS = 6
MOST_PLIES = 200
"""Length of a round here. Not a rule of the table: most shipped networks play exactly the rules they were made for."""
LOOK_EVERY = 16
CHEAP = {"simulations": 10, "determinizations": 4, "hypotheses": 8, "playout_plies": 40}


def make_cheap(info: AgentInfo, seed: int) -> Agent:
    """Returns the agent with options that let it answer immediately."""
    options = ",".join(f"{name}={value}" for name, value in CHEAP.items() if name in info.options)
    return make_agent(f"{info.name}:{options}", seed)


def any_rules(rng: random.Random) -> Rules:
    """Every other time a preset, else any switches; 2 to 6 players."""
    if rng.random() < 0.5:
        name = rng.choice(list(PRESETS))
        return Rules.preset(name, players=rng.randint(2, 4 if name == "mini" else MOST_PLAYERS))
    rules = random_rules(rng)
    return rules.replace(players=min(rules.players, MOST_PLAYERS))


def play_agents(rng: random.Random, rules: Rules | None = None) -> Iterator[State]:
    """The start of a round between agents of every kind, under these rules or any: the deal and every state after."""
    rules = rules or any_rules(rng)
    agents = [make_cheap(rng.choice(list_agents(rules)), rng.getrandbits(64)) for _ in range(rules.players)]
    state = deal(rules, rng.getrandbits(64))
    yield state
    while (seat := state.seat) is not None and state.ply < MOST_PLIES:
        state.apply_in_place(agents[seat].choose(observe(state, seat)))
        yield state


def hands_as_last_seen(state: State, observer: int) -> dict[int, tuple[Card, ...]]:
    """The others' hands when the observer last looked: before a window in which it is not asked (Rule 10.7)."""
    core = state._round
    while core.before is not None and core.seat != observer:
        core = core.before
    return {seat: tuple(CARDS[i] for i in core.hand(seat)) for seat in range(state.rules.players) if seat != observer}


@cache
def settings_for(rules: Rules) -> _core.BeliefSettings:
    settings: _core.BeliefSettings = BeliefConfig("constrained").compile(rules)
    return settings


def require_weight(state: State, observer: int) -> None:
    """No fact rules the true hands out; asked of the core, for this is done after every event."""
    hands = hands_as_last_seen(state, observer)
    faces = [[card.index for card in hands.get(seat, ())] for seat in range(state.rules.players)]
    weight = _core.log_weight(_core.observe(state._round, observer), settings_for(state.rules), faces)
    assert math.isfinite(weight), "the true hands have no weight"


def require_truth(state: State, observer: int, kind: str, seed: int) -> None:
    """The observer believes something, and how many of each face the others really hold is part of it."""
    hands = hands_as_last_seen(state, observer)
    belief = Belief(observe(state, observer), BeliefConfig(kind, hypotheses=4), seed)
    assert belief.num_hypotheses > 0, "nothing is believed"
    assert math.isfinite(belief.log_weight(hands)), "the true hands have no weight"
    for seat, hand in hands.items():
        for card in set(hand):
            assert belief.counts(seat, card)[hand.count(card)] > 0, f"seat {seat} does hold {card}"


def check_truth(seed: int) -> int:
    """Plays one round; after every event the truth must have weight for some seat. Returns the plies.

    Raises:
        AssertionError: at the first event after which it is not, with all it takes to see it again.
    """
    rng = random.Random(seed)
    number = 0
    for number, state in enumerate(play_agents(rng)):
        observer, kind = rng.randrange(state.rules.players), rng.choice(KINDS)
        try:
            require_weight(state, observer)
            if number % LOOK_EVERY == 0:
                require_truth(state, observer, kind, seed)
        except AssertionError as error:
            where = f"seed {seed}, rules {state.rules}, action {number}, seat {observer}, {kind}"
            raise AssertionError(f"{where}: {error}") from None
    return number
