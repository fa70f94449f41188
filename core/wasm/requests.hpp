// What requests hold besides documents, and what a page can offer.
#pragma once

#include <vector>

#include "game/json.hpp"
#include "rules/rng.hpp"

namespace lastcard {

// A seed of up to 256 bits from hexadecimal digits.
Key read_seed(const Json& described);

// Everything that a page can offer: presets and fields of rules, agents with their options, levels.
const Json& description();

}  // namespace lastcard
