// Trees that share a budget: what they are asked for, how they are added up at the root, and chosen from.
#pragma once

#include <memory>
#include <vector>

#include "search/belief.hpp"
#include "search/tree.hpp"

namespace lastcard {

#define LASTCARD_TREE_OPTIONS(OPTION)                                                                    \
    OPTION(BeliefSettings, belief, {})                                                                   \
    OPTION(int, simulations, 10'000, 1, MOST_SIMULATIONS)                                                \
    OPTION(double, seconds, 0.0, 0.0, MOST_SECONDS) /* if positive, the budget instead of simulations */ \
    OPTION(int, threads, 1, 1, MOST_SEARCH_THREADS)                                                      \
    OPTION(int, trees, 1, 1, MOST_SEARCH_THREADS) /* that share the budget and are merged at the root */ \
    OPTION(int, max_nodes, 1'000'000, 1, 1e7)                                                            \
    OPTION(double, exploration, 0.7, 0.0, 100.0)                                                         \
    OPTION(u32, playout_plies, 400, 1, 10'000)                                                           \
    OPTION(PolicyKind, playouts, PolicyKind::HEURISTIC)  /* the observer's policy beyond the tree */     \
    OPTION(PolicyKind, opponents, PolicyKind::HEURISTIC) /* everybody else's */                          \
    OPTION(bool, model_random_opponents, true)           /* opponents believed to be random play so */
LASTCARD_OPTIONS(TreeSettings, LASTCARD_TREE_OPTIONS)

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
