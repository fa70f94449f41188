// What a belief says of single cards: how likely a seat is to hold them.
#pragma once

#include <vector>

#include "search/belief.hpp"

namespace lastcard {

// The probabilities that the seat holds 0, 1, 2, ... cards of these faces in all.
std::vector<double> count_chances(const Observation& seen, const Belief& belief, int seat,
                                  const std::vector<int>& faces);

// The probability that the seat holds at least one card of these faces.
double chance_of_any(const Observation& seen, const Belief& belief, int seat, const std::vector<int>& faces);

// The same for each face by itself.
ByFace<double> list_marginals(const Observation& seen, const Belief& belief, int seat);

double chance_of_color(const Observation& seen, const Belief& belief, int seat, int color);

}  // namespace lastcard
