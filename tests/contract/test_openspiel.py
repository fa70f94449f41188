"""OpenSpiel's own checks and algorithms on our game."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations
from math import comb, prod

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import nash_conv

from benchmarks.strength import openspiel
from lastcard.actions import PASS, Action
from lastcard.agents import AgentLike, make_agent
from lastcard.cards import CARDS, WILD_DRAW_FOUR, Card, parse_cards
from lastcard.envs import index_of_action, openspiel_bot, openspiel_game
from lastcard.envs.unfolding import Moment, after, begin, chances_in_hand
from lastcard.envs.with_openspiel import read_parameter, write_parameter
from lastcard.errors import AgentError, IllegalActionError, RulesError, StateError
from lastcard.exact import build_tree, exploitability, uniform_policy
from lastcard.exact.agent_policy import policy_of
from lastcard.observation import observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal, parse_state
from tests import counts
from tests.contract.worlds import NUM_PAIRS
from tests.property.test_two_worlds import make_pairs
from tests.unit.helpers import VARIED_RULES
from tests.unit.test_own_agents import WAYS

TINY = "mini deck=r1,r2,y1,y2 hand_size=1"
SMALL = "mini deck=r1,r1,r2,y1,y2,y2"
SKIPS = "mini deck=r1,r2,rS,y1,y2 drawn_card=may_play max_plies=6"
DRAWS = "official deck=r1,r+2,y+2,y3,w,w+4 hand_size=1 max_plies=2"


def deal_some(game: pyspiel.Game, seed: int) -> pyspiel.State:
    """A state after the deal."""
    rng, state = np.random.RandomState(seed), game.new_initial_state()
    while state.is_chance_node():
        cards, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(cards, p=chances)))
    return state


# Theirs


@pytest.mark.parametrize(
    "rules", ["mini", SMALL, "official max_plies=12", "house max_plies=12", "tournament players=10 max_plies=12"]
)
def test_random_simulations(rules: str) -> None:
    """OpenSpiel's test of a game: states copied, written and read again, legal actions, returns, observations."""
    pyspiel.random_sim_test(openspiel_game(parse_rules(rules)), 2, True, False)


def test_the_game_is_registered() -> None:
    game = openspiel_game(parse_rules("official players=3 deck=official"))
    assert str(game) == "python_lastcard(rules=official players:3)"
    assert pyspiel.load_game(str(game)).num_players() == 3


@pytest.mark.parametrize("rules", ["mini", "study max_plies=40"])
def test_their_mcts_bot_plays(rules: str) -> None:
    game, rng = openspiel_game(parse_rules(rules)), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 1.4, 8, evaluator, random_state=rng) for _ in range(2)]
    state = deal_some(game, 1)
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(cards, p=chances)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


@pytest.mark.parametrize("rules", ["mini", "study max_plies=40", "official players=3 max_plies=30"])
def test_our_agents_play_as_their_bots(rules: str) -> None:
    game = openspiel_game(rules)
    bots = [openspiel_bot("halving:simulations=20"), openspiel_bot("heuristic"), openspiel_bot("random")]
    for seed in range(3):
        returns = evaluate_bots(game.new_initial_state(), bots[: game.num_players()], np.random.RandomState(seed))
        assert sum(returns) == pytest.approx(0)
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots[: game.num_players()], 1)) == pytest.approx(0)


def test_a_bot_decides_as_its_agent_does() -> None:
    game, agent, bot = openspiel_game("study max_plies=40"), make_agent("heuristic"), openspiel_bot("heuristic")
    state = deal_some(game, 1)
    seen = observe(state.truth, state.current_player())
    chosen = bot.step(state)
    assert chosen == index_of_action(seen, agent.choose(seen))
    assert dict(bot.get_policy(state)) == {action: float(action == chosen) for action in state.legal_actions()}
    with pytest.raises(StateError, match="state must be a decision"):
        bot.step(game.new_initial_state())
    with pytest.raises(StateError, match="state must be one of the game python_lastcard"):
        bot.step(pyspiel.load_game("kuhn_poker").new_initial_state())
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        openspiel_bot("nobody")


@pytest.mark.parametrize("agent", [agent for agent, _ in WAYS.values()], ids=WAYS)
def test_agents_of_your_own_are_bots(agent: AgentLike) -> None:
    state = deal_some(openspiel_game("study max_plies=40"), 1)
    assert openspiel_bot(agent).step(state) in state.legal_actions()


def test_exploitability_by_hand() -> None:
    """One card each of r1 r2 y1 y2 and one turned up: nobody ever has a choice.

    Two of the three cards that may be turned up match seat 0's card, which then goes out. The third is the opposite of
    it, so that seat 0 draws; seat 1's card is not the opposite and goes out. Seat 0 wins two of three rounds.
    """
    game = openspiel_game(parse_rules(TINY))
    uniform = policy.UniformRandomPolicy(game)
    assert nash_conv(game, uniform) == pytest.approx(0)
    assert policy_value(game.new_initial_state(), [uniform] * 2) == pytest.approx([1 / 3, -1 / 3])


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["mini", SMALL, SKIPS] if counts.ALL else [SMALL, SKIPS])
def test_exploitability_is_that_of_our_own_solver(rules: str) -> None:
    """`lastcard.exact` counts a win as 1 and a loss as 0, and half the sum of what both seats could gain."""
    game, tree = openspiel_game(parse_rules(rules)), build_tree(parse_rules(rules))
    found = nash_conv(game, policy.UniformRandomPolicy(game))
    assert found == pytest.approx(4 * exploitability(tree, uniform_policy(tree)), abs=1e-9)
    assert found > 0.08
    decided, by_chance = count_histories(game.root)
    assert decided == tree.num_nodes
    assert rules != "mini" or decided + by_chance == 97_747  # as the pages say


def count_histories(now: Moment) -> tuple[int, int]:
    """Counts the histories from here on: those in which a seat acts or has won, and those in which a card comes."""
    below = [after(now, card) for card, _ in now.chances] or [after(now, each) for each in now.actions.values()]
    counts = [count_histories(moment) for moment in below]
    is_chance = bool(now.chances)
    return sum(n for n, _ in counts) + (not is_chance), sum(n for _, n in counts) + is_chance


def test_the_benchmark_gives_openspiel_the_same_policy() -> None:
    game, tree = openspiel_game(parse_rules(SMALL)), build_tree(parse_rules(SMALL))
    row = openspiel.measure(game, tree, "heuristic", policy_of("heuristic", tree))
    assert openspiel.agrees(row)
    assert row["openspiel"] == pytest.approx(4 * exploitability(tree, policy_of("heuristic", tree)), abs=1e-9)
    assert row["openspiel"] != pytest.approx(4 * exploitability(tree, uniform_policy(tree)), abs=0.01)
    assert not openspiel.agrees({**row, "openspiel": row["openspiel"] + 1e-5})


# The tree


def leaves(now: Moment, chance: float, found: Counter[tuple[object, ...]]) -> Counter[tuple[object, ...]]:
    """Adds up the probability of each end when every seat takes the first legal action."""
    if now.chances:
        for card, odds in now.chances:
            leaves(after(now, card), chance * odds, found)
    elif now.truth is not None and not now.truth.is_over:
        leaves(after(now, now.truth.legal_actions[0]), chance, found)
    elif now.truth is not None:
        found[_describe(now.truth)] += chance  # type: ignore[assignment]
    return found


def _describe(state: State) -> tuple[object, ...]:
    """Describes the end of a round; all that were reshuffled look alike, since the deck's order does not fix them."""
    if state.reshuffles:
        return ("reshuffled",)
    return state.hand(0), state.hand(1), state.discard_pile, len(state.draw_pile)


@pytest.mark.parametrize(
    "rules",
    [
        "official deck=r1,r1,y2,w,w,w,w+4 hand_size=2",
        "official deck=r1,r1,r2,r2,y1,w,w hand_size=3",
        "official deck=r1,r1,y2,y2,g3,w,w,w players=3 hand_size=2",
    ],
)
def test_a_deal_comes_about_in_one_way_and_as_often_as_by_shuffling(rules: str) -> None:
    """All orders of the deck, but those that turn up a Wild Draw Four: it is shuffled in again, the hands stay."""
    players, size = parse_rules(rules).players, parse_rules(rules).hand_size
    at = players * size
    shuffled: dict[tuple[Card, ...], Counter[Card]] = defaultdict(Counter)
    for order in permutations(parse_rules(rules).deck.cards()):
        in_hands = tuple(card for seat in range(players) for card in sorted(order[seat:at:players]))
        shuffled[in_hands][order[at]] += 1
    all_orders = sum(tops.total() for tops in shuffled.values())
    expected = {}
    for hands, tops in shuffled.items():
        chance = tops.total() / all_orders
        del tops[WILD_DRAW_FOUR]
        expected.update({(*hands, top): chance * count / tops.total() for top, count in tops.items()})
    found = list(list_deals(begin(parse_rules(rules)), 1.0))
    assert len(found) == len(expected)
    for dealt, chance in found:
        assert chance == pytest.approx(expected[dealt], abs=1e-12)


def list_deals(now: Moment, chance: float) -> Iterator[tuple[tuple[Card, ...], float]]:
    """The hands in a row and the card that is turned up, with their chance."""
    if now.truth is None:
        for card, odds in now.chances:
            yield from list_deals(after(now, card), chance * odds)
    else:
        hands = [card for seat in range(now.rules.players) for card in now.truth.hand(seat)]
        yield (*hands, now.truth.top_card), chance


@pytest.mark.parametrize("rules", ["official", "house hand_size=20", "tournament hand_size=24"])
def test_a_hand_is_as_likely_as_its_cards_can_be_chosen(rules: str) -> None:
    rng, deck, size = random.Random(3), parse_rules(rules).deck, parse_rules(rules).hand_size
    for _ in range(20):
        hand = tuple(sorted(rng.sample(list(deck.cards()), size)))
        rest, chance = Counter(deck.cards()), 1.0
        for dealt, card in enumerate(hand):
            chance *= dict(chances_in_hand(hand[:dealt], rest, size))[card]
            rest[card] -= 1
        ways = prod(comb(deck[card], count) for card, count in Counter(hand).items())
        assert chance * comb(deck.num_cards, size) / ways == pytest.approx(1, abs=1e-9)


def test_chances_are_those_of_shuffling() -> None:
    """Every order of the deck; a Wild Draw Four that is turned up is shuffled in again, the hands stay (Rule 2.2)."""
    rules = parse_rules(DRAWS)
    expected: Counter[tuple[object, ...]] = Counter()
    orders = [order for order in permutations(rules.deck.cards()) if order[-3] is not WILD_DRAW_FOUR]
    ways = Counter(order[-2:] for order in orders)
    for order in orders:
        state = deal(rules, deck=order)
        while not state.is_over:
            state.apply_in_place(state.legal_actions[0])
        expected[_describe(state)] += 1 / len(ways) / ways[order[-2:]]  # type: ignore[assignment]
    found = leaves(begin(rules), 1.0, Counter())
    assert found.keys() == expected.keys()
    assert len(found) > 80
    for end, chance in found.items():
        assert chance == pytest.approx(expected[end], abs=1e-12)


@pytest.mark.parametrize("rules", ["house hand_size=20", "tournament hand_size=24", *VARIED_RULES])
def test_any_round_unfolds_into_one_that_can_be_dealt(rules: str) -> None:
    rng = np.random.default_rng(7)
    now = begin(parse_rules(rules).replace(max_plies=120))
    while now.chances or now.truth is None or not now.truth.is_over:
        if now.chances:
            chances = now.chances
            assert sum(odds for _, odds in chances) == pytest.approx(1)
            before = len(now.chosen)
            now = after(now, chances[rng.integers(len(chances))][0])
            assert not now.chances or len(now.chosen) == before + 1
        else:
            assert now.truth is not None
            legal = now.truth.legal_actions
            now = after(now, legal[rng.integers(len(legal))])
    assert now.line is not None
    assert now.line.replay() == now.truth
    assert now.truth.follows_script


def test_a_reshuffle_brings_every_discard() -> None:
    """Two cards are drawn with one left: the first is that one, the second any of the discards below the top."""
    rules = parse_rules("official deck=r1,r2,r3,r4,r+2,y1,y2 hand_size=2")
    now = begin(rules)
    for text in ("r1", "y1", "r2", "y2", "r3"):
        now = after(now, next(card for card in CARDS if card.text == text))
    assert now.truth is not None
    assert len(now.truth.draw_pile) == 2
    for card in ("r+2", "r4"):
        draw = next(action for action in now.truth.legal_actions if action.text == "draw")
        now = after(now, draw)
        assert {str(each) for each, _ in now.chances} == {"r+2", "r4"} - ({"r+2"} if card == "r4" else set())
        now = after(now, next(each for each in CARDS if each.text == card))
        assert now.truth is not None
        keep = next((action for action in now.truth.legal_actions if action.text == "keep"), None)
        now = after(now, keep) if keep else now
    assert now.truth is not None
    now = after(now, next(action for action in now.truth.legal_actions if action.text == "r1"))
    assert now.truth is not None
    draw = next(action for action in now.truth.legal_actions if action.text == "draw")
    assert [str(card) for card, _ in after(now, draw).chances] == ["r3"]


# What a seat is told


def test_worlds_that_a_seat_cannot_tell_apart_look_the_same() -> None:
    for state, twin, observer in make_pairs(seed=14, num_pairs=NUM_PAIRS):
        looks = []
        for world in (state, twin):
            at = openspiel_game(world.rules).new_initial_state()
            at.now = Moment(world.rules, truth=world)
            looks.append(
                (
                    at.observation_tensor(observer),
                    at.observation_string(observer),
                    at.information_state_string(observer),
                )
            )
        assert looks[0] == looks[1]


def test_what_was_seen_tells_decisions_apart() -> None:
    """A seat that lets a window go by is then asked for its turn, and nothing has happened between (Rule 10.7)."""
    asked = parse_state("top r3 | seat 0: r5 b1 b2 | seat 1: r5 g1 g2 | rules house players=2").after(Action("r5"))
    assert asked.seat == 1
    texts = []
    for world in (asked, asked.after(PASS)):
        assert world.seat == 1
        at = openspiel_game(world.rules).new_initial_state()
        at.now = Moment(world.rules, truth=world)
        texts.append(at.information_state_string(1))
    assert texts[0] != texts[1]


# Errors


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(StateError, match="rules must be Rules or text such as 'official players=4', not 7"):
        openspiel_game(7)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="no rules preset 'nonsense'"):
        read_parameter("nonsense")
    state = deal_some(openspiel_game(Rules.preset("mini")), 1)
    illegal = next(index for index in range(60) if index not in state.legal_actions())
    with pytest.raises(IllegalActionError, match=f"index {illegal} is "):
        state._apply_action(illegal)


def test_a_card_that_cannot_come_is_refused() -> None:
    """Hands are dealt in ascending order, so that r1 cannot follow r2."""
    state = openspiel_game(parse_rules(SMALL)).new_initial_state()
    r1, r2, r3 = (card.index for card in parse_cards("r1 r2 r3"))
    with pytest.raises(IllegalActionError, match="r3 cannot come next; possible: r1 r2 y1 y2"):
        state._apply_action(r3)
    state.apply_action(r2)
    with pytest.raises(IllegalActionError, match="r1 cannot come next; possible: y1 y2"):
        state._apply_action(r1)
    with pytest.raises(IllegalActionError, match="outcome must be from 0 to 53, not 60"):
        state._apply_action(60)


@pytest.mark.parametrize("rules", ["mini", TINY, "house players=7 uno_penalty=3", DRAWS])
def test_rules_survive_as_a_parameter(rules: str) -> None:
    text = write_parameter(parse_rules(rules))
    assert not set(text) & set("=,()")
    assert read_parameter(text) == parse_rules(rules)
