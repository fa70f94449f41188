// Why an action is not legal.
#pragma once

#include <string>

#include "round/round.hpp"

namespace lastcard {

bool is_legal(const Round& round, int action);

// The reason, and what the seat may do instead.
std::string explain_refusal(const Round& round, int action);

}  // namespace lastcard
