// How rounds that are checked are walked through: what is chosen, and what has to be heard of it.
#pragma once

#include "rules/state.hpp"

namespace lastcard {

// A listener that only has to know when the discards go back into the draw pile.
struct ReshuffleListener {
    bool has_reshuffled = false;

    void dealt(int, int, const Hand&) {}
    void got(int, int) {}
    void drew(int) {}
    void reshuffled(int, const auto&) { has_reshuffled = true; }
    void event(EventKind, int, int, int) {}
    void challenged(int, int, bool, const Hand&) {}
    void received(int, const Hand&) {}
};

// Declines to play one time in ten, or always as readily as anything else.
inline int choose_action(const ActionSet& legal, Rng& rng, bool is_uniform) {
    const u64 random = next_random(rng);
    if (!is_uniform && contains(legal, DRAW) && scale_low(random, 10) == 0) return DRAW;
    const ActionSet choices{legal.plays, is_uniform ? legal.others : legal.others & ~other_bit(DRAW)};
    const int count = num_actions(choices);
    return count == 0 ? DRAW : nth_action(choices, scale_high(random, count));
}

}  // namespace lastcard
