// `expectiminimax`: depth-limited search of determinizations, max on our turn, min on the others', mean over draws.
//
// D. Michie, "Game-playing and game-learning automata" (1966), for the value V(s, d, p); the mean over determinizations at the root
// is that of M. Ginsberg, "GIB: imperfect information in a computationally challenging game" (2001). The symbols are those of
// docs/explanation/expectiminimax.md, which derives all of it and says what each departure from the published form is worth.
#pragma once

#include "search/halving.hpp"
#include "search/latent.hpp"
#include "search/shuffled_pile.hpp"

namespace lastcard {

struct ExpectiminimaxSettings {
    int determinizations = 50;  // N
    int depth = 3;              // d, counted after the root action
    int draws = 5;              // m, cards tried for a draw
    int playouts = 0;           // at a leaf; without: the difference of hand sizes
    int nodes = 1'000'000;      // of one tree; beyond it everything is a leaf
    double seconds = 0.0;       // if positive, determinizations go on until then
    int threads = 1;
    double bonus = 0.0;  // for the heuristic's choice, as a win probability
    bool published_belief = false;
    bool shares = true;          // all root actions meet the same determinizations
    bool keeps_turn = true;      // without: the other seat is next whatever was played
    bool follows_policy = true;  // opponents do what the heuristic would; without: what is worst for us
    bool max_n = false;          // of several seats each looks for its own best; without: all work against us
    bool adapts = true;          // opponents believed to be random play so
    BeliefSettings belief;
};

struct ActionMean {
    int action = 0;
    u64 determinizations = 0;
    double sum = 0.0;      // of win probabilities
    double squares = 0.0;  // of those
};

struct ExpectiminimaxResult {
    int best = 0;
    int by_policy = 0;
    std::vector<ActionMean> actions;
    std::vector<int> line;  // the best action and what most determinizations make of it
    Belief belief;
    u64 determinizations = 0;  // of all actions together
    u64 nodes = 0;
};

constexpr double WIN = 100.0;             // R(s) of a round won; lost: -WIN
constexpr double MOST_DIFFERENCE = 99.0;  // no hand is as good as a round won
constexpr u64 MOST_DETERMINIZATIONS = 10'000'000;
constexpr int MOST_HYPOTHESES = 65'536;
constexpr int LINES = 24;  // determinizations whose lines are compared

// The linear map from [-100, 100]: where leaves are rounds played out it is the share of them won.
inline double win_probability(double value) { return 0.5 + value / (2.0 * WIN); }

// One determinization searched: the recursion itself.
template <class R, int SEATS>
class GameTree {
public:
    struct Node {
        State<ShuffledPile, SEATS> state;
        Memory memory;
    };
    using Values = std::array<double, SEATS>;

    GameTree(const R& with_rules, const ExpectiminimaxSettings& with, int seat)
        : rules(with_rules), settings(with), observer(seat), is_max_n(with.max_n && with_rules.players > 2) {
        heuristic = make_policy(with.belief.weights, 0.0);
        random.is_random = true;
        policies.fill(&heuristic);
    }

    u64 num_nodes = 0;

    void model_opponents(const Hypothesis& hypothesis) {
        for (int seat = 0; seat < rules.players; ++seat) {
            const auto at = static_cast<std::size_t>(seat);
            const bool plays_randomly = settings.adapts && seat != observer && hypothesis.models[at] == RANDOM_MODEL;
            policies[at] = plays_randomly ? &random : &heuristic;
        }
    }

    // V(T(s, a), d, next): the root action's worth in this determinization.
    double root_value(const Node& root, int action) {
        begin_tree();
        Node next = root;
        transition(next, action);
        return settle(next, settings.depth);
    }

    // What follows the root action if all choose as the recursion says, and of every draw the first card comes.
    std::vector<int> line_after(const Node& root, int action) {
        std::vector<int> line{action};
        Node node = root;
        transition(node, action);
        for (int depth = settings.depth; depth > 0 && node.state.turn.phase != Phase::OVER; --depth) {
            begin_tree();
            line.push_back(choose(node, depth));
            transition(node, line.back());
        }
        return line;
    }

private:
    const R& rules;
    const ExpectiminimaxSettings& settings;
    int observer;
    bool is_max_n;
    u64 last_node = 0;
    Policy heuristic{}, random{};
    std::array<const Policy*, MAX_SEATS> policies{};

    void begin_tree() { last_node = num_nodes + static_cast<u64>(settings.nodes); }

    bool is_ours(const Node& node) const { return node.state.turn.seat == observer; }

    bool is_leaf(const Node& node, int depth) const {
        return depth == 0 || node.state.turn.phase == Phase::OVER || num_nodes >= last_node;
    }

    double settle(const Node& node, int depth) {
        return is_max_n ? values(node, depth)[static_cast<std::size_t>(observer)] : value(node, depth, -WIN, WIN);
    }

    // V(s, d, p), from the observer's side; exact between alpha and beta (D. Knuth and R. Moore, 1975).
    double value(const Node& node, int depth, double alpha, double beta) {
        num_nodes += 1;
        if (is_leaf(node, depth)) return reward(node)[static_cast<std::size_t>(observer)];
        if (settings.follows_policy && !is_ours(node)) return value_after(node, by_policy(node), depth, alpha, beta);
        const ActionSet legal = legal_actions(node.state, rules);
        const bool maximizes = is_ours(node);
        double best = maximizes ? -WIN : WIN;
        for (int i = 0; i < num_actions(legal) && alpha < beta; ++i) {
            const double found = value_after(node, nth_action(legal, i), depth, alpha, beta);
            best = maximizes ? std::max(best, found) : std::min(best, found);
            (maximizes ? alpha : beta) = best;
        }
        return best;
    }

    // V_after(s, a, d): for a draw, the mean over m cards without replacement.
    double value_after(const Node& node, int action, int depth, double alpha, double beta) {
        if (action != DRAW) {
            Node next = node;
            transition(next, action);
            return value(next, depth - 1, alpha, beta);
        }
        const int outcomes = num_outcomes(node);
        double sum = 0.0;
        for (int j = 0; j < outcomes; ++j) sum += value(drawing(node, j), depth - 1, -WIN, WIN);
        return sum / outcomes;
    }

    // The same for each seat by itself: whoever acts looks for its own best (C. Luckhardt and K. Irani, 1986).
    Values values(const Node& node, int depth) {
        num_nodes += 1;
        if (is_leaf(node, depth)) return reward(node);
        const std::size_t seat = node.state.turn.seat;
        if (settings.follows_policy && !is_ours(node)) return values_after(node, by_policy(node), depth);
        const ActionSet legal = legal_actions(node.state, rules);
        Values best{};
        for (int i = 0; i < num_actions(legal); ++i) {
            const Values found = values_after(node, nth_action(legal, i), depth);
            if (i == 0 || found[seat] > best[seat]) best = found;
        }
        return best;
    }

    Values values_after(const Node& node, int action, int depth) {
        if (action != DRAW) {
            Node next = node;
            transition(next, action);
            return values(next, depth - 1);
        }
        const int outcomes = num_outcomes(node);
        Values mean{};
        for (int j = 0; j < outcomes; ++j) {
            const Values found = values(drawing(node, j), depth - 1);
            for (std::size_t seat = 0; seat < SEATS; ++seat) mean[seat] += found[seat] / outcomes;
        }
        return mean;
    }

    int num_outcomes(const Node& node) const { return std::max(1, std::min(settings.draws, node.state.pile.size)); }

    // The node after a draw of the card `j` below the next one.
    Node drawing(const Node& node, int j) const {
        Node next = node;
        if (j > 0) bring_up(next.state.pile, j);
        transition(next, DRAW);
        return next;
    }

    // T(s, a). As published, p' = 3 - p: a play or a draw is followed by the other seat's turn, whatever the rules say.
    void transition(Node& node, int action) const {
        const int seat = node.state.turn.seat;
        apply_and_remember(node.state, rules, node.memory, action);
        Turn& turn = node.state.turn;
        const bool goes_on = turn.seat == seat && (turn.phase == Phase::TURN || turn.phase == Phase::DRAWN);
        if (settings.keeps_turn || !goes_on || !(is_play(action) || action == DRAW)) return;
        turn.drawn = NO_CARD;
        begin_turn(node.state, seat_after(node.state, rules, seat));
    }

    int by_policy(const Node& node) const {
        Rng rng = split_rng(node.state.pile.rng.state, node.state.turn.ply);
        return choose_by_policy(node.state, rules, node.memory, *policies[node.state.turn.seat], rng);
    }

    int choose(const Node& node, int depth) {
        if (settings.follows_policy && !is_ours(node)) return by_policy(node);
        const ActionSet legal = legal_actions(node.state, rules);
        const std::size_t seat = node.state.turn.seat;
        int best = nth_action(legal, 0);
        double most = -2.0 * WIN;
        for (int i = 0; i < num_actions(legal); ++i) {
            const int action = nth_action(legal, i);
            double found = 0.0;
            if (is_max_n) found = values_after(node, action, depth)[seat];
            else found = value_after(node, action, depth, -WIN, WIN) * (is_ours(node) ? 1.0 : -1.0);
            if (found > most) {
                most = found;
                best = action;
            }
        }
        return best;
    }

    // R(s), for each seat.
    Values reward(const Node& node) const {
        const int winner = node.state.turn.winner;
        if (winner != NO_SEAT) return won_by(winner);
        if (node.state.turn.phase == Phase::OVER || settings.playouts == 0) return differences(node.state);
        Values mean{};
        for (int i = 0; i < settings.playouts; ++i) {
            const Values found = play_out(node, i);
            for (std::size_t seat = 0; seat < SEATS; ++seat) mean[seat] += found[seat] / settings.playouts;
        }
        return mean;
    }

    static Values won_by(int winner) {
        Values found{};
        for (int seat = 0; seat < SEATS; ++seat) found[static_cast<std::size_t>(seat)] = seat == winner ? WIN : -WIN;
        return found;
    }

    // |H_2| - |H_1|: cards that the nearest rival has more than the seat.
    Values differences(const State<ShuffledPile, SEATS>& state) const {
        Values found{};
        for (int seat = 0; seat < rules.players; ++seat) {
            int fewest = MAX_CARDS;
            for (int other = 0; other < rules.players; ++other)
                if (other != seat) fewest = std::min(fewest, num_cards(state.hands[other]));
            const double difference = fewest - num_cards(state.hands[seat]);
            found[static_cast<std::size_t>(seat)] = std::clamp(difference, -MOST_DIFFERENCE, MOST_DIFFERENCE);
        }
        return found;
    }

    // The first playout meets the determinization's own luck, the others a luck of their own.
    Values play_out(const Node& leaf, int number) const {
        constexpr u32 MOST_PLIES = 400;
        Node node = leaf;
        if (number > 0) {
            node.state.pile.rng = split_rng(node.state.pile.rng.state, static_cast<u64>(number));
            shuffle_pile(node.state.pile);
        }
        Rng rng = split_rng(node.state.pile.rng.state, node.state.turn.ply);
        const u32 limit = node.state.turn.ply + MOST_PLIES;
        play_by_policies(node.state, rules, node.memory, policies.data(), rng, limit);
        if (node.state.turn.winner != NO_SEAT) return won_by(node.state.turn.winner);
        Values even{};
        even.fill(2.0 * WIN / rules.players - WIN);
        return even;
    }
};

template <class R, int SEATS>
class ExpectiminimaxSearch {
public:
    ExpectiminimaxSearch(const R& with_rules, const Observation& observation, const ExpectiminimaxSettings& with,
                         u64 with_seed)
        : rules(with_rules), seen(observation), settings(with), seed(with_seed), determinizer(observation) {}

    // argmax over a of Q(a), the mean of V over determinizations.
    ExpectiminimaxResult run(bool wants_line) {
        ExpectiminimaxResult result;
        result.by_policy = choose_by_heuristic(seen, settings.belief.weights);
        for (int i = 0; i < num_actions(seen.legal); ++i)
            result.actions.push_back(ActionMean{nth_action(seen.legal, i)});
        memory = remember(seen);
        believe_enough(result);
        spend_budget(result);
        const auto rank = [&](const ActionMean& row) {
            const double mean = row.sum / static_cast<double>(row.determinizations);
            return row.action == result.by_policy ? mean + settings.bonus : mean;
        };
        std::size_t best = 0;
        for (std::size_t i = 1; i < result.actions.size(); ++i)
            if (rank(result.actions[i]) > rank(result.actions[best])) best = i;
        result.best = result.actions[best].action;
        if (wants_line) result.line = most_common_line(result.best);
        return result;
    }

private:
    using Tree = GameTree<R, SEATS>;
    using Node = typename Tree::Node;

    const R& rules;
    const Observation& seen;
    const ExpectiminimaxSettings& settings;
    u64 seed;
    Determinizer determinizer;
    Memory memory{};
    const Belief* belief = nullptr;
    std::vector<double> cumulative;  // of the weights, where the belief is exact

    // As many hypotheses as determinizations, within reason; beyond it they are met again, with other luck.
    void believe_enough(ExpectiminimaxResult& result) {
        const u64 streams = settings.shares ? 1 : result.actions.size();
        const u64 wanted = static_cast<u64>(settings.determinizations) * streams;
        const int count = static_cast<int>(std::min(wanted, static_cast<u64>(MOST_HYPOTHESES)));
        BeliefSettings with = settings.belief;
        with.hypotheses = count;
        result.belief = settings.published_belief ? believe_as_published(seen, count, seed) : believe(seen, with, seed);
        belief = &result.belief;
        double sum = 0.0;
        for (const Hypothesis& hypothesis : belief->hypotheses) cumulative.push_back(sum += hypothesis.weight);
    }

    void spend_budget(ExpectiminimaxResult& result) {
        if (settings.seconds <= 0.0) return run_part(result, 0, static_cast<u64>(settings.determinizations));
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
        const u64 part = 2 * static_cast<u64>(settings.threads);
        u64 first = 0;
        do {
            run_part(result, first, first + part);
            first += part;
        } while (Clock::now() < end && first < MOST_DETERMINIZATIONS);
    }

    // Determinizations `first` up to `last`, each for all actions. They are added up in order, whatever thread they came from.
    void run_part(ExpectiminimaxResult& result, u64 first, u64 last) {
        const std::size_t count = result.actions.size();
        std::vector<double> found((last - first) * count);
        std::vector<u64> nodes(static_cast<std::size_t>(settings.threads));
        run_on_threads(settings.threads, last - first, [&](u64 part, u64 begin, u64 end) {
            Tree tree(rules, settings, seen.observer);
            Node root;
            for (u64 index = begin; index < end; ++index) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (i == 0 || !settings.shares) determinize(tree, root, first + index, i);
                    found[index * count + i] = win_probability(tree.root_value(root, result.actions[i].action));
                }
            }
            nodes[part] = tree.num_nodes;
        });
        for (std::size_t at = 0; at < found.size(); ++at) {
            ActionMean& row = result.actions[at % count];
            row.determinizations += 1;
            row.sum += found[at];
            row.squares += found[at] * found[at];
        }
        result.determinizations += found.size();
        for (const u64 part : nodes) result.nodes += part;
    }

    // s_i ~ b: a hypothesis for the hands, the rest in any order.
    void determinize(Tree& tree, Node& root, u64 index, std::size_t action) const {
        const u64 number = settings.shares ? index : index * seen_actions() + action;
        root.memory = memory;
        root.state.pile.rng = split_rng(seed ^ 0xE4BEC71ull, number);
        const Hypothesis& hypothesis = pick(number, root.state.pile.rng);
        determinizer.fill(root.state, hypothesis);
        shuffle_pile(root.state.pile);
        tree.model_opponents(hypothesis);
    }

    u64 seen_actions() const { return static_cast<u64>(num_actions(seen.legal)); }

    const Hypothesis& pick(u64 number, Rng& rng) const {
        const std::size_t count = belief->hypotheses.size();
        if (!belief->is_exact) return belief->hypotheses[number % count];
        const double point = static_cast<double>(next_random(rng) >> 11) * 0x1p-53 * cumulative.back();
        const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), point);
        return belief->hypotheses[std::min(static_cast<std::size_t>(at - cumulative.begin()), count - 1)];
    }

    // From the root on, the action that most determinizations with the same line so far go on with.
    std::vector<int> most_common_line(int action) const {
        Tree tree(rules, settings, seen.observer);
        std::vector<std::vector<int>> lines;
        for (u64 index = 0; index < std::min<u64>(LINES, static_cast<u64>(settings.determinizations)); ++index) {
            Node root;
            determinize(tree, root, index, 0);
            lines.push_back(tree.line_after(root, action));
        }
        std::vector<int> line{action};
        while (true) {
            std::array<int, NUM_ACTIONS> counts{};
            std::erase_if(lines, [&](const auto& each) {
                return each.size() <= line.size() || each[line.size() - 1] != line.back();
            });
            for (const auto& each : lines) counts[static_cast<std::size_t>(each[line.size()])] += 1;
            if (lines.empty()) return line;
            line.push_back(static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin()));
        }
    }
};

// The official games are compiled for themselves; everything else reads its switches at run time.
inline ExpectiminimaxResult search_by_expectiminimax(const Observation& seen, const ExpectiminimaxSettings& settings,
                                                     u64 seed, bool wants_line) {
    constexpr OfficialRules<2> two;
    constexpr OfficialRules<4> four;
    const Rules& rules = seen.rules;
    if (are_same_rules(rules, two))
        return ExpectiminimaxSearch<OfficialRules<2>, 2>(two, seen, settings, seed).run(wants_line);
    if (are_same_rules(rules, four))
        return ExpectiminimaxSearch<OfficialRules<4>, 4>(four, seen, settings, seed).run(wants_line);
    if (rules.players == 2) return ExpectiminimaxSearch<Rules, 2>(rules, seen, settings, seed).run(wants_line);
    return ExpectiminimaxSearch<Rules, MAX_SEATS>(rules, seen, settings, seed).run(wants_line);
}

}  // namespace lastcard
