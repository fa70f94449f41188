// The game as `mcts` was published to play it: what its options leave out of the rules.
#pragma once

#include "search/mcts.hpp"
#include "search/simulation.hpp"

namespace lastcard {

// A draw pile of cards that nobody counted: every draw has a type and a color by chance. A hand has room for two copies
// of a face; a third is lost.
struct ImaginedPile {
    Rng rng;
    int size;  // of the real pile: never counted down
    const u8* deck;
    int deck_size;
    u64 types;  // the ranks in the deck as bits, 13 for Wilds and 14 for Wild Draw Fours
};

inline int type_of(int card) { return is_colored(card) ? rank_of(card) : is_four(card) ? 14 : 13; }

inline int draw_top(ImaginedPile& pile) {
    const u64 random = next_random(pile.rng);
    const int type = lowest_bit(nth_bit(pile.types, scale_low(random, popcount(pile.types))));
    u64 cards = 0;
    for (int i = 0; i < pile.deck_size; ++i) cards |= type_of(pile.deck[i]) == type ? bit_of(pile.deck[i]) : 0;
    return lowest_bit(nth_bit(cards, scale_high(random, popcount(cards))));
}

inline void discard(ImaginedPile&, int) {}
inline void put_back(ImaginedPile&, int) {}
inline bool reshuffle_discards(ImaginedPile& pile, const Hand*, int, const auto&) {
    pile.size = 1;
    return true;
}
inline bool has_discards(const ImaginedPile&, const Hand*, const auto&) { return true; }

// Gets a pile ready to be drawn from, once its state is filled.
inline void prepare_pile(SetPile&, const Rules&) {}
inline void prepare_pile(ImaginedPile& pile, const Rules& rules) {
    pile.size = 1;
    pile.deck = rules.deck;
    pile.deck_size = rules.deck_size;
    pile.types = 0;
    for (int i = 0; i < rules.deck_size; ++i) pile.types |= 1ull << type_of(rules.deck[i]);
}

// Rule 10.5.
template <class R>
bool moves_hands(const R& rules, int action) {
    return rules.seven_zero && ((is_play(action) && PLAYS.rank[action] == RANK_ZERO) || action >= FIRST_SWAP);
}

// Applies an action by the rules, less what the options leave out of them.
template <class R, class S>
void transition(Simulation<S>& s, const R& rules, const MctsSettings& settings, int action) {
    const int seat = s.state.turn.seat;
    const i8 direction = s.state.turn.direction;
    Hand before[MAX_SEATS];
    for (int other = 0; other < rules.players; ++other) before[other] = s.state.hands[other];
    apply_and_remember(s.state, rules, s.memory, action);
    for (int other = 0; !settings.draws_penalties && action != DRAW && other < rules.players; ++other) {
        const bool grew = num_cards(s.state.hands[other]) > num_cards(before[other]);
        if (grew && !moves_hands(rules, action)) s.state.hands[other] = before[other];
    }
    // Who may jump in was asked with those cards in hand.
    if (!settings.draws_penalties && s.state.turn.phase == Phase::JUMP_IN)
        ask_jump_in(s.state, rules, s.state.turn.seat);
    if (!settings.follows_turns && is_play(action) && s.state.turn.phase == Phase::TURN) {
        s.state.turn.direction = direction;
        begin_turn(s.state, seat_after(s.state, rules, seat));
    }
}

// Compiled once, in mcts.cpp.
extern template void transition(Simulation<Hypothetical<MAX_SEATS>>&, const Rules&, const MctsSettings&, int);

}  // namespace lastcard
