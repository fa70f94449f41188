#include "round/observation.hpp"

namespace lastcard {

const Round& as_last_seen(const Round& round, int seat) {
    const Round* seen = &round;
    while (is_window(seen->state) && seen->state.turn.seat != seat && seen->before) seen = seen->before.get();
    return *seen;
}

unsigned declared_seats(const Round& round) {
    if (round.rules.uno_penalty > 0) return round.state.turn.declared;
    unsigned seats = 0;
    for (int seat = 0; seat < round.rules.players; ++seat) {
        if (num_cards(round.state.hands[seat]) == 1) seats |= 1u << seat;
    }
    return seats;
}

Observation observe(const Round& current, int seat) {
    const Round& round = as_last_seen(current, seat);
    const Truth& state = round.state;
    Observation seen;
    seen.rules = round.rules;
    seen.observer = seat;
    if (seat != SPECTATOR) seen.hand = state.hands[seat];
    for (int other = 0; other < round.rules.players; ++other) {
        seen.hand_sizes[other] = num_cards(state.hands[other]);
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

bool is_command_pending(const Turn& turn) {
    return turn.phase == Phase::NAME_COLOR || turn.phase == Phase::ANSWER || turn.phase == Phase::SWAP ||
           turn.phase == Phase::CATCH_UNO;
}

bool is_skip_pending(const Turn& turn, const Rules& rules) {
    if (turn.phase == Phase::ANSWER) return true;
    if (turn.phase != Phase::CATCH_UNO) return false;
    const int rank = PLAYS.rank[turn.top_play];
    return turn.draw_sum > 0 || rank == SKIP || (rank == REVERSE && rules.players == 2);
}

}  // namespace lastcard
