// Random play on from a state, compiled once for all that call it.
#pragma once

#include "rules/state.hpp"

namespace lastcard {

// Plays as `play_randomly` does. There is one for each kind of pile and of rules (random_play.cpp).
template <class R, class S>
void play_on_randomly(S& state, const R& rules, Rng& rng, u32 limit = ~0u);

// The same to the end of the round, with the pile's generator for choices as well as for draws.
template <class R, class S>
void play_on_by_pile(S& state, const R& rules);

}  // namespace lastcard
