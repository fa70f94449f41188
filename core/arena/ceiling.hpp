// The ceilings: searches that look at cards a seat cannot know, to show how much could be won by knowing them.
//
// Matches include this, and the arena's bindings; no agent does.
#pragma once

#include "search/halving.hpp"

namespace lastcard {

enum class Ceiling : u8 {
    SEES_HANDS,  // the draw pile is a set in no order
    OMNISCIENT,  // every card in its place, now and after every reshuffle
};

// The decision of the seat to act, by `halving` on the truth; opponents play as `heuristic` in playouts.
SearchResult search_truth(const Round& truth, Ceiling ceiling, const HalvingSettings& settings, u64 seed);

}  // namespace lastcard
