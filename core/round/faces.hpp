// Hidden cards are known by their faces only: counts of them, and hands whose Wilds have no identity yet.
#pragma once

#include "round/indexed.hpp"
#include "rules/rules.hpp"

namespace lastcard {

constexpr int NUM_FACES = 54;

template <class Value>
using ByFace = Indexed<Value, NUM_FACES>;
using FaceCounts = ByFace<u8>;

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
