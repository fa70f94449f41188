#include "search/mcts.hpp"

#include "search/grow.hpp"
#include "search/mcts_model.hpp"

namespace lastcard {

template void transition(Simulation<Hypothetical<MAX_SEATS>>&, const Rules&, const MctsSettings&, int);

namespace {

template <class R, class S>
class Mcts {
public:
    Mcts(Simulator<R, S>& with, const MctsSettings& options, Tree& into)
        : simulator(with), rules(with.rules), settings(options), tree(into) {}

    void simulate(u64 number) {
        simulator.start(s, number);  // One belief particle a playout.
        prepare_pile(s.state.pile, simulator.seen.rules);
        path.clear();
        u32 v = ROOT;
        bool is_expanded = false;
        while (v != NO_LINK && !is_expanded && !simulator.is_over(s)) {  // 1. Selection, down to
            const u32 edge = select(v, is_expanded);                     // 2. expansion by one of our untried actions.
            path.push_back(edge);
            act(color_in(tree.edges[edge].action));
            while (!simulator.is_over(s) && !simulator.is_own_choice(s)) act(choose());
            v = tree.edges[edge].first_child;
            if (v == NO_LINK) v = add_child(tree, edge, 0);
        }
        simulator.tell_leaf(s);
        double reward = play_out();  // 3. Rollout.
        simulator.tell_end(s);
        for (std::size_t i = path.size(); i-- > 0; reward *= settings.discount) {  // 4. Backpropagation.
            back_up(tree.edges[path[i]], reward, reward, simulator.told_choice(i));
        }
    }

private:
    Simulator<R, S>& simulator;
    const R& rules;
    const MctsSettings& settings;
    Tree& tree;
    Simulation<S> s;
    std::vector<u32> path;

    void act(int action) {
        simulator.tell_ply(s, action);
        transition(s, rules, settings, action);
    }

    // Untried actions in any order, then the largest V(child) + c sqrt(ln N(parent) / N(child)).
    u32 select(u32 v, bool& is_expanded) {
        ActionSet untried = legal_actions(s.state, rules);
        if (!settings.searches_color) untried.plays = as_one_color(untried.plays);
        const auto log_visits = [log = log_of(tree.nodes[v].visits)](const Edge&) { return log; };
        const u32 best = best_by_ucb1(tree, v, simulator.seen.observer, settings.tree.exploration, log_visits, untried,
                                      simulator.tell_choice(tree.nodes[v].visits));
        tree.nodes[v].visits += 1;
        const int count = num_actions(untried);
        is_expanded = count > 0;
        if (!is_expanded) return best;
        const int action = nth_action(untried, scale_high(next_random(s.rng), count));
        return add_edge(tree, v, action, simulator.seen.observer);
    }

    // The four colors of a Wild as one action, the first of them.
    static u64 as_one_color(u64 plays) {
        const u64 wilds = (plays & WILD_BITS) != 0 ? bit_of(FIRST_WILD) : 0;
        return (plays & COLORED_BITS) | wilds | ((plays & FOUR_BITS) != 0 ? bit_of(FIRST_FOUR) : 0);
    }

    // The action itself, or a Wild in a color by chance.
    int color_in(int action) {
        const bool is_open = !settings.searches_color && is_play(action) && !is_colored(action);
        return is_open ? action + scale_high(next_random(s.rng), NUM_COLORS) : action;
    }

    // How everybody acts beyond the tree: by the heuristic, or we at random and the others by the model of the
    // document.
    int choose() {
        const int seat = s.state.turn.seat;
        if (settings.tree.playouts != PolicyKind::RANDOM || seat == simulator.seen.observer) return simulator.choose(s);
        const ActionSet legal = legal_actions(s.state, rules);
        const bool can_draw = contains(legal, DRAW) || contains(legal, KEEP);
        if (legal.plays == 0 || !can_draw) return random_action(legal, s.rng);
        const u64 random = next_random(s.rng);
        const bool plays = static_cast<double>(random >> 32) * 0x1p-32 < settings.opponent_plays;
        if (plays) return random_action(ActionSet{legal.plays, 0}, s.rng);
        return contains(legal, DRAW) ? DRAW : KEEP;
    }

    double play_out() {
        const u32 limit = s.state.turn.ply + settings.max_depth;
        while (!simulator.is_over(s) && (settings.max_depth == 0 || s.state.turn.ply < limit)) act(choose());
        if (s.state.turn.phase == Phase::OVER) return simulator.value(s, simulator.seen.observer);
        return settings.values_unfinished ? guess_value() : 0.0;
    }

    // Nobody has won yet: a hand half as large is taken to win twice as often.
    double guess_value() const {
        const auto odds = [&](int seat) { return 1.0 / std::max(num_cards(s.state.hands[seat]), 1); };
        double sum = 0.0;
        for (int seat = 0; seat < rules.players; ++seat) sum += odds(seat);
        return odds(simulator.seen.observer) / sum;
    }
};

// Where the tree leaves the color of a Wild to chance, so does the choice.
void name_color(TreeResult& result, u64 seed) {
    if (!is_play(result.best) || is_colored(result.best)) return;
    Rng rng = split_rng(seed ^ 0xC0105, 0);
    const int named = result.best + scale_high(next_random(rng), NUM_COLORS);
    for (RootAction& row : result.actions) row.action = row.action == result.best ? named : row.action;
    result.best = named;
}

}  // namespace

TreeResult search_by_mcts(const Observation& seen, const MctsSettings& settings, u64 seed, Trace* trace) {
    TreeResult result = with_compiled_rules(seen.rules, [&]<class R, int SEATS>(const R& rules, Seats<SEATS>) {
        const Question<R> asked{rules, seen, seed, trace};
        if (settings.draws_from_pile) return search_anew<Mcts, Hypothetical<SEATS>>(asked, settings);
        return search_anew<Mcts, State<ImaginedPile, SEATS>>(asked, settings);
    });
    if (!settings.searches_color) name_color(result, seed);
    return result;
}

}  // namespace lastcard
