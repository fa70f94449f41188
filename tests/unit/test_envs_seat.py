"""A seat that is told of a round by another program: held against the truth of our own rounds."""

from __future__ import annotations

import random

import pytest

from lastcard.actions import ACTIONS, DRAW, Action
from lastcard.agents import make_agent
from lastcard.cards import parse_cards
from lastcard.envs import Seat
from lastcard.errors import AgentError, IllegalActionError, RulesError, StateError
from lastcard.events import Event, EventKind
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal


class Follower:
    """Tells a seat what is public in a round of ours, and nothing else."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.told = 0

    def follow(self, state: State) -> None:
        history = state.history
        for event in history[self.told :]:
            self.tell(event, state)
        self.told = len(history)

    def tell(self, event: Event, state: State) -> None:
        if event.kind is EventKind.TURNED_UP:
            assert event.card is not None
            self.seat.deal(event.card)
        elif event.kind in (EventKind.PLAYED, EventKind.JUMPED_IN):
            assert event.seat is not None
            assert event.action is not None
            self.seat.played(event.seat, event.action)
        elif event.kind is EventKind.NAMED_COLOR:
            assert event.seat is not None
            assert event.color is not None
            self.seat.played(event.seat, Action.name_color(event.color))
        elif event.kind is EventKind.DREW:
            assert event.seat is not None
            own = dict(event.hands).get(self.seat.seat)
            self.seat.drew(event.seat, event.count or 0, own)
        elif event.kind is EventKind.RESHUFFLED:
            self.seat.reshuffled()


SEEN = ("hand", "hand_sizes", "top_card", "discards", "seat", "phase", "direction", "active_color", "legal_actions")


@pytest.mark.parametrize(
    "rules",
    [
        "official",
        "official players=4",
        "study",
        "official players=3 stacking=same",
        "numbers",
        "official must_play=true",
    ],
)
def test_a_seat_knows_what_it_would_know_at_our_own_table(rules: str) -> None:
    """The heuristic, which also weighs what others seem to lack, decides alike."""
    made, heuristic = parse_rules(rules), make_agent("heuristic")
    choices = 0
    for seed in range(8):
        state = deal(made, seed=seed)
        followers = [Follower(Seat(made, "heuristic", seat)) for seat in range(made.players)]
        for _ in range(250):
            if state.is_over or state.seat is None:
                break
            seen, follower = observe(state, state.seat), followers[state.seat]
            follower.follow(state)
            ours = follower.seat.observe(seen.hand, seen.legal_actions)
            assert {name: ours.facts()[name] for name in SEEN} == {name: seen.facts()[name] for name in SEEN}
            action = heuristic.choose(seen)
            assert follower.seat.choose(seen.hand, seen.legal_actions) == action
            choices += len(seen.legal_actions) > 1
            state.apply_in_place(action)
    assert choices > 30


class Stubborn:
    """Wants to draw, whatever is legal."""

    asked = 0

    def choose(self, observation: Observation) -> Action:
        self.asked += 1
        return DRAW


def test_answers_are_among_what_the_host_allows() -> None:
    agent = Stubborn()
    seat = Seat("official", agent)
    seat.deal("g7")
    assert str(seat.choose("r5 g2 g9", ["g2", "g9"])) in ("g2", "g9")
    assert str(seat.choose("r5 g2 g9", ["r5", "uno"])) == "r5"  # neither is legal by our rules
    assert str(seat.choose("r5 g2 g9", ["g2"])) == "g2"
    assert agent.asked == 2
    with pytest.raises(IllegalActionError, match="legal must name at least one action"):
        seat.choose("r5 g2 g9", [])


def test_cards_that_were_drawn_follow_from_the_hand() -> None:
    seat = Seat("official hand_size=3", "heuristic")
    seat.deal("g7")
    seat.drew(0)
    seat.played(1, "g3")
    told = [event for event in seat.observe("r5 g2 g9 w").history if event.hands]
    assert sum(len(event.cards or ()) for event in told) == 4
    seat.played(0, "w:b")
    seat.drew(1)
    assert seat.observe("r5 g2 g9").hand_sizes == (3, 3)


def test_what_contradicts_the_rest_is_forgotten() -> None:
    seat = Seat("official hand_size=3", "heuristic")
    seat.deal("g7")
    seat.observe("r5 g2 g9")
    seat.played(1, "g3")
    seen = seat.observe("y1 y2 y3 y4")  # the host dealt another hand without saying so
    assert seen.hand == parse_cards("y1 y2 y3 y4")
    assert seen.hand_sizes == (4, 2)
    assert [card.text for card in seen.discards] == ["g7", "g3"]
    assert seat.choose("y1 y2 y3 y4", ["y3", "draw"]).text == "y3"


def test_a_penalty_that_nobody_draws_is_no_penalty() -> None:
    """A Wild Draw Four may cost nothing in other programs; the next draw is then one in turn, on the color named."""
    seat = Seat("official", "heuristic")
    seat.deal("g7")
    seat.played(0, "w+4:r")
    seat.drew(1)
    assert [str(event).partition(" (")[0] for event in seat.observe("r5 " * 2 + "g2 g9 y1 y2").history[-3:]] == [
        "0 plays w+4:r",
        "1 is skipped",
        "1 draws 1",
    ]


def test_a_round_is_taken_up_in_the_middle() -> None:
    seat = Seat("official players=3", "halving:simulations=50", seat=2)
    seat.resume("yR", sizes=[3, 4, 2], discards="r1 r2 y2", direction=-1)
    seen = seat.observe("y5 b5")
    assert (seen.direction, seen.top_card.text, seen.hand_sizes, seen.draw_pile_size) == (-1, "yR", (3, 4, 2), 95)
    assert [card.text for card in seen.discards] == ["r1", "r2", "y2", "yR"]
    assert seat.choose("y5 b5", ["y5", "draw"]).text == "y5"
    seat.resume("w", sizes=[3, 4, 2])  # the color was not told
    assert seat.observe("y5 b5", [Action("y5"), DRAW]).active_color is Action("y5").color


def test_more_copies_than_the_deck_has_are_forgotten() -> None:
    """Other programs may shuffle the top card in and deal it again."""
    seat = Seat("official", "heuristic", seat=0)
    seat.resume("r0", sizes=[2, 5], discards="r5 r5")
    assert seat.choose("r0 r5", ["r0", "r5"]).text in ("r0", "r5")
    seat.resume("w", sizes=[1, 5], color="r", discards="w w w")
    assert seat.choose("w", ["w:r", "w:g"]).text in ("w:r", "w:g")
    seat.resume("r0", sizes=[1, 5])
    with pytest.raises(StateError, match="only cards of which all others lie on the table"):
        seat.observe("r0")


FUZZED_RULES = ("official", "official players=4", "mini", "study", "house players=3", "tournament", "numbers")
FUZZED_AGENTS = ("heuristic", "halving:simulations=12", "frequency", "ismcts:simulations=12", "pomcp:simulations=12")


def tell_nonsense(seat: Seat, rng: random.Random) -> int:
    """Tells and asks what comes to mind; returns how many answers came, each one that was allowed."""
    deck = [card for card, copies in seat.rules.deck.items() for _ in range(copies)]
    plays = [action for action in ACTIONS if action.card in deck]
    answers = 0
    seat.deal(rng.choice(deck))
    for _ in range(40):
        who, kind = rng.randrange(seat.rules.players), rng.random()
        try:
            if kind < 0.4:
                seat.played(who, rng.choice(plays))
            elif kind < 0.6:
                seat.drew(who, rng.choice([1, 1, 2, 4]))
            elif kind < 0.65:
                seat.reshuffled()
            else:
                hand = rng.sample(deck, rng.randint(1, min(9, len(deck))))
                legal = rng.sample(ACTIONS, 4) if kind < 0.75 else [*(a for a in plays if a.card in hand), DRAW]
                assert seat.choose(hand, legal) in legal
                answers += 1
        except StateError as error:
            if "has no card left to play" not in str(error):
                raise
    return answers


def test_a_host_that_tells_nonsense_gets_legal_answers() -> None:
    """Contradictions must not reach the core, which trusts its input."""
    answers = 0
    for seed in range(70):
        rng = random.Random(seed)
        rules = parse_rules(FUZZED_RULES[seed % len(FUZZED_RULES)])
        agent = FUZZED_AGENTS[seed % len(FUZZED_AGENTS)]
        answers += tell_nonsense(Seat(rules, agent, rng.randrange(rules.players)), rng)
    assert answers > 500


def test_a_reshuffle_is_remembered_or_forgotten() -> None:
    """All cards lie in hands then by our rules; a program that reshuffles earlier must not make us believe that."""
    seat = Seat("official", "heuristic")
    seat.deal("g7")
    seat.observe("r1 r2 r3 r4 r5 r6 g1")
    seat.played(1, "g3")
    seat.reshuffled()
    seen = seat.observe("r1 r2 r3 r4 r5 r6 g1")
    assert not any(event.kind is EventKind.RESHUFFLED for event in seen.history)
    assert [card.text for card in seen.discards] == ["g3"]
    seat = Seat("mini hand_size=4", "heuristic")
    seat.deal("r2")
    seat.observe("r0 r1 y0 y1")
    seat.drew(1)
    seat.played(0, "r1")
    seat.reshuffled()
    assert any(event.kind is EventKind.RESHUFFLED for event in seat.observe("r0 y0 y1").history)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        Seat("official", "nobody")
    with pytest.raises(AgentError, match="7 is not an agent: expected an object with choose"):
        Seat("official", 7)  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="champion does not play by the rules 'house'"):
        Seat("house", "champion")
    with pytest.raises(RulesError):
        Seat("nothing", "heuristic")
    with pytest.raises(StateError, match="seat must be from 0 to 1, not 2"):
        Seat(Rules(), "heuristic", seat=2)
    seat = Seat("official", "heuristic")
    with pytest.raises(StateError, match="deal"):
        seat.choose("r5 r6", ["r5", "draw"])
    with pytest.raises(StateError, match="deal"):
        seat.played(0, "r5")
    with pytest.raises(StateError, match="sizes must be 2 numbers"):
        seat.deal("g7", sizes=[7])
    seat.deal("g7", sizes=[2, 1])
    with pytest.raises(StateError, match="seat must be from 0 to 1, not 5"):
        seat.drew(5)
    with pytest.raises(StateError, match="action must play a card or name a missing color, not draw"):
        seat.played(1, "draw")
    with pytest.raises(StateError, match="cards must be the 2 that were drawn, not 1"):
        seat.drew(0, 2, "r5")
    seat.played(1, "g3")
    with pytest.raises(StateError, match="seat 1 has no card left to play"):
        seat.played(1, "g3")
    with pytest.raises(StateError, match="hand is empty"):
        seat.choose("", ["g3", "draw"])
