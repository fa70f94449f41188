// Trees that share a budget: how they are grown, added up at the root, and chosen from.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>

#include "round/batch.hpp"
#include "search/simulation.hpp"

namespace lastcard {

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

// Calls `simulate(number)` as often as the share of tree `part` allows. With a budget in simulations the numbers depend on the
// settings alone; threads only decide which trees grow at the same time. `seconds` are left of a budget in time.
template <class Simulate>
void run_share(const TreeSettings& settings, u64 part, double seconds, Simulate simulate) {
    const u64 first = part << 32;
    if (settings.seconds <= 0.0) {
        const auto all = static_cast<u64>(settings.simulations), trees = static_cast<u64>(settings.trees);
        const u64 count = all * (part + 1) / trees - all * part / trees;
        for (u64 i = 0; i < count && !(i > 0 && is_stopped()); ++i) simulate(first + i);
        return;
    }
    // Trees beyond the number of threads take turns: each gets its part of the time.
    const int turns = (settings.trees + settings.threads - 1) / settings.threads;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds / turns);
    u64 number = first;
    do {
        for (int i = 0; i < 32; ++i) simulate(number++);
    } while (!is_stopped() && Clock::now() < end);
}

// What a search is asked.
template <class R>
struct Question {
    const R& rules;
    const Observation& seen;
    u64 seed = 0;
    Trace* trace = nullptr;
    Clock::time_point begun = Clock::now();
};

// Grows each tree by its share of the budget, from the hypotheses; the first one is traced. `Search` is a class that has
// `simulate(number)`; S is the state that it simulates with.
template <template <class, class> class Search, class S, class R, class Settings>
void grow_trees(std::vector<Tree>& trees, const Question<R>& asked, const Settings& settings,
                const std::vector<Hypothesis>& from, bool by_weight) {
    const int threads = std::min(settings.tree.threads, settings.tree.trees);
    const std::chrono::duration<double> spent =
        Clock::now() - asked.begun;  // on the belief, which is part of the budget
    const double left = std::max(settings.tree.seconds - spent.count(), 0.0);
    run_on_threads(threads, trees.size(), [&](u64, u64 first, u64 last) {
        for (u64 part = first; part < last && !(part > first && is_stopped()); ++part) {
            Simulator<R, S> simulator(asked.rules, asked.seen, settings.tree, from, by_weight, asked.seed);
            simulator.trace = part == 0 ? asked.trace : nullptr;
            Search<R, S> search(simulator, settings, trees[part]);
            run_share(settings.tree, part, left, [&](u64 number) { search.simulate(number); });
        }
    });
}

// The sums of all trees for each action of the root, in the order of actions.
inline std::vector<RootAction> merge_roots(const std::vector<Tree>& trees) {
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

inline void finish(TreeResult& result, std::shared_ptr<const std::vector<Tree>> trees) {
    result.actions = merge_roots(*trees);
    for (const RootAction& action : result.actions) result.simulations += action.visits;
    result.trees = std::move(trees);
}

inline double mean_value(const RootAction& action) {
    return action.visits == 0 ? 0.0 : action.own / static_cast<double>(action.visits);
}

// The action visited most; of equals the better one, then the first.
inline int most_visited(const std::vector<RootAction>& actions) {
    const RootAction* best = &actions.front();
    for (const RootAction& action : actions) {
        const bool more = action.visits > best->visits;
        if (more || (action.visits == best->visits && mean_value(action) > mean_value(*best))) best = &action;
    }
    return best->action;
}

// The action with the best mean, the first of equals; one that was never tried has none.
inline int best_valued(const std::vector<RootAction>& actions) {
    const RootAction* best = &actions.front();
    for (const RootAction& action : actions) {
        if (action.visits > 0 && (best->visits == 0 || mean_value(action) > mean_value(*best))) best = &action;
    }
    return best->action;
}

// One decision by trees that are grown for it alone; the action visited most is chosen.
template <template <class, class> class Search, class S, class R, class Settings>
TreeResult search_anew(const Question<R>& asked, const Settings& settings) {
    TreeResult result;
    result.by_policy = choose_by_heuristic(asked.seen, settings.tree.belief.weights);
    result.belief = believe(asked.seen, settings.tree.belief, asked.seed);
    auto trees = std::make_shared<std::vector<Tree>>();
    for (int i = 0; i < settings.tree.trees; ++i)
        trees->push_back(make_tree(static_cast<std::size_t>(settings.tree.max_nodes)));
    grow_trees<Search, S>(*trees, asked, settings, result.belief.hypotheses, result.belief.is_exact);
    finish(result, std::move(trees));
    if (is_stopped()) return result;  // there may be no action yet, and nobody looks at it
    result.best = most_visited(result.actions);
    return result;
}

// The official games are compiled for themselves; everything else reads its switches at run time. Calls
// `run.template operator()<R, SEATS>(rules)`.
template <class Run>
auto with_rules_of(const Observation& seen, Run run) {
    static constexpr OfficialRules<2> two;
    static constexpr OfficialRules<4> four;
    if (are_same_rules(seen.rules, two)) return run.template operator()<OfficialRules<2>, 2>(two);
    if (are_same_rules(seen.rules, four)) return run.template operator()<OfficialRules<4>, 4>(four);
    return run.template operator()<Rules, MAX_SEATS>(seen.rules);
}

}  // namespace lastcard
