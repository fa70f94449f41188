// An observation as a row of bytes: the same numbers that an environment writes for the same situation.
#pragma once

#include "round/observation.hpp"
#include "rules/encoding.hpp"

namespace lastcard {

Sight sight_of(const Observation& seen);

void encode_observation(const Observation& seen, u8* row);

inline int index_of_action(const Observation& seen, int action) {
    return index_of_action(seen.rules, seen.turn, seen.observer, action);
}

inline int action_of_index(const Observation& seen, int index) {
    return action_of_index(seen.rules, seen.turn, seen.observer, index);
}

}  // namespace lastcard
