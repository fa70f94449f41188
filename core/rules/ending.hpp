// The end of a round: who has won it, and what it scores.
#pragma once

#include "rules/turn.hpp"

namespace lastcard {

template <class S>
LASTCARD_FN void end_round(S& state, int winner, Ending ending) {
    state.turn.phase = Phase::OVER;
    state.turn.seat = NO_SEAT;
    state.turn.winner = static_cast<u8>(winner);
    state.turn.ending = ending;
    state.turn.drawn = NO_CARD;
}

// The seat with the fewest points in hand; NO_SEAT when several share them (Rule 5.3).
template <class R>
LASTCARD_COLD int seat_with_fewest_points(const Hand* hands, const R& rules) {
    int fewest = 1 << 30;
    int winner = NO_SEAT;
    for (int seat = 0; seat < rules.players; ++seat) {
        const int points = points_of(hands[seat]);
        if (points <= fewest) {
            winner = points < fewest ? seat : NO_SEAT;
            fewest = points;
        }
    }
    return winner;
}

// Rules 5.3 and 5.4.
template <class R, class S>
LASTCARD_FN void end_unfinished(S& state, const R& rules, Ending ending) {
    end_round(state, seat_with_fewest_points(state.hands, rules), ending);
}

// What each seat adds to its score (Rules 5.3, 9.1, 9.3), once the round is over.
template <class R, class S>
LASTCARD_FN void score_round(const S& state, const R& rules, int* points) {
    int sum = 0;
    for (int seat = 0; seat < rules.players; ++seat) {
        points[seat] = points_of(state.hands[seat]);
        sum += points[seat];
    }
    if (rules.scoring == Scoring::LOWEST && state.turn.winner != NO_SEAT) return;
    const int own = state.turn.winner != NO_SEAT ? points[state.turn.winner] : 0;
    for (int seat = 0; seat < rules.players; ++seat) points[seat] = seat == state.turn.winner ? sum - 2 * own : 0;
}

// Rule 9.4: what each seat adds to its score when a seat forfeits the round. Returns the winner.
template <class R, class S>
LASTCARD_FN int score_forfeit(const S& state, const R& rules, int seat, int* points) {
    int sum = 0;
    for (int other = 0; other < rules.players; ++other) {
        points[other] = points_of(state.hands[other]);
        sum += points[other];
    }
    int winner = NO_SEAT;
    for (int step = 1; step < rules.players; ++step) {
        const int other = (seat + (state.turn.direction == 1 ? step : rules.players - step)) % rules.players;
        if (winner == NO_SEAT || points[other] < points[winner]) winner = other;
    }
    if (rules.scoring == Scoring::LOWEST) return winner;
    const int won = sum - points[winner];
    for (int other = 0; other < rules.players; ++other) points[other] = other == winner ? won : 0;
    return winner;
}

}  // namespace lastcard
