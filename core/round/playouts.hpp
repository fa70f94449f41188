// Playouts from given positions, on several threads, with the same result on any number of them.
#pragma once

#include <vector>

#include "round/round.hpp"
#include "rules/playout.hpp"

namespace lastcard {

struct Positions {
    Rules rules{};
    std::vector<Position> starts;
};

// The truth, but for the order of the draw pile.
Position position_of(const Round& round);

// Playouts `first` up to `last` of the batch that the seed fixes, `num_each` from every position, added to the rows.
void play_out_positions(const Positions& positions, u64 num_each, u64 seed, u64 first, u64 last, int threads,
                        u64* rows);

}  // namespace lastcard
