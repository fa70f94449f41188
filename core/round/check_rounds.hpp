// Random rounds that are checked as they are played.
#pragma once

#include <string>

#include "rules/rules.hpp"

namespace lastcard {

struct Check {
    u64 rounds = 0;
    u64 plies = 0;
    u64 failures = 0;
    u64 first_round = 0;        // index of the first round that failed
    std::string first_failure;  // what was wrong with it; empty when none failed
};

// Rounds 0, 1, ... of the batch that `seed` fixes; the result does not depend on the number of threads.
Check check_random_rounds(const Rules& rules, u64 num_rounds, u64 seed, int threads);

}  // namespace lastcard
