// The two kinds of draw pile, interchangeable in `State`.
//
// The truth keeps its piles in order: a seed fixes the whole round. A hypothetical state has no order to know: its pile
// is a set from which a draw picks, and its discards are whatever lies nowhere else.
#pragma once

#include "rules/rng.hpp"
#include "rules/rules.hpp"

namespace lastcard {

struct SetPile {
    Rng rng;
    int size;
    u8 cards[MAX_CARDS];
};

template <class R>
LASTCARD_FN void start_pile(SetPile& pile, const R& rules) {
    for (int i = 0; i < MAX_CARDS; ++i) pile.cards[i] = rules.deck[i];
    pile.size = rules.deck_size;
}

// Picks any card; the last one takes its place.
LASTCARD_FN int draw_top(SetPile& pile) {
    u8& place = pile.cards[scale_low(next_random(pile.rng), pile.size)];
    const int card = place;
    place = pile.cards[--pile.size];
    return card;
}

LASTCARD_FN void discard(SetPile&, int) {}

LASTCARD_FN void put_back(SetPile& pile, int card) { pile.cards[pile.size++] = static_cast<u8>(card); }

// Rule 5.1: the deck less the hands and the top card. False when that is nothing.
template <class R>
LASTCARD_COLD bool reshuffle_discards(SetPile& pile, const Hand* hands, int top, const R& rules) {
    u64 once = bit_of(top);
    u64 twice = 0;
    for (int seat = 0; seat < rules.players; ++seat) {
        twice |= (once & hands[seat].first) | hands[seat].second;
        once |= hands[seat].first;
    }
    pile.size = 0;
    for (int i = 0; i < rules.deck_size; ++i) {
        const u8 card = rules.deck[i];
        const u64 bit = bit_of(card);
        const bool is_gone = (once & bit) != 0;
        once = twice & bit ? once : once & ~bit;  // a second copy is gone only if it is held twice
        twice &= ~bit;
        if (!is_gone) pile.cards[pile.size++] = card;
    }
    return pile.size > 0;
}

LASTCARD_FN bool has_discards(const SetPile& pile, const Hand* hands, const auto& rules) {
    int elsewhere = 1 + pile.size;  // the top card and the draw pile
    for (int seat = 0; seat < rules.players; ++seat) elsewhere += num_cards(hands[seat]);
    return elsewhere < rules.deck_size;
}

struct OrderedPile {
    Key key;
    const u8* script;  // recorded reshuffles, each a length and that many ids, top last; may be null
    const u8* script_end;
    int size;
    int num_discards;
    u32 reshuffles;
    bool script_failed;   // a recorded reshuffle did not hold the cards it should
    u8 cards[MAX_CARDS];  // top last
    u8 discards[MAX_CARDS];
};

LASTCARD_FN int draw_top(OrderedPile& pile) { return pile.cards[--pile.size]; }

LASTCARD_FN void discard(OrderedPile& pile, int card) { pile.discards[pile.num_discards++] = static_cast<u8>(card); }

// Takes the order of the next recorded reshuffle, if there is one and it holds just these cards.
LASTCARD_COLD bool follow_script(OrderedPile& pile) {
    if (pile.script == nullptr || pile.script == pile.script_end) return false;
    const int length = *pile.script;
    const u8* order = pile.script + 1;
    pile.script = order + length;
    u8 balance[NUM_CARD_IDS] = {};
    for (int i = 0; i < pile.size; ++i) balance[face_of(pile.cards[i])] += 1;
    for (int i = 0; i < length; ++i) balance[face_of(order[i])] -= 1;
    bool same = length == pile.size;
    for (int face = 0; face < NUM_CARD_IDS; ++face) same = same && balance[face] == 0;
    pile.script_failed = pile.script_failed || !same;
    if (!same) return false;
    int next_wild = 0;  // Wilds of one face are interchangeable: hand out the ids that are here
    int next_four = 0;
    u8 wilds[8], fours[8];
    for (int i = 0; i < pile.size; ++i) {
        const u8 card = pile.cards[i];
        if (is_four(card)) fours[next_four++] = card;
        else if (!is_colored(card)) wilds[next_wild++] = card;
    }
    for (int i = 0; i < length; ++i) {
        const u8 card = order[i];
        pile.cards[i] = is_colored(card) ? card : is_four(card) ? fours[--next_four] : wilds[--next_wild];
    }
    return true;
}

// Sorts first: the new order depends on the cards, the seed and the ordinal alone (Rule 5.1).
LASTCARD_COLD void shuffle_pile(OrderedPile& pile) {
    u8 counts[NUM_CARD_IDS] = {};
    for (int i = 0; i < pile.size; ++i) counts[pile.cards[i]] += 1;
    int filled = 0;
    for (int card = 0; card < NUM_CARD_IDS; ++card) {
        for (int copy = 0; copy < counts[card]; ++copy) pile.cards[filled++] = static_cast<u8>(card);
    }
    pile.reshuffles += 1;
    if (!follow_script(pile)) shuffle(pile.cards, pile.size, pile.key, Stream::RESHUFFLE, pile.reshuffles);
}

LASTCARD_FN void put_back(OrderedPile& pile, int card) {
    pile.cards[pile.size++] = static_cast<u8>(card);
    shuffle_pile(pile);
}

template <class R>
LASTCARD_COLD bool reshuffle_discards(OrderedPile& pile, const Hand*, int, const R&) {
    if (pile.num_discards < 2) return false;
    const u8 top = pile.discards[pile.num_discards - 1];
    pile.size = pile.num_discards - 1;
    for (int i = 0; i < pile.size; ++i) pile.cards[i] = pile.discards[i];
    pile.discards[0] = top;
    pile.num_discards = 1;
    shuffle_pile(pile);
    return true;
}

LASTCARD_FN bool has_discards(const OrderedPile& pile, const Hand*, const auto&) { return pile.num_discards > 1; }

}  // namespace lastcard
