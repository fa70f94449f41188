#include "search/ismcts.hpp"

#include "search/grow.hpp"

namespace lastcard {

namespace {

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
        simulator.tell_leaf(d);
        simulator.play_out(d);  // 4. Simulate to the end.
        simulator.tell_end(d);
        const double own = simulator.value(d, simulator.seen.observer);
        for (std::size_t i = 0; i < path.size(); ++i) {  // 5. Back up; availability was counted on the way down.
            Edge& edge = tree.edges[path[i]];
            back_up(edge, simulator.value(d, edge.seat), own, simulator.told_choice(i));
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
        ActionSet untried = legal_actions(d.state, simulator.rules);
        const auto log_available = [](Edge& edge) { return log_of(edge.available += 1); };
        const u32 best = best_by_ucb1(tree, v, d.state.turn.seat, settings.tree.exploration, log_available, untried,
                                      simulator.tell_choice(tree.nodes[v].visits));
        return num_actions(untried) > 0 ? expand(v, untried) : best;
    }

    u32 expand(u32 v, const ActionSet& untried) {
        int action = settings.heuristic_first ? simulator.choose_by_weights_alone(d) : -1;
        if (action < 0 || !contains(untried, action)) {
            action = nth_action(untried, scale_high(next_random(d.rng), num_actions(untried)));
        }
        const u32 edge = add_edge(tree, v, action, d.state.turn.seat);
        tree.edges[edge].available = 1;
        return edge;
    }

    // Applies the action and finds the node for what the observer hears of it. Windows for others (Rule 10.7) are no
    // decisions that it could tell apart: those follow the policy.
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

}  // namespace

TreeResult search_by_ismcts(const Observation& seen, const IsmctsSettings& settings, u64 seed, Trace* trace) {
    return with_compiled_rules(seen.rules, [&]<class R, int SEATS>(const R& rules, Seats<SEATS>) {
        return search_anew<Ismcts, Hypothetical<SEATS>>(Question<R>{rules, seen, seed, trace}, settings);
    });
}

}  // namespace lastcard
