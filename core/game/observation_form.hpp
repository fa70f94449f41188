// Observations as JSON values.
#pragma once

#include "game/json.hpp"
#include "round/observation.hpp"

namespace lastcard {

// All of it but the rules, with the history from the event of that number on.
Json describe_position(const Observation& seen, std::size_t from = 0);

// The same with the rules.
Json describe_observation(const Observation& seen);

// Reads what `describe_observation` wrote. Fails naming a field that is missing, impossible, or not what the others
// make it.
Observation read_observation(const Json& described);

// The observation with the fields that no others make.
Observation read_position(const Json& described);

// The fields of a position.
Json list_position_fields();

}  // namespace lastcard
