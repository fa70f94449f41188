"""The state: as data, as text, as a value, and what it refuses."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.actions import ACTIONS, Action, parse_action
from lastcard.cards import MINI, OFFICIAL, Color, format_cards, parse_card, parse_cards
from lastcard.errors import IllegalActionError, LastcardError, NotationError, RulesError, StateError
from lastcard.observation import observe
from lastcard.phase import Phase
from lastcard.rules import Rules, parse_rules
from lastcard.state import Outcome, Player, State, deal, deck_order, format_state, parse_state, reshuffled
from tests.unit.helpers import VARIED_RULES, all_cards, legal, play, random_states, table

POSITION = "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"


# Round trips


@pytest.mark.parametrize("text", VARIED_RULES)
def test_every_state_is_read_back_from_data_and_from_one_line(text: str) -> None:
    for state in random_states(parse_rules(text), 1, 80):
        data = state.to_dict()
        again = State.from_dict(json.loads(json.dumps(data)))
        assert again == state
        assert again.to_dict() == data
        assert hash(again) == hash(state)
        line = format_state(state)
        assert "\n" not in line
        assert str(parse_state(line)) == line


@pytest.mark.parametrize("text", VARIED_RULES)
def test_a_state_read_back_goes_on_in_the_same_way(text: str) -> None:
    rules = parse_rules(text).replace(max_plies=10_000)
    states = list(random_states(rules, 3, 60))
    original = states[-1]
    again = parse_state(str(original))
    for _ in range(40):
        if original.is_over:
            break
        action = original.legal_actions[-1]
        assert legal(again) == legal(original)
        original, again = original.after(action), again.after(action)
        assert again == original
        assert all(observe(again, seat) == observe(original, seat) for seat in range(rules.players))


@pytest.mark.parametrize("text", ["official", "house", "tournament players=2"])
def test_a_state_is_pickled_and_copied(text: str) -> None:
    for state in random_states(parse_rules(text), 1, 40):
        assert pickle.loads(pickle.dumps(state)) == state
    assert copy.copy(state) == copy.deepcopy(state) == state.copy() == state


def test_a_reshuffle_after_reading_back_gives_the_same_order() -> None:
    state = table("discards w b1 b2 w+4 w b3 w+4 b4 r5 | seat 0: g1 r2 | seat 1: y1 w | seed 9", rules="official")
    assert play(parse_state(str(state)), "draw").draw_pile == play(state, "draw").draw_pile


@given(seed=st.integers(0, 2**256 - 1), players=st.integers(2, 10))
@settings(max_examples=30, deadline=None)
def test_any_seed_deals_the_same_round_again(seed: int, players: int) -> None:
    rules = Rules(players=players)
    state = deal(rules, seed)
    assert state == deal(rules, seed)
    assert all_cards(state) == list(OFFICIAL.cards())
    assert parse_state(str(state)) == state
    assert deal(rules, seed, deck=deck_order(rules, seed)) == state


def test_different_seeds_deal_differently() -> None:
    assert len({deal(Rules(), seed).draw_pile for seed in (0, 1, 2, 2**64, 2**128, 2**255, 2**256 - 1)}) == 7


# One line of text


def test_parts_left_out_take_their_value_at_the_start_of_a_round() -> None:
    state = parse_state(POSITION)
    assert (state.seat, state.phase, state.direction, state.ply) == (0, Phase.TURN, 1, 0)
    assert (state.active_color, state.last_color, state.draw_sum) == (Color.RED, None, 0)
    assert (state.drawn_card, state.last_actor, state.declared_uno, state.stuck_passes) == (None, None, (), 0)
    assert (state.dealer, state.round_number, state.seed, state.reshuffles) == (1, 1, 0, 0)
    assert (state.scores, state.bots, state.history, state.outcome) == ((0, 0), (True, True), (), None)
    assert state.rules == Rules()
    assert state.hand(0) == parse_cards("r7 b2 w")
    assert state.discard_pile == parse_cards("r5")
    assert all_cards(state) == list(OFFICIAL.cards())


def test_parts_can_be_given() -> None:
    state = parse_state(
        "rules house players=3 stacking=same | discards g1 w | color b | seat 0: r1 | seat 1: b2 b3 | seat 2: yS |"
        " to act 2 | direction -1 | last color g | acted 0 | declared 0 | ply 12 | round 3 | dealer 1 | seed 77 |"
        " reshuffles 2 | scores 5 -6 7 | people 0 2 | history 0 plays w:b; 1 draws 1 (r5)"
    )
    assert state.rules == parse_rules("house players=3 stacking=same")
    assert (state.seat, state.direction, state.active_color, state.last_color) == (2, -1, Color.BLUE, Color.GREEN)
    assert (state.last_actor, state.declared_uno, state.ply, state.round_number) == (0, (0,), 12, 3)
    assert (state.dealer, state.seed, state.reshuffles, state.scores) == (1, 77, 2, (5, -6, 7))
    assert state.bots == (False, True, False)
    assert [str(event) for event in state.history] == ["0 plays w:b", "1 draws 1 (r5)"]
    assert parse_state(str(state)) == state


def test_a_draw_pile_left_out_is_the_rest_of_the_deck_shuffled_by_the_seed() -> None:
    one, same, other = (parse_state(f"{POSITION} | seed {seed}").draw_pile for seed in (1, 1, 2))
    assert one == same
    assert (sorted(one), one) != (sorted(other), other)
    assert sorted(one) == sorted(other)


def test_players_are_hand_score_and_bot() -> None:
    state = parse_state(f"{POSITION} | scores 30 0 | people 1")
    assert state.players == (
        Player(parse_cards("r7 b2 w"), 30, True),
        Player(parse_cards("yR g1 g1"), 0, False),
    )


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", NotationError, r"hands must be given for seats 0, 1 and so on, not \[\]"),
        ("top r5 | seat 0: r1", NotationError, r"not \[0\]"),
        ("top r5 | seat 0: r1 | seat 2: g1", NotationError, r"not \[0, 2\]"),
        ("seat 0: r1 | seat 1: g1", NotationError, "the top card is missing; expected a part such as 'top r5'"),
        ("top r5 | seat 0: r1 | seat 1: g1 | weather fine", NotationError, "'weather fine' is not a part of a state"),
        ("top r5 | seat 0: r1 | seat 1: g1 | seat 10: g2", NotationError, "'seat 10: g2' is not a part"),
        ("top r5 | seat 0: r1 | seat 1: g1 | to act x", NotationError, "'x' is not a whole number"),
        ("top r5 | seat 0: r1 | seat 1: g1 | to act 2", StateError, "seat must be from 0 to 1, not 2"),
        ("top r5 | seat 0: r1 | seat 1: g1 | ply 9999999", StateError, "ply must be from 0 to 10000, not 9999999"),
        ("top r5 | seat 0: r1 | seat 1: g1 | ply " + "9" * 90, NotationError, "is not a whole number"),
        ("top r5 | seat 0: r1 | seat 1: g1 | seed " + "9" * 80, StateError, "seed must be from 0 to"),
        ("top r5 | seat 0: r1 | seat 1: g1 | seed -1", StateError, "seed must be from 0 to"),
        ("top r5 | seat 0: r1 | seat 1: x1", StateError, "hand of seat 1: 'x1' is not a card"),
        ("top x5 | seat 0: r1 | seat 1: g1", StateError, "discard_pile: 'x5' is not a card"),
        ("top | seat 0: r1 | seat 1: g1", StateError, "discard_pile must hold at least the top card"),
        ("top r5 | seat 0: | seat 1: g1", StateError, "hand of seat 0 is empty although the round is not over"),
        ("top r5 | color g | seat 0: r1 | seat 1: g1", StateError, "active_color must be r, the color of r5"),
        ("top w | seat 0: r1 | seat 1: g1", StateError, "active_color is missing: w on top has none of its own"),
        ("top w | color x | seat 0: r1 | seat 1: g1", StateError, "active_color: 'x' is not a color"),
        ("top r5 | seat 0: r1 | seat 1: g1 | direction 0", StateError, "direction must be 1 or -1, not 0"),
        ("top r5 | seat 0: r1 | seat 1: g1 | direction 2", StateError, "direction must be from -1 to 1, not 2"),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase nap", StateError, "phase must be one of turn, drawn, .*, not 'nap'"),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase drawn", StateError, "drawn_card belongs to phase drawn"),
        ("top r5 | seat 0: r1 | seat 1: g1 | drawn r1", StateError, "drawn_card belongs to phase drawn"),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase drawn | drawn g1", StateError, "g1 is not in the hand of seat 0"),
        (
            "top r5 | seat 0: r1 r2 r3 | seat 1: g1 | declared 0",
            StateError,
            "declared: seat 0 cannot have declared UNO with 3 cards in hand",
        ),
        ("top r5 | seat 0: r1 | seat 1: g1 | draw sum 2", StateError, "draw_sum=2 cannot be pending in phase turn"),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase answer", StateError, "player, who played the top card, is missing"),
        (
            "top r5 | seat 0: r1 | seat 1: g1 | phase answer | played by 1 | draw sum 2",
            StateError,
            "phase answer needs a draw card on top and a draw_sum",
        ),
        (
            "top r+2 | seat 0: r1 | seat 1: g1 | phase answer | played by 0 | draw sum 2",
            StateError,
            "seat 0 played the top card and cannot be asked in phase answer",
        ),
        (
            "top r1 | seat 0: r2 | seat 1: g1 | phase jump_in | played by 1 | next 1",
            StateError,
            "seat 0 cannot jump in on r1: it holds r2",
        ),
        (
            "top r1 | seat 0: r1 | seat 1: g1 | phase jump_in | played by 1",
            StateError,
            "next_seat is missing in phase jump_in",
        ),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase name_color", StateError, "phase name_color needs a Wild on top"),
        ("top r5 | seat 0: r1 | seat 1: g1 | stuck 2", StateError, "stuck_passes=2 would have ended the round"),
        ("top r5 | seat 0: r1 | seat 1: g1 | scores 1", NotationError, "1 scores for 2 seats"),
        ("top r5 | seat 0: r1 | seat 1: g1 | scores 1 99999999999", StateError, "scores must be from"),
        ("top r5 | seat 0: r1 | seat 1: g1 | declared 5", StateError, "declared must be from 0 to 1, not 5"),
        ("top r5 | seat 0: r1 | seat 1: g1 | history 0 flies", StateError, "history: '0 flies' is not an event"),
        ("top r5 | seat 0: r1 | seat 1: g1 | history 7 keeps", StateError, "names a seat beyond 1"),
        ("top r5 | seat 0: r1 | seat 1: g1 | won by 0 went_out", StateError, "outcome is given although"),
        ("top r5 | seat 0: r1 | seat 1: g1 | won by me", NotationError, "'won by me' is not an outcome"),
        ("top r5 | seat 0: r1 | seat 1: g1 | phase over | won by 0 luck", StateError, "reason must be one of went_out"),
        ("top r5 | seat 0: r1 r1 r1 | seat 1: g1", StateError, "3 of r1 are in use where the deck has 2"),
        ("top r0 | seat 0: r0 | seat 1: g1", StateError, "2 of r0 are in use where the deck has 1"),
        ("rules mini | top r0 | seat 0: g1 | seat 1: r1", StateError, "1 of g1 are in use where the deck has 0"),
        ("rules mini | top r0 | seat 0: r1 | seat 1: r1 | draw pile y0", StateError, "0 of r2 where the deck has 2"),
        ("rules official players=3 | top r5 | seat 0: r1 | seat 1: g1", RulesError, "players=3 in the rules, but 2"),
        ("rules official players=11 | top r5 | seat 0: r1 | seat 1: g1", RulesError, "players must be from 2 to 10"),
        (" << ".join([POSITION] * 30), NotationError, "a state cannot have more than 22 states before it"),
    ],
)
def test_text_that_makes_no_state_is_refused(text: str, error: type[LastcardError], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_state(text)


@pytest.mark.parametrize("value", [None, 5, b"top r5", {}])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(NotationError, match="expected a state as text such as"):
        parse_state(value)  # type: ignore[arg-type]


def test_a_drawn_card_that_is_no_card_is_refused() -> None:
    with pytest.raises(LastcardError, match="drawn"):
        parse_state(f"{POSITION} | phase drawn | drawn")
    with pytest.raises(LastcardError, match="drawn"):
        parse_state(f"{POSITION} | phase drawn | drawn r7 b2")


def test_a_challenge_needs_the_color_that_was_active_before() -> None:
    position = "top w+4 | color g | seat 0: r1 w | seat 1: b1 | to act 1 | phase answer | played by 0 | draw sum 4"
    with pytest.raises(StateError, match="last_color"):
        parse_state(f"rules official wild_draw_four=bluff | {position} | shown r1 w")


@pytest.mark.parametrize("part", ["top r6", "seat 0: g9", "to act 1", "ply 3"])
def test_a_part_given_twice_is_refused(part: str) -> None:
    with pytest.raises(NotationError):
        parse_state(f"{POSITION} | to act 0 | ply 2 | {part}")


# Data


def _data(**changes: object) -> dict[str, Any]:
    return {**parse_state(POSITION).to_dict(), **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seat": True}, "seat must be a whole number from 0 to 1, not True"),
        ({"seat": 1.0}, "seat must be a whole number"),
        ({"seat": "0"}, "seat must be a whole number"),
        ({"seat": None}, "seat is missing in phase turn"),
        ({"ply": None}, "ply must be a whole number"),
        ({"seed": 2**256}, "seed must be from 0 to"),
        ({"seed": "7"}, "seed must be a whole number"),
        ({"players": []}, "players: 0 hands where the rules have players=2"),
        ({"players": "xx"}, "players must be a list, not 'xx'"),
        ({"players": [5, 6]}, "a state must be a mapping of fields, not 5"),
        ({"players": [{"hand": 5}, {}]}, "hand of seat 0: expected cards as text"),
        ({"players": [{"hand": "r7", "bot": 1}, {"hand": "r1"}]}, "bots must be True or False"),
        ({"players": [{"hand": "r7", "score": True}, {"hand": "r1"}]}, "scores must be a whole number"),
        ({"draw_pile": None}, "draw_pile: expected cards as text"),
        ({"discard_pile": ""}, "discard_pile must hold at least the top card"),
        ({"active_color": 3}, "active_color: 3 is not a color"),
        ({"phase": []}, r"phase must be one of turn, .*, not \[\]"),
        ({"declared": 5}, "declared must be a list, not 5"),
        ({"declared": [True]}, "declared must be a whole number"),
        ({"declared": [[0]]}, "declared must be a whole number"),
        ({"history": "0 keeps"}, "history must be a list"),
        ({"history": [5]}, "history: 5 is not an event"),
        ({"round": 0}, "round must be from 1 to"),
        ({"dealer": 2}, "dealer must be from 0 to 1, not 2"),
        ({"outcome": {"winner": 0, "reason": "went_out"}}, "outcome is given although the phase is not over"),
        ({"phase": "over"}, "outcome|mapping"),
        ({"drawn_card": ""}, "drawn_card"),
        ({"before": 5}, "a state must be a mapping of fields, not 5"),
    ],
)
def test_data_that_makes_no_state_is_refused_by_name(changes: dict[str, object], message: str) -> None:
    with pytest.raises(StateError, match=message):
        State.from_dict(_data(**changes))


@pytest.mark.parametrize("value", [None, 5, "top r5", []])
def test_only_a_mapping_is_read(value: object) -> None:
    with pytest.raises(StateError, match="a state must be a mapping of fields, not"):
        State.from_dict(value)  # type: ignore[arg-type]


def test_hands_and_piles_must_be_the_deck() -> None:
    pile = parse_state(POSITION).draw_pile
    with pytest.raises(StateError, match="hands, draw_pile and discard_pile together: "):
        State.from_dict(_data(draw_pile=format_cards(pile[1:])))
    with pytest.raises(StateError, match="3 of r5 where the deck has 2"):
        State.from_dict(_data(draw_pile=format_cards((*pile, parse_card("r5")))))


# A value


def test_equal_states_are_equal_and_hash_alike() -> None:
    one, same, other = parse_state(POSITION), parse_state(POSITION), parse_state(f"{POSITION} | ply 1")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != POSITION
    assert len({one, same, other}) == 2


@pytest.mark.parametrize(
    "part",
    ["seed 1", "round 2", "scores 1 0", "people 0", "dealer 0", "to act 1", "acted 0", "reshuffles 1"],
)
def test_every_part_makes_a_difference(part: str) -> None:
    pile = f"draw pile {format_cards(parse_state(POSITION).draw_pile)}"
    assert parse_state(f"{POSITION} | {pile} | {part}") != parse_state(f"{POSITION} | {pile}")


def test_a_declaration_makes_a_difference() -> None:
    line = "rules mini | top r1 | seat 0: r2 y0 | seat 1: y1 y2"
    assert parse_state(f"{line} | declared 0") != parse_state(line)


def test_after_leaves_the_state_alone() -> None:
    state = parse_state(POSITION)
    line = str(state)
    after = state.after(parse_action("r7"))
    assert str(state) == line
    assert (after.ply, state.ply, after != state) == (1, 0, True)


def test_in_place_and_after_agree() -> None:
    for state in random_states(parse_rules("house"), 2, 60):
        for action in state.legal_actions:
            changed = state.copy()
            changed.apply_in_place(action)
            assert changed == state.after(action)


def test_a_copy_is_left_alone_by_apply_in_place() -> None:
    state = parse_state(POSITION)
    kept, seen = state.copy(), observe(state, 1)
    state.apply_in_place(parse_action("r7"))
    assert (kept.ply, state.ply) == (0, 1)
    assert seen == observe(kept, 1)


@pytest.mark.parametrize(
    "name",
    ["rules", "seed", "dealer", "round_number", "bots", "seat", "phase", "ply", "scores", "draw_pile", "top_card", "x"],
)
def test_a_state_cannot_be_changed_from_outside(name: str) -> None:
    state = parse_state(POSITION)
    with pytest.raises(AttributeError):
        setattr(state, name, getattr(state, name, None))


@pytest.mark.parametrize("change", ["after", "apply_in_place"])
@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("b2", r"b2 does not match r5 \(active color red\); seat 0 may: r7 w:r w:y w:g w:b draw"),
        ("g1", "g1 is not in the hand of seat 0; seat 0 may: r7"),
        ("keep", "keep is not possible in phase turn; seat 0 may: r7"),
        ("swap:1", "swap:1 is not possible in phase turn"),
        ("uno", "uno is not possible in phase turn"),
    ],
)
def test_an_illegal_action_is_refused_with_why_and_what_is_legal(change: str, action: str, message: str) -> None:
    state = parse_state(POSITION)
    with pytest.raises(IllegalActionError, match=message):
        getattr(state, change)(parse_action(action))
    assert state == parse_state(POSITION)


@pytest.mark.parametrize("value", ["r7", 5, None, True])
def test_only_an_action_is_applied(value: object) -> None:
    state = parse_state(POSITION)
    for change in (state.after, state.apply_in_place):
        with pytest.raises(IllegalActionError, match=r"expected an Action, not .*; read text with parse_action"):
            change(value)  # type: ignore[arg-type]


def test_legal_actions_are_listed_in_ascending_order_as_an_observation_lists_them() -> None:
    state = parse_state(POSITION)
    assert isinstance(state.legal_actions, tuple)
    assert state.legal_actions == observe(state, 0).legal_actions
    for state in random_states(parse_rules("house"), 4, 80):
        indices = [action.index for action in state.legal_actions]
        assert indices == sorted(set(indices))


def test_exactly_the_legal_actions_are_accepted() -> None:
    for state in random_states(parse_rules("house wild_draw_four=bluff"), 5, 40):
        accepted: list[Action] = []
        for action in ACTIONS:
            try:
                state.after(action)
            except IllegalActionError:
                continue
            accepted.append(action)
        assert tuple(accepted) == state.legal_actions


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, "0", None, 10**30])
def test_a_hand_of_no_seat_is_refused(seat: object) -> None:
    with pytest.raises(StateError, match=r"seat must be .*from 0 to 1, not"):
        parse_state(POSITION).hand(seat)  # type: ignore[arg-type]


def test_hands_are_sorted() -> None:
    state = parse_state("top r5 | seat 0: w+4 b1 w yR r9 r0 | seat 1: g1")
    assert format_cards(state.hand(0)) == "r0 r9 yR b1 w w+4"


def test_perft_counts_sequences_of_actions() -> None:
    state = deal(Rules.preset("mini"), seed=1)
    assert state.perft(0) == 1
    assert state.perft(1) == len(state.legal_actions)
    assert state.perft(3) == sum(state.after(action).perft(2) for action in state.legal_actions)
    over = play(parse_state("top r5 | seat 0: r1 | seat 1: g1"), "r1")
    assert over.perft(5) == 1
    for depth in (-1, 31, True, 1.0):
        with pytest.raises(StateError, match="depth must be"):
            state.perft(depth)  # type: ignore[arg-type]


def test_an_outcome_is_data() -> None:
    state = play(parse_state("top r5 | seat 0: r1 | seat 1: g9"), "r1")
    assert isinstance(state.outcome, Outcome)
    assert state.outcome.to_dict() == {"winner": 0, "reason": "went_out", "points": [9, 0]}
    assert state.to_dict()["outcome"] == state.outcome.to_dict()
    assert (state.seat, state.phase) == (None, Phase.OVER)
    with pytest.raises(AttributeError):
        state.outcome.winner = 1  # type: ignore[misc]


def test_a_state_is_short_in_a_traceback() -> None:
    assert repr(parse_state(POSITION)) == "<State ply 0, seat 0 to act, top r5>"


# deal


@pytest.mark.parametrize("seed", [-1, 2**256, True, 1.0, "7"])
def test_a_seed_out_of_range_is_refused(seed: object) -> None:
    with pytest.raises(StateError, match=r"seed must be a whole number from 0 to 2\*\*256 - 1, not"):
        deal(Rules(), seed)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="seed must be"):
        deck_order(Rules(), seed)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="seed must be"):
        reshuffled((), seed, 1)  # type: ignore[arg-type]


def test_a_seed_too_long_to_write_down_is_refused() -> None:
    with pytest.raises(StateError, match="seed must be"):
        deal(Rules(), 10**5000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dealer": 2}, "dealer must be from 0 to 1, not 2"),
        ({"dealer": True}, "dealer must be a whole number"),
        ({"round_number": 0}, "round_number must be from 1 to 1000000, not 0"),
        ({"scores": [0]}, r"scores must have one number for each of 2 seats, not \[0\]"),
        ({"scores": [0, True]}, "scores must be a whole number from .*, not True"),
        ({"scores": 5}, "scores must have one number"),
        ({"bots": [True]}, "bots must be True or False for each of 2 seats"),
        ({"bots": [1, 0]}, "bots must be True or False for each of 2 seats"),
        ({"deck": parse_cards("r5")}, "deck: 0 of r0 where the deck has 1"),
        ({"deck": ["r5"]}, "deck must hold cards, not 'r5'; read them with parse_cards"),
        ({"deck": [*MINI.cards()]}, "deck: .* where the deck has"),
        ({"reshuffles": [["r5"]]}, "reshuffles must hold cards, not 'r5'"),
        ({"reshuffles": [parse_cards("r5 " * 200)]}, "reshuffles: 200 cards are more than the deck has"),
    ],
)
def test_a_deal_that_does_not_fit_the_rules_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(StateError, match=message):
        deal(Rules(), **arguments)


@pytest.mark.parametrize("rules", ["official", None, {}])
def test_rules_must_be_rules(rules: object) -> None:
    with pytest.raises(StateError, match=r"rules must be Rules, not .*; make them with Rules.preset\(...\)"):
        deal(rules)  # type: ignore[arg-type]


def test_bots_and_scores_are_kept() -> None:
    state = deal(Rules(players=3), scores=[1, -2, 3], bots=[True, False, True], round_number=5)
    assert (state.scores, state.bots, state.round_number) == ((1, -2, 3), (True, False, True), 5)
