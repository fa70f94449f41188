// The one door from the truth to what a seat may know.
#pragma once

#include "round/round.hpp"

namespace lastcard {

// A spectator: sees what all seats see, and no hand.
inline constexpr int SPECTATOR = -1;

// What one seat knows. Holds copies, never a way back to the truth.
struct Observation {
    Rules rules{};
    int observer = 0;
    Hand hand{};
    BySeat<int> hand_sizes{};
    BySeat<int> scores{};
    BySeat<int> points{};
    std::vector<u8> discards;
    std::vector<Event> events;
    ActionSet legal{};
    Turn turn{};  // with a drawn card that is not the observer's own left out
    int draw_pile_size = 0;
    int dealer = 0;
    int number = 1;
};

// Rule 10.7: while a window is open, everyone but the seat being asked sees what it last saw.
const Round& as_last_seen(const Round& round, int seat);

inline bool is_private(EventKind kind) {
    return kind == EventKind::GOT || kind == EventKind::SHOWN || kind == EventKind::PASSED;
}

inline bool is_visible(const Event& event, int seat) { return !is_private(event.kind) || event.seat == seat; }

// Rule 7.2, or the declarations that stand.
unsigned declared_seats(const Round& round);

// Rule 7.2, or the declarations that stand.
unsigned declared_seats(const Round& round);

Observation observe(const Round& current, int seat);

// The top card still waits for a decision.
bool is_command_pending(const Turn& turn);

// The top card is about to cost a seat its turn.
bool is_skip_pending(const Turn& turn, const Rules& rules);

}  // namespace lastcard
