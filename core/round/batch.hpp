// Many random rounds at once, on several threads, with the same result on any number of them.
#pragma once

#include "round/indexed.hpp"
#include "rules/rules.hpp"

namespace lastcard {

struct Tally {
    BySeat<u64> wins{};
    BySeat<u64> points{};
    u64 plies = 0;
    u64 drawn = 0;      // rounds without a winner
    u64 signature = 0;  // changes when any round's course does
};

// Rounds `first` up to `first + num_games` of the batch that the seed fixes.
Tally play_random_games(const Rules& rules, u64 first, u64 num_games, u64 seed, int threads);

}  // namespace lastcard
