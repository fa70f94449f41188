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

using Advisor = std::shared_ptr<const Network>;

#define LASTCARD_HALVING_OPTIONS(OPTION)                                                                               \
    OPTION(int, simulations, 1000, "Simulations per decision, shared by all actions.", 1, MOST_SIMULATIONS)            \
    OPTION(double, seconds, 0.0, "Time for a decision instead of a number of simulations, if more than 0.", 0.0,       \
           MOST_SECONDS)                                                                                               \
    OPTION(int, threads, 1, "Number of threads; does not affect the choice.", 1, MOST_SEARCH_THREADS)                  \
    OPTION(BeliefSettings, belief, {}, "The belief about hidden cards.")                                               \
    OPTION(double, epsilon, 0.0, "Probability that the playout policy plays at random.", 0.0, 1.0)                     \
    OPTION(double, bonus, 0.02,                                                                                        \
           "Advice as win probability: heuristic's favorite gains it; with a network, an action loses it for each "    \
           "factor e by which it is less probable, at most four times. Shrinks beyond 250 simulations of an action.",  \
           0.0, 1.0)                                                                                                   \
    OPTION(Advisor, advisor, nullptr,                                                                                  \
           "Policy that breaks near-ties: `network` (a shipped one, where there is one for the deck) or `heuristic`.") \
    OPTION(u32, playout_plies, 400, "A playout longer than this counts as a draw.", 1, 10'000)                         \
    OPTION(PolicyKind, playouts, PolicyKind::HEURISTIC, "The policy of playouts: `heuristic` or `random`.")            \
    OPTION(bool, drop_losers, true,                                                                                    \
           "Drops the worse half of the actions after each stage; if false, splits the budget evenly.")                \
    OPTION(bool, common_random_numbers, true, "All actions face the same determinizations and random numbers.")        \
    OPTION(bool, consider_drawing, true, "Drawing and keeping are candidates even when something can be played.")      \
    OPTION(bool, short_rounds, false,                                                                                  \
           "Drawing and keeping are no candidates where waiting pays: `seven_zero` with `draw_until_playable`.")       \
    OPTION(bool, model_random_opponents, true, "Opponents that seem to play at random do so in playouts.")
LASTCARD_OPTIONS(HalvingSettings, LASTCARD_HALVING_OPTIONS)

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
