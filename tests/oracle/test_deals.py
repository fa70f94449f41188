"""The oracle for hidden cards against the truth, and against dealing every order of a tiny deck."""

from __future__ import annotations

import doctest
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

import pytest

from lastcard import (
    Action,
    Card,
    Event,
    EventKind,
    Phase,
    Rules,
    State,
    deal,
    observe,
    parse_action,
    parse_rules,
    parse_state,
)
from tests.oracle import deals
from tests.oracle.deals import Deals, Hand, enumerate_deals
from tests.unit.helpers import dealt, play


def others_hands(state: State, observer: int) -> tuple[Hand, ...]:
    return tuple(state.hand(seat) for seat in range(state.rules.players) if seat != observer)


def random_round(rules: Rules, seed: int) -> Iterator[State]:
    """Every state of a round of random actions."""
    rng = random.Random(seed)
    state = deal(rules, seed)
    yield state
    while not state.is_over:
        state = state.after(rng.choice(state.legal_actions))
        yield state


def sees_the_present(state: State, observer: int) -> bool:
    """Returns True if the observer's view is not that of a moment ago (Rule 10.7)."""
    return state.phase not in (Phase.CATCH, Phase.JUMP_IN) or state.seat == observer


def test_the_example_holds() -> None:
    results = doctest.testmod(deals)
    assert results.attempted > 0
    assert results.failed == 0


# ---- The truth ----


@pytest.mark.parametrize(("players", "first_seed"), [(2, 0), (2, 100), (3, 0), (3, 50)])
def test_the_truth_is_always_possible(players: int, first_seed: int) -> None:
    """The truth has weight at every ply, for every seat."""
    for seed in range(first_seed, first_seed + (100 if players == 2 else 50)):
        for state in random_round(Rules.preset("mini", players=players), seed):
            for observer in range(players):
                chances = enumerate_deals(observe(state, observer))
                assert chances[others_hands(state, observer)] > 0
                assert sum(chances.values()) == 1


# ---- Every order of a tiny deck ----


@dataclass(frozen=True)
class World:
    """A round from one order of the deck and of its reshuffles, with its share of all shuffles."""

    state: State
    deck: tuple[Card, ...]
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    actions: tuple[Action, ...] = ()
    share: Fraction = Fraction(1)

    def after(self, action: Action) -> World:
        return replace(self, state=self.state.after(action), actions=(*self.actions, action))

    def each_order_of_the_next_reshuffle(self) -> Iterator[World]:
        orders = all_orders(self.state.reshuffle_orders[len(self.reshuffles)])
        for order in orders:
            reshuffles = (*self.reshuffles, order)
            state = deal(self.state.rules, deck=self.deck, reshuffles=reshuffles)
            for action in self.actions:
                state = state.after(action)
            yield World(state, self.deck, reshuffles, self.actions, self.share / len(orders))


def all_orders(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    return sorted(set(permutations(cards)))


def every_deal(rules: Rules) -> list[World]:
    return [World(deal(rules, deck=deck), deck) for deck in all_orders(tuple(rules.deck.cards()))]


def matching(world: World, observer: int, history: tuple[Event, ...]) -> Iterator[World]:
    """The worlds to which legal actions lead from this one and in which the observer has seen just that."""
    seen = observe(world.state, observer).history
    is_settled = world.state.reshuffles == len(world.reshuffles)
    if not is_settled:
        told = [place for place, event in enumerate(seen) if event.kind is EventKind.RESHUFFLED]
        for unsettled in told[len(world.reshuffles) :][:1]:
            seen = seen[: unsettled + 1]
    if seen != history[: len(seen)]:
        return
    if not is_settled:
        for settled in world.each_order_of_the_next_reshuffle():
            yield from matching(settled, observer, history)
    elif len(seen) == len(history):
        yield world
    else:
        for action in world.state.legal_actions:
            yield from matching(world.after(action), observer, history)


def merged(worlds: Iterable[World]) -> list[World]:
    """One world for all that an observer who has seen the same in them will never tell apart."""
    kept: dict[object, World] = {}
    for world in worlds:
        state = world.state
        hands = [state.hand(seat) for seat in range(state.rules.players)]
        at_play = state.to_dict()["shown_hand"] if state.phase is Phase.ANSWER else None
        key = (*hands, state.draw_pile, state.drawn_card, at_play)
        kept[key] = replace(world, share=world.share + (kept[key].share if key in kept else 0))
    return list(kept.values())


def frequencies(worlds: Sequence[World], observer: int) -> dict[tuple[Hand, ...], Fraction]:
    total = sum(world.share for world in worlds)
    shares: dict[tuple[Hand, ...], Fraction] = {}
    for world in worlds:
        hands = others_hands(world.state, observer)
        shares[hands] = shares.get(hands, Fraction(0)) + world.share / total
    return shares


def compare(states: Iterable[State]) -> None:
    """Lets every seat compare, ply by ply, the oracle's chances with how often each deal fits."""
    worlds: dict[int, list[World]] = {}
    for state in states:
        for observer in range(state.rules.players):
            if not sees_the_present(state, observer):
                continue
            observation = observe(state, observer)
            before = worlds.get(observer) or every_deal(state.rules)
            fitting = (found for world in before for found in matching(world, observer, observation.history))
            worlds[observer] = merged(fitting)
            assert enumerate_deals(observation) == frequencies(worlds[observer], observer), (
                f"rules {state.rules}, seat {observer} after {[str(event) for event in observation.history]}"
            )


def scripted_round(name: str) -> Iterator[State]:
    """Every state of a round in which everybody follows the script."""
    rules, hands, turned_up, draws, actions = SCRIPTS[name]
    state = dealt(hands.split(", "), turned_up, draws, rules=rules)
    yield state
    for action in actions.split():
        state = state.after(parse_action(action))
        yield state


# Rules, hands, the card turned up, the draw pile from the top, and what everybody does.
SCRIPTS = {
    "2.2 a turned-up Wild Draw Four": ("mini must_play=off", "r1, y2", "w+4", "r3 g4 b5", "draw draw"),
    "2.2 a turned-up Draw Two": ("mini", "r1, y2", "r+2", "r3 g4 g3", ""),
    "2.2 a turned-up Wild": ("mini", "r1, y2", "w", "r3 g4 g3", "color:g draw"),
    "3.3 only the drawn card may be played": (
        "mini must_play=off drawn_card=may_play",
        "r1 y1, y1 g2",
        "r5",
        "r6 g2",
        "draw r6",
    ),
    "4.3 a penalty goes on after a reshuffle": ("mini", "r+2 r1, g1 r2", "r5", "y2", "r+2 r1"),
    "5.2 nothing to draw": ("mini must_play=off", "y1 y1, y3 y3, r6 b7", "r5", "", "draw draw"),
    "6.1 strict": ("mini", "w+4 y1, w w, w r1", "r1", "w", "w+4:b"),
    "6.2 last_resort": ("mini wild_draw_four=last_resort", "w+4 y2, w w, w r1", "r1", "w", "w+4:b"),
    "6.3 guilty": ("mini wild_draw_four=bluff", "w+4 r1, g1 g1", "r3", "y2 r1", "w+4:y challenge draw"),
    "6.3 innocent": ("mini wild_draw_four=bluff", "w+4 y1, g1 g1", "r3", "y1 r4", "w+4:y challenge"),
    "6.3 a third seat hears the verdict": (
        "mini wild_draw_four=bluff",
        "w+4 r1, w w, w r4",
        "r1",
        "w",
        "w+4:g challenge",
    ),
    "6.4 caught before the challenge": (
        "mini wild_draw_four=bluff uno_penalty=1",
        "w+4 y1, g1 g1",
        "r3",
        "r4 y1",
        "w+4:y pass catch challenge",
    ),
    "6.5 a bluff need not be played": (
        "mini must_play=off drawn_card=must_play wild_draw_four=bluff",
        "r1, y2",
        "r5",
        "w+4 g3 r2",
        "draw keep",
    ),
    "7.1 uno in a turn": ("mini must_play=off uno_penalty=1", "r1 g1, y2 y2", "r5", "r1 b4", "uno draw"),
    "7.1 uno with a drawn card": (
        "mini must_play=off drawn_card=may_play uno_penalty=1",
        "g1, y2",
        "r5",
        "r6 b3 r2",
        "draw uno keep",
    ),
    "7.1 uno in an answer": (
        "mini stacking=same uno_penalty=1",
        "r+2 y1, y+2 g1",
        "r3",
        "y2 r4",
        "r+2 pass pass uno accept",
    ),
    "7.3 called late, then the effect": ("mini uno_penalty=1", "r+2 y1, y1 g1", "r3", "r4 r4", "r+2 uno"),
    "7.3 caught, then the effect": ("mini uno_penalty=1", "r+2 y1, y1 g1", "r3", "r4 r4", "r+2 pass catch"),
    "8.2 a last Draw Two": ("mini", "r+2, y1", "r5", "y2 g3 r4", "r+2"),
    "10.1 strict": ("mini stacking=any_up", "r+2 y1, w+4 g1", "r3", "y1 r3", "r+2 w+4:g accept"),
    "10.1 last_resort": (
        "mini stacking=any_up wild_draw_four=last_resort",
        "r+2 y1, w+4 y1",
        "r3",
        "r3 y+2",
        "r+2 w+4:g accept",
    ),
    "10.2 one playable card": (
        "mini draw_until_playable=on drawn_card=may_play",
        "b1, g2",
        "r5",
        "y3 r6 r6 g2",
        "draw keep",
    ),
    "10.2 through a reshuffle": (
        "mini draw_until_playable=on drawn_card=may_play",
        "r1 g1, b2 b3",
        "r5",
        "g2",
        "r1 draw keep",
    ),
    "10.2 until nothing is left": (
        "mini draw_until_playable=on drawn_card=may_play",
        "b1, g2, r6",
        "r5",
        "y3",
        "draw keep draw",
    ),
    "10.3 must_play": ("mini", "y1 y1, g2 r2", "r5", "r2 r4", "draw r2"),
    "10.4 a playable card would be played": ("mini drawn_card=must_play", "g1, y2", "r5", "b3 r6 r2", "draw keep"),
    "10.5 others swap": ("mini seven_zero=on", "r7 y1, y1 y2, y2 r3", "r5", "", "r7 swap:2 draw"),
    "10.5 hands pass after a turned-up Reverse": ("mini seven_zero=on", "y1 r3, y1 y2, r0 y2", "rR", "", "r0"),
    "10.5 hands pass after a Reverse": ("mini seven_zero=on", "rR r3, y1 y2, r0 y2", "r5", "", "rR r0"),
    "10.6 jump-in": ("mini jump_in=on", "r1 y1, r1 g2, g2 y1", "r5", "", "r1 r1"),
    "10.6 jump-in with a call": ("mini jump_in=on uno_penalty=1", "r1 y1, y2 g2, r1 y1", "r5", "", "uno r1 uno r1"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_chances_are_how_often_each_deal_fits(name: str) -> None:
    compare(scripted_round(name))


# Rules for random rounds with tiny decks.
TINY = {
    "mini": "mini deck=r0,r1,r1,y1,y2,y0",
    "3 players": "mini players=3 deck=r0,r1,r1,y1,y2,y0,y0 hand_size=1",
    "action cards": "mini players=3 deck=rS,yS,rR,r+2,y1,w,w hand_size=1",
    "Wild Draw Four": "mini deck=r1,r1,y1,w,w+4,w+4,y2",
    "must_play": "mini must_play=off deck=r0,r1,y1,y2,g3,b4",
    "drawn_card": "mini must_play=off drawn_card=may_play deck=r0,r1,y1,y2,g3,w",
    "drawn_card and draw_until_playable": "mini drawn_card=must_play draw_until_playable=on deck=r0,r1,r1,y1,y2,g3",
    "wild_draw_four": "mini wild_draw_four=bluff must_play=off deck=r1,r1,y1,w,w+4,w+4,y2",
    "wild_draw_four and uno_penalty": "mini wild_draw_four=bluff uno_penalty=1 deck=r1,r1,y1,y1,w+4,w+4,y2",
    "stacking": "mini stacking=any_up deck=r+2,r+2,y+2,r1,w+4,w+4,y2",
    "stacking and wild_draw_four": "mini stacking=same wild_draw_four=bluff deck=r+2,r+2,y+2,r1,w+4,w+4,y2",
    "seven_zero": "mini players=3 seven_zero=on deck=r7,r7,r0,rR,rR,y0,y1",
    "uno_penalty": "mini uno_penalty=2 deck=r1,r1,r+2,r+2,y2,y2",
    "jump_in": "mini players=3 jump_in=on deck=r1,r1,r2,r2,y1,y1,y2",
    "jump_in and uno_penalty": "mini players=3 jump_in=on uno_penalty=1 deck=r1,r1,r+2,r+2,y1,y1,y2",
}
SEEDS = range(2)


@pytest.mark.parametrize("name", TINY)
def test_chances_are_how_often_each_deal_fits_in_random_rounds(name: str) -> None:
    for seed in SEEDS:
        compare(random_round(parse_rules(TINY[name]), seed))


def test_between_them_the_rounds_show_every_kind_of_event() -> None:
    """Each name of an event is checked against all orders of a deck somewhere."""
    shown = {event.kind for name in SCRIPTS for state in scripted_round(name) for event in state.history}
    for rules in TINY.values():
        for seed in SEEDS:
            shown |= {event.kind for state in random_round(parse_rules(rules), seed) for event in state.history}
    assert shown == set(EventKind)


# ---- Mistakes ----

# What the oracle could forget: attribute, its replacement, and the script that finds out.
MISTAKES: dict[str, tuple[str, object, str]] = {
    "a draw card makes nobody draw": ("_is_answering", lambda *_: False, "4.3 a penalty goes on after a reshuffle"),
    "a Wild Draw Four is always legal": ("_wild_draw_four_allowed", lambda *_: True, "6.1 strict"),
    "no obligation is ever lifted": ("_has_active_color", lambda *_: False, "6.5 a bluff need not be played"),
    "anybody may call UNO": ("_tell_called_uno", lambda *_: None, "7.1 uno in a turn"),
    "any cards are drawn": ("_tell_drawn_until_playable", lambda *_, **__: None, "10.2 one playable card"),
    "any card may be kept": (
        "_tell_kept",
        lambda self, _: self._forget_drawn(),
        "10.4 a playable card would be played",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, replacement, script = MISTAKES[mistake]
    monkeypatch.setattr(Deals, attribute, replacement)
    with pytest.raises((AssertionError, ValueError)):
        compare(scripted_round(script))


# ---- What it refuses ----


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "MAX_WORLDS", 1_000)
    with pytest.raises(ValueError, match="more than 1,000 ways"):
        enumerate_deals(observe(deal(Rules.preset("official")), seat=0))


def test_a_position_without_its_deal_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="begins with the deal"):
        enumerate_deals(observe(parse_state("top r5 | seat 0: r7 | seat 1: g1"), seat=0))


def test_a_call_that_ends_the_round_is_refused_where_it_may_be_in_a_window() -> None:
    rules = "mini jump_in=on uno_penalty=1 max_plies=3"
    state = play(dealt(["r1 y1", "y2 g2", "r1 y1"], "r5", rules=rules), "uno r1 uno")
    assert state.is_over
    with pytest.raises(NotImplementedError, match="'2 calls uno' may or may not"):
        enumerate_deals(observe(state, seat=0))
    assert enumerate_deals(observe(state, seat=2))
