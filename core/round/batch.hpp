// Many random rounds at once, on several threads, with the same result on any number of them.
#pragma once

#include <array>
#include <vector>

#include "round/threads.hpp"
#include "rules/playout.hpp"

namespace lastcard {

struct Tally {
    std::array<u64, MAX_SEATS> wins{};
    std::array<u64, MAX_SEATS> points{};
    u64 plies = 0;
    u64 drawn = 0;      // rounds without a winner
    u64 signature = 0;  // changes when any round's course does
};

template <class S, class R>
void tally_rounds(Tally& tally, const R& rules, u64 seed, u64 first, u64 last) {
    S state;
    int points[MAX_SEATS];
    for (u64 index = first; index < last && !is_stopped(); ++index) {
        play_random_round(state, rules, seed, index);
        score_round(state, rules, points);
        if (state.turn.winner == NO_SEAT) tally.drawn += 1;
        else tally.wins[state.turn.winner] += 1;
        for (int seat = 0; seat < rules.players; ++seat)
            tally.points[static_cast<std::size_t>(seat)] += static_cast<u64>(points[seat]);
        tally.plies += state.turn.ply;
        tally.signature += digest_round(state, rules) ^ state.turn.top;
    }
}

// The official game is compiled for itself; everything else reads its switches at run time.
inline void tally_any_rounds(Tally& tally, const Rules& rules, u64 seed, u64 first, u64 last) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<3> three;
    constexpr OfficialRules<4> four;
    if (are_same_rules(rules, two)) tally_rounds<State<SetPile, 2>>(tally, two, seed, first, last);
    else if (are_same_rules(rules, three)) tally_rounds<State<SetPile, 3>>(tally, three, seed, first, last);
    else if (are_same_rules(rules, four)) tally_rounds<State<SetPile, 4>>(tally, four, seed, first, last);
    else tally_rounds<State<SetPile, MAX_SEATS>>(tally, rules, seed, first, last);
}

// Rounds `first` up to `first + num_games` of the batch that the seed fixes.
inline Tally play_random_games(const Rules& rules, u64 first, u64 num_games, u64 seed, int threads) {
    std::vector<Tally> parts(static_cast<std::size_t>(threads));
    run_on_threads(threads, num_games, [&](u64 part, u64 begin, u64 end) {
        Tally tally;
        tally_any_rounds(tally, rules, seed, first + begin, first + end);
        parts[part] = tally;
    });
    Tally sum;
    for (const Tally& part : parts) {
        for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
            sum.wins[seat] += part.wins[seat];
            sum.points[seat] += part.points[seat];
        }
        sum.plies += part.plies;
        sum.drawn += part.drawn;
        sum.signature += part.signature;
    }
    return sum;
}

}  // namespace lastcard
