"""Beliefs: what they promise, what they refuse, and what they must be certain of."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from lastcard.actions import DRAW
from lastcard.belief import KINDS, MODELS, Belief, BeliefConfig, HiddenCards
from lastcard.cards import OFFICIAL, WILD, Card, Color, Rank, parse_card, parse_cards
from lastcard.errors import AgentError, LastcardError, StateError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal, parse_state
from tests.oracle.agreement import choose_at_random
from tests.unit.helpers import VARIED_RULES, dealt, play

FACTUAL = KINDS[1:]  # those that take in what the rules force
THREE = observe(deal(Rules.preset("official", players=3), seed=7), seat=0)


def stacked(hands: Sequence[str], turned_up: str, draws: str = "", *, rules: str = "official") -> State:
    """Works as `dealt`, but the other cards of the official deck lie at the bottom of the draw pile."""
    order = [hand.split()[i] for i in range(len(hands[0].split())) for hand in hands]
    cards = parse_cards(" ".join([*order, turned_up, draws]))
    rest = Counter(OFFICIAL.cards())
    rest.subtract(cards)
    made = parse_rules(rules).replace(players=len(hands), hand_size=len(hands[0].split()))
    return deal(made, deck=[*sorted(rest.elements()), *reversed(cards)])


def walk(rules: Rules, seed: int, every: int) -> Iterator[tuple[State, Observation]]:
    """A random round; now and then the state and what the seat to act sees of it."""
    rng = random.Random(seed)
    state = deal(rules, seed)
    while state.seat is not None:
        if rng.randrange(every) == 0:
            yield state, observe(state, state.seat)
        state = state.after(choose_at_random(rng, state.legal_actions, False))


def hidden_from(state: State, seat: int) -> list[Card]:
    """The cards in the other hands and in the draw pile."""
    hands = [state.hand(other) for other in range(state.rules.players) if other != seat]
    return sorted(card for cards in (*hands, state.draw_pile) for card in cards)


def at_least(belief: Belief, seat: int, card: Card, count: int) -> float:
    return sum(belief.counts(seat, card)[count:])


# --- what is refused


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"kind": "oracle"}, "belief must be one of uniform, constrained, particle, not 'oracle'"),
        ({"kind": None}, "belief must be one of"),
        ({"kind": []}, "belief must be one of"),
        ({"hypotheses": 0}, "hypotheses must be from 1"),
        ({"hypotheses": 1 << 20}, "hypotheses must be from 1"),
        ({"hypotheses": 2.0}, "hypotheses must be a whole number"),
        ({"hypotheses": True}, "hypotheses must be a whole number"),
        ({"temperature": 0}, "temperature must be a number from 0.01"),
        ({"temperature": math.nan}, "temperature must be a number from 0.01"),
        ({"temperature": "warm"}, "temperature must be a number from 0.01"),
        ({"noise": 0}, "noise must be a number from 0.0001 to 1"),
        ({"noise": 1.5}, "noise must be a number from 0.0001 to 1"),
        ({"noise": None}, "noise must be a number from 0.0001 to 1"),
    ],
)
def test_a_config_names_the_field_that_is_wrong(fields: dict[str, Any], match: str) -> None:
    with pytest.raises(AgentError, match=match):
        BeliefConfig(**fields)


@pytest.mark.parametrize("seat", [0, 3, -1, 10, True, False, "1", None, 1.0, [], 1 << 70])
@pytest.mark.parametrize("ask", ["counts", "probability", "opponent_models"])
def test_only_opponents_can_be_asked_about(seat: Any, ask: str) -> None:
    belief = Belief(THREE)
    questions: dict[str, Callable[[], object]] = {
        "counts": lambda: belief.counts(seat, WILD),
        "probability": lambda: belief.probability(seat, color=Color.RED),
        "opponent_models": lambda: belief.opponent_models(seat),
    }
    with pytest.raises(StateError, match=r"seat must be one of the opponents \[1, 2\]"):
        questions[ask]()


@pytest.mark.parametrize(
    "hands",
    [
        {},
        {1: ()},
        {0: (), 1: (), 2: ()},
        {1: (), 3: ()},
        None,
        [(), ()],
        {1: 5, 2: ()},
        {1: ["r5"], 2: ()},
        {"1": (), 2: ()},
        {1: (), None: ()},
    ],
)
def test_log_weight_wants_the_hands_of_all_opponents(hands: Any) -> None:
    with pytest.raises(StateError, match="hands"):
        Belief(THREE).log_weight(hands)


WRONG: dict[str, Callable[[Any], object]] = {
    "an observation": lambda _: Belief(None),  # type: ignore[arg-type]
    "a state as observation": lambda _: Belief(deal(Rules(), seed=1)),  # type: ignore[arg-type]
    "a config": lambda _: Belief(THREE, "uniform"),  # type: ignore[arg-type]
    "a seed": lambda _: Belief(THREE, seed=None),  # type: ignore[arg-type]
    "a seed in words": lambda _: Belief(THREE, seed="7"),  # type: ignore[arg-type]
    "a broken seed": lambda _: Belief(THREE, seed=1.5),  # type: ignore[arg-type]
    "weights": lambda _: Belief(THREE, BeliefConfig(weights=5)),  # type: ignore[arg-type]
    "weights that are not there": lambda _: Belief(THREE, BeliefConfig(weights="/no/such/file")),
    "a card": lambda belief: belief.counts(1, "r5"),
    "a color": lambda belief: belief.probability(1, color="r"),
    "a rank": lambda belief: belief.probability(1, rank="5"),
    "nothing": lambda belief: belief.probability(1),
    "an rng": lambda belief: belief.sample(None),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_types_are_answered_with_our_own_errors(what: str) -> None:
    with pytest.raises(LastcardError):
        WRONG[what](Belief(THREE))


# --- counts add up


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", VARIED_RULES)
def test_samples_conserve_cards(rules: str, kind: str) -> None:
    rng = random.Random(5)
    for state, seen in walk(parse_rules(rules).replace(max_plies=150), seed=3, every=12):
        belief = Belief(seen, BeliefConfig(kind, hypotheses=32), seed=1)
        for _ in range(4):
            sample = belief.sample(rng)
            assert isinstance(sample, HiddenCards)
            assert tuple(sample.hands) == belief.opponents
            assert all(len(hand) == seen.hand_sizes[seat] for seat, hand in sample.hands.items())
            assert len(sample.draw_pile) == seen.draw_pile_size
            cards = sorted(card for cards in (*sample.hands.values(), sample.draw_pile) for card in cards)
            assert cards == hidden_from(state, seen.observer)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", VARIED_RULES)
def test_marginals_add_up_to_the_hand(rules: str, kind: str) -> None:
    """The expected copies of all faces in a hand add up to its size."""
    made = parse_rules(rules).replace(max_plies=150)
    for _, seen in walk(made, seed=4, every=12):
        belief = Belief(seen, BeliefConfig(kind, hypotheses=32), seed=1)
        for seat in belief.opponents:
            odds = {card: belief.counts(seat, card) for card in made.deck}
            assert all(sum(each) == pytest.approx(1) and min(each) >= 0 for each in odds.values())
            expected = sum(count * chance for each in odds.values() for count, chance in enumerate(each))
            assert expected == pytest.approx(seen.hand_sizes[seat], abs=1e-9)
            held = belief.marginals()[seat]
            assert all(held[card] == pytest.approx(1 - each[0]) for card, each in odds.items())


def draw_without_replacement(copies: int, others: int, size: int) -> list[float]:
    """Returns the probability that a hand has 0, 1, 2, ... of the copies, by dealing it card by card."""
    odds = [1.0]
    for dealt_so_far in range(size):
        left = copies + others - dealt_so_far
        more = [0.0, *(chance * (copies - held) / left for held, chance in enumerate(odds))]
        fewer = [chance * (others - (dealt_so_far - held)) / left for held, chance in enumerate(odds)]
        odds = [hit + miss for hit, miss in zip(more, [*fewer, 0.0], strict=True)]
    return odds


@pytest.mark.parametrize("rules", ["official", "official players=5", "house players=3", "numbers players=4"])
def test_uniform_is_a_shuffle_of_what_is_hidden(rules: str) -> None:
    for state, seen in walk(parse_rules(rules).replace(max_plies=60), seed=2, every=10):
        belief = Belief(seen, BeliefConfig("uniform", hypotheses=1))
        assert belief.is_exact
        hidden = hidden_from(state, seen.observer)
        for seat in belief.opponents:
            size = seen.hand_sizes[seat]
            for card in state.rules.deck:
                copies = hidden.count(card)
                expected = draw_without_replacement(copies, len(hidden) - copies, size)
                odds = belief.counts(seat, card)
                assert len(odds) == copies + 1
                assert odds == pytest.approx([*expected, 0, 0, 0, 0][: copies + 1])
            for color, rank in ((Color.GREEN, None), (None, Rank.SEVEN), (Color.BLUE, Rank.NINE)):
                fits = sum(color in (None, card.color) and rank in (None, card.rank) for card in hidden)
                chance = 1 - draw_without_replacement(fits, len(hidden) - fits, size)[0]
                assert belief.probability(seat, color=color, rank=rank) == pytest.approx(chance)


@pytest.mark.parametrize("kind", KINDS)
def test_log_weight_counts_the_ways_to_be_dealt_a_hand(kind: str) -> None:
    """Nothing else is known at the deal: hands with two of a kind come about in fewer ways."""
    cards = "r1 r1 r2 g1 g2 b3 b3 b4"
    seen = observe(dealt(["r1 r1", "r2 g1"], "g2", "b3 b3 b4"), 0)
    belief = Belief(seen, BeliefConfig(kind))
    hidden = parse_cards(cards.replace("r1 r1 ", "").replace("g2 ", ""))
    ways = Counter(tuple(sorted(hand)) for hand in combinations(hidden, 2))
    assert ways[parse_cards("b3 b3")] == 1
    assert ways[parse_cards("r2 b3")] == 2
    weights = {hand: math.exp(belief.log_weight({1: hand})) for hand in ways}
    total = sum(weights.values())
    for hand, number in ways.items():
        assert weights[hand] / total == pytest.approx(number / ways.total())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hand", ["g0 g0", "r0 g1", "g1", "g1 g2 g3", "g5 g9", ""])
def test_what_cannot_be_counted_has_no_weight(hand: str, kind: str) -> None:
    """There is one g0, r0 is our own, g5 is on top: only two other cards can be the other seat's."""
    belief = Belief(observe(stacked(["r0 r1", "g1 g2"], "g5"), 0), BeliefConfig(kind))
    assert belief.log_weight({1: parse_cards("g0 g5")}) > -math.inf
    assert belief.log_weight({1: parse_cards("g5 g5")}) == -math.inf
    assert (belief.log_weight({1: parse_cards(hand)}) == -math.inf) is (hand != "g5 g9")


def test_a_position_without_history_is_believed_by_counts() -> None:
    seen = observe(parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR"), seat=0)
    plain = Belief(seen, BeliefConfig("uniform"))
    belief = Belief(seen, BeliefConfig("constrained"))
    assert belief.is_exact
    for card in OFFICIAL:
        assert belief.counts(1, card) == plain.counts(1, card)


def test_a_late_call_of_uno_tells_nothing_of_the_last_card() -> None:
    """Rule 7.3; a call before the play says that something can be played (Rule 7.1)."""
    state = dealt(["r0 r1", "r2 y1"], "r1", "y2 y2 y0 y1 r2", rules="mini uno_penalty=1")
    beliefs = [
        Belief(observe(play(state, f"uno r0 {actions}"), 0), BeliefConfig("constrained"))
        for actions in ("r2 uno", "r2 pass pass", "uno r2")
    ]
    assert [belief.is_exact for belief in beliefs] == [True, True, False]
    for card in state.rules.deck:
        assert beliefs[0].counts(1, card) == beliefs[1].counts(1, card)


def test_no_card_is_both_red_and_wild() -> None:
    assert Belief(THREE).probability(1, color=Color.RED, rank=Rank.WILD) == 0.0


# --- what is certain

TOURNAMENT = "tournament drawn_card=may_play"
SEVEN_ZERO = "official seven_zero=on"
DEALS = {"small": dealt, "full": stacked}


def both_decks(test: Callable[..., None]) -> Callable[..., None]:
    """Runs a test with a deck of just these cards, whose hands are listed, and the official one, which is sampled."""
    for mark in (pytest.mark.parametrize("deck", DEALS), pytest.mark.parametrize("kind", FACTUAL)):
        test = mark(test)
    return test


def assert_certain(belief: Belief, seat: int, hand: str) -> None:
    """The seat holds just these cards, whichever way one asks."""
    cards = parse_cards(hand)
    for card in belief.observation.rules.deck:
        assert at_least(belief, seat, card, cards.count(card)) == pytest.approx(1, abs=1e-9), card
        assert at_least(belief, seat, card, cards.count(card) + 1) == pytest.approx(0, abs=1e-9), card
    for color in Color:
        chance = float(any(card.color is color for card in cards))
        assert belief.probability(seat, color=color) == pytest.approx(chance, abs=1e-9)
    assert sorted(belief.sample(random.Random(1)).hands[seat]) == sorted(cards)


@both_decks
def test_rule_6_3_a_hand_shown_is_known(kind: str, deck: str) -> None:
    hands = ["g1 g2 w+4", "y1 y2 y3", "b2 b3 b4"]
    state = play(DEALS[deck](hands, "r5", "g4 g5 g6 g7 g8 g9 b5", rules=TOURNAMENT), "w+4:b challenge")
    assert_certain(Belief(observe(state, 1), BeliefConfig(kind)), 0, "g1 g2")
    other = Belief(observe(state, 2), BeliefConfig(kind))
    assert other.probability(0, color=Color.RED) == pytest.approx(0, abs=1e-9)
    assert other.probability(0, color=Color.GREEN) < 1


@both_decks
def test_rule_6_3_a_guilty_hand_is_known_but_for_what_it_draws(kind: str, deck: str) -> None:
    hands = ["r1 g2 w+4", "y1 y2 y3", "b2 b3 b4"]
    state = play(DEALS[deck](hands, "r5", "g4 g5 g6 g7 g8 g9 b5", rules=TOURNAMENT), "w+4:b challenge")
    belief = Belief(observe(state, 1), BeliefConfig(kind))
    assert at_least(belief, 0, parse_card("r1"), 1) == pytest.approx(1, abs=1e-9)
    assert at_least(belief, 0, parse_card("g2"), 1) == pytest.approx(1, abs=1e-9)
    assert 0 < at_least(belief, 0, parse_card("g4"), 1) < 1


@both_decks
def test_rule_10_5_a_hand_swapped_away_is_known(kind: str, deck: str) -> None:
    state = DEALS[deck](["r7 g1 g2", "b1 b2 b3", "y1 y2 y7"], "r5", "y3 y4 y5", rules=SEVEN_ZERO)
    state = play(state, "r7 swap:1")
    assert_certain(Belief(observe(state, 0), BeliefConfig(kind)), 1, "g1 g2")
    assert_certain(Belief(observe(state, 1), BeliefConfig(kind)), 0, "b1 b2 b3")
    third = Belief(observe(state, 2), BeliefConfig(kind))
    assert 0 < third.probability(1, color=Color.GREEN) < 1


@both_decks
def test_rule_10_5_a_known_hand_stays_known_when_others_swap_it(kind: str, deck: str) -> None:
    hands = ["r7 g7 g2", "y1 b2 b3", "g1 y2 y7"]
    state = play(DEALS[deck](hands, "r5", "y3 y4 y5", rules=SEVEN_ZERO), "r7 swap:1 g7 swap:2")
    assert_certain(Belief(observe(state, 0), BeliefConfig(kind)), 2, "g2")


@both_decks
def test_rule_10_5_a_hand_passed_on_is_known(kind: str, deck: str) -> None:
    state = DEALS[deck](["r0 g1 g2", "b1 b2 b3", "y1 y2 y7"], "r5", "y3 y4 y5", rules=SEVEN_ZERO)
    state = play(state, "r0")
    assert_certain(Belief(observe(state, 0), BeliefConfig(kind)), 1, "g1 g2")
    assert_certain(Belief(observe(state, 1), BeliefConfig(kind)), 2, "b1 b2 b3")
    assert_certain(Belief(observe(state, 2), BeliefConfig(kind)), 0, "y1 y2 y7")


@both_decks
def test_a_known_hand_stays_known_while_it_is_played(kind: str, deck: str) -> None:
    state = DEALS[deck](["r0 g1 r2", "b1 b2 b3", "y1 y2 y7"], "r5", "y3 y4 y5", rules=SEVEN_ZERO)
    state = play(state, "r0 r2")
    assert_certain(Belief(observe(state, 0), BeliefConfig(kind)), 1, "g1")


@both_decks
def test_rule_10_3_a_draw_under_must_play_excludes_what_would_have_fit(kind: str, deck: str) -> None:
    rules = "official must_play=on drawn_card=end_turn"
    state = play(DEALS[deck](["g1 g2 g3", "b1 b2 b3"], "r5", "y3 y4 r4", rules=rules), "draw")
    belief = Belief(observe(state, 1), BeliefConfig(kind))
    # One card came after the draw, so one of them it may hold.
    assert at_least(belief, 0, parse_card("r4"), 2) < 0.001
    assert belief.log_weight({0: parse_cards("g1 g2 g3 y3")}) > -math.inf
    assert belief.log_weight({0: parse_cards("g1 g2 g3 r4")}) > -math.inf
    for sample in (belief.sample(random.Random(seed)) for seed in range(50)):
        assert sum(card.color is Color.RED or card.is_wild for card in sample.hands[0]) <= 1


@both_decks
def test_rule_6_1_an_honest_wild_draw_four_excludes_the_active_color(kind: str, deck: str) -> None:
    hands = ["g1 g2 w+4", "r1 b1 b2", "r2 y1 y2"]
    state = play(DEALS[deck](hands, "r5", "y3 y4 y5 y6", rules="official"), "w+4:b")
    for seat in (1, 2):
        belief = Belief(observe(state, seat), BeliefConfig(kind))
        assert belief.probability(0, color=Color.RED) == pytest.approx(0, abs=1e-9)
        assert belief.probability(0, color=Color.GREEN) > 0


# --- reshuffles


def rounds_with_reshuffle() -> Iterator[tuple[State, State]]:
    """States of two-player rounds just before and just after the first reshuffle: most cards are dealt out."""
    for seed in range(12):
        rng = random.Random(seed)
        state = deal(Rules.preset("official", hand_size=44), seed)
        while not state.is_over and not state.reshuffles:
            before, state = state, state.after(choose_at_random(rng, state.legal_actions, False))
        if state.reshuffles and not state.is_over:
            yield before, state


@pytest.mark.parametrize("kind", FACTUAL)
def test_rule_5_1_at_a_reshuffle_all_that_nobody_has_seen_lies_in_hands(kind: str) -> None:
    """Two players: the cards that the observer had not seen then are certain to be in the other hand."""
    seen = 0
    for before, state in rounds_with_reshuffle():
        for observer, other in ((0, 1), (1, 0)):
            belief = Belief(observe(state, observer), BeliefConfig(kind, hypotheses=64))
            hand, kept = Counter(state.hand(other)), Counter(before.hand(other))
            if state.hand(other) == before.hand(other):
                assert_certain(belief, other, " ".join(map(str, hand.elements())))
                seen += 1
            for card, count in (hand & kept).items():
                assert at_least(belief, other, card, count) == pytest.approx(1, abs=1e-9)
            assert belief.log_weight({other: state.hand(other)}) > -math.inf
    assert seen >= 3


# --- seeds and the rest


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", ["official", "house", "study players=3", "mini"])
def test_the_seed_fixes_a_belief(rules: str, kind: str) -> None:
    def facts(belief: Belief) -> object:
        samples = [belief.sample(rng) for rng in map(random.Random, range(5))]
        return belief.marginals(), samples, belief.effective_sample_size, belief.num_hypotheses

    for _, seen in walk(parse_rules(rules).replace(max_plies=60), seed=8, every=15):
        config = BeliefConfig(kind, hypotheses=64)
        assert facts(Belief(seen, config, seed=5)) == facts(Belief(seen, config, seed=5))
        assert Belief(seen, config).marginals() == Belief(seen, config, seed=0).marginals()


def test_other_seeds_give_other_hypotheses() -> None:
    *_, (_, seen) = walk(Rules.preset("official", max_plies=40), seed=8, every=5)
    drawn = {str(Belief(seen, seed=seed).sample(random.Random(1)).hands) for seed in range(20)}
    assert len(drawn) > 15
    exact = observe(deal(Rules.preset("mini"), seed=3), 0)
    assert Belief(exact, seed=1).marginals() == Belief(exact, seed=2).marginals()


def test_hypotheses_are_as_many_as_asked_for_or_all_there_are() -> None:
    for kind in KINDS:
        belief = Belief(THREE, BeliefConfig(kind, hypotheses=77))
        assert belief.num_hypotheses == 77
        assert 1 <= belief.effective_sample_size <= 77
    state = play(dealt(["g1", "r2"], "r5", "b3 b4", rules="official must_play=on drawn_card=end_turn"), "draw")
    small = Belief(observe(state, 1))  # g1, b3 or b4 lies in the draw pile, and nothing tells which
    assert small.is_exact
    assert small.num_hypotheses == 3
    assert small.effective_sample_size == pytest.approx(3)


def test_models_are_what_is_expected_before_anybody_has_acted() -> None:
    for seat in (1, 2):
        models = Belief(THREE).opponent_models(seat)
        assert tuple(models) == MODELS
        assert models == pytest.approx({"heuristic": 0.6, "random": 0.2, "draws": 0.2})


@pytest.mark.parametrize("rules", ["official", "house", "mini"])
def test_models_are_probabilities(rules: str) -> None:
    for _, seen in walk(parse_rules(rules).replace(max_plies=60), seed=8, every=10):
        belief = Belief(seen, BeliefConfig(hypotheses=32))
        for seat in belief.opponents:
            chances = belief.opponent_models(seat).values()
            assert sum(chances) == pytest.approx(1)
            assert min(chances) >= 0


def test_a_seat_that_declines_to_play_seems_to_like_drawing() -> None:
    """Seat 1 only draws in ten rounds of sixteen actions; 0.2 is expected of every seat."""
    chances = []
    for seed in range(10):
        state = deal(parse_rules("official drawn_card=end_turn"), seed)
        for _ in range(16):
            legal = state.legal_actions
            fitting = [action for action in legal if (action is DRAW) == (state.seat == 1)]
            state = state.after((fitting or legal)[0])
        chances.append(Belief(observe(state, 0)).opponent_models(1)["draws"])
    assert sum(chances) / len(chances) > 0.3


def test_samples_come_as_often_as_they_are_believed_to() -> None:
    """Being off by 0.06 in 2,000 samples would be six standard deviations."""
    belief = Belief(observe(dealt(["r1 g3", "r2 g1"], "g2", "b3 b3"), 0))
    rng = random.Random(1)
    shares = Counter(belief.sample(rng).hands[1] for _ in range(2_000))
    weights = {hand: math.exp(belief.log_weight({1: hand})) for hand in shares}
    total = sum(weights.values())
    assert len(shares) == 4
    for hand, count in shares.items():
        assert count / 2_000 == pytest.approx(weights[hand] / total, abs=0.06)
