"""`frequency`: its maps, its order of play, and an answer to everything that any rules ask."""

from collections import Counter
from itertools import islice

import pytest

from lastcard.agents import Agent
from lastcard.agents.frequency import FrequencyAgent, FrequencyConfig, count_colors, count_numbers
from lastcard.cards import CARDS, Card, Color
from lastcard.events import Event, EventKind
from lastcard.observation import Observation, observe
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.state import State, parse_state
from lastcard.table import Table
from tests.unit.helpers import VARIED_RULES, asked, play, random_states, table

NUMBERS = "0123456789"
PILE = "y1 y2 y3 y4 y6 y8"


def answer(state: State, seed: int = 0, config: FrequencyConfig | None = None) -> str:
    """Returns the answer of `frequency` for the seat to act."""
    assert state.seat is not None
    return str(FrequencyAgent(config or FrequencyConfig(), seed).choose(observe(state, state.seat)))


# The maps


def maps(observation: Observation) -> tuple[dict[str, int], dict[str, int]]:
    """Both maps in letters and figures."""
    colors = {color.word: count for color, count in count_colors(observation).items()}
    return colors, {rank.value: count for rank, count in count_numbers(observation).items()}


def test_the_maps_start_with_the_hand_and_the_top_card() -> None:
    """The published example."""
    shown = observe(parse_state("top y9 | seat 0: r0 r3 r8 rS b4 b8 b+2 | seat 1: g1 g2 g3 g4 g5 g6 g7"), 0)
    assert maps(shown) == (
        {"red": 4, "blue": 3, "green": 0, "yellow": 1},
        {"0": 1, "1": 0, "2": 0, "3": 1, "4": 1, "5": 0, "6": 0, "7": 0, "8": 2, "9": 1},
    )


def test_the_maps_run_from_most_to_least() -> None:
    shown = observe(parse_state("discards w w+4 g7 y9 | seat 0: b8 b4 b+2 y4 | seat 1: r1"), 0)
    assert list(maps(shown)[0].items()) == [("blue", 3), ("yellow", 2), ("green", 1), ("red", 0)]
    assert list(maps(shown)[1].items())[:4] == [("4", 2), ("7", 1), ("8", 1), ("9", 1)]


class Follower:
    """Keeps the cards that one seat has seen, event by event, as the published agent does."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.hand: Counter[Card] = Counter()
        self.seen: Counter[Card] = Counter()
        self.top: tuple[Card, ...] = ()

    def follow(self, event: Event) -> None:
        if event.kind is EventKind.RESHUFFLED:
            self.seen = self.hand + Counter(self.top)
        elif event.kind in (EventKind.PLAYED, EventKind.JUMPED_IN, EventKind.TURNED_UP):
            card = event.card if event.action is None else event.action.card
            assert card is not None
            self.top = (card,)
            if event.seat == self.seat:
                self.hand.subtract(self.top)
            else:
                self.seen.update(self.top)
        elif event.kind in (EventKind.DEALT, EventKind.DREW) and event.seat == self.seat:
            self.hand.update(event.cards or ())
            self.seen.update(event.cards or ())
        elif event.kind in (EventKind.SWAPPED, EventKind.HANDS_PASSED) and event.cards is not None:
            self.seen.subtract(self.hand)
            self.hand = Counter(event.cards)
            self.seen.update(self.hand)

    def maps(self) -> tuple[dict[str, int], dict[str, int]]:
        return (
            {color.word: sum(self.seen[card] for card in CARDS if card.color is color) for color in Color},
            {number: sum(self.seen[card] for card in CARDS if card.rank.value == number) for number in NUMBERS},
        )


def test_the_maps_follow_every_event() -> None:
    """Counting the hand and the discard pile comes to the same as following plays, draws, swaps and reshuffles."""
    kinds: set[EventKind] = set()
    for rules in map(parse_rules, VARIED_RULES):
        for seed in range(4):
            seat = seed % rules.players
            follower = Follower(seat)
            read = 0
            for state in islice(random_states(rules, seed), None, None, 7):
                shown = observe(state, seat)
                for event in shown.history[read:]:
                    follower.follow(event)
                    kinds.add(event.kind)
                read = len(shown.history)
                assert follower.maps() == maps(shown), (str(rules), seed, state.ply)
    assert kinds >= {EventKind.RESHUFFLED, EventKind.JUMPED_IN, EventKind.SWAPPED, EventKind.HANDS_PASSED}


def test_a_reshuffle_starts_the_maps_anew() -> None:
    state = table("discards g2 g3 g4 r5 | seat 0: b1 b2 | seat 1: r1 y7", draws="y9")
    assert maps(observe(state, 1))[0] == {"green": 3, "red": 2, "yellow": 1, "blue": 0}
    state = play(state, "draw keep draw keep")
    assert state.reshuffles == 1
    assert maps(observe(state, 1))[0] == {"red": 2, "yellow": 1, "green": 1, "blue": 0}


# The order of play


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # A Wild Draw Four comes first, but only before a seat with fewer than four cards.
        ("top r5 | seat 0: w w+4 g7 gS b5 | seat 1: g1 g2 g3", "w+4:g"),
        ("top r5 | seat 0: w w+4 g7 gS b5 | seat 1: g1 g2 g3 g4", "w:g"),
        ("top r5 | seat 0: w+4 g7 b1 | seat 1: g1 g2 g3 g4", "draw"),
        # The next seat is the one that the direction says.
        ("rules official players=3 | top r5 | seat 0: w+4 g7 g8 | seat 1: g1 g2 g3 g4 | seat 2: y1", "draw"),
        ("rules official players=3 | top r5 | seat 0: w+4 g7 g8 | seat 1: y1 | seat 2: g1 g2 g3 g4", "w+4:g"),
        (
            "rules official players=3 | top r5 | direction -1 | seat 0: w+4 g7 g8 | seat 1: g1 g2 g3 g4 | seat 2: y1",
            "w+4:g",
        ),
        # Then a Wild, even where other cards fit; it names the color in hand of which most was seen.
        ("top r5 | seat 0: w rS r7 | seat 1: g1 g2 g3 g4", "w:r"),
        ("discards b1 b2 b3 r5 | seat 0: w g1 g2 b8 | seat 1: y1", "w:b"),
        ("discards b1 b2 b3 r5 | seat 0: w g1 g2 y8 | seat 1: y1", "w:g"),
        # Then an action card of the same color or type; of several, one whose color was seen most.
        ("top r5 | seat 0: r7 rS b5 | seat 1: g1", "rS"),
        ("top r5 | seat 0: r7 rR b5 | seat 1: g1", "rR"),
        ("top r5 | seat 0: r7 r+2 b5 | seat 1: g1", "r+2"),
        ("top yS | seat 0: y7 gS b5 | seat 1: g1", "gS"),
        ("top rS | seat 0: gS bS b1 b2 | seat 1: g1", "bS"),
        # Then a number: the same color if 9 of 25 were seen, the same number if only 2 of 25 were, against 2 of 8.
        ("discards r1 r2 r3 r4 r6 r8 r9 r5 | seat 0: r7 b5 | seat 1: g1", "r7"),
        ("top r5 | seat 0: r7 b5 | seat 1: g1", "b5"),
        # Of zeros there are only four: 2 of 4 are more than 9 of 25.
        ("discards r1 r2 r3 r4 r6 r8 r9 r0 | seat 0: r7 b0 | seat 1: g1", "b0"),
        # Of several in the same color, the number of which most was seen; of the same number, the color.
        ("top r5 | seat 0: r1 r9 g9 | seat 1: g1", "r9"),
        ("discards g1 y1 r5 | seat 0: r1 r9 g9 | seat 1: y8", "r1"),
        ("top r5 | seat 0: g5 b5 b2 | seat 1: g1", "b5"),
        # On a Wild only the color counts.
        ("top w | color g | seat 0: g7 b5 | seat 1: g1", "g7"),
        # Else draw.
        ("top r5 | seat 0: g7 b1 | seat 1: g1", "draw"),
    ],
)
def test_the_order_of_play(position: str, expected: str) -> None:
    state = parse_state(position)
    assert answer(state) == answer(state, config=FrequencyConfig.as_published()) == expected


def test_a_tie_of_shares_goes_to_the_color() -> None:
    """Shares are of the deck that is played: here both reds and both 5s have been seen."""
    assert answer(table("top r5 | seat 0: r7 b5 | seat 1: g1 g2")) == "r7"
    assert answer(table("top r5 | seat 0: r7 b5 | seat 1: r1 g2")) == "b5"


def test_a_last_wild_draw_four_is_played_in_any_case_but_not_as_published() -> None:
    state = parse_state("top r5 | seat 0: w+4 | seat 1: g1 g2 g3 g4")
    assert answer(state)[:-1] == "w+4:"
    assert answer(state, config=FrequencyConfig.as_published()) == "draw"
    assert FrequencyConfig.as_published().four_below == FrequencyConfig().four_below == 4


def test_the_limit_for_a_wild_draw_four_is_an_option() -> None:
    state = parse_state("top r5 | seat 0: w+4 g7 b1 | seat 1: g1 g2 g3 g4")
    assert answer(state, config=FrequencyConfig(four_below=5)) == "w+4:g"
    assert answer(state, config=FrequencyConfig(four_below=4)) == "draw"


def test_without_a_color_in_hand_any_is_named() -> None:
    wilds = parse_state("top r5 | seat 0: w w | seat 1: g1")
    assert {answer(wilds, seed) for seed in range(50)} == {"w:r", "w:y", "w:g", "w:b"}
    turned_up = parse_state("top w | phase name_color | seat 0: w w+4 | seat 1: g1")
    assert {answer(turned_up, seed) for seed in range(50)} == {"color:r", "color:y", "color:g", "color:b"}


# What the rules ask besides


def test_a_turned_up_wild_gets_the_color_seen_most() -> None:
    assert answer(parse_state("top w | phase name_color | seat 0: g7 b5 b2 | seat 1: g1")) == "color:b"


def test_a_drawn_card_is_played_like_one_from_the_hand() -> None:
    def drawn(card: str, others: str = "g1 g2 g3 g4") -> State:
        return play(table(f"top r5 | seat 0: b1 b2 | seat 1: {others}", draws=f"{card} {PILE}"), "draw")

    assert answer(drawn("r7")) == "r7"
    assert answer(drawn("w")) == "w:b"
    assert answer(drawn("g7")) == "keep"
    assert answer(drawn("w+4")) == "keep"
    assert answer(drawn("w+4", others="g1 g2 g3")) == "w+4:b"


def test_a_wild_draw_four_is_played_early_if_it_must_be() -> None:
    assert answer(parse_state("rules study | top r5 | seat 0: w+4 g7 b1 b2 | seat 1: g1 g2 g3 g4")) == "w+4:b"


def test_uno_is_always_declared() -> None:
    state = parse_state("rules tournament players=2 | top r5 | seat 0: r7 b2 | seat 1: g1 g2")
    assert answer(state) == "uno"
    assert answer(play(state, "uno")) == "r7"


def test_a_forgotten_uno_is_always_called_late_or_caught() -> None:
    state = play(parse_state("rules tournament players=2 | top r5 | seat 0: r7 b2 | seat 1: g1 g2"), "r7")
    assert (asked(state), answer(state)) == ((0, "catch"), "uno")
    state = play(state, "pass")
    assert asked(state) == (1, "catch")
    assert answer(state) == "catch"


@pytest.mark.parametrize("card", ["r7", "rS", "r+2"])
def test_it_always_jumps_in(card: str) -> None:
    rules = "official players=3 jump_in=on"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: {card} g1 | seat 1: b1 | seat 2: {card} b2 b3"), card)
    assert asked(state) == (2, "jump_in")
    assert answer(state) == card


@pytest.mark.parametrize(
    ("held", "expected"),
    [("g+2 g1 g2", "g+2"), ("w+4 g1 g2", "w+4:g"), ("w+4 g+2 g1", "g+2"), ("w g1 r1", "accept")],
)
def test_it_stacks_whenever_it_can(held: str, expected: str) -> None:
    """Even a Wild Draw Four before a seat with many cards."""
    rules = "official stacking=any_up wild_draw_four=free"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: r+2 b1 b2 b3 b4 | seat 1: {held}"), "r+2")
    assert asked(state) == (1, "answer")
    assert answer(state) == expected


def test_it_challenges_a_seat_that_should_have_held_the_color() -> None:
    def after_four(held: str, discards: str = "r5") -> State:
        rules = "tournament players=2"
        position = f"rules {rules} | discards {discards} | seat 0: w+4 {held} | seat 1: g1 g2 g3 g4 g5 g6 g7"
        return play(parse_state(position), "w+4:b")

    # Before the first play, 24 of the 99 unseen cards are red.
    assert answer(after_four("b1 b2 b3 b4 b5")) == "challenge"
    assert answer(after_four("b1 b2 b3 b4")) == "accept"
    assert answer(after_four("b1 b2 b3 b4 b5", "r1 r1 r2 r2 r3 r3 r4 r4 r6 r6 r7 r7 r5")) == "accept"
    assert answer(after_four("b1 b2 b3 b4"), config=FrequencyConfig(challenge_from=0.5)) == "challenge"


def test_a_last_card_is_not_challenged() -> None:
    state = play(parse_state("rules tournament players=2 | top r5 | seat 0: w+4 | seat 1: g1 g2"), "w+4:b")
    assert asked(state) == (1, "answer")
    assert answer(state) == "accept"


def test_it_swaps_for_the_smallest_hand() -> None:
    position = "top r5 | seat 0: r7 b1 b2 | seat 1: g1 g2 g3 | seat 2: y1 y2 | seat 3: y3 y4 y5"
    state = play(parse_state(f"rules official players=4 seven_zero=on | {position}"), "r7")
    assert answer(state) == "swap:2"


# Over whole rounds


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_answer_is_legal_over_200_rounds(preset: str, players: int) -> None:
    """The table refuses what is not; `frequency` moves around the table."""
    for seed in range(200):
        agents: list[str | Agent] = ["random"] * players
        agents[seed % players] = FrequencyAgent(FrequencyConfig(), seed)
        assert (
            Table(Rules.preset(preset, players=players), agents, seed=seed).play_round().rounds[0].outcome is not None
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_gives_the_same_round(preset: str) -> None:
    def actions(seed: int) -> list[str]:
        agents = [FrequencyAgent(FrequencyConfig(), seed + seat) for seat in range(2)]
        table = Table(Rules.preset(preset, players=2), agents, seed=5)
        return [str(action) for action in table.play_round().rounds[0].actions]

    assert actions(1) == actions(1)


def test_frequency_beats_random() -> None:
    """600 rounds: an agent no better than `random` would win 360 of them less than once in 10**6 times."""
    wins = 0
    for seed in range(300):
        for seat in range(2):
            agents: list[str | Agent] = ["random", "random"]
            agents[seat] = FrequencyAgent(FrequencyConfig(), seed)
            outcome = Table(Rules.preset("official"), agents, seed=seed).play_round().rounds[0].outcome
            wins += outcome is not None and outcome.winner == seat
    assert wins >= 360
