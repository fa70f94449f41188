// The random numbers of a decision, and the agent that needs nothing else.
#pragma once

#include "round/observation.hpp"

namespace lastcard {

// How many public events the observer has seen. Cards that were got or shown belong to the event before them.
u32 count_events(const Observation& seen);

// The seed of the agent's decision: a new one for every decision, the same one for the same observation.
u64 decision_seed(const Observation& seen, const Key& agent);

// Random numbers for the observer's decision. Events are counted within a round, so the round's number has a say as
// well.
Rng decision_rng(const Observation& seen, u64 seed);

// `random`: any legal action, but draws only when nothing else is legal.
int choose_at_random(const Observation& seen, u64 seed);

}  // namespace lastcard
