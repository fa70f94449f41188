// A pile for game trees: shuffled once for each determinization, so that all branches meet the same luck, and any of
// its cards can be made the next one.
#pragma once

#include "rules/state.hpp"

namespace lastcard {

struct ShuffledPile {
    Rng rng;  // of later shuffles, and of whatever else the branch leaves to chance
    int size;
    u8 cards[MAX_CARDS];  // the next one last
};

inline int draw_top(ShuffledPile& pile) { return pile.cards[--pile.size]; }

inline void discard(ShuffledPile&, int) {}

inline void put_back(ShuffledPile& pile, int card) { pile.cards[pile.size++] = static_cast<u8>(card); }

// Fisher-Yates.
inline void shuffle_pile(ShuffledPile& pile) {
    for (int i = pile.size - 1; i > 0; --i) {
        const int j = scale_high(next_random(pile.rng), i + 1);
        const u8 card = pile.cards[i];
        pile.cards[i] = pile.cards[j];
        pile.cards[j] = card;
    }
}

// The card that lies `depth` below the next one; NO_CARD if there is none.
inline int card_below(const ShuffledPile& pile, int depth) {
    return depth < pile.size ? pile.cards[pile.size - 1 - depth] : NO_CARD;
}

// Lets the card that lies `depth` below the next one come next.
inline void bring_up(ShuffledPile& pile, int depth) {
    u8& top = pile.cards[pile.size - 1];
    u8& card = pile.cards[pile.size - 1 - depth];
    const u8 kept = top;
    top = card;
    card = kept;
}

// Rule 5.1.
template <class R>
LASTCARD_COLD bool reshuffle_discards(ShuffledPile& pile, const Hand* hands, int top, const R& rules) {
    SetPile set{};
    if (!reshuffle_discards(set, hands, top, rules)) return false;
    pile.size = set.size;
    for (int i = 0; i < set.size; ++i) pile.cards[i] = set.cards[i];
    shuffle_pile(pile);
    return true;
}

inline bool has_discards(const ShuffledPile& pile, const Hand* hands, const auto& rules) {
    int elsewhere = 1 + pile.size;  // the top card and the draw pile
    for (int seat = 0; seat < rules.players; ++seat) elsewhere += num_cards(hands[seat]);
    return elsewhere < rules.deck_size;
}

}  // namespace lastcard
