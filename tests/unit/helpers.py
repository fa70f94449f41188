"""Tables set up in notation, and short ways to ask about them."""

import random
import re
from collections.abc import Iterator, Sequence

from lastcard.actions import parse_action
from lastcard.cards import Card, Deck, format_cards, parse_cards
from lastcard.observation import observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal, parse_state

PATIENCE_SECONDS = 120.0
"""Ends what hangs; a slow machine with much to do needs a small part of it."""
WILDS = ["w:r", "w:y", "w:g", "w:b"]
FOURS = ["w+4:r", "w+4:y", "w+4:g", "w+4:b"]


def table(text: str, *, draws: str = "", rules: str = "official") -> State:
    """A position whose deck is just the cards named; `draws` are drawn from left to right."""
    hands = re.findall(r"seat \d:([^|<]*)", text)
    discards = re.findall(r"(?:top|discards) ([^|<]*)", text)
    cards = ",".join(" ".join([*hands, *discards, draws]).split())
    pile = " ".join(draws.split()[::-1])
    return parse_state(
        f"rules {rules} players={len(hands)} hand_size=1 deck={cards} | {text} | draw pile {pile}",
    )


def dealt(
    hands: Sequence[str],
    turned_up: str,
    draws: str = "",
    *,
    rules: str = "official",
    dealer: int | None = None,
    reshuffles: Sequence[str] = (),
    seed: int = 0,
) -> State:
    """A fresh deal whose deck is just the cards named: the hands in the order they are dealt, then the draw pile."""
    by_seat = [hand.split() for hand in hands]
    players = len(hands)
    first = 0 if dealer is None else (dealer + 1) % players
    order = [by_seat[(first + k) % players][i] for i in range(len(by_seat[0])) for k in range(players)]
    cards = parse_cards(" ".join([*order, turned_up, draws]))
    made = parse_rules(rules).replace(players=players, hand_size=len(by_seat[0]), deck=Deck.of(cards))
    orders = [parse_cards(text)[::-1] for text in reshuffles]
    return deal(made, seed, deck=cards[::-1], dealer=dealer, reshuffles=orders)


def play(state: State, actions: str) -> State:
    """The state after actions separated by spaces."""
    for word in actions.split():
        state = state.after(parse_action(word))
    return state


def legal(state: State) -> list[str]:
    """The legal actions in notation."""
    return [str(action) for action in state.legal_actions]


def hands(state: State) -> list[str]:
    """Every hand in notation, by seat."""
    return [format_cards(state.hand(seat)) for seat in range(state.rules.players)]


def seen(state: State, seat: int, count: int | None = None) -> list[str]:
    """Returns a seat's history: the last `count` events, or all of them."""
    events = [str(event) for event in observe(state, seat).history]
    return events if count is None else events[len(events) - count :]


def asked(state: State) -> tuple[int | None, str]:
    """Returns the seat to act and its phase."""
    return state.seat, state.phase.value


def all_cards(state: State) -> list[Card]:
    """Every card, wherever it lies, sorted."""
    held = [card for seat in range(state.rules.players) for card in state.hand(seat)]
    return sorted([*held, *state.draw_pile, *state.discard_pile])


def random_states(rules: Rules, seed: int, plies: int = 300) -> Iterator[State]:
    """A round of random actions, ply by ply, from the deal on."""
    rng = random.Random(seed)
    state = deal(rules, seed)
    yield state
    for _ in range(plies):
        if state.is_over:
            return
        state = state.after(rng.choice(state.legal_actions))
        yield state


# Rules that between them use every switch.
VARIED_RULES = (
    "official",
    "official players=4 drawn_card=must_play scoring=lowest max_plies=150",
    "tournament players=2 stacking=any_up",
    "tournament",
    "tournament players=3 uno_penalty=1 stacking=same jump_in=on must_play=on",
    "house",
    "house players=2 wild_draw_four=bluff hand_size=3",
    "house players=10 wild_draw_four=free drawn_card=must_play",
    "house players=3 wild_draw_four=last_resort",
    "study",
    "numbers players=3 seven_zero=on jump_in=on",
    "mini",
    "mini players=3 drawn_card=may_play must_play=off",
)
