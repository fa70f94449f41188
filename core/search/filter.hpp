// A particle filter over hidden hands: effective size, systematic resampling, reinvigoration.
//
// Equal particles are one with a weight, so the effective sample size tells how many different hands the filter still
// stands on. When it has run low, hypotheses of the belief are mixed in, which knows the whole history: the filter
// cannot die.
#pragma once

#include <algorithm>
#include <vector>

#include "search/belief.hpp"

namespace lastcard {

inline std::vector<double> weights_of(const std::vector<Hypothesis>& particles) {
    std::vector<double> weights;
    for (const Hypothesis& particle : particles) weights.push_back(particle.weight);
    return weights;
}

// 1 / sum of squared normalized weights (A. Kong, J. Liu, W. Wong, "Sequential imputations and Bayesian missing data
// problems", 1994).
inline double effective_size(const std::vector<double>& weights) {
    double sum = 0.0, squares = 0.0;
    for (const double weight : weights) {
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0.0 ? sum * sum / squares : 0.0;
}

// Systematic resampling: one random number `u` in [0, 1), then equal steps through the cumulative weights. Each
// particle is taken as often as its share of `count` says, rounded up or down.
inline std::vector<std::size_t> resample(const std::vector<double>& weights, std::size_t count, double u) {
    double total = 0.0;
    for (const double weight : weights) total += weight;
    std::vector<std::size_t> taken;
    double reached = weights.front();
    std::size_t at = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double point = (static_cast<double>(k) + u) / static_cast<double>(count) * total;
        while (point >= reached && at + 1 < weights.size()) reached += weights[++at];
        taken.push_back(at);
    }
    return taken;
}

inline bool is_before(const Hypothesis& a, const Hypothesis& b) {
    for (std::size_t seat = 0; seat < MAX_SEATS; ++seat) {
        if (a.hands[seat].first != b.hands[seat].first) return a.hands[seat].first < b.hands[seat].first;
        if (a.hands[seat].second != b.hands[seat].second) return a.hands[seat].second < b.hands[seat].second;
    }
    return a.models < b.models;
}

// Particles that are the same become one; weights add up.
inline void merge_equal(std::vector<Hypothesis>& particles) {
    std::sort(particles.begin(), particles.end(), is_before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (kept > 0 && !is_before(particles[kept - 1], particles[i]))
            particles[kept - 1].weight += particles[i].weight;
        else particles[kept++] = particles[i];
    }
    particles.resize(kept);
}

// Whether the hands are as large as they are seen to be and hold nothing that lies elsewhere.
inline bool fits(const Hypothesis& particle, const Observation& seen, const FaceCounts& unseen) {
    FaceCounts left = unseen;
    for (int seat = 0; seat < seen.rules.players; ++seat) {
        if (seat == seen.observer) continue;
        if (num_cards(particle.hands[seat]) != seen.hand_sizes[seat]) return false;
        bool is_there = true;
        for_each_face(particle.hands[seat], [&](int face) {
            u8& copies = left[face];
            is_there = is_there && copies > 0;
            copies = copies > 0 ? static_cast<u8>(copies - 1) : copies;
        });
        if (!is_there) return false;
    }
    return true;
}

// K particles for the root from those that came down the tree. Below an effective size of K / 2, hypotheses of the
// belief take the place of what is missing, with `refill_particles` or if nothing came down at all, and all are
// resampled to K.
inline std::vector<Hypothesis> refresh(std::vector<Hypothesis> carried, const Belief& belief, std::size_t K,
                                       bool refill_particles, Rng& rng) {
    merge_equal(carried);
    const double size = effective_size(weights_of(carried));
    const auto wanted = static_cast<double>(K);
    if (size >= wanted / 2) return carried;
    if (refill_particles || carried.empty()) {
        double sum = 0.0, others = 0.0;
        for (const Hypothesis& particle : carried) sum += particle.weight;
        for (const Hypothesis& hypothesis : belief.hypotheses) others += hypothesis.weight;
        for (Hypothesis& particle : carried) particle.weight *= size / sum;
        for (const Hypothesis& hypothesis : belief.hypotheses) {
            carried.push_back(hypothesis);
            carried.back().weight *= (wanted - size) / others;
        }
    }
    std::vector<Hypothesis> taken;
    const double u = static_cast<double>(next_random(rng) >> 11) * 0x1p-53;
    for (const std::size_t index : resample(weights_of(carried), K, u)) {
        taken.push_back(carried[index]);
        taken.back().weight = 1.0;
    }
    return taken;
}

}  // namespace lastcard
