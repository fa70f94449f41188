// Seeds in decimal digits, as records write them.
#pragma once

#include <optional>
#include <string>

#include "rules/rng.hpp"

namespace lastcard {

inline constexpr const char* SEED_RANGE = "from 0 to 2**256 - 1";

std::string format_seed(const Key& key);

// Nothing if the digits make a number that is too large.
std::optional<Key> parse_seed(const std::string& digits);

}  // namespace lastcard
