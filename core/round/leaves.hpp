// Counts the ways in which a round can go on, as chess programs do to test their rules ("perft").
#pragma once

#include "round/round.hpp"

namespace lastcard {

// How many sequences of that many actions there are; one that ends the round earlier counts as one.
u64 count_leaves(const Round& round, int depth);

}  // namespace lastcard
