// One round in progress, and everything that can happen to it: `deal`, `apply`.
//
// The rules are cited by number; docs/reference/rules.md states them. Functions take a state of any kind (turn.hpp),
// rules of any type (rules.hpp) and a listener for events.
#pragma once

#include "rules/ending.hpp"
#include "rules/events.hpp"
#include "rules/legal.hpp"

namespace lastcard {

// ---- Drawing --------------------------------------------------------------------------------------------------------

template <class R, class S>
LASTCARD_FN void forget_declaration(S& state, const R& rules, int seat) {
    if (rules.uno_penalty > 0) state.turn.declared = static_cast<u16>(state.turn.declared & ~(1u << seat));
}

// The card drawn, or NO_CARD when there is none left (Rules 5.1 and 5.2).
template <class R, class S, class Listener>
LASTCARD_FN int draw_card(S& state, const R& rules, Listener& listener, int seat) {
    if (state.pile.size == 0) [[unlikely]] {
        if (!reshuffle_discards(state.pile, state.hands, state.turn.top, rules)) return NO_CARD;
        listener.reshuffled(seat, state.pile);
    }
    const int card = draw_top(state.pile);
    add_card(state.hands[seat], card);
    forget_declaration(state, rules, seat);
    listener.got(seat, card);
    return card;
}

template <class R, class S, class Listener>
LASTCARD_FN void draw_cards(S& state, const R& rules, Listener& listener, int seat, int count) {
    for (int i = 0; i < count; ++i) {
        if (draw_card(state, rules, listener, seat) == NO_CARD) break;
    }
    listener.drew(seat);
}

// ---- Turns and effects ----------------------------------------------------------------------------------------------

template <class S>
LASTCARD_FN void begin_turn(S& state, int seat) {
    state.turn.phase = Phase::TURN;
    state.turn.seat = static_cast<u8>(seat);
}

// Rule 10.7: asks the first seat from `seat` on that can jump in; without one, the next turn begins.
template <class R, class S>
LASTCARD_FN void ask_jump_in(S& state, const R& rules, int seat) {
    for (; seat != state.turn.player; seat = seat_after(state, rules, seat)) {
        if ((state.hands[seat].first & bit_of(state.turn.top)) != 0) {
            state.turn.phase = Phase::JUMP_IN;
            state.turn.seat = static_cast<u8>(seat);
            return;
        }
    }
    begin_turn(state, state.turn.next_seat);
}

// The top card's effect is resolved: a jump-in window (Rule 10.6), or the next turn.
template <class R, class S>
LASTCARD_FN void finish_effect(S& state, const R& rules, int next_seat) {
    if (rules.jump_in && is_colored(state.turn.top)) {
        state.turn.next_seat = static_cast<u8>(next_seat);
        ask_jump_in(state, rules, seat_after(state, rules, state.turn.player));
    } else {
        begin_turn(state, next_seat);
    }
}

template <class R, class S, class Listener>
LASTCARD_FN void skip_seat(S& state, const R& rules, Listener& listener, int seat) {
    listener.event(EventKind::SKIPPED, seat, 0, 0);
    finish_effect(state, rules, seat_after(state, rules, seat));
}

// Rules 4.3, 4.4 and 8.2: `seat` takes the sum, and loses its turn unless the round is over.
template <class R, class S, class Listener>
LASTCARD_FN void take_draw_sum(S& state, const R& rules, Listener& listener, int seat, int extra) {
    const int count = state.turn.draw_sum + extra;
    state.turn.draw_sum = 0;
    forget_declaration(state, rules, seat);  // Rule 7.1, also when nothing can be drawn
    draw_cards(state, rules, listener, seat, count);
    if (is_empty(state.hands[state.turn.player])) return end_round(state, state.turn.player, Ending::WENT_OUT);
    skip_seat(state, rules, listener, seat);
}

// Rule 10.5: the player of the 7 swaps with `other`.
template <class R, class S, class Listener>
LASTCARD_COLD void swap_hands(S& state, const R& rules, Listener& listener, int other) {
    const int seat = state.turn.seat;
    const Hand hand = state.hands[seat];
    state.hands[seat] = state.hands[other];
    state.hands[other] = hand;
    forget_declaration(state, rules, seat);
    forget_declaration(state, rules, other);
    listener.event(EventKind::SWAPPED, seat, other, 0);
    listener.received(seat, state.hands[seat]);
    listener.received(other, state.hands[other]);
}

// Rule 10.5: a 0 passes every hand on.
template <class R, class S, class Listener>
LASTCARD_COLD void pass_hands(S& state, const R& rules, Listener& listener) {
    const int last = state.turn.direction > 0 ? rules.players - 1 : 0;
    const Hand carried = state.hands[last];
    for (int i = 0, seat = last; i + 1 < rules.players; ++i, seat -= state.turn.direction) {
        state.hands[seat] = state.hands[seat - state.turn.direction];
    }
    state.hands[last == 0 ? rules.players - 1 : 0] = carried;
    state.turn.declared = 0;
    listener.event(EventKind::HANDS_PASSED, 0, 0, 0);
    for (int seat = 0; seat < rules.players; ++seat) listener.received(seat, state.hands[seat]);
}

// Section 4 and Rules 10.1, 10.5: what the card just played does.
template <class R, class S, class Listener>
LASTCARD_FN void resolve_effect(S& state, const R& rules, Listener& listener) {
    const int player = state.turn.player;
    if (state.turn.draw_sum > 0) {
        const int victim = seat_after(state, rules, player);
        const bool is_bluff = rules.wild_draw_four == WildDrawFour::BLUFF && is_four(state.turn.top);
        const bool is_last = is_empty(state.hands[player]);
        if (is_bluff || (rules.stacking != Stacking::NONE && !is_last)) {
            state.turn.phase = Phase::ANSWER;
            state.turn.seat = static_cast<u8>(victim);
            return;
        }
        return take_draw_sum(state, rules, listener, victim, 0);
    }
    const int rank = PLAYS.rank[state.turn.top_play];
    if (rules.seven_zero && rank == RANK_ZERO) pass_hands(state, rules, listener);
    if (rules.seven_zero && rank == RANK_SEVEN) {
        state.turn.phase = Phase::SWAP;
        state.turn.seat = static_cast<u8>(player);
        return;
    }
    const bool reverses = rank == REVERSE;
    const bool skips = rank == SKIP || (reverses && rules.players == 2);
    state.turn.direction = static_cast<i8>(reverses ? -state.turn.direction : state.turn.direction);
    const int next = seat_after(state, rules, player);
    if (skips) return skip_seat(state, rules, listener, next);
    finish_effect(state, rules, next);
}

// ---- Actions --------------------------------------------------------------------------------------------------------

template <class R, class S, class Listener>
LASTCARD_FN void apply_play(S& state, const R& rules, Listener& listener, int play) {
    const int seat = state.turn.seat;
    Hand& hand = state.hands[seat];
    listener.event(state.turn.phase == Phase::JUMP_IN ? EventKind::JUMPED_IN : EventKind::PLAYED, seat, 0, play);
    const int card = take_card(hand, face_bits(play));
    if (rules.wild_draw_four == WildDrawFour::BLUFF && is_four(card)) state.shown = hand;
    discard(state.pile, card);
    state.turn.top = static_cast<u8>(card);
    state.turn.top_play = static_cast<u8>(play);
    state.turn.last_color = state.turn.active_color;
    state.turn.active_color = PLAYS.color[play];
    state.turn.player = static_cast<u8>(seat);
    state.turn.last_actor = static_cast<u8>(seat);
    state.turn.drawn = NO_CARD;
    state.turn.stuck_passes = 0;
    state.turn.draw_sum = static_cast<u8>(state.turn.draw_sum + PLAYS.penalty[play]);
    if (is_empty(hand)) {  // Rules 8.1 and 8.2
        if (state.turn.draw_sum > 0) return resolve_effect(state, rules, listener);
        return end_round(state, seat, Ending::WENT_OUT);
    }
    if (rules.uno_penalty > 0 && num_cards(hand) == 1 && !has_declared(state, seat)) {  // Rule 7.3
        state.turn.phase = Phase::CATCH_UNO;  // for the offender first, which is to act already
        return;
    }
    resolve_effect(state, rules, listener);
}

template <class R, class S>
LASTCARD_FN bool is_playable(const S& state, const R& rules, int seat, int card) {
    return (legal_plays(state, rules, state.hands[seat]) & face_bits(card)) != 0;
}

// Rules 3.2, 5.2, 5.3 and 10.2.
template <class R, class S, class Listener>
LASTCARD_FN void apply_draw(S& state, const R& rules, Listener& listener) {
    const int seat = state.turn.seat;
    state.turn.last_actor = static_cast<u8>(seat);
    forget_declaration(state, rules, seat);
    int card = draw_card(state, rules, listener, seat);
    if (rules.draw_until_playable) {
        while (card != NO_CARD && !is_playable(state, rules, seat, card)) {
            const int next = draw_card(state, rules, listener, seat);
            if (next == NO_CARD) break;
            card = next;
        }
    }
    listener.drew(seat);
    if (card == NO_CARD) {
        state.turn.stuck_passes += 1;
        if (state.turn.stuck_passes == rules.players) return end_unfinished(state, rules, Ending::BLOCKED);
        return begin_turn(state, seat_after(state, rules, seat));
    }
    state.turn.stuck_passes = 0;
    if (rules.drawn_card == DrawnCard::END_TURN) return begin_turn(state, seat_after(state, rules, seat));
    state.turn.phase = Phase::DRAWN;
    state.turn.drawn = static_cast<u8>(card);
}

template <class R, class S, class Listener>
LASTCARD_FN void apply_keep(S& state, const R& rules, Listener& listener) {
    const int seat = state.turn.seat;
    listener.event(EventKind::KEPT, seat, 0, 0);
    forget_declaration(state, rules, seat);
    state.turn.drawn = NO_CARD;
    state.turn.last_actor = static_cast<u8>(seat);
    begin_turn(state, seat_after(state, rules, seat));
}

// Rules 6.3, 6.4 and 10.1.
template <class R, class S, class Listener>
LASTCARD_COLD void apply_challenge(S& state, const R& rules, Listener& listener) {
    const bool guilty = has_color(state.shown, state.turn.last_color);
    listener.challenged(state.turn.seat, state.turn.player, guilty, state.shown);
    if (!guilty) return take_draw_sum(state, rules, listener, state.turn.seat, 2);
    const int count = state.turn.draw_sum;
    state.turn.draw_sum = 0;
    draw_cards(state, rules, listener, state.turn.player, count);
    begin_turn(state, state.turn.seat);
}

// Rules 7.1 and 7.3: a late call closes the catch window.
template <class R, class S, class Listener>
LASTCARD_COLD void apply_call(S& state, const R& rules, Listener& listener) {
    const int seat = state.turn.seat;
    listener.event(EventKind::CALLED_UNO, seat, 0, 0);
    state.turn.declared = static_cast<u16>(state.turn.declared | 1u << seat);
    if (state.turn.phase == Phase::CATCH_UNO) resolve_effect(state, rules, listener);
}

// Rule 10.7.
template <class R, class S, class Listener>
LASTCARD_COLD void apply_pass(S& state, const R& rules, Listener& listener) {
    state.turn.ply -= 1;  // Rule 5.4: a count that private passes moved would tell of them
    listener.event(EventKind::PASSED, state.turn.seat, 0, 0);
    const int next = seat_after(state, rules, state.turn.seat);
    if (state.turn.phase == Phase::JUMP_IN) return ask_jump_in(state, rules, next);
    if (next == state.turn.player) return resolve_effect(state, rules, listener);
    state.turn.seat = static_cast<u8>(next);
}

template <class R, class S, class Listener>
LASTCARD_COLD void apply_rare(S& state, const R& rules, Listener& listener, int action) {
    const int seat = state.turn.seat;
    state.turn.stuck_passes = 0;
    if (action == PASS) return apply_pass(state, rules, listener);
    state.turn.last_actor = static_cast<u8>(seat);
    if (action == ACCEPT) {
        listener.event(EventKind::ACCEPTED, seat, state.turn.draw_sum, 0);
        take_draw_sum(state, rules, listener, seat, 0);
    } else if (action == CHALLENGE) {
        apply_challenge(state, rules, listener);
    } else if (action == UNO) {
        apply_call(state, rules, listener);
    } else if (action == CATCH) {
        listener.event(EventKind::CAUGHT, seat, state.turn.player, 0);
        draw_cards(state, rules, listener, state.turn.player, rules.uno_penalty);
        resolve_effect(state, rules, listener);
    } else if (action >= FIRST_COLOR) {  // Rule 2.2
        listener.event(EventKind::NAMED, seat, 0, action - FIRST_COLOR);
        state.turn.active_color = static_cast<u8>(action - FIRST_COLOR);
        state.turn.top_play = static_cast<u8>(FIRST_WILD + state.turn.active_color);
        begin_turn(state, seat);
    } else {
        swap_hands(state, rules, listener, action - FIRST_SWAP);
        finish_effect(state, rules, seat_after(state, rules, seat));
    }
}

// Applies a legal action.
template <class R, class S, class Listener>
LASTCARD_FN void apply(S& state, const R& rules, Listener& listener, int action) {
    state.turn.ply += 1;
    if (is_play(action)) apply_play(state, rules, listener, action);
    else if (action == DRAW) apply_draw(state, rules, listener);
    else if (action == KEEP) apply_keep(state, rules, listener);
    else apply_rare(state, rules, listener, action);
    if (state.turn.ply >= rules.max_plies && state.turn.phase != Phase::OVER) [[unlikely]] {  // Rule 5.4
        end_unfinished(state, rules, Ending::MAX_PLIES);
    }
}

// ---- The deal -------------------------------------------------------------------------------------------------------

// Rule 2.2: what the turned-up card does.
template <class R, class S, class Listener>
LASTCARD_FN void open_round(S& state, const R& rules, Listener& listener, int dealer) {
    const int first = seat_after(state, rules, dealer);
    begin_turn(state, first);
    if (!is_colored(state.turn.top)) {
        state.turn.active_color = NO_COLOR;
        state.turn.phase = Phase::NAME_COLOR;
        return;
    }
    state.turn.active_color = static_cast<u8>(color_of(state.turn.top));
    const int rank = rank_of(state.turn.top);
    if (rank == REVERSE) {
        state.turn.direction = -1;
        if (rules.players > 2) return begin_turn(state, dealer);
    }
    if (rank == DRAW_TWO) draw_cards(state, rules, listener, first, 2);
    if (rank >= SKIP) {
        listener.event(EventKind::SKIPPED, first, 0, 0);
        begin_turn(state, seat_after(state, rules, first));
    }
}

// Section 2, from a full pile.
template <class R, class S, class Listener>
LASTCARD_FN void deal(S& state, const R& rules, Listener& listener, int dealer) {
    for (int seat = 0; seat < rules.players; ++seat) state.hands[seat] = Hand{0, 0};
    state.shown = Hand{0, 0};
    state.turn.ply = 0;
    state.turn.declared = 0;
    state.turn.last_color = NO_COLOR;
    state.turn.player = NO_SEAT;
    state.turn.next_seat = NO_SEAT;
    state.turn.drawn = NO_CARD;
    state.turn.draw_sum = 0;
    state.turn.stuck_passes = 0;
    state.turn.last_actor = NO_SEAT;
    state.turn.winner = NO_SEAT;
    state.turn.ending = Ending::NONE;
    state.turn.direction = 1;
    const int first = seat_after(state, rules, dealer);
    for (int i = 0; i < rules.hand_size; ++i) {
        for (int k = 0, seat = first; k < rules.players; ++k, seat = seat_after(state, rules, seat)) {
            add_card(state.hands[seat], draw_top(state.pile));
        }
    }
    for (int k = 0, seat = first; k < rules.players; ++k, seat = seat_after(state, rules, seat)) {
        listener.dealt(seat, rules.hand_size, state.hands[seat]);
    }
    int card = draw_top(state.pile);
    listener.event(EventKind::TURNED_UP, 0, 0, card);
    while (is_four(card)) {
        put_back(state.pile, card);
        listener.reshuffled(NO_SEAT, state.pile);
        card = draw_top(state.pile);
        listener.event(EventKind::TURNED_UP, 0, 0, card);
    }
    discard(state.pile, card);
    state.turn.top = static_cast<u8>(card);
    state.turn.top_play = static_cast<u8>(card);
    open_round(state, rules, listener, dealer);
}

}  // namespace lastcard
