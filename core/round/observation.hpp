// The one door from the truth to what a seat may know.
#pragma once

#include "round/round.hpp"

namespace lastcard {

// Whoever looks on: sees what all see, and no hand.
inline constexpr int SPECTATOR = -1;

// What one seat knows. Holds copies, never a way back to the truth.
struct Observation {
    Rules rules{};
    int observer = 0;
    Hand hand{};
    std::array<int, MAX_SEATS> hand_sizes{};
    std::array<int, MAX_SEATS> scores{};
    std::array<int, MAX_SEATS> points{};
    std::vector<u8> discards;
    std::vector<Event> events;
    ActionSet legal{};
    Turn turn{};  // with a drawn card that is not the observer's own left out
    int draw_pile_size = 0;
    int dealer = 0;
    int number = 1;
};

// Rule 10.7: while a window is open, everyone but the seat being asked sees what it last saw.
inline const Round& as_last_seen(const Round& round, int seat) {
    const Round* seen = &round;
    while (is_window(seen->state) && seen->state.turn.seat != seat && seen->before) seen = seen->before.get();
    return *seen;
}

inline bool is_private(EventKind kind) {
    return kind == EventKind::GOT || kind == EventKind::SHOWN || kind == EventKind::PASSED;
}

inline bool is_visible(const Event& event, int seat) { return !is_private(event.kind) || event.seat == seat; }

// Rule 7.2, or the declarations that stand.
inline unsigned declared_seats(const Round& round) {
    if (round.rules.uno_penalty > 0) return round.state.turn.declared;
    unsigned seats = 0;
    for (int seat = 0; seat < round.rules.players; ++seat) {
        if (num_cards(round.state.hands[seat]) == 1) seats |= 1u << seat;
    }
    return seats;
}

inline Observation observe(const Round& current, int seat) {
    const Round& round = as_last_seen(current, seat);
    const Truth& state = round.state;
    Observation seen;
    seen.rules = round.rules;
    seen.observer = seat;
    if (seat != SPECTATOR) seen.hand = state.hands[seat];
    for (int other = 0; other < round.rules.players; ++other) {
        seen.hand_sizes[static_cast<std::size_t>(other)] = num_cards(state.hands[other]);
    }
    seen.scores = round.scores;
    seen.points = points_scored(round);
    seen.discards.assign(state.pile.discards, state.pile.discards + state.pile.num_discards);
    for (const Event& event : round.events) {
        if (is_visible(event, seat)) seen.events.push_back(event);
    }
    seen.turn = state.turn;
    seen.turn.declared = static_cast<u16>(declared_seats(round));
    if (state.turn.seat == seat) seen.legal = legal_actions(state, round.rules);
    else seen.turn.drawn = NO_CARD;
    seen.draw_pile_size = state.pile.size;
    seen.dealer = round.dealer;
    seen.number = round.number;
    return seen;
}

// The top card still waits for a decision.
inline bool is_command_pending(const Turn& turn) {
    return turn.phase == Phase::NAME_COLOR || turn.phase == Phase::ANSWER || turn.phase == Phase::SWAP ||
           turn.phase == Phase::CATCH_UNO;
}

// The top card is about to cost a seat its turn.
inline bool is_skip_pending(const Turn& turn, const Rules& rules) {
    if (turn.phase == Phase::ANSWER) return true;
    if (turn.phase != Phase::CATCH_UNO) return false;
    const int rank = PLAYS.rank[turn.top_play];
    return turn.draw_sum > 0 || rank == SKIP || (rank == REVERSE && rules.players == 2);
}

}  // namespace lastcard
