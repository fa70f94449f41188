// An observation from a description, not from a state.
#pragma once

#include <vector>

#include "round/faces.hpp"
#include "round/observation.hpp"

namespace lastcard {

struct Described {
    int observer = 0;
    std::vector<u8> hand;      // faces
    std::vector<u8> discards;  // faces, top last
    std::vector<int> hand_sizes;
    std::vector<Event> events;
    Turn turn{};
    std::vector<int> scores;  // from before the round; 0 where they are left out
    std::vector<int> points;  // what the round added
    int dealer = 0;
    int number = 1;
};

// Fails where no table can look like this. What a seat may do follows from the rest.
Observation imagine(const Rules& rules, const Described& described);

}  // namespace lastcard
