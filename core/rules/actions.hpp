// The 81 actions, numbered in the order in which legal actions are listed.
//
// 0..51 play that card, 52..55 play a Wild and name red, yellow, green or blue, 56..59 the same with a Wild Draw Four:
// the ids of plays are card ids, so the plays a hand offers are a mask of the hand.
#pragma once

#include "rules/cards.hpp"

namespace lastcard {

constexpr int NUM_PLAYS = 60;
constexpr int DRAW = 60, KEEP = 61, ACCEPT = 62, CHALLENGE = 63, UNO = 64, CATCH = 65, PASS = 66;
constexpr int FIRST_SWAP = 67;                       // swap:0 .. swap:9
constexpr int FIRST_COLOR = FIRST_SWAP + MAX_SEATS;  // color:r .. color:b
constexpr int NUM_ACTIONS = FIRST_COLOR + NUM_COLORS;

LASTCARD_FN constexpr bool is_play(int action) { return action < NUM_PLAYS; }
LASTCARD_FN constexpr u32 other_bit(int action) { return 1u << (action - NUM_PLAYS); }

// The properties of each play, looked up and not computed: the next decision waits for them.
struct PlayTable {
    u64 matching[NUM_PLAYS];    // ids of the colored cards that match once it lies on top (Rule 3.1)
    u64 same_color[NUM_PLAYS];  // ids of the cards of the color that is then active
    u8 color[NUM_PLAYS];        // that color
    u8 rank[NUM_PLAYS];         // NO_RANK for Wilds
    u8 penalty[NUM_PLAYS];      // cards the next seat has to draw
};

constexpr u8 NO_RANK = NUM_RANKS;

constexpr PlayTable make_play_table() {
    PlayTable table{};
    for (int play = 0; play < NUM_PLAYS; ++play) {
        const int color = is_colored(play) ? color_of(play) : (play - FIRST_WILD) & 3;
        const int rank = is_colored(play) ? rank_of(play) : NO_RANK;
        table.color[play] = static_cast<u8>(color);
        table.rank[play] = static_cast<u8>(rank);
        table.same_color[play] = color_bits(color);
        table.matching[play] = color_bits(color) | (rank == NO_RANK ? 0 : rank_bits(rank));
        table.penalty[play] = play >= FIRST_FOUR ? 4 : rank == DRAW_TWO ? 2 : 0;
    }
    return table;
}

LASTCARD_TABLE PlayTable PLAYS = make_play_table();

// A set of actions: bit i of `plays` is play i, bit i of `others` is action 60 + i.
struct ActionSet {
    u64 plays;
    u32 others;
};

LASTCARD_FN int num_actions(const ActionSet& set) { return popcount(set.plays) + popcount(set.others); }

LASTCARD_FN bool contains(const ActionSet& set, int action) {
    return is_play(action) ? (set.plays >> action & 1) != 0 : (set.others & other_bit(action)) != 0;
}

LASTCARD_FN void remove_action(ActionSet& set, int action) {
    if (is_play(action)) set.plays &= ~bit_of(action);
    else set.others &= ~other_bit(action);
}

// The n-th action in ascending order.
LASTCARD_FN int nth_action(const ActionSet& set, int n) {
    const int plays = popcount(set.plays);
    return n < plays ? lowest_bit(nth_bit(set.plays, n)) : NUM_PLAYS + lowest_bit(nth_bit(set.others, n - plays));
}

}  // namespace lastcard
