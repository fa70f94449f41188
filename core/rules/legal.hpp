// Which actions are legal: one predicate for each rule, cited by its number in docs/reference/rules.md.
#pragma once

#include "rules/turn.hpp"

namespace lastcard {

// Rule 3.1, Wilds aside.
template <class S>
LASTCARD_FN u64 matching_cards(const S& state, const Hand& hand) {
    return hand.first & PLAYS.matching[state.turn.top_play];
}

// Whether the hand holds a card of the active color.
template <class S>
LASTCARD_FN bool has_active_color(const S& state, const Hand& hand) {
    return (hand.first & PLAYS.same_color[state.turn.top_play]) != 0;
}

// Rules 6.1 and 6.2; `others` are the plays that a last resort has to yield to.
template <class R, class S>
LASTCARD_FN bool can_play_four(const S& state, const R& rules, const Hand& hand, u64 others) {
    if ((hand.first & FOUR_BITS) == 0) return false;
    if (rules.wild_draw_four == WildDrawFour::STRICT) return !has_active_color(state, hand);
    if (rules.wild_draw_four == WildDrawFour::LAST_RESORT) return others == 0;
    return true;
}

// The plays that the hand offers on the top card.
template <class R, class S>
LASTCARD_FN u64 legal_plays(const S& state, const R& rules, const Hand& hand) {
    u64 plays = matching_cards(state, hand);
    plays |= (hand.first & WILD_BITS) != 0 ? WILD_BITS : 0;
    plays |= can_play_four(state, rules, hand, plays) ? FOUR_BITS : 0;
    return plays;
}

// Rule 3.3: of these only the card just drawn.
template <class R, class S>
LASTCARD_FN u64 legal_drawn_plays(const S& state, const R& rules) {
    return legal_plays(state, rules, state.hands[state.turn.seat]) & face_bits(state.turn.drawn);
}

// Rule 10.1: what any hand can stack on the draw card on top.
template <class R>
LASTCARD_FN u64 stackable_plays(const R& rules, int top) {
    if (rules.stacking == Stacking::NONE) return 0;
    if (!is_colored(top)) return FOUR_BITS;
    return (rank_bits(DRAW_TWO) & COLORED_BITS) | (rules.stacking == Stacking::ANY_UP ? FOUR_BITS : 0);
}

// Rule 10.1: what the hand of the seat to act can.
template <class R, class S>
LASTCARD_FN u64 legal_stack_plays(const S& state, const R& rules) {
    const u64 stackable = stackable_plays(rules, state.turn.top);
    if (stackable == 0 || is_empty(state.hands[state.turn.player])) return 0;
    const Hand& hand = state.hands[state.turn.seat];
    const u64 twos = hand.first & stackable & COLORED_BITS;
    return twos | ((stackable & FOUR_BITS) != 0 && can_play_four(state, rules, hand, twos) ? FOUR_BITS : 0);
}

// Rules 6.3 and 10.1: whether so many cards can be owed for the draw card on top.
template <class R>
LASTCARD_FN bool can_be_owed(const R& rules, int top, int sum) {
    const int own = PLAYS.penalty[top];
    if (own == 0 || rules.stacking == Stacking::NONE) return own != 0 && sum == own;
    // With ANY_UP, Draw Twos can lie below a Wild Draw Four.
    const int step = rules.stacking == Stacking::ANY_UP ? 2 : own;
    // A deck has at most eight Draw Twos and four Wild Draw Fours (Rule 1.2).
    return sum >= own && sum <= 8 * 2 + 4 * 4 && sum % step == 0;
}

// Rule 6.3.
template <class R>
LASTCARD_FN bool can_challenge(const R& rules, int top) {
    return rules.wild_draw_four == WildDrawFour::BLUFF && is_four(top);
}

template <class R, class S>
LASTCARD_FN bool is_anything_to_draw(const S& state, const R& rules) {
    return state.pile.size > 0 || has_discards(state.pile, state.hands, rules);
}

// Rules 3.2, 5.2 and 10.3.
template <class R, class S>
LASTCARD_FN bool can_draw(const S& state, const R& rules, u64 plays) {
    return plays == 0 || (!rules.must_play && is_anything_to_draw(state, rules));
}

// Rules 10.2, 10.3 and 10.5: a seat may draw until it has a 7, and takes the hand of an opponent about to go out. Among
// seats that all do so, a round has thousands of plies.
template <class R>
LASTCARD_FN bool pays_to_wait(const R& rules) {
    return rules.seven_zero && rules.draw_until_playable && !rules.must_play;
}

// Rules 3.3, 6.5 and 10.4.
template <class R, class S>
LASTCARD_FN bool can_keep(const S& state, const R& rules, u64 plays) {
    if (rules.drawn_card != DrawnCard::MUST_PLAY || plays == 0) return true;
    return is_four(state.turn.drawn) && has_active_color(state, state.hands[state.turn.seat]);
}

template <class S>
LASTCARD_FN bool has_declared(const S& state, int seat) {
    return (state.turn.declared >> seat & 1) != 0;
}

// Rule 7.1.
template <class R, class S>
LASTCARD_FN bool can_declare(const S& state, const R& rules, u64 plays) {
    return rules.uno_penalty > 0 && plays != 0 && num_cards(state.hands[state.turn.seat]) == 2 &&
           !has_declared(state, state.turn.seat);
}

// Whether the rules ask for such a decision at all, with this card on top.
template <class R>
LASTCARD_FN bool can_come_up(const R& rules, Phase phase, int top) {
    switch (phase) {
        case Phase::DRAWN:
            return rules.drawn_card != DrawnCard::END_TURN;
        case Phase::ANSWER:  // Rules 6.3 and 10.1
            return rules.stacking != Stacking::NONE || can_challenge(rules, top);
        case Phase::SWAP:  // Rule 10.5
            return rules.seven_zero && is_colored(top) && rank_of(top) == RANK_SEVEN;
        case Phase::CATCH_UNO:
            return rules.uno_penalty > 0;
        case Phase::JUMP_IN:
            return rules.jump_in;
        default:
            return true;
    }
}

template <class R, class S>
LASTCARD_FN ActionSet legal_actions(const S& state, const R& rules) {
    ActionSet legal{0, 0};
    switch (state.turn.phase) {
        case Phase::TURN:
            legal.plays = legal_plays(state, rules, state.hands[state.turn.seat]);
            if (can_draw(state, rules, legal.plays)) legal.others |= other_bit(DRAW);
            break;
        case Phase::DRAWN:
            legal.plays = legal_drawn_plays(state, rules);
            if (can_keep(state, rules, legal.plays)) legal.others |= other_bit(KEEP);
            break;
        case Phase::NAME_COLOR:
            legal.others = 0xFu * other_bit(FIRST_COLOR);
            break;
        case Phase::ANSWER:
            legal.plays = legal_stack_plays(state, rules);
            legal.others = other_bit(ACCEPT);
            if (can_challenge(rules, state.turn.top)) legal.others |= other_bit(CHALLENGE);
            break;
        case Phase::SWAP:
            legal.others =
                ((1u << rules.players) - 1u) * other_bit(FIRST_SWAP) & ~other_bit(FIRST_SWAP + state.turn.seat);
            break;
        case Phase::CATCH_UNO:
            legal.others = other_bit(state.turn.seat == state.turn.player ? UNO : CATCH) | other_bit(PASS);
            break;
        case Phase::JUMP_IN:
            legal.plays = bit_of(state.turn.top);
            // Rule 7.1: a declaration in the window commits to the jump-in.
            if (!has_declared(state, state.turn.seat) || num_cards(state.hands[state.turn.seat]) != 2) {
                legal.others |= other_bit(PASS);
            }
            break;
        case Phase::OVER:
            break;
    }
    if (can_declare(state, rules, legal.plays)) legal.others |= other_bit(UNO);
    return legal;
}

}  // namespace lastcard
