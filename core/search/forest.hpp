// Trees that share a budget: what they are asked for, how they are added up at the root, and chosen from.
#pragma once

#include <memory>
#include <vector>

#include "search/belief.hpp"
#include "search/tree.hpp"

namespace lastcard {

#define LASTCARD_TREE_OPTIONS(OPTION)                                                                                  \
    OPTION(int, simulations, 10'000, "Simulations per decision.", 1, MOST_SIMULATIONS)                                 \
    OPTION(double, seconds, 0.0, "Time for a decision instead of a number of simulations, if more than 0.", 0.0,       \
           MOST_SECONDS)                                                                                               \
    OPTION(int, threads, 1,                                                                                            \
           "Number of trees that grow at the same time, at most `trees`; does not affect the choice.", 1,              \
           MOST_SEARCH_THREADS)                                                                                        \
    OPTION(int, trees, 1, "Independent trees that share the budget and are added up at the root; affects the choice.", \
           1, MOST_SEARCH_THREADS)                                                                                     \
    OPTION(int, max_nodes, 1'000'000,                                                                                  \
           "A tree with this many nodes, or particles, stops growing; the search continues in it.", 1, 1e7)            \
    OPTION(double, exploration, 0.7,                                                                                   \
           "The constant c of the upper confidence bound; larger values favor actions that were tried less.", 0.0,     \
           100.0)                                                                                                      \
    OPTION(PolicyKind, playouts, PolicyKind::HEURISTIC, "The policy of playouts: `heuristic` or `random`.")            \
    OPTION(u32, playout_plies, 400, "A simulation longer than this counts as a draw.", 1, 10'000)                      \
    OPTION(bool, model_random_opponents, true, "Opponents that seem to play at random do so in simulations.")          \
    OPTION(BeliefSettings, belief, {}, "The belief about hidden cards.")
LASTCARD_OPTIONS(TreeSettings, LASTCARD_TREE_OPTIONS)

// Without an option of their own, opponents play by the policy of playouts.
template <class Settings>
PolicyKind opponents_of(const Settings& settings) {
    if constexpr (requires { settings.opponents; }) return settings.opponents;
    else return settings.tree.playouts;
}

struct RootAction {
    int action = 0;
    u64 visits = 0;
    double own = 0.0;
    double squares = 0.0;
};

struct TreeResult {
    int best = 0;
    int by_policy = 0;  // what the heuristic alone would do
    std::vector<RootAction> actions;
    Belief belief;
    u64 simulations = 0;
    std::shared_ptr<const std::vector<Tree>> trees;
};

// The sums of all trees for each action of the root, in the order of actions.
std::vector<RootAction> merge_roots(const std::vector<Tree>& trees);

void finish(TreeResult& result, std::shared_ptr<const std::vector<Tree>> trees);

// The action visited most; of equals the better one, then the first.
int most_visited(const std::vector<RootAction>& actions);

// The action with the best mean, the first of equals; one that was never tried has none.
int best_valued(const std::vector<RootAction>& actions);

}  // namespace lastcard
