#include "search/pomcp.hpp"

#include <algorithm>

#include "search/filter.hpp"
#include "search/grow.hpp"

namespace lastcard {

namespace {

template <class R, class S>
class PomcpSearch {
public:
    PomcpSearch(Simulator<R, S>& with, const PomcpSettings& options, Tree& into)
        : simulator(with), settings(options), tree(into) {}

    // One pass of SEARCH's loop: s ~ B(h), then SIMULATE(s, h, 0).
    void simulate(u64 number) {
        simulator.start(s, number);
        path.clear();
        u32 h = ROOT;
        while (h != NO_LINK) {
            const bool is_leaf = h != ROOT && tree.nodes[h].visits < settings.patience;
            tree.nodes[h].visits += 1;            // N(h) <- N(h) + 1
            if (h != ROOT) remember_particle(h);  // B(h) <- B(h) + {s}
            if (is_leaf || simulator.is_over(s)) break;
            const u32 ha = select(h);  // argmax V(hb) + c sqrt(log N(h) / N(hb))
            path.push_back(ha);
            h = generate(ha);  // (s', o, r) ~ G(s, a); h <- hao
        }
        simulator.tell_leaf(s);
        double total = simulator.is_over(s) ? reward() : settings.discount * rollout();
        simulator.tell_end(s);
        for (std::size_t i = path.size(); i-- > 0; total *= settings.discount) {  // R <- r + gamma R
            const double share = (1.0 + total) / 2;
            back_up(tree.edges[path[i]], total, share, simulator.told_choice(i));  // V(ha): the mean of all R
        }
    }

private:
    Simulator<R, S>& simulator;
    const PomcpSettings& settings;
    Tree& tree;
    Simulation<S> s;
    std::vector<u32> path;

    // +1 for our win, -1 for another's, 0 for anything else.
    double reward() const {
        const int winner = s.state.turn.winner;
        return s.state.turn.phase != Phase::OVER || winner == NO_SEAT ? 0.0
               : winner == simulator.seen.observer                    ? 1.0
                                                                      : -1.0;
    }

    u32 select(u32 h) {
        ActionSet untried = legal_actions(s.state, simulator.rules);
        const auto log_visits = [log = log_of(tree.nodes[h].visits)](const Edge&) { return log; };
        const u32 best = best_by_ucb1(tree, h, simulator.seen.observer, settings.tree.exploration, log_visits, untried,
                                      simulator.tell_choice(tree.nodes[h].visits));
        const int count = num_actions(untried);
        if (count == 0) return best;
        int action = settings.heuristic_first ? simulator.choose_by_weights_alone(s) : -1;
        if (action < 0 || !contains(untried, action))
            action = nth_action(untried, scale_high(next_random(s.rng), count));
        return add_edge(tree, h, action, simulator.seen.observer);
    }

    // The generative model: our action, then everybody else by policy; o is what we hear of it.
    u32 generate(u32 ha) {
        Heard o(simulator.seen.observer);
        simulator.apply(s, o, tree.edges[ha].action);
        simulator.respond(s, o);
        const u32 hao = find_child(tree, ha, o.hash);
        return hao != NO_LINK ? hao : add_child(tree, ha, o.hash);
    }

    // Only what is hidden is kept of a state: the other hands (and whose policy they follow).
    void remember_particle(u32 h) {
        const bool is_full = tree.particles.next.size() >= tree.max_nodes;
        if (is_full || tree.nodes[h].num_particles >= static_cast<u32>(settings.particles)) return;
        Hand hidden[MAX_SEATS];
        for (int seat = 0; seat < simulator.rules.players; ++seat) {
            hidden[seat] = seat == simulator.seen.observer ? Hand{0, 0} : with_lowest_wilds(s.state.hands[seat]);
        }
        add_particle(tree, h, hidden, s.hypothesis->models.values);
    }

    // ROLLOUT: by policy to the end of the round, or so many of our decisions deep; each discounts what follows it.
    double rollout() {
        if (settings.discount == 1.0 && settings.rollout_depth == 0) {
            simulator.play_out(s);
            return reward();
        }
        Heard nothing(simulator.seen.observer);
        double discount = 1.0;
        for (u32 depth = 0; settings.rollout_depth == 0 || depth < settings.rollout_depth; ++depth) {
            simulator.apply(s, nothing, simulator.choose(s));
            simulator.respond(s, nothing);
            if (simulator.is_over(s)) return discount * reward();
            discount *= settings.discount;
        }
        return 0.0;
    }
};

// Copies of a Wild are told apart by ids that mean nothing to a seat.
int card_of(const Event& event) {
    const bool is_card = event.kind == EventKind::GOT || event.kind == EventKind::SHOWN;
    return is_card || event.kind == EventKind::TURNED_UP ? face_of(event.card) : event.card;
}

// The particles of the roots; taken out of the trees, for they are the belief from now on.
std::vector<Hypothesis> take_particles(std::vector<Tree>& trees, const Observation& seen) {
    const FaceCounts unseen = count_unseen(seen);
    std::vector<Hypothesis> found;
    for (Tree& tree : trees) {
        for (u32 p = tree.nodes[ROOT].first_particle; p != NO_LINK; p = tree.particles.next[p]) {
            Hypothesis particle;
            const std::size_t at = p * tree.particles.stride;
            for (std::size_t seat = 0; seat < tree.particles.stride; ++seat) {
                particle.hands[seat] = tree.particles.hands[at + seat];
                particle.models[seat] = tree.particles.models[at + seat];
            }
            if (fits(particle, seen, unseen)) found.push_back(particle);
        }
        tree.nodes[ROOT].first_particle = NO_LINK;
        tree.nodes[ROOT].num_particles = 0;
    }
    return found;
}

void believe_particles(Belief& belief, const std::vector<Hypothesis>& particles) {
    belief.is_exact = belief.is_shuffle = false;
    belief.hypotheses = particles;
    belief.effective_sample_size = effective_size(weights_of(particles));
}

}  // namespace

// Whether the observation goes on from the last one.
bool Pomcp::is_next(const Observation& seen) const {
    if (forest == nullptr || seen.observer != observer || seen.events.size() <= events.size()) return false;
    const auto same = [](const Event& a, const Event& b) {
        return a.kind == b.kind && a.seat == b.seat && a.other == b.other && card_of(a) == card_of(b);
    };
    return seen.rules == rules_before && std::equal(events.begin(), events.end(), seen.events.begin(), same);
}

// Makes the child of what really happened the root of each tree; an empty tree where no simulation heard the same.
std::vector<Tree> Pomcp::follow(const Observation& seen) const {
    std::vector<Tree> trees;
    const bool goes_on = settings.keeps_tree && is_next(seen);
    const u64 heard = goes_on ? hear_events(seen.events, events.size(), observer) : 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(settings.tree.trees); ++i) {
        const u32 child = goes_on ? find_heard((*forest)[i], heard) : NO_LINK;
        trees.push_back(child != NO_LINK ? prune_to((*forest)[i], child)
                                         : make_tree(static_cast<std::size_t>(settings.tree.max_nodes)));
        trees.back().particles.stride = static_cast<std::size_t>(seen.rules.players);
    }
    return trees;
}

template <class S, class Asked>
TreeResult Pomcp::run(const Asked& asked) {
    const Observation& seen = asked.seen;
    TreeResult result;
    result.by_policy = choose_by_heuristic(seen, settings.tree.belief.weights);
    auto trees = std::make_shared<std::vector<Tree>>(follow(seen));
    Rng rng = split_rng(asked.seed ^ 0xF117E4, 0);
    result.belief = believe(seen, settings.tree.belief, asked.seed);
    std::vector<Hypothesis> carried = take_particles(*trees, seen);
    carried_down = carried.size();
    u64 visits_before = 0;
    for (const RootAction& action : merge_roots(*trees)) visits_before += action.visits;
    const auto K = static_cast<std::size_t>(settings.particles);
    const std::vector<Hypothesis> B = refresh(std::move(carried), result.belief, K, settings.refill_particles, rng);
    grow_trees<PomcpSearch, S>(*trees, asked, settings, B, true);
    if (is_stopped()) return result;  // nobody looks at it, and asked again it starts from what it had
    forest = trees;
    rules_before = seen.rules;
    observer = seen.observer;
    events = seen.events;
    finish(result, std::move(trees));
    result.simulations -= visits_before;
    if (carried_down > 0) believe_particles(result.belief, B);
    result.best = settings.choice == FinalChoice::VISITS ? most_visited(result.actions) : best_valued(result.actions);
    return result;
}

TreeResult Pomcp::search(const Observation& seen, u64 seed, Trace* trace) {
    return with_compiled_rules(seen.rules, [&]<class R, int SEATS>(const R& rules, Seats<SEATS>) {
        return run<Hypothetical<SEATS>>(Question<R>{rules, seen, seed, trace});
    });
}

}  // namespace lastcard
