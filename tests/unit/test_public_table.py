"""A round of which only the public part is known goes as the whole round does."""

import random

import pytest

from lastcard.actions import PASS, UNO, Action, parse_action
from lastcard.advice.public_table import PublicTable, take_back
from lastcard.cards import parse_card
from lastcard.events import EventFollower, EventKind
from lastcard.phase import Ending, Phase, can_come_up
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal
from tests.oracle.agreement import choose_at_random
from tests.unit.helpers import VARIED_RULES


def begin(state: State) -> PublicTable:
    table = PublicTable(state.rules, [len(player.hand) for player in state.players], state.direction)
    table.lay(state.top_card, state.active_color)
    assert state.seat is not None
    table.give_turn(state.seat)
    return table


def follow(table: PublicTable, before: State, action: Action, after: State) -> None:
    """Tells the table one ply, without a card that not all could see."""
    seat = before.seat
    assert seat is not None
    news = after.history[len(before.history) :]
    if before.phase is Phase.JUMP_IN:
        if action == UNO:
            table.call_uno(seat)
        elif action != PASS:
            assert table.play_out_of_turn(seat, action) is not None
    elif action == UNO and before.phase is not Phase.CATCH:
        table.call_uno(seat)
    else:
        drawn = sum(event.count or 0 for event in news if event.kind is EventKind.DREW)
        guilty = any(event.guilty for event in news)
        assert table.act(seat, action, drawn=drawn, is_guilty=guilty) is not None


def facts(table: PublicTable | State) -> tuple[object, ...]:
    if isinstance(table, PublicTable):
        return (table.phase, table.seat, table.sizes, table.direction, table.owed, table.color, table.declared)
    sizes = tuple(len(player.hand) for player in table.players)
    declared = table.declared_uno if table.rules.uno_penalty else ()
    return (table.phase, table.seat, sizes, table.direction, table.draw_sum, table.active_color, declared)


@pytest.mark.parametrize("text", VARIED_RULES)
def test_the_public_part_goes_as_the_whole_round(text: str) -> None:
    rng = random.Random(text)
    for seed in range(3):
        state = deal(parse_rules(text), seed)
        table = begin(state)
        while not state.is_over and state.ply < 150:
            action = choose_at_random(rng, state.legal_actions, is_uniform=True)
            after = state.after(action)
            follow(table, state, action, after)
            state = after
            if state.outcome is not None and state.outcome.reason is Ending.MAX_PLIES:
                break  # told events have no end of their own
            if state.phase is not Phase.JUMP_IN:  # the window tells nobody who is asked (Rule 10.7)
                assert facts(table) == facts(state), state.history[-5:]


@pytest.mark.parametrize("text", VARIED_RULES)
def test_what_an_event_leaves_behind_and_what_was_before_it(text: str) -> None:
    rng = random.Random(text)
    state = deal(parse_rules(text), 5)
    while not state.is_over and state.ply < 150:
        state = state.after(choose_at_random(rng, state.legal_actions, is_uniform=True))
    follower = EventFollower(state.rules)
    sizes = [follower.hear(event).hand_sizes for event in state.history]
    assert sizes[-1] == tuple(len(player.hand) for player in state.players)
    counts, direction = sizes[-1], state.direction
    if state.phase is Phase.CATCH:
        return  # the last card has had no effect yet
    for event, before in zip(reversed(state.history), [*reversed(sizes[:-1]), ()], strict=True):
        if event.kind is EventKind.DEALT:
            break
        counts, direction = take_back(event, counts, direction)
        assert counts == before


def test_draws_are_forced_or_chosen() -> None:
    state = deal(Rules.preset("house", players=3), 1)
    rng = random.Random(1)
    forced = chosen = 0
    follower = EventFollower(state.rules)
    heard = 0
    while not state.is_over and state.ply < 300:
        phase, action = state.phase, choose_at_random(rng, state.legal_actions, is_uniform=False)
        state = state.after(action)
        for event in state.history[heard:]:
            after = follower.hear(event)
            if event.kind is EventKind.DREW:
                assert after.is_forced == (phase is not Phase.TURN or action.is_play)
                forced, chosen = forced + after.is_forced, chosen + (not after.is_forced)
        heard = len(state.history)
    assert min(forced, chosen) > 0


def test_the_core_forbids_what_the_rules_forbid() -> None:
    table = PublicTable(Rules(), (7, 7), direction=1)
    table.lay(parse_card("r5"), parse_card("r5").color)
    table.give_turn(0)
    for text in ("g7", "keep", "accept", "challenge", "uno", "catch", "pass", "swap:1", "color:r"):
        assert table.act(0, parse_action(text)) is None, text
    assert table.act(1, parse_action("r7")) is None
    assert table.act(0, parse_action("r7")) == []
    assert table.sizes == (6, 7)


def test_who_is_asked_about_a_draw_card() -> None:
    cards = [parse_card(text) for text in ("r+2", "w+4")]
    asked = {
        rules: [can_come_up(Phase.ANSWER, parse_rules(rules), card) for card in cards]
        for rules in ("official", "tournament", "house")
    }
    assert asked == {"official": [False, False], "tournament": [False, True], "house": [True, True]}
