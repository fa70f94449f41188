"""Situations: what a person tells comes out as if it had been seen, and what cannot be is refused."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lastcard import _core
from lastcard.actions import parse_action
from lastcard.advice import Situation, advise, describe_action, list_reasons
from lastcard.advice.reasons import PATTERNS
from lastcard.agents import make_agent
from lastcard.belief import Belief, BeliefConfig
from lastcard.cards import Color, parse_card, parse_cards
from lastcard.errors import LastcardError
from lastcard.events import Event, EventKind, parse_event
from lastcard.observation import Observation, observe
from lastcard.phase import Phase
from lastcard.rules import Rules, parse_rules
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.report import ActionValue, SearchReport
from lastcard.state import State, deal, parse_state
from tests.unit.helpers import VARIED_RULES

ASKED = (Phase.TURN, Phase.DRAWN, Phase.ANSWER, Phase.NAME_COLOR, Phase.SWAP)
UNSAID = (EventKind.KEPT, EventKind.SKIPPED, EventKind.ACCEPTED)
QUICK = HalvingConfig(simulations=300, hypotheses=32)


# Told as it was seen


def decisions_of_seat_0(text: str, seeds: Sequence[int], rng: random.Random) -> Iterator[State]:
    """Rounds among agents that mostly know what they do, wherever seat 0 is asked and nobody is out."""
    rules = parse_rules(text)
    for seed in seeds:
        agents = [make_agent(rng.choice(["heuristic", "heuristic", "random"]), s) for s in range(rules.players)]
        state = deal(rules, seed)
        while not state.is_over and state.ply < 120:
            assert state.seat is not None
            if state.seat == 0 and state.phase in ASKED and all(player.hand for player in state.players):
                yield state
            state = state.after(agents[state.seat].choose(observe(state, state.seat)))


def told(seen: Observation) -> list[Event]:
    """The history from the card that was turned up at last."""
    events = [event for event in seen.history if event.kind is not EventKind.DEALT]
    first = max(index for index, event in enumerate(events) if event.kind is EventKind.TURNED_UP)
    return events[first:]


def describe(seen: Observation, history: Sequence[Event], **more: object) -> Situation:
    return Situation(
        seen.hand,
        seen.top_card,
        seen.hand_sizes[1:],
        seen.rules,
        history=tuple(history),
        direction=seen.direction,
        **more,  # type: ignore[arg-type]
    )


FACTS = ("legal_actions", "hand_sizes", "phase", "direction", "active_color", "draw_sum", "drawn_card")
ALL_FACTS = (*FACTS, "discards", "draw_pile_size", "top_player", "declared_uno", "last_actor")


def moves_own_hand(event: Event) -> bool:
    return event.kind is EventKind.HANDS_PASSED or (event.kind is EventKind.SWAPPED and 0 in (event.seat, event.target))


@pytest.mark.parametrize("text", VARIED_RULES)
def test_a_whole_history_leads_to_what_was_seen(text: str) -> None:
    rng = random.Random(text)
    compared = 0
    for state in decisions_of_seat_0(text, range(4), rng):
        seen = observe(state, 0)
        history = told(seen)
        made = describe(seen, history).observation
        assert {name: made.facts()[name] for name in ALL_FACTS} == {name: seen.facts()[name] for name in ALL_FACTS}
        if seen.top_player is not None:
            assert made.last_color is seen.last_color
        # A reshuffle and a hand given away say more than can be told.
        if rng.random() < 0.5 and not any(e.kind is EventKind.RESHUFFLED or moves_own_hand(e) for e in history):
            compared += 1
            config = BeliefConfig(hypotheses=16)
            one, other = Belief(seen, config), Belief(made, config)
            hands = [one.sample(rng).hands for _ in range(3)]
            apart = [one.log_weight(hand) - other.log_weight(hand) for hand in hands]
            assert max(apart) - min(apart) < 1e-3
    assert compared > 0


@pytest.mark.parametrize("text", VARIED_RULES)
def test_the_end_of_a_history_is_enough(text: str) -> None:
    rng = random.Random(text)
    made = 0
    for state in decisions_of_seat_0(text, range(4, 8), rng):
        seen = observe(state, 0)
        whole = told(seen)
        # From a play on, so that it begins with a turn.
        starts = [i for i, event in enumerate(whole) if event.kind is EventKind.PLAYED]
        if not starts:
            continue
        start = rng.choice(starts)
        history = [e for e in whole[start:] if e.kind not in UNSAID or e.seat == 0 or rng.random() < 0.5]
        plays = sum(event.action is not None for event in history)
        reshuffled = any(event.kind is EventKind.RESHUFFLED for event in history)
        before = () if reshuffled else seen.discards[:-plays]
        if seen.phase is Phase.ANSWER and seen.top_card.is_wild and plays == 1:
            continue  # a challenge asks for more
        shown = describe(seen, history, discards=before, owed=seen.draw_sum).observation
        made += 1
        facts = FACTS if reshuffled else (*FACTS, "discards", "draw_pile_size")
        assert {name: shown.facts()[name] for name in facts} == {name: seen.facts()[name] for name in facts}
    assert made > 3 or text.startswith("mini")


def situation(top: str = "g7", opponents: str = "7,5,3", hand: str = "r5 g2 w", **more: object) -> Situation:
    return Situation.parse(hand, top, opponents, **more)  # type: ignore[arg-type]


def history_of(made: Situation) -> list[str]:
    """The events that the core hears, without the deal."""
    return [str(event) for event in made.observation.history if event.kind is not EventKind.DEALT]


def test_without_a_history_only_counts_are_known() -> None:
    made = situation()
    assert history_of(made) == ["0 plays g7"]  # of its own plays nothing is learned
    belief = Belief(made.observation, BeliefConfig("constrained"))
    assert belief.is_exact
    assert belief.probability(1, color=Color.RED) > belief.probability(3, color=Color.RED)


def test_draws_before_the_first_play_only_count_cards() -> None:
    made = situation(history="1 draws 1; 1 keeps; 2 plays g7; 3 draws 1")
    assert history_of(made) == ["0 plays g7", "3 draws 1", "3 keeps"]
    assert [e.count for e in made.observation.history if e.kind is EventKind.DEALT] == [4, 7, 5, 2]
    belief = Belief(made.observation)
    assert belief.probability(3, color=Color.GREEN) < 0.3 < belief.probability(3, color=Color.RED)


def test_with_the_card_on_top_before_it_a_draw_tells() -> None:
    made = situation(history="turned up g1; 1 draws 1; 2 plays g7; 3 draws 1")
    assert history_of(made) == ["0 plays g1", "1 draws 1", "1 keeps", "2 plays g7", "3 draws 1", "3 keeps"]
    assert [card.text for card in made.observation.discards] == ["g1", "g7"]
    assert Belief(made.observation).probability(1, color=Color.GREEN) < 0.5


def test_where_nothing_was_played_the_card_on_top_was_always_there() -> None:
    made = situation(history="1 draws 1; 2 draws 1; 3 draws 1; 3 keeps")
    assert history_of(made)[1:] == ["1 draws 1", "1 keeps", "2 draws 1", "2 keeps", "3 draws 1", "3 keeps"]


@pytest.mark.parametrize(
    ("direction", "top", "history", "first"),
    [
        ("reversed", "g7", "", ["turned up rR", "0 plays g7"]),
        ("reversed", "gR", "", ["0 plays gR"]),
        ("forward", "gR", "", ["turned up rR", "0 plays gR"]),
        ("reversed", "g7", "3 plays gR; 2 plays g8; 1 plays g7", ["0 plays gR", "2 plays g8", "1 plays g7"]),
        ("forward", "g+2", "", ["0 plays g+2", "0 is skipped"]),
        ("forward", "g+2", "1 draws 2; 2 draws 1; 3 draws 1", ["0 plays g+2", "1 draws 2", "2 draws 1"]),
        ("forward", "g+2", "1 draws 1; 2 draws 1; 3 draws 1", ["0 plays g+2", "0 is skipped", "1 draws 1"]),
        ("forward", "g5", "1 plays w+4:g; 2 draws 4; 3 plays g5", ["0 plays w+4:g", "2 draws 4", "3 plays g5"]),
    ],
)
def test_the_beginning_leads_to_the_direction_and_to_what_is_owed(
    direction: str, top: str, history: str, first: list[str]
) -> None:
    made = situation(top, direction=direction, history=history)
    assert history_of(made)[: len(first)] == first
    assert made.observation.direction == made.direction


def test_what_follows_from_the_rules_may_be_left_unsaid() -> None:
    rules = "official stacking=same"
    whole = "3 accepts 4; 3 draws 4; 3 is skipped; 0 draws 1; 0 keeps; 1 plays bS; 2 is skipped"
    short = "3 draws 4; 0 draws 1; 1 plays bS"
    histories = [f"1 plays g+2; 2 plays b+2; {text}; 3 plays b7" for text in (whole, short)]
    one, other = (situation("b7", "7,5,5", rules=rules, history=history) for history in histories)
    kept = [event for event in history_of(one) if "skipped" not in event]
    assert kept == history_of(other)
    assert "3 accepts 4" in kept


def test_a_late_call_of_uno_comes_before_the_effect() -> None:
    history = "turned up g1; 3 plays g7; 3 calls uno; 3 swaps with 1"
    made = situation("g7", "1,5,4", rules="house", history=history)
    assert history_of(made)[1:] == ["3 plays g7", "3 calls uno", "3 swaps with 1"]
    assert made.observation.declared_uno == ()
    made = situation("g8", "7,5,1", rules="tournament", history="turned up g1; 3 plays g8; 3 calls uno")
    assert made.observation.declared_uno == (3,)


def test_own_draws_get_cards_that_they_can_have_been() -> None:
    history = "1 plays g7; 0 draws 1; 0 keeps; 1 plays g8; 0 draws 1 (g2); 0 plays g2; 1 plays g4"
    made = situation("g4", "4", "r5 b1", history=history)
    dealt = made.observation.history[0]
    assert (dealt.count, dealt.cards) == (2, parse_cards("g7 b1"))
    assert history_of(made)[1] == "0 draws 1 (r5)"


def test_a_verdict_counts_whether_or_not_the_hand_is_told() -> None:
    start = "turned up b5; 3 plays w+4:g; 0 challenges 3: innocent"
    end = "; 0 draws 6; 1 plays g5; 2 plays g6; 3 plays g7"
    for shown in ("", " (r1 r2 y3 g7)"):
        made = situation("g7", "6,4,3", "r5 g2 w b1 b2 b3 b4", rules="tournament", history=start + shown + end)
        belief = Belief(made.observation, BeliefConfig("constrained"))
        assert belief.probability(3, color=Color.BLUE) < (0.02 if shown else 0.3)
        assert belief.probability(3, color=Color.YELLOW) == pytest.approx(1.0 if shown else 0.65, abs=0.1)


def test_discards_from_before_are_added_and_forgotten_at_a_reshuffle() -> None:
    made = situation(discards="r1 b2", history="1 plays g9; 2 plays g7; 3 draws 1")
    assert [card.text for card in made.observation.discards] == ["r1", "b2", "g9", "g7"]
    assert made.observation.draw_pile_size == 108 - 3 - 15 - 4
    made = situation(discards="r1 b2", history="1 plays g9; 2 plays g7; reshuffled 80; 3 draws 1")
    assert [card.text for card in made.observation.discards] == ["g7"]


# What is asked


@pytest.mark.parametrize(
    ("more", "legal"),
    [
        ({"drawn": "g2"}, "g2 keep"),
        ({"drawn": "r5"}, "keep"),
        ({"history": "3 plays g7; 0 draws 1 (g2)"}, "g2 keep"),
        ({"history": "3 plays g7; 0 draws 1", "drawn": "g2"}, "g2 keep"),
        ({"top": "w", "called": "r"}, "r5 w:r w:y w:g w:b draw"),
        ({"top": "w", "history": "3 plays w:r"}, "r5 w:r w:y w:g w:b draw"),
        ({"top": "w", "history": "turned up w"}, "color:r color:y color:g color:b"),
        ({"top": "w", "history": "turned up w; 0 names g"}, "g2 w:r w:y w:g w:b draw"),
        ({"top": "g+2", "owed": 6, "rules": "official stacking=same", "hand": "r+2 r5"}, "r+2 accept"),
        (
            {"top": "g+2", "history": "2 plays r+2; 3 plays g+2", "rules": "official stacking=same", "hand": "r5"},
            "accept",
        ),
        (
            {"top": "w+4", "history": "turned up b5; 3 plays w+4:g", "rules": "tournament"},
            "accept challenge",
        ),
        ({"history": "3 draws 1; 0 plays g7", "rules": "house uno_penalty=0"}, "swap:1 swap:2 swap:3"),
        ({"rules": "tournament", "hand": "g2 r5"}, "g2 draw uno"),
        ({"rules": "tournament", "hand": "g2 r5", "history": "0 calls uno"}, "g2 draw"),
        ({"rules": "tournament", "hand": "g2 r5", "drawn": "g2", "history": "0 draws 1; 0 calls uno"}, "g2 keep"),
        ({"hand": "g2", "rules": "study"}, "g2"),
    ],
)
def test_what_one_is_asked(more: dict[str, object], legal: str) -> None:
    made = situation(**more)  # type: ignore[arg-type]
    assert [action.text for action in made.observation.legal_actions] == legal.split()


def test_a_challenge_knows_the_color_before() -> None:
    made = situation("w+4", "7,5,3", rules="tournament", history="turned up b5; 3 plays w+4:g", owed=4)
    assert made.observation.last_color is Color.BLUE
    assert made.observation.draw_sum == 4
    assert made.observation.top_player == 3


# What cannot be

WRONG: list[tuple[dict[str, object], str]] = [
    ({"hand": "r5 banana"}, "`hand`: 'banana' is not a card"),
    ({"top": "r55"}, "`top`: 'r55' is not a card"),
    ({"discards": "r1 ?"}, "`discards`: '?' is not a card"),
    ({"drawn": "x"}, "`drawn`: 'x' is not a card"),
    ({"top": "w", "called": "pink"}, "`called`: 'pink' is not a color"),
    ({"history": "2 sings"}, "`history`: '2 sings' is not an event"),
    ({"opponents": "7,five"}, "`opponents`: 'five' is not a number of cards"),
    ({"rules": "chess"}, "`rules`: no rules preset 'chess'"),
    ({"direction": "left"}, "`direction`: expected forward or reversed, not 'left'"),
    ({"rules": "official players=3"}, "`rules` say players=3, but `opponents` gives 3 hands"),
    ({"hand": ""}, "`hand` is empty"),
    ({"opponents": ""}, "`opponents` must be 1 to 9 hands, not 0"),
    ({"opponents": "7 7 7 7 7 7 7 7 7 7"}, "`opponents` must be 1 to 9 hands, not 10"),
    ({"opponents": "7,0"}, "`opponents`: seat 2 holds 0 cards"),
    ({"opponents": "109"}, "`opponents` must be from 1 to 108, not 109"),
    ({"opponents": "60,50"}, "the deck has 108 cards, but `hand` and `opponents` have 113"),
    ({"opponents": "60,43", "discards": "r1 r2"}, "have 109"),
    ({"hand": "r5 r5", "discards": "r5"}, "the deck has 2 r5, but `hand` and `discards` have 3"),
    ({"hand": "g7 r5", "discards": "g7 r5"}, "the deck has 2 g7, but `hand`, `top` and `discards` have 3"),
    (
        {"hand": "g7", "history": "3 plays g8; 0 plays g7; 1 plays g7; 2 plays g8; 3 plays g7"},
        "the deck has 2 g7, but `hand`, `top` and `history` have 4",
    ),
    ({"top": "g7", "rules": "mini", "opponents": "2", "hand": "r1"}, "the deck has 0 g7, but `top` has 1"),
    ({"called": "r"}, "`called` r needs a Wild on top, not `top` g7"),
    ({"top": "w"}, "`called` is missing"),
    ({"top": "w", "history": "1 draws 1; 2 draws 1; 3 draws 1"}, "`called` is missing"),
    ({"top": "w", "called": "r", "history": "3 plays w:g"}, "`called` is r, but `history` names g"),
    ({"drawn": "b9"}, "`drawn` b9 must be one of the cards in `hand`"),
    ({"drawn": "g2", "rules": "study"}, "`drawn`: under the rules study drawing ends the turn"),
    ({"drawn": "g2", "owed": 2}, "`drawn` and `owed` exclude each other"),
    ({"drawn": "g2", "history": "2 plays g7"}, "'0 draws 1 (g2)' cannot be: it is the turn of seat 3"),
    ({"drawn": "r5", "history": "3 plays g7; 0 draws 1 (g2)"}, "`drawn` is r5, but by `history` it is g2"),
    ({"history": "3 plays g7; 0 draws 1"}, "`drawn` is missing"),
    ({"owed": 2}, "`owed` 2 needs a Draw Two or Wild Draw Four on top, not `top` g7"),
    ({"owed": -1}, "`owed` must be from 0 to 100"),
    ({"top": "g+2", "owed": 2}, "`owed`: under the rules official players=4 nobody is asked after g+2"),
    ({"top": "g+2", "owed": 3, "rules": "official stacking=same"}, "`owed` 3 cannot come of g+2 on top"),
    ({"top": "w+4", "called": "g", "owed": 6, "rules": "official stacking=same"}, "`owed` 6 cannot come of w+4"),
    ({"top": "w+4", "called": "g", "owed": 8, "rules": "tournament"}, "`owed` 8 cannot come of w+4"),
    ({"top": "w+4", "called": "g", "owed": 4, "rules": "tournament"}, "'turned up b5; 3 plays w+4:g'"),
    (
        {"top": "g+2", "owed": 4, "rules": "house", "history": "turned up g1; 3 plays g+2"},
        "`owed` is 4, but by `history` it is 2",
    ),
    (
        {"top": "g+2", "owed": 2, "rules": "house", "history": "2 plays g+2; 3 draws 2"},
        "`owed` is 2, but by `history` nothing is left to draw",
    ),
    ({"top": "g+2", "history": "3 plays g+2"}, "at its end you have to draw 2, without a choice; add '0 draws 2'"),
    ({"history": "3 plays g8"}, "`top` is g7, but `history` leaves g8 on top"),
    ({"history": "4 plays g7"}, "'4 plays g7' cannot be: there are only the seats 0 to 3"),
    ({"history": "2 plays g7"}, "at its end it is the turn of seat 3, not yours"),
    ({"history": "1 plays g8; 3 plays g7"}, "'3 plays g7' cannot be: it is the turn of seat 2"),
    ({"history": "2 plays r3; 3 plays g7"}, "'3 plays g7' cannot be: g7 does not match r3"),
    ({"history": "2 plays w:b; 3 plays g7"}, "g7 does not match w (blue is active)"),
    ({"history": "2 plays g+2; 3 plays g7"}, "'3 plays g7' cannot be: seat 3 has to draw 2 first"),
    ({"history": "3 plays g7; 0 draws 3"}, "'0 draws 3' cannot be: you hold only 3 now"),
    ({"history": "3 draws 3; 3 keeps"}, "'3 draws 3' cannot be: seat 3 holds only 3 now"),
    ({"history": "2 plays g7; 3 draws 2"}, "one card is drawn in a turn"),
    ({"history": "2 plays g7; 3 draws 1; 3 draws 1"}, "seat 3 has already drawn in this turn"),
    ({"history": "1 plays g+2; 2 draws 3; 3 plays g7"}, "'2 draws 3' cannot be: seat 2 has to draw 2"),
    ({"history": "2 plays g7; 3 keeps"}, "seat 3 has not just drawn a card"),
    ({"history": "2 plays g7; 3 is skipped"}, "nothing costs that seat its turn"),
    ({"history": "0 is dealt 7; 3 plays g7"}, "leave it out"),
    ({"history": "3 plays g8; turned up g7"}, "it can only come first"),
    ({"history": "turned up w+4; 3 plays g7"}, "begin with its play instead"),
    ({"history": "turned up w; 3 plays g7"}, "first add who named which color"),
    ({"history": "turned up g8; 2 names r; 3 plays g7"}, "only the color of a Wild that was turned up"),
    ({"history": "2 plays g8; 3 plays g7; 3 jumps in g7"}, "only another seat can jump in"),
    ({"history": "2 plays g7; 3 accepts 2"}, "seat 3 is not asked about 2 cards"),
    ({"history": "2 plays g7; 3 catches 2"}, "only who has just played down to one card is caught"),
    (
        {"opponents": "7,5,1", "rules": "tournament", "history": "turned up g1; 3 plays g7; 3 calls uno; 1 catches 3"},
        "only who has just played down to one card is caught",
    ),
    ({"history": "2 plays g7; 3 draws 300"}, "3 draws 300' counts more cards than there are"),
    ({"history": "2 plays g7; 3 challenges 2: guilty"}, "only who has just played a Wild Draw Four is challenged"),
    ({"history": "2 plays g7; 2 swaps with 3"}, "seat 2 has not just played a 7"),
    ({"history": "2 plays g7; hands pass"}, "nobody has just played a 0"),
    ({"history": "2 plays g7; 3 plays g8; 0 plays g7", "rules": "house"}, "seat 2 has to swap hands first"),
    ({"history": "3 plays g7", "rules": "house"}, "at its end seat 3 has to swap hands first"),
    ({"top": "g0", "history": "3 plays g0", "rules": "house"}, "after a 0, add 'hands pass'"),
    ({"history": "2 plays g0; 3 plays g7", "rules": "house"}, "after a 0 'hands pass' comes first"),
    ({"history": "2 plays g7; 3 draws 1 (g2)"}, "you cannot have seen those cards"),
    ({"history": "3 plays g7; 0 draws 1 (b9); 0 keeps; 1 plays g8; 2 plays g9; 3 plays g7"}, "nor have you played"),
    (
        {"opponents": "1,5,3", "rules": "tournament", "history": "1 plays g7; 2 catches 1; 2 draws 1"},
        "seat 1 has to draw 2 first",
    ),
    (
        {"top": "w+4", "rules": "tournament", "history": "turned up g1; 3 plays w+4:g; 0 challenges 3: innocent (r1)"},
        "seat 3 held 3 cards then, not the 1 shown",
    ),
    (
        {
            "top": "w+4",
            "rules": "tournament",
            "history": "turned up r0; 3 plays w+4:g; 0 challenges 3: guilty (r0 g1 g2)",
        },
        "there are not that many r0",
    ),
]


@pytest.mark.parametrize(("given", "part"), WRONG, ids=[part for _, part in WRONG])
def test_what_cannot_be_is_refused_by_name(given: dict[str, object], part: str) -> None:
    with pytest.raises(LastcardError) as refused:
        situation(**given)  # type: ignore[arg-type]
    assert part in str(refused.value)


def test_no_text_of_a_history_breaks_it() -> None:
    """Whatever order events come in, they are told or refused, and what is told can be believed."""
    rng = random.Random(4)
    words = (
        "1 plays g7", "2 plays g+2", "3 plays w+4:g", "0 plays gR", "1 plays g0", "2 plays gS", "3 plays b7",
        "1 draws 1", "2 draws 2", "3 draws 4", "0 draws 1", "1 keeps", "2 accepts 2", "0 challenges 3: innocent",
        "3 is skipped", "1 calls uno", "2 catches 1", "1 swaps with 0", "hands pass", "reshuffled 40", "2 jumps in g7",
        "turned up g4",
    )  # fmt: skip
    made = 0
    for _ in range(4000):
        texts = [rng.choice(words) for _ in range(rng.randrange(1, 5))]
        plays = [event.action for event in map(parse_event, texts) if event.action]
        top = plays[-1].card if plays else parse_card("g7")
        rules = parse_rules(rng.choice(["official", "tournament", "house wild_draw_four=bluff"]))
        assert top is not None
        called = plays[-1].color if plays and top.is_wild else None
        sizes = tuple(rng.randrange(1, 9) for _ in range(3))
        hand = parse_cards("r5 g2 b9 b8 b6 b5 b4")
        try:
            one = Situation(hand, top, sizes, rules, called, history=tuple(map(parse_event, texts)))
        except LastcardError:
            continue
        made += 1
        belief = Belief(one.observation, BeliefConfig(hypotheses=4))
        assert all(len(belief.sample(rng).hands[seat]) == size for seat, size in enumerate(sizes, 1))
    assert made > 100


# Advice


def test_the_same_question_has_the_same_answer() -> None:
    made = situation(history="2 plays g7; 3 draws 1")
    one, other = (advise(made, QUICK, seed=3) for _ in range(2))
    assert one.best in made.observation.legal_actions
    assert [value.to_dict() for value in one.actions] == [value.to_dict() for value in other.actions]


def test_a_last_card_wins() -> None:
    report = advise(situation("g7", "3", "g2"), QUICK)
    assert report.best.text == "g2"
    assert report.actions[0].value == 1.0


def test_a_situation_as_data() -> None:
    made = situation(history="2 plays g7; 3 draws 1", discards="r1", direction="forward")
    assert made.to_dict() == {
        "hand": ["r5", "g2", "w"],
        "top": "g7",
        "opponents": [7, 5, 3],
        "rules": "official players=4",
        "called": None,
        "discards": ["r1"],
        "history": ["2 plays g7", "3 draws 1"],
        "drawn": None,
        "direction": 1,
        "owed": 0,
        "phase": "turn",
        "legal_actions": ["g2", "w:r", "w:y", "w:g", "w:b", "draw"],
    }
    assert made == situation(history="2 plays g7; 3 draws 1", discards="r1")
    assert made.rules == Rules.preset("official", players=4)


# Reasons


def reasons(seen: Observation, best: str, others: str, by_policy: str = "", apart: float = 0.1) -> list[str]:
    """Returns the reasons for a report: the best action wins half of the rounds, each other less by `apart`."""
    values = [ActionValue(parse_action(best), 1000, 0.5, 0.01)]
    values += [ActionValue(parse_action(text), 1000, 0.5 - apart, 0.01) for text in others.split()]
    report = SearchReport(values[0].action, tuple(values), parse_action(by_policy or best), None, 1000, 0.1)
    return list_reasons(seen, report, Belief(seen, BeliefConfig("uniform")))


def shown(position: str) -> Observation:
    return observe(parse_state(position), 0)


FOUR = "rules official players=4 | top g7 | seat 1: b1 b2 b3 | seat 2: b4 | seat 3: y1 y2 | seat 0: "
TWO = "top g7 | seat 1: b1 b2 b3 | seat 0: "


@pytest.mark.parametrize(
    ("position", "best", "expected"),
    [
        (FOUR + "g2 g3 g4 r1", "g2", ["keeps green, of which you hold 2 more"]),
        (FOUR + "g2 r3 r4", "g2", ["uses up your last green card"]),
        (FOUR + "r7 r3 r4", "r7", ["turns to red, of which you hold 2 more"]),
        (FOUR + "r7 g3 y4", "r7", ["turns to red, of which you hold no other"]),
        (FOUR + "w r3 r4", "w:r", ["names red, of which you hold 2"]),
        (FOUR + "w r3 r4", "w:b", ["names blue, of which you hold no other"]),
        (FOUR + "g1 y4", "g1", ["leaves you one card, y4"]),
        (FOUR + "g1", "g1", ["it is your last card"]),
        (FOUR + "g+2 r1 r2", "g+2", ["costs seat 1 2 cards and its turn", "seat 2 probably lacks green"]),
        (FOUR + "gS r1 r2", "gS", ["costs seat 1 its turn", "seat 2 probably lacks green"]),
        (FOUR + "gR r1 r2", "gR", ["turns the direction to seat 3, away from seat 1"]),
        (TWO + "gR r1 r2", "gR", ["costs seat 1 its turn"]),
        ("rules official players=3 | top g7 | seat 1: b1 | seat 2: b2 b3 | seat 0: g1 r2 r3", "g1",
         ["seat 1 is next and holds only 1 card", "seat 1 probably lacks green (22 % to hold any)"]),
        ("rules official stacking=same | top g7 | seat 1: b1 b2 b3 | seat 0: g+2 r1", "g+2",
         ["costs seat 1 2 cards and its turn unless it stacks"]),
        (TWO + "r1 w", "draw", ["only a Wild fits, and that is worth more later"]),
        (TWO + "g1 w", "draw", ["nothing that fits is worth playing yet"]),
        (TWO + "g1 w | phase drawn | drawn g1", "keep", ["the card is worth more later"]),
        ("rules tournament players=2 | top g7 | seat 1: b1 b2 b3 | seat 0: g1 r1", "uno",
         ["a player caught without it draws 2"]),
        ("rules tournament players=2 | top w+4 | color g | last color r | seat 1: b1 b2 b3 | seat 0: g1 r1"
         " | phase answer | draw sum 4 | played by 1", "challenge",
         ["seat 1 holds red with 54 %, and then draws 4", "a challenge that fails costs you 6 cards"]),
        ("rules tournament players=2 | top w+4 | color g | last color r | seat 1: b1 b2 b3 | seat 0: g1 r1"
         " | phase answer | draw sum 4 | played by 1", "accept", ["seat 1 holds red with 54 %"]),
        ("rules tournament players=2 | top g7 | seat 1: b1 | seat 0: g1 r1 | phase catch | played by 1 | acted 1",
         "catch", ["it costs seat 1 2 cards"]),
        ("rules tournament players=2 | top g7 | seat 1: b1 | seat 0: g1 | phase catch | played by 0 | acted 0",
         "uno", ["a player caught without it draws 2"]),
        ("rules house players=3 | top g7 | seat 1: b1 | seat 2: b2 b3 | seat 0: g1 r1 | phase swap | played by 0",
         "swap:1", ["gives you 1 card for your 2"]),
        ("top w | seat 1: b1 b2 b3 | seat 0: g1 r1 r2 | phase name_color", "color:r", ["you hold 2 of that color"]),
    ],
)  # fmt: skip
def test_reasons_are_made_from_what_is_so(position: str, best: str, expected: list[str]) -> None:
    seen = shown(position)
    other = next((action.text for action in seen.legal_actions if action.text != best), "")
    found = reasons(seen, best, other)
    for part in expected:
        assert any(part in reason for reason in found), found


def test_every_kind_of_reason_has_words_in_the_terminal_and_on_the_page() -> None:
    messages = Path(__file__).parents[2] / "frontend" / "src" / "messages" / "en.json"
    shown = {key.removeprefix("reason.") for key in json.loads(messages.read_text()) if key.startswith("reason.")}
    assert set(_core.list_reason_kinds()) == set(PATTERNS) == shown


def test_one_reason_is_enough_where_there_is_no_choice() -> None:
    assert reasons(shown(TWO + "r1 r2"), "draw", "") == ["it is all that the rules allow"]


def test_the_next_best_is_compared_by_the_errors() -> None:
    seen = shown(FOUR + "g2 g3 g4 r1")
    assert "wins 10.0 percentage points more often than g3, the next best" in reasons(seen, "g2", "g3 g4")
    assert "g3 is about as good" in reasons(seen, "g2", "g3 g4", apart=0.015)
    assert "at first glance you would draw a card" in reasons(seen, "g2", "g3", by_policy="draw")
    assert "wins 10.0 percentage points more often than drawing, the next best" in reasons(seen, "g2", "draw")
    seen = shown(FOUR + "w r3 r4")
    assert "naming red is about as good" in reasons(seen, "w:b", "w:r", apart=0.015)


def test_no_reason_names_an_action_as_the_engine_writes_it() -> None:
    seen = shown(
        "rules house players=3 | top g7 | seat 1: b1 | seat 2: b2 b3 | seat 0: g1 r1 | phase swap | played by 0"
    )
    assert "wins 10.0 percentage points more often than swapping hands with seat 2, the next best" in reasons(
        seen, "swap:1", "swap:2"
    )


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("g1", "play g1"),
        ("w+4:b", "play w+4 and name blue"),
        ("draw", "draw a card"),
        ("keep", "keep the card"),
        ("accept", "accept and draw 4"),
        ("challenge", "challenge seat 1"),
        ("uno", "call UNO before you play"),
        ("catch", "catch seat 1"),
        ("swap:1", "swap hands with seat 1"),
        ("color:y", "name yellow"),
        ("pass", "pass"),
    ],
)
def test_actions_in_words(action: str, words: str) -> None:
    text = "rules tournament players=2 | top w+4 | color g | last color r | seat 1: b1 | seat 0: g1 r1"
    seen = shown(f"{text} | phase answer | draw sum 4 | played by 1 | acted 1")
    assert describe_action(parse_action(action), seen) == words
    assert describe_action(parse_action("challenge"), seen, ("you", "Ann")) == "challenge Ann"


def test_a_late_call_in_words() -> None:
    seen = shown("rules tournament players=2 | top g7 | seat 1: b1 | seat 0: g1 | phase catch | played by 0")
    assert describe_action(parse_action("uno"), seen) == "call UNO before you are caught"


def test_discards_that_no_event_tells_of_are_believed_on_small_decks_too() -> None:
    """The exact filter lists hands by the events alone, which do not account for these cards."""
    situation = Situation.parse(hand="r1 y1 y2", top="y0", opponents="1", rules="mini", discards="y2 y1")
    report = search_by_halving(situation.observation, HalvingConfig(simulations=12))
    assert report.best in situation.observation.legal_actions
