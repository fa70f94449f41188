// Rules from outside: their deck, and what must hold between the fields.
#pragma once

#include "round/faces.hpp"

namespace lastcard {

// Rule 1.2: `counts` are the copies of each face. Fails if there are too many of one.
void fill_deck(Rules& rules, const ByFace<int>& counts);

// Fails where too few cards are left to deal (Rule 2.3), or two fields contradict each other.
void check_rules(const Rules& rules);

}  // namespace lastcard
