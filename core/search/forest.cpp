#include "search/forest.hpp"

#include <algorithm>
#include <utility>

namespace lastcard {

namespace {

double mean_value(const RootAction& action) {
    return action.visits == 0 ? 0.0 : action.own / static_cast<double>(action.visits);
}

}  // namespace

std::vector<RootAction> merge_roots(const std::vector<Tree>& trees) {
    std::vector<RootAction> merged;
    for (const Tree& tree : trees) {
        for_each_edge(tree, ROOT, [&](u32 index) {
            const Edge& edge = tree.edges[index];
            const auto same = [&](const RootAction& other) { return other.action == edge.action; };
            auto at = std::find_if(merged.begin(), merged.end(), same);
            if (at == merged.end()) at = merged.insert(at, RootAction{edge.action});
            at->visits += edge.visits;
            at->own += edge.own;
            at->squares += edge.squares;
        });
    }
    std::sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.action < b.action; });
    return merged;
}

void finish(TreeResult& result, std::shared_ptr<const std::vector<Tree>> trees) {
    result.actions = merge_roots(*trees);
    for (const RootAction& action : result.actions) result.simulations += action.visits;
    result.trees = std::move(trees);
}

int most_visited(const std::vector<RootAction>& actions) {
    const RootAction* best = &actions.front();
    for (const RootAction& action : actions) {
        const bool more = action.visits > best->visits;
        if (more || (action.visits == best->visits && mean_value(action) > mean_value(*best))) best = &action;
    }
    return best->action;
}

int best_valued(const std::vector<RootAction>& actions) {
    const RootAction* best = &actions.front();
    for (const RootAction& action : actions) {
        if (action.visits > 0 && (best->visits == 0 || mean_value(action) > mean_value(*best))) best = &action;
    }
    return best->action;
}

}  // namespace lastcard
