"""Playouts from given positions: repeatable, the same on any number of threads, the game that goes on from there."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from lastcard.agents import make_agent
from lastcard.batch import play_random_games
from lastcard.belief import Belief
from lastcard.cards import Rank
from lastcard.errors import StateError
from lastcard.observation import observe
from lastcard.playouts import Playouts, Positions, play_out
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.search.pomcp import Pomcp, PomcpConfig
from lastcard.state import State, deal, parse_state
from tests.unit.helpers import VARIED_RULES

LIMIT = 5.5


def play_on(state: State, plies: int, salt: int = 0) -> State:
    """Some plies on, not past the end."""
    for ply in range(plies):
        legal = state.legal_actions
        if legal:
            state = state.after(legal[(salt + 7 * ply) % len(legal)])
    return state


def some_positions(rules: Rules, count: int = 12) -> Positions:
    return Positions.of_states([play_on(deal(rules, seed), 3 * seed, seed) for seed in range(count)])


def same(one: Playouts, other: Playouts) -> bool:
    names = ("wins", "points", "plies", "signatures")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


# What it counts


def test_a_decided_position() -> None:
    """Seat 0 goes out immediately: Rule 9.1 counts the cards of seat 1."""
    positions = Positions.of_states([parse_state("top r5 | seat 0: r7 | seat 1: g1 g1 yR")])
    result = play_out(positions, 20)
    assert result.wins.tolist() == [[20, 0]]
    assert result.points.tolist() == [[20 * 22, 0]]
    assert result.plies.tolist() == [20]
    assert result.draws.tolist() == [0]


def test_a_round_that_is_over_counts_as_it_ended() -> None:
    over = parse_state("top r5 | seat 0: r7 | seat 1: g1 g1 yR")
    over = over.after(over.legal_actions[0])
    result = play_out(Positions.of_states([over]), 5)
    assert (result.wins.tolist(), result.points.tolist(), result.plies.tolist()) == ([[5, 0]], [[110, 0]], [0])


def test_plies_are_counted_from_the_position_on() -> None:
    """Rule 5.4 ends every round at ply 30."""
    rules = Rules.preset("official", max_plies=30)
    states = [play_on(deal(rules, seed=3), plies) for plies in range(0, 30, 6)]
    result = play_out(Positions.of_states(states), 40)
    for state, plies in zip(states, result.plies, strict=True):
        assert plies <= 40 * (30 - state.ply)
    assert result.plies[0] > 40 * 20


@pytest.mark.parametrize("rules", [*PRESETS, *VARIED_RULES])
def test_playouts_add_up(rules: str) -> None:
    made = parse_rules(rules)
    positions = some_positions(made)
    result = play_out(positions, 50, seed=1)
    assert result.num_playouts == 50
    assert result.wins.shape == result.points.shape == (12, made.players)
    assert result.plies.shape == result.signatures.shape == result.draws.shape == (12,)
    assert (str(result.wins.dtype), str(result.signatures.dtype)) == ("int64", "uint64")
    assert (result.wins.sum(axis=1) + result.draws == 50).all()
    assert np.min(result.draws) >= 0


# The same everywhere


@pytest.mark.parametrize("rules", ["official", "official players=4", "house", "tournament players=3"])
def test_threads_do_not_matter(rules: str) -> None:
    positions = some_positions(parse_rules(rules), 5)
    alone = play_out(positions, 33, seed=5)
    for threads in (2, 3, 64):
        assert same(play_out(positions, 33, seed=5, threads=threads), alone)
    assert not same(play_out(positions, 33, seed=6), alone)


def test_batches_in_parts_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = some_positions(Rules.preset("official"), 4)
    whole = play_out(positions, 25, seed=2)
    monkeypatch.setattr("lastcard.playouts._PART", 7)
    assert same(play_out(positions, 25, seed=2), whole)


def test_the_order_of_the_draw_pile_does_not_matter() -> None:
    state = play_on(deal(Rules.preset("official"), seed=4), 10)
    turned = {**state.to_dict(), "draw_pile": " ".join(reversed(str(state.to_dict()["draw_pile"]).split()))}
    other = State.from_dict(turned)
    assert other.draw_pile == state.draw_pile[::-1] != state.draw_pile
    one, two = (play_out(Positions.of_states([each]), 300, seed=1) for each in (state, other))
    assert (one.wins.tolist(), one.points.tolist()) == (two.wins.tolist(), two.points.tolist())
    assert one.plies.tolist() == two.plies.tolist()


def test_every_playout_counts_in_the_signature() -> None:
    positions = Positions.of_states([deal(Rules.preset("official"), seed=1)])
    assert len({int(play_out(positions, n, seed=3).signatures[0]) for n in range(1, 100)}) == 99


# The same game


@pytest.mark.parametrize("rules", ["official", "house players=3", "tournament"])
def test_playouts_from_deals_are_random_rounds(rules: str) -> None:
    """Dealt by `deal` and played out, against rounds of `play_random_games`, which deals for itself.

    Wins of every seat and the length of rounds agree within 5.5 standard deviations: 12 comparisons, so that sound code
    would fail once in a million choices of seeds.
    """
    made = parse_rules(rules)
    count, batched = 4_000, 200_000
    result = play_out(Positions.of_states([deal(made, seed) for seed in range(count)]), 1, seed=1)
    games = play_random_games(made, batched, seed=1)
    for seat in range(made.players):
        share = games.wins[seat] / batched
        error = math.sqrt(share * (1 - share) * (1 / count + 1 / batched))
        assert abs(result.wins[:, seat].sum() / count - share) < LIMIT * error
    plies = result.plies.astype(float)
    assert abs(plies.mean() - games.plies / batched) < LIMIT * plies.std() * math.sqrt(1 / count + 1 / batched)


def test_playouts_are_the_rounds_that_agents_play() -> None:
    """The core's own playouts from a house game with a window open are compared with actions one by one.

    Shares of a seat's wins within 5.5 standard deviations: one alarm in 10**7.
    """
    state = parse_state("top r3 | seat 0: r5 b1 b2 y4 | seat 1: r5 g1 g2 y9 | rules house players=2")
    state = next(state.after(action) for action in state.legal_actions if str(action) == "r5")
    assert state.phase.value == "jump_in"
    rng, wins, count = np.random.default_rng(1), 0, 700
    for seed in range(count):
        now = State.from_dict({**state.to_dict(), "seed": seed, "draw_pile": shuffled(state, rng)})
        while not now.is_over:
            legal = [action for action in now.legal_actions if str(action) != "draw"] or now.legal_actions
            now.apply_in_place(legal[rng.integers(len(legal))])
        assert now.outcome is not None
        wins += now.outcome.winner == 0
    result = play_out(Positions.of_states([state]), 100_000, seed=1)
    share = result.wins[0, 0] / 100_000
    assert 0.1 < share < 0.9
    assert abs(wins / count - share) < LIMIT * math.sqrt(share * (1 - share) * (1 / count + 1 / 100_000))


def shuffled(state: State, rng: np.random.Generator) -> str:
    cards = [str(card) for card in state.draw_pile]
    rng.shuffle(cards)
    return " ".join(cards)


# Determinizations


def test_determinizations_are_as_likely_as_believed() -> None:
    """Seat 0 plays red and then red again; seat 1 comes between, and goes out if its one card is r9.

    The belief is exact, and determinizations are spread evenly over it: the share of wins is the probability, to 1 %.
    """
    rules = "official deck=r1,r2,r3,r9,y8,b7,b6 hand_size=1 drawn_card=end_turn"
    state = parse_state(f"top r1 | seat 0: r2 r3 | seat 1: y8 | rules {rules}")
    belief = Belief(observe(state, 0))
    chance = belief.probability(1, rank=Rank.NINE)
    assert belief.is_exact
    assert chance == pytest.approx(0.25)
    result = play_out(Positions.of_belief(belief, 400), 3)
    assert set(result.wins[:, 1].tolist()) == {0, 3}
    assert abs((result.wins[:, 1] == 3).mean() - chance) < 0.01


def test_particles_that_are_not_equally_likely_are_drawn_by_their_weights() -> None:
    """Those of a kept tree; draws are spread evenly, so that a share misses by a few in 10,000."""
    pomcp, state, seen = Pomcp(PomcpConfig(simulations=300, particles=6)), deal(Rules.preset("official"), seed=5), 0
    agent = make_agent("heuristic")
    while state.seat is not None:
        observation = observe(state, state.seat)
        if state.seat == 0 and len(state.legal_actions) > 1:
            belief = pomcp.search(observation, seed=state.ply).belief
            assert belief is not None
            weights = belief._core.weights()
            if max(weights) > min(weights):
                positions = Positions.of_belief(belief, 10_000)
                size = len(positions._core.bytes) // len(positions)
                drawn = Counter(positions._core.bytes[i : i + size] for i in range(0, size * 10_000, size))
                shares = sorted(count / 10_000 for count in drawn.values())
                assert max(shares) == pytest.approx(max(weights) / sum(weights), abs=0.005)
                seen += 1
        state = state.after(agent.choose(observation))
    assert seen


@pytest.mark.parametrize("rules", ["official", "house", "tournament players=5"])
def test_determinizations_keep_what_the_seat_sees(rules: str) -> None:
    """Whatever is hidden, there are as many playouts, and another seed lays the hidden cards out differently."""
    state = play_on(deal(parse_rules(rules), seed=3), 9)
    assert state.seat is not None
    belief = Belief(observe(state, state.seat), seed=1)
    positions = Positions.of_belief(belief, 60, seed=1)
    assert (len(positions), positions.rules) == (60, state.rules)
    result = play_out(positions, 4)
    assert (result.wins.sum(axis=1) + result.draws == 4).all()
    assert same(play_out(Positions.of_belief(belief, 60, seed=1), 4), result)
    assert not same(play_out(Positions.of_belief(belief, 60, seed=2), 4), result)


# Refusing


@pytest.mark.parametrize(
    ("states", "match"),
    [
        ([], "the number of states must be from 1"),
        ("official", "states must be a list of States, not 'official'"),
        (None, "states must be a list of States, not None"),
        ([deal(Rules()), 7], r"states\[1\] must be a State, not 7"),
        ([deal(Rules()), deal(Rules.preset("house"))], r"states\[1\] must be of the rules official, not house"),
    ],
)
def test_impossible_states_are_named(states: object, match: str) -> None:
    with pytest.raises(StateError, match=match):
        Positions.of_states(states)  # type: ignore[arg-type]


def test_impossible_beliefs_are_named() -> None:
    state = deal(Rules(), seed=7)
    assert state.seat == 0
    mine = Belief(observe(state, 0))
    with pytest.raises(StateError, match="belief must be a Belief, not <State"):
        Positions.of_belief(state, 10)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="belief must be of the seat to act, not of seat 1, which is not asked"):
        Positions.of_belief(Belief(observe(state, 1)), 10)
    with pytest.raises(StateError, match="count must be from 1"):
        Positions.of_belief(mine, 0)
    with pytest.raises(StateError, match="seed must be from 0"):
        Positions.of_belief(mine, 1, seed=-1)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"positions": [deal(Rules())]}, "positions must be Positions, not "),
        ({"num_playouts": 0}, "num_playouts must be from 1"),
        ({"num_playouts": 2.0}, "num_playouts must be a whole number"),
        ({"num_playouts": 10**13}, "num_playouts must be from 1"),
        ({"seed": 2**64}, "seed must be from 0"),
        ({"threads": 0}, "threads must be from 1"),
    ],
)
def test_impossible_arguments_are_named(arguments: dict[str, object], match: str) -> None:
    positions = Positions.of_states([deal(Rules())])
    with pytest.raises(StateError, match=match):
        play_out(**{"positions": positions, "num_playouts": 1, **arguments})  # type: ignore[arg-type]
