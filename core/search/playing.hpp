// Rounds that are played on by policies: what most searches spend their time with, compiled once for all of them.
#pragma once

#include "rules/policy.hpp"

namespace lastcard {

constexpr u64 BONUS_SIMULATIONS = 250;  // of one action; from there on the bonus shrinks as an error does

// Takes the action and plays on as `play_by_policies` does. There is one for each kind of pile and of rules
// (playing.cpp).
template <class R, class S>
void play_on_by_policies(S& state, const R& rules, Memory& memory, int action, const Policy* const* policies, Rng& rng,
                         u32 limit);

}  // namespace lastcard
