// `ismcts`: information-set Monte Carlo tree search with a single observer (SO-ISMCTS).
//
// P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search" (2012). One tree of what the observer
// can tell apart; every simulation descends it with a determinization of its own. An action competes only where it is legal, so
// UCB counts how often it could have been chosen (its availability) and not how often its node was visited.
#pragma once

#include "search/simulation.hpp"

namespace lastcard {

struct IsmctsSettings {
    TreeSettings tree;
    u32 patience = 1;    // visits of a node before it tells its actions apart
    bool guides = true;  // tries what the heuristic would do first; without: any untried action
};

template <class R, class S>
class Ismcts {
public:
    Ismcts(Simulator<R, S>& with, const IsmctsSettings& options, Tree& into)
        : simulator(with), settings(options), tree(into) {}

    void simulate(u64 number) {
        simulator.start(d, number);  // 1. Choose a determinization d that agrees with what was seen.
        path.clear();
        u32 v = ROOT;
        while (v != NO_LINK) {
            const bool is_leaf = v != ROOT && tree.nodes[v].visits < settings.patience;
            tree.nodes[v].visits += 1;
            if (is_leaf || simulator.is_over(d)) break;
            const u32 edge = select(v);  // 2. Select among what is legal in d; 3. expand where something is untried.
            path.push_back(edge);
            v = descend(edge);
        }
        simulator.play_out(d);  // 4. Simulate to the end.
        const double own = simulator.value(d, simulator.seen.observer);
        for (const u32 edge : path) {  // 5. Back up; availability was counted on the way down.
            back_up(tree.edges[edge], simulator.value(d, tree.edges[edge].seat), own);
        }
    }

private:
    Simulator<R, S>& simulator;
    const IsmctsSettings& settings;
    Tree& tree;
    Simulation<S> d;
    std::vector<u32> path;

    // Every seat looks after itself: the best of its mean plus c sqrt(ln available / visits).
    u32 select(u32 v) {
        const int seat = d.state.turn.seat;
        ActionSet untried = legal_actions(d.state, simulator.rules);
        u32 best = NO_LINK;
        double most = 0.0;
        for (u32 at = tree.nodes[v].first_edge; at != NO_LINK; at = tree.edges[at].next) {
            Edge& edge = tree.edges[at];
            if (edge.seat != seat || !contains(untried, edge.action)) continue;
            remove_action(untried, edge.action);
            edge.available += 1;
            const double score = ucb1(mean_value(edge), edge.visits, log_of(edge.available), settings.tree.exploration);
            if (best == NO_LINK || score > most || (score == most && edge.action < tree.edges[best].action)) {
                best = at;
                most = score;
            }
        }
        return num_actions(untried) > 0 ? expand(v, untried) : best;
    }

    u32 expand(u32 v, const ActionSet& untried) {
        int action = settings.guides ? simulator.choose_by_weights_alone(d) : -1;
        if (action < 0 || !contains(untried, action)) {
            action = nth_action(untried, scale_high(next_random(d.rng), num_actions(untried)));
        }
        const u32 edge = add_edge(tree, v, action, d.state.turn.seat);
        tree.edges[edge].available = 1;
        return edge;
    }

    // Applies the action and finds the node for what the observer hears of it. Windows for others (Rule 10.7) are no decisions
    // that it could tell apart: those follow the policy.
    u32 descend(u32 edge) {
        Heard heard(simulator.seen.observer);
        simulator.apply(d, heard, tree.edges[edge].action);
        while (!simulator.is_over(d) && is_window(d.state) && d.state.turn.seat != simulator.seen.observer) {
            simulator.apply(d, heard, simulator.choose(d));
        }
        const u32 child = find_child(tree, edge, heard.hash);
        return child != NO_LINK ? child : add_child(tree, edge, heard.hash);
    }
};

template <class R, int SEATS>
TreeResult run_ismcts(const R& rules, const Observation& seen, const IsmctsSettings& settings, u64 seed) {
    using S = Hypothetical<SEATS>;
    TreeResult result;
    result.by_policy = choose_by_heuristic(seen, settings.tree.belief.weights);
    result.belief = believe(seen, settings.tree.belief, seed);
    auto trees = std::make_shared<std::vector<Tree>>(static_cast<std::size_t>(settings.tree.trees));
    grow_trees(settings.tree, [&](u64 part) {
        Tree& tree = (*trees)[part] = make_tree(static_cast<std::size_t>(settings.tree.max_nodes));
        Simulator<R, S> simulator(rules, seen, settings.tree, result.belief.hypotheses, result.belief.is_exact, seed);
        Ismcts<R, S> search(simulator, settings, tree);
        run_share(settings.tree, part, [&](u64 number) { search.simulate(number); });
    });
    finish(result, std::move(trees));
    result.best = most_visited(result.actions);
    return result;
}

inline TreeResult search_by_ismcts(const Observation& seen, const IsmctsSettings& settings, u64 seed) {
    return with_rules_of(
        seen, [&]<class R, int SEATS>(const R& rules) { return run_ismcts<R, SEATS>(rules, seen, settings, seed); });
}

}  // namespace lastcard
