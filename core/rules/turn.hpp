// Whose turn it is, and a round in progress as a plain value.
//
// `State` has two parameters: the kind of draw pile (piles.hpp) and how many hands it has room for.
#pragma once

#include "rules/actions.hpp"
#include "rules/piles.hpp"

namespace lastcard {

enum class Phase : u8 {
    TURN,        // the seat plays or draws
    DRAWN,       // the seat has drawn and plays that card or keeps it
    NAME_COLOR,  // the first seat names the color of a turned-up Wild
    ANSWER,      // the seat that would draw accepts, stacks or challenges
    SWAP,        // the seat that played a 7 chooses a hand
    CATCH_UNO,   // window: the offender may call a forgotten UNO late, then the others may catch it
    JUMP_IN,     // window: the seat may play the identical card
    OVER,
};

enum class Ending : u8 { NONE, WENT_OUT, BLOCKED, MAX_PLIES };

constexpr u8 NO_SEAT = 255;

// Whose go it is, and everything else about a round that is not a card in a place.
struct Turn {
    u32 ply;
    u16 declared;  // seats whose declaration of UNO stands, as bits
    Phase phase;
    u8 seat;          // to act, or being asked; NO_SEAT when the round is over
    u8 top;           // card id
    u8 top_play;      // the play as which the top card counts: itself, or a Wild with the color named
    u8 active_color;  // or NO_COLOR
    u8 last_color;    // active before the top card was played
    u8 player;        // who played the top card; NO_SEAT when it was turned up
    u8 next_seat;     // whose turn follows an open jump-in window
    u8 drawn;         // in DRAWN: the card that may be played now
    u8 draw_sum;
    u8 stuck_passes;
    u8 last_actor;
    u8 winner;
    Ending ending;
    i8 direction;
};

template <class Pile, int SEATS>
struct State {
    Hand hands[SEATS];
    Hand shown;  // under `bluff`: the hand behind the last Wild Draw Four, as it was (Rule 6.4)
    Pile pile;
    Turn turn;
};

// A state at work: cards in place, the turn in registers. Any function on a `State` takes one of these as well.
template <class Pile>
struct Working {
    Hand* hands;
    Hand& shown;
    Pile& pile;
    Turn turn;
};

template <class R, class S>
LASTCARD_FN int seat_after(const S& state, const R& rules, int seat) {
    if (rules.players == 2) return seat ^ 1;
    if (rules.players == 4) return (seat + state.turn.direction) & 3;
    const int next = seat + state.turn.direction;
    return next < 0 ? rules.players - 1 : next == rules.players ? 0 : next;
}

template <class S>
LASTCARD_FN bool is_window(const S& state) {
    return state.turn.phase == Phase::CATCH_UNO || state.turn.phase == Phase::JUMP_IN;
}

}  // namespace lastcard
