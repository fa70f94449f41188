// What happens in a round, as told to a listener. Playouts listen with `NoEvents`, which costs nothing.
#pragma once

#include "rules/cards.hpp"

namespace lastcard {

enum class EventKind : u8 {
    DEALT,         // seat, count
    GOT,           // seat, card: private to the seat; follows DEALT, DREW, SWAPPED or HANDS_PASSED
    TURNED_UP,     // card
    RESHUFFLED,    // count
    PLAYED,        // seat, card holds the play's action id
    JUMPED_IN,     // likewise
    DREW,          // seat, count
    KEPT,          // seat
    NAMED,         // seat, card holds the color
    ACCEPTED,      // seat, count
    CALLED_UNO,    // seat
    CAUGHT,        // seat, other = the offender
    CHALLENGED,    // seat, other = the offender, card = 1 when guilty
    SHOWN,         // seat = the challenger, card: private to the challenger; follows CHALLENGED
    PASSED,        // seat: private
    SWAPPED,       // seat, other
    HANDS_PASSED,  //
    SKIPPED,       // seat
};

struct Event {
    EventKind kind;
    u8 seat;
    u8 other;  // a second seat, or a count
    u8 card;
};

struct NoEvents {
    LASTCARD_FN void dealt(int, int, const Hand&) {}
    LASTCARD_FN void got(int, int) {}
    LASTCARD_FN void drew(int) {}
    LASTCARD_FN void reshuffled(int, const auto&) {}
    LASTCARD_FN void event(EventKind, int, int, int) {}
    LASTCARD_FN void challenged(int, int, bool, const Hand&) {}
    LASTCARD_FN void received(int, const Hand&) {}
};

}  // namespace lastcard
