// How trees are grown: each by its share of the budget, several at the same time.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "round/compiled_rules.hpp"
#include "round/threads.hpp"
#include "search/simulation.hpp"

namespace lastcard {

// Calls `simulate(number)` as often as the share of tree `part` allows. With a budget in simulations the numbers depend
// on the settings alone; threads only decide which trees grow at the same time. `seconds` are left of a budget in time.
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

// Grows each tree by its share of the budget, from the hypotheses; the first one is traced. `Search` is a class that
// has `simulate(number)`; S is the state that it simulates with.
template <template <class, class> class Search, class S, class R, class Settings>
void grow_trees(std::vector<Tree>& trees, const Question<R>& asked, const Settings& settings,
                const std::vector<Hypothesis>& from, bool by_weight) {
    const int threads = std::min(settings.tree.threads, settings.tree.trees);
    const std::chrono::duration<double> spent =
        Clock::now() - asked.begun;  // on the belief, which is part of the budget
    const double left = std::max(settings.tree.seconds - spent.count(), 0.0);
    run_on_threads(threads, trees.size(), [&](u64, u64 first, u64 last) {
        for (u64 part = first; part < last && !(part > first && is_stopped()); ++part) {
            Simulator<R, S> simulator(asked.rules, asked.seen, settings.tree, opponents_of(settings), from, by_weight,
                                      asked.seed);
            simulator.trace = part == 0 ? asked.trace : nullptr;
            Search<R, S> search(simulator, settings, trees[part]);
            run_share(settings.tree, part, left, [&](u64 number) { search.simulate(number); });
        }
    });
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

}  // namespace lastcard
