// What a search found, as JSON values.
#pragma once

#include "search/expectiminimax.hpp"
#include "search/forest.hpp"
#include "search/halving.hpp"
#include "wasm/json.hpp"

namespace lastcard {

// To so many decimal places, as Python's `round` does it.
double round_to(double value, int places);

// Values of actions as people read them.
Json round_values(const Json::List& actions);

// The most simulated actions of a tree, to a depth that can be shown.
Json describe_tree(const std::vector<Tree>& trees);

// The stages of halving: what each action had come to, the best first.
Json describe_stages(const std::vector<std::vector<StageResult>>& stages);

// The recursions under the root actions, in the form of `describe_tree`; values are win probabilities.
Json describe_recursions(const std::vector<RecursionTrace>& recursions);

Json report_forced(int action);
Json report(const SearchResult& result);
Json report(const ExpectiminimaxResult& result);
Json report(const TreeResult& result);

}  // namespace lastcard
