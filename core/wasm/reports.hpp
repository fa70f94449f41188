// What a search found, as JSON values.
#pragma once

#include "game/json.hpp"
#include "search/expectiminimax.hpp"
#include "search/forest.hpp"
#include "search/halving.hpp"

namespace lastcard {

// To so many decimal places, as Python's `round` does it.
double round_to(double value, int places);

// Values of actions as people read them.
Json round_values(const Json::List& actions);

// The probability that each opponent holds each card, by seat and card, without those that are impossible.
Json describe_marginals(const Observation& seen, const Belief& belief);

// Why the best action of a report is best, as data; docs/reference/javascript.md lists the kinds.
Json describe_reasons(const Observation& seen, const Belief& belief, const Json& told);

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
