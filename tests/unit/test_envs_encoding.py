"""The observation encoding: documented, complete, the same from an observation and from an environment."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lastcard import _core
from lastcard.actions import ACTIONS, parse_action
from lastcard.cards import CARDS
from lastcard.envs import (
    ENCODING_SIZE,
    NUM_ACTIONS,
    action_mask,
    action_of_index,
    encode,
    encoding_blocks,
    index_of_action,
)
from lastcard.envs.encoding import format_encoding
from lastcard.errors import IllegalActionError, StateError
from lastcard.observation import Observation, observe
from lastcard.rules import MAX_PLAYERS, PRESETS, Rules, parse_rules
from lastcard.state import State, deal
from lastcard.table import Table
from tests.counts import counted
from tests.unit.helpers import VARIED_RULES, dealt, legal, play, random_states, table

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "encoding.md"


def see(state: State, seat: int | None = None) -> Observation:
    """Returns the observation of that seat, or of the seat to act."""
    return observe(state, state.seat or 0 if seat is None else seat)


def block(observation: Observation, name: str) -> list[int]:
    """The bytes of one block."""
    found = next(block for block in encoding_blocks() if block.name == name)
    return [int(value) for value in encode(observation)[found.start : found.stop]]


def by_seat(observation: Observation, name: str) -> list[int]:
    """The bytes of a block for the seats at the table; the others are 0."""
    values = block(observation, name)
    size = len(values) // MAX_PLAYERS * observation.rules.players
    assert not any(values[size:])
    return values[:size]


# The table


def test_the_document_holds_the_index_table() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    head, heading, _ = text.partition("## Blocks\n\n")
    if os.environ.get("UPDATE_GOLDEN"):
        DOCUMENT.write_text(head + heading + format_encoding(), encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == head + heading + format_encoding()


def test_blocks_follow_each_other() -> None:
    blocks = encoding_blocks()
    assert blocks[0].start == 0
    assert all(block.stop == following.start for block, following in pairwise(blocks))
    assert all(block.stop > block.start and block.unit >= 1 for block in blocks)
    assert blocks[-1].stop == ENCODING_SIZE
    [legal] = (block for block in blocks if block.name == "legal_actions")
    assert legal.stop - legal.start == NUM_ACTIONS == len(ACTIONS)


def test_impossible_arguments_are_named() -> None:
    with pytest.raises(StateError, match="observation must be an Observation, not None"):
        encode(None)  # type: ignore[arg-type]


# What it says


def test_cards_are_counted_by_face() -> None:
    seen = see(dealt(["r5 r5 w b2", "g1 g1 yR yS"], "r7", "r1 r2 r3"))
    own = dict(zip(CARDS, block(seen, "own_hand"), strict=True))
    assert {card.text: count for card, count in own.items() if count} == {"r5": 2, "b2": 1, "w": 1}
    discards = dict(zip(CARDS, block(seen, "discard_pile"), strict=True))
    assert {card.text: count for card, count in discards.items() if count} == {"r7": 1}
    unseen = dict(zip(CARDS, block(seen, "unseen"), strict=True))
    assert {card.text: count for card, count in unseen.items() if count} == {
        **{"g1": 2, "yS": 1, "yR": 1},
        **{"r1": 1, "r2": 1, "r3": 1},
    }
    assert block(seen, "color_count") == [2, 0, 0, 1]
    assert block(seen, "has_color") == [1, 0, 0, 1]
    assert block(seen, "draw_pile_size") == [3]


def test_a_draw_on_a_color_is_remembered_by_cards_and_by_actions() -> None:
    state = dealt(["r5 r6", "g1 g2"], "b7", "y1 y2 y3 y4")
    state = play(state, "draw keep draw keep")  # both drew on blue
    seen = see(state)
    assert by_seat(seen, "drew_cards") == [0, 0, 0, 240, 0, 0, 0, 240]
    assert by_seat(seen, "drew_ago") == [0, 0, 0, 160, 0, 0, 0, 240]
    seen = see(play(state, "draw keep"))  # seat 0 once more, with a second card
    assert by_seat(seen, "drew_cards") == [0, 0, 0, 240, 0, 0, 0, 240]
    assert by_seat(seen, "drew_ago") == [0, 0, 0, 160, 0, 0, 0, 240]


def test_cards_got_since_a_draw_count() -> None:
    state = play(dealt(["r5 b+2", "g1 g2"], "b7", "y1 y2 y3 y4"), "draw keep draw keep b+2")
    seen = see(state)  # two players: seat 0 again, seat 1 got two more
    assert by_seat(seen, "drew_cards") == [0, 0, 0, 240, 0, 0, 0, 80]
    assert by_seat(seen, "played_ago") == [0, 0, 0, 240, 0, 0, 0, 0]


def test_seats_are_counted_in_the_order_of_play() -> None:
    state = play(dealt(["r5 r6 r7", "rR r2 r3", "b1 b2 b3"], "r9", "y1 y2 y3"), "r5 rR")
    seen = see(state)
    assert seen.seat == 0  # the direction has turned
    assert by_seat(seen, "hand_size") == [2, 3, 2]  # seats 0, 2, 1
    assert by_seat(seen, "top_player") == [0, 0, 1]


def test_last_actions_are_told_newest_first() -> None:
    seen = see(play(dealt(["r5 w", "g5 g2"], "b7", "y1 y2 y3 y4"), "draw keep draw keep w:g"))
    assert seen.seat == 1
    last = np.array(block(seen, "last_actions")).reshape(6, 10 + 4 + 15 + 6)
    assert last[0].nonzero()[0].tolist() == [1, 10 + 2, 10 + 4 + 13]  # seat 0 is one on; green; a Wild
    assert last[1].nonzero()[0].tolist() == [0, 10 + 4 + 15]  # seat 1 itself drew
    assert last[2].nonzero()[0].tolist() == [1, 10 + 4 + 15]
    assert not last[3:].any()
    assert by_seat(seen, "named_ago") == [0, 0, 0, 0, 0, 0, 240, 0]


def test_pending_draws_and_challenges() -> None:
    state = table("top r5 | seat 0: w+4 r2 g3 | seat 1: g1 g1 yR", draws="b1 b2 b3 b4 b5 b6", rules="tournament")
    seen = see(play(state, "w+4:g"))
    assert block(seen, "draw_sum") == [4]
    assert block(seen, "phase") == [0, 0, 0, 1, 0, 0, 0]
    assert block(seen, "last_color") == [1, 0, 0, 0]
    assert block(seen, "uno_penalty") == [2]
    assert block(seen, "switches")[:4] == [0, 1, 0, 0]


def test_a_reshuffle_empties_the_discards() -> None:
    state = dealt(["r5 r6", "r1 r2"], "r7", "y1", reshuffles=["r7 r5"])
    seen = see(play(state, "r5 draw keep draw keep"))
    assert sum(block(seen, "discard_pile")) == 1


def test_only_the_observers_own_turn_has_a_mask() -> None:
    state = deal(Rules.preset("official"), seed=7)
    assert not action_mask(see(state, 1)).any()
    assert not any(block(see(state, 1), "legal_actions"))
    assert block(see(state, 0), "legal_actions") == action_mask(see(state, 0)).tolist()


# Action indices


def test_a_swap_is_named_by_seats_on() -> None:
    state = table("top r5 | seat 0: r1 | seat 1: r7 r2 g3 | seat 2: g1 g1 | seat 3: b1 b2 | to act 1", rules="house")
    seen = see(play(state, "uno r7") if "uno" in map(str, state.legal_actions) else play(state, "r7"))
    assert [index_of_action(seen, parse_action(f"swap:{seat}")) for seat in (2, 3, 0)] == [68, 69, 70]
    for action in seen.legal_actions:
        assert action_of_index(seen, index_of_action(seen, action)) is action
    with pytest.raises(IllegalActionError, match="index 60 is draw, which is not legal here"):
        action_of_index(seen, 60)
    with pytest.raises(IllegalActionError, match="index must be from 0 to 80, not 81"):
        action_of_index(seen, 81)


# Ranges and counts


def one_of(size: int, place: int) -> list[int]:
    return [int(i == place) for i in range(size)]


def test_large_hands_have_ranges() -> None:
    seen = see(dealt(["r1 r2 r3 r4 r5 r6 r7 r8 r9 y1 y2 y3 y4", "b1 b2 b3 b4 b5 b6 b7 b8 b9 g1 g2 g3 g4"], "r0", "w w"))
    assert block(seen, "size_range") == [*one_of(8, 1), *one_of(8, 1), *[0] * 64]  # three more than ten
    assert block(seen, "others_range") == one_of(10, 8)  # 12 to 15
    assert block(seen, "draw_pile_range") == one_of(8, 0)
    small = see(dealt(["r1", "b1"], "r0", "w w w w"))
    assert not any(block(small, "size_range"))
    assert block(small, "draw_pile_range") == one_of(8, 1)


def test_cards_that_cost_a_turn_are_counted() -> None:
    hands = ["rS r+2 w+4 rR r5 w", "gS g+2 w+4 gR g5 g6"]
    two, three = see(dealt(hands, "r0", "yS y1")), see(dealt([*hands, "y2 y3 y4 y5 y6 y7"], "r0", "yS y1"))
    assert block(two, "stopping_range") == one_of(10, 4)  # with two players a Reverse costs a turn as well
    assert block(two, "others_range") == one_of(10, 2)
    assert block(two, "unseen_stopping") == [5]
    assert block(three, "stopping_range") == one_of(10, 3)
    assert block(three, "unseen_stopping") == [4]
    symbols = block(two, "own_symbols")
    assert (symbols[5], symbols[10:]) == (1, [1, 1, 1, 1, 1])
    assert block(two, "unseen_symbols")[10:] == [2, 1, 1, 0, 1]
    assert block(two, "legal_plays") == [sum(int(a.is_play) for a in two.legal_actions)]
    assert block(two, "players_are") == one_of(9, 0)
    assert block(three, "players_are") == one_of(9, 1)
    assert block(three, "dealt_cards") == [6]


def test_time_is_told() -> None:
    state = dealt(["r5 r6", "g1 g2"], "b7", "y1 y2 y3", reshuffles=["b7 y1 y2"])
    assert (block(see(state), "cards_got"), block(see(state), "reshuffles")) == ([0] * 10, [0])
    state = play(state, "draw keep draw keep draw keep")
    assert block(see(state), "cards_got")[:2] == [1, 2]
    assert not any(block(see(state), "round_lasted"))
    state, draws = deal(Rules.preset("official"), seed=1), 0
    while draws < 16:
        assert sum(block(see(state), "round_lasted")) == 0
        action = "keep" if "keep" in legal(state) else "draw"
        state, draws = play(state, action), draws + (action == "draw")
    assert block(see(state), "round_lasted") == one_of(10, 0)  # keeping does not count


def test_a_turned_up_draw_two_counts_as_cards_got() -> None:
    assert sorted(block(see(dealt(["r5 r6", "g1 g2"], "b+2", "y1 y2 y3")), "cards_got"), reverse=True)[:2] == [2, 0]


def test_scores_are_told_from_the_observer_on() -> None:
    table = Table(Rules.preset("official", players=3), ["heuristic"] * 3, seed=1)
    table.play_round()
    table.next_round()
    seen = see(table.state)
    seat = seen.seat or 0
    wanted = [min(table.scores[(seat + on * seen.direction) % 3] // 4, 255) for on in range(3)]
    assert block(seen, "score") == [*wanted, *[0] * 7]
    shares = [min(100 * table.scores[(seat + on * seen.direction) % 3] // 500, 255) for on in range(3)]
    assert block(seen, "score_share") == [*shares, *[0] * 7]
    assert any(wanted)


@pytest.mark.parametrize(("target", "byte"), [(500, 25), (200, 10), (1, 0), (1_000_000, 255)])
def test_the_target_score_is_told(target: int, byte: int) -> None:
    seen = observe(deal(Rules.preset("official", target_score=target), seed=7), seat=0)
    assert block(seen, "target_score") == [byte]


@pytest.mark.parametrize(("plies", "powers"), [(15, 0), (16, 1), (10_000, 10), (65_536, 13), (1_000_000, 13)])
def test_the_most_plies_are_told(plies: int, powers: int) -> None:
    seen = observe(deal(Rules.preset("official", max_plies=plies), seed=7), seat=0)
    assert block(seen, "most_plies") == [*[1] * powers, *[0] * (13 - powers)]


def known(state: State, seat: int) -> str:
    """Cards that the seat knows to be in other hands, in notation."""
    seen = see(state, seat)
    counts = dict(zip(CARDS, block(seen, "known_cards"), strict=True))
    assert block(seen, "num_known") == [sum(counts.values())]
    kinds = ("S", "+2", "+4", "R") if seen.rules.players == 2 else ("S", "+2", "+4")
    stopping = sum(count for card, count in counts.items() if card.text[1:] in kinds)
    assert block(seen, "known_stopping") == [stopping]
    return " ".join(card.text for card, count in counts.items() for _ in range(count))


def test_at_a_reshuffle_the_other_hand_is_known() -> None:
    state = dealt(["r5 r6 b7", "g1 gS w"], "r9", "y1")
    state = play(state, "r5 draw")
    assert known(state, 0) == known(state, 1) == ""
    state = play(state, "keep draw keep")  # the pile was empty: r9 went back, and seat 0 drew it
    assert known(state, 0) == "y1 g1 gS w"
    assert known(state, 1) == "r6 b7"  # it cannot know of the r9
    state = play(state, "w:b")
    assert known(state, 0) == "y1 g1 gS"
    assert known(state, 1) == "r6 b7"
    assert known(play(state, "b7"), 1) == "r6"


def test_a_hand_that_was_shown_is_known() -> None:
    state = dealt(["r5 b6 w+4", "g1 g2 g3"], "r9", "y1 y2 y3 y4 y5 y6", rules="tournament uno_penalty=0")
    state = play(state, "w+4:g challenge")
    assert known(state, 1) == "r5 b6"
    assert known(state, 0) == ""


def test_a_hand_that_was_passed_on_is_known() -> None:
    rules = "official players=3 seven_zero=on"
    state = dealt(["r7 r1 r2", "g1 g2 g3", "b1 b2 b3"], "r9", "y1 y2 y3", rules=rules)
    swapped = play(state, "r7 swap:2")
    assert [known(swapped, seat) for seat in range(3)] == ["r1 r2", "", "b1 b2 b3"]
    passed = play(dealt(["r0 r1 r2", "g1 g2 g3", "b1 b2 b3"], "r9", "y1 y2 y3", rules=rules), "r0")
    assert [known(passed, seat) for seat in range(3)] == ["r1 r2", "g1 g2 g3", "b1 b2 b3"]
    assert known(play(passed, "draw keep"), 0) == "r1 r2"


FEW_CARDS = "official hand_size=3 deck=r1,r1,r2,r3,rS,gS,bS,bS,w,w,w,w+4,w+4,g1,g2"


@pytest.mark.parametrize("rules", [*VARIED_RULES, FEW_CARDS])
def test_known_cards_are_in_other_hands(rules: str) -> None:
    """Also copies of one face: the seat to act knows of no more than there are."""
    for seed in range(6):
        for state in random_states(parse_rules(rules), seed, 200):
            seat = state.seat
            if seat is None:
                continue
            others = [card.text for k in range(state.rules.players) if k != seat for card in state.hand(k)]
            for text in known(state, seat).split():
                others.remove(text)


# The same numbers everywhere


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*PRESETS, *VARIED_RULES, "house players=2", "official players=10"])
def test_observations_and_environments_give_the_same_rows(rules: str) -> None:
    """An environment that remembers ply by ply, beside the truth and what it shows to the seat to act."""
    assert _core.check_encodings(parse_rules(rules)._compiled, counted(200, least=40), 1) == ""


@pytest.mark.parametrize("rules", ["official", "house"])
def test_every_block_but_rare_ones_varies(rules: str) -> None:
    made = parse_rules(rules)
    rows = []
    for seed in range(40):
        game = Table(made, ["random"] * made.players, seed=seed)
        while not game.state.is_over:
            rows.append(encode(see(game.state)))
            game.play_ply()
    spread = np.array(rows).max(axis=0) - np.array(rows).min(axis=0)
    constant = {b.name for b in encoding_blocks() if not spread[b.start : b.stop].any()}
    of_table = {"switches", "uno_penalty", "players_are", "dealt_cards", "target_score", "most_plies"}
    rare = {"stuck_passes", "score", "score_share"}
    if rules == "official":
        rare |= {"draw_sum", "reshuffles", "known_cards", "known_stopping", "num_known"}
    assert constant <= of_table | rare
