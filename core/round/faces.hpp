// Hidden cards are known by their faces only: counts of them, and hands whose Wilds have no identity yet.
#pragma once

#include "round/indexed.hpp"
#include "rules/rules.hpp"

namespace lastcard {

constexpr int NUM_FACES = 54;
constexpr int WILD_FACE = FIRST_WILD, FOUR_FACE = FIRST_WILD + 1;

template <class Value>
using ByFace = Indexed<Value, NUM_FACES>;
using FaceCounts = ByFace<u8>;

inline u64 bits_of_face(int face) {
    return face < FIRST_WILD ? bit_of(face) : face == WILD_FACE ? WILD_BITS : FOUR_BITS;
}

inline int count_face(const Hand& hand, int face) { return count_of(hand, bits_of_face(face)); }

// Adds a card by its face; copies of a Wild take the lowest id that is free in this hand.
inline void add_face(Hand& hand, int face) {
    if (face < FIRST_WILD) return add_card(hand, face);
    const u64 taken = hand.first & bits_of_face(face);
    hand.first |= bits_of_face(face) & (~taken & (taken + bit_of(face == WILD_FACE ? FIRST_WILD : FIRST_FOUR)));
}

// Takes one card of the face out, if the hand holds one. Of Wilds the highest id goes, so that equal hands stay equal.
inline void remove_face(Hand& hand, int face) {
    if (face < FIRST_WILD) {
        if ((hand.first & bit_of(face)) != 0) take_card(hand, bit_of(face));
        return;
    }
    const u64 held = hand.first & bits_of_face(face);
    if (held != 0) hand.first &= ~(1ull << (63 - __builtin_clzll(held)));
}

inline FaceCounts count_deck(const Rules& rules) {
    FaceCounts counts{};
    for (int i = 0; i < rules.deck_size; ++i) counts[face_of(rules.deck[i])] += 1;
    return counts;
}

template <class Visit>
void for_each_face(const Hand& hand, Visit visit) {
    for (u64 left = hand.first; left != 0; left &= left - 1) {
        const int card = lowest_bit(left);
        visit(face_of(card));
        if ((hand.second & bit_of(card)) != 0) visit(face_of(card));
    }
}

}  // namespace lastcard
