// Checks of arguments at the border: a value out of range here would be out of bounds in the core. `lastcard` checks
// first, with better messages.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "round/faces.hpp"
#include "round/fail.hpp"
#include "round/observation.hpp"
#include "rules/policy.hpp"

namespace lastcard {

constexpr int MOST_THREADS = 1024;
constexpr u64 MOST_AT_ONCE = 1ull << 24;  // positions, environments, deals, rows

inline void require_range(double value, double low, double high, const char* message) {
    require(value >= low && value <= high, message);  // not a number is in no range
}

inline void require_threads(int threads) { require_range(threads, 1, MOST_THREADS, "threads out of range"); }

template <class Number>
void require_finite(const std::vector<Number>& numbers, const char* message) {
    for (const Number number : numbers) require(std::isfinite(number), message);
}

inline Weights weights_from(const std::vector<float>& values) {
    require(values.size() == NUM_WEIGHTS, "33 weights are needed");
    require_finite(values, "weights must be finite");
    Weights weights{};
    std::copy(values.begin(), values.end(), weights.values);
    return weights;
}

inline int card_of_face(int face) {
    require_range(face, 0, NUM_FACES - 1, "no such card");
    return face == FOUR_FACE ? FIRST_FOUR : face;
}

inline void require_faces(const std::vector<u8>& faces) {
    for (const u8 face : faces) require(face < NUM_FACES, "no such card");
}

inline void require_seat(int seat, int players) { require(seat >= 0 && seat < players, "no such seat"); }

// The observer is a seat, not a spectator.
inline void require_seated(const Observation& seen) { require_seat(seen.observer, seen.rules.players); }

inline void require_decision(const Observation& seen) {
    require_seated(seen);
    require(num_actions(seen.legal) > 0, "the observer has nothing to decide");
}

}  // namespace lastcard
