// `halving`: flat Monte Carlo at the root by sequential halving.
//
// Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits" (2013). The budget is split over
// log2 K stages; after each, the worse half of the actions drops out. All actions of a stage face the same
// determinizations and the same random numbers, so that luck cancels between them.
#pragma once

#include <memory>
#include <vector>

#include "search/belief.hpp"
#include "search/network.hpp"

namespace lastcard {

struct HalvingSettings {
    int simulations = 1000;
    double seconds = 0.0;  // if positive, the budget instead of simulations
    int threads = 1;
    double epsilon = 0.0;
    double bonus = 0.02;                       // of what the advisor likes best
    std::shared_ptr<const Network> advisor{};  // made for official rules; elsewhere, and without, the heuristic advises
    u32 playout_plies = 400;
    bool halves = true;  // without: the budget is split evenly
    bool shares = true;  // without: every action has determinizations of its own
    bool draws = true;   // without: drawing is no candidate while something can be played
    bool adapts = true;  // opponents believed to be random play so in playouts
    bool random_playouts = false;
    BeliefSettings belief;
};

struct ActionResult {
    int action = 0;
    u64 simulations = 0;
    u64 sum = 0;      // of values, in units of 1/2520
    u64 squares = 0;  // of those
};

// What an action had come to by the end of a stage.
struct StageResult {
    int action = 0;
    u64 simulations = 0;  // of all stages so far
    double value = 0.0;
    double rank = 0.0;  // the value, with the bonus
    bool stays = false;
};

struct SearchResult {
    int best = 0;
    int by_policy = 0;           // what the heuristic alone would do
    std::vector<double> advice;  // of each action: 1 for what the advisor likes best
    std::vector<ActionResult> actions;
    std::vector<std::vector<StageResult>> stages;  // of each the actions that were in it, the best first
    Belief belief;
    u64 simulations = 0;
};

// One determinization, and what each action was worth in it: 1 for a win.
struct TracedSimulation {
    Hypothesis hypothesis;
    std::vector<double> values;
};

constexpr u64 VALUE_UNITS = 2520;  // divisible by any number of seats

SearchResult search_by_halving(const Observation& seen, const HalvingSettings& settings, u64 seed);

// The first determinizations of the first stage, as `search_by_halving` plays them.
std::vector<TracedSimulation> trace_halving(const Observation& seen, const HalvingSettings& settings, u64 seed,
                                            int count);

}  // namespace lastcard
