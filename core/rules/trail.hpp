// What can be remembered of a round and not be read off the table: the discards by face, who drew or played on which
// color and when, the last actions, and which cards each seat knows to be in other hands.
//
// It is kept beside a state, ply by ply, or rebuilt from an observation's events; both call the same functions.
#pragma once

#include "rules/actions.hpp"
#include "rules/state.hpp"

namespace lastcard {

constexpr int NUM_CARD_FACES = 54;
constexpr int NUM_REMEMBERED = 6;  // last actions

// Marks of one hand. They go with the hand when hands are exchanged. Times are readings of the trail's clock, 0 for
// never.
struct HandTrail {
    u16 got;                    // cards since the deal
    u16 drew_got[NUM_COLORS];   // `got` when it last drew in turn on this color
    u16 drew_at[NUM_COLORS];    // when that was
    u16 played_at[NUM_COLORS];  // when it last played a card of this color
    u16 named_at[NUM_COLORS];   // when it last named this color
};

template <int SEATS>
struct Trail {
    u64 last_actions;  // one a byte, the newest lowest; 255 for none
    u64 last_seats;    // who took them
    u16 clock;         // actions so far, keeping and passing aside
    u8 top_face;
    u8 reshuffles;                 // stops at 255
    u8 discards[NUM_CARD_FACES];   // since the last reshuffle
    u8 elsewhere[NUM_CARD_FACES];  // the rest of the deck
    HandTrail hands[SEATS];
    Hand known[SEATS];  // for each observer: cards, by their faces, that it knows to be in other hands
};

LASTCARD_FN void discard_face(auto& trail, int face) {
    trail.top_face = static_cast<u8>(face);
    trail.discards[face] = static_cast<u8>(trail.discards[face] + 1);
    trail.elsewhere[face] = static_cast<u8>(trail.elsewhere[face] - 1);
}

// Nothing remembered, the top card alone in the discard pile.
template <class R>
LASTCARD_FN void start_trail(auto& trail, const R& rules, int top) {
    trail = {};
    trail.last_actions = trail.last_seats = ~0ull;
    for (int i = 0; i < rules.deck_size; ++i) trail.elsewhere[face_of(rules.deck[i])] += 1;
    discard_face(trail, face_of(top));
}

// Rule 5.1: all but the top card go back.
LASTCARD_COLD void note_reshuffle(auto& trail) {
    for (int face = 0; face < NUM_CARD_FACES; ++face) {
        trail.elsewhere[face] = static_cast<u8>(trail.elsewhere[face] + trail.discards[face]);
        trail.discards[face] = 0;
    }
    discard_face(trail, trail.top_face);
    trail.reshuffles = static_cast<u8>(trail.reshuffles + (trail.reshuffles < 255 ? 1 : 0));
}

// The clock stops before it would wrap around.
LASTCARD_FN void note_action(auto& trail, int seat, int action) {
    trail.last_actions = trail.last_actions << 8 | static_cast<u64>(action);
    trail.last_seats = trail.last_seats << 8 | static_cast<u64>(seat);
    trail.clock = static_cast<u16>(trail.clock + (trail.clock < 0xFFFF ? 1 : 0));
}

LASTCARD_FN void note_play(auto& trail, int seat, int play) {
    note_action(trail, seat, play);
    discard_face(trail, face_of(play));
    // It may have been another copy, drawn since. Then one fewer is known than could be.
    int observer = 0;
    for (Hand& known : trail.known) {
        if (observer++ != seat) remove_face(known, face_of(play));
    }
    HandTrail& hand = trail.hands[seat];
    (is_colored(play) ? hand.played_at : hand.named_at)[PLAYS.color[play]] = trail.clock;
}

// A draw in turn, before its cards are counted.
LASTCARD_FN void note_draw(auto& trail, int seat, int active_color) {
    note_action(trail, seat, DRAW);
    HandTrail& hand = trail.hands[seat];
    if (active_color >= NO_COLOR) return;
    hand.drew_got[active_color] = hand.got;
    hand.drew_at[active_color] = trail.clock;
}

// Any other action. Keeping tells nothing that the draw before it and the action after it do not; passes are private.
LASTCARD_FN void note_other(auto& trail, int seat, int action) {
    if (action == KEEP || action == PASS) return;
    const bool swaps = action >= FIRST_SWAP && action < FIRST_COLOR;
    note_action(trail, seat, swaps ? FIRST_SWAP : action);
    if (action >= FIRST_COLOR) trail.hands[seat].named_at[action - FIRST_COLOR] = trail.clock;
}

LASTCARD_FN void note_got(auto& trail, int seat, int count) {
    const int got = trail.hands[seat].got + count;
    trail.hands[seat].got = static_cast<u16>(got < 0xFFFF ? got : 0xFFFF);
}

LASTCARD_COLD void note_swap(auto& trail, int seat, int other) {
    const HandTrail hand = trail.hands[seat];
    trail.hands[seat] = trail.hands[other];
    trail.hands[other] = hand;
}

// Rule 10.5: every hand goes one seat on.
LASTCARD_COLD void note_hands_passed(auto& trail, int players, int direction) {
    const int last = direction > 0 ? players - 1 : 0;
    for (int seat = last; seat != players - 1 - last; seat -= direction) note_swap(trail, seat, seat - direction);
}

// ---- What a seat knows of other hands -------------------------------------------------------------------------------

// A reshuffle, before it is noted: the draw pile is empty, so all cards but the discards are in hands.
LASTCARD_COLD void learn_all_hands(auto& trail, int observer, const Hand& own) {
    Hand& known = trail.known[observer];
    known = {};
    for (int face = 0; face < NUM_CARD_FACES; ++face) {
        for (int left = trail.elsewhere[face] - count_face(own, face); left > 0; --left) add_face(known, face);
    }
}

// A hand that was shown after a challenge.
LASTCARD_COLD void learn_hand(auto& trail, int observer, const Hand& shown) {
    Hand& known = trail.known[observer];
    for (int face = 0; face < NUM_CARD_FACES; ++face) {
        for (int left = count_face(shown, face) - count_face(known, face); left > 0; --left) add_face(known, face);
    }
}

// The observer gave one hand away and took another.
LASTCARD_COLD void learn_exchange(auto& trail, int observer, const Hand& given, const Hand& taken) {
    Hand& known = trail.known[observer];
    for (int face = 0; face < NUM_CARD_FACES; ++face) {
        for (int left = count_face(taken, face); left > 0; --left) remove_face(known, face);
        for (int left = count_face(given, face); left > 0; --left) add_face(known, face);
    }
}

}  // namespace lastcard
