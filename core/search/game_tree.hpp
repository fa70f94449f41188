// The recursion of `expectiminimax`: max on our turn, min on the others', mean over draws, in one determinization.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "search/expectiminimax.hpp"
#include "search/playing.hpp"
#include "search/shuffled_pile.hpp"

namespace lastcard {

// A position of the tree: a determinization some actions later.
template <int SEATS>
struct TreeNode {
    State<ShuffledPile, SEATS> state;
    Memory memory;
    u16 random_seats;  // opponents that are taken to play at random, as bits
};

constexpr double WIN = 100.0;             // R(s) of a round won; lost: -WIN
constexpr double MOST_DIFFERENCE = 99.0;  // no hand is as good as a round won

// The heuristic's opinion counts for less the more determinizations speak.
inline double bonus_of(const ExpectiminimaxSettings& settings, u64 determinizations) {
    const auto count = static_cast<double>(std::max<u64>(determinizations, 1));
    return settings.bonus * std::sqrt(static_cast<double>(BONUS_SIMULATIONS) / count);
}

// One determinization searched: the recursion itself.
template <class R, int SEATS>
class GameTree {
public:
    using Node = TreeNode<SEATS>;
    using Values = Indexed<double, SEATS>;

    GameTree(const R& with_rules, const ExpectiminimaxSettings& with, int seat)
        : rules(with_rules),
          settings(with),
          observer(seat),
          is_max_n(with.several == Several::MAX_N && with_rules.players > 2) {
        heuristic = make_policy(with.weights, 0.0);
        random.is_random = true;
    }

    u64 num_nodes = 0;
    RecursionTrace* told = nullptr;

    // V(T(s, a), d, next): the root action's worth in this determinization.
    double root_value(const Node& root, int action) {
        begin_tree();
        tell_row(told, {.seat = observer, .action = action});
        Node next = root;
        transition(next, action);
        const double found = settle(next, settings.depth);
        tell_value(told, found, found);
        return found;
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

    // What the policy of the seat to act does, from what that seat may know.
    int by_policy(const Node& node) const {
        Rng rng = split_rng(node.state.pile.rng.state, node.state.turn.ply);
        return choose_by_policy(node, rng);
    }

    int choose_by_policy(const Node& node, Rng& rng) const {
        return lastcard::choose_by_policy(node.state, rules, node.memory, policy_of(node, node.state.turn.seat), rng);
    }

    // R(s), for each seat.
    Values reward(const Node& node) const {
        const int winner = node.state.turn.winner;
        if (winner != NO_SEAT) return won_by(winner);
        if (node.state.turn.phase == Phase::OVER || settings.playouts == 0) return differences(node.state);
        Values mean{};
        for (int i = 0; i < settings.playouts && !(i > 0 && is_stopped()); ++i) {
            const Values found = play_out(node, i);
            for (std::size_t seat = 0; seat < SEATS; ++seat) mean[seat] += found[seat] / settings.playouts;
        }
        return mean;
    }

private:
    const R& rules;
    const ExpectiminimaxSettings& settings;
    int observer;
    bool is_max_n;
    u64 last_node = 0;
    Policy heuristic{}, random{};

    void begin_tree() { last_node = num_nodes + static_cast<u64>(settings.nodes); }

    bool is_ours(const Node& node) const { return node.state.turn.seat == observer; }
    bool follows_policy(const Node& node) const { return settings.opponents == Opponents::POLICY && !is_ours(node); }

    bool is_leaf(const Node& node, int depth) const {
        return depth == 0 || node.state.turn.phase == Phase::OVER || num_nodes >= last_node || is_stopped();
    }

    double settle(const Node& node, int depth) {
        return is_max_n ? values(node, depth)[observer] : value(node, depth, -WIN, WIN);
    }

    // V(s, d, p), from the observer's side; exact between alpha and beta (D. Knuth and R. Moore, 1975).
    double value(const Node& node, int depth, double alpha, double beta) {
        num_nodes += 1;
        if (is_leaf(node, depth)) {
            tell_leaf(told);
            return reward(node)[observer];
        }
        if (follows_policy(node)) return value_after(node, by_policy(node), depth, alpha, beta);
        const ActionSet legal = legal_actions(node.state, rules);
        const bool maximizes = is_ours(node);
        double best = maximizes ? -WIN : WIN;
        for (int i = 0; i < num_actions(legal); ++i) {
            if (alpha >= beta) {
                tell_cut(told);
                break;
            }
            const double found = value_after(node, nth_action(legal, i), depth, alpha, beta);
            best = maximizes ? std::max(best, found) : std::min(best, found);
            (maximizes ? alpha : beta) = best;
        }
        return best;
    }

    // V_after(s, a, d): for a draw, the mean over m cards without replacement.
    double value_after(const Node& node, int action, int depth, double alpha, double beta) {
        tell_row(told, {.seat = node.state.turn.seat, .action = action});
        double found = 0.0;
        if (action != DRAW) {
            Node next = node;
            transition(next, action);
            found = value(next, depth - 1, alpha, beta);
        } else {
            const int outcomes = num_outcomes(node);
            for (int j = 0; j < outcomes; ++j) {
                tell_row(told,
                         {.seat = node.state.turn.seat, .action = action, .card = card_below(node.state.pile, j)});
                const double each = value(drawing(node, j), depth - 1, -WIN, WIN);
                tell_value(told, each, each);
                found += each;
            }
            found /= outcomes;
        }
        tell_value(told, found, found);
        return found;
    }

    // The same for each seat by itself: the seat to act maximizes its own value (C. Luckhardt and K. Irani, 1986).
    Values values(const Node& node, int depth) {
        num_nodes += 1;
        if (is_leaf(node, depth)) {
            tell_leaf(told);
            return reward(node);
        }
        const std::size_t seat = node.state.turn.seat;
        if (follows_policy(node)) return values_after(node, by_policy(node), depth);
        const ActionSet legal = legal_actions(node.state, rules);
        Values best{};
        for (int i = 0; i < num_actions(legal); ++i) {
            const Values found = values_after(node, nth_action(legal, i), depth);
            if (i == 0 || found[seat] > best[seat]) best = found;
        }
        return best;
    }

    Values values_after(const Node& node, int action, int depth) {
        const int acting = node.state.turn.seat;
        tell_row(told, {.seat = node.state.turn.seat, .action = action});
        Values found{};
        if (action != DRAW) {
            Node next = node;
            transition(next, action);
            found = values(next, depth - 1);
        } else {
            const int outcomes = num_outcomes(node);
            for (int j = 0; j < outcomes; ++j) {
                tell_row(told,
                         {.seat = node.state.turn.seat, .action = action, .card = card_below(node.state.pile, j)});
                const Values each = values(drawing(node, j), depth - 1);
                tell_value(told, each[observer], each[acting]);
                for (std::size_t seat = 0; seat < SEATS; ++seat) found[seat] += each[seat] / outcomes;
            }
        }
        tell_value(told, found[observer], found[acting]);
        return found;
    }

    int num_outcomes(const Node& node) const {
        return std::max(1, std::min(settings.draw_samples, node.state.pile.size));
    }

    // The node after a draw of the card `j` below the next one.
    Node drawing(const Node& node, int j) const {
        Node next = node;
        if (j > 0) bring_up(next.state.pile, j);
        transition(next, DRAW);
        return next;
    }

    [[gnu::noinline, gnu::cold]] int choose(const Node& node, int depth) {
        if (follows_policy(node)) return by_policy(node);
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

    const Policy& policy_of(const Node& node, int seat) const {
        return (node.random_seats >> seat & 1) != 0 ? random : heuristic;
    }

    static Values won_by(int winner) {
        Values found{};
        for (int seat = 0; seat < SEATS; ++seat) found[seat] = seat == winner ? WIN : -WIN;
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
            found[seat] = std::clamp(difference, -MOST_DIFFERENCE, MOST_DIFFERENCE);
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
        const Policy* policies[MAX_SEATS];
        for (int seat = 0; seat < rules.players; ++seat) policies[seat] = &policy_of(leaf, seat);
        if (node.state.turn.phase != Phase::OVER) {
            const int first = choose_by_policy(node, rng);
            play_by_policies(node.state, rules, node.memory, first, policies, rng, limit);
        }
        if (node.state.turn.winner != NO_SEAT) return won_by(node.state.turn.winner);
        Values even{};
        even.fill(2.0 * WIN / rules.players - WIN);
        return even;
    }
};

}  // namespace lastcard
