// Cards, and sets of cards as two bit planes.
//
// A card id is a bit position: 13 * color + rank for the 52 colored faces, 52..55 for the four Wilds and 56..59 for the
// four Wild Draw Fours, which are told apart by id although they share a face. Two copies of a colored face share an
// id.
#pragma once

#include "rules/platform.hpp"

namespace lastcard {

constexpr int NUM_COLORS = 4;
constexpr int NUM_RANKS = 13;
constexpr int NUM_COLORED = NUM_COLORS * NUM_RANKS;
constexpr int NUM_CARD_IDS = 60;
constexpr int MAX_CARDS = 112;  // at most 2 x 52 colored cards and 8 Wilds
constexpr int MAX_SEATS = 10;

constexpr u8 RED = 0, YELLOW = 1, GREEN = 2, BLUE = 3, NO_COLOR = 4;
constexpr u8 RANK_SEVEN = 7, RANK_ZERO = 0, SKIP = 10, REVERSE = 11, DRAW_TWO = 12;
constexpr u8 FIRST_WILD = 52, FIRST_FOUR = 56, NO_CARD = 255;
constexpr int WILD_FACE = FIRST_WILD, FOUR_FACE = FIRST_WILD + 1;

constexpr u64 COLORED_BITS = (1ull << NUM_COLORED) - 1;
constexpr u64 WILD_BITS = 0xFull << FIRST_WILD;
constexpr u64 FOUR_BITS = 0xFull << FIRST_FOUR;
constexpr u64 RANK_COLUMN = 1ull | 1ull << 13 | 1ull << 26 | 1ull << 39;

LASTCARD_FN constexpr u64 bit_of(int card) { return 1ull << card; }
LASTCARD_FN constexpr u64 color_bits(int color) { return 0x1FFFull << (NUM_RANKS * color); }
LASTCARD_FN constexpr u64 rank_bits(int rank) { return RANK_COLUMN << rank; }
LASTCARD_FN constexpr bool is_colored(int card) { return card < FIRST_WILD; }
LASTCARD_FN constexpr bool is_four(int card) { return card >= FIRST_FOUR && card < NUM_CARD_IDS; }
LASTCARD_FN constexpr int color_of(int card) { return card / NUM_RANKS; }
LASTCARD_FN constexpr int rank_of(int card) { return card % NUM_RANKS; }

// The face, 0..53: what people call the card.
LASTCARD_FN constexpr int face_of(int card) {
    return is_colored(card) ? card : card < FIRST_FOUR ? FIRST_WILD : FIRST_WILD + 1;
}

// All ids of the card's face.
LASTCARD_FN constexpr u64 face_bits(int card) { return is_colored(card) ? bit_of(card) : 0xFull << (card & ~3); }

// A multiset of cards: `first` holds the ids present at least once, `second` those present twice.
struct Hand {
    u64 first;
    u64 second;
};

LASTCARD_FN void add_card(Hand& hand, int card) {
    const u64 bit = bit_of(card);
    hand.second |= hand.first & bit;
    hand.first |= bit;
}

// Takes one card with an id among `ids` out of the hand and returns its id.
LASTCARD_FN int take_card(Hand& hand, u64 ids) {
    const u64 held = hand.first & ids;
    const u64 bit = held & (~held + 1);
    hand.first ^= bit & ~hand.second;
    hand.second &= ~bit;
    return lowest_bit(bit);
}

LASTCARD_FN int num_cards(const Hand& hand) { return popcount(hand.first) + popcount(hand.second); }
LASTCARD_FN bool is_empty(const Hand& hand) { return hand.first == 0; }
LASTCARD_FN bool has_color(const Hand& hand, int color) { return (hand.first & color_bits(color)) != 0; }

LASTCARD_FN int count_of(const Hand& hand, u64 ids) { return popcount(hand.first & ids) + popcount(hand.second & ids); }

// ---- Cards known by their faces only: Wilds without identity -----------------------------------------------------

LASTCARD_FN u64 bits_of_face(int face) {
    return face < FIRST_WILD ? bit_of(face) : face == WILD_FACE ? WILD_BITS : FOUR_BITS;
}

LASTCARD_FN int count_face(const Hand& hand, int face) { return count_of(hand, bits_of_face(face)); }

// Adds a card by its face; copies of a Wild take the lowest id that is free in this hand.
LASTCARD_FN void add_face(Hand& hand, int face) {
    if (face < FIRST_WILD) return add_card(hand, face);
    const u64 taken = hand.first & bits_of_face(face);
    hand.first |= bits_of_face(face) & (~taken & (taken + bit_of(face == WILD_FACE ? FIRST_WILD : FIRST_FOUR)));
}

// Takes one card of the face out, if the hand holds one. Of Wilds the highest id goes, so that equal hands stay equal.
LASTCARD_FN void remove_face(Hand& hand, int face) {
    if (face < FIRST_WILD) {
        if ((hand.first & bit_of(face)) != 0) take_card(hand, bit_of(face));
        return;
    }
    u64 held = hand.first & bits_of_face(face);
    while ((held & (held - 1)) != 0) held &= held - 1;
    hand.first &= ~held;
}

// Rule 9.1. Number ranks are summed by the binary digits of their value.
LASTCARD_FN int points_of(const Hand& hand) {
    constexpr u64 ones = rank_bits(1) | rank_bits(3) | rank_bits(5) | rank_bits(7) | rank_bits(9);
    constexpr u64 twos = rank_bits(2) | rank_bits(3) | rank_bits(6) | rank_bits(7);
    constexpr u64 fours = rank_bits(4) | rank_bits(5) | rank_bits(6) | rank_bits(7);
    constexpr u64 eights = rank_bits(8) | rank_bits(9);
    constexpr u64 actions = rank_bits(SKIP) | rank_bits(REVERSE) | rank_bits(DRAW_TWO);
    return count_of(hand, ones) + 2 * count_of(hand, twos) + 4 * count_of(hand, fours) + 8 * count_of(hand, eights) +
           20 * count_of(hand, actions) + 50 * count_of(hand, WILD_BITS | FOUR_BITS);
}

}  // namespace lastcard
