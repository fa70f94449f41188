// A belief as the probability that each opponent holds each card.
#pragma once

#include "search/belief.hpp"
#include "wasm/json.hpp"

namespace lastcard {

// By seat and card, without those that are impossible.
Json describe_marginals(const Observation& seen, const Belief& belief);

// How likely the seat is to hold at least one card of the color.
double chance_of_color(const Observation& seen, const Belief& belief, int seat, int color);

}  // namespace lastcard
