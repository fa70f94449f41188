// Do an environment and an observation of the same situation give the same row of bytes?
#pragma once

#include "rules/rules.hpp"

namespace lastcard {

// Plays a random round of the truth with an environment beside it that takes the same actions; says what is wrong, or
// null.
const char* check_encoding(const Rules& rules, u64 seed);

}  // namespace lastcard
