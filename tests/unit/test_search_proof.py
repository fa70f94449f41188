"""Promises of every search, and hand-computed cases of the source formulations that no other test has."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from lastcard.actions import Action
from lastcard.belief import BeliefConfig
from lastcard.cards import CARDS, format_cards
from lastcard.errors import LastcardError
from lastcard.observation import observe
from lastcard.rules import PRESETS, Rules
from lastcard.search import (
    ExpectiminimaxConfig,
    IsmctsConfig,
    MctsConfig,
    Pomcp,
    PomcpConfig,
    TreeNode,
    search_by_expectiminimax,
)
from lastcard.search.dispatch import SearchConfig, search
from lastcard.state import State, deal, parse_state
from tests.unit.helpers import dealt, play
from tests.unit.test_search import decisions, seen
from tests.unit.test_tree_search import own_decisions

PUBLISHED = ExpectiminimaxConfig.as_published()
TINY: list[SearchConfig] = [
    ExpectiminimaxConfig(determinizations=8, group=8, fewest=2, depth=2),
    replace(PUBLISHED, determinizations=2, depth=1),
    replace(PUBLISHED, determinizations=2, depth=1, several="max_n", common_random_numbers=True),
    IsmctsConfig(simulations=40, belief=BeliefConfig(hypotheses=8), patience=1),
    MctsConfig(simulations=40, belief=BeliefConfig(hypotheses=8)),
    replace(MctsConfig.as_published(), simulations=40, belief=BeliefConfig("uniform", hypotheses=8)),
    PomcpConfig(simulations=40, belief=BeliefConfig(hypotheses=8), particles=10, patience=1),
    replace(PomcpConfig.as_published(), simulations=40, belief=BeliefConfig("uniform", hypotheses=8), particles=10),
]


def tables() -> Iterator[Rules]:
    """Every preset with every number of players that its deck allows."""
    for preset in PRESETS:
        for players in range(2, 11):
            try:
                rules = Rules.preset(preset, players=players)
                deal(rules, 0)
            except LastcardError:
                continue
            yield rules


def first_choice(rules: Rules) -> State:
    """The first decision with a choice, some plies into a round."""
    for seed in range(50):
        state = deal(rules, seed)
        for _ in range(12):
            if state.seat is None:
                break
            legal = state.legal_actions
            if state.ply > 2 and len(legal) > 1:
                return state
            state = state.after(legal[-1])
    raise AssertionError(f"no choice under {rules}")


@pytest.mark.parametrize("config", TINY, ids=lambda config: type(config).__name__)
def test_any_preset_and_any_number_of_seats(config: SearchConfig) -> None:
    seen_players = set()
    for rules in tables():
        state = first_choice(rules)
        assert state.seat is not None
        observation = observe(state, state.seat)
        report = search(observation, config, seed=1)
        assert report.best in observation.legal_actions
        assert report.actions
        seen_players.add(rules.players)
    assert seen_players == set(range(2, 11))


# --- the latent set: prior and posterior by counting


def frequencies(state: State, size: int, count: int) -> Counter[str]:
    """Counts the hands of seat 1 drawn from the published belief."""
    config = replace(PUBLISHED, common_random_numbers=True, determinizations=count, depth=0)
    belief = search_by_expectiminimax(observe(state, 0), config, seed=9).belief
    assert belief is not None
    hands = [belief._core.hands(i, 2)[1] for i in range(belief._core.num_hypotheses)]
    assert {len(hand) for hand in hands} == {size}
    return Counter(format_cards(CARDS[face] for face in hand) for hand in hands)


def check_even(found: Counter[str], cards: str, size: int, count: int) -> None:
    """Every one of C(cards, size) subsets alike, within five standard deviations: once in 10^5 a hand is not."""
    subsets = Counter(" ".join(hand) for hand in combinations(cards.split(), size))
    total = math.comb(len(cards.split()), size)
    assert set(found) == set(subsets)
    for hand, ways in subsets.items():
        chance = ways / total
        assert abs(found[hand] - count * chance) < 5 * math.sqrt(count * chance * (1 - chance))


def test_the_prior_is_even_over_subsets_of_the_latent_set() -> None:
    """b-(H_2) = 1 / C(|L|, |H_2|): C(6, 3) = 20 subsets, of which two look alike where one of two b9 is in."""
    state = dealt(["r5 r6 r8", "b9 b9 y9"], "r7", "r1 r2 y2", rules="numbers")
    check_even(frequencies(state, 3, 8_000), "r1 r2 y2 y9 b9 b9", 3, 8_000)


def test_the_posterior_is_even_over_subsets_that_do_not_fit() -> None:
    """b+(H_2) = 1 / C(|L| - |N_L|, |H_2| + n): of 8 cards r1, r2 and g5 fit r5, so C(5, 4) = 5 subsets."""
    state = play(dealt(["r5 r6 r8", "b9 b9 y9"], "r7", "r1 r2 y2 g5 y4", rules="numbers"), "r5 draw")
    check_even(frequencies(state, 4, 5_000), "y2 y4 y9 b9 b9", 4, 5_000)


# --- the tree to a depth, and the principal line in it

TREES: list[SearchConfig] = [
    IsmctsConfig(simulations=600, belief=BeliefConfig(hypotheses=16), patience=2),
    MctsConfig(simulations=600, belief=BeliefConfig(hypotheses=16)),
    PomcpConfig(simulations=600, belief=BeliefConfig(hypotheses=16), patience=1),
]


def cut(nodes: tuple[TreeNode, ...], depth: int) -> tuple[TreeNode, ...]:
    return tuple(replace(node, children=cut(node.children, depth - 1) if depth > 1 else ()) for node in nodes)


@pytest.mark.parametrize("config", TREES, ids=lambda config: type(config).__name__)
def test_a_shallow_tree_is_a_deep_one_cut_off(config: SearchConfig) -> None:
    report = search(seen("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"), config, 2)
    deep = report.tree(6)
    for depth in range(1, 6):
        assert report.tree(depth) == cut(deep, depth)
    assert any(node.children[0].children for node in deep if node.children)


@pytest.mark.parametrize("config", TREES, ids=lambda config: type(config).__name__)
def test_the_principal_line_goes_where_most_simulations_went(config: SearchConfig) -> None:
    """The line follows the most visited child of all that was heard, as long as there are ten visits."""
    longest = 0
    for seed, observation in enumerate(decisions("official", 4)):
        report = search(observation, config, seed)
        nodes = report.tree(16)
        line: list[Action] = []
        while nodes:
            node = nodes[0] if line else next(node for node in nodes if node.action is report.best)
            if line and node.simulations < 10:
                break
            assert not line or node.simulations == max(other.simulations for other in nodes)
            line.append(node.action)
            nodes = node.children
        assert report.line == tuple(line)
        longest = max(longest, len(line))
    assert longest > 2


def test_the_principal_line_of_expectiminimax_by_hand() -> None:
    """rS keeps the turn, and then r7 goes out: in every determinization the same two actions."""
    config = ExpectiminimaxConfig(determinizations=16, group=16, fewest=2, depth=3, bonus=0.0)
    for each in (config, replace(config, group=1)):
        report = search_by_expectiminimax(seen("top r5 | seat 0: rS r7 | seat 1: g1"), each)
        assert [action.text for action in report.line] == ["rS", "r7"]


# --- pruning and resampling of pomcp


def test_pruned_to_the_child_of_what_happened() -> None:
    """The turn is ours again after rS and nothing else is heard: T(h rS o) is all that was below rS."""
    state = parse_state("top r5 | seat 0: r7 rS b2 | seat 1: g1 g1 yR b2 b4")
    pomcp = Pomcp(PomcpConfig(simulations=500, patience=1))
    before = pomcp.search(observe(state, 0), 3)
    skip = next(node for node in before.tree(2) if node.action.text == "rS")
    state = state.after(skip.action)
    assert state.seat == 0
    after = pomcp.search(observe(state, 0), 3)
    inherited = {node.action: node.simulations for node in skip.children}
    assert sum(inherited.values()) > 20
    assert {value.action for value in after.actions} >= set(inherited)
    assert all(value.simulations >= inherited.get(value.action, 0) for value in after.actions)
    assert sum(value.simulations for value in after.actions) == 500 + sum(inherited.values())
    # B(h rS o) has gained a particle with each visit, and each of them came down.
    assert pomcp.num_carried == skip.simulations


def test_resampled_below_half_of_the_particles() -> None:
    """Particles that came down stay while their effective size is at least K / 2; else there are K, all alike."""
    kept = renewed = 0
    for particles in (4, 400):
        for seed in range(3):
            pomcp = Pomcp(PomcpConfig(simulations=800, particles=particles))
            for observation in own_decisions("official", seed):
                belief = pomcp.search(observation, seed).belief
                assert belief is not None
                if pomcp.num_carried == 0:
                    continue
                weights = belief._core.weights()
                if len(weights) == particles and set(weights) == {1.0}:
                    renewed += 1
                else:
                    kept += 1
                    assert sum(weights) == pomcp.num_carried
                    assert sum(weights) ** 2 / sum(w * w for w in weights) >= particles / 2
    assert kept > 2
    assert renewed > 2
