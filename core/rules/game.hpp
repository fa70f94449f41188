// A game: rounds until a score reaches the target.
#pragma once

#include "rules/ending.hpp"
#include "rules/rules.hpp"

namespace lastcard {

constexpr int MAX_GAME_ROUNDS = 100;  // agents that never score would otherwise play a game for ever

// The game so far. All 0 where single rounds are played.
template <int SEATS>
struct Game {
    int scores[SEATS];
    int rounds;  // that are over
};

// Rule 9.2.
template <class R>
LASTCARD_FN bool has_reached_target(const int* scores, const R& rules) {
    for (int seat = 0; seat < rules.players; ++seat) {
        if (scores[seat] >= rules.target_score) return true;
    }
    return false;
}

// Rules 9.2 and 9.3: the seat with the best score, the first of several.
template <class R>
LASTCARD_FN int leading_seat(const int* scores, const R& rules) {
    const bool is_highest = rules.scoring == Scoring::WINNER;
    int best = 0;
    for (int seat = 1; seat < rules.players; ++seat) {
        if (is_highest ? scores[seat] > scores[best] : scores[seat] < scores[best]) best = seat;
    }
    return best;
}

// Rules 9.2 and 9.3, once a score has reached the target: a seat, or NO_SEAT if several share the best score.
template <class R>
LASTCARD_FN int best_scorer(const int* scores, const R& rules) {
    const int best = leading_seat(scores, rules);
    for (int seat = best + 1; seat < rules.players; ++seat) {
        if (scores[seat] == scores[best]) return NO_SEAT;
    }
    return best;
}

// Rule 2.1: the last seat deals the first round, then one seat further each round.
template <class R, int SEATS>
LASTCARD_FN int next_dealer(const Game<SEATS>& game, const R& rules) {
    return (rules.players - 1 + game.rounds) % rules.players;
}

struct GameEnd {
    bool is_over;
    u8 winner;  // NO_SEAT for a tie, for too many rounds, and while it is not over
};

// Adds the points of a round that is over. Without `has_points`, it only counts as one more round.
template <class R, class S, int SEATS>
LASTCARD_FN GameEnd add_round(Game<SEATS>& game, const S& state, const R& rules, bool has_points) {
    int points[MAX_SEATS];
    score_round(state, rules, points);
    for (int seat = 0; seat < rules.players; ++seat) game.scores[seat] += has_points ? points[seat] : 0;
    game.rounds += 1;
    if (has_reached_target(game.scores, rules)) return {true, static_cast<u8>(best_scorer(game.scores, rules))};
    return {game.rounds >= MAX_GAME_ROUNDS, NO_SEAT};
}

}  // namespace lastcard
